// What other readers of the format stumble over (docs/checks.md): the traits that a model shows, besides
// those of the spelling, and the effect of each trait on each reader.
#include "check/readers.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/hash.hpp"
#include "call_graph/graph_data.hpp"

namespace callcost {
namespace {

constexpr std::array<std::string_view, trait_count> trait_names{{
    "tab",
    "late-header",
    "early-summary",
    "late-marker",
    "id-defined-again",
    "id-undefined",
    "id-undefined-in-part",
    "huge-id",
    "late-callee-place",
    "cost-after-object",
    "file-before-function",
    "split-call",
    "trailing-blank",
    "indented-line",
    "hex-position",
    "shifted-positions",
    "padded-name",
    "missing-costs",
    "costless-line",
    "jump",
    "second-events-line",
    "unknown-calls-with-cost",
    "unknown-call-count",
    "impossible-jump",
    "control-byte",
    "inlined-code",
    "cfl-key",
    "address-column",
    "block-column",
    "compressed",
    "hex-cost",
    "hex-count",
    "hex-difference",
    "hex-second-position",
    "late-addresses",
    "call-without-cost",
    "undefined-functions",
    "no-file",
    "part-without-events",
    "early-relative",
    "odd-header",
    "spaced-events",
    "several-parts",
    "nul-byte",
    "call-without-callee",
    "surplus-costs",
    "unknown-line",
    "negative-cost",
    "functions-without-file",
    "linked-callee",
    "cycle",
    "equal-names",
    "no-total",
    "other-summary",
    "newer-version",
    "rcalls",
    "callee-without-calls",
    "cost-before-function",
    "event-twice",
    "no-root",
    "recursion",
    "inlined-function",
}};

/// Functions of the same name and file in several objects are one function to some readers.
std::uint64_t count_equal_names(const CallGraph& graph) {
    std::unordered_set<std::uint64_t, SeededHash> seen;
    std::uint64_t count = 0;
    const ProfileData& data = data_of(graph).columns();
    for (std::size_t row = 0; row < data.functions.size() && row < data.inlined.first; ++row) {
        const FunctionData& function = data.functions[row];
        if (!seen.insert(std::uint64_t{function.file.value} << 32U | function.name).second) ++count;
    }
    return count;
}

struct Rule {
    Reader reader;
    Trait trait;
    Effect effect;
};
constexpr std::array rules{
    Rule{Reader::kcachegrind, Trait::early_summary, Effect::refuses},
    Rule{Reader::kcachegrind, Trait::late_marker, Effect::refuses},
    Rule{Reader::kcachegrind, Trait::huge_id, Effect::refuses},
    Rule{Reader::kcachegrind, Trait::nul_byte, Effect::refuses},
    Rule{Reader::kcachegrind, Trait::call_without_callee, Effect::refuses},
    Rule{Reader::kcachegrind, Trait::late_header, Effect::refuses},
    Rule{Reader::kcachegrind, Trait::part_without_events, Effect::refuses},
    Rule{Reader::kcachegrind, Trait::tab, Effect::wrong},
    Rule{Reader::kcachegrind, Trait::block_column, Effect::wrong},
    Rule{Reader::kcachegrind, Trait::negative_cost, Effect::wrong},
    Rule{Reader::kcachegrind, Trait::cost_after_object, Effect::wrong},
    Rule{Reader::kcachegrind, Trait::indented_line, Effect::wrong},
    Rule{Reader::kcachegrind, Trait::callee_without_calls, Effect::wrong},
    Rule{Reader::kcachegrind, Trait::call_without_cost, Effect::wrong},
    Rule{Reader::kcachegrind, Trait::id_undefined, Effect::differs},
    Rule{Reader::kcachegrind, Trait::id_undefined_in_part, Effect::differs},
    Rule{Reader::kcachegrind, Trait::late_callee_place, Effect::differs},
    Rule{Reader::kcachegrind, Trait::functions_without_file, Effect::differs},
    Rule{Reader::kcachegrind, Trait::shifted_positions, Effect::differs},
    Rule{Reader::kcachegrind, Trait::padded_name, Effect::differs},
    Rule{Reader::kcachegrind, Trait::linked_callee, Effect::differs},
    Rule{Reader::kcachegrind, Trait::inlined_function, Effect::differs},

    Rule{Reader::callgrind_annotate, Trait::compressed, Effect::refuses},
    Rule{Reader::callgrind_annotate, Trait::file_before_function, Effect::refuses},
    Rule{Reader::callgrind_annotate, Trait::surplus_costs, Effect::refuses},
    Rule{Reader::callgrind_annotate, Trait::block_column, Effect::refuses},
    Rule{Reader::callgrind_annotate, Trait::newer_version, Effect::refuses},
    Rule{Reader::callgrind_annotate, Trait::late_addresses, Effect::refuses},
    Rule{Reader::callgrind_annotate, Trait::hex_second_position, Effect::refuses},
    Rule{Reader::callgrind_annotate, Trait::unknown_calls_with_cost, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::indented_line, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::several_parts, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::hex_cost, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::rcalls, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::hex_count, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::callee_without_calls, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::call_without_cost, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::cost_before_function, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::undefined_functions, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::no_file, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::event_twice, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::hex_difference, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::hex_position, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::shifted_positions, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::equal_names, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::inlined_code, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::cycle, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::padded_name, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::linked_callee, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::inlined_function, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::no_total, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::other_summary, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::id_undefined, Effect::differs},

    Rule{Reader::speedscope, Trait::compressed, Effect::refuses},
    Rule{Reader::speedscope, Trait::id_defined_again, Effect::refuses},
    Rule{Reader::speedscope, Trait::id_undefined, Effect::refuses},
    Rule{Reader::speedscope, Trait::second_events_line, Effect::refuses},
    Rule{Reader::speedscope, Trait::jump, Effect::refuses},
    Rule{Reader::speedscope, Trait::trailing_blank, Effect::refuses},
    Rule{Reader::speedscope, Trait::indented_line, Effect::refuses},
    Rule{Reader::speedscope, Trait::unknown_line, Effect::refuses},
    Rule{Reader::speedscope, Trait::early_relative, Effect::refuses},
    Rule{Reader::speedscope, Trait::odd_header, Effect::refuses},
    Rule{Reader::speedscope, Trait::address_column, Effect::wrong},
    Rule{Reader::speedscope, Trait::missing_costs, Effect::wrong},
    Rule{Reader::speedscope, Trait::negative_cost, Effect::wrong},
    Rule{Reader::speedscope, Trait::split_call, Effect::wrong},
    Rule{Reader::speedscope, Trait::rcalls, Effect::wrong},
    Rule{Reader::speedscope, Trait::callee_without_calls, Effect::wrong},
    Rule{Reader::speedscope, Trait::spaced_events, Effect::wrong},
    Rule{Reader::speedscope, Trait::no_root, Effect::wrong},
    Rule{Reader::speedscope, Trait::cycle, Effect::wrong},
    Rule{Reader::speedscope, Trait::recursion, Effect::wrong},
    Rule{Reader::speedscope, Trait::equal_names, Effect::differs},
    Rule{Reader::speedscope, Trait::inlined_code, Effect::differs},
    Rule{Reader::speedscope, Trait::linked_callee, Effect::differs},
    Rule{Reader::speedscope, Trait::inlined_function, Effect::differs},
};

/// Functions that nobody but themselves calls are no roots to speedscope, and then nor is what they call; the
/// call to itself takes its share of what a function pays for others.
void count_loops(const CallGraph& graph, std::uint64_t& no_root, std::uint64_t& recursion) {
    bool has_root = graph.arc_count() == 0;
    std::uint64_t self_called = 0;
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        const auto calls_itself = [&](ArcId arc) { return graph.caller(arc) == graph.callee(arc); };
        const auto callers = graph.callers(node);
        has_root = has_root || callers.empty();
        if (std::none_of(callers.begin(), callers.end(), calls_itself)) continue;
        if (callers.size() == 1) ++self_called;
        if (graph.callees(node).size() > 1) ++recursion;
    }
    no_root = has_root ? self_called : std::max<std::uint64_t>(1, self_called);
}

/// To less than a hundredth: percentages hardly show it.
bool gives_the_same_shares(Cost stated, Cost sum) {
    const std::uint64_t excess = (stated - sum).magnitude();
    return stated >= sum && sum >= 0 && excess <= sum.magnitude() / 100;
}

TraitUse& use_of(TraitUses& uses, Trait trait) { return uses[static_cast<std::size_t>(trait)]; }

/// What no spelling avoids.
void add_traits_of(const CallGraph& graph, TraitUses& uses) {
    use_of(uses, Trait::cycle).count = graph.cycle_count();
    use_of(uses, Trait::equal_names).count = count_equal_names(graph);
    count_loops(graph, use_of(uses, Trait::no_root).count, use_of(uses, Trait::recursion).count);
}

}  // namespace

TraitUses trait_uses(const Facts& facts) {
    TraitUses uses;
    for (std::size_t i = 0; i < trait_count; ++i) uses[i] = facts.use_of(static_cast<Trait>(i));
    const auto at = [&](Trait trait) -> TraitUse& { return use_of(uses, trait); };
    const auto take = [&](Trait trait, DiagnosticId id) {
        if (const Diagnostic* const diagnostic = facts.diagnostic(id))
            at(trait) = {diagnostic->count, diagnostic->places.empty() ? Place{} : diagnostic->places[0]};
    };
    take(Trait::nul_byte, DiagnosticId::nul_byte);
    take(Trait::call_without_callee, DiagnosticId::call_without_callee);
    take(Trait::surplus_costs, DiagnosticId::surplus_costs);
    take(Trait::unknown_line, DiagnosticId::unknown_line);
    take(Trait::negative_cost, DiagnosticId::negative_cost);
    take(Trait::functions_without_file, DiagnosticId::fi_without_fl);
    take(Trait::linked_callee, DiagnosticId::callee_linked_by_name);
    take(Trait::newer_version, DiagnosticId::unsupported_version);
    take(Trait::rcalls, DiagnosticId::deprecated_rcalls);
    take(Trait::callee_without_calls, DiagnosticId::call_without_calls);
    take(Trait::cost_before_function, DiagnosticId::cost_before_fn);
    take(Trait::event_twice, DiagnosticId::duplicate_event);
    add_traits_of(facts.graph, uses);
    std::uint64_t without_total = 0, other_summary = 0;
    for (const Part& part : facts.profile().parts()) {
        if (!part.summary && !part.totals) ++without_total;
        const auto cells = part.self.cells();
        if (part.summary && !part.summary->empty() &&
            std::any_of(cells.begin(), cells.end(), [&](const auto& cell) {
                return !gives_the_same_shares((*part.summary)[cell.first], cell.second);
            }))
            ++other_summary;
    }
    const std::size_t parts = facts.profile().parts().size();
    at(Trait::several_parts).count = parts > 1 ? parts : 0;
    at(Trait::no_total).count = facts.graph.arc_count() > 0 ? without_total : 0;
    at(Trait::other_summary).count = other_summary;
    return uses;
}

std::vector<ReaderReport> report_readers(const TraitUses& uses) {
    std::vector<ReaderReport> reports{
        {Reader::kcachegrind, {}}, {Reader::callgrind_annotate, {}}, {Reader::speedscope, {}}};
    for (const Rule& rule : rules) {
        const TraitUse& use = uses[static_cast<std::size_t>(rule.trait)];
        // callgrind_annotate takes functions without a name for one: that says it already.
        const bool is_said = rule.reader == Reader::callgrind_annotate && rule.trait == Trait::id_undefined &&
                             uses[static_cast<std::size_t>(Trait::undefined_functions)].count != 0;
        if (use.count != 0 && !is_said)
            reports[static_cast<std::size_t>(rule.reader)].hindrances.push_back(
                {rule.trait, rule.effect, use.count, use.first});
    }
    return reports;  // the rules of a reader stand in the order of their effects
}

std::vector<ReaderReport> readers_of_portable(const CallGraph& graph, const LeftOut& left_out) {
    TraitUses uses;
    add_traits_of(graph, uses);
    use_of(uses, Trait::negative_cost).count = left_out.negative_costs;
    return report_readers(uses);
}

std::string_view to_string(Reader reader) {
    constexpr std::array<std::string_view, 3> names{"KCachegrind", "callgrind_annotate", "speedscope"};
    return names.at(static_cast<std::size_t>(reader));
}

std::string_view to_string(Trait trait) { return trait_names.at(static_cast<std::size_t>(trait)); }

}  // namespace callcost
