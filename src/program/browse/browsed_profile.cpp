#include "browse/browsed_profile.hpp"

#include <algorithm>
#include <utility>

#include "query/filtered_tree.hpp"
#include "text/numbers.hpp"

namespace callcost::program {

BrowsedProfile::BrowsedProfile(Profile profile, std::optional<Profile> before, engine::Host host,
                               const engine::Style& style)
    : profiles_{engine::LoadedProfile(std::move(profile), host.stacks), {}},
      host_(std::move(host)),
      style_(style) {
    if (before) profiles_.before.emplace(*std::move(before), host_.stacks_before);
}

engine::QueryResult<void> BrowsedProfile::ask(engine::Query query) {
    query.compares = is_compared();
    auto view = engine::resolve(query, profiles_, host_.compile);
    if (!view) return tl::unexpected(std::move(view).error());
    query_ = std::move(query);
    view_ = *std::move(view);
    const auto known = measures();
    const auto is_same = [&](const Measure& each) { return each.name == measure().name; };
    if (std::none_of(known.begin(), known.end(), is_same)) formulas_.push_back(measure());
    base_ = percentage_base(graph(), measure());
    if (view_.before) base_before_ = percentage_base(view_.before->graph(), view_.before->measure);
    trees_ = engine::Recent<Tree>(2);
    return {};
}

std::vector<Measure> BrowsedProfile::measures() const {
    auto all = profiles_.after.measures.all();
    all.insert(all.end(), formulas_.begin(), formulas_.end());
    return all;
}

std::shared_ptr<const Tree> BrowsedProfile::tree(TreeDirection direction, std::size_t frames) const {
    const auto key = std::to_string(static_cast<int>(direction)) + ' ' + std::to_string(frames);
    return trees_.get(key, [&] {
        TreeOptions options;
        options.measure = measure();
        options.direction = direction;
        options.max_frames = frames;
        return std::make_shared<const Tree>(
            engine::filtered_tree(graph(), *view_.after.stacks, options, view_.after.filtered.get()));
    });
}

std::string BrowsedProfile::figure(Cost cost, bool has_share, bool is_before) const {
    const Cost base = is_before ? base_before_ : base_;
    if (!shows_shares_ || base == 0) return engine::cost(cost, measure().unit, style_);
    return has_share ? engine::percent(cost, base) : std::string();
}

std::string BrowsedProfile::change(const Change& cost) const {
    return engine::difference(cost.delta(), measure().unit, style_);
}

}  // namespace callcost::program
