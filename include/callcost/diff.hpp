/// @file diff.hpp
/// What changed between two profiles: which functions match, and what each function, call arc and source line
/// cost before and after. Include it to compare runs, builds or branches.
///
/// Functions are matched tier by tier; a match states its tier, so that users can judge it. A function is the
/// same if object, file and name are, where the object's version and the directory that was built in do not
/// count; else if its name is the same but for what compilers add (clones, hashes, numbers of lambdas); else,
/// if the options allow it, if callers and callees are the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "callcost/call_graph.hpp"
#include "callcost/error.hpp"
#include "callcost/groups.hpp"

namespace callcost {

/// The basis of a match, most reliable first.
enum class MatchTier : std::uint8_t {
    exact,      ///< object, file and name
    path,       ///< object and name, and as much of the path as can be
    canonical,  ///< the name without what compilers and linkers add
    ordinal,    ///< one of several functions that only a number tells apart, in their order
    group,      ///< all of several such functions together: they cannot be told apart
    signature,  ///< "renamed?": the only one of its name with other parameters or template arguments
    anchors,    ///< "renamed?": it is called by and calls the same functions
    unmatched,  ///< only in one of the profiles
};
[[nodiscard]] CALLCOST_API std::string_view to_string(MatchTier tier);

/// Which tiers are tried.
enum class MatchMode : std::uint8_t {
    exact,      ///< exact only
    canonical,  ///< up to `group`
    fuzzy,      ///< all
};

struct DiffOptions {
    MatchMode match = MatchMode::fuzzy;
    /// Prefixes of paths in the old profile, and what they are in the new one.
    std::vector<std::pair<std::string, std::string>> path_prefixes{};
    /// Rewrites names of functions and files of both before they are compared; empty: as they are.
    std::function<std::string(std::string_view)> function_name{}, file_name{};
    /// What costs are compared by: a name or a formula, as for find_measure. Empty: the default of the
    /// new profile.
    std::optional<std::string> measure{};
};

/// A cost in the old profile and in the new one; 0 where there is none.
struct Change {
    Cost before = 0, after = 0;
    /// Modulo 2^64, as all costs (F82).
    [[nodiscard]] Cost delta() const { return after - before; }
    /// The absolute value of the change.
    [[nodiscard]] std::uint64_t magnitude() const { return delta().magnitude(); }
    /// The cost before or the one after, whichever has the larger absolute value.
    [[nodiscard]] std::uint64_t largest() const { return std::max(before.magnitude(), after.magnitude()); }
    friend bool operator==(const Change&, const Change&) = default;
};

/// Why an inclusive cost changed. The two add up to its delta.
struct ChangeReason {
    Cost by_count = 0;  ///< more or fewer calls, at the cost that a call had before
    Cost by_cost = 0;   ///< more or less expensive calls, as many as there are after
};

/// How many callees and callers the two sides have in common, of all that either side has.
struct Anchors {
    std::uint32_t common = 0, all = 0;
};

using MatchId = Id<struct MatchTag>;  ///< a row of Diff::functions()

/// A function of both profiles, or of one.
struct FunctionMatch {
    MatchId id;  ///< its row in Diff::functions(), of which it may be a copy
    MatchTier tier = MatchTier::unmatched;
    std::vector<NodeId> before, after;  ///< one each, but in a `group`; none in a profile without it
    /// Of an `anchors` match: from 0 to 1, and what that is from.
    double likeness = 1;
    Anchors callees{}, callers{};

    [[nodiscard]] bool is_added() const { return before.empty(); }
    [[nodiscard]] bool is_removed() const { return after.empty(); }
    [[nodiscard]] bool is_renamed() const {
        return tier == MatchTier::signature || tier == MatchTier::anchors;
    }
};

/// Calls of one function by another, in both profiles or in one. Inside a group they are added up. Lives as
/// long as the Diff.
struct ArcMatch {
    MatchId caller, callee;
    std::span<const ArcId> before, after;
};

/// A function that is no longer called, and callers whose self cost grew by its cost: a guess, where debug
/// information does not tell what is inlined.
struct Inlining {
    MatchId function;              ///< unmatched
    std::vector<MatchId> callers;  ///< into which it was inlined or, the other way round, out of which
    std::vector<Cost> costs;       ///< of each: cost of its calls of the function, on the side that has it
    bool is_outlined = false;      ///< the other way round
    /// Source lines of the function are in a caller, where it is not a function of its own. False, too, if
    /// that is not known: Diff::inlinings() cannot tell without Detail::full.
    bool has_lines = false;
    /// Self cost of the function, the callers, and whatever else was inlined into these: the net change.
    Change together;
};

/// What changed in a source file or an object: the self cost of the functions that are defined in it.
struct PlaceChange {
    std::string_view name;  ///< after; before if it is not there any more
    Change self;
};

/// Which line of a source text is which line of another version of it. Both are by number, from 1 on.
struct LineMatch {
    /// Instead of a number: the line is empty, so nothing can have a cost there.
    static constexpr std::uint32_t blank = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> before;  ///< by line after: the line before; 0: there was none
    std::vector<std::uint32_t> after;   ///< by line before: the line after; 0: it was removed
};

/// Matches lines of equal text, but for white space: first in their order, then blocks that were moved. The
/// texts have less than 2^32 - 1 lines. Takes about linear time.
[[nodiscard]] CALLCOST_API LineMatch match_lines(std::string_view before, std::string_view after);

/// The lines of a file of the old profile and of one of the new, by their names there; nullptr: the texts are
/// not known.
using LineMatchOf = std::function<const LineMatch*(std::string_view before, std::string_view after)>;

/// A source line of a function, and its self cost.
struct LineChange {
    enum class By : std::uint8_t {
        guess,  ///< matched by order and cost; 0 = no line with a cost was found, or no line is known (F79)
        text,   ///< matched by the texts; 0 = that text has no such line
    };
    std::string_view file;  ///< after; before if it is only there
    std::uint64_t before = 0, after = 0;
    Change self;
    By by = By::guess;
    std::string_view file_before{};  ///< if it is called otherwise there; else empty
};

/// A comparison. It holds both call graphs.
class CALLCOST_API Diff {
  public:
    struct Data;
    explicit Diff(std::shared_ptr<const Data> data) : data_(std::move(data)) {}  ///< for the library

    [[nodiscard]] const CallGraph& before() const;
    [[nodiscard]] const CallGraph& after() const;
    /// False if one is Cachegrind's, without calls: no arcs, no counts, and inclusive cost is self cost.
    [[nodiscard]] bool compares_calls() const;
    [[nodiscard]] const Measure& measure_before() const;  ///< what they are compared by
    [[nodiscard]] const Measure& measure_after() const;

    /// By name, object and file of the function after or, if there is none, before.
    [[nodiscard]] std::span<const FunctionMatch> functions() const;
    [[nodiscard]] const FunctionMatch& function(MatchId id) const;
    [[nodiscard]] std::span<const ArcMatch> arcs() const;       ///< by caller, then callee
    [[nodiscard]] std::span<const Inlining> inlinings() const;  ///< the greatest first

    /// Of the function after or, if there is none, before.
    [[nodiscard]] std::string_view name(const FunctionMatch& function) const;
    [[nodiscard]] std::string_view file(const FunctionMatch& function) const;
    [[nodiscard]] std::string_view object(const FunctionMatch& function) const;

    [[nodiscard]] Change total() const;
    [[nodiscard]] Change self(const FunctionMatch& function) const;
    /// Of that: in code that is inlined elsewhere, where debug information tells (expand_inlined).
    [[nodiscard]] Change inlined_self(const FunctionMatch& function) const;
    /// How often that code was entered: an estimate (CallGraph::entries).
    [[nodiscard]] std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>> entries(
        const FunctionMatch& function) const;
    /// Of a group the greatest, not the sum.
    [[nodiscard]] Change inclusive(const FunctionMatch& function) const;
    /// The same by another event type; the measures are those of the old and the new profile.
    [[nodiscard]] Change self(const FunctionMatch& function, const Measure& before,
                              const Measure& after) const;
    [[nodiscard]] Change inclusive(const FunctionMatch& function, const Measure& before,
                                   const Measure& after) const;
    /// Old and new: whether they are exact (CallGraph::inclusive_bounds).
    [[nodiscard]] std::pair<BoundedCost, BoundedCost> inclusive_bounds(const FunctionMatch& function) const;
    [[nodiscard]] std::pair<BoundedCost, BoundedCost> inclusive_bounds(const FunctionMatch& function,
                                                                       const Measure& before,
                                                                       const Measure& after) const;
    [[nodiscard]] Change cost(const ArcMatch& arc) const;
    /// Code that is inlined is not called, so there may be more if there is any.
    [[nodiscard]] std::pair<CallCount, CallCount> call_count(const FunctionMatch& function) const;
    [[nodiscard]] std::pair<CallCount, CallCount> count(const ArcMatch& arc) const;

  private:
    std::shared_ptr<const Data> data_;
};

/// Compares; takes about linear time. Errors: those of find_measure, if a profile has no such measure.
[[nodiscard]] CALLCOST_API Result<Diff> diff(const CallGraph& before, const CallGraph& after,
                                             const DiffOptions& options = {});

/// Nothing if the call counts are not known exactly, there were none before, or the cost of a call is not the
/// same enough on both sides: what more or fewer calls cost would differ by more than half of the change.
[[nodiscard]] CALLCOST_API std::optional<ChangeReason> reason(const Change& cost, const CallCount& before,
                                                              const CallCount& after);

/// Groups of groups() that only the old profile has, and what they are called in the new one: most of their
/// functions are in that group, and most of its functions come from there. The groups are those of all
/// functions.
[[nodiscard]] CALLCOST_API std::map<std::string, std::string> renamed_groups(const Diff& diff,
                                                                             std::span<const Group> before,
                                                                             std::span<const Group> after);

/// Where a function is, as a profile names it.
struct FunctionPlace {
    std::string_view object, file;
};

/// One name for each place of several versions of a program, wherever these were checked out, built and
/// installed: what diff() knows functions by, for those who have more than two profiles. The directories that
/// hold the same files, a version in their names or not, are one; so are two programs if each is the only
/// object that the other version does not have. What moved within a tree stays in two places.
class CALLCOST_API CommonPlaces {
  public:
    /// The number of the version, from 0 on. Its places are called as in the versions added before, so the
    /// newest comes first. Takes about linear time; each place should be given once.
    std::size_t add(std::span<const FunctionPlace> places);

    /// Equal for places that are the same. Not for people: without versions, directories of builds and such.
    [[nodiscard]] std::string object(std::size_t version, std::string_view object) const;
    [[nodiscard]] std::string file(std::size_t version, std::string_view file) const;

  private:
    using Names = std::pair<std::string, std::string>;
    struct Version {
        Names object;  ///< how it is called here, and in the versions before; empty: the same
        std::vector<Names> directories;    ///< the same of directories; the innermost first
        std::vector<std::string> objects;  ///< sorted
    };
    std::vector<Version> versions_;
    std::vector<Names> places_;  ///< object and file, of all versions; sorted
};

/// The command line of a part without what depends on where the program and its files are: directories, and
/// the version in the name of the program. Equal for commands that do the same.
[[nodiscard]] CALLCOST_API std::string common_command(const Part& part);

/// All files and all objects, by how much they changed, then by name.
[[nodiscard]] CALLCOST_API std::vector<PlaceChange> file_changes(const Diff& diff);
[[nodiscard]] CALLCOST_API std::vector<PlaceChange> object_changes(const Diff& diff);

/// An instruction of a listing: a row of code_listing(), and its text if a disassembler told it. Views of the
/// caller's.
struct CodeLine {
    std::uint64_t address = 0;  ///< in the profile
    std::string_view text;      ///< as objdump writes it: "call 1139 <f>"; empty: not known
    std::string_view file;      ///< where it is in the source; empty: not known
    std::uint64_t line = 0;
    bool has_cost = true;  ///< the profile has it; else only the program tells that there is one
};

/// Which instruction after is which instruction before.
struct CodeMatch {
    enum class By : std::uint8_t {
        nothing,    ///< it cannot be told: nothing is matched
        text,       ///< the same instructions in the same order, wherever they are now
        addresses,  ///< both sides are of one build: an instruction is where it was, executed or not
    };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    By by = By::nothing;
    std::vector<std::size_t> before;  ///< by row after: the row before, or none; ascending
};

/// Matches the instructions of a function in two builds by their text, where the addresses of what they jump
/// to, call or read do not count, but its name does, without what compilers add to it. If a side has no text
/// at all, by their addresses: only if nothing tells that the function was built anew, that is, addresses
/// with cost come from the same lines and, unless the program `is_one_file` that has not changed since both
/// were measured, are mostly the same. Takes about linear time.
[[nodiscard]] CALLCOST_API CodeMatch match_code(std::span<const CodeLine> before,
                                                std::span<const CodeLine> after, bool is_one_file = false);

/// By row of Profile::parts() after: the one before of the same number and thread; of several, in order.
[[nodiscard]] CALLCOST_API std::vector<std::optional<std::size_t>> match_parts(const Profile& before,
                                                                               const Profile& after);

/// The lines of a function with a cost, by file and line. Those of files whose texts `matches` knows are
/// matched by text, unless a line that has a cost is blank there or beyond the end: it is not the text that
/// was measured. Other lines are matched by their order and cost. Error: needs_detail.
[[nodiscard]] CALLCOST_API Result<std::vector<LineChange>> line_changes(const Diff& diff,
                                                                        const FunctionMatch& function,
                                                                        const LineMatchOf& matches = {});

}  // namespace callcost
