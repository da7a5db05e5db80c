#include "reports/neighbours.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "query/filtered_functions.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {
namespace {

NeighbourList list_of(const engine::View& view, NodeId node, engine::End end, std::size_t limit) {
    const engine::Neighbours neighbours(view, {node}, end);
    const auto shown = std::min(limit, neighbours.all().size());
    const auto first = neighbours.all().begin();
    return {{first, first + static_cast<std::ptrdiff_t>(shown)}, {}, neighbours.rest(shown)};
}

std::size_t limit_of(const FunctionQuery& query) {
    constexpr std::size_t default_rows = 10;
    const auto limit = query.limit.value_or(query.is_for_programs ? 0 : default_rows);
    return limit == 0 ? std::numeric_limits<std::size_t>::max() : limit;
}

/// For all arcs at once, so that the records of a caller are read once.
Result<void> find_sites(const engine::View& view, std::vector<NeighbourLists>& around) {
    std::vector<engine::Neighbour> all;
    for (const auto& [callers, callees] : around)
        for (const auto* list : {&callers, &callees})
            all.insert(all.end(), list->shown.begin(), list->shown.end());
    auto sites = call_sites_of(view, all);
    if (!sites) return tl::unexpected(sites.error());
    auto next = std::make_move_iterator(sites->begin());
    for (auto& [callers, callees] : around)
        for (auto* list : {&callers, &callees}) {
            const auto end = next + static_cast<std::ptrdiff_t>(list->shown.size());
            list->sites.assign(next, end);
            next = end;
        }
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
    const auto view = prepared.view();
    std::vector<NeighbourLists> around(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (options.callers)
            around[i].callers = list_of(view, rows[i].node, engine::End::caller, options.limit);
        if (options.callees)
            around[i].callees = list_of(view, rows[i].node, engine::End::callee, options.limit);
    }
    if (options.sites)
        if (const auto found = find_sites(view, around); !found) return tl::unexpected(found.error());
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
