#include "browse/browsed_profile.hpp"

#include <utility>

#include "text/numbers.hpp"

namespace callcost::program {

BrowsedProfile::BrowsedProfile(const OpenedSides& sides, engine::Host host, const engine::Style& style)
    : profiles_{engine::LoadedProfile(sides.after.expanded.profile, host.stacks), {}},
      host_(std::move(host)),
      style_(style) {
    if (sides.before) profiles_.before.emplace(sides.before->expanded.profile, host_.stacks_before);
}

engine::QueryResult<void> BrowsedProfile::ask(engine::Query query) {
    query.compares = is_compared();
    auto view = engine::resolve(query, profiles_, host_.compile);
    if (!view) return tl::unexpected(std::move(view).error());
    query_ = std::move(query);
    view_ = *std::move(view);
    base_ = percentage_base(graph(), measure());
    return {};
}

std::string BrowsedProfile::figure(Cost cost, bool has_share) const {
    if (!shows_shares_ || base_ == 0) return engine::cost(cost, measure().unit, style_);
    return has_share ? engine::percent(cost, base_) : std::string();
}

std::string BrowsedProfile::change(const Change& cost) const {
    if (!shows_shares_ || base_ == 0) return engine::difference(cost.delta(), measure().unit, style_);
    return (cost.delta() > 0 ? "+" : "") + engine::percent(cost.delta(), base_);
}

}  // namespace callcost::program
