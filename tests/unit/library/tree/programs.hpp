/// Programs that call by chance, of which every stack is known.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <callcost/tree.hpp>

namespace callcost::test {

struct Stack {
    std::vector<unsigned> functions;
    std::int64_t self = 0;
};

inline std::string name_of(unsigned function) { return "f" + std::to_string(function); }

/// A program that calls and spends something by chance; in `is_layered` ones functions call only later ones.
class Program {
  public:
    Program(unsigned seed, bool is_layered) {
        std::minstd_rand chance(seed);
        std::vector<unsigned> stack{0};
        for (std::size_t left = 300 + chance() % 300; left != 0; --left) {
            const auto step = chance() >> 8U;
            const auto next = is_layered ? stack.back() + 1 + step / 4 % 4 : 1 + step / 4 % (count - 1);
            if (step % 4 < 2 && stack.size() < 12 && next < count) {
                stack.push_back(static_cast<unsigned>(next));
                ++calls_[{stack[stack.size() - 2], stack.back()}];
            } else if (step % 4 == 2 && stack.size() > 1) {
                stack.pop_back();
            } else {
                stacks_.push_back({stack, static_cast<std::int64_t>(step % 97)});
            }
        }
    }

    /// As Callgrind measures it: a call has the cost that is spent until it returns.
    [[nodiscard]] std::string profile() const {
        std::map<unsigned, std::int64_t> self;
        std::map<std::pair<unsigned, unsigned>, std::int64_t> arcs;
        for (const auto& [functions, cost] : stacks_) {
            self[functions.back()] += cost;
            for (std::size_t i = 1; i < functions.size(); ++i) arcs[{functions[i - 1], functions[i]}] += cost;
        }
        std::string text = "creator: callgrind-3.22.0\nevents: Ir\n";
        for (unsigned function = 0; function < count; ++function) {
            text += "fn=" + name_of(function) + "\n1 " + std::to_string(self[function]) + '\n';
            for (const auto& [arc, cost] : arcs)
                if (arc.first == function)
                    text += "cfn=" + name_of(arc.second) + "\ncalls=" + std::to_string(calls_.at(arc)) +
                            " 1\n2 " + std::to_string(cost) + '\n';
        }
        return text;
    }
    [[nodiscard]] std::shared_ptr<const Stacks> recorded() const {
        Stacks all;
        for (const auto& [functions, cost] : stacks_) {
            auto row = Stacks::none;
            for (const auto function : functions) row = all.stack(row, all.function(name_of(function)));
            all.add(row, all.event("Ir"), cost);
        }
        return std::make_shared<const Stacks>(std::move(all));
    }
    [[nodiscard]] const std::vector<Stack>& stacks() const { return stacks_; }
    /// By caller and callee.
    [[nodiscard]] const std::map<std::pair<unsigned, unsigned>, std::uint64_t>& calls() const {
        return calls_;
    }

  private:
    static constexpr unsigned count = 14;
    std::vector<Stack> stacks_;
    std::map<std::pair<unsigned, unsigned>, std::uint64_t> calls_;
};

struct Filter {
    unsigned focus, ignore;  // 0: none
    [[nodiscard]] bool keeps(const Stack& stack) const {
        const auto has = [&](unsigned function) {
            return std::find(stack.functions.begin(), stack.functions.end(), function) !=
                   stack.functions.end();
        };
        return (focus == 0 || has(focus)) && (ignore == 0 || !has(ignore));
    }
    [[nodiscard]] Filters on(const CallGraph& graph) const {
        const auto named = [&graph](unsigned function) -> Filters::Predicate {
            if (function == 0) return {};
            return [&graph, function](NodeId node) { return graph.name(node) == name_of(function); };
        };
        return {.focus = named(focus), .ignore = named(ignore)};
    }
};

inline constexpr std::array<Filter, 6> filters_tried = {Filter{3, 0}, Filter{0, 3}, Filter{2, 5},
                                                        Filter{5, 2}, Filter{7, 0}, Filter{0, 9}};

}  // namespace callcost::test
