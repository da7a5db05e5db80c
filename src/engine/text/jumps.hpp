/// Jumps as they are shown: those of one place to one target are one.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include <callcost/lines.hpp>

namespace callcost::engine {

/// Adds up the jumps that differ in nothing but where exactly they are made: by target, as `target_of` has
/// it, and whether they are conditional.
template <class TargetOf>
[[nodiscard]] std::vector<JumpSite> jumps_by_target(std::span<const JumpSite> sites, TargetOf target_of) {
    std::map<std::pair<decltype(target_of(sites.front())), bool>, JumpSite> by_target;
    for (const auto& site : sites) {
        const auto [jump, is_new] = by_target.try_emplace({target_of(site), site.conditional}, site);
        if (is_new) continue;
        jump->second.executed += site.executed;
        jump->second.followed += site.followed;
    }
    std::vector<JumpSite> jumps;
    jumps.reserve(by_target.size());
    for (const auto& [target, jump] : by_target) jumps.push_back(jump);
    return jumps;
}

}  // namespace callcost::engine
