#include "diff/assignment.hpp"

#include <limits>

#include "diff/likeness.hpp"

namespace callcost {
namespace {

constexpr double other_name = 0.05, other_file = 0.25;
/// What a member without a partner costs; a pair must be better than two of these.
constexpr double alone = 0.45;
/// Two ways that differ by less are equally good.
constexpr double doubt = 0.04;

/// From 0, the same, to about 1.
double distance(const GroupMember& a, const GroupMember& b) {
    const double self = 1 - likeness_of_costs(a.self, b.self);
    const double inclusive = 1 - likeness_of_costs(a.inclusive, b.inclusive);
    const bool has_callees = !a.callees.empty() || !b.callees.empty();
    const double unlike = has_callees
                              ? 0.5 * (1 - share(common(a.callees, b.callees))) + 0.25 * (self + inclusive)
                              : (self + inclusive) / 2;
    return unlike + (a.name == b.name ? 0 : other_name) + (a.file == b.file ? 0 : other_file);
}

bool cost_the_same(const GroupMember& a, const GroupMember& b) {
    return a.self == b.self && a.inclusive == b.inclusive;
}

/// Minimum-cost assignment of rows to columns, n <= m, by shortest augmenting paths in n^2 m steps.
class CheapestAssignment {
  public:
    CheapestAssignment(const std::vector<double>& costs, std::size_t size) : costs_(costs), size_(size) {}

    /// The column of each row.
    std::vector<std::size_t> run() {
        row_of_.assign(size_ + 1, size_);
        row_price_.assign(size_ + 1, 0);
        column_price_.assign(size_ + 1, 0);
        for (std::size_t row = 0; row < size_; ++row) add(row);
        std::vector<std::size_t> columns(size_);
        for (std::size_t column = 0; column < size_; ++column) columns[row_of_[column]] = column;
        return columns;
    }

  private:
    /// The last column stands for "not assigned yet".
    void add(std::size_t row) {
        const auto none = size_;
        std::vector<double> least(size_ + 1, std::numeric_limits<double>::infinity());
        std::vector<std::size_t> way(size_ + 1, none);
        std::vector<bool> is_done(size_ + 1, false);
        auto column = none;
        row_of_[none] = row;
        do {
            is_done[column] = true;
            const auto current = row_of_[column];
            double step = std::numeric_limits<double>::infinity();
            auto next = none;
            for (std::size_t j = 0; j < size_; ++j) {
                if (is_done[j]) continue;
                const double reduced = costs_[current * size_ + j] - row_price_[current] - column_price_[j];
                if (reduced < least[j]) {
                    least[j] = reduced;
                    way[j] = column;
                }
                if (least[j] < step) {
                    step = least[j];
                    next = j;
                }
            }
            for (std::size_t j = 0; j <= size_; ++j) {
                if (is_done[j]) {
                    row_price_[row_of_[j]] += step;
                    column_price_[j] -= step;
                } else {
                    least[j] -= step;
                }
            }
            column = next;
        } while (row_of_[column] != size_);
        while (column != none) {
            const auto previous = way[column];
            row_of_[column] = row_of_[previous];
            column = previous;
        }
        row_of_[none] = size_;
    }

    const std::vector<double>& costs_;
    std::size_t size_;
    std::vector<std::size_t> row_of_;  // by column
    std::vector<double> row_price_, column_price_;
};

class Assigning {
  public:
    Assigning(const std::vector<GroupMember>& before, const std::vector<GroupMember>& after)
        : before_(before), after_(after), size_(before.size() + after.size()) {}

    Assignment run() {
        fill();
        const auto columns = CheapestAssignment(costs_, size_).run();
        Assignment assignment;
        for (std::size_t row = 0; row < before_.size(); ++row)
            if (columns[row] < after_.size()) assignment.pairs.emplace_back(row, columns[row]);
        assignment.is_clear = is_clear(assignment.pairs);
        return assignment;
    }

  private:
    /// A square: further columns are "no partner" for the rows, further rows for the columns.
    void fill() {
        costs_.assign(size_ * size_, 0);
        for (std::size_t row = 0; row < size_; ++row) {
            for (std::size_t column = 0; column < size_; ++column) {
                const bool is_row = row < before_.size(), is_column = column < after_.size();
                costs_[row * size_ + column] =
                    is_row && is_column   ? distance(before_[row], after_[column]) + disorder(row, column)
                    : is_row || is_column ? alone
                                          : 0;
            }
        }
    }
    /// Hardly anything: of ways that are equally good the one that keeps the order.
    [[nodiscard]] double disorder(std::size_t row, std::size_t column) const {
        const double gap = static_cast<double>(row) / static_cast<double>(before_.size()) -
                           static_cast<double>(column) / static_cast<double>(after_.size());
        return 1e-4 * gap * gap;
    }
    [[nodiscard]] double cost(std::size_t row, std::size_t column) const {
        return costs_[row * size_ + column];
    }

    /// No two partners could be exchanged, nor one for a member without any, for nearly nothing.
    [[nodiscard]] bool is_clear(const std::vector<std::pair<std::size_t, std::size_t>>& pairs) const {
        std::vector<bool> has_row(before_.size()), has_column(after_.size());
        for (const auto& [row, column] : pairs) has_row[row] = has_column[column] = true;
        for (const auto& [row, column] : pairs) {
            for (const auto& [other, partner] : pairs) {
                if (row >= other || cost_the_same(before_[row], before_[other]) ||
                    cost_the_same(after_[column], after_[partner]))
                    continue;
                if (cost(row, partner) + cost(other, column) <
                    cost(row, column) + cost(other, partner) + doubt)
                    return false;
            }
            for (std::size_t i = 0; i < before_.size(); ++i)
                if (!has_row[i] && !cost_the_same(before_[i], before_[row]) &&
                    cost(i, column) < cost(row, column) + doubt)
                    return false;
            for (std::size_t j = 0; j < after_.size(); ++j)
                if (!has_column[j] && !cost_the_same(after_[j], after_[column]) &&
                    cost(row, j) < cost(row, column) + doubt)
                    return false;
        }
        return true;
    }

    const std::vector<GroupMember>& before_;
    const std::vector<GroupMember>& after_;
    std::size_t size_;
    std::vector<double> costs_;
};

}  // namespace

Assignment assign(const std::vector<GroupMember>& before, const std::vector<GroupMember>& after,
                  std::uint64_t& budget) {
    constexpr std::size_t most = 200;
    const std::uint64_t size = before.size() + after.size(), steps = size * size * size;
    if (size > most || steps > budget) return {.pairs = {}, .is_clear = false, .is_too_much = true};
    budget -= steps;
    return Assigning(before, after).run();
}

}  // namespace callcost
