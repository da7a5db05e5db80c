#include "sort_rows.hpp"

namespace callcost::engine {

/// Merges runs that double in length, from `rows` to the room behind and back.
void sort_rows(std::uint32_t* rows, std::size_t count, Precedes precedes, const void* elements) {
    constexpr std::size_t short_run = 8;
    for (std::size_t begin = 0; begin < count; begin += short_run) {
        const auto end = begin + short_run < count ? begin + short_run : count;
        for (auto row = begin; row < end; ++row) {
            auto to = row;
            for (; to > begin && precedes(elements, static_cast<std::uint32_t>(row), rows[to - 1]); --to)
                rows[to] = rows[to - 1];
            rows[to] = static_cast<std::uint32_t>(row);
        }
    }
    auto* from = rows;
    auto* to = rows + count;
    for (auto run = short_run; run < count; run *= 2) {
        for (std::size_t begin = 0; begin < count; begin += 2 * run) {
            const auto middle = begin + run < count ? begin + run : count;
            const auto end = middle + run < count ? middle + run : count;
            auto left = begin, right = middle;
            for (auto out = begin; out < end; ++out) {
                const bool is_left =
                    left < middle && (right == end || !precedes(elements, from[right], from[left]));
                to[out] = from[is_left ? left++ : right++];
            }
        }
        std::swap(from, to);
    }
    if (from != rows)
        for (std::size_t i = 0; i < count; ++i) rows[i] = from[i];
}

}  // namespace callcost::engine
