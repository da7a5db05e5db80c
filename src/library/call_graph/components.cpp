#include "call_graph/components.hpp"

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

    for (std::uint32_t start = 0; start < nodes; ++start) {
        if (number[start] != 0) continue;
        number[start] = order++;
        path.push_back({start, offsets[start], true});
        while (!path.empty()) {
            Frame& frame = path.back();
            const std::uint32_t node = frame.node;
            const std::uint32_t end = offsets[node + 1];
            std::uint32_t lowest = number[node];
            std::uint32_t down = UINT32_MAX;
            for (; frame.edge < end; ++frame.edge) {
                const std::uint32_t target = targets[frame.edge];
                if (number[target] == 0) {
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
                number[down] = order++;
                path.push_back({down, offsets[down], true});
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
