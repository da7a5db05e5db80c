/// @file error.hpp
/// Errors and diagnostics, as values: the library reports problems neither by exceptions nor on a stream. An
/// Error, in a Result, is why a function failed. A Diagnostic is a problem in a file that could be read: it
/// has a stable name, a severity, a count and the first places; docs/format.md explains each one. Both can be
/// printed: `std::cerr << result.error() << '\n'`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "callcost needs C++20: compile with -std=c++20"
#endif

#include <tl/expected.hpp>

/// Marks what a shared library exports; everything else is hidden.
#if defined(__GNUC__)
#define CALLCOST_API __attribute__((visibility("default")))
#else
#define CALLCOST_API
#endif

namespace callcost {

/// Why an operation failed as a whole. Problems that leave something readable are Diagnostics instead.
enum class ErrorCode : std::uint8_t {
    empty_file,             ///< 0 bytes, or only blanks and comments (F9)
    not_a_profile,          ///< the bytes are not in the Callgrind or Cachegrind format (F11)
    no_events,              ///< no `events:` line in the whole input (F14)
    cannot_open,            ///< the source could not be opened; `detail` is the system's reason
    read_failed,            ///< reading the source failed; `detail` is the system's reason
    truncated_compression,  ///< a compressed stream is truncated or corrupt; what was decoded came before
                            ///< (F85)
    cancelled,              ///< the progress callback asked to stop
    too_large,              ///< more than 2^32 functions, arcs or function blocks
    needs_detail,           ///< the analysis needs a profile that was read with Detail::full
    bad_formula,            ///< a formula that cannot be parsed; `column` is the place (F69)
    formula_cycle,          ///< a formula that refers to itself (F69)
    bad_argument,           ///< misuse, or not possible with this profile; `detail` says what
    unknown_event,          ///< an event type that the profile does not record; `detail` is its name
    nothing_selected,       ///< no part matches the Selection; `detail` lists the available parts
};

/// Its name, such as `not-a-profile`: stable, for logs and for programs; Error::message() is for people.
[[nodiscard]] CALLCOST_API std::string_view to_string(ErrorCode code);

/// Where and why. `line` and `column` count from 1, 0 means "no place"; `offset` counts bytes after
/// decompression. Names and reasons come from outside and may hold any bytes.
struct Error {
    ErrorCode code = ErrorCode::read_failed;
    std::uint64_t line = 0;
    std::uint64_t column = 0;
    std::uint64_t offset = 0;
    std::string detail{};  ///< a name, a path or the operating system's reason
    std::string source{};  ///< name of the Source; of diff(): "old profile", "new profile"; else empty
    std::string advice{};  ///< what to do in this case, such as the available names; hint() returns it

    /// What is wrong, with `detail`, as a phrase without full stop: "cannot be opened: Permission denied".
    [[nodiscard]] CALLCOST_API std::string message() const;
    /// What to do about it, or the likely cause: `advice`, else the hint for the code; may be empty. A view
    /// of this Error or of static text.
    [[nodiscard]] CALLCOST_API std::string_view hint() const;
};

/// "callgrind.out.1:3:5: error: not a profile ... [not-a-profile]", without unknown pieces; `advice` follows
/// in parentheses. One line, without control characters.
[[nodiscard]] CALLCOST_API std::string to_string(const Error& error);

/// The value or the Error.
template <class T>
using Result = tl::expected<T, Error>;

/// note: harmless, or a known habit of a producer. warning: outside the specification, read by a stated rule.
/// error: data were lost or their meaning was guessed.
enum class Severity : std::uint8_t { note, warning, error };

/// One value per row of the table "Diagnostics" in docs/format.md. The text form (`kebab-case`) never
/// changes.
enum class DiagnosticId : std::uint8_t {
    // errors
    unknown_line,
    cost_before_events,
    duplicate_event,
    unknown_position,
    unsupported_version,
    undefined_name_id,
    short_position,
    surplus_costs,
    number_overflow,
    bad_cost,
    bad_call_count,
    calls_without_cost_line,
    call_without_callee,
    formula_cycle,
    bad_formula,
    truncated_compression,
    read_failed,
    line_too_long,
    // warnings
    truncated_file,
    bad_number,
    inherited_columns,
    surplus_summary,
    unreadable_summary,
    totals_equals_sign,
    event_without_colon,
    event_redefined,
    odd_name_id,
    name_id_redefined,
    late_name_id,
    negative_position,
    minus_one_line,
    signed_cost,
    fractional_cost,
    cost_before_fn,
    inlined_before_fn,
    unspecified_function,
    call_without_calls,
    split_call,
    jcnd_order,
    jump_without_source,
    inclusive_exceeds_total,
    counters_zeroed,
    non_additive_column,
    // notes
    crlf,
    no_final_newline,
    nul_byte,
    non_utf8_name,
    bom,
    indented_line,
    no_costs,
    several_profiles,
    unreadable_totals,
    unknown_header,
    name_id_redefined_across_parts,  // text form: name-id-redefined
    name_padding,
    empty_name,
    nested_name_id,
    position_range,
    negative_cost,
    function_without_records,
    fi_without_fl,
    dangling_cfn,
    unknown_call_count,
    deprecated_rcalls,
    call_target_short,
    call_target_extra,
    callee_linked_by_name,
    jump_target_short,
    hidden_option_line,
    unknown_event_in_formula,
    call_tree_misfit,
};

/// The values of DiagnosticId are 0 up to, but not including, this number.
constexpr std::size_t diagnostic_id_count = static_cast<std::size_t>(DiagnosticId::call_tree_misfit) + 1;

/// The fixed facts about a DiagnosticId.
struct DiagnosticKind {
    std::string_view name;  ///< stable, kebab-case
    Severity severity;
    std::string_view rule;     ///< the rule of docs/format.md, such as "F31"
    std::string_view message;  ///< the problem, as a phrase without full stop
    std::string_view hint;     ///< what was done about it, or what to do; may be empty
};
[[nodiscard]] CALLCOST_API const DiagnosticKind& kind_of(DiagnosticId id);

/// All ids with this name (`name-id-redefined` has two); empty if there is none.
[[nodiscard]] CALLCOST_API std::vector<DiagnosticId> diagnostic_ids(std::string_view name);
[[nodiscard]] CALLCOST_API std::string_view to_string(Severity severity);

/// Where a problem was found. Lines and columns count from 1; 0 = not tied to a line.
struct Place {
    std::uint32_t source = 0;  ///< which of the inputs, in the order given
    std::uint64_t line = 0;
    std::uint64_t column = 0;  ///< in bytes
    std::uint64_t offset = 0;  ///< bytes from the beginning of the (decompressed) input to the line's start
    std::string excerpt;       ///< the line, at most 160 bytes of it, as written: may hold any bytes
    std::uint32_t excerpt_column = 0;  ///< column (from 1) of `column` within the excerpt; 0 = none
};

/// All occurrences of one problem.
struct Diagnostic {
    DiagnosticId id{};
    std::uint64_t count = 0;
    std::vector<Place> places;  ///< the first ten, in file order

    [[nodiscard]] std::string_view message() const { return kind_of(id).message; }
    [[nodiscard]] std::string_view hint() const { return kind_of(id).hint; }
};

/// "callgrind.out.1:12:4: warning: ... [bad-number] (3 times)": the first place. `source` is the name of
/// the input; Profile::sources() has it under Place::source. One line, without control characters.
[[nodiscard]] CALLCOST_API std::string to_string(const Diagnostic& diagnostic, std::string_view source = {});

/// Both can be written to any stream.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Error& error) {
    return out << std::string_view(to_string(error));
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             const Diagnostic& diagnostic) {
    return out << std::string_view(to_string(diagnostic));
}

}  // namespace callcost
