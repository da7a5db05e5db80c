#include "query/view.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace callcost::engine {
namespace {

constexpr std::size_t max_columns = 64;

std::string list_text(std::span<const std::uint64_t> numbers) {
    std::string text = "[";
    for (const auto number : numbers) text.append(std::to_string(number)).append(",");
    return text + "]";
}

/// Texts with their lengths, so that no two lists look alike.
std::string list_text(std::span<const std::string> texts) {
    std::string text = "[";
    for (const auto& one : texts) text.append(std::to_string(one.size())).append(":").append(one);
    return text + "]";
}

std::string key_of(const FilterTexts& filters) {
    return list_text(filters.focus) + list_text(filters.ignore) + list_text(filters.show) +
           list_text(filters.hide) + list_text(filters.file) + list_text(filters.object);
}

std::string key_of(const Selection& selection) {
    return list_text(selection.parts) + list_text(selection.threads) + list_text(selection.pids) +
           list_text(selection.rows) + (selection.contexts == Contexts::fold ? "fold" : "keep");
}

std::shared_ptr<const ComparisonIndex> compare(const Diff& diff) {
    ComparisonIndex compared{diff, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    const auto functions = diff.functions();
    compared.match_after.resize(diff.after().size());
    compared.match_before.resize(diff.before().size());
    for (const auto& function : functions) {
        for (const auto node : function.after) compared.match_after[node.value] = function.id;
        for (const auto node : function.before) compared.match_before[node.value] = function.id;
    }
    const auto arcs = diff.arcs();
    compared.arc_after.assign(diff.after().arc_count(), ComparisonIndex::none);
    compared.arc_before.assign(diff.before().arc_count(), ComparisonIndex::none);
    for (std::size_t row = 0; row < arcs.size(); ++row) {
        for (const auto arc : arcs[row].after) compared.arc_after[arc.value] = row;
        for (const auto arc : arcs[row].before) compared.arc_before[arc.value] = row;
    }
    const auto group = [&](MatchId ArcMatch::*end, std::vector<std::size_t>& rows,
                           std::vector<std::size_t>& first) {
        first.assign(functions.size() + 1, 0);
        for (const auto& arc : arcs) ++first[(arc.*end).value + 1];
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        rows.resize(arcs.size());
        auto next = first;
        for (std::size_t row = 0; row < arcs.size(); ++row) rows[next[(arcs[row].*end).value]++] = row;
    };
    group(&ArcMatch::caller, compared.arcs_out, compared.first_out);
    group(&ArcMatch::callee, compared.arcs_in, compared.first_in);
    return std::make_shared<const ComparisonIndex>(std::move(compared));
}

enum class SideOf : std::uint8_t { one, after, before };  // of one profile, or of two that are compared

/// Keeps the first error; what is returned after it is of no use.
class Resolver {
  public:
    Resolver(const Query& query, Profiles& profiles, const NamePattern::Compile& compile)
        : query_(query), profiles_(profiles), compile_(compile) {}

    QueryResult<View> view() {
        if (query_.compares && !profiles_.before)
            return tl::unexpected(QueryError{
                .id = "nothing-to-compare", .message = "no profile to compare with", .member = "compare"});
        View view;
        view.after = side(query_.compares ? SideOf::after : SideOf::one, query_.selection, query_.event);
        if (query_.compares && !error_) compare_with_before(view);
        if (error_) return tl::unexpected(*std::move(error_));
        return view;
    }

  private:
    /// Groups depend on the filters, too.
    [[nodiscard]] std::string level_key() const {
        return query_.level ? " " + std::to_string(static_cast<int>(*query_.level)) + key_of(query_.filters)
                            : std::string();
    }
    void refuse(QueryError error) {
        if (!error_) error_ = std::move(error);
    }
    template <class Value>
    Value taken(QueryResult<Value> result) {
        if (result) return *std::move(result);
        refuse(std::move(result).error());
        return {};
    }

    /// Rows are those of one profile: the other has other parts.
    [[nodiscard]] Selection selection_before() const {
        Selection selection = query_.selection;
        selection.rows = query_.rows_before;
        if (query_.has_rows_before || query_.selection.rows.empty()) return selection;
        const auto same = match_parts(profiles_.before->profile, profiles_.after.profile);
        for (const auto wanted : query_.selection.rows) {
            if (wanted >= same.size()) continue;
            const auto row = same[static_cast<std::size_t>(wanted)];
            if (row) selection.rows.push_back(*row);
        }
        return selection;
    }

    /// Both by the same, whatever is the default of the old one.
    void compare_with_before(View& view) {
        const auto same = query_.event.empty() ? view.after.measure.name : query_.event;
        if (!measure_before(profiles_, same)) {
            const bool has_some = profiles_.before->measures.find(same).has_value();
            return refuse({.id = "unknown-event",
                           .message = has_some ? "'" + same + "' has a different formula in the old profile"
                                               : "the old profile has no event type '" + same + "'",
                           .member = "event"});
        }
        const auto selection = selection_before();
        view.before = side(SideOf::before, selection, same);
        if (error_) return;
        if (auto why = difference_of_units(view.before->measure, view.after.measure); !why.empty())
            return refuse({.id = "not-comparable",
                           .message = "the profiles cannot be compared: " + why,
                           .hint = "another event type may have the same unit in both",
                           .member = "event"});
        view.compared = profiles_.comparisons.get(
            key_of(query_.selection) + key_of(selection) + same + level_key(),
            [&]() -> std::shared_ptr<const ComparisonIndex> {
                // As it was written: a built-in formula spelled out may name what the profiles do not have.
                const auto found = diff(view.before->graph(), view.after.graph(), {.measure = same});
                if (found) return compare(*found);
                refuse({.id = "unknown-event",
                        .message = "the old profile has no event type '" + same + "'",
                        .member = "event"});
                return nullptr;
            });
    }

    Side side(SideOf which, const Selection& selection, std::string_view event) {
        auto& loaded = which == SideOf::before ? *profiles_.before : profiles_.after;
        Side side;
        side.stacks = &loaded.stacks;
        side.has_cycles = query_.has_cycles;
        side.selected = loaded.selections.get(key_of(selection), [&]() -> std::shared_ptr<const GraphView> {
            auto graph = call_graph(loaded.profile, selection);
            if (graph) return std::make_shared<GraphView>(*std::move(graph));
            refuse(selection_error(graph.error(), "parts, threads, pids and part_rows"));
            return nullptr;
        });
        if (!side.selected) return side;
        side.measure = event.empty() ? default_measure(side.graph())
                                     : taken(find_measure(loaded.profile, loaded.measures, event, "event"));
        side.columns = columns(which, side.measure);
        if (!error_ && query_.filters.is_any())
            side.filtered = loaded.filters.get(key_of(selection) + key_of(query_.filters),
                                               [&] { return filtered(side); });
        if (!error_ && query_.level) take_groups(loaded, side, key_of(selection) + key_of(query_.filters));
        return side;
    }

    /// Of the functions that it has so far.
    void take_groups(LoadedProfile& loaded, Side& side, const std::string& key) const {
        const auto level = *query_.level;
        const auto groups = loaded.groups.get(key + std::to_string(static_cast<int>(level)), [&] {
            return std::make_shared<const GroupsView>(groups_of(side.graph(), level, side.filtered));
        });
        side.selected = {groups, &groups->view};
        side.filtered = groups->filtered;
    }

    /// A column that only the other profile has is one without costs.
    std::vector<Measure> columns(SideOf which, const Measure& measure) {
        if (query_.columns.empty()) return {measure};
        if (query_.columns.size() > max_columns) {
            refuse({.message = "more than 64 columns", .member = "columns"});
            return {measure};
        }
        std::vector<Measure> columns;
        columns.reserve(query_.columns.size());
        for (const auto& text : query_.columns) columns.push_back(column(which, text));
        return columns;
    }

    Measure column(SideOf which, const std::string& text) {
        const auto& after = profiles_.after;
        const auto found = [&](const LoadedProfile& loaded) {
            return taken(find_measure(loaded.profile, loaded.measures, text, "columns"));
        };
        if (which == SideOf::before) {
            if (auto same = measure_before(profiles_, text)) return *std::move(same);
            return after.measures.find(text) ? missing_measure(text) : found(*profiles_.before);
        }
        if (which == SideOf::after && !after.measures.find(text) && profiles_.before->measures.find(text))
            return missing_measure(text);
        return found(after);
    }

    std::shared_ptr<const FilteredFunctions> filtered(const Side& side) {
        const auto& filters = query_.filters;
        const FilterPatterns all = {.focus = patterns("focus", filters.focus, NameScope::any),
                                    .ignore = patterns("ignore", filters.ignore, NameScope::any),
                                    .show = patterns("show", filters.show, NameScope::any),
                                    .hide = patterns("hide", filters.hide, NameScope::any),
                                    .file = patterns("file", filters.file, NameScope::file),
                                    .object = patterns("object", filters.object, NameScope::object)};
        if (error_) return nullptr;
        return std::make_shared<const FilteredFunctions>(side.graph(), all, *side.stacks);
    }

    std::vector<NamePattern> patterns(const char* member, const std::vector<std::string>& texts,
                                      NameScope scope) {
        std::vector<NamePattern> result;
        result.reserve(texts.size());
        for (const auto& text : texts) {
            if (auto pattern = NamePattern::parse(text, scope, compile_)) {
                result.push_back(*std::move(pattern));
            } else {
                refuse({.id = "bad-pattern",
                        .message = "invalid pattern '" + text + "': " + pattern.error(),
                        .member = member});
            }
        }
        return result;
    }

    const Query& query_;
    Profiles& profiles_;
    const NamePattern::Compile& compile_;
    std::optional<QueryError> error_;
};

}  // namespace

LoadedProfile::LoadedProfile(Profile of, StacksOfSources recorded)
    : profile(std::move(of)), stacks(std::move(recorded)), measures(profile) {}

BoundedCost Side::inclusive_bounds(NodeId node, const Measure& by) const {
    if (has_cycles || !graph().cycle(node).valid()) return graph().inclusive_bounds(node, by);
    const auto flow = conservation(graph(), node, by);
    const Cost cost = flow.self + flow.out;
    return {cost, cost, cost};
}

bool is_counted_again(const Side& side, std::span<const ArcId> arcs) {
    return std::any_of(arcs.begin(), arcs.end(), [&](ArcId arc) { return side.graph().counted_again(arc); });
}

const FilteredCosts* Side::kept(const Measure& by) const { return filtered ? &filtered->costs(by) : nullptr; }

std::string difference_of_units(const Measure& before, const Measure& after) {
    if (before.unit == after.unit || before.unit.empty() || after.unit.empty()) return {};
    return after.name + " is in " + before.unit + " before and in " + after.unit + " after";
}

FilteredDifference filtered_difference(const View& view) {
    return {view.compared->diff, view.before->filtered.get(), view.after.filtered.get()};
}

Measure missing_measure(std::string name) { return {std::move(name), {}, {}, {}, false, {}}; }

std::optional<Measure> measure_before(const Profiles& profiles, std::string_view text) {
    const auto terms_of = [](const Profile& profile, const Measure& measure) {
        std::map<std::string_view, std::int64_t> terms;
        for (const auto& [event, factor] : measure.terms) terms[profile.events()[event.value].name] = factor;
        return terms;
    };
    auto before = profiles.before->measures.find(text);
    if (!before) return std::nullopt;
    const auto after = profiles.after.measures.find(text);
    if (after && terms_of(profiles.after.profile, *after) != terms_of(profiles.before->profile, *before))
        return std::nullopt;
    return *std::move(before);
}

GroupsView groups_of(const CallGraph& graph, GroupBy by, std::shared_ptr<const FilteredFunctions> filtered) {
    if (!filtered) return GroupsView(graph_of_groups(graph, by));
    GroupsView groups(graph_of_groups(graph, by, [&](NodeId node) { return filtered->number(node); }));
    groups.filtered = std::make_shared<const FilteredFunctions>(groups.view.graph, std::move(filtered));
    return groups;
}

QueryResult<View> resolve(const Query& query, Profiles& profiles, const NamePattern::Compile& compile) {
    return Resolver(query, profiles, compile).view();
}

std::int64_t id_of(const CallGraph& graph, NodeId node, bool is_before) {
    const auto row = static_cast<std::int64_t>(graph.function(node).value);
    return is_before ? -1 - row : row;
}

std::optional<FunctionAt> find_function(const View& view, std::int64_t id) {
    const bool is_before = id < 0;
    const auto row = is_before ? -1 - id : id;
    const auto* side = is_before ? (view.before ? &*view.before : nullptr) : &view.after;
    if (side == nullptr || row >= static_cast<std::int64_t>(side->graph().profile().function_count()))
        return std::nullopt;
    const auto node = side->graph().node_of(FunctionId(static_cast<std::size_t>(row)));
    if (!node.valid()) return std::nullopt;
    return FunctionAt{node, is_before};
}

}  // namespace callcost::engine
