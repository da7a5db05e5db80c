#include "change_points/rank_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <callcost/event_type.hpp>

namespace callcost {
namespace {

class RankTest {
  public:
    RankTest(Values values, std::size_t size, double threshold)
        : values_(values),
          threshold_(threshold),
          limit_(std::sqrt(2 * std::log(static_cast<double>(size))) + 0.4) {}

    [[nodiscard]] Positions change_points() {
        std::vector<Candidate> candidates;
        const auto size = static_cast<double>(values_.size());
        // Shorter ones cannot exceed the limit: sqrt(2 / pi * length) is the greatest statistic there is.
        const double shortest = limit_ * limit_ * 1.5708;
        for (double length = size; length >= shortest; length *= std::sqrt(0.5)) {
            const auto whole = static_cast<std::size_t>(std::ceil(length));
            const auto count = 2 * static_cast<std::size_t>(std::ceil(size / length)) - 1;
            for (std::size_t i = 0; i < count; ++i) {
                const auto from =
                    count == 1
                        ? 0
                        : static_cast<std::size_t>(std::uint64_t{values_.size() - whole} * i / (count - 1));
                const auto found = strongest(from, from + whole);
                if (found.statistic > limit_) candidates.push_back(found);
            }
        }
        std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
            return std::pair(a.to - a.from, -a.statistic) < std::pair(b.to - b.from, -b.statistic);
        });
        Positions found;
        for (const Candidate& candidate : candidates) {
            const auto next = found.upper_bound(candidate.from);
            if (next == found.end() || *next >= candidate.to) found.insert(candidate.at);
        }
        return refined(refined(found));
    }

  private:
    struct Candidate {
        std::size_t from, to, at;
        double statistic;
    };

    /// Each moved to where it is strongest between its neighbors; omitted if it is not significant there.
    /// Between them are at most so many that were omitted: else the time were quadratic if none is kept.
    [[nodiscard]] Positions refined(const Positions& found) {
        constexpr std::size_t most_omitted = 32;
        Positions kept;
        std::vector<std::size_t> omitted;  // since the last one that was kept
        for (auto here = found.begin(); here != found.end(); ++here) {
            auto from = kept.empty() ? 0 : *kept.rbegin();
            if (omitted.size() > most_omitted) from = omitted[omitted.size() - 1 - most_omitted];
            const auto to = std::next(here) == found.end() ? values_.size() : *std::next(here);
            const auto best = strongest(from, to);
            if (best.statistic > limit_ &&
                relative_difference(median(values_.subspan(from, best.at - from)),
                                    median(values_.subspan(best.at, to - best.at))) >= threshold_) {
                kept.insert(best.at);
                omitted.clear();
            } else {
                omitted.push_back(*here);
            }
        }
        return kept;
    }

    /// The split of an interval with the greatest difference in ranks between its sides.
    [[nodiscard]] Candidate strongest(std::size_t from, std::size_t to) {
        const auto size = to - from;
        set_scores(size);
        order_.resize(size);
        for (std::size_t i = 0; i < size; ++i) order_[i] = {values_[from + i], i};
        std::sort(order_.begin(), order_.end());
        ranked_.resize(size);
        for (std::size_t i = 0, end = 0; i < size; i = end) {  // equal values share the mean of their scores
            double sum = 0;
            for (end = i; end < size && order_[end].first == order_[i].first; ++end) sum += scores_[end];
            for (std::size_t k = i; k < end; ++k)
                ranked_[order_[k].second] = sum / static_cast<double>(end - i);
        }
        Candidate best{from, to, from, 0};
        double sum = 0;
        for (std::size_t i = 1; i < size; ++i) {
            sum += ranked_[i - 1];
            const auto left = static_cast<double>(i), right = static_cast<double>(size - i);
            const double statistic = std::abs(sum) / std::sqrt(variance_ * left * right / (left + right));
            if (statistic > best.statistic) best = {from, to, from + i, statistic};
        }
        return best;
    }

    /// Normal scores: quantiles of the normal distribution by Tukey's lambda distribution, which is near
    /// enough.
    void set_scores(std::size_t size) {
        if (scores_.size() == size) return;
        scores_.resize(size);
        double squares = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const double share = static_cast<double>(i + 1) / static_cast<double>(size + 1);
            scores_[i] = (std::pow(share, 0.135) - std::pow(1 - share, 0.135)) / 0.1975;
            squares += scores_[i] * scores_[i];
        }
        variance_ = squares / static_cast<double>(size - 1);
    }

    Values values_;
    double threshold_, limit_, variance_ = 1;
    std::vector<double> scores_, ranked_;
    std::vector<std::pair<std::int64_t, std::size_t>> order_;
};

}  // namespace

double relative_difference(std::int64_t a, std::int64_t b) {
    const auto apart = static_cast<std::uint64_t>(Cost(std::max(a, b)) - Cost(std::min(a, b)));
    if (apart == 0) return 0;
    const auto smaller = std::min(Cost(a).magnitude(), Cost(b).magnitude());
    return smaller == 0 ? std::numeric_limits<double>::infinity()
                        : static_cast<double>(apart) / static_cast<double>(smaller);
}

std::int64_t median(Values values) {
    std::vector<std::int64_t> sorted(values.begin(), values.end());
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
}

Positions level_changes(Values values, std::size_t size, double threshold) {
    return RankTest(values, size, threshold).change_points();
}

}  // namespace callcost
