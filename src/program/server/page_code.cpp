#include "server/page_code.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>

#include <callcost/lines.hpp>

namespace callcost::program {
namespace {

constexpr int percent_shown = 95;
constexpr std::uint64_t max_at_once = 1U << 20U;  // bytes of code that are asked for together
constexpr std::chrono::seconds longest{60};       // a page without the code of some is one, too

/// Most expensive first: so many that they have the share of all self cost.
std::vector<NodeId> most_expensive(const CallGraph& graph, const Measure& measure) {
    std::vector<std::pair<Cost, NodeId>> ranked;
    Cost total = 0;
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const Cost self = graph.self(NodeId(row), measure);
        if (self <= 0) continue;
        ranked.emplace_back(self, NodeId(row));
        total += self;
    }
    std::stable_sort(ranked.begin(), ranked.end(), [&](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : graph.name(a.second) < graph.name(b.second);
    });
    const auto enough = static_cast<double>(total.magnitude()) * percent_shown / 100;
    std::vector<NodeId> nodes;
    Cost sum = 0;
    for (const auto& [self, node] : ranked) {
        if (static_cast<double>(sum.magnitude()) >= enough) break;
        sum += self;
        nodes.push_back(node);
    }
    return nodes;
}

}  // namespace

std::vector<engine::EmbeddedFunction> code_of(const CallGraph& graph, const Measure& measure,
                                              Disassembler& disassembler) {
    std::vector<engine::EmbeddedFunction> functions;
    std::vector<bool> are_inlined_into;
    for (const NodeId node : most_expensive(graph, measure)) {
        const auto rows = instructions(graph, node, {&measure, 1}).value_or(std::vector<InstructionCost>{});
        auto ranges = code_ranges(rows);
        if (ranges.empty()) continue;
        functions.push_back({std::string(graph.object(node)), std::move(ranges), {}});
        const auto own = graph.profile().file(graph.function(node));
        are_inlined_into.push_back(
            std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.file != own; }));
    }
    std::vector<std::size_t> by_address(functions.size());
    std::iota(by_address.begin(), by_address.end(), 0U);
    std::stable_sort(by_address.begin(), by_address.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(functions[a].object, functions[a].ranges.front().first) <
               std::tie(functions[b].object, functions[b].ranges.front().first);
    });
    const auto deadline = std::chrono::steady_clock::now() + longest;
    for (std::size_t begin = 0; begin < by_address.size();) {
        const auto& first = functions[by_address[begin]];
        std::vector<std::vector<AddressRange>> together;
        auto end = begin;
        for (; end < by_address.size(); ++end) {
            const auto& other = functions[by_address[end]];
            if (other.object != first.object ||
                other.ranges.front().first - first.ranges.front().first > max_at_once)
                break;
            together.push_back(other.ranges);
        }
        if (std::chrono::steady_clock::now() < deadline)
            disassembler.read_ahead(first.object, together, engine::Syntax::att);
        for (; begin < end; ++begin) {
            auto& [object, ranges, code, inlined] = functions[by_address[begin]];
            if (std::chrono::steady_clock::now() > deadline) {
                code.problem = "disassembling took too long";
                continue;
            }
            code = disassembler.machine_code(object, ranges, engine::Syntax::att);
            if (are_inlined_into[by_address[begin]]) inlined = disassembler.inlined_code(object, {}, ranges);
        }
    }
    return functions;
}

bool has_code(std::span<const engine::EmbeddedFunction> functions) {
    return std::any_of(functions.begin(), functions.end(),
                       [](const auto& function) { return !function.code.instructions.empty(); });
}

}  // namespace callcost::program
