// The analyses: whatever a profile says, costs are neither lost nor counted twice, and every list has one
// order.
#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "blocks.hpp"
#include "callcost/groups.hpp"
#include "callcost/lines.hpp"
#include "callcost/read.hpp"
#include "callcost/tree.hpp"
#include "cost_demands.hpp"
#include "record_sums.hpp"

namespace callcost::fuzz {
namespace {

// What may take long for a file made to take long is looked at for so many functions and arcs.
constexpr std::size_t max_rows = 10;
constexpr std::size_t max_name_bytes = std::size_t{1} << 20U;

/// Nodes and functions, arcs and their ends, cycles and their members belong to each other.
void demand_graph(const CallGraph& graph) {
    const Profile& profile = graph.profile();
    std::size_t out = 0, in = 0;
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        demand(graph.node_of(graph.function(node)) == node);
        demand(graph.object(node) == profile.name(profile.object(graph.function(node))));
        demand(graph.file(node) == profile.name(profile.file(graph.function(node))));
        CallCount called;
        for (const ArcId arc : graph.callees(node)) demand(graph.caller(arc) == node);
        for (const ArcId arc : graph.callers(node)) demand(graph.callee(arc) == node);
        for (const ArcId arc : graph.callers(node)) add(called, graph.count(arc));
        demand(equal(graph.call_count(node), called));
        out += graph.callees(node).size();
        in += graph.callers(node).size();
    }
    demand(out == graph.arc_count() && in == graph.arc_count());
    std::set<std::pair<NodeId, NodeId>> ends;
    for (std::size_t row = 0; row < graph.arc_count(); ++row) {
        const NodeId caller = graph.caller(ArcId(row)), callee = graph.callee(ArcId(row));
        demand(caller.value < graph.size() && callee.value < graph.size());
        demand(ends.emplace(caller, callee).second);
        const CycleId cycle = graph.cycle(caller);
        demand(graph.recursive(ArcId(row)) ==
               (caller == callee || (cycle.valid() && cycle == graph.cycle(callee))));
    }
    std::size_t members = 0;
    for (std::size_t row = 0; row < graph.size(); ++row) members += graph.cycle(NodeId(row)).valid();
    for (std::size_t row = 0; row < graph.cycle_count(); ++row) {
        const auto cycle = graph.members(CycleId(row));
        demand(cycle.size() > 1);
        members -= cycle.size();
        for (const NodeId member : cycle) demand(graph.cycle(member) == CycleId(row));
        for (std::size_t i = 1; i < cycle.size(); ++i)
            demand(place_of(graph, cycle[i - 1]) < place_of(graph, cycle[i]));
    }
    demand(members == 0);
}

/// A cycle's members reach each other within it (F76).
void demand_cycles(const CallGraph& graph) {
    const auto reached = [&](NodeId from, bool forward) {
        std::set<NodeId> seen{from};
        for (std::vector<NodeId> open{from}; !open.empty();) {
            const NodeId node = open.back();
            open.pop_back();
            for (const ArcId arc : forward ? graph.callees(node) : graph.callers(node)) {
                const NodeId next = forward ? graph.callee(arc) : graph.caller(arc);
                if (graph.cycle(next) == graph.cycle(from) && seen.insert(next).second) open.push_back(next);
            }
        }
        return seen.size();
    };
    for (std::size_t row = 0; row < graph.cycle_count(); ++row)
        for (const bool forward : {true, false})
            demand(reached(graph.members(CycleId(row))[0], forward) == graph.members(CycleId(row)).size());
}

/// Rows and omitted rows are the total (promise 4), in the one order there is.
void demand_list(const CallGraph& graph, const FunctionsOptions& options) {
    const FunctionList list = functions(graph, options);
    Cost sum = list.omitted_self;
    for (const FunctionRow& row : list.rows) {
        demand(row.self == graph.self(row.node, *options.measure));
        demand(row.inclusive == graph.inclusive(row.node, *options.measure));
        add(sum, row.self);
    }
    demand(sum == list.total && list.total == graph.total(*options.measure));
    demand(list.rows.size() + list.omitted_rows == graph.size());
    for (std::size_t i = 1; i < list.rows.size(); ++i) {
        const FunctionRow &a = list.rows[i - 1], &b = list.rows[i];
        const auto calls_a = graph.call_count(a.node).known, calls_b = graph.call_count(b.node).known;
        const auto order = options.by == SortBy::self        ? b.self <=> a.self
                           : options.by == SortBy::inclusive ? b.inclusive <=> a.inclusive
                           : options.by == SortBy::called    ? calls_b <=> calls_a
                                                             : std::strong_ordering::equal;
        demand(std::is_lt(order) || (std::is_eq(order) && place_of(graph, a.node) < place_of(graph, b.node)));
    }
}

/// All functions, the first ones, and those above a threshold.
void demand_lists(const CallGraph& graph, const FunctionsOptions& options) {
    demand_list(graph, options);
    const FunctionList all = functions(graph, options);
    demand(all.omitted_rows == 0 && all.omitted_self == 0);
    FunctionsOptions fewer = options;
    fewer.limit = graph.size() / 3;
    const FunctionList first = functions(graph, fewer);
    demand(first.rows.size() == fewer.limit);
    for (std::size_t i = 0; i < first.rows.size(); ++i) demand(first.rows[i].node == all.rows[i].node);
    demand_list(graph, fewer);
    fewer.threshold = 0.05;
    demand_list(graph, fewer);
}

/// Every function is in one group, and the groups add up to the total.
void demand_groups(const CallGraph& graph, GroupBy by, const FunctionsOptions& options) {
    const std::vector<Group> all = groups(graph, by, options).rows;
    std::vector<std::size_t> group_of(graph.size(), all.size());
    Cost total = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        Cost self = 0;
        demand(!all[i].nodes.empty());
        for (const NodeId node : all[i].nodes) {
            demand(group_of[node.value] == all.size());
            group_of[node.value] = i;
            add(self, graph.self(node, *options.measure));
        }
        demand(all[i].self == self);
        add(total, self);
        if (all[i].cycle.valid()) {
            demand(all[i].inclusive.estimate == graph.inclusive(all[i].cycle, *options.measure));
            demand(equal(all[i].called, graph.call_count(all[i].cycle)));
        }
        if (i == 0) continue;
        const Group &a = all[i - 1], &b = all[i];
        if (options.by == SortBy::self) demand(a.self >= b.self);
        if (options.by == SortBy::inclusive) demand(a.inclusive.estimate >= b.inclusive.estimate);
        if (options.by == SortBy::called) demand(a.called.known >= b.called.known);
        if (options.by == SortBy::name && by != GroupBy::cycle) demand(a.name < b.name);
    }
    demand(total == graph.total(*options.measure));
    if (graph.profile().has_inlined()) return;  // nobody calls inlined code
    std::vector<CallCount> called(all.size());
    for (std::size_t row = 0; row < graph.size(); ++row) demand(group_of[row] < all.size());
    for (std::size_t row = 0; row < graph.arc_count(); ++row) {
        const std::size_t to = group_of[graph.callee(ArcId(row)).value];
        if (group_of[graph.caller(ArcId(row)).value] != to) add(called[to], graph.count(ArcId(row)));
    }
    for (std::size_t i = 0; i < all.size(); ++i) demand(equal(all[i].called, called[i]));
    FunctionsOptions fewer = options;
    fewer.limit = all.size() / 2;
    fewer.threshold = 0.1;
    demand(groups(graph, by, fewer).rows.size() <= fewer.limit);
}

/// Calls and jumps of some lines or instructions, added up.
struct Sites {
    std::map<ArcId, std::pair<Cost, CallCount>> calls;
    Jumps jumps{};

    template <class Row>
    void add_row(const CallGraph& graph, const Row& row) {
        demand(!row.calls.empty() || !row.jumps.empty() ||
               std::any_of(row.self.begin(), row.self.end(), [](Cost cost) { return cost != 0; }));
        for (const CallSite& call : row.calls) {
            demand(call.arc.value < graph.arc_count() && call.line == row.line);
            add(calls[call.arc].first, call.cost);
            add(calls[call.arc].second, call.count);
        }
        for (std::size_t i = 1; i < row.calls.size(); ++i) demand(row.calls[i - 1].cost >= row.calls[i].cost);
        for (const JumpSite& jump : row.jumps) add(jumps, jump.executed, jump.followed);
    }
    /// Whether they are all there is of these arcs.
    void demand_all(const CallGraph& graph, std::span<const ArcId> arcs, const Measure& measure) const {
        demand(calls.size() == arcs.size());
        for (const ArcId arc : arcs) {
            const auto& [cost, count] = calls.at(arc);
            demand(cost == graph.cost(arc, measure));
            demand(graph.profile().has_inlined() || equal(count, graph.count(arc)));
        }
    }
};

/// Adds up what is on lines, which come in ascending order and once each.
std::vector<Cost> demand_lines(const CallGraph& graph, const FileLines& file, std::size_t width,
                               Sites& sites) {
    std::vector<Cost> sums(width, 0);
    for (const LineCost& line : file.lines) {
        demand(line.self.size() == width);
        for (std::size_t k = 0; k < width; ++k) add(sums[k], line.self[k]);
        sites.add_row(graph, line);
    }
    for (std::size_t i = 1; i < file.lines.size(); ++i) demand(file.lines[i - 1].line < file.lines[i].line);
    demand(file.self == sums);
    return sums;
}

/// All lines of all files hold all costs, calls and jumps.
void demand_all_lines(const CallGraph& graph, std::span<const Measure> measures, const Sums& sums) {
    std::vector<FileId> files;
    for (std::size_t row = 0; row < graph.profile().file_count(); ++row) files.emplace_back(row);
    const auto all = file_lines(graph, files, measures);
    const auto located = located_costs(graph, measures[0]);
    demand(all && located && all->size() == files.size() && located->size() == files.size());
    Sites sites;
    std::vector<Cost> total(measures.size(), 0);
    for (const FileLines& file : *all) {
        const auto costs = demand_lines(graph, file, measures.size(), sites);
        demand(costs[0] == (*located)[file.file.value]);
        for (std::size_t k = 0; k < costs.size(); ++k) add(total[k], costs[k]);
    }
    for (std::size_t k = 0; k < total.size(); ++k) demand(total[k] == graph.total(measures[k]));
    std::vector<ArcId> arcs;
    for (std::size_t row = 0; row < graph.arc_count(); ++row) arcs.emplace_back(row);
    sites.demand_all(graph, arcs, measures[0]);
    demand(sites.jumps == sums.jumps);
}

/// Lines, instructions, call sites and jumps of a function add up to what it costs.
void demand_lines_of(const CallGraph& graph, NodeId node, std::span<const Measure> measures) {
    const auto files = function_lines(graph, node, measures);
    const auto code = instructions(graph, node, measures);
    const auto leaps = jumps(graph, node);
    demand(files.has_value() && code.has_value() && leaps.has_value());
    const auto name_of = [&](FileId file) { return graph.profile().name(file); };
    Sites of_lines, of_code;
    Jumps of_leaps;
    std::vector<Cost> lines_self(measures.size(), 0), code_self(measures.size(), 0);
    for (const FileLines& file : *files) {
        const auto costs = demand_lines(graph, file, measures.size(), of_lines);
        for (std::size_t k = 0; k < costs.size(); ++k) add(lines_self[k], costs[k]);
    }
    for (std::size_t i = 2; i < files->size(); ++i)  // its own file comes first
        demand(name_of((*files)[i - 1].file) < name_of((*files)[i].file));
    for (const InstructionCost& instruction : *code) {
        for (std::size_t k = 0; k < measures.size(); ++k) add(code_self[k], instruction.self[k]);
        of_code.add_row(graph, instruction);
    }
    const auto position = [&](const InstructionCost& a) {
        return std::tuple(a.address, name_of(a.file), a.line);
    };
    for (std::size_t i = 1; i < code->size(); ++i) demand(position((*code)[i - 1]) < position((*code)[i]));
    for (const JumpSite& jump : *leaps) add(of_leaps, jump.executed, jump.followed);
    const auto source = [&](const JumpSite& a) { return std::tuple(name_of(a.file), a.line, a.address); };
    for (std::size_t i = 1; i < leaps->size(); ++i) demand(source((*leaps)[i - 1]) <= source((*leaps)[i]));
    for (std::size_t k = 0; k < measures.size(); ++k)
        demand(lines_self[k] == graph.self(node, measures[k]) && code_self[k] == lines_self[k]);
    of_lines.demand_all(graph, graph.callees(node), measures[0]);
    of_code.demand_all(graph, graph.callees(node), measures[0]);
    demand(of_lines.jumps == of_leaps && of_code.jumps == of_leaps);
}

void demand_sites_of(const CallGraph& graph, ArcId arc, const Measure& measure) {
    const auto sites = call_sites(graph, arc, measure);
    demand(sites.has_value() && !sites->empty());
    Cost cost = 0;
    CallCount count;
    for (const CallSite& site : *sites) {
        demand(site.arc == arc);
        add(cost, site.cost);
        add(count, site.count);
    }
    for (std::size_t i = 1; i < sites->size(); ++i) demand((*sites)[i - 1].cost >= (*sites)[i].cost);
    demand(cost == graph.cost(arc, measure));
    demand(graph.profile().has_inlined() || equal(count, graph.count(arc)));
}

/// What the summary and rounding may explain of an inclusive cost (F70).
long double max_explained(const CallGraph& graph, const Measure& measure) {
    long double most = 0, records = 0;  // wide enough for the sum, which must not wrap
    for (const PartId id : graph.parts()) {
        const Part& part = graph.profile().parts()[id.value];
        records += part.cost_lines + part.call_records;
        if (part.summary) most += std::int64_t{(*part.summary)[measure.terms[0].first]};
    }
    return records + std::max<long double>(most, std::int64_t{graph.total(measure)});
}

/// An inclusive cost above the total is told (F76 d).
void demand_diagnostics(const CallGraph& graph, std::span<const Measure> shown) {
    if (graph.profile().has_inlined()) return;
    std::uint64_t told = 0;
    for (const Diagnostic& diagnostic : analysis_diagnostics(graph)) {
        demand(diagnostic.count >= diagnostic.places.size() && diagnostic.places.size() <= 10);
        if (diagnostic.id == DiagnosticId::inclusive_exceeds_total) told = diagnostic.count;
    }
    const Profile& profile = graph.profile();
    std::set<std::size_t> found;
    for (const Measure& measure : shown) {
        const Cost total = graph.total(measure);
        bool comparable = measure.additive && measure.formula.empty() && total > 0;
        for (std::size_t row = 0; row < profile.function_count() && comparable; ++row)
            comparable = profile.self(FunctionId(row), measure.terms[0].first) >= 0;
        for (std::size_t row = 0; row < graph.size() && comparable; ++row)
            comparable = graph.self(NodeId(row), measure) >= 0;
        if (!comparable) continue;
        const long double most = max_explained(graph, measure);
        for (std::size_t row = 0; row < graph.size(); ++row)
            if (!graph.cycle(NodeId(row)).valid() &&
                std::int64_t{graph.inclusive(NodeId(row), measure)} > most)
                found.insert(row);
        for (std::size_t row = 0; row < graph.cycle_count(); ++row)
            if (std::int64_t{graph.inclusive(CycleId(row), measure)} > most) found.insert(graph.size() + row);
    }
    demand(told >= found.size());
}

/// A few of the measures a profile offers, raw ones first.
std::vector<Measure> some_measures(const Profile& profile, Numbers& numbers) {
    std::vector<Measure> all = measures(profile);
    for (std::size_t row = 0; row < profile.events().size(); ++row)
        demand(all[row].name == profile.events()[row].name && all[row].terms.size() == 1);
    for (std::size_t i = 0; i < std::min(all.size(), max_rows); ++i) {
        const Measure& measure = all[numbers.next() % all.size()];
        for (std::size_t k = 0; k < measure.terms.size(); ++k)
            demand(measure.terms[k].first.value < profile.events().size() && measure.terms[k].second != 0 &&
                   (k == 0 || measure.terms[k - 1].first < measure.terms[k].first));
    }
    for (const Diagnostic& diagnostic : formula_diagnostics(profile))
        demand(diagnostic.count <= profile.formulas().size());
    if (all.size() > 3) std::swap(all[2], all[2 + numbers.next() % (all.size() - 2)]);
    all.resize(std::min<std::size_t>(all.size(), 3));
    for (const Measure& measure : all) {
        if (measure.terms.size() > max_rows) continue;
        const auto found = find_measure(profile, measure.name);
        demand(found && found->terms == measure.terms && found->additive == measure.additive);
    }
    std::erase_if(all, [](const Measure& measure) { return measure.terms.size() > max_rows; });
    return all;
}

/// A formula that somebody may type has a meaning or a place where it has none.
void demand_formula(const Profile& profile, std::string_view text) {
    const auto measure = find_measure(profile, text);
    demand(measure ? measure->terms.size() <= profile.events().size()
                   : measure.error().column <= text.size() + 1);
}

/// Frames stand below those that call them, add up, and are within their bounds.
void demand_tree(const CallGraph& graph, const Measure& measure, Numbers& numbers) {
    TreeOptions options{.measure = measure, .max_frames = 200};
    if (numbers.next() % 2 == 0) options.direction = TreeDirection::callers;
    if (numbers.next() % 2 == 0) options.recursion = Recursion::unfold;
    if (numbers.next() % 4 == 0) options.root = [](NodeId node) { return node.value % 3 == 0; };
    const Tree tree = estimate_tree(graph, options);
    demand(tree.functions <= options.max_frames && tree.certainty() < 1 + 1e-9);
    std::vector<double> parts(tree.frames.size());
    double whole = 0;
    for (std::size_t row = 0; row < tree.frames.size(); ++row) {
        const Frame& frame = tree.frames[row];
        demand(frame.end > row && frame.end <= tree.frames.size());
        demand(frame.parent == Frame::none ? frame.level == 1 : frame.parent < row);
        const double slack = 1e-9 * tree.inclusive + 1e-6;
        for (const EstimatedCost& cost : {frame.inclusive, frame.self}) {
            demand(cost.least >= 0 && cost.estimate >= 0 && cost.estimate <= tree.inclusive + slack);
            demand(static_cast<double>(cost.least) <= cost.estimate + slack);
            demand(cost.most == INT64_MAX || static_cast<double>(cost.most) >= cost.estimate - slack);
        }
        parts[row] += frame.self.estimate;
        (frame.parent == Frame::none ? whole : parts[frame.parent]) += frame.inclusive.estimate;
    }
    for (std::size_t row = 0; row < tree.frames.size(); ++row) {
        const double difference = parts[row] - tree.frames[row].inclusive.estimate;
        demand(difference < 1e-9 * tree.inclusive + 1e-6 && difference > -1e-9 * tree.inclusive - 1e-6);
    }
    demand(whole - tree.inclusive <= 1e-9 * whole && tree.inclusive - whole <= 1e-9 * whole);
}

void demand_graph_of(const Profile& profile, const Selection& selection, Numbers& numbers) {
    const auto made = call_graph(profile, selection);
    demand(made.has_value());
    const CallGraph& graph = *made;
    // Inlined code is not called, and a function's cost is not what it is where the function is inlined, too.
    const bool is_plain = !profile.has_inlined();
    if (is_plain) demand_graph(graph);
    if (is_plain) demand_cycles(graph);
    const std::vector<Measure> shown = some_measures(profile, numbers);
    if (shown.empty()) return;
    constexpr std::array orders{SortBy::self, SortBy::inclusive, SortBy::called, SortBy::name};
    for (const Measure& measure : shown) {
        demand_conserved(graph, measure);
        if (is_plain) demand_costs(graph, measure, sums_of(graph, measure));
        demand_roots(graph, measure);
        demand_tree(graph, measure, numbers);
        demand_lists(graph, {.measure = measure, .by = orders[numbers.next() % orders.size()]});
    }
    for (const GroupBy by :
         {GroupBy::object, GroupBy::file, GroupBy::directory, GroupBy::name_space, GroupBy::cycle})
        demand_groups(
            graph, by,
            {.measure = shown[numbers.next() % shown.size()], .by = orders[numbers.next() % orders.size()]});
    demand_all_lines(graph, shown, sums_of(graph, shown[0]));
    for (std::size_t i = 0; i < std::min(graph.size(), max_rows); ++i)
        demand_lines_of(graph, NodeId(numbers.next() % graph.size()), shown);
    for (std::size_t i = 0; i < std::min(graph.arc_count(), max_rows); ++i)
        demand_sites_of(graph, ArcId(numbers.next() % graph.arc_count()), shown[0]);
    demand_diagnostics(graph, shown);
}

/// Contexts are the ends of names, and folding only brings functions together (F72).
void demand_contexts(const Profile& profile) {
    const ContextNames contexts(profile);
    const auto folded = call_graph(profile, {.contexts = Contexts::fold});
    demand(folded.has_value());
    std::map<std::tuple<std::string_view, ObjectId, FileId>, NodeId> nodes;
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const FunctionId function(row);
        const ContextName split = contexts.split(function);
        demand(std::string(split.name).append(split.context) == profile.name(function));
        demand(contexts.any() || split.context.empty());
        demand(split.recursion != 1 && (split.recursion == 0 || !split.context.empty()));
        demand(split.context.empty() || (!split.name.empty() && split.context[0] == '\''));
        const std::string_view name_space = name_space_of(profile.name(function));
        demand(profile.name(function).find(name_space) != std::string_view::npos);
        const NodeId node = folded->node_of(function);
        demand(folded->name(node) == split.name);
        const auto key = std::tuple(split.name, profile.object(function), profile.file(function));
        demand(nodes.try_emplace(key, node).first->second == node);
        if (row >= max_rows) continue;
        const ContextName again = context_of(profile, function);
        demand(again.name == split.name && again.recursion == split.recursion);
    }
    demand(nodes.size() == folded->size());
}

/// The parts with one number, for each number there is (F81), are all parts. Returns the numbers.
template <class NumberOf>
std::set<std::uint64_t> demand_selections(const Profile& profile, std::vector<std::uint64_t> Selection::*list,
                                          NumberOf number_of) {
    std::set<std::uint64_t> numbers;
    for (const Part& part : profile.parts()) numbers.insert(number_of(part));
    std::size_t parts = 0;
    for (const std::uint64_t number : numbers) {
        if (parts > max_rows * max_rows) return numbers;
        Selection selection;
        selection.*list = {number};
        const auto chosen = selected_parts(profile, selection);
        for (const PartId part : chosen) demand(number_of(profile.parts()[part.value]) == number);
        demand(std::is_sorted(chosen.begin(), chosen.end()));
        parts += chosen.size();
    }
    demand(parts == profile.parts().size());
    Selection selection;
    while (numbers.contains(parts)) ++parts;
    selection.*list = {parts};
    const auto none = call_graph(profile, selection);
    demand(!none && none.error().code == ErrorCode::nothing_selected);
    return numbers;
}

void demand_selections(const Profile& profile, Numbers& numbers) {
    const auto parts = demand_selections(profile, &Selection::parts,
                                         [](const Part& part) { return part.part.number.value_or(1); });
    const auto threads = demand_selections(profile, &Selection::threads,
                                           [](const Part& part) { return part.thread.number.value_or(1); });
    const auto pids = demand_selections(profile, &Selection::pids,
                                        [](const Part& part) { return part.pid.number.value_or(0); });
    const Contexts contexts = numbers.next() % 2 == 0 ? Contexts::fold : Contexts::keep;
    if (parts.size() > 1) demand_graph_of(profile, {.parts = {*parts.begin()}}, numbers);
    if (parts.size() > 2) demand_graph_of(profile, {.parts = {*parts.begin(), *parts.rbegin()}}, numbers);
    if (threads.size() > 1)
        demand_graph_of(profile, {.threads = {*threads.rbegin()}, .contexts = contexts}, numbers);
    if (pids.size() > 1) demand_graph_of(profile, {.pids = {*pids.begin()}, .contexts = contexts}, numbers);
}

void check_analyses(std::string_view text) {
    const auto profile = read_profile(from_memory(text));
    if (!profile) return;
    std::size_t name_bytes = 0;  // nested names may be long
    for (std::size_t row = 0; row < profile->function_count(); ++row)
        name_bytes += profile->name(FunctionId(row)).size();
    if (name_bytes > max_name_bytes) return;
    Numbers numbers(text);
    demand_graph_of(*profile, {}, numbers);
    if (ContextNames(*profile).any()) demand_graph_of(*profile, {.contexts = Contexts::fold}, numbers);
    demand_contexts(*profile);
    demand_selections(*profile, numbers);
    for (std::size_t i = 0; i < 4; ++i)
        demand_formula(*profile, text.substr(numbers.next() % text.size(), numbers.next() % 40));
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> bytes(data, data + size);  // its own memory: reading past its end is noticed
    callcost::fuzz::check_analyses({bytes.data(), bytes.size()});
    return 0;
}
