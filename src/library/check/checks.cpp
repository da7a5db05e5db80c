// The checks C1 to C22 (docs/checks.md), from what the parts state, the diagnostics of reading, the call
// graph and the spelling of the files.
#include "check/checks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <map>
#include <utility>

#include "call_graph/graph_data.hpp"
#include "check/producers.hpp"
#include "check/readers.hpp"

namespace callcost {
namespace {

using enum CheckId;

constexpr std::array<CheckKind, check_count> kinds{{
    {"C1", "totals-are-sums", "F26, F70"},
    {"C2", "cachegrind-summary", "F83"},
    {"C3", "ids-defined", "F32"},
    {"C4", "ids-unique", "F31"},
    {"C5", "summary-covers-totals", "F70"},
    {"C6", "functions-balance", "F75"},
    {"C7", "cycles-balance", "F75"},
    {"C8", "arcs-within-callee", "F75, F76"},
    {"C9", "inclusive-within-total", "F76"},
    {"C10", "has-root", "F77"},
    {"C11", "counts-known", "F57"},
    {"C12", "jumps-possible", "F62, F64"},
    {"C13", "costs-not-negative", "F44"},
    {"C14", "positions-not-negative", "F38, F39"},
    {"C15", "callees-recorded", "F61"},
    {"C16", "callees-match", "F54, F61"},
    {"C17", "columns-fit", "F37, F43"},
    {"C18", "targets-complete", "F58"},
    {"C19", "names-clean", "F2"},
    {"C20", "file-complete", "F10"},
    {"C21", "parts-in-order", "F14, F81"},
    {"C22", "portable", "W1 to W15"},
}};

/// "part 2, thread 1": as few words as tell the parts of the profile apart.
std::string name_of(const Facts& facts, const Part& part) {
    if (facts.profile().parts().size() == 1) return {};
    std::string name = "part " + std::string(part.part.text.empty() ? "1" : part.part.text.substr(0, 20));
    if (!part.thread.text.empty()) name += ", thread " + std::string(part.thread.text.substr(0, 20));
    return name;
}

/// The line that states the costs of each part; nothing where lines and parts do not correspond.
std::vector<const Place*> lines_of_parts(const Facts& facts, std::optional<Costs> Part::*stated,
                                         std::span<const Place> (Spelling::*lines)() const) {
    const auto parts = facts.profile().parts();
    std::vector<const Place*> places(parts.size(), nullptr);
    for (std::size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
        std::vector<std::size_t> with_line;
        for (end = begin; end < parts.size() && parts[end].source == parts[begin].source; ++end)
            if (parts[end].*stated) with_line.push_back(end);
        if (parts[begin].source >= facts.spellings.size()) continue;
        const auto written = (facts.spellings[parts[begin].source].*lines)();
        if (written.size() != with_line.size()) continue;
        for (std::size_t i = 0; i < written.size(); ++i) places[with_line[i]] = &written[i];
    }
    return places;
}

Check applicable(CheckId id, bool applies = true) {
    Check check;
    check.id = id;
    check.verdict = applies ? Verdict::holds : Verdict::not_applicable;
    return check;
}

/// A check that the reader has made already.
Check from_diagnostics(const Facts& facts, CheckId id, std::initializer_list<DiagnosticId> ids,
                       bool applies = true) {
    Check check = applicable(id, applies);
    for (const DiagnosticId one : ids) {
        const Diagnostic* const diagnostic = facts.diagnostic(one);
        if (diagnostic == nullptr) continue;
        const Severity severity = kind_of(one).severity;
        check.reported_as = std::max(check.reported_as.value_or(severity), severity);
        check.count += diagnostic->count;
        for (const Place& place : diagnostic->places)
            if (check.breaches.size() < max_breaches) check.breaches.push_back({place, {}, {}, 0, 0});
    }
    return check;
}

void add_use(Check& check, const TraitUse& use) {
    if (use.count == 0) return;
    check.reported_as.reset();
    check.count += use.count;
    if (check.breaches.size() < max_breaches) check.breaches.push_back({use.first, {}, {}, 0, 0});
}

// --- C1, C2, C5 -------------------------------------------------------------------------------------------

/// Both lists are by ascending event; only the columns that one of them has can differ.
template <class F>
void compare(const Costs& stated, const Costs& found, F f) {
    auto a = stated.cells().begin(), b = found.cells().begin();
    while (a != stated.cells().end() || b != found.cells().end()) {
        const bool has_a = a != stated.cells().end() && (b == found.cells().end() || a->first <= b->first);
        const bool has_b = b != found.cells().end() && (a == stated.cells().end() || b->first <= a->first);
        const EventId event = has_a ? a->first : b->first;
        f(event, has_a ? a->second : Cost(), has_b ? b->second : Cost());
        if (has_a) ++a;
        if (has_b) ++b;
    }
}

Check check_totals(const Facts& facts) {
    Check check = applicable(totals_are_sums, false);
    const auto lines = lines_of_parts(facts, &Part::totals, &Spelling::totals_lines);
    const auto parts = facts.profile().parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].totals) continue;
        check.verdict = Verdict::holds;
        compare(*parts[i].totals, parts[i].self, [&](EventId event, Cost stated, Cost sum) {
            if (stated == sum) return;
            add_breach(check, name_of(facts, parts[i]), facts.profile().events()[event.value].name, stated,
                       sum, lines[i]);
        });
    }
    return check;
}

/// F83 allows one `summary:`; the last one counts.
void check_only_summaries(const Facts& facts, Check& check) {
    const auto parts = facts.profile().parts();
    for (std::size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
        bool is_cachegrind = true;
        for (end = begin; end < parts.size() && parts[end].source == parts[begin].source; ++end)
            is_cachegrind = is_cachegrind && parts[end].dialect == Dialect::cachegrind;
        if (!is_cachegrind || parts[begin].source >= facts.spellings.size()) continue;
        const auto lines = facts.spellings[parts[begin].source].summary_lines();
        for (std::size_t i = 0; i + (end - begin) < lines.size(); ++i)
            add_breach(check, {}, {}, 0, 0, &lines[i]);
    }
}

Check check_cachegrind(const Facts& facts) {
    Check check = applicable(cachegrind_summary, false);
    const auto lines = lines_of_parts(facts, &Part::summary, &Spelling::summary_lines);
    const auto parts = facts.profile().parts();
    check_only_summaries(facts, check);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].dialect != Dialect::cachegrind) continue;
        check.verdict = Verdict::holds;
        const bool is_last =
            parts[i].source >= facts.spellings.size() || facts.spellings[parts[i].source].ends_with_summary();
        if (!parts[i].summary || !is_last) add_breach(check, name_of(facts, parts[i]), {}, 0, 0, lines[i]);
        if (!parts[i].summary) continue;
        compare(*parts[i].summary, parts[i].self, [&](EventId event, Cost stated, Cost sum) {
            if (stated == sum) return;
            add_breach(check, name_of(facts, parts[i]), facts.profile().events()[event.value].name, stated,
                       sum, lines[i]);
        });
    }
    return check;
}

/// Callgrind counts a few events outside of any function (F70).
bool is_small_excess(Cost stated, Cost sum) {
    const std::uint64_t excess = (stated - sum).magnitude();
    return stated >= sum && sum >= 0 && excess <= std::max<std::uint64_t>(1000, sum.magnitude() / 100);
}

Check check_summaries(const Facts& facts) {
    Check check = applicable(summary_covers_totals, false);
    const auto lines = lines_of_parts(facts, &Part::summary, &Spelling::summary_lines);
    const auto parts = facts.profile().parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].summary || parts[i].dialect == Dialect::cachegrind) continue;
        check.verdict = Verdict::holds;
        compare(*parts[i].summary, parts[i].self, [&](EventId event, Cost stated, Cost sum) {
            if (stated == sum || is_small_excess(stated, sum)) return;
            add_breach(check, name_of(facts, parts[i]), facts.profile().events()[event.value].name, stated,
                       sum, lines[i]);
        });
    }
    return check;
}

// --- the graph --------------------------------------------------------------------------------------------

Check check_inclusive(const Facts& facts) {
    Check check = from_diagnostics(facts, inclusive_within_total, {DiagnosticId::inclusive_exceeds_total},
                                   facts.graph.arc_count() > 0);
    for (Breach& breach : check.breaches) {  // the place of an analysis is a name
        breach.subject = std::move(breach.place.excerpt);
        breach.place = {};
    }
    if (check.count != 0 || check.verdict != Verdict::holds) return check;
    // What is not worth a warning is not as C9 says either.
    const Diagnostic above = inclusive_above_total(facts.graph);
    for (const Place& place : above.places) add_breach(check, place.excerpt);
    check.count = above.count;
    if (above.count != 0) check.verdict = Verdict::expected;
    return check;
}

/// C10 and C15.
void check_callers(const Facts& facts, Check& root, Check& recorded) {
    if (facts.graph.arc_count() == 0) return;
    const CallGraph::Data& data = data_of(facts.graph);
    bool has_root = false;
    for (std::size_t row = 0; row < facts.graph.size(); ++row) {
        const NodeId node(row);
        if (!data.has_records(node)) {
            add_breach(recorded, facts.graph.name(node));
            continue;
        }
        if (has_root || facts.graph.cycle(node).valid()) continue;
        const auto callers = facts.graph.callers(node);
        has_root = std::all_of(callers.begin(), callers.end(),
                               [&](ArcId arc) { return facts.graph.caller(arc) == node; });
    }
    if (!has_root) add_breach(root, {});
}

// --- C21 --------------------------------------------------------------------------------------------------

/// "Basic block 12 - 34"; nothing if it is written otherwise.
std::optional<std::pair<std::uint64_t, std::uint64_t>> time_range(std::string_view text) {
    std::array<std::uint64_t, 2> numbers{};
    for (std::uint64_t& number : numbers) {
        const std::size_t digit = text.find_first_of("0123456789");
        if (digit == std::string_view::npos) return std::nullopt;
        text.remove_prefix(digit);
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (problem != std::errc()) return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    return std::pair(numbers[0], numbers[1]);
}

/// In whatever order they are written: the columns of a part are its own affair.
std::vector<std::uint32_t> sorted_events(const Part& part) {
    std::vector<std::uint32_t> events;
    for (const EventId event : part.events) events.push_back(event.value);
    std::sort(events.begin(), events.end());
    return events;
}

Check check_parts(const Facts& facts) {
    const auto parts = facts.profile().parts();
    Check check = applicable(parts_in_order, parts.size() > 1);
    std::map<std::pair<std::uint32_t, std::uint64_t>, const Part*> last;  // by profile and thread
    for (const Part& part : parts) {
        const Part*& before = last[{part.profile, part.thread.number.value_or(0)}];
        if (before != nullptr) {
            const auto number = part.part.number;
            const auto number_before = before->part.number;
            const bool is_numbered = number && number_before;
            const auto range = time_range(part.timerange);
            const auto range_before = time_range(before->timerange);
            const bool is_gap = is_numbered && *number == *number_before + 1 && range && range_before &&
                                range->first != range_before->second;
            const bool is_earlier = is_numbered && *number <= *number_before;
            if (is_earlier || is_gap || sorted_events(part) != sorted_events(*before))
                add_breach(check, name_of(facts, part));
        }
        before = &part;
    }
    return check;
}

// --- C22 --------------------------------------------------------------------------------------------------

/// A file is portable if all of today's readers read it right, and nothing of it troubles older ones.
Check check_portable(const std::vector<ReaderReport>& readers, const TraitUses& uses) {
    Check check = applicable(portable);
    std::array<bool, trait_count> is_in_the_way{};
    for (const Trait trait : {Trait::cfl_key, Trait::jump, Trait::unknown_call_count, Trait::several_parts})
        is_in_the_way[static_cast<std::size_t>(trait)] = uses[static_cast<std::size_t>(trait)].count != 0;
    for (const ReaderReport& report : readers)
        for (const Hindrance& hindrance : report.hindrances)
            is_in_the_way[static_cast<std::size_t>(hindrance.trait)] = true;
    for (std::size_t i = 0; i < trait_count; ++i)
        if (is_in_the_way[i]) add_breach(check, to_string(static_cast<Trait>(i)), {}, 0, 0, &uses[i].first);
    return check;
}

}  // namespace

const CheckKind& kind_of(CheckId id) { return kinds.at(static_cast<std::size_t>(id)); }

Severity severity_of(const Check& check) {
    if (check.verdict == Verdict::expected || check.id == portable) return Severity::note;
    return check.id <= ids_unique ? Severity::error : Severity::warning;
}

FileReport check_profile(const CallGraph& graph, std::span<const Diagnostic> diagnostics,
                         std::span<const Spelling> spellings) {
    const Facts facts{graph, diagnostics, spellings};
    const TraitUses uses = trait_uses(facts);
    const auto use_of = [&](Trait trait) -> const TraitUse& { return uses[static_cast<std::size_t>(trait)]; };
    FileReport report;
    report.readers = report_readers(uses);

    const bool has_calls = graph.arc_count() > 0;
    Check root = applicable(has_root, has_calls);
    Check recorded = applicable(callees_recorded, has_calls);
    check_callers(facts, root, recorded);
    Check counts = applicable(counts_known, has_calls);
    add_use(counts, use_of(Trait::unknown_call_count));
    Check jumps = applicable(jumps_possible, use_of(Trait::jump).count != 0);
    add_use(jumps, use_of(Trait::impossible_jump));
    Check columns =
        from_diagnostics(facts, columns_fit, {DiagnosticId::short_position, DiagnosticId::surplus_costs});
    add_use(columns, use_of(Trait::costless_line));
    Check names = from_diagnostics(facts, names_clean, {DiagnosticId::non_utf8_name});
    add_use(names, use_of(Trait::control_byte));
    auto [functions, cycles, arcs] = check_balance(graph);

    report.checks = {
        check_totals(facts),
        check_cachegrind(facts),
        from_diagnostics(facts, ids_defined, {DiagnosticId::undefined_name_id}),
        from_diagnostics(facts, ids_unique, {DiagnosticId::name_id_redefined}),
        check_summaries(facts),
        std::move(functions),
        std::move(cycles),
        std::move(arcs),
        check_inclusive(facts),
        std::move(root),
        std::move(counts),
        std::move(jumps),
        from_diagnostics(facts, costs_not_negative, {DiagnosticId::negative_cost}),
        from_diagnostics(facts, positions_not_negative,
                         {DiagnosticId::negative_position, DiagnosticId::minus_one_line}),
        std::move(recorded),
        from_diagnostics(facts, callees_match, {DiagnosticId::callee_linked_by_name}, has_calls),
        std::move(columns),
        from_diagnostics(facts, targets_complete,
                         {DiagnosticId::call_target_short, DiagnosticId::call_target_extra}, has_calls),
        std::move(names),
        from_diagnostics(
            facts, file_complete,
            {DiagnosticId::truncated_file, DiagnosticId::truncated_compression, DiagnosticId::read_failed}),
        check_parts(facts),
        check_portable(report.readers, uses),
    };
    const Producer* const producer = known_producer(facts.profile());
    report.producer = producer != nullptr ? producer->name : guessed_producer(facts.profile());
    report.producer_is_guess = producer == nullptr && !report.producer.empty();
    for (Check& check : report.checks) {
        if (check.count == 0) continue;
        const bool is_expected = check.verdict == Verdict::expected || check.id == portable ||
                                 (producer != nullptr && producer->may_break(check.id));
        check.verdict = is_expected ? Verdict::expected : Verdict::broken;
    }
    return report;
}

}  // namespace callcost
