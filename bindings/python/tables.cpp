#include "python/tables.hpp"

#include <memory>
#include <span>
#include <utility>

#include "python/errors.hpp"
#include <callcost/lines.hpp>
#include <callcost/profile.hpp>

namespace py = pybind11;

namespace callcost::python {
namespace {

constexpr std::size_t cell = 8;  // bytes of everything but ids

std::int32_t row_or_none(std::uint32_t id) { return static_cast<std::int32_t>(id); }  // none: -1

std::int64_t known(const CallCount& count) { return static_cast<std::int64_t>(count.known); }

void put_change(Rows& rows, const Change& change) {
    rows.put(change.before);
    rows.put(change.after);
    rows.put(change.delta());
}

void put_change(Rows& rows, const std::pair<CallCount, CallCount>& counts) {
    rows.put(known(counts.first));
    rows.put(known(counts.second));
}

/// The node of a match; of a group the first.
std::int32_t first_of(std::span<const NodeId> nodes) {
    return nodes.empty() ? -1 : row_or_none(nodes.front().value);
}

}  // namespace

py::array Rows::to_array(Rows rows) {
    auto owned = std::make_unique<std::vector<std::byte>>(std::move(rows.bytes_));
    auto* bytes = owned.get();
    const py::capsule owner(owned.release(), [](void* memory) {
        delete static_cast<std::vector<std::byte>*>(memory);  // NOLINT(cppcoreguidelines-owning-memory)
    });
    return py::array(py::dtype::of<std::uint8_t>(), {bytes->size()}, {std::size_t{1}}, bytes->data(), owner);
}

Rows function_rows(const CallGraph& graph, const MeasureList& measures) {
    Rows rows;
    rows.reserve(graph.size(), cell * (4 + 4 * measures.size()));
    const auto& profile = graph.profile();
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        const auto function = graph.function(node);
        const auto called = graph.call_count(node);
        rows.put(node.value);
        rows.put(profile.file(function).value);
        rows.put(profile.object(function).value);
        rows.put(row_or_none(graph.cycle(node).value));
        rows.put(known(called));
        for (const auto& measure : measures) rows.put(graph.self(node, measure));
        for (const auto& measure : measures)
            if (measure.additive) rows.put(graph.inclusive(node, measure));
        for (const auto bound : {&BoundedCost::least, &BoundedCost::most})
            for (const auto& measure : measures)
                if (measure.additive) rows.put(graph.inclusive_bounds(node, measure).*bound);
        rows.put(called.at_least);
    }
    return rows;
}

Rows arc_rows(const CallGraph& graph, const MeasureList& measures) {
    Rows rows;
    rows.reserve(graph.arc_count(), cell * (4 + measures.size()));
    for (std::size_t row = 0; row < graph.arc_count(); ++row) {
        const ArcId arc(row);
        const auto count = graph.count(arc);
        rows.put(graph.caller(arc).value);
        rows.put(graph.callee(arc).value);
        rows.put(known(count));
        for (const auto& measure : measures)
            if (measure.additive) rows.put(graph.cost(arc, measure));
        rows.put(graph.recursive(arc));
        rows.put(graph.counted_again(arc));
        rows.put(count.at_least);
    }
    return rows;
}

Rows line_rows(const CallGraph& graph, const MeasureList& measures) {
    Rows rows;
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        for (const auto& file : value_of(function_lines(graph, node, measures))) {
            for (const auto& line : file.lines) {
                rows.put(node.value);
                rows.put(file.file.value);
                rows.put(static_cast<std::int64_t>(line.line));
                for (const auto cost : line.self) rows.put(cost);
            }
        }
    }
    return rows;
}

GroupRows group_rows(const CallGraph& graph, GroupBy by, const MeasureList& measures) {
    FunctionsOptions options;
    if (measures.empty()) {
        options.by = SortBy::name;
    } else {
        options.measure = measures.front();
    }
    const auto first = groups(graph, by, options);
    std::vector<std::size_t> row_of(graph.size());
    for (std::size_t row = 0; row < first.rows.size(); ++row)
        for (const auto node : first.rows[row].nodes) row_of[node.value] = row;
    std::vector<std::vector<BoundedCost>> inclusive(measures.size());
    std::vector<std::vector<Cost>> self(measures.size());
    for (std::size_t i = 0; i < measures.size(); ++i) {
        inclusive[i].resize(first.rows.size());
        self[i].resize(first.rows.size());
        const auto others = i == 0 ? GroupList() : groups(graph, by, {.measure = measures[i]});
        for (const auto& group : i == 0 ? first.rows : others.rows) {
            const auto row = row_of[group.nodes.front().value];
            inclusive[i][row] = group.inclusive;
            self[i][row] = group.self;
        }
    }

    GroupRows found;
    found.names.reserve(first.rows.size());
    auto& rows = found.rows;
    for (std::size_t row = 0; row < first.rows.size(); ++row) {
        const auto& group = first.rows[row];
        found.names.push_back(group.name);
        rows.put(row_or_none(group.cycle.value));
        rows.put(static_cast<std::uint32_t>(group.nodes.size()));
        rows.put(known(group.called));
        for (std::size_t i = 0; i < measures.size(); ++i) rows.put(self[i][row]);
        for (const auto part : {&BoundedCost::estimate, &BoundedCost::least, &BoundedCost::most})
            for (std::size_t i = 0; i < measures.size(); ++i)
                if (measures[i].additive) rows.put(inclusive[i][row].*part);
        rows.put(group.called.at_least);
    }
    return found;
}

Rows change_rows(const Diff& diff) {
    Rows rows;
    rows.reserve(diff.functions().size(), cell * 10);
    for (const auto& function : diff.functions()) {
        rows.put(function.id.value);
        rows.put(static_cast<std::uint32_t>(function.tier));
        rows.put(first_of(function.before));
        rows.put(first_of(function.after));
        put_change(rows, diff.call_count(function));
        put_change(rows, diff.self(function));
        put_change(rows, diff.inclusive(function));
    }
    return rows;
}

Rows arc_change_rows(const Diff& diff) {
    Rows rows;
    rows.reserve(diff.arcs().size(), cell * 6);
    for (const auto& arc : diff.arcs()) {
        rows.put(arc.caller.value);
        rows.put(arc.callee.value);
        put_change(rows, diff.count(arc));
        put_change(rows, diff.cost(arc));
    }
    return rows;
}

}  // namespace callcost::python
