/// callcost._native: what the package callcost is made of. Its functions take and give simple values; the
/// classes that people use are in Python.

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "python/errors.hpp"
#include "python/file_writer.hpp"
#include "python/inlined.hpp"
#include "python/sources.hpp"
#include "python/tables.hpp"
#include <callcost/callcost.hpp>

namespace py = pybind11;

namespace callcost::python {
namespace {

using NoGil = py::call_guard<py::gil_scoped_release>;

Rows without_gil(const auto& make) {
    const py::gil_scoped_release no_gil;
    return make();
}

template <class Id>
py::list names(std::size_t count, const auto& name_of) {
    py::list all(count);
    for (std::size_t row = 0; row < count; ++row) all[row] = text(name_of(Id(row)));
    return all;
}

py::object number_of(const HeaderNumber& number, unsigned usual) {
    return py::int_(number.number.value_or(usual));
}

py::dict costs_of(const Profile& profile, const Costs& costs) {
    py::dict all;
    for (const auto& [event, cost] : costs.cells())
        all[text(profile.events()[event.value].name)] = static_cast<std::int64_t>(cost);
    return all;
}

py::dict part_of(const Profile& profile, PartId id) {
    const auto& part = profile.parts()[id.value];
    py::dict row;
    row["source"] = text(profile.sources()[part.source].name);
    row["part"] = number_of(part.part, 1);
    row["thread"] = number_of(part.thread, 1);
    row["pid"] = number_of(part.pid, 0);
    row["command"] = text(part.command);
    row["creator"] = text(part.creator);
    row["trigger"] = text(part.trigger);
    row["timerange"] = text(part.timerange);
    row["cost_lines"] = part.cost_lines;
    row["call_records"] = part.call_records;
    row["called"] = part.call_count;
    row["called_at_least"] = part.calls_at_least;
    row["self"] = costs_of(profile, part.self);
    row["summary"] = part.summary ? py::object(costs_of(profile, *part.summary)) : py::none();
    row["totals"] = part.totals ? py::object(costs_of(profile, *part.totals)) : py::none();
    return row;
}

py::list parts_of(const CallGraph& graph) {
    py::list all;
    for (const auto id : graph.parts()) all.append(part_of(graph.profile(), id));
    return all;
}

py::list diagnostics_of(const Profile& profile, const std::vector<Diagnostic>& diagnostics) {
    py::list all;
    for (const auto& diagnostic : diagnostics) {
        const auto& kind = kind_of(diagnostic.id);
        const auto& places = diagnostic.places;
        py::dict row;
        row["id"] = text(kind.name);
        row["severity"] = text(to_string(kind.severity));
        row["message"] = text(kind.message);
        row["hint"] = text(kind.hint);
        row["rule"] = text(kind.rule);
        row["count"] = diagnostic.count;
        row["source"] = text(places.empty() ? "" : profile.sources()[places[0].source].name);
        row["line"] = places.empty() ? 0 : places[0].line;
        row["column"] = places.empty() ? 0 : places[0].column;
        row["excerpt"] = text(places.empty() ? "" : places[0].excerpt);
        all.append(row);
    }
    return all;
}

py::list diagnostics_of_graph(const CallGraph& graph) {
    const auto& profile = graph.profile();
    std::vector<Diagnostic> all(profile.diagnostics().begin(), profile.diagnostics().end());
    for (const auto& more : {formula_diagnostics(profile), analysis_diagnostics(graph)})
        all.insert(all.end(), more.begin(), more.end());
    return diagnostics_of(profile, all);
}

std::string_view name_of(Verdict verdict) {
    constexpr std::string_view all[] = {"holds", "not-applicable", "expected", "broken"};
    return all[static_cast<std::size_t>(verdict)];
}

std::string_view name_of(const ReaderReport& reader) {
    constexpr std::string_view all[] = {"differs", "wrong", "refuses"};
    return reader.hindrances.empty() ? "right" : all[static_cast<std::size_t>(reader.hindrances[0].effect)];
}

std::string_view name_of(FrameKind kind) {
    constexpr std::string_view all[] = {"function", "not_expanded", "unbalanced", "unrecorded_callees",
                                        "unattributed"};
    return all[static_cast<std::size_t>(kind)];
}

/// None: an invalid node.
NodeId node_of(const CallGraph& graph, std::optional<std::size_t> row) {
    if (!row) return {};
    if (*row >= graph.size()) throw py::index_error("no such function: " + std::to_string(*row));
    return NodeId(*row);
}

py::tuple groups_of(const CallGraph& graph, GroupBy by, const MeasureList& measures) {
    auto found = [&] {
        const py::gil_scoped_release no_gil;
        return group_rows(graph, by, measures);
    }();
    py::list all;
    for (const auto& name : found.names) all.append(text(name));
    return py::make_tuple(all, Rows::to_array(std::move(found.rows)));
}

py::array neighbours_of(const CallGraph& graph, std::size_t row, End end, const MeasureList& measures) {
    const auto node = node_of(graph, row);
    return Rows::to_array(without_gil([&] { return neighbour_rows(graph, node, end, measures); }));
}

py::array sites_of(const CallGraph& graph, std::optional<std::size_t> caller,
                   std::optional<std::size_t> callee, const Measure& measure) {
    const auto from = node_of(graph, caller), to = node_of(graph, callee);
    return Rows::to_array(without_gil([&] { return site_rows(graph, from, to, measure); }));
}

py::dict facts_of(const Tree& tree) {
    py::dict facts;
    facts["estimated"] = !tree.exact;
    facts["inclusive"] = tree.inclusive;
    facts["certain"] = tree.certain;
    facts["certainty"] = tree.certainty();
    facts["not_expanded"] = tree.not_expanded;
    facts["unbalanced"] = tree.unbalanced;
    facts["unrecorded_callees"] = tree.unrecorded_callees;
    facts["unattributed"] = tree.unattributed;
    facts["partly_paid"] = tree.partly_paid;
    facts["negative"] = static_cast<std::int64_t>(tree.negative);
    return facts;
}

py::tuple tree_of(const CallGraph& graph, const Measure& measure, TreeDirection direction,
                  Recursion recursion, std::optional<std::size_t> root,
                  const std::tuple<std::size_t, std::optional<std::size_t>, double>& limits) {
    TreeOptions options{.measure = measure, .direction = direction, .recursion = recursion};
    options.max_frames = std::get<0>(limits);
    options.max_levels = std::get<1>(limits).value_or(options.max_levels);
    options.min_weight = std::get<2>(limits);
    if (const auto chosen = node_of(graph, root); chosen.valid())
        options.root = [chosen](NodeId node) { return node == chosen; };
    Tree tree;
    auto rows = without_gil([&] {
        auto exact = exact_tree(graph, recorded_stacks(graph.profile()), options);
        tree = exact ? *std::move(exact) : estimate_tree(graph, options);
        return frame_rows(graph, tree);
    });
    return py::make_tuple(facts_of(tree), Rows::to_array(std::move(rows)));
}

/// What frames of functions are called.
py::list frame_names(const CallGraph& graph, Recursion recursion) {
    const ContextNames contexts(graph.profile());
    Frame frame;
    return names<NodeId>(graph.size(), [&](NodeId id) {
        frame.node = id;
        return recursion == Recursion::unfold ? graph.name(id) : frame_label(graph, contexts, frame);
    });
}

py::dict changes_of(const std::vector<std::optional<std::int64_t>>& costs, double threshold, bool exact) {
    const auto found = [&] {
        const py::gil_scoped_release no_gil;
        const std::vector<std::optional<Cost>> values(costs.begin(), costs.end());
        return change_points(values, {.threshold = threshold, .exact = exact});
    }();
    py::list points;
    for (const auto& point : found.points)
        points.append(py::make_tuple(point.at, static_cast<std::int64_t>(point.level.before),
                                     static_cast<std::int64_t>(point.level.after), point.count_before,
                                     point.count_after));
    py::dict changes;
    changes["points"] = points;
    changes["exact"] = found.exact;
    changes["noise"] = found.noise;
    return changes;
}

py::dict report_of(const Examination& examined) {
    py::list checks;
    for (const auto& check : examined.report.checks) {
        const auto& kind = kind_of(check.id);
        const bool is_broken = check.verdict == Verdict::expected || check.verdict == Verdict::broken;
        py::dict row;
        row["number"] = text(kind.number);
        row["name"] = text(kind.name);
        row["verdict"] = text(name_of(check.verdict));
        row["severity"] = is_broken ? py::object(text(to_string(severity_of(check)))) : py::none();
        row["count"] = check.count;
        row["line"] = check.breaches.empty() ? 0 : check.breaches[0].place.line;
        row["subject"] = text(check.breaches.empty() ? "" : check.breaches[0].subject);
        checks.append(row);
    }
    py::dict readers;
    for (const auto& reader : examined.report.readers) {
        py::list reasons;
        for (const auto& hindrance : reader.hindrances) reasons.append(text(to_string(hindrance.trait)));
        readers[text(to_string(reader.reader))] = py::make_tuple(text(name_of(reader)), reasons);
    }
    py::dict report;
    report["producer"] = text(examined.report.producer);
    report["diagnostics"] = diagnostics_of(examined.profile, examined.diagnostics);
    report["checks"] = checks;
    report["readers"] = readers;
    return report;
}

CallGraph select(const CallGraph& graph, std::vector<std::uint64_t> parts, std::vector<std::uint64_t> threads,
                 std::vector<std::uint64_t> pids, bool fold, Inlined inlined) {
    return value_of(call_graph(graph.profile(), {.parts = std::move(parts),
                                                 .threads = std::move(threads),
                                                 .pids = std::move(pids),
                                                 .contexts = fold ? Contexts::fold : Contexts::keep,
                                                 .inlined = inlined}));
}

py::dict dict_of(const LeftOut& left_out) {
    py::dict all;
    all["calls"] = left_out.calls;
    all["jumps"] = left_out.jumps;
    all["addresses"] = left_out.addresses;
    all["objects"] = left_out.objects;
    all["formulas"] = left_out.formulas;
    all["negative_costs"] = left_out.negative_costs;
    all["changed_names"] = left_out.changed_names;
    all["unknown_counts"] = left_out.unknown_counts;
    all["summaries"] = left_out.summaries;
    return all;
}

py::dict write(const CallGraph& graph, const py::function& to, FileDialect dialect, bool canonical,
               bool without_calls) {
    const auto sink = sink_of(to);
    const auto left_out = [&] {
        const py::gil_scoped_release no_gil;
        return value_of(write_profile(graph.profile(), sink,
                                      {.dialect = dialect,
                                       .parts = graph.parts(),
                                       .canonical = canonical,
                                       .without_calls = without_calls}));
    }();
    return dict_of(left_out);
}

CallGraph merge(const std::vector<CallGraph>& graphs) {
    ProfileMerger merger;
    for (const auto& graph : graphs) value_of(merger.add(graph.profile(), graph.parts()));
    return value_of(call_graph(value_of(std::move(merger).finish())));
}

void define_measure(py::module_& module) {
    py::class_<Measure>(module, "Measure")
        .def_property_readonly("name", [](const Measure& measure) { return text(measure.name); })
        .def_property_readonly("long_name", [](const Measure& measure) { return text(measure.long_name); })
        .def_property_readonly("unit", [](const Measure& measure) { return text(measure.unit); })
        .def_property_readonly("formula", [](const Measure& measure) { return text(measure.formula); })
        .def_readonly("additive", &Measure::additive);
}

void define_graph(py::module_& module) {
    py::class_<Profile>(module, "Model")
        .def(
            "graph", [](const Profile& profile) { return value_of(call_graph(profile)); }, NoGil());
    py::class_<CallGraph>(module, "Graph")
        .def_property_readonly(
            "detail", [](const CallGraph& graph) { return graph.profile().detail() == Detail::full; })
        .def_property_readonly("event_count",
                               [](const CallGraph& graph) { return graph.profile().events().size(); })
        .def("sources",
             [](const CallGraph& graph) {
                 py::list all;
                 for (const auto& source : graph.profile().sources()) all.append(text(source.name));
                 return all;
             })
        .def("parts", parts_of)
        .def("measures", [](const CallGraph& graph) { return measures(graph.profile()); })
        .def("find", [](const CallGraph& graph,
                        const std::string& name) { return value_of(find_measure(graph.profile(), name)); })
        .def("default_measure", [](const CallGraph& graph) { return default_measure(graph); })
        .def("total", [](const CallGraph& graph,
                         const Measure& measure) { return static_cast<std::int64_t>(graph.total(measure)); })
        .def("function_names",
             [](const CallGraph& graph) {
                 return names<NodeId>(graph.size(), [&](NodeId id) { return graph.name(id); });
             })
        .def("file_names",
             [](const CallGraph& graph) {
                 const auto& profile = graph.profile();
                 return names<FileId>(profile.file_count(), [&](FileId id) { return profile.name(id); });
             })
        .def("object_names",
             [](const CallGraph& graph) {
                 const auto& profile = graph.profile();
                 return names<ObjectId>(profile.object_count(),
                                        [&](ObjectId id) { return profile.name(id); });
             })
        .def("functions",
             [](const CallGraph& graph, const MeasureList& measures) {
                 return Rows::to_array(without_gil([&] { return function_rows(graph, measures); }));
             })
        .def("arcs",
             [](const CallGraph& graph, const MeasureList& measures) {
                 return Rows::to_array(without_gil([&] { return arc_rows(graph, measures); }));
             })
        .def("groups", groups_of)
        .def("callers",
             [](const CallGraph& graph, std::size_t row, const MeasureList& measures) {
                 return neighbours_of(graph, row, End::caller, measures);
             })
        .def("callees",
             [](const CallGraph& graph, std::size_t row, const MeasureList& measures) {
                 return neighbours_of(graph, row, End::callee, measures);
             })
        .def("call_sites", sites_of)
        .def("tree", tree_of)
        .def("frame_names", frame_names)
        .def("lines",
             [](const CallGraph& graph, const MeasureList& measures) {
                 return Rows::to_array(without_gil([&] { return line_rows(graph, measures); }));
             })
        .def("has_inlined", [](const CallGraph& graph) { return graph.profile().has_inlined(); })
        .def("expand", expand)
        .def("inlined",
             [](const CallGraph& graph, const MeasureList& measures) {
                 return Rows::to_array(without_gil([&] { return inlined_rows(graph, measures); }));
             })
        .def("inlined_places",
             [](const CallGraph& graph, const MeasureList& measures) {
                 return Rows::to_array(without_gil([&] { return place_rows(graph, measures); }));
             })
        .def("diagnostics", diagnostics_of_graph)
        .def("select", select, NoGil())
        .def("write", write);
}

void define_diff(py::module_& module) {
    py::class_<Diff>(module, "Diff")
        .def_property_readonly("event", [](const Diff& diff) { return text(diff.measure_after().name); })
        .def("total",
             [](const Diff& diff) {
                 const auto total = diff.total();
                 return std::pair<std::int64_t, std::int64_t>(total.before, total.after);
             })
        .def("function_names",
             [](const Diff& diff) {
                 return names<MatchId>(diff.functions().size(),
                                       [&](MatchId id) { return diff.name(diff.function(id)); });
             })
        .def("file_names",
             [](const Diff& diff) {
                 return names<MatchId>(diff.functions().size(),
                                       [&](MatchId id) { return diff.file(diff.function(id)); });
             })
        .def("object_names",
             [](const Diff& diff) {
                 return names<MatchId>(diff.functions().size(),
                                       [&](MatchId id) { return diff.object(diff.function(id)); });
             })
        .def("functions",
             [](const Diff& diff) { return Rows::to_array(without_gil([&] { return change_rows(diff); })); })
        .def("arcs", [](const Diff& diff) {
            return Rows::to_array(without_gil([&] { return arc_change_rows(diff); }));
        });
}

void define_functions(py::module_& module) {
    module.def("read", [](const py::list& inputs, bool is_full, unsigned threads) {
        return read_inputs(inputs,
                           {.detail = is_full ? Detail::full : Detail::functions, .threads = threads});
    });
    module.def("check", [](const py::list& inputs, bool is_compressed, unsigned threads) {
        return report_of(examine_inputs(inputs, is_compressed, threads));
    });
    module.def("merge", merge, NoGil());
    module.def(
        "diff",
        [](const CallGraph& before, const CallGraph& after, MatchMode match,
           std::optional<std::string> event) {
            return value_of(diff(before, after, {.match = match, .measure = std::move(event)}));
        },
        NoGil());
    module.def("tiers", [] {
        py::list all;
        for (auto tier = 0; tier <= static_cast<int>(MatchTier::unmatched); ++tier)
            all.append(text(to_string(static_cast<MatchTier>(tier))));
        return all;
    });
    module.def("frame_kinds", [] {
        py::list all;
        for (auto kind = 0; kind <= static_cast<int>(FrameKind::unattributed); ++kind)
            all.append(text(name_of(static_cast<FrameKind>(kind))));
        return all;
    });
    module.def("change_points", changes_of);
    module.def("counts_exactly", counts_exactly);
    module.def("version", [] { return text(version()); });
}

void define_enums(py::module_& module) {
    py::enum_<FileDialect>(module, "FileDialect")
        .value("portable", FileDialect::portable)
        .value("compact", FileDialect::compact)
        .value("strict", FileDialect::strict)
        .value("cachegrind", FileDialect::cachegrind);
    py::enum_<GroupBy>(module, "GroupBy")
        .value("object", GroupBy::object)
        .value("file", GroupBy::file)
        .value("directory", GroupBy::directory)
        .value("namespace", GroupBy::name_space)
        .value("cycle", GroupBy::cycle);
    py::enum_<TreeDirection>(module, "TreeDirection")
        .value("callees", TreeDirection::callees)
        .value("callers", TreeDirection::callers);
    py::enum_<Recursion>(module, "Recursion")
        .value("fold", Recursion::fold)
        .value("unfold", Recursion::unfold);
    py::enum_<Inlined>(module, "Inlined")
        .value("fold", Inlined::fold)
        .value("keep", Inlined::keep)
        .value("in_host", Inlined::in_host);
    py::enum_<MatchMode>(module, "MatchMode")
        .value("exact", MatchMode::exact)
        .value("canonical", MatchMode::canonical)
        .value("fuzzy", MatchMode::fuzzy);
}

}  // namespace

void define_all(py::module_& module) {
    translate_failures();
    define_enums(module);
    define_measure(module);
    define_graph(module);
    define_diff(module);
    define_functions(module);
    define_file_writer(module);
}

}  // namespace callcost::python

PYBIND11_MODULE(_native, module) { callcost::python::define_all(module); }
