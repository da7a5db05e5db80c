#include "reports/event_list.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "reports/function_list.hpp"
#include "terminal/text_table.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

/// Where a measure is from.
std::string_view origin_of(const Profile& profile, const Measure& measure) {
    if (measure.formula.empty()) return "column";
    const auto formulas = profile.formulas();
    const bool is_of_file = std::any_of(formulas.begin(), formulas.end(), [&](const EventFormula& formula) {
        return formula.name == measure.name;
    });
    return is_of_file ? "file" : "built-in";
}

/// How values of a column combine (F78).
std::string_view combination(const Profile& profile, const Measure& measure) {
    if (!measure.formula.empty()) return measure.additive ? "sum" : "none";
    switch (profile.events()[measure.terms.front().first.value].aggregation) {
        case Aggregation::sum:
            return "sum";
        case Aggregation::ratio:
            return "ratio";
        case Aggregation::minimum:
            return "minimum";
        case Aggregation::maximum:
            return "maximum";
        case Aggregation::snapshot:
            return "snapshot";
        case Aggregation::inclusive_as_self:
            return "inclusive as self";
    }
    return {};
}

std::optional<Cost> total_of(const CallGraph& graph, const Measure& measure) {
    return measure.additive ? std::optional(graph.total(measure)) : std::nullopt;
}

engine::RowColumns<Measure> columns_of(const PreparedProfile& prepared) {
    engine::RowColumns<Measure> columns;
    const auto add = [&](std::string_view name, std::string Measure::*text) {
        columns.add(name, [text](const Measure& measure) { return std::string_view(measure.*text); });
    };
    add("name", &Measure::name);
    add("long_name", &Measure::long_name);
    add("unit", &Measure::unit);
    columns.add("base_unit", [](const Measure& measure) {
        const auto scale = engine::unit_scale(measure.unit);
        return scale ? scale->base : std::string_view();
    });
    columns.add_decimal("scale", [](const Measure& measure) {
        const auto scale = engine::unit_scale(measure.unit);
        return scale ? fmt::to_string(scale->factor) : std::string();
    });
    add("formula", &Measure::formula);
    columns.add("origin", [&](const Measure& measure) { return origin_of(prepared.profile(), measure); });
    columns.add("combination",
                [&](const Measure& measure) { return combination(prepared.profile(), measure); });
    columns.add("total", [&](const Measure& measure) { return total_of(prepared.graph, measure); });
    return columns;
}

}  // namespace

std::string meaning_of(std::string_view long_name, std::string_view unit) {
    const auto beside = fmt::format(" ({})", unit);
    if (!unit.empty() && long_name.ends_with(beside)) long_name.remove_suffix(beside.size());
    return long_name == unit ? std::string() : engine::display_name(long_name);
}

void write_event_list(std::string& out, const PreparedProfile& prepared, const engine::Style& style) {
    Table table({{"event"}, {"total", Align::right}, {"unit"}, {"formula"}, {"meaning"}});
    bool has_default = false;
    for (const auto& measure : prepared.measures) {
        const auto total = total_of(prepared.graph, measure);
        const bool is_default = measure.name == prepared.measure.name;
        has_default = has_default || is_default;
        auto meaning = meaning_of(measure.long_name, measure.unit);
        if (!total) {
            meaning += fmt::format("{}not additive ({})", meaning.empty() ? "" : "; ",
                                   combination(prepared.profile(), measure));
        }
        table.add_row({{engine::display_name(measure.name) + (is_default ? " *" : ""),
                        is_default ? engine::Tone::strong : engine::Tone::plain},
                       total ? engine::cost(*total, style) : "-",
                       engine::display_name(measure.unit),
                       engine::display_name(measure.formula),
                       std::move(meaning)});
    }
    if (table.empty()) {
        out += "no event types\n";
        return;
    }
    table.write(out, style);
    if (!has_default) return;
    const auto text = engine::wrapped(
        "* is what all commands measure by unless --event NAME says otherwise; --event takes a "
        "formula over these names, too: --event 'Ir + 10 Bcm'.",
        0, style);
    out += fmt::format("\n{}\n", engine::paint(text, engine::Tone::dim, style));
}

void write_event_list(engine::JsonWriter& json, const PreparedProfile& prepared) {
    json.member("event", prepared.measure.name);
    columns_of(prepared).write(json, "event_types", prepared.measures);
}

void write_event_list(engine::CsvWriter& csv, const PreparedProfile& prepared) {
    columns_of(prepared).write(csv, prepared.measures);
}

}  // namespace callcost::program
