// The tree of paths, for flame graphs and treemaps; of two profiles as one tree.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "answers/call_paths.hpp"
#include "session/answers.hpp"
#include "session/function_rows.hpp"
#include <callcost/tree.hpp>

namespace callcost::engine {
namespace {

constexpr std::size_t default_frames = 20'000;
constexpr std::size_t max_frames = 200'000;
/// Each function once, and which of them a box is.
class BoxNames {
  public:
    explicit BoxNames(const View& view)
        : view_(view),
          index_after_(view.after.graph().size(), -1),
          index_before_(view.before ? view.before->graph().size() : 0, -1) {}

    std::int64_t of(FunctionAt function) {
        auto& index = (function.is_before ? index_before_ : index_after_)[function.node.value];
        if (index < 0) {
            index = static_cast<std::int64_t>(functions_.size());
            functions_.push_back(function);
        }
        return index;
    }
    void write(JsonWriter& json) const {
        json.key("functions");
        json.begin_array();
        for (const auto& [node, is_before] : functions_)
            write_function(json, is_before ? *view_.before : view_.after, node, is_before,
                           {.labels = Labels::without_contexts});
        json.end_array();
    }

  private:
    const View& view_;
    std::vector<std::int64_t> index_after_, index_before_;
    std::vector<FunctionAt> functions_;
};

class TreeWriter {
  public:
    TreeWriter(JsonWriter& json, const View& view, const CallPaths& paths)
        : json_(json), paths_(paths), names_(view) {}

    void write() {
        json_.member("estimated", paths_.is_estimated());
        write_sums(paths_.after, "");
        if (paths_.before) {
            write_sums(*paths_.before, "_before");
            write_one_sided("added", paths_.after, &CallPath::after, &CallPath::before,
                            &CallPath::is_before_unknown);
            write_one_sided("removed", *paths_.before, &CallPath::before, &CallPath::after,
                            &CallPath::is_after_unknown);
        }
        json_.key("frames");
        json_.begin_object();
        column("kind",
               [&](std::uint32_t row) { json_.value(static_cast<unsigned>(paths_.frame(row).kind)); });
        column("function", [&](std::uint32_t row) {
            json_.value(paths_.is_function(row) ? names_.of(paths_.function(row)) : std::int64_t{-1});
        });
        column("parent", [&](std::uint32_t row) {
            const auto parent = paths_.rows[row].parent;
            json_.value(parent == Frame::none ? std::int64_t{-1} : std::int64_t{parent});
        });
        column("level", [&](std::uint32_t row) { json_.value(paths_.frame(row).level); });
        costs("inclusive", &Frame::inclusive);
        costs("self", &Frame::self);
        rows("partly_paid", &Frame::partly_paid);
        rows("inlined", &Frame::inlined);
        json_.end_object();
        names_.write(json_);
    }

  private:
    void write_sums(const Tree& tree, const std::string& suffix) {
        const auto sum = [&](const char* name, double cost) {
            json_.member(name + suffix, whole_cost(cost));
        };
        sum("whole", tree.inclusive);
        sum("certain", tree.certain);
        sum("not_expanded", tree.not_expanded);
        sum("unbalanced", tree.unbalanced);
        sum("unrecorded_callees", tree.unrecorded_callees);
        sum("unattributed", tree.unattributed);
        sum("partly_paid", tree.partly_paid);
        json_.member("negative" + suffix, tree.negative);
        json_.member("certainty" + suffix, tree.certainty());
    }

    /// The cost of paths that only one of two profiles has, those below such ones not counted again.
    void write_one_sided(const char* name, const Tree& tree, std::uint32_t CallPath::*own,
                         std::uint32_t CallPath::*other, bool CallPath::*is_other_unknown) {
        double sum = 0;
        for (std::uint32_t row = 0; row < paths_.rows.size();) {
            const auto& path = paths_.rows[row];
            const bool is_one = path.*own != Frame::none && path.*other == Frame::none &&
                                !(path.*is_other_unknown) && paths_.is_function(row);
            if (is_one) sum += tree.frames[path.*own].inclusive.estimate;
            row = is_one ? path.end : row + 1;
        }
        json_.member(name, whole_cost(sum));
    }

    void rows(std::string_view name, bool Frame::*is_one) {
        json_.key(name);
        json_.begin_array();
        for (std::uint32_t row = 0; row < paths_.rows.size(); ++row)
            if (paths_.frame(row).*is_one) json_.value(row);
        json_.end_array();
    }

    template <class Write>
    void column(std::string_view name, Write write) {
        json_.key(name);
        json_.begin_array();
        for (std::uint32_t row = 0; row < paths_.rows.size(); ++row) write(row);
        json_.end_array();
    }

    void costs(const std::string& name, EstimatedCost Frame::*which) {
        const auto write = [&](const std::string& member, const Tree& tree, std::uint32_t CallPath::*frame,
                               bool CallPath::*is_unknown) {
            const auto one = [&](const std::string& suffix, auto value) {
                column(member + suffix, [&](std::uint32_t row) {
                    const auto& path = paths_.rows[row];
                    if (path.*frame != Frame::none) {
                        json_.value(value(tree.frames[path.*frame].*which));
                    } else if (path.*is_unknown) {
                        json_.null();
                    } else {
                        json_.value(std::int64_t{0});
                    }
                });
            };
            one("", [](const EstimatedCost& cost) { return whole_cost(cost.estimate); });
            one("_least", [](const EstimatedCost& cost) { return cost.least; });
            one("_most", [](const EstimatedCost& cost) { return cost.most; });
        };
        write(name, paths_.after, &CallPath::after, &CallPath::is_after_unknown);
        if (paths_.before)
            write(name + "_before", *paths_.before, &CallPath::before, &CallPath::is_before_unknown);
    }

    JsonWriter& json_;
    const CallPaths& paths_;
    BoxNames names_;
};

}  // namespace

void answer_tree(Request& request, JsonWriter& json) {
    constexpr std::array<std::string_view, 2> recursions = {"fold", "unfold"};
    auto& question = request.question;
    const auto view = request.view();
    if (!view) return;
    PathOptions options;
    auto& tree = options.tree;
    tree.direction = direction_of(question);
    tree.recursion = question.word("recursion", recursions) == 0 ? Recursion::fold : Recursion::unfold;
    tree.max_frames = question.count("frames", tree.max_frames, max_frames);
    tree.max_levels = question.count("levels", tree.max_levels, tree.max_levels);
    options.min_share = std::clamp(question.number("least", 0), 0.0, 1.0);
    if (question.has("root")) options.root = request.function("root", *view);
    if (question.error()) return;

    json.begin_object();
    TreeWriter(json, *view, call_paths(*view, options)).write();
    json.end_object();
}

}  // namespace callcost::engine
