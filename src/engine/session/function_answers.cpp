// The list of functions, groups of them, and finding them by name.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "query/filtered_groups.hpp"
#include "session/answers.hpp"
#include "session/function_rows.hpp"
#include "text/profile_facts.hpp"
#include "text/utf8.hpp"
#include <callcost/lines.hpp>

namespace callcost::engine {
namespace {

constexpr std::size_t default_rows = 200;
constexpr std::size_t max_rows = 5000;
constexpr std::array<std::string_view, 3> page_members = {"offset", "limit", "name_width"};

constexpr std::array<std::string_view, 5> group_words = {"object", "file", "directory", "namespace", "cycle"};
constexpr std::array<GroupBy, 5> group_kinds = {GroupBy::object, GroupBy::file, GroupBy::directory,
                                                GroupBy::name_space, GroupBy::cycle};

enum class Order : std::uint8_t {
    self,
    inclusive,
    called,
    per_call,
    name,
    file,
    object,
    self_change,
    inclusive_change,
    called_change
};
constexpr std::array<std::string_view, 10> order_words = {
    "self", "inclusive", "called",      "per_call",         "name",
    "file", "object",    "self_change", "inclusive_change", "called_change"};

bool is_text(Order order) { return order == Order::name || order == Order::file || order == Order::object; }

/// A number as an integer in the same order. Costs and counts are exact, also beyond 2^53, where doubles are
/// not.
std::uint64_t as_key(std::int64_t cost) {
    return static_cast<std::uint64_t>(cost) ^ (std::uint64_t{1} << 63U);
}
std::uint64_t as_key(double number) {
    const auto bits = std::bit_cast<std::int64_t>(number);
    return as_key(bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits);
}

/// How the question wants its rows.
struct RowOrder {
    Order order = Order::self;
    bool ascends = false;
    std::size_t column = 0;
    std::size_t offset = 0, limit = 0;

    /// How many rows to sort: few if the first ones are requested, else all.
    [[nodiscard]] std::size_t in_order() const {
        constexpr std::size_t first_ones = 1000;
        return offset + limit <= first_ones ? first_ones : std::numeric_limits<std::size_t>::max();
    }
    [[nodiscard]] std::span<const std::uint32_t> page_of(std::span<const std::uint32_t> rows) const {
        const auto first = std::min(offset, rows.size());
        return rows.subspan(first, std::min(limit, rows.size() - first));
    }
};

/// Puts the first `order.in_order()` of them in order, the greatest first; equal ones as the library does.
template <class Rows>
void sort_rows(std::vector<std::uint32_t>& rows, const Rows& all, const RowOrder& order) {
    const auto by = order.order;
    const bool ascends = order.ascends;
    const auto column = order.column;
    const auto key = [&](std::size_t row) -> std::uint64_t {
        switch (by) {
            case Order::self:
                return as_key(all.self(row, column).after);
            case Order::inclusive:
                return as_key(all.inclusive(row, column).after);
            case Order::called:
                return all.call_count(row).after.known;
            case Order::per_call:
                return as_key(all.per_call(row).value_or(-std::numeric_limits<double>::infinity()));
            case Order::self_change:
                return all.self(row, column).magnitude();
            case Order::inclusive_change:
                return all.inclusive(row, column).magnitude();
            case Order::called_change: {
                const auto counts = all.call_count(row);
                const auto [less, more] = std::minmax(counts.before.known, counts.after.known);
                return more - less;
            }
            case Order::name:
            case Order::file:
            case Order::object:
                break;
        }
        return 0;
    };
    // What is certain before what may be so.
    const auto certain = [&](std::size_t row) -> std::int64_t {
        if (by == Order::self) return all.bounded_self(row, column).least.after;
        if (by == Order::inclusive) return all.bounded_inclusive(row, column).least.after;
        return 0;
    };
    const auto texts = [&](std::size_t row) {
        const auto names = all.names(row);
        if (by == Order::file) return std::pair(names.file, names);
        if (by == Order::object) return std::pair(names.object, names);
        return std::pair(std::string_view(), names);
    };
    struct KeyedRow {
        std::uint64_t key;
        std::uint32_t row;
    };
    std::vector<KeyedRow> keyed;
    keyed.reserve(rows.size());
    for (const auto row : rows) keyed.push_back({key(row), row});
    const auto by_text = [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(texts(a), a) < std::pair(texts(b), b);
    };
    const auto precedes = [&](const KeyedRow& a, const KeyedRow& b) {
        if (a.key != b.key) return ascends ? a.key < b.key : a.key > b.key;
        if (a.key != 0)
            if (const auto one = certain(a.row), other = certain(b.row); one != other) return one > other;
        return is_text(by) && !ascends ? by_text(b.row, a.row) : by_text(a.row, b.row);
    };
    if (order.in_order() < keyed.size()) {
        const auto end = keyed.begin() + static_cast<std::ptrdiff_t>(order.in_order());
        std::partial_sort(keyed.begin(), end, keyed.end(), precedes);
    } else {
        std::sort(keyed.begin(), keyed.end(), precedes);
    }
    std::transform(keyed.begin(), keyed.end(), rows.begin(), [](const KeyedRow& of) { return of.row; });
}

RowOrder row_order(Question& question, const View& view, const Profiles& profiles) {
    RowOrder order;
    order.order = static_cast<Order>(question.word("sort", order_words));
    order.ascends = question.flag("ascending", is_text(order.order));
    order.offset = question.count("offset", 0, std::numeric_limits<std::uint32_t>::max());
    order.limit = question.count("limit", default_rows, max_rows);
    if (order.order >= Order::self_change && !view.compared)
        question.refuse({.message = "sorting by change needs a comparison", .member = "sort"});
    const auto column = question.text("sort_column");
    if (column.empty()) return order;
    const auto measure = find_measure(profiles.after.profile, profiles.after.measures, column, "sort_column");
    if (!measure) {
        question.refuse(measure.error());
        return order;
    }
    const auto& columns = view.after.columns;
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Measure& of) {
        return of.name == measure->name && of.formula == measure->formula;
    });
    if (found == columns.end()) {
        question.refuse({.message = "no such column", .member = "sort_column"});
    } else {
        order.column = static_cast<std::size_t>(found - columns.begin());
    }
    return order;
}

template <class Rows>
RowList list_rows(std::vector<std::uint32_t> rows, const Rows& all, const View& view, const RowOrder& order) {
    RowList list;
    for (std::size_t column = 0; column < view.after.columns.size(); ++column) {
        Change total;
        for (const auto row : rows) {
            const auto self = all.self(row, column);
            total.before += self.before;
            total.after += self.after;
        }
        list.self.push_back(total.after);
        list.self_before.push_back(total.before);
        Largest& largest = list.largest.emplace_back();
        for (const auto row : rows) {
            largest.self.take(all.self(row, column));
            largest.inclusive.take(all.inclusive(row, column));
        }
    }
    sort_rows(rows, all, order);
    list.rows = std::move(rows);
    return list;
}

void write_totals(JsonWriter& json, const View& view) {
    const auto write = [&](std::string_view total, std::string_view base, const Side& side) {
        const auto& columns = side.columns;
        write_sums(json, total, columns,
                   [&](std::size_t column) { return side.graph().total(columns[column]); });
        write_costs(json, base, columns,
                    [&](std::size_t column) { return percentage_base(side.graph(), columns[column]); });
    };
    json.key("columns");
    json.begin_array();
    for (const auto& column : view.after.columns) json.value(column.name);
    json.end_array();
    write("total", "base", view.after);
    if (view.before) write("total_before", "base_before", *view.before);
}

void write_listed(JsonWriter& json, const View& view, const RowList& listed) {
    json.member("matching", listed.rows.size());
    write_sums(json, "listed_self", view.after.columns,
               [&](std::size_t column) { return listed.self[column]; });
    if (view.compared) {
        write_sums(json, "listed_self_before", view.before->columns,
                   [&](std::size_t column) { return listed.self_before[column]; });
    }
    json.key("largest");
    json.begin_array();
    for (const Largest& largest : listed.largest) {
        json.begin_object();
        json.member("self", largest.self.cost);
        json.member("inclusive", largest.inclusive.cost);
        if (view.compared) {
            json.member("self_change", largest.self.change);
            json.member("inclusive_change", largest.inclusive.change);
        }
        json.end_object();
    }
    json.end_array();
    json.key("filtered");
    if (const auto* kept = view.after.kept(view.after.measure); kept != nullptr) {
        json.begin_object();
        json.member("least", kept->least);
        json.member("estimate", kept->estimate);
        json.member("most", kept->most);
        json.end_object();
    } else {
        json.null();
    }
}

template <class Write>
void write_page(JsonWriter& json, const std::vector<std::uint32_t>& rows, const RowOrder& order,
                Write write) {
    json.key("rows");
    json.begin_array();
    for (const auto row : order.page_of(rows)) write(row);
    json.end_array();
}

/// The functions of a group, by node: "OBJECT" and so on as in `groups`.
std::vector<bool> members_of(const CallGraph& graph, const std::vector<Group>& groups,
                             const std::map<std::string, std::string>& renamed, std::string_view name) {
    std::vector<bool> members(graph.size());
    for (const auto& group : groups) {
        const auto other = renamed.find(group.name);
        if (!engine::is_text(other != renamed.end() ? other->second : group.name, name)) continue;
        for (const auto node : group.nodes) members[node.value] = true;
    }
    return members;
}

/// By row, whether it is in the group of the question; empty if there is none.
std::vector<bool> in_group(Question& question, const View& view) {
    if (!question.has("group")) return {};
    const auto by = question.text_in("group", "by");
    const auto name = question.text_in("group", "name");
    const auto* word = std::find(group_words.begin(), group_words.end(), by);
    if (word == group_words.end()) {
        question.refuse(
            {.message = "must be object, file, directory, namespace or cycle", .member = "group"});
        return {};
    }
    const auto kind = group_kinds[static_cast<std::size_t>(word - group_words.begin())];
    const auto groups_after = groups(view.after.graph(), kind, {}).rows;
    auto after = members_of(view.after.graph(), groups_after, {}, name);
    if (!view.compared) return after;
    const auto groups_before = groups(view.before->graph(), kind, {}).rows;
    const auto renamed = renamed_groups(view.compared->diff, groups_before, groups_after);
    const auto before = members_of(view.before->graph(), groups_before, renamed, name);
    const auto functions = view.compared->diff.functions();
    std::vector<bool> rows(functions.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (const auto node : functions[row].after) rows[row] = rows[row] || after[node.value];
        for (const auto node : functions[row].before) rows[row] = rows[row] || before[node.value];
    }
    return rows;
}

// --- groups -----------------------------------------------------------------------------------------------

/// Groups of one profile, or of both by their names.
class GroupRows {
  public:
    struct Row {
        const FilteredGroup *after = nullptr, *before = nullptr;
    };

    GroupRows(const View& view, GroupBy by) : after_(groups_of(view.after, by)) {
        if (view.before) before_ = groups_of(*view.before, by);
        std::map<std::string_view, Row> by_name;
        for (const auto& group : after_) by_name[group.name].after = &group;
        std::map<std::string, std::string> renamed;
        if (view.compared)
            renamed = renamed_groups(view.compared->diff, groups(view.before->graph(), by, {}).rows,
                                     groups(view.after.graph(), by, {}).rows);
        for (const auto& group : before_) {
            const auto other = renamed.find(group.name);
            by_name[other != renamed.end() ? std::string_view(other->second) : group.name].before = &group;
        }
        rows_.reserve(by_name.size());
        for (const auto& [name, row] : by_name) rows_.push_back(row);
    }

    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] const Row& operator[](std::size_t row) const { return rows_[row]; }
    [[nodiscard]] std::string_view name(std::size_t row) const {
        return rows_[row].after != nullptr ? rows_[row].after->name : rows_[row].before->name;
    }
    [[nodiscard]] FunctionNames names(std::size_t row) const { return {name(row), {}, {}}; }
    /// Groups know the costs by what is measured by only.
    [[nodiscard]] Change self(std::size_t row, std::size_t /*column*/) const {
        return bounded_self(row, 0).estimate;
    }
    [[nodiscard]] Change inclusive(std::size_t row, std::size_t /*column*/) const {
        return bounded_inclusive(row, 0).estimate;
    }
    [[nodiscard]] BoundedChange bounded_self(std::size_t row, std::size_t /*column*/) const {
        return change(row, &FilteredGroup::bounded_self);
    }
    [[nodiscard]] BoundedChange bounded_inclusive(std::size_t row, std::size_t /*column*/) const {
        return change(row, &FilteredGroup::inclusive);
    }
    [[nodiscard]] FunctionRows::Counts call_count(std::size_t row) const {
        const auto& [after, before] = rows_[row];
        return {before != nullptr ? before->called : CallCount{},
                after != nullptr ? after->called : CallCount{}};
    }
    [[nodiscard]] std::optional<double> per_call(std::size_t row) const {
        return cost_per_call(inclusive(row, 0).after, call_count(row).after);
    }
    [[nodiscard]] std::size_t functions(std::size_t row) const {
        const auto& [after, before] = rows_[row];
        return after != nullptr ? after->nodes.size() : before->nodes.size();
    }
    void write_bounds(JsonWriter& json, std::size_t row, const std::string& suffix,
                      Cost Change::*which) const {
        engine::write_bounds(json, "self_bounds" + suffix, 1, which,
                             [&](std::size_t column) { return bounded_self(row, column); });
        engine::write_bounds(json, "inclusive_bounds" + suffix, 1, which,
                             [&](std::size_t column) { return bounded_inclusive(row, column); });
    }
    [[nodiscard]] CycleId cycle(std::size_t row) const {
        return rows_[row].after != nullptr ? rows_[row].after->cycle : rows_[row].before->cycle;
    }

  private:
    static std::vector<FilteredGroup> groups_of(const Side& side, GroupBy by) {
        FunctionsOptions options;
        options.measure = side.columns.front();
        return filtered_groups(side.graph(), by, options, side.filtered.get()).rows;
    }
    template <class Costs>
    [[nodiscard]] BoundedChange change(std::size_t row, Costs costs) const {
        const auto& [after, before] = rows_[row];
        const auto of = [&, &new_row = after, &old_row = before](Cost BoundedCost::*which) -> Change {
            return {old_row != nullptr ? (old_row->*costs).*which : Cost(),
                    new_row != nullptr ? (new_row->*costs).*which : Cost()};
        };
        return {of(&BoundedCost::estimate), of(&BoundedCost::least), of(&BoundedCost::most)};
    }

    std::vector<FilteredGroup> after_, before_;
    std::vector<Row> rows_;
};

void write_group(JsonWriter& json, const GroupRows& all, std::size_t row, bool has_inclusive, bool compares) {
    const auto write = [&](std::string_view name, Cost cost, bool is_known) {
        json.key(name);
        json.begin_array();
        if (is_known) {
            json.value(cost);
        } else {
            json.null();
        }
        json.end_array();
    };
    const auto self = all.self(row, 0);
    const auto inclusive = all.inclusive(row, 0);
    const auto counts = all.call_count(row);
    json.begin_object();
    json.member("name", all.name(row));
    json.member("functions", all.functions(row));
    write("self", self.after, true);
    write("inclusive", inclusive.after, has_inclusive);
    write_count(json, "called", counts.after, "at_least");
    if (compares) {
        write("self_before", self.before, true);
        write("inclusive_before", inclusive.before, has_inclusive);
        write_count(json, "called_before", counts.before, "at_least_before");
    }
    all.write_bounds(json, row, "", &Change::after);
    if (compares) all.write_bounds(json, row, "_before", &Change::before);
    if (all.cycle(row).valid()) json.member("cycle", all.cycle(row).value + 1);
    json.end_object();
}

}  // namespace

void answer_functions(Request& request, JsonWriter& json) {
    auto& question = request.question;
    const auto view = request.view();
    if (!view) return;
    const auto order = row_order(question, *view, request.profiles);
    const auto width = name_width(question);
    const Search search(question, "search", request.host);
    if (question.error()) return;
    const FunctionRows all(*view, CostsOf::filtered);
    const auto key = question.key_without(page_members) + std::to_string(order.in_order());
    const auto listed = request.lists.get(key, [&]() -> std::shared_ptr<const RowList> {
        const bool is_any_group = question.has("group");
        const auto members = in_group(question, *view);
        if (question.error()) return nullptr;
        std::vector<std::uint32_t> rows;
        rows.reserve(all.size());
        for (std::size_t row = 0; row < all.size(); ++row) {
            if (all.is_listed(row) && (!is_any_group || members[row]) && search.finds(all.name(row)))
                rows.push_back(static_cast<std::uint32_t>(row));
        }
        return std::make_shared<RowList>(list_rows(std::move(rows), all, *view, order));
    });
    if (!listed) return;
    json.begin_object();
    write_totals(json, *view);
    write_listed(json, *view, *listed);
    std::vector<NameInRow> names;
    for (const auto row : order.page_of(listed->rows)) names.push_back(all.name_in_row(row));
    const ShortNames shorts(width, names, search.piece());
    std::size_t place = 0;
    write_page(json, listed->rows, order, [&](std::size_t row) { all.write(json, row, shorts[place++]); });
    json.end_object();
}

void answer_groups(Request& request, JsonWriter& json) {
    auto& question = request.question;
    auto view = request.view();
    if (!view) return;
    view->after.columns = {view->after.measure};
    if (view->before) view->before->columns = {view->before->measure};
    const auto by = group_kinds[question.word("by", group_words)];
    const auto order = row_order(question, *view, request.profiles);
    const Search search(question, "search", request.host);
    if (!view->after.measure.additive)
        question.refuse({.message = "the event type is not additive: no groups", .member = "event"});
    if (question.error()) return;
    const GroupRows all(*view, by);
    std::vector<std::uint32_t> rows;
    for (std::size_t row = 0; row < all.size(); ++row)
        if (search.finds(all.name(row))) rows.push_back(static_cast<std::uint32_t>(row));
    const auto listed = list_rows(std::move(rows), all, *view, order);
    json.begin_object();
    write_totals(json, *view);
    write_listed(json, *view, listed);
    const bool has_inclusive = view->after.has_inclusive(view->after.measure);
    write_page(json, listed.rows, order, [&](std::size_t row) {
        write_group(json, all, row, has_inclusive, view->compared != nullptr);
    });
    json.end_object();
}

void answer_find(Request& request, JsonWriter& json) {
    auto& question = request.question;
    const auto view = request.view();
    const auto name = question.text("name");
    const auto file = question.text("file");
    const auto object = question.text("object");
    if (!view || question.error()) return;
    const auto find_in = [&](const Side& side) {
        const auto& graph = side.graph();
        NodeId best;
        for (std::size_t row = 0; row < graph.size(); ++row) {
            const NodeId node(row);
            if (!is_text(graph.name(node), name) || (!file.empty() && !is_text(graph.file(node), file)) ||
                (!object.empty() && !is_text(graph.object(node), object)))
                continue;
            if (!best.valid() || side.inclusive(node, side.measure) > side.inclusive(best, side.measure))
                best = node;
        }
        return best;
    };
    json.begin_object();
    json.key("id");
    if (const auto node = find_in(view->after); node.valid()) {
        json.value(id_of(view->after.graph(), node, false));
    } else if (const auto gone = view->before ? find_in(*view->before) : NodeId(); gone.valid()) {
        json.value(id_of(view->before->graph(), gone, true));
    } else {
        json.null();
    }
    json.end_object();
}

void answer_search(Request& request, JsonWriter& json) {
    auto& question = request.question;
    const auto view = request.view();
    if (!view) return;
    const auto limit = question.count("limit", 20, max_rows);
    const Search search(question, "text", request.host);
    if (question.error()) return;
    const FunctionRows all(*view);
    std::vector<std::uint32_t> rows;
    for (std::size_t row = 0; row < all.size(); ++row)
        if (search.finds(all.name(row))) rows.push_back(static_cast<std::uint32_t>(row));
    sort_rows(rows, all, {.limit = limit});
    json.begin_object();
    json.key("functions");
    json.begin_array();
    for (std::size_t i = 0; i < std::min(limit, rows.size()); ++i) all.write(json, rows[i]);
    json.end_array();
    json.member("matching", rows.size());

    const auto& graph = view->after.graph();
    json.key("files");
    json.begin_array();
    std::size_t found = 0;
    for (const auto& file : files_by_defined_cost(graph, view->after.measure)) {
        if (found == limit || !search.finds(graph.profile().name(file.file))) continue;
        ++found;
        json.begin_object();
        json.member("id", file.file.value);
        json.member("name", graph.profile().name(file.file));
        json.member("self", file.cost);
        json.end_object();
    }
    json.end_array();
    json.key("objects");
    json.begin_array();
    if (view->after.measure.additive) {
        FunctionsOptions options;
        options.measure = view->after.measure;
        found = 0;
        for (const auto& group : groups(graph, GroupBy::object, options).rows) {
            if (found == limit || !search.finds(group.name)) continue;
            ++found;
            json.begin_object();
            json.member("name", group.name);
            json.member("self", group.self);
            json.end_object();
        }
    }
    json.end_array();
    json.end_object();
}

}  // namespace callcost::engine
