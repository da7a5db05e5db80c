// The sentences of every diagnostic, in the order of DiagnosticId. docs/format.md has the rules behind them.
#include <array>
#include <cstddef>

#include "text/diagnostics.hpp"

namespace callcost::engine {
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

// --- checks -----------------------------------------------------------------------------------------------

constexpr std::array<CheckWording, check_count> checks{{
    {"'totals:' is the sum of all plain cost lines of its part", "stackprof, bpf-profile",
     "add up what you write: every cost line that is not the second line of a call or jump"},
    {"a Cachegrind file ends with a 'summary:' line that is the sum of its cost lines", "",
     "cg_annotate refuses the file otherwise: write the exact sums in the very last line"},
    {"every abbreviation '(N)' is defined",
     "yappi, Callgrind (0.10 and hidden options); the names are lost all the same",
     "write '(N) name' where N is used first, whichever key that is, in every part anew"},
    {"an abbreviation '(N)' has one name within a part", "",
     "count objects, files and functions each from 1, and never use a number again"},
    {"'summary:' is not below the sum of the cost lines, and hardly above it",
     "Callgrind (--cacheuse, forked and long runs), Xdebug (peak memory), lsprofcalltree, Erlang's tools, "
     "stackprof, remake",
     "write the sum, or no 'summary:' at all: some readers take it for 100 %"},
    {"what the callers of a function paid is its self cost plus what it paid for its calls",
     "Callgrind (threads, single dumps), and all whose times are rounded or sampled",
     "the line after 'calls=' holds the inclusive cost of these calls, recursion counted once"},
    {"the same for a cycle of functions as a whole",
     "Callgrind (threads, single dumps), and all whose times are rounded or sampled",
     "calls inside the cycle do not matter; those that enter and leave it must be complete"},
    {"no caller paid more for a function than it cost with all it calls",
     "Callgrind's single dumps, and all whose times are rounded or sampled",
     "count the inclusive cost of a recursive call once, at the outermost call"},
    {"no function costs more than the whole profile",
     "remake (its self cost is inclusive), columns that do not add up",
     "self cost is what is spent in the function itself"},
    {"some function has no caller and is in no cycle: the program begins there",
     "pyprof2calltree, Xdebug and others that record a caller for every function",
     "leave the outermost function without a caller, or viewers find no place to begin"},
    {"numbers of calls are known: above 0",
     "pprof, Valgrind's heap profilers, Erlang's tools, samplers, Callgrind's later dumps",
     "'calls=0' means unknown; callgrind_annotate takes the cost of such a call for self cost"},
    {"no jump is followed more often than it is executed", "",
     "'jcnd=' has the number of jumps that were followed first, then '/', then all"},
    {"no cost is negative", "cg_diff, differences of pprof, Xdebug 2 (memory), Callgrind 3.22",
     "most readers know only unsigned costs: leave out what became less, or write '-N', never 2^64-N"},
    {"no position is negative", "lua-callgrind, phpspy, reli-prof", "write 0 for a line that is not known"},
    {"every function that is called has a record of its own",
     "Callgrind (calls without cost, toggled collection), samplers, cut files",
     "write 'fn=' with a cost line, 0 if need be, for every function that is called"},
    {"the object and file of a callee are those of its own record",
     "Xdebug 2, lsprofcalltree, remake, KLEE, pprof",
     "write 'cob=' and 'cfi=' before 'cfn=' wherever they differ from the caller's"},
    {"cost lines have as many positions as 'positions:' has words and no more costs than 'events:'",
     "Valgrind's heap profilers (lines without costs)",
     "write every position column; only costs of 0 at the end of a line may be left out"},
    {"'calls=' lines have one number per position column behind the count",
     "Xdebug (one too many), dprof2calltree, gdb_callgrind (none)",
     "'calls=COUNT' and where the callee begins, 0 for what is not known"},
    {"names are UTF-8 without control characters", "Callgrind (as the symbols are), Erlang's tools",
     "write UTF-8, and \\n, \\r, \\0 for line ends and NUL"},
    {"the file is complete", "",
     "write the file under another name and rename it at the end, so that nobody sees half of it"},
    {"parts of a thread ascend by number, have the same event types and no gap in time", "",
     "count 'part:' from 1 in every run, and repeat 'events:' in every part"},
    {"KCachegrind, callgrind_annotate and speedscope read the file right, and older ones, too",
     "every file with several parts, jumps, addresses or unknown numbers of calls",
     "one part, lines only, all costs written, no jumps, ids defined once"},
}};

struct TraitText {
    Trait trait;
    std::string_view text;
};
constexpr std::array<TraitText, trait_count> traits{{
    {Trait::tab, "tabs between numbers; it knows only blanks"},
    {Trait::late_header,
     "'pid:', 'part:', 'thread:' or 'positions:' after 'events:' make it forget the event types"},
    {Trait::early_summary, "'summary:' before 'events:' is fatal"},
    {Trait::late_marker, "nothing in the first 2047 bytes shows that this is a profile"},
    {Trait::id_defined_again, "an abbreviation is defined again, be it with the same name"},
    {Trait::id_undefined, "an abbreviation is used that was never defined"},
    {Trait::id_undefined_in_part, "an abbreviation of an earlier part is used, which it has forgotten"},
    {Trait::huge_id, "an abbreviation with a huge number"},
    {Trait::late_callee_place, "'cob=' or 'cfi=' after 'cfn=' comes too late: the callee gets another place"},
    {Trait::cost_after_object, "costs after 'ob=' without 'fn=' are lost"},
    {Trait::file_before_function, "'fi=' or 'fe=' before the first function"},
    {Trait::split_call, "something stands between 'calls=' and its cost line; the call is lost"},
    {Trait::trailing_blank, "a blank at the end of a cost line"},
    {Trait::indented_line, "a blank at the beginning of a line"},
    {Trait::hex_position, "hexadecimal lines or differences"},
    {Trait::shifted_positions, "relative positions behind a call or jump count from another line"},
    {Trait::padded_name, "blanks around a name become part of it"},
    {Trait::missing_costs, "costs that are left out at the end of a line are not a number to it"},
    {Trait::costless_line, "lines without any cost"},
    {Trait::jump, "jumps, which it does not know"},
    {Trait::second_events_line, "a second 'events:' line"},
    {Trait::unknown_calls_with_cost, "the cost of 'calls=0' counts as self cost of the caller"},
    {Trait::unknown_call_count, "'calls=0': the number of calls is unknown"},
    {Trait::impossible_jump, "a jump that is followed more often than executed"},
    {Trait::control_byte, "control characters in names"},
    {Trait::inlined_code, "a function with code of several files becomes several rows"},
    {Trait::cfl_key, "'cfl=': callgrind_annotate up to 3.8 knows only 'cfi='"},
    {Trait::address_column, "it knows one position column: addresses or lines are taken for costs"},
    {Trait::block_column, "the position column 'bb', which it does not know"},
    {Trait::compressed, "the file is compressed"},
    {Trait::hex_cost, "hexadecimal costs are taken for 0"},
    {Trait::hex_count, "a hexadecimal number of calls is taken for 0, and the call's cost for self cost"},
    {Trait::hex_difference, "costs behind a hexadecimal difference, or behind '0X', are lost"},
    {Trait::hex_second_position, "a hexadecimal number in the second position column is taken for a cost"},
    {Trait::late_addresses, "'positions:' with two columns after 'events:' comes too late"},
    {Trait::call_without_cost, "'calls=' without a cost line takes the next cost line, whosever it is"},
    {Trait::undefined_functions, "functions whose names are not defined are lost, or become one"},
    {Trait::no_file, "without 'fl=' the last function is lost"},
    {Trait::part_without_events, "a part without 'events:' of its own"},
    {Trait::early_relative, "a position that is relative to none: '-' or '*' in the first cost line"},
    {Trait::odd_header, "a header line whose key is not one word, such as 'timeframe (BB):'"},
    {Trait::spaced_events, "more than one blank between event types counts as a column"},
    {Trait::several_parts, "several parts: percentages are those of the last one's total"},
    {Trait::nul_byte, "a NUL byte"},
    {Trait::call_without_callee, "'calls=' without 'cfn='"},
    {Trait::surplus_costs, "more costs than event types"},
    {Trait::unknown_line, "a line that is none of the format"},
    {Trait::negative_cost, "negative costs"},
    {Trait::functions_without_file, "'fi=' without 'fl=': the functions have no file"},
    {Trait::linked_callee,
     "callees named with another place than their record become functions of their own"},
    {Trait::cycle, "cycles of functions: their inclusive costs count several times"},
    {Trait::equal_names, "functions of one name and file in several objects become one"},
    {Trait::no_total, "no 'summary:' or 'totals:': percentages with --inclusive=yes are too low"},
    {Trait::other_summary, "'summary:' is not the sum of the costs but counts as 100 %"},
    {Trait::newer_version, "a 'version:' above 1"},
    {Trait::rcalls, "the cost of 'rcalls=' counts as self cost of the caller"},
    {Trait::callee_without_calls, "the cost of a call without 'calls=' counts as self cost of the caller"},
    {Trait::cost_before_function, "costs before the first function are lost"},
    {Trait::event_twice, "an event type has two columns"},
    {Trait::no_root, "functions that nobody else calls, in a circle, are lost with all that they call"},
    {Trait::recursion, "a function that calls itself pays others too little and keeps too much"},
}};

constexpr bool traits_are_in_order() {
    for (std::size_t i = 0; i < traits.size(); ++i) {
        if (static_cast<std::size_t>(traits[i].trait) != i) return false;
    }
    return true;
}
static_assert(traits_are_in_order(), "one text per Trait, in its order");

}  // namespace

const CheckWording& wording(CheckId id) { return checks.at(static_cast<std::size_t>(id)); }
std::string_view wording(Trait trait) { return traits.at(static_cast<std::size_t>(trait)).text; }
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
            if (!error.detail.empty())  // it was taken for a file of another format
                return {error.detail, "'callcost convert --from' says which format a file is in"};
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
            return {error.detail.empty() ? "more than 2^32 functions or calls: too large"
                                         : "too large: " + error.detail,
                    ""};
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

}  // namespace callcost::engine
