#include "exporters/speedscope.hpp"

#include <string>

#include "exporters/text_blocks.hpp"
#include "import_model/estimated_marks.hpp"
#include "text/json.hpp"
#include <callcost/callcost.hpp>

namespace callcost::engine {
namespace {

class SpeedscopeWriter {
  public:
    SpeedscopeWriter(const CallGraph& graph, const StackOptions& options, const Sink& sink)
        : graph_(graph), options_(options), functions_(graph), blocks_(sink), json_(blocks_.text(), {}) {}

    Result<void> write() {
        json_.begin_object();
        json_.member("$schema", "https://www.speedscope.app/file-format-schema.json");
        json_.member("exporter", std::string("callcost ").append(version()));
        if (!options_.name.empty()) json_.member("name", options_.name);
        json_.key("activeProfileIndex");
        json_.value(0);
        json_.key("profiles");
        json_.begin_array();
        for (const auto& measure : measures_of(graph_, options_))
            if (auto done = write_profile(tree_of(graph_, options_, measure)); !done) return done;
        json_.end_array();
        write_frames();
        json_.end_object();
        blocks_.text() += '\n';
        return blocks_.finish();
    }

  private:
    Result<void> write_profile(const Tree& tree) {
        const auto stacks = estimated_stacks(graph_, tree, functions_);
        if (options_.may_take) {
            std::uint64_t bytes = 0;  // a digit and what is behind it for each function
            for (const auto& stack : stacks) bytes += 2 * std::uint64_t{tree.frames[stack.frame].level};
            if (auto may = options_.may_take(bytes); !may) return may;
        }
        const auto unit = unit_of(tree.measure);
        const auto weight = [&](std::int64_t cost) {
            return cost > INT64_MAX / unit.factor ? INT64_MAX : cost * unit.factor;
        };
        json_.begin_object();
        json_.member("type", "sampled");
        const auto& name = tree.measure.name;
        const auto doubt = std::string(estimated_profile_mark) + certainty_text(tree) + " certain)";
        json_.member("name", options_.recorded ? name : name + doubt);
        write_own(name);
        json_.member("unit", unit.name.empty() ? "none" : unit.name);
        json_.key("startValue");
        json_.value(0);
        json_.key("endValue");
        std::uint64_t sum = 0;
        for (const auto& stack : stacks) sum += static_cast<std::uint64_t>(weight(stack.cost));
        json_.value(sum);
        json_.key("samples");
        write_samples(tree, stacks);
        json_.key("weights");
        json_.begin_array();
        for (const auto& stack : stacks) {
            json_.value(weight(stack.cost));
            blocks_.end_row();
        }
        json_.end_array();
        json_.end_object();
        return {};
    }

    /// What speedscope has no field for: the event type, and that stacks are estimated.
    void write_own(std::string_view event) {
        json_.key("callcost");
        json_.begin_object();
        json_.member("event", event);
        json_.key("estimated");
        json_.value(!options_.recorded);
        json_.end_object();
    }

    void write_samples(const Tree& tree, const std::vector<EstimatedStack>& stacks) {
        const bool is_inverted = tree.direction == TreeDirection::callers;
        std::vector<std::uint32_t> path;
        auto stack = stacks.begin();
        json_.begin_array();
        for (std::uint32_t row = 0; row < tree.frames.size(); ++row) {
            path.resize(tree.frames[row].level - 1);
            path.push_back(functions_.row_of(tree.frames[row]));
            for (; stack != stacks.end() && stack->frame == row; ++stack) {
                if (stack->below != FunctionTable::unknown) path.push_back(stack->below);
                json_.begin_array();
                for (std::size_t i = 0; i < path.size(); ++i)
                    json_.value(path[is_inverted ? path.size() - 1 - i : i]);
                json_.end_array();
                if (!blocks_.end_row()) return json_.end_array();
                path.resize(tree.frames[row].level);
            }
        }
        json_.end_array();
    }

    void write_frames() {
        json_.key("shared");
        json_.begin_object();
        json_.key("frames");
        json_.begin_array();
        for (const auto& function : functions_.rows()) {
            json_.begin_object();
            json_.member("name", function.name);
            // Without a source file the object tells functions of the same name apart.
            const auto place = function.file.empty() ? function.object : function.file;
            if (!place.empty()) json_.member("file", place);
            json_.end_object();
            blocks_.end_row();
        }
        json_.end_array();
        json_.end_object();
    }

    const CallGraph& graph_;
    const StackOptions& options_;
    FunctionTable functions_;
    TextBlocks blocks_;
    JsonWriter json_;
};

}  // namespace

Result<void> write_speedscope(const CallGraph& graph, const StackOptions& options, const Sink& sink) {
    return SpeedscopeWriter(graph, options, sink).write();
}

}  // namespace callcost::engine
