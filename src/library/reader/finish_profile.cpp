#include "reader/finish_profile.hpp"

#include <unordered_map>
#include <utility>

namespace callcost {

namespace {

/// A function as F71 knows it.
struct Identity {
    std::uint32_t object = 0, file = 0, name = 0;
    friend bool operator==(const Identity&, const Identity&) = default;
};
struct IdentityHash {
    std::uint64_t seed = seed_for(this);
    std::size_t operator()(const Identity& id) const {
        return static_cast<std::size_t>(
            mix((std::uint64_t{id.object} << 32U | id.file) + mix(id.name + seed)));
    }
};
using FunctionIndex = std::unordered_map<Identity, std::uint32_t, IdentityHash>;

Identity identity_of(const FunctionData& function) {
    return {function.object.value, function.file.value, function.name};
}

/// Names that turned out to be other names: every function, file and jump target gets the name meant.
void apply_aliases(ProfileData& data, const std::vector<NameResolver::Alias>& aliases) {
    std::unordered_map<std::uint32_t, std::uint32_t> names[3];
    for (const NameResolver::Alias& alias : aliases)
        names[static_cast<std::size_t>(alias.kind)][alias.row] = alias.name;
    const auto rename = [&names](NameKind kind, std::uint32_t& row) {
        const auto& map = names[static_cast<std::size_t>(kind)];
        if (const auto known = map.find(row); known != map.end()) row = known->second;
    };
    for (std::size_t i = 0; i < data.functions.size(); ++i) {
        rename(NameKind::object, data.functions[i].object.value);
        rename(NameKind::file, data.functions[i].file.value);
        std::uint32_t name = data.functions[i].name;
        rename(NameKind::function, name);
        data.functions[i].name = name & 0x7fffffffU;
    }
    for (JumpTarget& target : data.jump_targets) {
        rename(NameKind::object, target.object.value);
        rename(NameKind::file, target.file.value);
        rename(NameKind::function, target.name);
    }
    if (!names[static_cast<std::size_t>(NameKind::file)].empty()) {
        data.file_links.resize(data.file_names.size());
        for (std::size_t i = 0; i < data.file_links.size(); ++i) {
            data.file_links[i] = FileId(i);
            rename(NameKind::file, data.file_links[i].value);
        }
        CostTable located;
        located.set_columns(data.events.size());
        located.grow(data.file_names.size());
        data.located.for_each([&](std::size_t row, std::size_t column, Cost cost) {
            located.add(data.file_links[row].value, column, cost);
        });
        data.located = std::move(located);
    }
}

/// For every function the row that it is the same as; most are themselves.
class Mergers {
  public:
    explicit Mergers(std::size_t functions) : same_as_(functions) {
        for (std::size_t i = 0; i < functions; ++i) same_as_[i] = static_cast<std::uint32_t>(i);
    }
    /// Links are never longer than the number of functions, and every look-up shortens them.
    std::uint32_t root(std::uint32_t row) {
        while (same_as_[row] != row) row = same_as_[row] = same_as_[same_as_[row]];
        return row;
    }
    void merge(std::uint32_t row, std::uint32_t into) {
        row = root(row);
        into = root(into);
        if (row == into) return;
        same_as_[row] = into;
        any_ = true;
    }
    [[nodiscard]] bool any() const { return any_; }

  private:
    std::vector<std::uint32_t> same_as_;
    bool any_ = false;
};

/// The functions that inlined ones are in, by function; empty: there are none.
using Hosts = std::vector<std::uint32_t>;

bool is_inlined(const Hosts& hosts, std::uint32_t row) { return !hosts.empty() && hosts[row] != no_row; }

Hosts hosts_of(const std::vector<InlinedRow>& inlined, std::size_t functions) {
    Hosts hosts;
    if (!inlined.empty()) hosts.assign(functions, no_row);
    for (const InlinedRow& code : inlined) hosts[code.function.value] = code.host.value;
    return hosts;
}

/// Functions whose names turned out to be the same.
void merge_aliases(ProfileData& data, const Hosts& hosts, Mergers& mergers) {
    FunctionIndex index;
    for (std::uint32_t row = 0; row < data.functions.size(); ++row) {
        if (is_inlined(hosts, row)) continue;
        const auto [entry, is_new] = index.try_emplace(identity_of(data.functions[row]), row);
        if (is_new) continue;
        if (data.functions[row].has_records != 0) data.functions[entry->second].has_records = 1;
        mergers.merge(row, entry->second);
    }
}

/// Inlined code of one function in what turned out to be one function.
void merge_inlined(ProfileData& data, const Hosts& hosts, Mergers& mergers) {
    FunctionIndex index;
    for (std::uint32_t row = 0; row < hosts.size(); ++row) {
        if (hosts[row] == no_row) continue;
        const Identity code{mergers.root(hosts[row]), data.functions[row].file.value,
                            data.functions[row].name};
        mergers.merge(row, index.try_emplace(code, row).first->second);
    }
}

/// F61: (a) by function id, else (b) by name, if only one recorded function has it.
void link_callees(ProfileData& data, const Hosts& hosts,
                  const std::vector<std::pair<FunctionId, FunctionId>>& by_id, Mergers& mergers,
                  DiagnosticLog& log) {
    std::vector<std::uint32_t> called_only;
    for (std::uint32_t row = 0; row < data.functions.size(); ++row)
        if (data.functions[row].has_records == 0 && mergers.root(row) == row) called_only.push_back(row);
    if (called_only.empty()) return;

    std::unordered_map<std::uint32_t, std::uint32_t> link_by_id;
    for (const auto& [from, to] : by_id) link_by_id.try_emplace(from.value, to.value);
    constexpr std::uint32_t several = no_row - 1;
    std::vector<std::uint32_t> recorded(data.function_names.size(), no_row);
    for (std::uint32_t row = 0; row < data.functions.size(); ++row) {
        if (data.functions[row].has_records == 0 || mergers.root(row) != row || is_inlined(hosts, row))
            continue;
        std::uint32_t& only = recorded[data.functions[row].name];
        only = only == no_row ? row : several;
    }
    for (const std::uint32_t row : called_only) {
        const auto known = link_by_id.find(row);
        const std::uint32_t name = data.functions[row].name;
        const std::uint32_t to = known != link_by_id.end() ? known->second
                                 : name == 0               ? no_row
                                                           : recorded[name];
        if (to >= several) continue;
        mergers.merge(row, to);
        log.add_count(DiagnosticId::callee_linked_by_name, 1);
    }
}

/// Joins the block lists of merged functions, in file order.
void merge_blocks(ProfileData& data, Mergers& mergers) {
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

/// Leaves merged functions and arcs out and numbers the others anew, in the same order, inlined ones last.
void compact(ProfileData& data, const Hosts& hosts, Mergers& mergers, bool blocks_merge) {
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
    data.arc_links.resize(data.arcs.size());
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
        data.arc_links[i] = ArcId(entry->second);
    }
    CostTable arc_costs;
    arc_costs.set_columns(data.events.size());
    arc_costs.grow(arcs.size());
    data.arc_costs.for_each([&](std::size_t row, std::size_t column, Cost cost) {
        arc_costs.add(data.arc_links[row].value, column, cost);
    });

    data.functions = std::move(functions);
    data.block_lists = std::move(block_lists);
    data.self = std::move(self);
    data.arcs = std::move(arcs);
    data.arc_costs = std::move(arc_costs);
    if (!data.traces.empty()) data.traced_links = std::move(number);
}

/// The function that has records under each name: none, one, or several (`several_functions`).
constexpr std::uint32_t several_functions = no_row - 1;
std::vector<std::uint32_t> functions_by_name(const ProfileData& data) {
    std::vector<std::uint32_t> functions(data.function_names.size(), no_row);
    for (std::uint32_t row = 0; row < data.functions.size(); ++row) {
        if (data.functions[row].has_records == 0 || data.inlined.contains(FunctionId(row))) continue;
        std::uint32_t& only = functions[data.functions[row].name];
        only = only == no_row ? row : several_functions;
    }
    return functions;
}

/// A jump's file is that of the line it leads to, which need not be the one its function is defined in:
/// without a function of just this object, file and name, the only one of the name is meant.
void find_jump_targets(ProfileData& data) {
    if (data.jump_targets.empty()) return;
    FunctionIndex wanted;
    for (const JumpTarget& target : data.jump_targets)
        wanted.try_emplace({target.object.value, target.file.value, target.name}, no_row);
    for (std::uint32_t row = 0; row < data.functions.size() && row < data.inlined.first; ++row)
        if (const auto entry = wanted.find(identity_of(data.functions[row])); entry != wanted.end())
            entry->second = row;
    const std::vector<std::uint32_t> by_name = functions_by_name(data);
    for (JumpTarget& target : data.jump_targets) {
        std::uint32_t row = wanted[{target.object.value, target.file.value, target.name}];
        if (row == no_row && target.name != 0) row = by_name[target.name];
        if (row < several_functions) target.function = FunctionId(row);
    }
}

}  // namespace

std::shared_ptr<const ProfileData> finish_profile(BuildResult built, DiagnosticLog& log) {
    ProfileData& data = *built.data;
    Mergers mergers(data.functions.size());
    const Hosts hosts = hosts_of(built.inlined, data.functions.size());
    if (!built.aliases.empty()) {
        apply_aliases(data, built.aliases);
        merge_aliases(data, hosts, mergers);
        merge_inlined(data, hosts, mergers);
    }
    const bool blocks_merge = mergers.any();
    link_callees(data, hosts, built.links_by_id, mergers, log);
    if (mergers.any() || !hosts.empty()) compact(data, hosts, mergers, blocks_merge);
    find_jump_targets(data);
    data.diagnostics = log.take();
    return std::move(built.data);
}

}  // namespace callcost
