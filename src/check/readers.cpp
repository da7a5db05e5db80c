// What other readers of the format stumble over (docs/checks.md): the traits that a model shows, besides
// those of the spelling, and the effect of each trait on each reader.
#include "check/readers.hpp"

#include <algorithm>
#include <unordered_set>

#include "analyze/graph_data.hpp"
#include "base/hash.hpp"

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
}};

/// Functions of the same name and file in several objects are one function to some readers.
std::uint64_t count_equal_names(const CallGraph& graph) {
    std::unordered_set<std::uint64_t, SeededHash> seen;
    std::uint64_t count = 0;
    const ProfileData& data = data_of(graph).columns();
    for (std::size_t row = 0; row < data.functions.size(); ++row) {
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
    Rule{Reader::kcachegrind, Trait::late_header, Effect::wrong},
    Rule{Reader::kcachegrind, Trait::tab, Effect::wrong},
    Rule{Reader::kcachegrind, Trait::block_column, Effect::wrong},
    Rule{Reader::kcachegrind, Trait::negative_cost, Effect::wrong},
    Rule{Reader::kcachegrind, Trait::cost_after_object, Effect::wrong},
    Rule{Reader::kcachegrind, Trait::id_undefined, Effect::differs},
    Rule{Reader::kcachegrind, Trait::id_undefined_in_part, Effect::differs},
    Rule{Reader::kcachegrind, Trait::late_callee_place, Effect::differs},
    Rule{Reader::kcachegrind, Trait::functions_without_file, Effect::differs},
    Rule{Reader::kcachegrind, Trait::shifted_positions, Effect::differs},
    Rule{Reader::kcachegrind, Trait::padded_name, Effect::differs},
    Rule{Reader::kcachegrind, Trait::linked_callee, Effect::differs},

    Rule{Reader::callgrind_annotate, Trait::compressed, Effect::refuses},
    Rule{Reader::callgrind_annotate, Trait::file_before_function, Effect::refuses},
    Rule{Reader::callgrind_annotate, Trait::surplus_costs, Effect::refuses},
    Rule{Reader::callgrind_annotate, Trait::block_column, Effect::refuses},
    Rule{Reader::callgrind_annotate, Trait::unknown_calls_with_cost, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::indented_line, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::several_parts, Effect::wrong},
    Rule{Reader::callgrind_annotate, Trait::hex_position, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::shifted_positions, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::equal_names, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::inlined_code, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::cycle, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::padded_name, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::linked_callee, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::no_total, Effect::differs},
    Rule{Reader::callgrind_annotate, Trait::other_summary, Effect::differs},

    Rule{Reader::speedscope, Trait::compressed, Effect::refuses},
    Rule{Reader::speedscope, Trait::id_defined_again, Effect::refuses},
    Rule{Reader::speedscope, Trait::id_undefined, Effect::refuses},
    Rule{Reader::speedscope, Trait::second_events_line, Effect::refuses},
    Rule{Reader::speedscope, Trait::jump, Effect::refuses},
    Rule{Reader::speedscope, Trait::trailing_blank, Effect::refuses},
    Rule{Reader::speedscope, Trait::indented_line, Effect::refuses},
    Rule{Reader::speedscope, Trait::unknown_line, Effect::refuses},
    Rule{Reader::speedscope, Trait::address_column, Effect::wrong},
    Rule{Reader::speedscope, Trait::missing_costs, Effect::wrong},
    Rule{Reader::speedscope, Trait::negative_cost, Effect::wrong},
    Rule{Reader::speedscope, Trait::split_call, Effect::wrong},
    Rule{Reader::speedscope, Trait::equal_names, Effect::differs},
    Rule{Reader::speedscope, Trait::inlined_code, Effect::differs},
    Rule{Reader::speedscope, Trait::linked_callee, Effect::differs},
};

/// To less than a hundredth: percentages hardly show it.
bool gives_the_same_shares(std::int64_t stated, std::int64_t sum) {
    const std::uint64_t excess = static_cast<std::uint64_t>(stated) - static_cast<std::uint64_t>(sum);
    return stated >= sum && sum >= 0 && excess <= magnitude(sum) / 100;
}

}  // namespace

TraitUses trait_uses(const Facts& facts) {
    TraitUses uses;
    for (std::size_t i = 0; i < trait_count; ++i) uses[i] = facts.use_of(static_cast<Trait>(i));
    const auto at = [&](Trait trait) -> TraitUse& { return uses[static_cast<std::size_t>(trait)]; };
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
    at(Trait::cycle).count = facts.graph.cycle_count();
    at(Trait::equal_names).count = count_equal_names(facts.graph);
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
        if (use.count != 0)
            reports[static_cast<std::size_t>(rule.reader)].hindrances.push_back(
                {rule.trait, rule.effect, use.count, use.first});
    }
    return reports;  // the rules of a reader stand in the order of their effects
}

std::string_view to_string(Reader reader) {
    constexpr std::array<std::string_view, 3> names{"KCachegrind", "callgrind_annotate", "speedscope"};
    return names.at(static_cast<std::size_t>(reader));
}

std::string_view to_string(Trait trait) { return trait_names.at(static_cast<std::size_t>(trait)); }

}  // namespace callcost
