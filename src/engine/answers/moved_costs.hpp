/// Self costs of a comparison without what only moved between functions.
#pragma once

#include <cstddef>
#include <vector>

#include "answers/changed_functions.hpp"
#include <callcost/diff.hpp>

namespace callcost::engine {

/// Code that was inlined counts in its callers in both profiles, code that was outlined in those it was in:
/// what is left of changes is not due to that. All self costs together stay what they are.
class MovedCosts {
  public:
    /// Nothing moved: the self costs as they are.
    static MovedCosts none(const Diff& diff);
    explicit MovedCosts(const Diff& diff);

    [[nodiscard]] const Change& self(MatchId function) const { return self_[function.value]; }
    /// All of its cost is counted elsewhere.
    [[nodiscard]] bool has_moved(MatchId function) const { return has_moved_[function.value]; }

  private:
    struct AsItIs {};
    MovedCosts(const Diff& diff, AsItIs as_it_is);
    void move(const Diff& diff, bool is_outlined);

    std::vector<Change> self_;  // by MatchId
    std::vector<bool> has_moved_;
};

/// Functions whose self cost changed, by this.
[[nodiscard]] std::vector<MatchId> changed_by(const Diff& diff, const MovedCosts& costs);

}  // namespace callcost::engine
