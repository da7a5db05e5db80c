// The sentences of every diagnostic, in the order of DiagnosticId. docs/format.md has the rules behind them.
#include <array>
#include <cstddef>

#include "render/diagnostics.hpp"

namespace callcost::render {
namespace {

struct Entry {
    DiagnosticId id;
    Wording wording;
};

using enum DiagnosticId;

constexpr std::array<Entry, diagnostic_id_count> entries = {{
    {unknown_line,
     {"this is no line of a profile; it was skipped",
      "the rest of the file was read; its writer should not mix other text in"}},
    {cost_before_events,
     {"costs before the first 'events:' line are lost",
      "'events:' names the cost columns and must come before the first cost line"}},
    {duplicate_event,
     {"an event type is named twice in 'events:'; the columns were added up",
      "give every column a name of its own"}},
    {unknown_position,
     {"unknown word in 'positions:'; it was read as a column and then ignored",
      "known are: instr, bb, line"}},
    {unsupported_version, {"this version of the format is not known; the file was read as version 1", ""}},
    {undefined_name_id,
     {"this abbreviated name '(N)' is never defined; it is shown as its number",
      "the name is lost: the writer must define '(N) name' before the first use of '(N)'"}},
    {short_position,
     {"a cost line has fewer numbers than there are position columns",
      "the missing positions were read as 0, unknown"}},
    {surplus_costs,
     {"a cost line has more numbers than there are event types; the surplus was ignored",
      "check 'events:' and 'positions:' against the columns that are written"}},
    {number_overflow, {"a number is larger than 64 bits hold", "its lowest 64 bits were used"}},
    {bad_cost, {"a cost is not a number; it counts as 0", ""}},
    {bad_call_count, {"the number of calls is missing or not a number; it counts as unknown", ""}},
    {calls_without_cost_line,
     {"a 'calls=' line is not followed by its cost line", "the call is kept with its count, at no cost"}},
    {call_without_callee,
     {"a 'calls=' line without 'cfn=' before it", "the callee is unknown and shown as \"???\""}},
    {formula_cycle, {"an event type is defined by itself; it is left out", ""}},
    {bad_formula,
     {"the formula of an event type cannot be understood; the type is left out",
      "a formula is a sum of event types with whole factors, such as 'Ir + 10 Bcm'"}},
    {truncated_compression,
     {"the compressed data are cut short or damaged, or something else follows them",
      "what could be unpacked was read; make the file anew if you can"}},
    {read_failed, {"reading broke off", "what came before was read"}},
    {line_too_long, {"a line is too long and was skipped", ""}},

    {truncated_file,
     {"the file ends too early",
      "was the program killed, or is it still running? What was written so far was read"}},
    {bad_number, {"the value of 'part:', 'thread:' or 'pid:' is not a number", ""}},
    {inherited_columns, {"a part without 'events:' or 'positions:'; those of the part before were used", ""}},
    {surplus_summary, {"'summary:' or 'totals:' has more numbers than there are event types", ""}},
    {totals_equals_sign, {"'totals=' should be 'totals:'", ""}},
    {event_without_colon,
     {"'event:' without ':' or '=' after the name; the rest was read as the long name", ""}},
    {event_redefined,
     {"'event:' gives a formula or long name that contradicts an earlier line", "the first one was kept"}},
    {odd_name_id, {"a name begins like an abbreviation '(N)' but is none; it was read as it stands", ""}},
    {name_id_redefined,
     {"the abbreviation '(N)' gets another name within one part", "uses after this line have the new name"}},
    {late_name_id, {"'(N)' is used before it is defined", "it got the name of the later definition"}},
    {negative_position, {"a relative line number leads below 0; it was read as 0, unknown", ""}},
    {minus_one_line, {"line -1 was read as 'no line known'", "write 0 for an unknown line"}},
    {signed_cost, {"a cost has a plus sign; costs are never relative", ""}},
    {fractional_cost,
     {"a cost has a fraction; it was rounded", "costs are whole numbers: choose a smaller unit"}},
    {cost_before_fn, {"costs before the first 'fn=' line", "they count for the unknown function \"???\""}},
    {unspecified_function, {"'fl=' without 'fn=': the costs count for the function '<unspecified>'", ""}},
    {call_without_calls,
     {"'cfn=' is followed by costs without 'calls=' in between", "they were read as the cost of a call"}},
    {split_call, {"other lines stand between 'calls=' and its cost line", ""}},
    {jcnd_order, {"'jcnd=' followed more often than executed; the two numbers were swapped", ""}},
    {jump_without_source, {"a jump without the line of its source position", ""}},
    {inclusive_exceeds_total,
     {"a function costs more with its callees than the whole profile",
      "what it calls self cost includes callees, or records are missing; inclusive costs are shown as they "
      "are"}},
    {counters_zeroed,
     {"a call cost less than nothing: the counters were set to zero before it returned",
      "inclusive costs of the functions that were running then are too low; self costs are right"}},
    {non_additive_column,
     {"an event type does not add up (a ratio, a minimum or a maximum)",
      "it is shown without totals, percentages and inclusive cost"}},

    {crlf, {"lines end in CR LF", ""}},
    {no_final_newline, {"the last line has no line end", ""}},
    {nul_byte, {"a NUL byte, read as an ordinary character", ""}},
    {non_utf8_name, {"a name is not UTF-8; it is shown as Latin-1", ""}},
    {bom, {"a byte order mark at the beginning, skipped", ""}},
    {indented_line, {"a line begins with blanks", ""}},
    {no_costs,
     {"the profile holds no cost at all",
      "was the measuring switched off (--instr-atstart=no, --toggle-collect), or was nothing sampled?"}},
    {several_profiles,
     {"the file holds several profiles; their costs are added up", "--part, --thread and --pid choose"}},
    {unreadable_totals, {"'totals:' holds no numbers; it was ignored", ""}},
    {unknown_header, {"an unknown header line, kept as information", ""}},
    {name_id_redefined_across_parts, {"the abbreviation '(N)' means another name in this part", ""}},
    {name_padding, {"blanks around a name were dropped", ""}},
    {empty_name, {"an empty name, shown as \"???\"", ""}},
    {nested_name_id, {"a name is put together from other abbreviations", ""}},
    {position_range, {"a range of positions; the first one counts", ""}},
    {negative_cost,
     {"a negative cost", "usual in differences of profiles and in columns that have overflowed"}},
    {function_without_records, {"a 'fn=' line without costs or calls only defines a name", ""}},
    {fi_without_fl, {"'fi=' without 'fl=' before it was read as the function's file", ""}},
    {dangling_cfn, {"a 'cfn=' line without a call", ""}},
    {unknown_call_count, {"a negative number of calls means 'unknown'", ""}},
    {deprecated_rcalls, {"'rcalls=' was read as 'calls='", ""}},
    {call_target_short, {"a 'calls=' line lacks numbers of the callee's position", ""}},
    {call_target_extra, {"a 'calls=' line has more numbers than there are position columns", ""}},
    {callee_linked_by_name,
     {"a callee's file or object is not that of any function; the function of that name was taken", ""}},
    {jump_target_short, {"a jump lacks numbers of its target", ""}},
    {hidden_option_line, {"a line of one of Callgrind's hidden options, skipped", ""}},
    {unknown_event_in_formula,
     {"a formula names an event type that is not in the profile; it counts as 0", ""}},
}};

constexpr bool is_in_order() {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (static_cast<std::size_t>(entries[i].id) != i) return false;
    }
    return true;
}
static_assert(is_in_order(), "one entry per DiagnosticId, in its order");

}  // namespace

const Wording& wording(DiagnosticId id) { return entries.at(static_cast<std::size_t>(id)).wording; }

ErrorText error_text(const Error& error) {
    const auto with_detail = [&](std::string_view text) {
        return error.detail.empty() ? std::string(text) : std::string(text) + ": " + error.detail;
    };
    switch (error.code) {
        case ErrorCode::empty_file:
            return {"the file is empty",
                    "Callgrind creates its file at the start and fills it at the end: the program may still "
                    "be running, may have "
                    "been killed or have exec'd another program, or its data are in the files of its threads "
                    "(-01, -02, ...)"};
        case ErrorCode::not_a_profile:
            return {"this is not a profile in the Callgrind or Cachegrind format",
                    "such a file has an 'events:' line near its beginning"};
        case ErrorCode::no_events:
            return {"there is no 'events:' line in the whole file",
                    "without it nobody knows what the numbers mean; the file may be cut short"};
        case ErrorCode::cannot_open:
            return {with_detail("cannot be opened"), ""};
        case ErrorCode::read_failed:
            return {with_detail("cannot be read"), ""};
        case ErrorCode::truncated_compression:
            return {with_detail("the compressed data are cut short or damaged"), ""};
        case ErrorCode::cancelled:
            return {"cancelled", ""};
        case ErrorCode::too_large:
            return {"more than 2^32 functions or calls: too large", ""};
        case ErrorCode::needs_detail:
            return {"this question needs the cost lines, which were not read", ""};
        case ErrorCode::bad_formula:
            return {with_detail("the formula cannot be understood"),
                    "a formula is a sum of event types with whole factors, such as 'Ir + 10 Bcm'"};
        case ErrorCode::formula_cycle:
            return {with_detail("the event type is defined by itself"), ""};
        case ErrorCode::bad_argument:
            return {error.detail.empty() ? "this makes no sense for this profile" : error.detail, ""};
    }
    return {};
}

}  // namespace callcost::render
