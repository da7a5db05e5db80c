#include "reports/group_list.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "names/short_names.hpp"
#include "reports/function_list.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {
namespace {

/// The most expensive members, the longest text first; `members` are in the order of their names, which
/// decides between equals.
std::vector<std::string> member_texts(const CallGraph& graph, const Measure& measure, CycleId cycle,
                                      const engine::Style& style) {
    constexpr std::size_t most = 4;
    std::vector<std::pair<Cost, NodeId>> costs;
    for (const NodeId member : graph.members(cycle)) costs.emplace_back(graph.self(member, measure), member);
    std::stable_sort(costs.begin(), costs.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> texts;
    for (const std::size_t width : {0U, 60U, 40U, 30U}) {
        for (auto shown = std::min(most, costs.size()); shown > 0; --shown) {
            std::string text;
            for (std::size_t i = 0; i < shown; ++i) {
                if (i > 0) text += ", ";
                text += engine::short_name(engine::display_name(graph.name(costs[i].second)), width, style);
            }
            if (shown < costs.size()) text += ", ...";
            texts.push_back(std::move(text));
            if (width == 0) break;
        }
    }
    return texts;
}

std::string group_name(const Group& group, GroupBy by) {
    if (const auto cycle = cycle_number(group.cycle)) return fmt::format("cycle {}", *cycle);
    return group.name.empty() ? fmt::format("(no {})", to_string(by)) : engine::display_name(group.name);
}

}  // namespace

void write_cycles(engine::JsonWriter& json, const CallGraph& graph, const std::vector<Measure>& measures) {
    json.key("cycles");
    json.begin_array(engine::JsonLayout::rows);
    for (std::size_t i = 0; i < graph.cycle_count(); ++i) {
        const CycleId cycle(i);
        json.begin_object();
        json.member("id", cycle_number(cycle));
        json.key("members");
        json.begin_array();
        for (const auto member : graph.members(cycle)) json.value(graph.name(member));
        json.end_array();
        write_costs(json, "self", measures, [&](const Measure& each) { return graph.self(cycle, each); });
        write_costs(json, "inclusive", measures, [&](const Measure& each) {
            return each.additive ? std::optional(graph.inclusive(cycle, each)) : std::nullopt;
        });
        const auto called = graph.call_count(cycle);
        json.member("called", known_calls(graph, called));
        json.member("called_is_exact", !called.at_least);
        json.end_object();
    }
    json.end_array();
}

std::string_view to_string(GroupBy by) {
    switch (by) {
        case GroupBy::object:
            return "object";
        case GroupBy::file:
            return "file";
        case GroupBy::directory:
            return "directory";
        case GroupBy::name_space:
            return "namespace";
        case GroupBy::cycle:
            return "cycle";
    }
    return {};
}

void write_group_table(std::string& out, const CallGraph& graph, const Measure& measure,
                       const engine::FilteredGroups& list, const GroupTableOptions& options,
                       const engine::Style& style) {
    using Bounds = CostColumns::Bounds;
    const auto any_estimate = [&](const auto which) {
        return std::any_of(list.rows.begin(), list.rows.end(),
                           [&](const auto& group) { return !(group.*which).is_exact(); });
    };
    const bool has_estimates =
        engine::has_inclusive(graph, measure) && any_estimate(&engine::FilteredGroup::inclusive);
    const bool shows_self = options.is_filtered && options.by != SortBy::inclusive;
    const bool has_bounds = shows_self ? any_estimate(&engine::FilteredGroup::bounded_self) : has_estimates;
    const auto bounds = !has_bounds ? Bounds::none : shows_self ? Bounds::of_self : Bounds::of_inclusive;
    const CostColumns columns(graph, measure, style, {}, bounds);
    Table table(columns.columns(std::string(to_string(list.by))));
    for (const auto& group : list.rows) {
        const auto number = counted(group.nodes.size(), "function", style);
        std::vector<std::string> details = {number};
        if (group.cycle.valid()) {
            details = member_texts(graph, measure, group.cycle, style);
            for (auto& members : details) members.insert(0, number + ": ");
        }
        auto name = group_name(group, list.by);
        CostColumns::Row row{{group.self}, group.inclusive.estimate, group.called};
        row.inlined = group.inlined;
        row.inclusive_estimated = !group.inclusive.is_exact();
        row.self_estimated = !group.bounded_self.is_exact();
        const auto& bounded = shows_self ? group.bounded_self : group.inclusive;
        row.bounds = bounds_text(bounded.least, bounded.most, graph, measure, style);
        table.add_row(columns.cells(row, {std::move(name), engine::Tone::plain, std::move(details)}));
    }
    if (list.omitted_rows > 0) {
        auto text = fmt::format("({} more)", count(list.omitted_rows, style));
        table.add_row(
            columns.cells_of_rest({list.omitted_self}, {std::move(text), engine::Tone::dim, options.advice}));
    }
    table.write(out, style);
    if (!has_estimates) return;
    const auto text = fmt::format(
        "{} estimated: groups that call each other overlap, and the profile does not tell by how much{}",
        about,
        bounds == Bounds::of_inclusive ? "; the inclusive cost is within the bounds"
                                       : ". --sort=inclusive and --json have bounds");
    out += fmt::format("\n{}\n", paint(wrapped(text, 0, style), engine::Tone::dim, style));
}

engine::RowColumns<engine::FilteredGroup> group_columns(const CallGraph& graph,
                                                        const std::vector<Measure>& measures, GroupBy by,
                                                        bool is_filtered) {
    using Group = engine::FilteredGroup;
    engine::RowColumns<Group> columns;
    if (by == GroupBy::cycle) {
        columns.add("cycle", [](const Group& group) { return cycle_number(group.cycle); });
    } else {
        columns.add(to_string(by), [](const Group& group) { return std::string_view(group.name); });
    }
    columns.add("functions", [](const Group& group) { return group.nodes.size(); });
    if (is_filtered) {
        columns.add_bounded("self", measures,
                            [](const Group& group, const Measure&) { return group.bounded_self; });
    } else {
        columns.add_costs("self", measures, [](const Group& group, const Measure&) { return group.self; });
    }
    columns.add_bounded("inclusive", measures, [&graph](const Group& group, const Measure& each) {
        return engine::has_inclusive(graph, each) ? std::optional(group.inclusive) : std::nullopt;
    });
    add_called(columns, graph, [](const Group& group) { return group.called; });
    columns.add("in_cycle_of_groups", [](const Group& group) { return group.in_cycle_of_groups; });
    return columns;
}

}  // namespace callcost::program
