#include "diff/alignment.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace callcost {
namespace {

struct Range {
    std::size_t before, before_end, after, after_end;
};

/// Of pairs that ascend by their second, most of those that ascend by their first, too.
RowPairs longest_ascending(const RowPairs& pairs) {
    std::vector<std::size_t> last;  // by length - 1: the pair with the least end of such a row
    std::vector<std::size_t> previous(pairs.size(), Alignment::none);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto place = std::partition_point(
            last.begin(), last.end(), [&](std::size_t other) { return pairs[other].first < pairs[i].first; });
        if (place != last.begin()) previous[i] = *std::prev(place);
        if (place == last.end()) {
            last.push_back(i);
        } else {
            *place = i;
        }
    }
    RowPairs row;
    for (auto i = last.back(); i != Alignment::none; i = previous[i]) row.push_back(pairs[i]);
    std::reverse(row.begin(), row.end());
    return row;
}

class Aligning {
  public:
    Aligning(const Alignment::Keys& before, const Alignment::Keys& after, std::size_t kinds,
             std::vector<std::size_t>& found)
        : before_(before), after_(after), kinds_(kinds), found_(found) {}

    void run(std::vector<Range> ranges, Alignment::First first) {
        work_left_ = std::uint64_t{256} * (before_.size() + after_.size()) + max_table;
        ranges_ = std::move(ranges);
        while (!ranges_.empty()) {
            auto range = ranges_.back();
            ranges_.pop_back();
            match_ends(range);
            if (range.before == range.before_end || range.after == range.after_end) continue;
            const auto work = range.before_end - range.before + range.after_end - range.after;
            if (work > work_left_) continue;
            work_left_ -= work;
            const bool is_done = first == Alignment::First::most && match_most(range, few);
            if (!is_done && !match_unique(range)) match_most(range, max_table);
        }
    }

  private:
    static constexpr std::size_t few = 65'536, max_table = 1'000'000;  // rows before times rows after
    struct Kind {
        std::array<std::uint32_t, 2> count{};
        std::size_t before = 0;
    };

    void match_ends(Range& range) {
        while (range.before < range.before_end && range.after < range.after_end &&
               before_[range.before] == after_[range.after])
            found_[range.after++] = range.before++;
        while (range.before < range.before_end && range.after < range.after_end &&
               before_[range.before_end - 1] == after_[range.after_end - 1])
            found_[--range.after_end] = --range.before_end;
    }

    bool match_unique(const Range& range) {
        for (auto i = range.before; i < range.before_end; ++i) {
            ++kinds_[before_[i]].count[0];
            kinds_[before_[i]].before = i;
        }
        for (auto j = range.after; j < range.after_end; ++j) ++kinds_[after_[j]].count[1];
        RowPairs pairs;
        for (auto j = range.after; j < range.after_end; ++j) {
            const auto& kind = kinds_[after_[j]];
            if (kind.count[0] == 1 && kind.count[1] == 1) pairs.emplace_back(kind.before, j);
        }
        for (auto i = range.before; i < range.before_end; ++i) kinds_[before_[i]].count = {};
        for (auto j = range.after; j < range.after_end; ++j) kinds_[after_[j]].count = {};
        if (pairs.empty()) return false;
        auto from = range;
        for (const auto& [before, after] : longest_ascending(pairs)) {
            found_[after] = before;
            ranges_.push_back({from.before, before, from.after, after});
            from.before = before + 1;
            from.after = after + 1;
        }
        ranges_.push_back(from);
        return true;
    }

    /// The longest common subsequence.
    bool match_most(const Range& range, std::size_t most) {
        const auto rows = range.before_end - range.before, columns = range.after_end - range.after;
        const auto width = columns + 1;
        if (rows > most / width || rows * width > work_left_) return false;
        work_left_ -= rows * width;
        std::vector<std::uint32_t> best((rows + 1) * width, 0);
        const auto agree = [&](std::size_t i, std::size_t j) {
            return before_[range.before + i] == after_[range.after + j];
        };
        for (auto i = rows; i-- > 0;) {
            for (auto j = columns; j-- > 0;) {
                best[i * width + j] = agree(i, j)
                                          ? best[(i + 1) * width + j + 1] + 1
                                          : std::max(best[(i + 1) * width + j], best[i * width + j + 1]);
            }
        }
        for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
            if (agree(i, j)) {
                found_[range.after + j++] = range.before + i++;
            } else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) {
                ++i;
            } else {
                ++j;
            }
        }
        return true;
    }

    const Alignment::Keys& before_;
    const Alignment::Keys& after_;
    std::vector<Kind> kinds_;  // by key; counts are 0 but inside of match_unique
    std::vector<std::size_t>& found_;
    std::vector<Range> ranges_;
    std::uint64_t work_left_ = 0;
};

/// What lies between the rows that are matched.
std::vector<Range> gaps(std::size_t size_before, const std::vector<std::size_t>& found) {
    std::vector<Range> ranges;
    Range range{0, 0, 0, 0};
    const auto close = [&](std::size_t before, std::size_t after) {
        range.before_end = before;
        range.after_end = after;
        if (range.before < before && range.after < after) ranges.push_back(range);
        range.before = before + 1;
        range.after = after + 1;
    };
    for (std::size_t after = 0; after < found.size(); ++after)
        if (found[after] != Alignment::none) close(found[after], after);
    close(size_before, found.size());
    return ranges;
}

/// The rows that have no partner.
void slide(std::vector<std::size_t>& found, const Alignment::Keys& keys) {
    auto steps_left = 16 * found.size();
    for (auto first = found.size(); first-- > 0;) {
        if (found[first] != Alignment::none || (first > 0 && found[first - 1] == Alignment::none)) continue;
        auto start = first, end = first + 1;
        for (; steps_left > 0 && end < found.size(); --steps_left) {
            if (found[end] == Alignment::none) {
                ++end;
            } else if (keys[start] == keys[end]) {
                std::swap(found[start++], found[end++]);
            } else {
                break;
            }
        }
    }
}

/// By row before what is by row after, or the other way round.
std::vector<std::size_t> inverse(const std::vector<std::size_t>& found, std::size_t size) {
    std::vector<std::size_t> rows(size, Alignment::none);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i] != Alignment::none) rows[found[i]] = i;
    return rows;
}

}  // namespace

void Alignment::slide_down(const Keys& before, const Keys& after) {
    slide(found_, after);
    auto removed = inverse(found_, size_before_);
    slide(removed, before);
    found_ = inverse(removed, found_.size());
}

void Alignment::match(const Keys& before, const Keys& after, std::size_t kinds, First first) {
    Aligning(before, after, kinds, found_).run(gaps(size_before_, found_), first);
}

}  // namespace callcost
