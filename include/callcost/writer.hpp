/// @file writer.hpp
/// Writes files in the Callgrind format that every known reader accepts (docs/format.md, W-rules). For
/// measurement tools: a Writer takes measurements function by function, keeps the order rules, numbers the
/// names, and needs memory for the names only. For profiles that were read: write_profile.
///
///     std::string bytes;
///     callcost::Writer writer(callcost::to_memory(bytes), {.creator = "mytool-1.0"});
///     const auto file = writer.file("soup.c");
///     const auto cook = writer.function({}, file, "main"), chop = writer.function({}, file, "chop");
///     const callcost::EventType events[] = {{.name = "Ir", .long_name = "Instructions"}};
///     const Cost self[] = {20}, calls[] = {100};
///     writer.begin_part({.command = "./soup", .events = events});
///     writer.begin_function(cook);
///     writer.cost({.line = 10}, self);
///     writer.call({.place = {.line = 12}, .callee = chop, .count = 4}, calls);
///     writer.begin_function(chop);
///     writer.cost({.line = 30}, calls);
///     if (const auto done = writer.finish(); !done) std::cerr << done.error() << '\n';
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "callcost/error.hpp"
#include "callcost/event_type.hpp"
#include "callcost/profile.hpp"
#include "callcost/source.hpp"

namespace callcost {

/// Which readers the file must suit.
enum class FileDialect : std::uint8_t {
    portable,    ///< every known reader: one part, no addresses, no jumps, no unknown call counts
    compact,     ///< as Callgrind writes: smallest, and nothing is lost
    strict,      ///< the grammar of the published specification and nothing else
    cachegrind,  ///< for cg_annotate, cg_diff and cg_merge: lines of functions, no calls
};
[[nodiscard]] CALLCOST_API std::string_view to_string(FileDialect dialect);

/// Counts of what the dialect cannot express. Jumps, addresses and objects are dropped without a note in the
/// file.
struct LeftOut {
    std::uint64_t calls = 0;           ///< cachegrind
    std::uint64_t jumps = 0;           ///< all but compact
    std::uint64_t addresses = 0;       ///< records with one; portable, cachegrind
    std::uint64_t objects = 0;         ///< functions with one; cachegrind
    std::uint64_t formulas = 0;        ///< with `-`: portable, strict; all of them: cachegrind
    std::uint64_t negative_costs = 0;  ///< not left out, but some readers take them for 0 (W13)
    std::uint64_t changed_names = 0;   ///< control characters spelt out, outer blanks dropped (W7)
    std::uint64_t unknown_counts = 0;  ///< calls of an unknown number, written as 1 (W11)
    std::uint64_t summaries = 0;       ///< parts whose `summary:` is not the sum; portable (W5)
};

struct WriterOptions {
    FileDialect dialect = FileDialect::portable;
    /// `creator:`; empty: "callcost-VERSION". Not "callgrind-...": readers would assume Callgrind's habits
    /// (W1, F20).
    std::string creator{};
    /// Write a file without calls where the dialect has none; else the first call is an error.
    bool without_calls = false;
    /// An unknown number of calls is written as 1, for readers that take the cost of `calls=0` for self cost
    /// (W11). Empty: in the portable dialect. If true, a `desc:` line says so.
    std::optional<bool> unknown_count_as_one{};
};

/// The header of a part. Views must be valid until begin_part returns.
struct PartHeading {
    std::string_view command{};  ///< `cmd:`; empty: "unknown"
    std::string_view creator{};  ///< empty: that of the WriterOptions
    std::optional<std::uint64_t> pid{}, part{}, thread{};
    std::span<const std::string> descriptions{};  ///< `desc:` lines
    bool addresses = false;                       ///< records have instruction addresses
    std::span<const EventType> events{};          ///< names, long names; at least one
    std::span<const EventFormula> formulas{};     ///< F69
    /// `summary:`, a number per event: only if the run's whole cost is known and is not the sum (W5).
    std::span<const Cost> summary{};
};

/// Writes a file from front to back. Errors need to be checked only once, in the Result of finish(). A
/// misused step returns an Error (`bad_argument`, `detail` says what is wrong) and writes nothing; later
/// steps go on, and finish() returns the first such Error. An Error of the Sink ends the writing: all later
/// steps return it.
class CALLCOST_API Writer {
  public:
    using Object = Id<struct WrittenObjectTag>;      ///< default: unknown
    using File = Id<struct WrittenFileTag>;          ///< default: unknown; in a Place: the function's
    using Function = Id<struct WrittenFunctionTag>;  ///< default: none

    struct Place {
        File file{};                ///< where the line is, if not in the function's file: inlined code
        std::uint64_t address = 0;  ///< 0 = unknown
        std::uint64_t line = 0;     ///< 0 = unknown
    };
    struct Call {
        Place place{};  ///< where it is called
        Function callee{};
        std::uint64_t count = 1;  ///< 0 = unknown
        std::uint64_t target_address = 0, target_line = 0;
    };
    struct Jump {
        Place place{};
        bool conditional = false;
        std::uint64_t executed = 0;
        std::uint64_t followed = 0;  ///< conditional ones
        File target_file{};          ///< default: the function's
        Function target_function{};  ///< default: the same
        std::uint64_t target_address = 0, target_line = 0;
    };

    explicit Writer(Sink sink, WriterOptions options = {});
    Writer(Writer&&) noexcept;
    Writer& operator=(Writer&&) noexcept;
    ~Writer();  ///< writes nothing more: a Writer that was not finished leaves a truncated file

    /// Names, at any time; equal names are the same. The bytes are kept. Ids belong to the Writer that gave
    /// them: another one rejects numbers that it has not given itself (function() then returns none), but
    /// cannot tell equal numbers apart.
    [[nodiscard]] Object object(std::string_view name);
    [[nodiscard]] File file(std::string_view name);
    [[nodiscard]] Function function(Object object, File file, std::string_view name);

    /// Ends the part before. Errors: a second part where the dialect has one only, no events, names of events
    /// that the dialect cannot write.
    Result<void> begin_part(const PartHeading& heading);
    /// What follows belongs to this function. A function may be begun many times; without records it is left
    /// out.
    Result<void> begin_function(Function function);
    /// What follows is code of this function that was inlined in the one begun; without a name it is its own
    /// again. Only the compact dialect says so, in lines that other readers skip (F89).
    Result<void> begin_inlined(std::string_view name, File file = {});
    /// Self cost, by the events of the part; missing ones are 0.
    Result<void> cost(const Place& place, std::span<const Cost> costs);
    /// Calls and their inclusive cost.
    Result<void> call(const Call& call, std::span<const Cost> costs);
    Result<void> jump(const Jump& jump);
    /// Ends the file. Errors: of the Sink; the first misuse, though the file is complete but for the rejected
    /// steps; no part was begun.
    [[nodiscard]] Result<void> finish();

    /// Counted so far.
    [[nodiscard]] const LeftOut& left_out() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The function that replaces dropped functions.
constexpr std::string_view filtered_name = "(filtered)";

struct ProfileWriteOptions {
    FileDialect dialect = FileDialect::portable;
    std::span<const PartId> parts{};  ///< only these; empty: all
    /// Only what these functions spend and call; parts are added up. What they call is only called: its own
    /// cost is not in the file. Empty: all.
    std::function<bool(FunctionId)> where{};
    /// Sorted and added up, without what only tells one run from another (process, parts, time ranges):
    /// profiles of equal meaning become equal files.
    bool canonical = false;
    /// Only what functions spend and call, without lines, addresses and jumps; parts are added up. A tenth of
    /// the size or less, for comparisons of functions.
    bool without_lines = false;
    bool without_calls = false;  ///< as WriterOptions
    /// As WriterOptions; a `desc:` line says so where there are such calls.
    std::optional<bool> unknown_count_as_one{};
};

/// Writes a profile. The compact dialect keeps its parts; the others add them up. The portable dialect has
/// the sum as `summary:`; the others keep that of a part. Records keep their order, unless parts are added
/// up. Inlined code is in the functions that it is from, and a `desc:` line says so; in the compact dialect,
/// what is known from `cfni=` (F89) is written as such. Errors: needs_detail; bad_argument where the dialect
/// cannot express the profile (`detail` says why); too_large as ProfileMerger; those of the Sink.
[[nodiscard]] CALLCOST_API Result<LeftOut> write_profile(const Profile& profile, const Sink& sink,
                                                         const ProfileWriteOptions& options = {});

/// New names for old ones; an empty function changes nothing. For the names of functions and files (F71); the
/// names of callers and recursion levels in a context are part of the function's (F72).
struct Renaming {
    std::function<std::string(std::string_view)> function{}, file{};
};

/// Adds profiles up, in any order with the same result: a canonical profile of one part. Event types are
/// united by name; minima and maxima are kept as such, ratios and snapshots are left out (F78).
class CALLCOST_API ProfileMerger {
  public:
    explicit ProfileMerger(Renaming renaming = {});
    ProfileMerger(ProfileMerger&&) noexcept;
    ProfileMerger& operator=(ProfileMerger&&) noexcept;
    ~ProfileMerger();

    /// Keeps no more than the sums of what was added, and of profiles that are in none yet the profiles.
    /// Only these parts; none named: all. Errors: needs_detail, after which adding may go on; too_large for
    /// more than 64 event types in lists that differ, which ends it.
    Result<void> add(const Profile& profile, std::span<const PartId> parts = {});
    /// The sum; bad_argument if nothing was added, or nothing that can be combined. Afterwards the merger may
    /// only be destroyed.
    [[nodiscard]] Result<Profile> finish() &&;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The profile with all dropped functions as a single one, "(filtered)": their self cost is its self cost,
/// calls among them are left out, and all other calls are kept, so that nothing is estimated and the total
/// stays. Parts are added up. Errors: as ProfileMerger::add.
[[nodiscard]] CALLCOST_API Result<Profile> without_functions(const Profile& profile,
                                                             const std::function<bool(FunctionId)>& dropped,
                                                             std::span<const PartId> parts = {});

/// The profile with other names of functions, by FunctionId; an empty one changes nothing. Functions that are
/// the same then (F71) are one. All else stays: parts, files, records. Errors: bad_argument if there is not a
/// name for each, or inlined code is there by expand_inlined().
[[nodiscard]] CALLCOST_API Result<Profile> rename_functions(const Profile& profile,
                                                            std::span<const std::string> names);

struct ChargedProfile {
    Profile profile;
    std::uint64_t not_charged = 0;  ///< dropped functions that lead to too many kept ones
};

/// The same, but what the dropped functions cost is charged to their callers, as self cost at the place of
/// the call; the kept functions that they lead to are called from there, an unknown number of times. An
/// estimate in proportion to the arcs recorded, and a `desc:` line says so; exact where each dropped function
/// is called from one place only. The cost of each call and the total are preserved; what no caller pays for
/// is that of
/// "(filtered)". Errors: as ProfileMerger::add, too_large for more than 64 event types.
[[nodiscard]] CALLCOST_API Result<ChargedProfile> charged_to_callers(
    const Profile& profile, const std::function<bool(FunctionId)>& dropped,
    std::span<const PartId> parts = {});

}  // namespace callcost
