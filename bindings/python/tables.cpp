#include "python/tables.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <tuple>
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

/// Most expensive first by the first measure, then by call count and the name of the function at that end.
std::vector<ArcId> sorted_arcs(const CallGraph& graph, std::span<const ArcId> arcs, End end,
                               const Measure* measure) {
    struct Key {
        Cost cost;
        std::uint64_t count;
        FunctionNames names;
        ArcId arc;
    };
    std::vector<Key> keys;
    keys.reserve(arcs.size());
    for (const auto arc : arcs) {
        const auto other = end == End::caller ? graph.caller(arc) : graph.callee(arc);
        const bool has_cost = measure != nullptr && measure->additive;
        keys.push_back({has_cost ? graph.cost(arc, *measure) : Cost(0), graph.count(arc).known,
                        names_of(graph, other), arc});
    }
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
        if (a.cost != b.cost) return a.cost > b.cost;
        if (a.count != b.count) return a.count > b.count;
        return std::tie(a.names, a.arc) < std::tie(b.names, b.arc);
    });
    std::vector<ArcId> sorted;
    sorted.reserve(keys.size());
    for (const auto& key : keys) sorted.push_back(key.arc);
    return sorted;
}

void put_estimate(Rows& rows, const EstimatedCost& cost) {
    rows.put(cost.estimate);
    rows.put(cost.least);
    rows.put(cost.most);
}

/// The node of a match; of a group the first.
std::int32_t first_of(std::span<const NodeId> nodes) {
    return nodes.empty() ? -1 : row_or_none(nodes.front().value);
}

/// What the rows of calls have in common.
void put_call(Rows& rows, const CallGraph& graph, ArcId arc, const MeasureList& measures) {
    const auto count = graph.count(arc);
    rows.put(known(count));
    for (const auto& measure : measures)
        if (measure.additive) rows.put(graph.cost(arc, measure));
    rows.put(graph.recursive(arc));
    rows.put(graph.counted_again(arc));
    rows.put(count.at_least);
    if (graph.profile().has_inlined()) rows.put(graph.inlined(arc));
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
        rows.put(graph.caller(arc).value);
        rows.put(graph.callee(arc).value);
        put_call(rows, graph, arc, measures);
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

Rows neighbour_rows(const CallGraph& graph, NodeId node, End end, const MeasureList& measures) {
    Rows rows;
    const auto& profile = graph.profile();
    const auto arcs = end == End::caller ? graph.callers(node) : graph.callees(node);
    for (const auto arc : sorted_arcs(graph, arcs, end, measures.empty() ? nullptr : &measures.front())) {
        const auto other = end == End::caller ? graph.caller(arc) : graph.callee(arc);
        rows.put(arc.value);
        rows.put(other.value);
        rows.put(profile.file(graph.function(other)).value);
        rows.put(profile.object(graph.function(other)).value);
        put_call(rows, graph, arc, measures);
    }
    return rows;
}

Rows site_rows(const CallGraph& graph, NodeId caller, NodeId callee, const Measure& measure) {
    std::vector<ArcId> arcs;
    for (const auto arc : caller.valid() ? graph.callees(caller) : graph.callers(callee))
        if (!callee.valid() || graph.callee(arc) == callee) arcs.push_back(arc);
    arcs = sorted_arcs(graph, arcs, caller.valid() ? End::callee : End::caller, &measure);
    std::vector<CallSite> sites;
    for (const auto& of_arc : value_of(call_sites(graph, arcs, measure)))
        sites.insert(sites.end(), of_arc.begin(), of_arc.end());
    std::stable_sort(sites.begin(), sites.end(),
                     [](const CallSite& a, const CallSite& b) { return a.cost > b.cost; });
    Rows rows;
    rows.reserve(sites.size(), cell * 7);
    for (const auto& site : sites) {
        rows.put(graph.caller(site.arc).value);
        rows.put(graph.callee(site.arc).value);
        rows.put(site.arc.value);
        rows.put(site.file.value);
        rows.put(site.line);
        rows.put(site.address);
        rows.put(known(site.count));
        if (measure.additive) rows.put(site.cost);
        rows.put(site.count.at_least);
    }
    return rows;
}

Rows frame_rows(const CallGraph& graph, const Tree& tree) {
    Rows rows;
    rows.reserve(tree.frames.size(), cell * 10);
    const auto& profile = graph.profile();
    for (const auto& frame : tree.frames) {
        const bool is_function = frame.kind == FrameKind::function;
        const auto function = is_function ? graph.function(frame.node) : FunctionId();
        rows.put(row_or_none(frame.parent));
        rows.put(frame.level);
        rows.put(is_function ? row_or_none(frame.node.value) : -1);
        rows.put(is_function ? row_or_none(profile.file(function).value) : -1);
        rows.put(is_function ? row_or_none(profile.object(function).value) : -1);
        rows.put(static_cast<std::uint32_t>(frame.kind));
        put_estimate(rows, frame.self);
        put_estimate(rows, frame.inclusive);
        rows.put(frame.partly_paid);
        if (profile.has_inlined()) rows.put(frame.inlined);
    }
    return rows;
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
