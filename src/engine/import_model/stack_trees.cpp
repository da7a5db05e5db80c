#include "import_model/stack_trees.hpp"

#include <numeric>
#include <utility>
#include <vector>

namespace callcost::engine {
namespace {

/// Rows by caller: those of row i begin at `first[i]`. Roots belong to the row behind the last.
struct CalleeLists {
    std::vector<std::uint32_t> first, rows;
};

CalleeLists callees_of(std::span<const std::uint32_t> callers) {
    const std::size_t count = callers.size();
    const auto list_of = [&](std::size_t row) { return callers[row] == no_row ? count : callers[row]; };
    CalleeLists lists{.first = std::vector<std::uint32_t>(count + 2, 0),
                      .rows = std::vector<std::uint32_t>(count)};
    for (std::size_t row = 0; row < count; ++row) ++lists.first[list_of(row) + 1];
    std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
    std::vector<std::uint32_t> next = lists.first;
    for (std::uint32_t row = 0; row < count; ++row) lists.rows[next[list_of(row)]++] = row;
    return lists;
}

}  // namespace

std::uint64_t add_stack_trees(StackProfile& profile, std::span<const std::uint32_t> callers,
                              std::span<const StackFrame> frames,
                              const std::function<void(std::uint32_t)>& add_costs) {
    const CalleeLists lists = callees_of(callers);
    const std::size_t count = callers.size();
    std::vector<char> is_visited(count, 0);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open;  // row, the next of its callees
    const auto enter = [&](std::uint32_t row) {
        is_visited[row] = 1;
        profile.push(frames[row]);
        add_costs(row);
        open.emplace_back(row, lists.first[row]);
    };
    const auto walk = [&](std::uint32_t root) {
        for (enter(root); !open.empty();) {
            auto& [row, next] = open.back();
            if (next == lists.first[row + 1]) {
                profile.pop();
                open.pop_back();
            } else if (const std::uint32_t callee = lists.rows[next++]; is_visited[callee] == 0) {
                enter(callee);
            }
        }
    };
    for (std::size_t i = lists.first[count]; i < lists.first[count + 1]; ++i) walk(lists.rows[i]);
    std::uint64_t circles = 0;
    for (std::uint32_t row = 0; row < count; ++row) {
        if (is_visited[row] != 0) continue;
        ++circles;
        walk(row);
    }
    return circles;
}

}  // namespace callcost::engine
