#include "call_graph/components.hpp"

#include <algorithm>

namespace callcost {

// D. J. Pearce, "A space-efficient algorithm for finding strongly connected components" (2016): Tarjan's
// search with one number per node. 0: not seen; small: order in which the open nodes were found; large:
// component, counted down.
Components strong_components(std::span<const std::uint32_t> offsets, std::span<const std::uint32_t> targets) {
    struct Frame {
        std::uint32_t node;
        std::uint32_t edge;
        bool is_root;
    };
    const std::size_t nodes = offsets.empty() ? 0 : offsets.size() - 1;
    const auto last = static_cast<std::uint32_t>(nodes - 1);
    std::vector<std::uint32_t> number(nodes, 0);
    std::vector<std::uint32_t> waiting;  // nodes whose component has not been closed yet
    std::vector<Frame> path;
    std::uint32_t order = 1;
    std::uint32_t component = last;

    // Every look at another node is a cache miss: those that come soon are begun together.
    const auto enter = [&](std::uint32_t node) {
        number[node] = order++;
        path.push_back({node, offsets[node], true});
        constexpr std::uint32_t most = 8;
        const std::uint32_t end = std::min(offsets[node + 1], offsets[node] + most);
        for (std::uint32_t edge = offsets[node]; edge < end; ++edge) {
            __builtin_prefetch(&number[targets[edge]]);
            __builtin_prefetch(&offsets[targets[edge]]);
        }
    };
    for (std::uint32_t start = 0; start < nodes; ++start) {
        if (number[start] != 0) continue;
        enter(start);
        while (!path.empty()) {
            Frame& frame = path.back();
            const std::uint32_t node = frame.node;
            const std::uint32_t end = offsets[node + 1];
            std::uint32_t lowest = number[node];
            std::uint32_t down = UINT32_MAX;
            for (; frame.edge < end; ++frame.edge) {
                const std::uint32_t target = targets[frame.edge];
                if (number[target] == 0) {
                    if (offsets[target] == offsets[target + 1]) {  // calls nothing
                        number[target] = component--;
                        continue;
                    }
                    down = target;  // looked at again, with its number, when the search comes back
                    break;
                }
                if (number[target] < lowest) {
                    lowest = number[target];
                    frame.is_root = false;
                }
            }
            number[node] = lowest;
            if (down != UINT32_MAX) {
                enter(down);
                continue;
            }
            if (frame.is_root) {
                --order;
                while (!waiting.empty() && number[node] <= number[waiting.back()]) {
                    number[waiting.back()] = component;
                    waiting.pop_back();
                    --order;
                }
                number[node] = component--;
            } else {
                waiting.push_back(node);
            }
            path.pop_back();
        }
    }
    for (std::uint32_t& n : number) n = last - n;
    return {std::move(number), nodes == 0 ? 0 : static_cast<std::size_t>(last - component)};
}

}  // namespace callcost
