#include "import_model/graph_components.hpp"

#include <algorithm>

namespace callcost::engine {
namespace {

/// Rows by the end of a key that `end` takes, in the order of the rows.
template <class End>
void sort_by(std::size_t functions, const KeyRows& calls, const End& end, std::vector<std::uint32_t>& sorted,
             std::vector<std::uint32_t>& begins) {
    begins.assign(functions + 1, 0);
    for (std::size_t call = 0; call < calls.size(); ++call) ++begins[end(calls[call]) + 1];
    for (std::size_t f = 0; f < functions; ++f) begins[f + 1] += begins[f];
    std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
    sorted.resize(calls.size());
    for (std::uint32_t call = 0; call < calls.size(); ++call) sorted[next[end(calls[call])]++] = call;
}

}  // namespace

GraphLinks::GraphLinks(std::size_t functions, const KeyRows& calls) : calls_(&calls) {
    sort_by(functions, calls, first_of, out_, out_begins_);
    sort_by(functions, calls, second_of, in_, in_begins_);
}

// Tarjan's algorithm, with a stack of its own.
GraphComponents::GraphComponents(const GraphLinks& links)
    : links_(&links), of_(links.functions(), no_row), seen_(links.functions(), 0) {
    struct Visit {
        std::uint32_t function, next_call;
    };
    begins_.push_back(0);
    std::vector<std::uint32_t> numbers(links.functions(), 0), lowest(links.functions(), 0), open;
    std::vector<Visit> path;
    std::uint32_t number = 0;
    const auto enter = [&](std::uint32_t f) {
        numbers[f] = lowest[f] = ++number;
        open.push_back(f);
        path.push_back({f, 0});
    };
    const auto leave = [&](std::uint32_t f) {
        path.pop_back();
        if (!path.empty()) {
            std::uint32_t& above = lowest[path.back().function];
            above = std::min(above, lowest[f]);
        }
        if (lowest[f] != numbers[f]) return;
        for (;;) {
            const std::uint32_t member = open.back();
            open.pop_back();
            members_.push_back(member);
            of_[member] = static_cast<std::uint32_t>(begins_.size() - 1);
            if (member == f) break;
        }
        begins_.push_back(static_cast<std::uint32_t>(members_.size()));
    };
    for (std::uint32_t root = 0; root < links.functions(); ++root) {
        if (numbers[root] != 0) continue;
        enter(root);
        while (!path.empty()) {
            const std::uint32_t f = path.back().function;
            const auto out = links.out(f);
            if (path.back().next_call == out.size()) {
                leave(f);
                continue;
            }
            const std::uint32_t callee = links.callee(out[path.back().next_call++]);
            if (numbers[callee] == 0)
                enter(callee);
            else if (of_[callee] == no_row)
                lowest[f] = std::min(lowest[f], numbers[callee]);
        }
    }
}

GraphComponents::Trees GraphComponents::trees(std::span<const std::uint32_t> members) {
    return {.from_root = tree(members[0], true), .to_root = tree(members[0], false)};
}

std::vector<GraphComponents::Step> GraphComponents::tree(std::uint32_t root, bool forwards) {
    ++trees_;
    std::vector<Step> steps{{.function = root}};
    seen_[root] = trees_;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::uint32_t f = steps[i].function;
        for (const std::uint32_t call : forwards ? links_->out(f) : links_->in(f)) {
            const std::uint32_t other = forwards ? links_->callee(call) : links_->caller(call);
            if (of_[other] != of_[root] || seen_[other] == trees_) continue;
            seen_[other] = trees_;
            steps.push_back({.function = other, .call = call});
        }
    }
    return steps;
}

}  // namespace callcost::engine
