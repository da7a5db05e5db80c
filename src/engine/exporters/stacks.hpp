/// Common to formats of stacks: they get those that were recorded beside the profile or, where there are
/// none, those of the estimated tree (callcost/tree.hpp), marked as estimated.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <callcost/tree.hpp>

namespace callcost::engine {

struct StackOptions {
    /// What to measure by, the one to be shown first being the first; those that are not additive (F78) are
    /// left out, and so are those behind the first `max_measures`. Empty: default_measure().
    std::vector<Measure> measures{};
    /// How the call graph is unrolled; its `measure` does not count. The limits are for programs that load
    /// all of a file: the text of a stack is as long as the stack is deep.
    TreeOptions tree = default_tree();
    /// What to make trees of where they are not to be estimated; empty: they are.
    std::optional<StacksOfSources> recorded{};
    /// Asked before stacks are written that take at least so many bytes; its error ends the writing. Deep
    /// stacks are soon counted, but long. Empty: nobody is asked.
    std::function<Result<void>(std::uint64_t bytes)> may_take{};
    std::string name{};  ///< of the profile, such as the name of its file; may hold any bytes

    static constexpr std::size_t max_measures = 32;
    [[nodiscard]] static TreeOptions default_tree() {
        TreeOptions options;
        options.max_frames = 50'000;
        options.max_levels = 256;
        return options;
    }
};

/// For StackOptions::recorded: the stacks, or nothing if an additive measure has no exact tree.
[[nodiscard]] std::optional<StacksOfSources> recorded_for(const CallGraph& graph,
                                                          const StacksOfSources& stacks,
                                                          const std::vector<Measure>& measures);

/// The frames of the tree of recorded stacks, of which there is no need to hold all, and what is spent in
/// each: that of whole_self_costs. They have no Frame::end.
void for_each_recorded(const CallGraph& graph, const StacksOfSources& stacks, const Measure& measure,
                       const std::function<void(const Frame&, std::int64_t)>& on_frame);

/// The tree of a measure, estimated if there is no other.
[[nodiscard]] Tree tree_of(const CallGraph& graph, const StackOptions& options, const Measure& measure);

/// A unit that other programs know, and how many of them one of ours is: Xdebug's `10ns` are 10 nanoseconds.
struct Unit {
    std::string_view name{};  ///< empty: none
    std::int64_t factor = 1;
};
[[nodiscard]] Unit unit_of(const Measure& measure);

/// The measures that count.
[[nodiscard]] std::vector<Measure> measures_of(const CallGraph& graph, const StackOptions& options);

/// The self cost of every frame as a whole number, 0 for what is unbalanced: that is in no self cost, and
/// percentages would be wrong. They add up to exactly the whole number that the rest of Tree::inclusive is,
/// the total where everything is expanded: each is rounded down, and what is left goes to the largest
/// fractions. Those of an exact tree are as recorded; negative ones are 0.
[[nodiscard]] std::vector<std::int64_t> whole_self_costs(const Tree& tree);

/// The share that is certain: `92.1%`, never rounded up.
[[nodiscard]] std::string certainty_text(const Tree& tree);

/// The functions that frames are about, each once: contexts of a function (F72) are one.
class FunctionTable {
  public:
    explicit FunctionTable(const CallGraph& graph)
        : graph_(graph), contexts_(graph.profile()), by_node_(graph.size(), unknown) {}

    struct Function {
        std::string_view name;          ///< or "(not expanded)", "(unbalanced)"
        std::string_view file, object;  ///< empty: not known
    };
    [[nodiscard]] std::uint32_t row_of(const Frame& frame);
    [[nodiscard]] std::uint32_t row_of(NodeId node);
    /// The same function, as far as it is in another file: what it has inlined from there.
    [[nodiscard]] std::uint32_t row_in(std::uint32_t row, std::string_view file);
    /// Of a function that is in the table.
    [[nodiscard]] std::optional<std::uint32_t> find(NodeId node) const;
    [[nodiscard]] const std::vector<Function>& rows() const { return rows_; }

    static constexpr std::uint32_t unknown = 0xffffffffU;

  private:
    [[nodiscard]] Function function_of(NodeId node) const;
    [[nodiscard]] std::uint32_t row_of(const Function& function);

    const CallGraph& graph_;
    ContextNames contexts_;
    std::vector<Function> rows_;
    std::vector<std::uint32_t> by_node_;
    std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::uint32_t> known_;
};

/// A path of a tree, or of what it has not expanded, and what was spent at its end.
struct EstimatedStack {
    std::uint32_t frame = 0;                       ///< row of Tree::frames
    std::uint32_t below = FunctionTable::unknown;  ///< of a frame that is not expanded: a function in it
    std::int64_t cost = 0;
};

/// All that cost anything, in the order of the frames, as whole numbers. In a tree that is estimated from the
/// roots of the program down, every function has exactly its self cost, however small the tree is: what
/// frames that are not expanded hold is, function by function, what it has nowhere else. Which of it is in
/// which of these frames is not known: they get it in order, the most expensive function first. What no
/// function has is unbalanced and in no stack; negative costs are in none, either. (Functions that no path
/// leads to have less: calls in circles that nobody enters.) In other trees the costs are whole_self_costs().
[[nodiscard]] std::vector<EstimatedStack> estimated_stacks(const CallGraph& graph, const Tree& tree,
                                                           FunctionTable& functions);

}  // namespace callcost::engine
