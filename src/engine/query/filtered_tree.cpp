#include "query/filtered_tree.hpp"

#include <algorithm>
#include <utility>

namespace callcost::engine {

Tree filtered_tree(const CallGraph& graph, const StacksOfSources& stacks, TreeOptions options,
                   const FilteredFunctions* filtered) {
    if (filtered == nullptr) {
        auto exact = exact_tree(graph, stacks, options);
        return exact ? *std::move(exact) : estimate_tree(graph, options);
    }
    auto filters = filtered->filters();
    if (const auto exact = exact_tree(graph, stacks, options, filters))
        return filter_tree(*exact, graph, {.show = filters.show});
    if (filters.focus && !options.root && options.direction == TreeDirection::callees)
        options.root = std::exchange(filters.focus, {});
    const auto tree = estimate_tree(graph, options);
    return filter_tree(tree, graph, filters, &filtered->costs(tree.measure));
}

Tree filtered_tree_of_size(const CallGraph& graph, const StacksOfSources& stacks, const TreeOptions& options,
                           const FilteredFunctions* filtered) {
    constexpr std::size_t most = 20'000;
    auto best = filtered_tree(graph, stacks, options, filtered);
    if (filtered == nullptr || !filtered->filters().show || best.not_expanded == 0) return best;
    auto larger = options;
    std::size_t low = options.max_frames, high = most + 1;  // that leave few enough, and too many
    while (low < most && high - low > 1 + low / 64) {
        larger.max_frames = high > most ? std::min(low * 2, most) : low + (high - low) / 2;
        auto tree = filtered_tree(graph, stacks, larger, filtered);
        if (tree.functions > options.max_frames) {
            high = larger.max_frames;
        } else {
            low = larger.max_frames;
            best = std::move(tree);
        }
    }
    return best;
}

}  // namespace callcost::engine
