#include "profile/same_functions.hpp"

#include <utility>

namespace callcost {

namespace {

/// Joins the block lists of merged functions, in file order.
void merge_blocks(ProfileData& data, SameFunctions& mergers) {
    std::vector<std::uint32_t> owner(data.blocks.size(), no_row);
    for (std::uint32_t row = 0; row < data.block_lists.size(); ++row) {
        for (std::uint32_t block = data.block_lists[row].first; block != no_row;
             block = data.blocks[block].next)
            owner[block] = mergers.root(row);
        data.block_lists[row] = {};
    }
    for (std::uint32_t block = 0; block < owner.size(); ++block) {
        if (owner[block] == no_row) continue;
        BlockList& list = data.block_lists[owner[block]];
        data.blocks[block].next = no_row;
        if (list.first == no_row) {
            list.first = block;
        } else {
            data.blocks[list.last].next = block;
        }
        list.last = block;
    }
}

}  // namespace

void find_same_functions(ProfileData& data, const Hosts& hosts, SameFunctions& mergers) {
    FunctionIndex index;
    for (std::uint32_t row = 0; row < data.functions.size(); ++row) {
        if (is_inlined(hosts, row)) continue;
        const auto [entry, is_new] = index.try_emplace(identity_of(data.functions[row]), row);
        if (is_new) continue;
        if (data.functions[row].has_records != 0) data.functions[entry->second].has_records = 1;
        mergers.merge(row, entry->second);
    }
    FunctionIndex inlined;
    for (std::uint32_t row = 0; row < hosts.size(); ++row) {
        if (hosts[row] == no_row) continue;
        const FunctionIdentity code{mergers.root(hosts[row]), data.functions[row].file.value,
                                    data.functions[row].name};
        mergers.merge(row, inlined.try_emplace(code, row).first->second);
    }
}

std::vector<std::uint32_t> unite_functions(ProfileData& data, const Hosts& hosts, SameFunctions& mergers,
                                           bool blocks_merge) {
    if (blocks_merge) merge_blocks(data, mergers);
    std::vector<std::uint32_t> number(data.functions.size(), no_row);
    PagedVector<FunctionData> functions;
    PagedVector<BlockList> block_lists;
    const auto keep = [&](std::uint32_t row) {
        number[row] = static_cast<std::uint32_t>(functions.push_back(data.functions[row]));
        if (!data.block_lists.empty()) block_lists.push_back(data.block_lists[row]);
    };
    for (std::uint32_t row = 0; row < data.functions.size(); ++row)
        if (mergers.root(row) == row && !is_inlined(hosts, row)) keep(row);
    if (!hosts.empty()) data.inlined.first = static_cast<std::uint32_t>(functions.size());
    for (std::uint32_t row = 0; row < hosts.size(); ++row) {
        if (mergers.root(row) != row || !is_inlined(hosts, row)) continue;
        keep(row);
        data.inlined.add(FunctionId(number[mergers.root(hosts[row])]));
    }
    for (std::uint32_t row = 0; row < data.functions.size(); ++row) number[row] = number[mergers.root(row)];

    CostTable self;
    self.set_columns(data.events.size());
    self.grow(functions.size());
    data.self.for_each(
        [&](std::size_t row, std::size_t column, Cost cost) { self.add(number[row], column, cost); });

    std::unordered_map<std::uint64_t, std::uint32_t, SeededHash> known;
    PagedVector<ArcData> arcs;
    std::vector<ArcId> links(data.arcs.size());
    for (std::size_t i = 0; i < data.arcs.size(); ++i) {
        ArcData arc = data.arcs[i];
        arc.caller = FunctionId(number[arc.caller.value]);
        arc.callee = FunctionId(number[arc.callee.value]);
        const auto [entry, is_new] =
            known.try_emplace(std::uint64_t{arc.caller.value} << 32U | arc.callee.value,
                              static_cast<std::uint32_t>(arcs.size()));
        if (is_new) {
            arcs.push_back(arc);
        } else {
            arcs[entry->second].add_calls(arc.calls());
        }
        links[i] = ArcId(entry->second);
    }
    CostTable arc_costs;
    arc_costs.set_columns(data.events.size());
    arc_costs.grow(arcs.size());
    data.arc_costs.for_each([&](std::size_t row, std::size_t column, Cost cost) {
        arc_costs.add(links[row].value, column, cost);
    });

    data.functions = std::move(functions);
    data.block_lists = std::move(block_lists);
    data.self = std::move(self);
    data.arcs = std::move(arcs);
    data.arc_costs = std::move(arc_costs);
    for (ArcId& arc : data.arc_links) arc = links[arc.value];
    if (data.arc_links.empty()) data.arc_links = std::move(links);
    for (std::uint32_t& function : data.traced_links) function = number[function];
    if (!data.traces.empty() && data.traced_links.empty()) data.traced_links = number;
    return number;
}

}  // namespace callcost
