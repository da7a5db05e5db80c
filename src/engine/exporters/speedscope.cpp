#include "exporters/speedscope.hpp"

#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include <rapidjson/writer.h>

#include "exporters/text_blocks.hpp"
#include "text/utf8.hpp"
#include <callcost/callcost.hpp>

namespace callcost::convert {
namespace {

/// RapidJSON's idea of an output stream.
struct JsonStream {
    using Ch = char;  // NOLINT(readability-identifier-naming)
    TextBlocks* blocks;

    void Put(char c) {  // NOLINT(readability-identifier-naming)
        blocks->text().push_back(c);
        blocks->end_row();
    }
    void Flush() {}  // NOLINT(readability-identifier-naming)
};

class SpeedscopeWriter {
  public:
    SpeedscopeWriter(const CallGraph& graph, const StackOptions& options, const Sink& sink)
        : graph_(graph), options_(options), functions_(graph), blocks_(sink), json_(stream_) {}

    Result<void> write() {
        json_.StartObject();
        member("$schema", "https://www.speedscope.app/file-format-schema.json");
        member("exporter", std::string("callcost ").append(version()));
        if (!options_.name.empty()) member("name", render::to_utf8(options_.name));
        json_.Key("activeProfileIndex");
        json_.Int(0);
        json_.Key("profiles");
        json_.StartArray();
        for (const auto& measure : measures_of(graph_, options_))
            write_profile(tree_of(graph_, options_, measure));
        json_.EndArray();
        write_frames();
        json_.EndObject();
        blocks_.text() += '\n';
        return blocks_.finish();
    }

  private:
    void member(const char* name, std::string_view text) {
        json_.Key(name);
        json_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
    }

    void write_profile(const Tree& tree) {
        const auto stacks = estimated_stacks(graph_, tree, functions_);
        const auto unit = unit_of(tree.measure);
        const auto weight = [&](std::int64_t cost) {
            return cost > INT64_MAX / unit.factor ? INT64_MAX : cost * unit.factor;
        };
        json_.StartObject();
        member("type", "sampled");
        const auto name = render::to_utf8(tree.measure.name);
        const auto doubt = " (estimated from the call graph, " + certainty_text(tree) + " certain)";
        member("name", options_.exact_tree ? name : name + doubt);
        member("unit", unit.name.empty() ? "none" : unit.name);
        json_.Key("startValue");
        json_.Int(0);
        json_.Key("endValue");
        std::uint64_t sum = 0;
        for (const auto& stack : stacks) sum += static_cast<std::uint64_t>(weight(stack.cost));
        json_.Uint64(sum);
        json_.Key("samples");
        write_samples(tree, stacks);
        json_.Key("weights");
        json_.StartArray();
        for (const auto& stack : stacks) json_.Int64(weight(stack.cost));
        json_.EndArray();
        json_.EndObject();
    }

    void write_samples(const Tree& tree, const std::vector<EstimatedStack>& stacks) {
        const bool is_inverted = tree.direction == TreeDirection::callers;
        std::vector<std::uint32_t> path;
        auto stack = stacks.begin();
        json_.StartArray();
        for (std::uint32_t row = 0; row < tree.frames.size(); ++row) {
            path.resize(tree.frames[row].level - 1);
            path.push_back(functions_.row_of(tree.frames[row]));
            for (; stack != stacks.end() && stack->frame == row; ++stack) {
                if (stack->below != FunctionTable::unknown) path.push_back(stack->below);
                json_.StartArray();
                for (std::size_t i = 0; i < path.size(); ++i)
                    json_.Uint(path[is_inverted ? path.size() - 1 - i : i]);
                json_.EndArray();
                path.resize(tree.frames[row].level);
            }
        }
        json_.EndArray();
    }

    void write_frames() {
        json_.Key("shared");
        json_.StartObject();
        json_.Key("frames");
        json_.StartArray();
        for (const auto& function : functions_.rows()) {
            json_.StartObject();
            member("name", render::to_utf8(function.name));
            // Without a source file the object tells functions of the same name apart.
            const auto place = function.file.empty() ? function.object : function.file;
            if (!place.empty()) member("file", render::to_utf8(place));
            json_.EndObject();
        }
        json_.EndArray();
        json_.EndObject();
    }

    const CallGraph& graph_;
    const StackOptions& options_;
    FunctionTable functions_;
    TextBlocks blocks_;
    JsonStream stream_{&blocks_};
    rapidjson::Writer<JsonStream> json_;
};

}  // namespace

Result<void> write_speedscope(const CallGraph& graph, const StackOptions& options, const Sink& sink) {
    return SpeedscopeWriter(graph, options, sink).write();
}

}  // namespace callcost::convert
