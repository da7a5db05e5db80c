#include "session/function_rows.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "names/short_names.hpp"
#include "text/profile_facts.hpp"
#include <callcost/groups.hpp>

namespace callcost::engine {
namespace {

constexpr std::size_t default_name_width = 60;
constexpr Style page_style = {.unicode = true};

bool fits(std::string_view name, std::size_t width) { return by_characters().width(name) <= width; }

/// Nodes of a graph with folded contexts have the name without them already.
ContextName split_name(const Side& side, NodeId node) {
    const auto split = context_name(side.graph(), side.selected->contexts, node);
    const auto name = side.graph().name(node);
    return split.name.size() < name.size() ? split : ContextName{name, 0, {}, 0};
}

constexpr std::size_t caller_width = 24;
std::string context_of_row(const ContextName& name) {
    return context_text(name, caller_width, page_style, by_characters());
}

bool are_nested(const Side& side, const std::vector<NodeId>& nodes) {
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](NodeId node) { return has_nested_calls(side.graph(), node, side.columns[0]); });
}

}  // namespace

std::size_t name_width(Question& question) { return question.count("name_width", 0, 1000); }

std::size_t width_of_marks(bool is_in_cycle, bool has_match_tag) {
    return (is_in_cycle ? 6U : 0U) + (has_match_tag ? 9U : 0U);
}

ShortNames::ShortNames(std::size_t width, const std::vector<NameInRow>& names, std::string_view match) {
    if (width == 0) return;
    std::vector<std::string> texts;
    texts.reserve(names.size());
    for (const auto& row : names) texts.push_back(by_characters().text(row.name));
    std::vector<NameToShorten> rooms;
    rooms.reserve(names.size());
    for (std::size_t row = 0; row < names.size(); ++row)
        rooms.push_back({texts[row], width - std::min(names[row].marks, width / 2), match});
    names_ = short_names(rooms, page_style, by_characters());
    for (std::size_t row = 0; row < names_.size(); ++row)
        if (names_[row] == texts[row]) names_[row].clear();
}

ShownName ShortNames::operator[](std::size_t row) const {
    if (names_.empty()) return {};
    return {.short_name = names_[row]};
}

FunctionRows::FunctionRows(const View& view, CostsOf costs) : view_(view) {
    if (costs == CostsOf::functions) return;
    const auto keep = [](const Side& side, KeptByColumn& kept) {
        for (const auto& column : side.columns)
            if (side.filtered) kept.push_back(side.kept(column));
    };
    keep(view.after, kept_after_);
    if (view.before) keep(*view.before, kept_before_);
}

const FunctionMatch* FunctionRows::match(std::size_t row) const {
    return view_.compared ? &view_.compared->diff.function(MatchId(row)) : nullptr;
}

std::size_t FunctionRows::size() const {
    return view_.compared ? view_.compared->diff.functions().size() : view_.after.graph().size();
}

std::string_view FunctionRows::name(std::size_t row) const {
    const auto* of = match(row);
    return of != nullptr ? view_.compared->diff.name(*of) : view_.after.graph().name(NodeId(row));
}

FunctionNames FunctionRows::names(std::size_t row) const {
    const auto* of = match(row);
    if (of == nullptr) return names_of(view_.after.graph(), NodeId(row));
    const auto& diff = view_.compared->diff;
    return {diff.name(*of), diff.object(*of), diff.file(*of)};
}

NameInRow FunctionRows::name_in_row(std::size_t row) const {
    const auto* of = match(row);
    const bool is_before = of != nullptr && of->is_removed();
    const auto node = of == nullptr ? NodeId(row) : is_before ? of->before.front() : of->after.front();
    return engine::name_in_row(is_before ? *view_.before : view_.after, node,
                               of != nullptr && of->tier != MatchTier::exact);
}

NameInRow name_in_row(const Side& side, NodeId node, bool has_match_tag) {
    const auto name = split_name(side, node);
    const auto context = by_characters().width(context_of_row(name));
    return {name.name, width_of_marks(side.graph().cycle(node).valid(), has_match_tag) + context};
}

bool FunctionRows::is_listed(std::size_t row) const {
    const auto any_in = [](const Side& side, std::span<const NodeId> nodes) {
        const auto* kept = side.kept(side.measure);
        return std::any_of(nodes.begin(), nodes.end(),
                           [&](NodeId node) { return kept == nullptr || kept->listed[node.value]; });
    };
    const auto* of = match(row);
    if (of == nullptr) return any_in(view_.after, std::array{NodeId(row)});
    return any_in(view_.after, of->after) || any_in(*view_.before, of->before);
}

BoundedChange FunctionRows::kept(std::size_t row, std::size_t column, BoundedCosts FilteredCosts::*which,
                                 Change whole) const {
    BoundedChange kept{whole, whole, whole};
    const auto fill = [&](const Side& side, const KeptByColumn& by_column, std::span<const NodeId> nodes,
                          Cost Change::*cost) {
        if (by_column.empty()) return;
        const auto part =
            kept_cost(side.graph(), side.columns[column], *by_column[column], which, nodes, whole.*cost);
        kept.estimate.*cost = part.estimate;
        kept.least.*cost = part.least;
        kept.most.*cost = part.most;
    };
    if (const auto* of = match(row); of != nullptr) {
        fill(view_.after, kept_after_, of->after, &Change::after);
        fill(*view_.before, kept_before_, of->before, &Change::before);
    } else {
        fill(view_.after, kept_after_, std::array{NodeId(row)}, &Change::after);
    }
    return kept;
}

BoundedChange FunctionRows::bounded_self(std::size_t row, std::size_t column) const {
    const auto* of = match(row);
    const auto& by = view_.after.columns[column];
    const Change whole = of == nullptr ? Change{0, view_.after.graph().self(NodeId(row), by)}
                                       : view_.compared->diff.self(*of, view_.before->columns[column], by);
    if (kept_after_.empty()) return {whole, whole, whole};
    return kept(row, column, &FilteredCosts::self, whole);
}

BoundedChange FunctionRows::bounded_inclusive(std::size_t row, std::size_t column) const {
    const BoundedChange whole = whole_inclusive(row, column);
    if (kept_after_.empty()) return whole;
    return kept(row, column, &FilteredCosts::inclusive, whole.estimate);
}

BoundedChange FunctionRows::whole_inclusive(std::size_t row, std::size_t column) const {
    const auto* of = match(row);
    const auto& by = view_.after.columns[column];
    BoundedChange change;
    const auto set = [&](Cost Change::*which, const BoundedCost& cost) {
        change.estimate.*which = cost.estimate;
        change.least.*which = cost.least;
        change.most.*which = cost.most;
    };
    if (of == nullptr) {
        set(&Change::after, view_.after.inclusive_bounds(NodeId(row), by));
        return change;
    }
    const auto& by_before = view_.before->columns[column];
    const auto [before, after] = view_.compared->diff.inclusive_bounds(*of, by_before, by);
    set(&Change::before, before);
    set(&Change::after, after);
    if (!view_.after.has_cycles) {
        if (of->after.size() == 1) set(&Change::after, view_.after.inclusive_bounds(of->after.front(), by));
        if (of->before.size() == 1)
            set(&Change::before, view_.before->inclusive_bounds(of->before.front(), by_before));
    }
    return change;
}

FunctionRows::Counts FunctionRows::call_count(std::size_t row) const {
    const auto* of = match(row);
    if (of == nullptr) return {{}, view_.after.graph().call_count(NodeId(row))};
    const auto [before, after] = view_.compared->diff.call_count(*of);
    return {before, after};
}

std::optional<double> FunctionRows::per_call(std::size_t row) const {
    if (!view_.after.has_inclusive(view_.after.columns[0])) return std::nullopt;
    const auto* of = match(row);
    if (are_nested(view_.after, of == nullptr ? std::vector{NodeId(row)} : of->after)) return std::nullopt;
    return cost_per_call(whole_inclusive(row, 0).estimate.after, call_count(row).after);
}

std::optional<double> FunctionRows::per_call_before(std::size_t row) const {
    if (!view_.before->has_inclusive(view_.before->columns[0])) return std::nullopt;
    if (are_nested(*view_.before, match(row)->before)) return std::nullopt;
    return cost_per_call(whole_inclusive(row, 0).estimate.before, call_count(row).before);
}

std::size_t FunctionRows::row_of(FunctionAt function) const {
    return view_.compared ? match_of(function).value : function.node.value;
}

MatchId FunctionRows::match_of(FunctionAt function) const {
    const auto& ids = function.is_before ? view_.compared->match_before : view_.compared->match_after;
    return ids[function.node.value];
}

void FunctionRows::write_match(JsonWriter& json, std::size_t row, const ShownName& shown) const {
    const auto& of = *match(row);
    const auto is_before = of.is_removed();
    const auto& side = is_before ? *view_.before : view_.after;
    write_identity(json, side, is_before ? of.before.front() : of.after.front(), is_before, shown);
    json.member("match", of.is_added()     ? std::string_view("added")
                         : of.is_removed() ? std::string_view("removed")
                                           : to_string(of.tier));
    if (of.is_added() || of.is_removed()) return;
    const auto name_before = view_.before->graph().name(of.before.front());
    if (name_before != view_.after.graph().name(of.after.front())) json.member("name_before", name_before);
    if (of.after.size() + of.before.size() > 2) {
        json.member("together", of.after.size());
        json.member("together_before", of.before.size());
    }
}

void FunctionRows::write(JsonWriter& json, std::size_t row, const ShownName& shown) const {
    const bool compares = view_.compared != nullptr;
    json.begin_object();
    if (compares) {
        write_match(json, row, shown);
    } else {
        write_identity(json, view_.after, NodeId(row), false, shown);
    }
    write_costs(json, "self", view_.after.columns,
                [&](std::size_t column) { return self(row, column).after; });
    if (compares)
        write_costs(json, "self_before", view_.before->columns,
                    [&](std::size_t column) { return self(row, column).before; });
    const auto write_inclusive = [&](std::string_view name, const Side& side, Cost Change::*which) {
        json.key(name);
        json.begin_array();
        for (std::size_t column = 0; column < side.columns.size(); ++column) {
            if (side.has_inclusive(side.columns[column])) {
                json.value(inclusive(row, column).*which);
            } else {
                json.null();
            }
        }
        json.end_array();
    };
    write_inclusive("inclusive", view_.after, &Change::after);
    if (compares) write_inclusive("inclusive_before", *view_.before, &Change::before);
    const auto counts = call_count(row);
    const auto write_called = [&](std::string_view name, const Side& side, const CallCount& count,
                                  std::string_view at_least) {
        if (has_calls(side.graph())) return write_count(json, name, count, at_least);
        json.key(name);
        json.null();
    };
    write_called("called", view_.after, counts.after, "at_least");
    if (compares) write_called("called_before", *view_.before, counts.before, "at_least_before");
    json.member("per_call", per_call(row));
    if (compares) json.member("per_call_before", per_call_before(row));
    const auto* of = match(row);
    write_inlined(json, row, "", view_.after, of == nullptr ? std::vector{NodeId(row)} : of->after);
    if (compares) write_inlined(json, row, "_before", *view_.before, of->before);
    write_all_bounds(json, row);
    json.end_object();
}

/// Only if there is any: how much of the self cost, as far as the filters keep that.
void FunctionRows::write_inlined(JsonWriter& json, std::size_t row, const std::string& suffix,
                                 const Side& side, const std::vector<NodeId>& nodes) const {
    const auto& graph = side.graph();
    if (!graph.profile().has_inlined()) return;
    const auto which = suffix.empty() ? &Change::after : &Change::before;
    bool is_any = false;
    std::vector<Cost> inlined(side.columns.size(), 0);
    for (std::size_t column = 0; column < inlined.size(); ++column) {
        Cost whole = 0;
        for (const NodeId node : nodes) {
            inlined[column] += graph.inlined_self(node, side.columns[column]);
            whole += graph.self(node, side.columns[column]);
        }
        is_any = is_any || inlined[column] != 0;
        inlined[column] = kept_part(inlined[column], whole, self(row, column).*which);
    }
    if (is_any)
        write_costs(json, "inlined" + suffix, side.columns, [&](std::size_t c) { return inlined[c]; });
    std::optional<std::uint64_t> entries;
    for (const NodeId node : nodes)
        if (const auto of_node = graph.entries(node)) entries = entries.value_or(0) + *of_node;
    if (entries) json.member("entries" + suffix, *entries);
}

void FunctionRows::write_all_bounds(JsonWriter& json, std::size_t row) const {
    const auto write_side = [&](const std::string& suffix, const Side& side, Cost Change::*which) {
        if (!kept_after_.empty())
            write_bounds(json, "self_bounds" + suffix, side.columns.size(), which,
                         [&](std::size_t column) { return bounded_self(row, column); });
        write_bounds(json, "inclusive_bounds" + suffix, side.columns.size(), which,
                     [&](std::size_t column) { return bounded_inclusive(row, column); });
    };
    write_side("", view_.after, &Change::after);
    if (view_.before) write_side("_before", *view_.before, &Change::before);
}

void write_identity(JsonWriter& json, const Side& side, NodeId node, bool is_before, const ShownName& shown) {
    const auto& graph = side.graph();
    const auto split = split_name(side, node);
    const auto name = split.name;
    json.member("id", id_of(graph, node, is_before));
    json.member("name", name);
    if (!split.context.empty()) {
        json.member("context", split.context);
        if (const auto text = context_of_row(split); text != split.context) json.member("context_text", text);
    }
    if (shown.short_name) {
        if (!shown.short_name->empty()) json.member("short", *shown.short_name);
    } else if (!fits(name, default_name_width)) {
        const ShortNames alone(default_name_width, {{name}}, shown.match);
        json.member("short", *alone[0].short_name);
    }
    json.member("file", graph.file(node));
    json.member("object", graph.object(node));
    if (const auto cycle = graph.cycle(node); cycle.valid()) json.member("cycle", cycle.value + 1);
    if (shown.labels == Labels::none) return;
    const auto whole = by_characters().text(shown.labels == Labels::whole ? graph.name(node) : name);
    const auto labels = shorter_names(whole, page_style, by_characters());
    if (labels.empty()) return;
    json.key("labels");
    json.begin_array();
    for (const auto& label : labels) json.value(label);
    json.end_array();
}

void write_function(JsonWriter& json, const Side& side, NodeId node, bool is_before, const ShownName& shown) {
    json.begin_object();
    write_identity(json, side, node, is_before, shown);
    json.end_object();
}

std::optional<double> cost_per_call(Cost cost, const CallCount& count) {
    if (count.known == 0 || count.at_least) return std::nullopt;
    return static_cast<double>(cost) / static_cast<double>(count.known);
}

void write_count(JsonWriter& json, std::string_view name, const CallCount& count, std::string_view at_least) {
    json.key(name);
    if (count.known == 0 && count.at_least) return json.null();
    json.value(count.known);
    if (count.at_least) json.member(at_least, true);
}

}  // namespace callcost::engine
