/// @file call_graph.hpp
/// Functions and arcs under a selection: self and inclusive cost, callers and callees, cycles, roots,
/// filters, conservation. Every function here is pure; all orders end in a tie-break by name.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "callcost/error.hpp"
#include "callcost/event_type.hpp"
#include "callcost/profile.hpp"
#include "callcost/source.hpp"

namespace callcost {

enum class Contexts : std::uint8_t {
    keep,    ///< `f'2` and `f'caller` are functions of their own, as in the file
    levels,  ///< caller contexts are added to their function, or to its level of recursion
    fold,    ///< recursion levels, too (F72, Callgrind's files only)
};

/// What becomes of inlined code that is a function of its own (expand_inlined).
enum class Inlined : std::uint8_t {
    fold,     ///< wherever it is inlined, it counts for its function: a row for each function
    keep,     ///< every place where it is inlined is a function of its own, with a single caller
    in_host,  ///< it belongs to the function that it is in, as if nothing had been expanded
};

/// Which parts count. Empty lists choose everything; the lists are combined by "and".
struct Selection {
    std::vector<std::uint64_t> parts{};    ///< numbers of `part:`; a part without number is 1
    std::vector<std::uint64_t> threads{};  ///< numbers of `thread:`; without: 1
    std::vector<std::uint64_t> pids{};     ///< numbers of `pid:`; without: 0
    std::vector<std::uint64_t> rows{};     ///< of Profile::parts(), whatever their numbers are
    Contexts contexts = Contexts::fold;
    Inlined inlined = Inlined::fold;
};

/// The selected rows of Profile::parts(), in order.
[[nodiscard]] CALLCOST_API std::vector<PartId> selected_parts(const Profile& profile,
                                                              const Selection& selection);

/// A split function name: `name'2'caller` (F72).
struct ContextName {
    std::string_view name;
    std::uint64_t recursion = 0;  ///< 0 = not written; 2 and more
    std::string_view context;     ///< everything after the name, with its first quote; empty = none
    std::size_t callers = 0;      ///< how many the context names
};

struct NameContexts;
/// Splits names by F72: only in Callgrind's own files, and only where the pieces fit; otherwise the whole is
/// the name. The first one made for a profile looks at all its names.
class CALLCOST_API ContextNames {
  public:
    explicit ContextNames(const Profile& profile);
    [[nodiscard]] bool any() const { return known_ != nullptr; }  ///< false: split changes nothing
    [[nodiscard]] ContextName split(FunctionId function) const;

  private:
    Profile profile_;
    std::shared_ptr<const NameContexts> known_;
};

/// The same for a single function.
[[nodiscard]] CALLCOST_API ContextName context_of(const Profile& profile, FunctionId function);

/// A cost that the profile may only bound: least <= estimate <= most.
struct BoundedCost {
    Cost estimate = 0, least = 0, most = 0;
    [[nodiscard]] bool is_exact() const { return least == most; }
    friend bool operator==(const BoundedCost&, const BoundedCost&) = default;
};

/// A part of a cost, as on one path: estimated, and between which bounds the true one lies if the profile is
/// consistent. Bounds are exact integers; INT64_MAX stands for anything from there on.
struct EstimatedCost {
    double estimate = 0;
    Cost least = 0;
    Cost most = 0;
    [[nodiscard]] bool certain() const { return least == most; }
};

/// The call graph: functions are nodes, rows in [0, size()), which are not those of the profile. Costs in and
/// out are those of the selected parts. Copies share the data and are cheap. Ids must be of this graph: they
/// are asserted if the library is built with CALLCOST_CHECKED, and not checked otherwise.
class CALLCOST_API CallGraph {
  public:
    struct Data;
    explicit CallGraph(std::shared_ptr<const Data> data) : data_(std::move(data)) {}  ///< for the library

    [[nodiscard]] const Profile& profile() const;
    [[nodiscard]] std::span<const PartId> parts() const;  ///< the selected ones
    [[nodiscard]] std::size_t size() const;               ///< functions
    [[nodiscard]] std::size_t arc_count() const;
    [[nodiscard]] std::size_t cycle_count() const;

    [[nodiscard]] std::string_view name(NodeId node) const;  ///< folded name if contexts are folded
    [[nodiscard]] std::string_view object(NodeId node) const;
    [[nodiscard]] std::string_view file(NodeId node) const;
    /// A function of the profile that this node stands for (itself unless contexts or inlined code are
    /// folded); one that is not inlined if there is any.
    [[nodiscard]] FunctionId function(NodeId node) const;
    [[nodiscard]] std::vector<FunctionId> functions(NodeId node) const;  ///< all of them
    /// The node that a function of the profile belongs to; invalid if no record of the selected parts is
    /// about it.
    [[nodiscard]] NodeId node_of(FunctionId function) const;

    [[nodiscard]] Cost total(const Measure& measure) const;              ///< F70
    [[nodiscard]] Cost self(NodeId node, const Measure& measure) const;  ///< F73
    /// Of that: in code that is inlined elsewhere.
    [[nodiscard]] Cost inlined_self(NodeId node, const Measure& measure) const;
    /// How often that code was entered, where it is known: an estimate (InlinedPlace::entries).
    [[nodiscard]] std::optional<std::uint64_t> entries(NodeId node) const;
    /// What was spent while the function was on the stack, each event once (F76). Exact for functions outside
    /// of cycles; for those in cycles where the profile separates recursion levels (F72), was made of
    /// recorded stacks, or has every single call (Xdebug). Else it is an estimate between bounds:
    /// inclusive_bounds() says which.
    [[nodiscard]] Cost inclusive(NodeId node, const Measure& measure) const;
    [[nodiscard]] BoundedCost inclusive_bounds(NodeId node, const Measure& measure) const;
    /// How much of the inclusive cost was spent in callees that the file does not record: Callgrind loses
    /// arcs, but the callers' costs include them (F76 a). 0 in files of other producers and for members of
    /// cycles.
    [[nodiscard]] Cost unrecorded_callees(NodeId node, const Measure& measure) const;
    /// The same where it was spent in no function, as the `summary:` tells: Callgrind counts a few events for
    /// calls and for the run only (F70). The total does not have them.
    [[nodiscard]] Cost unattributed(NodeId node, const Measure& measure) const;
    /// All arcs that end here, recursive ones too. Inlined calls are not counted; where there are no others
    /// it is not known.
    [[nodiscard]] CallCount call_count(NodeId node) const;
    [[nodiscard]] CycleId cycle(NodeId node) const;  ///< invalid if in none

    [[nodiscard]] std::span<const ArcId> callees(
        NodeId node) const;  ///< arcs out, by callee in no special order
    [[nodiscard]] std::span<const ArcId> callers(NodeId node) const;  ///< arcs in
    [[nodiscard]] NodeId caller(ArcId arc) const;
    [[nodiscard]] NodeId callee(ArcId arc) const;
    [[nodiscard]] CallCount count(ArcId arc) const;  ///< those recorded; not known if inlined()
    [[nodiscard]] bool inlined(ArcId arc) const;     ///< it stands for inlined code only, for no calls
    [[nodiscard]] Cost cost(ArcId arc, const Measure& measure) const;
    /// Inside a cycle, or from a function to itself.
    [[nodiscard]] bool recursive(ArcId arc) const;
    /// Recursive, and the calls may be nested in each other: then the cost of the inner ones is counted again
    /// in that of the outer ones, and the arc's cost is no share of the total (F76).
    [[nodiscard]] bool counted_again(ArcId arc) const;

    [[nodiscard]] std::span<const NodeId> members(CycleId cycle) const;  ///< by name
    [[nodiscard]] Cost self(CycleId cycle, const Measure& measure) const;
    [[nodiscard]] Cost inclusive(CycleId cycle, const Measure& measure) const;  ///< F76 (b)
    [[nodiscard]] CallCount call_count(CycleId cycle) const;                    ///< arcs that enter it

  private:
    friend struct CallGraphAccess;  // the library's own analyses
    std::shared_ptr<const Data> data_;
};

/// Errors: needs_detail if the selection leaves parts out and the profile has no detail; bad_argument if the
/// selection matches no part (`detail` lists the available ones). `run_all`, if there is one, gets two tasks.
[[nodiscard]] CALLCOST_API Result<CallGraph> call_graph(const Profile& profile,
                                                        const Selection& selection = {},
                                                        const RunAll& run_all = {});

enum class SortBy : std::uint8_t { self, inclusive, called, name };

/// By node: least <= estimate <= most.
struct BoundedCosts {
    std::vector<Cost> estimate, least, most;

    [[nodiscard]] BoundedCost operator[](std::size_t row) const {
        return {estimate[row], least[row], most[row]};
    }
};
/// CallGraph::inclusive_bounds of all functions; takes no longer than for a few of them.
[[nodiscard]] CALLCOST_API BoundedCosts inclusive_bounds(const CallGraph& graph, const Measure& measure);

struct FunctionsOptions {
    std::optional<Measure> measure{};  ///< empty: default_measure()
    SortBy by = SortBy::self;
    std::size_t limit = std::numeric_limits<std::size_t>::max();
    double threshold = 0;  ///< leave out rows whose shown cost is below this share (0..1) of the total
    /// Between 0 and 1. Sorted by self cost: only the most expensive rows that make up this share of the
    /// total together. Sorted by inclusive cost: rows whose inclusive cost is at least (1 - coverage) x
    /// total. Not for rows by call count or name.
    double coverage = 1;
    /// Where costs are negative, as in differences: the largest changes first, whatever their sign, and
    /// coverage is a share of the sum of all absolute self costs.
    bool by_magnitude = false;
    /// Only functions for which it is true; empty: all. The others are left out, and their cost with them.
    std::function<bool(NodeId)> where{};
    const BoundedCosts *self = nullptr, *inclusive = nullptr;  ///< taken instead of those of the graph
};

/// A row of the function list; costs of other measures: ask the graph.
struct FunctionRow {
    NodeId node;
    Cost self = 0;
    Cost inclusive = 0;  ///< CallGraph::inclusive_bounds() says whether it is exact
    Cost inlined = 0;    ///< CallGraph::inlined_self()
};

/// The chosen rows; `omitted_rows` others have `omitted_self` together, so that the sum is the total (promise
/// 4).
struct FunctionList {
    std::vector<FunctionRow> rows;
    std::size_t omitted_rows = 0;
    Cost omitted_self = 0;
    Cost total = 0;
};
[[nodiscard]] CALLCOST_API FunctionList functions(const CallGraph& graph,
                                                  const FunctionsOptions& options = {});

/// The identity of a function, and the tie-break of all orders of rows: by name, then object, then file, as
/// bytes (promise 7).
struct FunctionNames {
    std::string_view name, object, file;
    friend bool operator==(const FunctionNames&, const FunctionNames&) = default;
    friend bool operator<(const FunctionNames& a, const FunctionNames& b) {
        return std::tie(a.name, a.object, a.file) < std::tie(b.name, b.object, b.file);
    }
};
[[nodiscard]] CALLCOST_API FunctionNames names_of(const CallGraph& graph, NodeId node);

/// Which name of a function a pattern is about.
enum class NameScope : std::uint8_t { function, file, object, any };

/// A pattern for names of functions. Cheap to copy.
class CALLCOST_API NamePattern {
  public:
    using Matcher = std::function<bool(std::string_view name)>;
    /// Makes a matcher that searches a name for a regular expression, or returns what is wrong with it.
    using Compile = std::function<tl::expected<Matcher, std::string>(std::string_view expression)>;

    /// `text`: part of a name, or `/expression/`; `function:`, `file:` or `object:` before it if it is
    /// about that name, `usual` if not. The error is in words.
    [[nodiscard]] static tl::expected<NamePattern, std::string> parse(std::string_view text, NameScope usual,
                                                                      const Compile& compile);
    [[nodiscard]] bool matches(const FunctionNames& names) const;

  private:
    NameScope scope_ = NameScope::any;
    Matcher matches_;
};

/// Filters. An empty predicate filters nothing.
struct Filters {
    using Predicate = std::function<bool(NodeId)>;
    Predicate focus{};   ///< only what is spent in these functions and in what they call
    Predicate ignore{};  ///< nothing of what is spent in these functions and in what they call
    Predicate show{};    ///< list only these functions, at the cost they have
    Predicate hide{};    ///< do not list these
};

/// How much of a cost the filters keep. A profile says who calls whom, not which chain of calls a cost was
/// spent in: it is `some` if a function is called from within and from without.
enum class Kept : std::uint8_t { nothing, some, everything };

struct FilterResult {
    std::vector<Kept> self;       ///< by node, before `show` and `hide`
    std::vector<Kept> inclusive;  ///< the same
    std::vector<bool> listed;     ///< by node: some self cost is kept, and it is to be shown
    /// Between these is the self cost of the listed functions that the filters keep: what is kept whole, and
    /// all of it; narrower where inclusive costs tell more (`focus` on one function is exact).
    Cost least = 0, most = 0;
};
/// Takes linear time. Exact as far as the recorded arcs are: a function that costs more than its recorded
/// callers account for counts as called from without, too.
[[nodiscard]] CALLCOST_API FilterResult filter(const CallGraph& graph, const Filters& filters,
                                               const Measure& measure);

/// CallGraph::unrecorded_callees of all functions, by node; takes no longer than for a few of them.
[[nodiscard]] CALLCOST_API std::vector<Cost> unrecorded_callees(const CallGraph& graph,
                                                                const Measure& measure);

/// As default_measure(profile), by the totals of the selected parts.
[[nodiscard]] CALLCOST_API Measure default_measure(const CallGraph& graph);

/// What is 100%: the total, and where that is 0 the `summary:`, the `totals:` or the largest inclusive cost
/// (F70). 0 if all of them are, and for measures that are not additive (F78).
[[nodiscard]] CALLCOST_API Cost percentage_base(const CallGraph& graph, const Measure& measure);

/// A function that costs more than its recorded callers account for: where execution enters (F77). A cycle is
/// taken as a whole; `node` is then the member with the most cost that its own callers do not account for.
struct Root {
    NodeId node;
    Cost weight = 0;
};
[[nodiscard]] CALLCOST_API std::vector<Root> roots(const CallGraph& graph, const Measure& measure);

/// Whether every cost by this measure that callers recorded was spent (F76 a): in Callgrind's own files, for
/// sums without negative costs. Inclusive costs follow the callers there.
[[nodiscard]] CALLCOST_API bool conserves_costs(const CallGraph& graph, const Measure& measure);

/// F75 for one function: with complete data self + out = in unless it is a root or in a cycle.
struct Conservation {
    Cost self = 0;
    Cost in = 0;                                                      ///< arcs from other functions
    Cost out = 0;                                                     ///< arcs to other functions
    [[nodiscard]] Cost imbalance() const { return self + out - in; }  ///< modulo 2^64 (F82)
};
[[nodiscard]] CALLCOST_API Conservation conservation(const CallGraph& graph, NodeId node,
                                                     const Measure& measure);
[[nodiscard]] CALLCOST_API Conservation conservation(const CallGraph& graph, CycleId cycle,
                                                     const Measure& measure);

/// Problems that only the analyses can find: `inclusive-exceeds-total`, `counters-zeroed` (F76),
/// `non-additive-column` (F78).
[[nodiscard]] CALLCOST_API std::vector<Diagnostic> analysis_diagnostics(const CallGraph& graph);

}  // namespace callcost
