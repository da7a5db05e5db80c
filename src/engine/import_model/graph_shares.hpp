/// Costs of a graph divided by weights. For imported_graph.
#pragma once

#include <algorithm>
#include <cstdint>

#include <callcost/event_type.hpp>

namespace callcost::engine {

/// Of all costs together: so that no sum of some overflows.
constexpr double max_magnitude = 9e18;

[[nodiscard]] inline std::int64_t rounded(double number) {
    return static_cast<std::int64_t>(std::min(number + 0.5, max_magnitude));
}

/// Hands out a whole in parts by weight. All of it is gone with the last weight.
template <class Number>
class Shares {
  public:
    Shares(Number whole, double weights) : left_(whole), weights_(weights) {}

    Number take(double weight) {
        const double part = weights_ > 0 ? static_cast<double>(left_) * (weight / weights_) : 0;
        const bool is_last = weight >= weights_;
        weights_ -= weight;
        Number taken = is_last && weight > 0 ? left_ : static_cast<Number>(rounded(part));
        taken = std::min(taken, left_);
        left_ -= taken;
        return taken;
    }
    [[nodiscard]] Number left() const { return left_; }

  private:
    Number left_;
    double weights_;
};

[[nodiscard]] inline double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 1 : std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
}

[[nodiscard]] inline Cost part_of(Cost whole, double share) {
    return std::clamp(Cost(rounded(static_cast<double>(whole) * share)), Cost(0), whole);
}

}  // namespace callcost::engine
