// Where calls and jumps are made (F74, F80).
#include "lines/sites.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace callcost {
namespace {

auto key_of(const SiteOfRow<CallSite>& call, SameSite same) {
    const CallSite& site = call.site;
    return std::tuple(call.row, site.arc, site.file, site.line, same == SameSite::address ? site.address : 0);
}
auto key_of(const SiteOfRow<JumpSite>& jump, SameSite same) {
    const JumpSite& site = jump.site;
    const bool exact = same == SameSite::address;
    return std::tuple(jump.row, site.function, site.file, site.line, exact ? site.address : 0,
                      site.target_function, site.target_file, site.target_line,
                      exact ? site.target_address : 0, site.conditional);
}

void add(CallSite& sum, const CallSite& site) {
    if (sum.address != site.address) sum.address = 0;
    sum.count.add(site.count);
    sum.cost += site.cost;
}
void add(JumpSite& sum, const JumpSite& site) {
    if (sum.address != site.address) sum.address = 0;
    if (sum.target_address != site.target_address) sum.target_address = 0;
    sum.executed += site.executed;
    sum.followed += site.followed;
}

template <class Sites>
void merge(Sites& sites, SameSite same) {
    std::sort(sites.begin(), sites.end(),
              [&](const auto& a, const auto& b) { return key_of(a, same) < key_of(b, same); });
    std::size_t size = 0;
    for (const auto& site : sites) {
        if (size != 0 && key_of(sites[size - 1], same) == key_of(site, same)) {
            add(sites[size - 1].site, site.site);
        } else {
            sites[size++] = site;
        }
    }
    sites.resize(size);
}

/// Less, equal or greater by name, nodes being the same only if they are one.
int compare_nodes(const CallGraph& graph, NodeId a, NodeId b) {
    if (a == b) return 0;
    if (!a.valid() || !b.valid()) return a.valid() ? -1 : 1;
    return precedes(graph, a, b) ? -1 : 1;
}
int compare_files(const CallGraph& graph, FileId a, FileId b) {
    if (a == b || !a.valid() || !b.valid()) return (a > b) - (a < b);
    return graph.profile().name(a).compare(graph.profile().name(b));
}

/// What decides between calls that cost the same, the callees having the same name.
bool call_precedes(const CallGraph& graph, const CallSite& a, const CallSite& b) {
    if (const int order = compare_nodes(graph, graph.callee(a.arc), graph.callee(b.arc)); order != 0)
        return order < 0;
    if (const int order = compare_nodes(graph, graph.caller(a.arc), graph.caller(b.arc)); order != 0)
        return order < 0;
    if (const int order = compare_files(graph, a.file, b.file); order != 0) return order < 0;
    return std::tie(a.line, a.address) < std::tie(b.line, b.address);
}

bool jump_precedes(const CallGraph& graph, const JumpSite& a, const JumpSite& b) {
    if (const int order = compare_nodes(graph, a.function, b.function); order != 0) return order < 0;
    if (const int order = compare_files(graph, a.file, b.file); order != 0) return order < 0;
    if (std::tie(a.line, a.address) != std::tie(b.line, b.address))
        return std::tie(a.line, a.address) < std::tie(b.line, b.address);
    if (const int order = compare_nodes(graph, a.target_function, b.target_function); order != 0)
        return order < 0;
    if (const int order = compare_files(graph, a.target_file, b.target_file); order != 0) return order < 0;
    return std::tie(a.target_line, a.target_address, a.conditional) <
           std::tie(b.target_line, b.target_address, b.conditional);
}

}  // namespace

CallSite call_site_of(const CallGraph& graph, const Record& record, Cost cost) {
    const auto& mapping = data_of(graph).mapping;
    return {.arc = ArcId(mapping ? mapping->arc_of[record.arc.value] : record.arc.value),
            .file = record.file,
            .line = record.line,
            .address = record.address,
            .count = CallCount::of(record.count),  // F57
            .cost = cost};
}

JumpSite jump_site_of(const CallGraph& graph, NodeId node, const Record& record) {
    return {.function = node,
            .file = record.file,
            .line = record.line,
            .address = record.address,
            .target_function = graph.node_of(record.target_function),
            .target_file = record.target_file,
            .target_line = record.target_line,
            .target_address = record.target_address,
            .conditional = record.conditional,
            .executed = record.executed,
            .followed = record.followed};
}

void merge_calls(const CallGraph& graph, CallsOfRows& calls, SameSite same) {
    merge(calls, same);
    // The names at hand: a function may call 40 000 others, all at the same cost.
    struct Key {
        std::uint32_t row;
        std::uint32_t call;
        Cost cost;
        std::string_view callee;
    };
    std::vector<Key> keys;
    keys.reserve(calls.size());
    for (std::uint32_t i = 0; i < calls.size(); ++i)
        keys.push_back({calls[i].row, i, calls[i].site.cost, graph.name(graph.callee(calls[i].site.arc))});
    std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
        if (a.row != b.row) return a.row < b.row;
        if (a.cost != b.cost) return a.cost > b.cost;
        if (const int order = a.callee.compare(b.callee); order != 0) return order < 0;
        return call_precedes(graph, calls[a.call].site, calls[b.call].site);
    });
    CallsOfRows sorted;
    sorted.reserve(calls.size());
    for (const Key& key : keys) sorted.push_back(calls[key.call]);
    calls = std::move(sorted);
}

void merge_jumps(const CallGraph& graph, JumpsOfRows& jumps, SameSite same) {
    merge(jumps, same);
    std::sort(jumps.begin(), jumps.end(), [&](const auto& a, const auto& b) {
        return a.row != b.row ? a.row < b.row : jump_precedes(graph, a.site, b.site);
    });
}

Result<std::vector<std::vector<CallSite>>> call_sites(const CallGraph& graph, std::span<const ArcId> arcs,
                                                      const Measure& measure) {
    const CallGraph::Data& data = data_of(graph);
    if (graph.profile().detail() != Detail::full)
        return tl::unexpected(Error{.code = ErrorCode::needs_detail, .detail = {}});
    // Arcs of the profile with what they are part of. Only the functions they come from can have made calls.
    std::vector<std::pair<ArcId, std::uint32_t>> sources;
    for (std::uint32_t row = 0; row < arcs.size(); ++row) {
        if (data.mapping) {
            for (const ArcId source : data.mapping->arcs[arcs[row].value]) sources.emplace_back(source, row);
        } else {
            sources.emplace_back(arcs[row], row);
        }
    }
    std::sort(sources.begin(), sources.end());
    std::vector<FunctionId> callers;
    callers.reserve(sources.size());
    for (const auto& [source, row] : sources) callers.push_back(graph.profile().caller(source));
    std::sort(callers.begin(), callers.end());
    callers.erase(std::unique(callers.begin(), callers.end()), callers.end());

    RecordCosts costs(data.columns(), std::span(&measure, 1));
    CallsOfRows calls;
    for (const FunctionId caller : callers) {
        for_each_record(data, caller, [&](const Record& record, PartId part) {
            if (record.kind != Record::Kind::call) return;
            auto use = std::lower_bound(sources.begin(), sources.end(), std::pair(record.arc, 0U));
            for (; use != sources.end() && use->first == record.arc; ++use)
                calls.push_back({use->second, call_site_of(graph, record, costs.first(part, record.costs))});
        });
    }
    merge_calls(graph, calls, SameSite::address);
    std::vector<std::vector<CallSite>> sites(arcs.size());
    for (const auto& call : calls) sites[call.row].push_back(call.site);
    return sites;
}

Result<std::vector<CallSite>> call_sites(const CallGraph& graph, ArcId arc, const Measure& measure) {
    auto sites = call_sites(graph, std::span(&arc, 1), measure);
    if (!sites) return tl::unexpected(sites.error());
    return std::move(sites->front());
}

Result<std::vector<JumpSite>> jumps(const CallGraph& graph, NodeId node) {
    const CallGraph::Data& data = data_of(graph);
    if (graph.profile().detail() != Detail::full)
        return tl::unexpected(Error{.code = ErrorCode::needs_detail, .detail = {}});
    JumpsOfRows found;
    const auto collect = [&](FunctionId function) {
        for_each_record(data, function, [&](const Record& record, PartId) {
            if (record.kind == Record::Kind::jump) found.push_back({0, jump_site_of(graph, node, record)});
        });
    };
    if (data.mapping) {
        for (const FunctionId function : data.mapping->functions[node.value]) collect(function);
    } else {
        collect(graph.function(node));
    }
    merge_jumps(graph, found, SameSite::address);
    std::vector<JumpSite> sites;
    sites.reserve(found.size());
    for (const auto& jump : found) sites.push_back(jump.site);
    return sites;
}

}  // namespace callcost
