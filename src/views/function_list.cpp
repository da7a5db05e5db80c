#include "views/function_list.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "render/names.hpp"
#include "render/numbers.hpp"
#include "render/profile_facts.hpp"

namespace callcost::render {
namespace {

constexpr double hot_share = 0.1;
constexpr std::size_t least_width_for_bars = 120;
constexpr std::size_t bar_width = 8;
constexpr std::string_view unknown_name = "???";

/// The files by name, or how many they are.
std::string files_text(const Profile& profile) {
    constexpr std::size_t most = 3;
    const auto sources = profile.sources();
    std::string text = sources.size() == 1 ? "" : fmt::format("{} files: ", sources.size());
    for (std::size_t i = 0; i < std::min(most, sources.size()); ++i) {
        if (i > 0) text += ", ";
        text += source_name(sources[i]);
    }
    return sources.size() > most ? text + ", ..." : text;
}

std::string total_text(const CallGraph& graph, const Measure& measure, const Style& style) {
    auto label = display_name(measure.name);
    if (!measure.long_name.empty() && measure.long_name != measure.name) {
        label += fmt::format(" ({})", display_name(measure.long_name));
    }
    if (!measure.formula.empty() && measure.formula != measure.name)
        label += " = " + display_name(measure.formula);
    if (!measure.additive) return label + ": does not add up, so there are no totals and no inclusive costs";
    return fmt::format("{} {}", cost(graph.total(measure), style), label);
}

std::string base_name(std::string_view path) {
    return std::string(path.substr(path.find_last_of("/\\") + 1));  // all of it if there is no slash
}

}  // namespace

std::string at_most(const Style& style) { return style.unicode ? "\u2264" : "<="; }

bool is_hot(std::int64_t part, std::int64_t whole) {
    return whole != 0 && static_cast<double>(part) / static_cast<double>(whole) >= hot_share;
}

void write_heading(std::string& out, const CallGraph& graph, const Measure& measure, const Style& style) {
    Table facts({{}, {}});
    const auto fact = [&](const char* name, std::string text, Tone tone = Tone::plain) {
        if (!text.empty()) facts.add_row({{name, Tone::dim}, {std::move(text), tone}});
    };
    fact("profile", files_text(graph.profile()));
    fact("command", display_name(first_text(selected_part_facts(graph), &Part::command)));
    const auto all_parts = graph.profile().parts().size();
    if (graph.parts().size() < all_parts)
        fact("parts", fmt::format("{} of {}", graph.parts().size(), all_parts));
    fact(measure.additive ? "total" : "event", total_text(graph, measure, style), Tone::strong);
    if (!has_calls(graph) && graph.size() > 0) {
        fact("note", fmt::format("{} no calls, so there are no inclusive costs",
                                 is_cachegrind(graph) ? "Cachegrind records" : "this profile has"));
    }
    if (const auto base = percentage_base(graph, measure);
        style.shares && measure.additive && base != graph.total(measure)) {
        fact("note",
             fmt::format("the total is 0; percentages are of {}, which is what the file declares or its "
                         "largest inclusive cost",
                         cost(base, style)));
    }
    facts.write(out, style);
}

void write_filter_note(std::string& out, const CallGraph& graph, const Measure& measure,
                       const FilterNote& note, const Style& style) {
    const auto& [filters, filtered] = note;
    const bool is_exact = filtered->least == filtered->most;
    std::string text;
    if (measure.additive) {
        const auto base = percentage_base(graph, measure);
        const auto most = percent(filtered->most, base);
        text = is_exact ? fmt::format("{} of the total is shown", most)
                        : fmt::format("between {} and {} of the total is shown",
                                      percent(filtered->least, base), most);
    }
    Table facts({{}, {}});
    facts.add_row({{"filter ", Tone::dim}, {display_name(filters), Tone::strong}});
    if (!text.empty()) facts.add_row({{"shown", Tone::dim}, {text, Tone::strong}});
    const auto is_some = [](Kept kept) { return kept == Kept::some; };
    if (std::any_of(filtered->self.begin(), filtered->self.end(), is_some) ||
        std::any_of(filtered->inclusive.begin(), filtered->inclusive.end(), is_some)) {
        facts.add_row({{"note", Tone::dim},
                       fmt::format("{} at most: also called from elsewhere; for whom is not recorded",
                                   at_most(style))});
    }
    facts.write(out, style);
}

CostColumns::CostColumns(const CallGraph& graph, const Measure& measure, const Style& style)
    : style_(style),
      additive_(measure.additive),
      shares_(measure.additive && style.shares),
      bars_(measure.additive && style.unicode && style.width >= least_width_for_bars),
      inclusive_(has_inclusive(graph, measure)),
      calls_(has_calls(graph)),
      base_(percentage_base(graph, measure)) {}

std::string CostColumns::share(std::int64_t part) const {
    return additive_ ? percent(part, base_) : std::string();
}

std::vector<Column> CostColumns::columns(std::string title_of_last) const {
    std::vector<Column> columns = {{"self", Align::right}};
    if (shares_) columns.push_back({"self%", Align::right});
    if (bars_) columns.push_back({});
    if (inclusive_) {
        columns.push_back({"inclusive", Align::right});
        if (shares_) columns.push_back({"incl%", Align::right});
    }
    if (calls_) columns.push_back({"called", Align::right});
    columns.push_back({std::move(title_of_last)});
    return columns;
}

std::vector<Cell> CostColumns::cells(const Row& row, Cell last) const {
    std::vector<Cell> cells;
    const auto tone = additive_ && is_hot(row.self, base_) ? Tone::hot : Tone::plain;
    const auto text = [&](std::int64_t value, bool is_at_most) {
        return (is_at_most ? at_most(style_) : "") + cost(value, style_);
    };
    const auto share_text = [&](std::int64_t value, bool is_at_most) {
        return (is_at_most ? at_most(style_) : "") + share(value);
    };
    cells.emplace_back(text(row.self, row.self_at_most), tone);
    if (shares_) cells.emplace_back(share_text(row.self, row.self_at_most), tone);
    if (bars_) cells.emplace_back(bar(row.self, base_, bar_width), tone);
    if (inclusive_) {
        cells.emplace_back(text(row.inclusive, row.inclusive_at_most));
        if (shares_) cells.emplace_back(share_text(row.inclusive, row.inclusive_at_most));
    }
    if (calls_) cells.emplace_back(calls(row.called, style_));
    cells.push_back(std::move(last));
    return cells;
}

std::vector<Cell> CostColumns::cells_of_rest(std::int64_t self, Cell last) const {
    std::vector<Cell> cells;
    cells.emplace_back(additive_ ? cost(self, style_) : "", Tone::dim);
    if (shares_) cells.emplace_back(share(self), Tone::dim);
    if (bars_) cells.emplace_back("");
    if (inclusive_) cells.insert(cells.end(), shares_ ? 2 : 1, "");
    if (calls_) cells.emplace_back("");
    cells.push_back(std::move(last));
    return cells;
}

std::vector<std::string> location_texts(const CallGraph& graph, NodeId node) {
    const auto file = graph.file(node) == unknown_name ? std::string() : display_name(graph.file(node));
    const auto object = graph.object(node) == unknown_name ? std::string() : display_name(graph.object(node));
    const auto text = [](std::string_view file_name, std::string_view object_name) {
        auto joined = std::string(file_name);
        if (!object_name.empty()) joined += fmt::format("{}[{}]", joined.empty() ? "" : " ", object_name);
        return joined;
    };
    return {text(file, object), text(file, base_name(object)), text(base_name(file), base_name(object)),
            base_name(file.empty() ? object : file)};
}

void write_function_table(std::string& out, const CallGraph& graph, const Measure& measure,
                          const FunctionList& list, const std::vector<std::string>& advice,
                          const Style& style, const Filtered* filtered) {
    const CostColumns columns(graph, measure, style);
    Table table(columns.columns("function"));
    for (const auto& row : list.rows) {
        auto name = display_name(graph.name(row.node));
        if (const auto cycle = cycle_number(graph.cycle(row.node)))
            name += fmt::format(" (cycle {})", *cycle);
        const bool self_at_most = filtered != nullptr && filtered->self[row.node.value] == Kept::some;
        const bool inclusive_at_most =
            filtered != nullptr && filtered->inclusive[row.node.value] == Kept::some;
        table.add_row(
            columns.cells({row.self, row.inclusive, graph.called(row.node), self_at_most, inclusive_at_most},
                          {std::move(name), Tone::plain, location_texts(graph, row.node)}));
    }
    if (list.omitted_rows > 0) {
        auto text = fmt::format("({})", counted(list.omitted_rows, "more function", style));
        table.add_row(columns.cells_of_rest(list.omitted_self, {std::move(text), Tone::dim, advice}));
    }
    if (table.empty()) {
        out += "no functions\n";
    } else {
        table.write(out, style);
    }
}

// --- JSON -------------------------------------------------------------------------------------------------

void write_measures(JsonWriter& json, const CallGraph& graph, const Measure& measure,
                    const std::vector<Measure>& measures) {
    json.member("event", measure.name);
    json.key("events");
    json.begin_array();
    for (const auto& each : measures) json.value(each.name);
    json.end_array();
    write_costs(json, "total", measures, [&](const Measure& each) {
        return each.additive ? std::optional(graph.total(each)) : std::nullopt;
    });
}

void write_function_rows(JsonWriter& json, std::string_view name, const CallGraph& graph,
                         const FunctionList& list, const std::vector<Measure>& measures,
                         const Filtered* filtered) {
    const ContextNames contexts(graph.profile());
    json.key(name);
    json.begin_array(JsonLayout::rows);
    for (const auto& row : list.rows) {
        json.begin_object();
        write_function_members(json, graph, contexts, row.node, measures);
        if (filtered != nullptr) {
            json.member("self_is_exact", filtered->self[row.node.value] != Kept::some);
            json.member("inclusive_is_exact", filtered->inclusive[row.node.value] != Kept::some);
        }
        json.end_object();
    }
    json.end_array();
    write_omitted(json, graph, list, measures);
}

void write_omitted(JsonWriter& json, const CallGraph& graph, const FunctionList& list,
                   const std::vector<Measure>& measures) {
    json.key("omitted");
    json.begin_object();
    json.member("rows", list.omitted_rows);
    write_costs(json, "self", measures, [&](const Measure& each) -> std::optional<std::int64_t> {
        if (!each.additive) return std::nullopt;
        auto rest = static_cast<std::uint64_t>(graph.total(each));
        for (const auto& row : list.rows) rest -= static_cast<std::uint64_t>(graph.self(row.node, each));
        return static_cast<std::int64_t>(rest);
    });
    json.end_object();
}

void write_function_members(JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                            NodeId node, const std::vector<Measure>& measures) {
    write_function_identity(json, graph, contexts, node);
    write_costs(json, "self", measures, [&](const Measure& each) { return graph.self(node, each); });
    write_costs(json, "inclusive", measures, [&](const Measure& each) {
        return has_inclusive(graph, each) ? std::optional(graph.inclusive(node, each)) : std::nullopt;
    });
    json.member("called", known_calls(graph, graph.called(node)));
    json.member("cycle", cycle_number(graph.cycle(node)));
}

void write_function_identity(JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                             NodeId node) {
    auto name = graph.name(node);
    std::string_view context;
    // A folded node has its plain name already.
    if (const auto pieces = contexts.split(graph.function(node)); name != pieces.name) {
        name = pieces.name;
        context = pieces.context;
    }
    json.member("function", name);
    json.member("file", graph.file(node));
    json.member("object", graph.object(node));
    json.member("context", if_any(context));
}

void write_function_rows(CsvWriter& csv, const CallGraph& graph, const FunctionList& list,
                         const std::vector<Measure>& measures, const Filtered* filtered) {
    std::vector<std::string> titles = {"function", "file", "object", "called", "cycle"};
    if (filtered != nullptr) titles.insert(titles.end(), {"self_is_exact", "inclusive_is_exact"});
    add_titles(titles, "self", measures);
    add_titles(titles, "inclusive", measures);
    csv.header(titles);
    for (const auto& row : list.rows) {
        csv.text(graph.name(row.node));
        csv.text(graph.file(row.node));
        csv.text(graph.object(row.node));
        csv.number(known_calls(graph, graph.called(row.node)));
        csv.number(cycle_number(graph.cycle(row.node)));
        if (filtered != nullptr) {
            csv.text(filtered->self[row.node.value] != Kept::some ? "yes" : "no");
            csv.text(filtered->inclusive[row.node.value] != Kept::some ? "yes" : "no");
        }
        for (const auto& each : measures) csv.number(graph.self(row.node, each));
        for (const auto& each : measures)
            csv.number(has_inclusive(graph, each) ? std::optional(graph.inclusive(row.node, each))
                                                  : std::nullopt);
        csv.end_row();
    }
}

std::optional<std::uint64_t> known_calls(const CallGraph& graph, const CallCount& count) {
    const bool is_unknown = (count.at_least && count.known == 0) || !has_calls(graph);
    return is_unknown ? std::nullopt : std::optional(count.known);
}

std::optional<std::uint64_t> cycle_number(CycleId cycle) {
    return cycle.valid() ? std::optional(std::uint64_t{cycle.value} + 1) : std::nullopt;
}

}  // namespace callcost::render
