#include "tree/recorded_stacks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "profile/call_trace.hpp"
#include "profile/profile_data.hpp"

namespace callcost {
namespace {

std::vector<std::vector<PartId>> parts_by_source(const ProfileData& data) {
    std::vector<std::vector<PartId>> parts(data.sources.size());
    for (std::size_t part = 0; part < data.parts.size(); ++part)
        parts[data.parts[part].source].emplace_back(part);
    return parts;
}

bool is_traced(const Profile& profile, std::span<const PartId> parts) {
    const ProfileData& data = ProfileAccess::data(profile);
    return are_traced(profile, parts) &&
           std::any_of(parts.begin(), parts.end(), [&](PartId part) { return data.trace(part) != nullptr; });
}

}  // namespace

std::shared_ptr<const Stacks> stacks_of_parts(const Profile& profile, std::span<const PartId> parts) {
    const ProfileData& data = ProfileAccess::data(profile);
    if (!is_traced(profile, parts)) return nullptr;
    Stacks stacks;
    std::vector<std::uint32_t> functions(data.functions.size(), Stacks::none);
    const auto row_of = [&](FunctionId function) {
        std::uint32_t& row = functions[function.value];
        if (row == Stacks::none)
            row = stacks.function(profile.name(function), profile.name(profile.file(function)),
                                  profile.name(profile.object(function)));
        return row;
    };
    std::vector<std::uint32_t> path, events;
    for (const PartId part : parts) {
        if (data.trace(part) == nullptr) continue;
        events.clear();
        for (const EventId event : data.parts[part.value].events)
            events.push_back(stacks.event(data.events[event.value].name));
        for_each_call(
            *data.trace(part),
            [&](const CallTrace::Cursor& call) {
                const auto stack = stacks.stack(path.empty() ? Stacks::none : path.back(),
                                                row_of(FunctionId(data.traced(call.function()))));
                path.push_back(stack);
                for (std::size_t i = 0; i < call.self().size(); ++i)
                    if (call.self()[i] != 0) stacks.add(stack, events[i], call.self()[i]);
            },
            [&] { path.pop_back(); });
    }
    return std::make_shared<const Stacks>(std::move(stacks));
}

StacksOfSources recorded_stacks(const Profile& profile, const StacksOfSources& beside) {
    const ProfileData& data = ProfileAccess::data(profile);
    if (data.traces.empty()) return beside;
    StacksOfSources stacks = data.stacks.get([&] {
        StacksOfSources made;
        for (const auto& of_source : parts_by_source(data))
            made.push_back(stacks_of_parts(profile, of_source));
        return made;
    });
    for (std::size_t source = 0; source < std::min(beside.size(), stacks.size()); ++source)
        if (beside[source]) stacks[source] = beside[source];
    return stacks;
}

bool has_recorded_stacks(const Profile& profile, const StacksOfSources& beside) {
    const auto parts = parts_by_source(ProfileAccess::data(profile));
    for (std::size_t source = 0; source < parts.size(); ++source) {
        const bool is_beside = source < beside.size() && beside[source];
        if (!is_beside && !is_traced(profile, parts[source])) return false;
    }
    return true;
}

}  // namespace callcost
