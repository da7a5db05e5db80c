#include "python/inlined.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <pybind11/stl.h>

#include "python/errors.hpp"
#include <callcost/inlining.hpp>

namespace py = pybind11;

namespace callcost::python {
namespace {

/// A character is a byte.
std::string bytes_of(const py::handle& name) { return py::bytes(py::str(name).attr("encode")("latin-1")); }

std::uint32_t row_of(const py::handle& value) {
    const auto row = py::cast<std::int64_t>(value);
    if (row < -1 || row >= std::int64_t{InlineSite::none})
        throw py::value_error("no row of a map of inlined code");
    return row < 0 ? InlineSite::none : static_cast<std::uint32_t>(row);
}

py::list list_in(const py::dict& map, const char* name, std::size_t together = 1) {
    py::list list = map[name];
    if (list.size() % together != 0)
        throw py::value_error(std::string(name) + " of a map of inlined code break off");
    return list;
}

InlineMap map_of(const py::dict& from) {
    InlineMap map;
    map.object = bytes_of(from["object"]);
    for (const auto& file : list_in(from, "files")) map.files.push_back(bytes_of(file));
    for (const auto& function : list_in(from, "functions")) {
        const auto [name, file, line] = py::cast<std::tuple<py::str, py::str, std::uint64_t>>(function);
        map.functions.push_back({bytes_of(name), bytes_of(file), line});
    }
    const auto sites = list_in(from, "sites", 5);
    for (std::size_t i = 0; i < sites.size(); i += 5)
        map.sites.push_back({row_of(sites[i]), row_of(sites[i + 1]), row_of(sites[i + 2]),
                             py::cast<std::uint64_t>(sites[i + 3]), py::cast<std::uint64_t>(sites[i + 4])});
    const auto runs = list_in(from, "runs", 2);
    std::uint64_t address = 0;
    for (std::size_t i = 0; i < runs.size(); i += 2) {
        address += py::cast<std::uint64_t>(runs[i]);
        map.runs.push_back({address, row_of(runs[i + 1])});
    }
    if (!from.contains("lines")) return map;
    const auto lines = list_in(from, "lines", 3);
    address = 0;
    for (std::size_t i = 0; i < lines.size(); i += 3) {
        address += py::cast<std::uint64_t>(lines[i]);
        map.lines.push_back({address, row_of(lines[i + 1]), py::cast<std::uint64_t>(lines[i + 2])});
    }
    return map;
}

std::int64_t or_unknown(const std::optional<std::uint64_t>& entries) {
    return entries ? static_cast<std::int64_t>(*entries) : -1;
}

}  // namespace

CallGraph expand(const CallGraph& graph, const py::list& maps) {
    std::vector<InlineMap> all;
    for (const auto& map : maps) all.push_back(map_of(py::cast<py::dict>(map)));
    const py::gil_scoped_release no_gil;
    return value_of(call_graph(value_of(expand_inlined(graph.profile(), all))));
}

Rows inlined_rows(const CallGraph& graph, const MeasureList& measures) {
    Rows rows;
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        bool is_any = false;
        for (const FunctionId function : graph.functions(node))
            is_any = is_any || graph.profile().inlined_in(function).valid();
        if (!is_any) continue;
        rows.put(node.value);
        rows.put(graph.profile().file(graph.function(node)).value);
        rows.put(or_unknown(graph.entries(node)));
        for (const auto& measure : measures) rows.put(graph.inlined_self(node, measure));
    }
    return rows;
}

Rows place_rows(const CallGraph& graph, const MeasureList& measures) {
    Rows rows;
    const auto& profile = graph.profile();
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const FunctionId function(row);
        const auto place = profile.inlined_place(function);
        if (!place.in.valid()) continue;
        const auto node = graph.node_of(function), in = graph.node_of(place.in);
        const auto host = graph.node_of(profile.host(function));
        if (!node.valid() || !in.valid() || !host.valid()) continue;
        rows.put(node.value);
        rows.put(in.value);
        rows.put(host.value);
        rows.put(place.file.value);
        rows.put(place.line);
        rows.put(or_unknown(place.entries));
        for (const auto& measure : measures) {
            Cost self = 0;
            for (const auto& [event, factor] : measure.terms) self += profile.self(function, event) * factor;
            rows.put(self);
        }
    }
    return rows;
}

}  // namespace callcost::python
