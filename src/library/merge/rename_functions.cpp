#include <memory>
#include <utility>
#include <vector>

#include "callcost/writer.hpp"
#include "merge/copied_profile.hpp"
#include "profile/profile_data.hpp"
#include "profile/same_functions.hpp"

namespace callcost {
namespace {

void copy_costs(const CostTable& from, std::size_t columns, CostTable& to) {
    to.set_columns(columns);
    to.grow(from.rows());
    from.for_each([&](std::size_t row, std::size_t column, Cost cost) { to.add(row, column, cost); });
}

template <class T>
void copy_rows(const PagedVector<T>& from, PagedVector<T>& to) {
    from.for_each([&](const T& value) { to.push_back(value); });
}

void copy_records(const ProfileData& from, ProfileData& to) {
    copy_costs(from.self, from.events.size(), to.self);
    copy_rows(from.arcs, to.arcs);
    copy_costs(from.arc_costs, from.events.size(), to.arc_costs);
    copy_costs(from.located, from.events.size(), to.located);
    to.layouts = from.layouts;
    copy_rows(from.blocks, to.blocks);
    copy_rows(from.block_lists, to.block_lists);
    to.chunks = from.chunks;
    to.jump_targets = from.jump_targets;
    to.arc_links = from.arc_links;
    to.file_links = from.file_links;
}

Hosts hosts_in(const ProfileData& data) {
    Hosts hosts;
    if (data.inlined.rows.empty()) return hosts;
    hosts.assign(data.functions.size(), no_row);
    for (std::size_t row = data.inlined.first; row < hosts.size(); ++row)
        hosts[row] = data.inlined.host(FunctionId(row)).value;
    return hosts;
}

}  // namespace

Result<Profile> rename_functions(const Profile& profile, std::span<const std::string> names) {
    const ProfileData& from = ProfileAccess::data(profile);
    if (names.size() != profile.function_count() || (profile.has_inlined() && !from.inlined.are_as_written()))
        return tl::unexpected(Error{.code = ErrorCode::bad_argument, .detail = "names of other functions"});
    const auto data = std::make_shared<ProfileData>();
    copy_description(from, *data);
    copy_records(from, *data);
    for (std::size_t row = 0; row < names.size(); ++row)
        if (!names[row].empty())
            data->functions[row].name = data->function_names.intern(names[row]) & 0x7fffffffU;
    SameFunctions same(data->functions.size());
    const Hosts hosts = hosts_in(from);
    find_same_functions(*data, hosts, same);
    if (!same.any() && hosts.empty()) return Profile(data);
    const auto numbers = unite_functions(*data, hosts, same, true);
    for (JumpTarget& target : data->jump_targets)
        if (target.function.valid()) target.function = FunctionId(numbers[target.function.value]);
    return Profile(data);
}

}  // namespace callcost
