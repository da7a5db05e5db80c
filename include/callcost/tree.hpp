/// @file tree.hpp
/// The call graph unrolled into a tree of paths, as flame graphs show it. Include it to draw one or to write
/// stacks for other tools. A profile holds the cost of every call arc, but not of every stack: how the cost
/// of a function is divided among the paths that lead to it is an estimate, between exact bounds. With the
/// recorded stacks beside the profile, as Stacks, the tree is exact; so it is where files hold every call
/// (recorded_stacks).
///
/// The estimate looks one call back: what a caller brings to a function goes on to the function itself and to
/// its callees as a table says that has callers as rows and these as columns. The sums of both are known. The
/// table begins with as much for every call of the function (F57), where callees that cost much at a time get
/// more of what expensive calls bring and less of what cheap ones do; then it is scaled, rows and columns in
/// turn, until it has the known sums (iterative proportional fitting). Where counts are not known exactly, in
/// very large tables, and in trees that begin at chosen functions, every caller's cost goes on in the same
/// proportions.
///
/// Where more arrives than a function and its callees account for, the difference stays there as cost of the
/// kind `unbalanced` or, where the file has lost callees, `unrecorded_callees`; where less arrives, the
/// difference enters there: the function is a root. So the tree, if fully expanded, adds up to exactly the
/// self cost of every function and the cost of every arc, recursion included, whether the profile is
/// consistent or not. (Only arcs of calls that go round in circles, enter nowhere and spend nothing are in no
/// path.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "callcost/call_graph.hpp"

namespace callcost {

enum class TreeDirection : std::uint8_t {
    callees,  ///< from the roots of the program down to what they call
    callers,  ///< inverted: from the functions that spend cost themselves up to their callers
};

enum class Recursion : std::uint8_t {
    /// A function that calls itself is one frame, not one per level: `f;f` and `f;f'2` are `f`, and contexts
    /// of
    /// a function next to each other (F72) are one; so are `f` and an `f` that code inlined in it calls.
    /// Cycles of several functions are paths like any other.
    fold,
    unfold,  ///< every node of the graph is a frame of its own; recursion is expanded without end
};

struct TreeOptions {
    std::optional<Measure> measure{};  ///< empty: default_measure()
    TreeDirection direction = TreeDirection::callees;
    Recursion recursion = Recursion::fold;
    /// Frames to expand at most, the most expensive first; memory and time are in proportion to it.
    std::size_t max_frames = 20'000;
    std::size_t max_levels = std::numeric_limits<std::size_t>::max();  ///< of frames; roots are level 1
    double min_weight = 0;  ///< no frame with less than this cost is expanded
    /// Only for functions for which it is true: the tree begins at them, where they are not below one
    /// another, with their inclusive cost, whoever called them. Empty: at the roots or, inverted, at all self
    /// costs.
    std::function<bool(NodeId)> root{};
    /// Only frames for which it is true are expanded, by function (of contexts folded together, any) and
    /// level of the frame: what is along one path costs little. Empty: all.
    std::function<bool(NodeId, std::size_t)> expands{};
};

enum class FrameKind : std::uint8_t {
    function,
    /// What the frame above it passes on to frames that are not in the tree: beyond the limits, or too light.
    /// Further levels and contexts of functions that have a frame may be among them; the bounds of that frame
    /// say how much.
    not_expanded,
    /// More was recorded as spent in the calls of the function above than it and its callees account for.
    unbalanced,
    /// The same where the file has lost arcs: spent in callees that it does not record
    /// (CallGraph::unrecorded_callees).
    unrecorded_callees,
    /// The same where it was spent in no function (CallGraph::unattributed).
    unattributed,
};

/// One box of a flame graph.
struct Frame {
    static constexpr std::uint32_t none = 0xffffffffU;

    FrameKind kind = FrameKind::function;
    /// A root whose recorded callers account for a part of its cost only. The rest may have been spent
    /// without a caller (a signal handler, a thread), or its calls were not recorded correctly.
    bool partly_paid = false;
    bool inlined = false;         ///< its code is inlined in that of the frame that calls it
    NodeId node;                  ///< of contexts folded together the most expensive; invalid for other kinds
    std::uint32_t parent = none;  ///< row of the frame that calls it (inverted: that it calls)
    std::uint32_t end = 0;        ///< row behind the last frame below it
    std::uint32_t level = 1;      ///< 1 for frames without parent
    EstimatedCost inclusive;      ///< of this path, with everything below it
    /// What is spent in the function itself on this path. Inverted: the cost of the path that ends here, at a
    /// root of the program. The whole of it for frames of other kinds.
    EstimatedCost self;
};

/// For every frame: inclusive = self + inclusive of the frames directly below it.
struct Tree {
    Measure measure;
    TreeDirection direction = TreeDirection::callees;
    bool from_chosen = false;  ///< it begins at functions that were chosen (TreeOptions::root)
    bool exact = false;        ///< from recorded stacks: nothing is estimated, not even what is not expanded
    /// In preorder: a frame, then those below it. Neighbours are in descending order of inclusive cost, then
    /// by name; frames of other kinds come last.
    std::vector<Frame> frames;
    std::size_t functions = 0;  ///< frames that are functions
    double inclusive = 0;       ///< of the frames without parent together
    /// How much of `inclusive` is certain to be on its path: the lower bounds of what functions spend there,
    /// and of what none has. It is that of the tree of 20,000 frames, whatever the limits of this one are;
    /// what that does not expand counts as unknown. With TreeOptions::expands and by filter_tree it is of the
    /// frames that there are.
    double certain = 0;
    double not_expanded = 0;  ///< of all frames of this kind together
    double unbalanced = 0;
    double unrecorded_callees = 0;
    double unattributed = 0;
    double partly_paid = 0;  ///< what enters at such roots
    /// Negative self costs, which are in no frame; 0 in most profiles.
    Cost negative = 0;

    /// From 0 to 1; 1 for an empty tree.
    [[nodiscard]] double certainty() const { return inclusive > 0 ? certain / inclusive : 1; }
};

/// Takes time in proportion to the arcs and to the frames expanded, both times a logarithm. Measures that do
/// not add up (F78) have no inclusive cost and give an empty tree, as do profiles without any cost. Negative
/// costs of arcs count as 0. A root predicate must not depend on anything but the node.
[[nodiscard]] CALLCOST_API Tree estimate_tree(const CallGraph& graph, const TreeOptions& options = {});

/// Call stacks and what each of them cost: a tree of their common beginnings. It is not tied to a Profile, so
/// it can be built from any stacks. Functions and stacks are rows, numbered from 0 in the order in which they
/// are first asked for; memory is in proportion to them. Arguments must be rows of this object.
class CALLCOST_API Stacks {
  public:
    static constexpr std::uint32_t none = 0xffffffffU;

    Stacks();
    Stacks(Stacks&&) noexcept;
    Stacks& operator=(Stacks&&) noexcept;
    ~Stacks();

    /// A function, by the names that the profile has for it, without context (F72); empty: not known.
    std::uint32_t function(std::string_view name, std::string_view file = {}, std::string_view object = {});
    std::uint32_t event(std::string_view name);  ///< an event type, by its name in the profile
    /// The stack that calls `function` from the stack `caller`; none: the function is the root.
    std::uint32_t stack(std::uint32_t caller, std::uint32_t function);
    /// Adds a cost spent in the last function of the stack. Sums wrap (F82).
    void add(std::uint32_t stack, std::uint32_t event, Cost cost);
    void add(const Stacks& other);  ///< all of another one, with its functions and event types
    void pack();  ///< frees memory that only further functions and stacks need; it is rebuilt when needed

    [[nodiscard]] std::size_t size() const;                                ///< stacks
    [[nodiscard]] std::uint32_t caller(std::uint32_t stack) const;         ///< always a smaller row, or none
    [[nodiscard]] std::uint32_t last_function(std::uint32_t stack) const;  ///< the one that it ends in
    [[nodiscard]] Cost self(std::uint32_t stack, std::uint32_t event) const;
    [[nodiscard]] std::size_t function_count() const;
    [[nodiscard]] FunctionNames names(std::uint32_t function) const;      ///< as they were given
    [[nodiscard]] std::uint32_t find_event(std::string_view name) const;  ///< or none
    [[nodiscard]] std::vector<std::string_view> event_names() const;      ///< valid until the next one

  private:
    struct Data;
    std::unique_ptr<Data> data_;
};

/// The stacks of a profile by row of Profile::sources(); null: the source has none.
using StacksOfSources = std::vector<std::shared_ptr<const Stacks>>;

/// The stacks in the files themselves: Xdebug writes every single call (F66). They are built on first use,
/// which takes time in proportion to the calls, and kept with the profile. `beside`: stacks recorded beside
/// the profile, which are preferred where a source has them. Empty: none.
[[nodiscard]] CALLCOST_API StacksOfSources recorded_stacks(const Profile& profile,
                                                           const StacksOfSources& beside = {});
/// Whether every source has stacks, without building them.
[[nodiscard]] CALLCOST_API bool has_recorded_stacks(const Profile& profile,
                                                    const StacksOfSources& beside = {});

/// How negative costs of stacks are treated.
enum class NegativeCosts : std::uint8_t {
    omit,  ///< they are in no frame, but in Tree::negative
    keep,  ///< costs of frames may be negative, and so may sums
};

/// The tree of stacks as they were recorded, under the same options and with the same frames as an estimated
/// one; every bound is exact. `stacks` are those beside the profile; sources without any use those in the
/// files. Of `filters`, `focus` and `ignore` choose stacks. Empty if the stacks are not those of the graph: a
/// selected part is of a source that has none, a function is missing in the graph, or they do not add up to
/// its total. Takes linear time for the callees of the roots; inverted, in proportion to the stacks and the
/// levels expanded.
[[nodiscard]] CALLCOST_API std::optional<Tree> exact_tree(const CallGraph& graph,
                                                          const StacksOfSources& stacks,
                                                          const TreeOptions& options = {},
                                                          const Filters& filters = {},
                                                          NegativeCosts negative = NegativeCosts::omit);

/// The frames of that tree one by one, for callers that do not need all of them at once; Frame::end is 0.
/// Whole trees of callees then take half the memory. False, without any frame, where exact_tree is empty.
[[nodiscard]] CALLCOST_API bool exact_frames(const CallGraph& graph, const StacksOfSources& stacks,
                                             const TreeOptions& options, const Filters& filters,
                                             NegativeCosts negative,
                                             const std::function<void(const Frame&)>& on_frame);

/// Costs of functions as far as filters keep them: estimated where the profile only bounds them.
struct FilteredCosts {
    BoundedCosts self, inclusive;
    /// By FunctionId, where the nodes stand for several: inlined code is known by where it is inlined, and so
    /// are levels of recursion and callers. Empty: no more is known than by node.
    BoundedCosts self_of_functions{};
    std::vector<bool>
        listed;  ///< by node: as FilterResult, without those of which nothing is inside after all
    /// Self cost of the listed functions together: the estimate, and its exact bounds.
    Cost estimate = 0, least = 0, most = 0;
};

/// What `focus` and `ignore` keep of every function, as the estimated tree without limits has it where every
/// caller's cost goes on in the same proportions: the flow of costs is solved for the whole graph. With the
/// recorded stacks of all of it (see exact_tree) the costs are exact. `filtered` is the result of filter()
/// for the same filters. Takes linear time; more in cycles, which are solved by iteration, and linear time in
/// the stacks.
[[nodiscard]] CALLCOST_API FilteredCosts filtered_costs(const CallGraph& graph, const Filters& filters,
                                                        const FilterResult& filtered, const Measure& measure,
                                                        const StacksOfSources& stacks = {});

/// What filters keep of a tree, path by path: costs with a focused function on their path and no ignored one.
/// The cost of functions that are not shown is `not_expanded` below the one above them (which may be none),
/// beside what they call. Where such functions may be on paths that were not expanded, or above the functions
/// at which the tree begins, costs have wider bounds, and estimates that add up to what `kept` has: what
/// filtered_costs() says of the same filters. Null: it is computed where it is needed.
[[nodiscard]] CALLCOST_API Tree filter_tree(const Tree& tree, const CallGraph& graph, const Filters& filters,
                                            const FilteredCosts* kept = nullptr);

/// The label of a frame: the function's name without its context (F72), or "(not expanded)", "(unbalanced)",
/// "(callees not recorded)", "(unattributed)".
[[nodiscard]] CALLCOST_API std::string_view frame_label(const CallGraph& graph, const ContextNames& contexts,
                                                        const Frame& frame);

}  // namespace callcost
