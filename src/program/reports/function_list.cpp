#include "reports/function_list.hpp"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include <fmt/format.h>

#include "names/short_names.hpp"
#include "query/filtered_functions.hpp"
#include "reports/event_list.hpp"
#include "text/characters.hpp"
#include "text/input_names.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"
#include <callcost/groups.hpp>

namespace callcost::program {
namespace {

constexpr double hot_share = 0.1;
constexpr std::size_t min_width_for_bars = 120;
constexpr std::size_t bar_width = 8;
constexpr std::string_view unknown_name = "???";

/// The files by name, or how many they are.
std::string files_text(const Profile& profile) {
    constexpr std::size_t most = 3;
    const auto sources = profile.sources();
    std::string text = sources.size() == 1 ? "" : fmt::format("{} files: ", sources.size());
    for (std::size_t i = 0; i < std::min(most, sources.size()); ++i) {
        if (i > 0) text += ", ";
        text += engine::source_name(sources[i]);
    }
    return sources.size() > most ? text + ", ..." : text;
}

/// The first command, and how many others the parts are of.
std::string commands_text(const CallGraph& graph) {
    std::unordered_set<std::string_view> all;
    const auto parts = engine::selected_part_facts(graph);
    for (const auto* part : parts)
        if (!part->command.empty()) all.insert(part->command);
    auto text = engine::display_name(engine::first_text(parts, &Part::command));
    if (all.size() > 1) text += fmt::format("  (and {} more)", all.size() - 1);
    return text;
}

std::string total_text(const CallGraph& graph, const Measure& measure, const engine::Style& style) {
    auto label = engine::display_name(measure.name);
    const auto meaning = meaning_of(measure.long_name, measure.unit);
    if (!meaning.empty() && measure.long_name != measure.name) label += fmt::format(" ({})", meaning);
    if (!measure.formula.empty() && measure.formula != measure.name)
        label += " = " + engine::display_name(measure.formula);
    if (!measure.additive) return label + ": not additive, so there are no totals and no inclusive costs";
    const bool is_doubtful = measure.name == "ms" && measure.unit.empty();  // no milliseconds (F68)
    const Cost total = graph.total(measure);
    const std::string text = cost(total, measure.unit, style);
    if (text.find('.') != std::string::npos)  // rounded
        label += fmt::format(", exactly {}{}{}", cost(total, style),
                             engine::is_digit(measure.unit.front()) ? " x " : " ", measure.unit);
    return fmt::format("{} {}{}", text, is_doubtful ? "of " : "", label);
}

/// As far as filters keep it.
Cost self_of(const CallGraph& graph, NodeId node, const Measure& measure, const CostsKept& kept) {
    return kept ? kept(measure).self.estimate[node.value] : graph.self(node, measure);
}

/// What the rows omit of the total.
Cost omitted_self(const CallGraph& graph, const FunctionList& list, const Measure& measure,
                  const CostsKept& kept) {
    Cost rest = graph.total(measure);
    for (const auto& row : list.rows) rest -= self_of(graph, row.node, measure, kept);
    return rest;
}

/// Whether filters keep a known part of the cost by every measure.
bool is_exact(BoundedCosts FilteredCosts::*which, NodeId node, const std::vector<Measure>& measures,
              const CostsKept& kept) {
    return std::all_of(measures.begin(), measures.end(),
                       [&](const Measure& measure) { return program::is_exact(kept(measure).*which, node); });
}

std::string base_name(std::string_view path) { return std::string(engine::base_name(path)); }

/// Not by lines of the file itself (F89), which tell neither where it is nor how often it was entered.
bool is_inlined_by_debug_information(const Profile& profile) {
    for (std::size_t row = profile.function_count(); profile.has_inlined() && row-- > 0;) {
        const FunctionId function(row);
        if (!profile.inlined_in(function).valid()) break;
        if (const auto place = profile.inlined_place(function); place.line != 0 || place.entry != 0)
            return true;
    }
    return false;
}

}  // namespace

std::string at_most(const engine::Style& style) { return style.unicode ? "\u2264" : "<="; }
bool is_exact(const BoundedCosts& costs, NodeId node) {
    return costs.least[node.value] == costs.most[node.value];
}
std::string bounds_text(Cost least, Cost most, const CallGraph& graph, const Measure& measure,
                        const engine::Style& style) {
    if (least == most) return {};
    const auto text = [&](Cost of) {
        return measure.additive && style.shares ? engine::percent(of, percentage_base(graph, measure))
                                                : engine::cost(of, measure.unit, style);
    };
    auto upper = text(most);
    if (text(least) == upper) return upper;
    return least == 0 ? at_most(style) + upper : text(least) + (style.unicode ? "\u2013" : "-") + upper;
}
void write_note_on_estimates(std::string& out, const engine::Style& style, bool has_bounds) {
    const auto text =
        fmt::format("{} estimated: recursive calls overlap, and the profile does not tell by how much{}",
                    about, has_bounds ? "" : ". --sort=inclusive and --json have bounds");
    out += fmt::format("\n{}\n", paint(wrapped(text, 0, style), engine::Tone::dim, style));
}

bool is_hot(Cost part, Cost whole) {
    return whole != 0 && static_cast<double>(part) / static_cast<double>(whole) >= hot_share;
}

void write_heading(std::string& out, const CallGraph& graph, const Measure& measure,
                   const engine::Style& style, const std::vector<Measure>& others) {
    Table facts({{}, {}});
    const auto fact = [&](const char* name, std::string text, engine::Tone tone = engine::Tone::plain) {
        if (!text.empty()) facts.add_row({{name, engine::Tone::dim}, {std::move(text), tone}});
    };
    fact("profile", files_text(graph.profile()));
    fact("command", commands_text(graph));
    const auto all_parts = graph.profile().parts().size();
    if (graph.parts().size() < all_parts)
        fact("parts", fmt::format("{} of {}", graph.parts().size(), all_parts));
    fact(measure.additive ? "total" : "event", total_text(graph, measure, style), engine::Tone::strong);
    for (const auto& other : others) {
        if (other.name != measure.name)
            fact(other.additive ? "total" : "event", total_text(graph, other, style));
    }
    if (is_inlined_by_debug_information(graph.profile()))
        fact("inlined", "as debug information says; --inlined=no shows what was recorded");
    if (!engine::has_calls(graph) && graph.size() > 0) {
        fact("note", fmt::format("{} no calls, so there are no inclusive costs",
                                 engine::is_cachegrind(graph) ? "Cachegrind records" : "this profile has"));
    }
    if (const auto base = percentage_base(graph, measure);
        style.shares && measure.additive && base != graph.total(measure)) {
        fact("note",
             fmt::format("the total is 0; percentages are relative to {}, the declared total or the largest "
                         "inclusive cost",
                         cost(base, measure.unit, style)));
    }
    facts.write(out, style);
}

bool shows_others(const Measure& measure, const std::vector<Measure>& shown) {
    return shown.size() > 1 || (!shown.empty() && shown.front().name != measure.name);
}

CostColumns::ByMeasure::ByMeasure(const CallGraph& graph, const Measure& measure, const engine::Style& style)
    : unit(measure.unit),
      additive(measure.additive),
      shares(measure.additive && style.shares),
      base(percentage_base(graph, measure)) {}

std::string CostColumns::ByMeasure::share(Cost part) const {
    return additive ? engine::percent(part, base) : std::string();
}

CostColumns::CostColumns(const CallGraph& graph, const Measure& measure, const engine::Style& style,
                         const std::vector<Measure>& shown, Bounds bounds)
    : style_(style),
      inclusive_(graph, measure, style),
      bounds_(bounds),
      bars_(measure.additive && style.unicode && style.width >= min_width_for_bars),
      has_inclusive_(engine::has_inclusive(graph, measure)),
      calls_(engine::has_calls(graph)),
      inlined_(graph.profile().has_inlined()) {
    inclusive_.title = "inclusive";
    inclusive_.share_title = "incl%";
    if (!shows_others(measure, shown)) {
        self_.push_back(inclusive_);
        self_.front().title = "self";
        self_.front().share_title = "self%";
        return;
    }
    inclusive_.title += " " + engine::display_name(measure.name);
    bars_ = false;
    for (const auto& each : shown) {
        self_.emplace_back(graph, each, style);
        self_.back().title = "self " + engine::display_name(each.name);
        self_.back().share_title = engine::display_name(each.name) + "%";
    }
}

std::string CostColumns::share(Cost part) const { return inclusive_.share(part); }

std::vector<Column> CostColumns::columns(std::string title_of_last) const {
    std::vector<Column> columns;
    const auto add = [&](const ByMeasure& costs) {
        columns.push_back({costs.title, Align::right});
        if (costs.shares) columns.push_back({costs.share_title, Align::right});
    };
    for (const auto& costs : self_) add(costs);
    if (bounds_ == Bounds::of_self) columns.push_back({"bounds", Align::right});
    if (bars_) columns.push_back({});
    if (has_inclusive_) add(inclusive_);
    if (bounds_ == Bounds::of_inclusive) columns.push_back({"bounds", Align::right});
    if (calls_) columns.push_back({"called", Align::right});
    if (inlined_) columns.push_back({"inlined", Align::right});
    columns.push_back({std::move(title_of_last)});
    return columns;
}

namespace {

/// Code that is inlined everywhere is not called; how often it was entered is an estimate.
std::string calls_or_entries(const CostColumns::Row& row, const engine::Style& style) {
    const bool is_called = row.called != CallCount{0, true} || row.inlined == 0;
    if (is_called) return calls(row.called, style);
    return row.entries ? std::string(about) + engine::count(*row.entries, style) : std::string();
}
std::string inlined_share(const CostColumns::Row& row) {
    return row.inlined == 0 ? std::string() : engine::percent(row.inlined, row.self.front());
}

}  // namespace

std::vector<Cell> CostColumns::cells(const Row& row, Cell last) const {
    std::vector<Cell> cells;
    cells.reserve(2 * self_.size() + 6);
    const auto add = [&](const ByMeasure& costs, Cost value, const std::string& prefix, engine::Tone tone) {
        cells.emplace_back(prefix + engine::cost(value, costs.unit, style_), tone);
        if (costs.shares) cells.emplace_back(prefix + costs.share(value), tone);
    };
    const auto tone = [&](std::size_t i) {
        return self_[i].additive && is_hot(row.self[i], self_[i].base) ? engine::Tone::hot
                                                                       : engine::Tone::plain;
    };
    const auto inclusive_mark = row.inclusive_estimated ? std::string(about) : std::string();
    for (std::size_t i = 0; i < self_.size(); ++i)
        add(self_[i], row.self[i], row.self_estimated ? std::string(about) : "", tone(i));
    if (bounds_ == Bounds::of_self) cells.emplace_back(row.bounds, engine::Tone::dim);
    if (bars_) cells.emplace_back(engine::bar(row.self.front(), self_.front().base, bar_width), tone(0));
    if (has_inclusive_) add(inclusive_, row.inclusive, inclusive_mark, engine::Tone::plain);
    if (bounds_ == Bounds::of_inclusive) cells.emplace_back(row.bounds, engine::Tone::dim);
    if (calls_) cells.emplace_back(calls_or_entries(row, style_));
    if (inlined_) cells.emplace_back(inlined_share(row));
    cells.push_back(std::move(last));
    return cells;
}

std::vector<Cell> CostColumns::cells_of_calls(Cost cost, bool is_counted_again, const CallCount& count,
                                              Cell last) const {
    std::vector<Cell> cells;
    for (const auto& self : self_) cells.insert(cells.end(), self.shares ? 2 : 1, "");
    if (bounds_ == Bounds::of_self) cells.emplace_back("");
    if (bars_) cells.emplace_back("");
    if (has_inclusive_) {
        cells.emplace_back(engine::cost(cost, inclusive_.unit, style_), engine::Tone::dim);
        if (inclusive_.shares) cells.emplace_back(is_counted_again ? "" : share(cost), engine::Tone::dim);
    }
    if (bounds_ == Bounds::of_inclusive) cells.emplace_back("");
    if (calls_) cells.emplace_back(calls(count, style_), engine::Tone::dim);
    if (inlined_) cells.emplace_back("");
    cells.push_back(std::move(last));
    return cells;
}

std::vector<Cell> CostColumns::cells_of_rest(const std::vector<Cost>& self, Cell last) const {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < self_.size(); ++i) {
        cells.emplace_back(self_[i].additive ? cost(self[i], self_[i].unit, style_) : "", engine::Tone::dim);
        if (self_[i].shares) cells.emplace_back(self_[i].share(self[i]), engine::Tone::dim);
    }
    if (bounds_ != Bounds::none) cells.emplace_back("");
    if (bars_) cells.emplace_back("");
    if (has_inclusive_) cells.insert(cells.end(), inclusive_.shares ? 2 : 1, "");
    if (calls_) cells.emplace_back("");
    if (inlined_) cells.emplace_back("");
    cells.push_back(std::move(last));
    return cells;
}

std::string_view common_object(const CallGraph& graph, std::span<const NodeId> nodes) {
    constexpr std::size_t enough = 2;
    if (nodes.size() < enough) return {};
    const auto object = graph.object(nodes.front());
    const bool is_common =
        object != unknown_name &&
        std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) { return graph.object(node) == object; });
    return is_common ? object : std::string_view();
}

Column function_column(std::string_view object) {
    Column column{.title = "function"};
    if (!object.empty()) {
        const auto name = engine::display_name(object);
        column.details = {fmt::format("all in {}", name), fmt::format("all in {}", base_name(name))};
    }
    return column;
}

std::vector<std::string> location_texts(const CallGraph& graph, NodeId node, const engine::Style& style,
                                        std::string_view known_object) {
    const auto is_name = [&](std::string_view place) {
        return is_of_groups(graph) && place == graph.name(node);
    };
    const auto file = graph.file(node) == unknown_name || is_name(graph.file(node))
                          ? std::string()
                          : engine::display_name(graph.file(node));
    const bool is_said = graph.object(node) == unknown_name || graph.object(node) == known_object ||
                         is_name(graph.object(node));
    const auto object = is_said ? std::string() : engine::display_name(graph.object(node));
    const auto text = [](std::string_view file_name, std::string_view object_name) {
        auto joined = std::string(file_name);
        if (!object_name.empty()) joined += fmt::format("{}[{}]", joined.empty() ? "" : " ", object_name);
        return joined;
    };
    if (style.width == 0) return {text(file, object)};  // nothing is shortened
    return {text(file, object), text(file, base_name(object)), text(base_name(file), base_name(object)),
            base_name(file.empty() ? object : file)};
}

namespace {

/// The text of a list of functions.
class FunctionTable {
  public:
    FunctionTable(const CallGraph& graph, const Measure& measure, const FunctionList& list,
                  const FunctionTableOptions& options, const engine::Style& style)
        : graph_(graph),
          measure_(measure),
          options_(options),
          around_(engine::has_calls(graph) ? options.around : nullptr),
          style_(style),
          shown_(shows_others(measure, options.shown) ? options.shown : std::vector<Measure>{measure}),
          columns_(graph, measure, style, options.shown, bounds_of(list)),
          names_(graph, style),
          object_(style.width > 0 && around_ == nullptr ? common_object(graph, nodes_of(list))
                                                        : std::string_view()),
          table_(columns()) {
        add_list(list);
    }

    void write(std::string& out) const {
        if (table_.empty()) {
            out += "no functions\n";
            return;
        }
        table_.write(out, style_, 0, options_.after_row);
        if (has_estimates_ && engine::has_inclusive(graph_, measure_))
            write_note_on_estimates(out, style_, options_.by == SortBy::inclusive);
        if (around_ != nullptr && engine::has_inclusive(graph_, measure_)) names_.write_explanations(out);
    }

  private:
    /// An object that each row has is said once.
    [[nodiscard]] std::vector<Column> columns() const {
        auto columns = columns_.columns("function");
        columns.back() = function_column(object_);
        return columns;
    }
    static std::vector<NodeId> nodes_of(const FunctionList& list) {
        std::vector<NodeId> nodes;
        nodes.reserve(list.rows.size());
        for (const auto& row : list.rows) nodes.push_back(row.node);
        return nodes;
    }

    /// Those that the filters leave of the cost that sorts.
    [[nodiscard]] const BoundedCosts& bounded() const {
        const auto& kept = options_.kept(measure_);
        return options_.by == SortBy::inclusive ? kept.inclusive : kept.self;
    }
    [[nodiscard]] CostColumns::Bounds bounds_of(const FunctionList& list) const {
        using Bounds = CostColumns::Bounds;
        const bool is_inclusive = options_.by == SortBy::inclusive;
        const bool has_any = (options_.kept || is_inclusive) &&
                             std::any_of(list.rows.begin(), list.rows.end(), [&](const auto& row) {
                                 return options_.kept
                                            ? !program::is_exact(bounded(), row.node)
                                            : !graph_.inclusive_bounds(row.node, measure_).is_exact();
                             });
        return !has_any ? Bounds::none : is_inclusive ? Bounds::of_inclusive : Bounds::of_self;
    }
    [[nodiscard]] std::string bounds_text(NodeId node) const {
        if (!options_.kept) {
            const auto bounds = graph_.inclusive_bounds(node, measure_);
            return program::bounds_text(bounds.least, bounds.most, graph_, measure_, style_);
        }
        const auto& costs = bounded();
        return program::bounds_text(costs.least[node.value], costs.most[node.value], graph_, measure_,
                                    style_);
    }

    void add_list(const FunctionList& list) {
        for (std::size_t i = 0; i < list.rows.size(); ++i) {
            const auto* around = around_ == nullptr ? nullptr : &(*around_)[i];
            if (around != nullptr && i > 0) table_.add_row({});
            if (around != nullptr) add_neighbours(around->callers, "<", "more caller");
            add_function(list.rows[i], around == nullptr ? engine::Tone::plain : engine::Tone::strong);
            if (around != nullptr) add_neighbours(around->callees, ">", "more callee");
        }
        if (list.omitted_rows == 0) return;
        if (around_ != nullptr && !list.rows.empty()) table_.add_row({});
        std::vector<Cost> rest;
        for (const auto& each : shown_) rest.push_back(omitted_self(graph_, list, each, options_.kept));
        auto text = fmt::format("({})", counted(list.omitted_rows, "more function", style_));
        table_.add_row(columns_.cells_of_rest(rest, {std::move(text), engine::Tone::dim, options_.advice}));
    }

    void add_function(const FunctionRow& row, engine::Tone tone) {
        CostColumns::Row costs;
        for (const auto& each : shown_) costs.self.push_back(self_of(graph_, row.node, each, options_.kept));
        costs.inclusive = row.inclusive;
        costs.called = graph_.call_count(row.node);
        costs.inlined = engine::kept_part(graph_.inlined_self(row.node, shown_.front()),
                                          graph_.self(row.node, shown_.front()), costs.self.front());
        costs.entries = graph_.entries(row.node);
        if (options_.kept) {
            costs.self_estimated = !is_exact(&FilteredCosts::self, row.node, shown_, options_.kept);
            costs.inclusive_estimated = !program::is_exact(options_.kept(measure_).inclusive, row.node);
        } else {
            costs.inclusive_estimated = !graph_.inclusive_bounds(row.node, measure_).is_exact();
            has_estimates_ = has_estimates_ || costs.inclusive_estimated;
        }
        if (options_.kept || options_.by == SortBy::inclusive) costs.bounds = bounds_text(row.node);
        table_.add_row(columns_.cells(
            costs, {names_.function(row.node), tone, location_texts(graph_, row.node, style_, object_)}));
    }

    void add_neighbours(const NeighbourList& neighbours, std::string_view mark, std::string_view noun) {
        for (const auto& each : neighbours.shown) {
            table_.add_row(columns_.cells_of_calls(graph_.cost(each.arc, measure_),
                                                   graph_.counted_again(each.arc), graph_.count(each.arc),
                                                   names_.neighbour(each, mark)));
        }
        const auto& rest = neighbours.rest;
        if (rest.rows == 0) return;
        table_.add_row(columns_.cells_of_calls(rest.cost.after, rest.counted_again, rest.count,
                                               omitted_neighbours(neighbours, noun, style_)));
    }

    const CallGraph& graph_;
    const Measure& measure_;
    const FunctionTableOptions& options_;
    const std::vector<NeighbourLists>* around_;
    const engine::Style& style_;
    std::vector<Measure> shown_;
    CostColumns columns_;
    NeighbourNames names_;
    std::string_view object_;  // of all functions of the list; empty: they have several
    bool has_estimates_ = false;
    Table table_;
};

}  // namespace

void write_function_table(std::string& out, const CallGraph& graph, const Measure& measure,
                          const FunctionList& list, const FunctionTableOptions& options,
                          const engine::Style& style) {
    FunctionTable(graph, measure, list, options, style).write(out);
}

// --- JSON -------------------------------------------------------------------------------------------------

void write_measures(engine::JsonWriter& json, const CallGraph& graph, const Measure& measure,
                    const std::vector<Measure>& measures) {
    json.member("event", measure.name);
    json.key("events");
    json.begin_array();
    for (const auto& each : measures) json.value(each.name);
    json.end_array();
    write_costs(json, "total", measures, [&](const Measure& each) {
        return each.additive ? std::optional(graph.total(each)) : std::nullopt;
    });
    const auto has_unit = [](const Measure& each) { return !each.unit.empty(); };
    if (std::none_of(measures.begin(), measures.end(), has_unit)) return;
    json.key("units");
    json.begin_object();
    for (const auto& each : measures) {
        if (!has_unit(each)) continue;
        json.key(each.name);
        json.begin_object();
        engine::write_unit(json, each.unit);
        json.end_object();
    }
    json.end_object();
}

void write_omitted(engine::JsonWriter& json, const CallGraph& graph, const FunctionList& list,
                   const std::vector<Measure>& measures, const CostsKept& kept) {
    json.key("omitted");
    json.begin_object();
    json.member("rows", list.omitted_rows);
    write_costs(json, "self", measures, [&](const Measure& each) {
        return each.additive ? std::optional(omitted_self(graph, list, each, kept)) : std::nullopt;
    });
    json.end_object();
}

engine::RowColumns<NodeId> function_columns(const CallGraph& graph, const ContextNames& contexts,
                                            const std::vector<Measure>& measures, const CostsKept& kept) {
    engine::RowColumns<NodeId> columns;
    add_identity(columns, graph, contexts, [](NodeId node) { return node; });
    const auto kept_of = [kept](BoundedCosts FilteredCosts::*which, NodeId node, const Measure& each) {
        const BoundedCosts& costs = kept(each).*which;
        return BoundedCost{costs.estimate[node.value], costs.least[node.value], costs.most[node.value]};
    };
    if (kept) {
        columns.add_bounded("self", measures, [kept_of](NodeId node, const Measure& each) {
            return kept_of(&FilteredCosts::self, node, each);
        });
    } else {
        columns.add_costs("self", measures,
                          [&graph](NodeId node, const Measure& each) { return graph.self(node, each); });
    }
    columns.add_bounded(
        "inclusive", measures,
        [&graph, kept, kept_of](NodeId node, const Measure& each) -> std::optional<BoundedCost> {
            if (!engine::has_inclusive(graph, each)) return std::nullopt;
            return kept ? kept_of(&FilteredCosts::inclusive, node, each) : graph.inclusive_bounds(node, each);
        });
    columns.add_costs_if_any("unrecorded_callees", measures, [&graph](NodeId node, const Measure& each) {
        return graph.unrecorded_callees(node, each);
    });
    columns.add_costs_if_any("unattributed", measures, [&graph](NodeId node, const Measure& each) {
        return graph.unattributed(node, each);
    });
    add_called(columns, graph, [&graph](NodeId node) { return graph.call_count(node); });
    if (graph.profile().has_inlined()) {
        columns.add_costs("inlined", measures, [&graph, kept](NodeId node, const Measure& each) {
            const auto inlined = graph.inlined_self(node, each);
            if (!kept) return inlined;
            return engine::kept_part(inlined, graph.self(node, each), kept(each).self.estimate[node.value]);
        });
        columns.add("entries", [&graph](NodeId node) { return graph.entries(node); });
    }
    columns.add("cycle", [&graph](NodeId node) { return cycle_number(graph.cycle(node)); });
    return columns;
}

std::vector<NodeId> nodes_of(const FunctionList& list) {
    std::vector<NodeId> nodes;
    nodes.reserve(list.rows.size());
    for (const auto& row : list.rows) nodes.push_back(row.node);
    return nodes;
}

ContextName plain_name(const CallGraph& graph, const ContextNames& contexts, NodeId node) {
    auto pieces = context_name(graph, contexts, node);
    if (graph.name(node) == pieces.name) pieces.context = {};  // a folded node
    return pieces;
}

NameText name_text(const CallGraph& graph, const ContextNames& contexts, NodeId node,
                   const engine::Style& style) {
    constexpr std::size_t caller_width = 24;
    const auto pieces = plain_name(graph, contexts, node);
    return {.name = engine::display_name(pieces.context.empty() ? graph.name(node) : pieces.name),
            .context = engine::context_text(pieces, style.width > 0 ? caller_width : 0, style)};
}

void write_function_identity(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                             NodeId node) {
    const auto pieces = plain_name(graph, contexts, node);
    json.member("function", pieces.name);
    json.member("file", graph.file(node));
    json.member("object", graph.object(node));
    json.member("context", engine::if_any(pieces.context));
}

}  // namespace callcost::program
