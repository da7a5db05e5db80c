#include "reader/finish_profile.hpp"

#include <unordered_map>
#include <utility>

#include "profile/same_functions.hpp"

namespace callcost {

namespace {

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

/// By function the one that it is inlined in; empty: none is.
Hosts hosts_of(const std::vector<InlinedRow>& inlined, std::size_t functions) {
    Hosts hosts;
    if (!inlined.empty()) hosts.assign(functions, no_row);
    for (const InlinedRow& code : inlined) hosts[code.function.value] = code.host.value;
    return hosts;
}

/// F61: (a) by function id, else (b) by name, if only one recorded function has it.
void link_callees(ProfileData& data, const Hosts& hosts,
                  const std::vector<std::pair<FunctionId, FunctionId>>& by_id, SameFunctions& mergers,
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
    SameFunctions mergers(data.functions.size());
    const Hosts hosts = hosts_of(built.inlined, data.functions.size());
    if (!built.aliases.empty()) {
        apply_aliases(data, built.aliases);
        find_same_functions(data, hosts, mergers);
    }
    const bool blocks_merge = mergers.any();
    link_callees(data, hosts, built.links_by_id, mergers, log);
    if (mergers.any() || !hosts.empty()) unite_functions(data, hosts, mergers, blocks_merge);
    find_jump_targets(data);
    data.diagnostics = log.take();
    return std::move(built.data);
}

}  // namespace callcost
