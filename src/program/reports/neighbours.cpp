#include "reports/neighbours.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "query/filtered_functions.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {
namespace {

using End = NodeId (CallGraph::*)(ArcId) const;

Neighbours neighbours(const PreparedProfile& prepared, std::span<const ArcId> arcs, End end,
                      std::size_t limit) {
    struct Key {
        Cost cost;
        std::uint64_t calls;
        FunctionNames names;
        ArcId arc;
    };
    const auto& graph = prepared.graph;
    std::vector<Key> keys;
    keys.reserve(arcs.size());
    for (const auto arc : arcs) {
        const auto node = (graph.*end)(arc);
        keys.push_back(
            {graph.cost(arc, prepared.measure), graph.count(arc).known, names_of(graph, node), arc});
    }
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
        if (a.cost != b.cost) return a.cost > b.cost;
        if (a.calls != b.calls) return a.calls > b.calls;
        return std::tie(a.names, a.arc) < std::tie(b.names, b.arc);
    });
    Neighbours result;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto arc = keys[i].arc;
        if (i < limit) {
            result.shown.push_back({arc, (graph.*end)(arc)});
            continue;
        }
        ++result.omitted;
        result.omitted_count.add(graph.count(arc));
        result.omitted_cost += keys[i].cost;
        result.omitted_counted_again = result.omitted_counted_again || graph.counted_again(arc);
    }
    return result;
}

std::size_t limit_of(const FunctionQuery& query) {
    constexpr std::size_t default_rows = 10;
    const auto limit = query.limit.value_or(query.is_for_programs ? 0 : default_rows);
    return limit == 0 ? std::numeric_limits<std::size_t>::max() : limit;
}

/// For all arcs at once, so that the records of a caller are read once.
Result<void> find_sites(const PreparedProfile& prepared, std::vector<NeighbourLists>& around) {
    std::vector<Neighbour*> all;
    for (auto& [callers, callees] : around) {
        for (auto& caller : callers.shown) all.push_back(&caller);
        for (auto& callee : callees.shown) all.push_back(&callee);
    }
    std::vector<ArcId> arcs;
    arcs.reserve(all.size());
    for (const auto* neighbour : all) arcs.push_back(neighbour->arc);
    auto sites = call_sites(prepared.graph, arcs, prepared.measure);
    if (!sites) return tl::unexpected(sites.error());
    for (std::size_t i = 0; i < all.size(); ++i) all[i]->sites = std::move((*sites)[i]);
    return {};
}

/// Whether it is the whole name, parameters aside.
bool is_name(std::string_view pattern, std::string_view name) {
    constexpr std::string_view scope = "function:";
    if (pattern.starts_with(scope)) pattern.remove_prefix(scope.size());
    return name.starts_with(pattern) && (name.size() == pattern.size() || name[pattern.size()] == '(');
}

}  // namespace

Result<std::vector<NeighbourLists>> surroundings(const PreparedProfile& prepared,
                                                 std::span<const FunctionRow> rows,
                                                 const NeighboursOptions& options) {
    const auto& graph = prepared.graph;
    std::vector<NeighbourLists> around(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto node = rows[i].node;
        if (options.callers)
            around[i].callers = neighbours(prepared, graph.callers(node), &CallGraph::caller, options.limit);
        if (options.callees)
            around[i].callees = neighbours(prepared, graph.callees(node), &CallGraph::callee, options.limit);
    }
    if (options.sites) {
        if (const auto found = find_sites(prepared, around); !found) return tl::unexpected(found.error());
    }
    return around;
}

Matching matching_functions(const PreparedProfile& prepared, const FunctionQuery& query) {
    const auto& graph = prepared.graph;
    Matching matching;
    FunctionsOptions wanted;
    wanted.measure = prepared.measure;
    wanted.by = query.sort.value_or(SortBy::inclusive);
    if (wanted.by == SortBy::inclusive && !engine::has_inclusive(graph, prepared.measure))
        wanted.by = SortBy::self;
    wanted.limit = limit_of(query);
    const auto is_named = [&](NodeId node) {
        return !query.sort && is_name(query.pattern.texts.front(), graph.name(node));
    };
    wanted.where = is_named;
    matching.list = functions(graph, wanted);
    wanted.limit -= matching.list.rows.size();
    wanted.where = [&](NodeId node) {
        const bool is_match = engine::any_matches(query.pattern.patterns, graph, node);
        if (is_match) ++matching.matches;
        return is_match && !is_named(node);
    };
    for (const auto& row : functions(graph, wanted).rows) {
        matching.list.rows.push_back(row);
        --matching.list.omitted_rows;
        matching.list.omitted_self += -row.self;
    }
    return matching;
}

Result<Peek> peek_at(const PreparedProfile& prepared, const FunctionQuery& query) {
    Peek peek{matching_functions(prepared, query), {}};
    auto around = surroundings(prepared, peek.list.rows, {.limit = limit_of(query)});
    if (!around) return tl::unexpected(around.error());
    peek.around = *std::move(around);
    return peek;
}

}  // namespace callcost::program
