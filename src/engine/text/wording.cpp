// What every check and every trait of a reader says. docs/checks.md has the rules behind them.
#include <array>
#include <cstddef>

#include "text/diagnostics.hpp"

namespace callcost::engine {
namespace {

constexpr std::array<CheckWording, check_count> checks{{
    {"'totals:' is the sum of all plain cost lines of its part", "stackprof, bpf-profile",
     "add up what you write: every cost line that is not the second line of a call or jump"},
    {"a Cachegrind file ends with a 'summary:' line that is the sum of its cost lines", "",
     "cg_annotate refuses the file otherwise: write the exact sums in the very last line"},
    {"every name ID '(N)' is defined",
     "yappi, Callgrind (0.10 and hidden options); the names are lost nevertheless",
     "write '(N) name' where N is used first, whichever key that is, and again in every part"},
    {"a name ID '(N)' has one name within a part", "",
     "count objects, files and functions each from 1, and never use a number again"},
    {"'summary:' is not below the sum of the cost lines, and at most slightly above it",
     "Callgrind (--cacheuse, forked and long runs), Xdebug (peak memory), lsprofcalltree, Erlang's tools, "
     "stackprof, remake",
     "write the sum, or no 'summary:' at all: some readers take it for 100%"},
    {"the cost of calls to a function is its self cost plus the cost of its calls",
     "Callgrind (threads, single dumps), and all whose times are rounded or sampled",
     "the line after 'calls=' holds the inclusive cost of these calls, recursion counted once"},
    {"the same for a cycle of functions as a whole",
     "Callgrind (threads, single dumps), and all whose times are rounded or sampled",
     "calls inside the cycle do not matter; those that enter and leave it must be complete"},
    {"no call arc costs more than the inclusive cost of its callee",
     "Callgrind's single dumps, and all whose times are rounded or sampled",
     "count the inclusive cost of a recursive call once, at the outermost call"},
    {"no function costs more than the whole profile",
     "remake (its self cost is inclusive), columns that are not additive",
     "self cost is what is spent in the function itself"},
    {"some function has no caller and is in no cycle: the program begins there",
     "pyprof2calltree, Xdebug and others that record a caller for every function",
     "leave the outermost function without a caller, or viewers find no starting point"},
    {"call counts are known: above 0",
     "pprof, Valgrind's heap profilers, Erlang's tools, samplers, Callgrind's later dumps",
     "'calls=0' means unknown; callgrind_annotate takes the cost of such a call for self cost"},
    {"no jump is taken more often than it is executed", "",
     "'jcnd=' has the number of jumps taken, '/', the number executed"},
    {"no cost is negative", "cg_diff, differences of pprof, Xdebug 2 (memory), Callgrind 3.22",
     "most readers know only unsigned costs: omit what decreased, or write '-N', never 2^64-N"},
    {"no position is negative", "lua-callgrind, phpspy, reli-prof", "write 0 for a line that is not known"},
    {"every function that is called has a record of its own",
     "Callgrind (calls without cost, toggled collection), samplers, truncated files",
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
     "write the file under another name and rename it at the end, so that no reader sees an incomplete one"},
    {"parts of a thread ascend by number, have the same event types and no gap in time", "",
     "count 'part:' from 1 in every run, and repeat 'events:' in every part"},
    {"KCachegrind, callgrind_annotate and speedscope, also older versions, read the file correctly",
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
    {Trait::id_defined_again, "a name ID is defined again, even with the same name"},
    {Trait::id_undefined, "a name ID is used that was never defined"},
    {Trait::id_undefined_in_part, "a name ID of an earlier part is used, which it has forgotten"},
    {Trait::huge_id, "a name ID with a huge number"},
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
    {Trait::impossible_jump, "a jump taken more often than executed"},
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
    {Trait::call_without_cost,
     "'calls=' without a cost line takes the next cost line, even one of another record"},
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
    {Trait::unknown_line, "an unrecognized line"},
    {Trait::negative_cost, "negative costs"},
    {Trait::functions_without_file, "'fi=' without 'fl=': the functions have no file"},
    {Trait::linked_callee,
     "callees named with another place than their record become functions of their own"},
    {Trait::cycle, "cycles of functions: their inclusive costs count several times"},
    {Trait::equal_names, "functions of one name and file in several objects become one"},
    {Trait::no_total, "no 'summary:' or 'totals:': percentages with --inclusive=yes are too low"},
    {Trait::other_summary, "'summary:' is not the sum of the costs but counts as 100%"},
    {Trait::newer_version, "a 'version:' above 1"},
    {Trait::rcalls, "the cost of 'rcalls=' counts as self cost of the caller"},
    {Trait::callee_without_calls, "the cost of a call without 'calls=' counts as self cost of the caller"},
    {Trait::cost_before_function, "costs before the first function are lost"},
    {Trait::event_twice, "an event type has two columns"},
    {Trait::no_root, "cycles without a caller outside are lost, with all their callees"},
    {Trait::recursion, "recursion: the function's self cost is too high, that of its callees too low"},
    {Trait::inlined_function, "'cfni=': inlined code counts for the functions that it is in"},
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

}  // namespace callcost::engine
