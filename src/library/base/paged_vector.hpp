/// A growing column that never moves its elements: growth copies nothing and touches no memory twice, which
/// is what a table of millions of rows needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace callcost {

template <class T, std::size_t PageBits = 12>
class PagedVector {
    static_assert(std::is_trivially_destructible_v<T>);

  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    T& operator[](std::size_t row) { return pages_[row >> PageBits][row & mask]; }
    const T& operator[](std::size_t row) const { return pages_[row >> PageBits][row & mask]; }

    /// The elements from `row` on that lie one after another in memory, at most `most`, which may not go
    /// beyond the end.
    [[nodiscard]] std::span<T> run(std::size_t row, std::size_t most) {
        return {&(*this)[row], std::min(most, mask + 1 - (row & mask))};
    }
    [[nodiscard]] std::span<const T> run(std::size_t row, std::size_t most) const {
        return {&(*this)[row], std::min(most, mask + 1 - (row & mask))};
    }

    void prefetch(std::size_t row) const { __builtin_prefetch(&(*this)[row]); }

    std::size_t push_back(const T& value) {
        if (size_ == pages_.size() << PageBits) pages_.emplace_back(new T[std::size_t{1} << PageBits]);
        pages_[size_ >> PageBits][size_ & mask] = value;
        return size_++;
    }

    /// Grows to at least `size` rows; new ones are copies of `value`.
    void grow(std::size_t size, const T& value) {
        while (size_ < size) push_back(value);
    }

    /// Calls f(element) for all of them, in order.
    template <class F>
    void for_each(F f) const {
        for (std::size_t page = 0; page < pages_.size(); ++page) {
            const std::size_t left = size_ - (page << PageBits);
            const std::size_t count = left <= mask ? left : mask + 1;
            for (std::size_t i = 0; i < count; ++i) f(pages_[page][i]);
        }
    }

    /// Forgets the rows from `size` on.
    void truncate(std::size_t size) {
        size_ = size;
        pages_.resize((size + mask) >> PageBits);
    }

  private:
    static constexpr std::size_t mask = (std::size_t{1} << PageBits) - 1;
    std::vector<std::unique_ptr<T[]>> pages_;
    std::size_t size_ = 0;
};

}  // namespace callcost
