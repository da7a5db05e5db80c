/// @file check.hpp
/// Whether a file is consistent, by the checks C1 to C22 of docs/checks.md, and whether other readers of the
/// format read it correctly. Include it if you write profiles or accept them from others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "callcost/call_graph.hpp"
#include "callcost/error.hpp"
#include "callcost/writer.hpp"

namespace callcost {

/// The checks of docs/checks.md, C1 to C22 in this order. Their names never change.
enum class CheckId : std::uint8_t {
    totals_are_sums,
    cachegrind_summary,
    ids_defined,
    ids_unique,
    summary_covers_totals,
    functions_balance,
    cycles_balance,
    arcs_within_callee,
    inclusive_within_total,
    has_root,
    counts_known,
    jumps_possible,
    costs_not_negative,
    positions_not_negative,
    callees_recorded,
    callees_match,
    columns_fit,
    targets_complete,
    names_clean,
    file_complete,
    parts_in_order,
    portable,
};
constexpr std::size_t check_count = static_cast<std::size_t>(CheckId::portable) + 1;

struct CheckKind {
    std::string_view number;  ///< "C1"
    std::string_view name;    ///< kebab-case
    std::string_view rules;   ///< of docs/format.md, such as "F26, F70"
};
[[nodiscard]] CALLCOST_API const CheckKind& kind_of(CheckId id);

enum class Verdict : std::uint8_t {
    holds,
    not_applicable,  ///< the file has nothing to check
    expected,        ///< broken, as in valid files of its producer
    broken,
};

/// One violation. What is not known or has no meaning is empty or 0.
struct Breach {
    Place place;
    std::string subject;  ///< a function, cycle, arc or part, by name: may hold any bytes
    std::string event;    ///< the cost column
    Cost stated = 0;      ///< what the file says in one place: a total, the cost of calls
    Cost found = 0;       ///< what it adds up to elsewhere; both 0 if the check compares nothing
};

struct Check {
    CheckId id{};
    Verdict verdict = Verdict::not_applicable;
    std::uint64_t count = 0;         ///< violations
    std::vector<Breach> breaches{};  ///< the first ten
    /// The severity of diagnostics that tell all of it; empty if none do.
    std::optional<Severity> reported_as{};
};
/// note if expected, and for `portable` always; error for C1 to C4; else warning.
[[nodiscard]] CALLCOST_API Severity severity_of(const Check& check);

/// A property of a file that some reader does not support.
enum class Trait : std::uint8_t {
    // how it is written
    tab,
    late_header,
    early_summary,
    late_marker,
    id_defined_again,
    id_undefined,
    id_undefined_in_part,
    huge_id,
    late_callee_place,
    cost_after_object,
    file_before_function,
    split_call,
    trailing_blank,
    indented_line,
    hex_position,
    shifted_positions,
    padded_name,
    missing_costs,
    costless_line,
    jump,
    second_events_line,
    unknown_calls_with_cost,
    unknown_call_count,
    impossible_jump,
    control_byte,
    inlined_code,
    cfl_key,
    address_column,
    block_column,
    compressed,
    hex_cost,
    hex_count,
    hex_difference,
    hex_second_position,
    late_addresses,
    call_without_cost,
    undefined_functions,
    no_file,
    part_without_events,
    early_relative,
    odd_header,
    spaced_events,
    // what it holds
    several_parts,
    nul_byte,
    call_without_callee,
    surplus_costs,
    unknown_line,
    negative_cost,
    functions_without_file,
    linked_callee,
    cycle,
    equal_names,
    no_total,
    other_summary,
    newer_version,
    rcalls,
    callee_without_calls,
    cost_before_function,
    event_twice,
    no_root,
    recursion,
    inlined_function,
};
constexpr std::size_t trait_count = static_cast<std::size_t>(Trait::inlined_function) + 1;
[[nodiscard]] CALLCOST_API std::string_view to_string(Trait trait);  ///< kebab-case

struct TraitUse {
    std::uint64_t count = 0;
    Place first;
};

/// What a Profile does not keep of how the file is written: names defined twice, the order of header lines,
/// blanks, relative positions. Reads the same bytes as the reader does; takes memory for the ids.
class CALLCOST_API Spelling {
  public:
    explicit Spelling(std::uint32_t source = 0);  ///< index for the places
    Spelling(Spelling&&) noexcept;
    Spelling& operator=(Spelling&&) noexcept;
    ~Spelling();

    void take(std::span<const char> bytes);  ///< the file from its beginning, in pieces of any size
    void finish();                           ///< it has ended
    void note_compressed();                  ///< the bytes come out of a compressed file

    [[nodiscard]] const TraitUse& operator[](Trait trait) const;
    [[nodiscard]] std::span<const Place> totals_lines() const;   ///< with a value
    [[nodiscard]] std::span<const Place> summary_lines() const;  ///< with a value
    [[nodiscard]] bool ends_with_summary() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Current versions: KCachegrind 0.8 and later, callgrind_annotate 3.16 and later.
enum class Reader : std::uint8_t { kcachegrind, callgrind_annotate, speedscope };
[[nodiscard]] CALLCOST_API std::string_view to_string(Reader reader);

enum class Effect : std::uint8_t {
    differs,  ///< all self costs are there; rows, names, places, percentages or inclusive costs are not right
    wrong,    ///< self costs or totals are wrong or missing
    refuses,  ///< it stops, crashes or hangs
};

struct Hindrance {
    Trait trait{};
    Effect effect{};
    std::uint64_t count = 0;
    Place first;
};
struct ReaderReport {
    Reader reader{};
    std::vector<Hindrance> hindrances;  ///< worst first; none: it reads the file correctly
};

struct FileReport {
    std::string_view producer;       ///< its name; empty if it is not known
    bool producer_is_guess = false;  ///< by the name of an event type: no check expects its habits
    std::vector<Check> checks;       ///< all of them, in order
    std::vector<ReaderReport> readers;
};
/// Checks a whole profile. `diagnostics`: those of reading, of formulas and of analysis_diagnostics();
/// `spellings`: one per source of the profile.
[[nodiscard]] CALLCOST_API FileReport check_profile(const CallGraph& graph,
                                                    std::span<const Diagnostic> diagnostics,
                                                    std::span<const Spelling> spellings);

/// The problems that readers still have when the selected parts are written in the portable dialect: those
/// that check_profile would report of that file. `left_out`: by the Writer of it.
[[nodiscard]] CALLCOST_API std::vector<ReaderReport> readers_of_portable(const CallGraph& graph,
                                                                         const LeftOut& left_out);

}  // namespace callcost
