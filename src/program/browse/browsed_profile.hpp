/// What is browsed: one profile, or two that are compared, and the query that all lists are answers to.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"
#include "query/query.hpp"
#include "query/view.hpp"
#include "text/style.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/profile.hpp>
#include <callcost/tree.hpp>

namespace callcost::program {

class BrowsedProfile {
  public:
    /// Its view is empty before it is asked for the first time.
    BrowsedProfile(Profile profile, std::optional<Profile> before, engine::Host host,
                   const engine::Style& style);

    /// An error changes nothing.
    [[nodiscard]] engine::QueryResult<void> ask(engine::Query query);
    [[nodiscard]] const engine::Query& query() const { return query_; }
    [[nodiscard]] const engine::View& view() const { return view_; }
    [[nodiscard]] const engine::Side& side_of(engine::FunctionAt function) const {
        return function.is_before ? *view_.before : view_.after;
    }
    [[nodiscard]] const CallGraph& graph() const { return view_.after.graph(); }
    [[nodiscard]] const Measure& measure() const { return view_.after.measure; }
    /// Those of the profile, and formulas that were asked for.
    [[nodiscard]] std::vector<Measure> measures() const;
    [[nodiscard]] bool is_compared() const { return profiles_.before.has_value(); }
    [[nodiscard]] engine::SourceFile source(std::string_view recorded_name) const {
        return host_.source(recorded_name);
    }

    /// Call paths of the new profile, expanded to so many frames. Kept, as it takes long.
    [[nodiscard]] std::shared_ptr<const Tree> tree(TreeDirection direction, std::size_t frames) const;

    [[nodiscard]] const engine::Style& style() const { return style_; }
    /// A cost as a share of the total of its profile, or in its unit; empty if it has no share.
    [[nodiscard]] std::string figure(Cost cost, bool has_share = true, bool is_before = false) const;
    /// In its unit: as shares, most changes look alike.
    [[nodiscard]] std::string change(const Change& cost) const;
    [[nodiscard]] Cost base() const { return base_; }  ///< what is 100%
    void switch_shares() { shows_shares_ = !shows_shares_; }

  private:
    engine::Profiles profiles_;
    engine::Host host_;
    engine::Style style_;
    engine::Query query_;
    engine::View view_;
    Cost base_ = 0, base_before_ = 0;
    mutable engine::Recent<Tree> trees_{2};
    bool shows_shares_ = true;
    std::vector<Measure> formulas_;  // that were asked for
};

}  // namespace callcost::program
