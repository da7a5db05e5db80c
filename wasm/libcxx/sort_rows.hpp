/// One sort for all: std::sort and std::stable_sort of libc++ are four kilobytes for every kind of element
/// and of order, a quarter of the engine. Here only the comparison is made anew; it costs a call, as in C's
/// qsort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace callcost::engine {

using Precedes = bool (*)(const void* elements, std::uint32_t a, std::uint32_t b);

/// Sorts the numbers from 0 to before `count`, those that are equal by themselves. In time n log n. There is
/// room for `count` behind them, too.
void sort_rows(std::uint32_t* rows, std::size_t count, Precedes precedes, const void* elements);

template <class Iterator, class Compare>
void sort(Iterator first, Iterator last, Compare& compare) {
    struct Elements {
        Iterator first;
        Compare& compare;
    };
    const auto count = static_cast<std::size_t>(last - first);
    if (count < 2) return;
    const Elements elements{first, compare};
    const std::unique_ptr<std::uint32_t[]> rows(new std::uint32_t[2 * count]);
    sort_rows(
        rows.get(), count,
        [](const void* all, std::uint32_t a, std::uint32_t b) -> bool {
            const auto& of = *static_cast<const Elements*>(all);
            return of.compare(of.first[static_cast<std::ptrdiff_t>(a)],
                              of.first[static_cast<std::ptrdiff_t>(b)]);
        },
        &elements);
    for (std::uint32_t row = 0; row < count; ++row) {  // moved in circles
        if (rows[row] == row) continue;
        auto element = std::move(first[static_cast<std::ptrdiff_t>(row)]);
        auto hole = row;
        for (auto next = rows[hole]; next != row; next = rows[hole]) {
            first[static_cast<std::ptrdiff_t>(hole)] = std::move(first[static_cast<std::ptrdiff_t>(next)]);
            rows[hole] = hole;
            hole = next;
        }
        first[static_cast<std::ptrdiff_t>(hole)] = std::move(element);
        rows[hole] = hole;
    }
}

}  // namespace callcost::engine
