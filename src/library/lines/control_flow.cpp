// The code of one function: where it is, all of it in one list, and its basic blocks (F80).
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "call_graph/graph_data.hpp"
#include "callcost/lines.hpp"

namespace callcost {
namespace {

using Count = std::optional<std::uint64_t>;

/// Adds a row of the same address.
void add_row(InstructionCost& sum, InstructionCost&& row) {
    const auto weight = [](const InstructionCost& of) {
        return of.self.empty() ? 0 : of.self.front().magnitude();
    };
    if (weight(row) > weight(sum))
        std::tie(sum.file, sum.line, sum.inlined) = std::tie(row.file, row.line, row.inlined);
    if (sum.self.size() < row.self.size()) sum.self.resize(row.self.size(), 0);
    for (std::size_t i = 0; i < row.self.size(); ++i) sum.self[i] += row.self[i];
    sum.calls.insert(sum.calls.end(), row.calls.begin(), row.calls.end());
    sum.jumps.insert(sum.jumps.end(), row.jumps.begin(), row.jumps.end());
}

/// The jumps of an instruction to one target.
struct Jump {
    std::uint64_t executed = 0, followed = 0;
};

using Jumps = std::map<std::pair<std::uint64_t, bool>, Jump>;  // by target, and whether it is conditional

/// The rows of one address.
struct Step {
    Step(std::uint64_t where, std::size_t row) : address(where), first(row), last(row) {}
    std::uint64_t address;
    std::size_t first, last;
    Count executions;
    bool is_costed = false;  // was executed, as far as is known
    bool has_calls = false;
    std::uint64_t most_called = 0;  // of the functions it calls
    std::size_t jumps = 0;          // which of all; 0: it has none
    std::uint64_t jumped_to = 0;    // how often

    [[nodiscard]] bool may_precede(const Step& next) const {
        return next.address - address < longest_instruction;
    }
};

class FlowBuilder {
  public:
    FlowBuilder(std::span<const InstructionCost> rows, std::optional<std::size_t> executions)
        : rows_(rows), executions_(executions) {}

    ControlFlow build() {
        collect_steps();
        follow_jumps();
        for (std::size_t at = 0; at < steps_.size(); ++at)
            if (steps_[at].has_calls) correct_executions(at);
        cut_into_blocks();
        for (std::size_t block = 0; block < flow_.blocks.size(); ++block) add_edges(block);
        std::sort(flow_.edges.begin(), flow_.edges.end(), [](const BlockEdge& a, const BlockEdge& b) {
            return std::tie(a.from, a.to, a.kind) < std::tie(b.from, b.to, b.kind);
        });
        return std::move(flow_);
    }

  private:
    void collect_steps() {
        steps_.reserve(rows_.size());
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            const InstructionCost& instruction = rows_[row];
            if (instruction.address == 0) continue;
            if (steps_.empty() || steps_.back().address != instruction.address)
                steps_.emplace_back(instruction.address, row);
            Step& step = steps_.back();
            step.last = row;
            step.is_costed = step.is_costed || !instruction.self.empty();
            if (executions_ && *executions_ < instruction.self.size())
                add_executions(step, instruction.self[*executions_]);
            for (const JumpSite& site : instruction.jumps) {
                if (step.jumps == 0) {
                    step.jumps = jumps_.size();
                    jumps_.emplace_back();
                }
                Jump& jump = jumps_[step.jumps][{site.target_address, site.conditional}];
                jump.executed += site.executed;
                jump.followed += site.followed;
            }
            for (const CallSite& call : instruction.calls)
                step.most_called = std::max(step.most_called, call.count.known);
            step.has_calls = step.has_calls || !instruction.calls.empty();
            has_jumps_ = has_jumps_ || !instruction.jumps.empty();
        }
    }
    static void add_executions(Step& step, Cost cost) {
        if (cost >= 0) step.executions = step.executions.value_or(0) + static_cast<std::uint64_t>(cost);
    }

    /// Finds the steps that are jumped to.
    void follow_jumps() {
        begins_.assign(steps_.size(), false);
        for (const Step& step : steps_) {
            for (const auto& [target, jump] : jumps_[step.jumps]) {
                const std::size_t to = step_at(target.first);
                if (to == steps_.size()) continue;
                begins_[to] = true;
                steps_[to].jumped_to += jump.followed;
            }
        }
    }
    [[nodiscard]] std::size_t step_at(std::uint64_t address) const {
        const auto found =
            std::lower_bound(steps_.begin(), steps_.end(), address,
                             [](const Step& step, std::uint64_t wanted) { return step.address < wanted; });
        const bool is_there = found != steps_.end() && found->address == address;
        return is_there ? static_cast<std::size_t>(found - steps_.begin()) : steps_.size();
    }

    /// A call may have the cost of what it goes through on its way, too: Callgrind's `--skip-plt`. Then its
    /// neighbours say how often it was executed.
    void correct_executions(std::size_t at) {
        Count& executions = steps_[at].executions;
        const Count before = follows(at) ? steps_[at - 1].executions : std::nullopt;
        const Count after = follows(at + 1) ? steps_[at + 1].executions : std::nullopt;
        if (before && before < executions) {
            executions = before;
        } else if (!before && after && after < executions && *after >= steps_[at].most_called) {
            executions = after;
        }
    }
    /// Whether the only way to it known is from the instruction before.
    [[nodiscard]] bool follows(std::size_t at) const {
        return at > 0 && at < steps_.size() && !begins_[at] && steps_[at - 1].jumps == 0 &&
               steps_[at - 1].may_precede(steps_[at]);
    }

    [[nodiscard]] bool begins_block(std::size_t at) const {
        if (!follows(at)) return true;
        const Step& before = steps_[at - 1];
        const Step& step = steps_[at];
        return before.is_costed != step.is_costed || before.executions != step.executions;
    }

    void cut_into_blocks() {
        block_of_.resize(steps_.size());
        for (std::size_t at = 0; at < steps_.size(); ++at) {
            const Step& step = steps_[at];
            if (begins_block(at)) {
                flow_.blocks.push_back({.first = step.first, .last = step.last, .self = {}});
                last_steps_.push_back(at);
            }
            block_of_[at] = flow_.blocks.size() - 1;
            last_steps_.back() = at;
            BasicBlock& block = flow_.blocks.back();
            block.last = step.last;
            for (std::size_t row = step.first; row <= step.last; ++row) {
                const auto& self = rows_[row].self;
                if (block.self.size() < self.size()) block.self.resize(self.size(), 0);
                for (std::size_t i = 0; i < self.size(); ++i) block.self[i] += self[i];
            }
        }
    }

    void add_edges(std::size_t block) {
        using Kind = BlockEdge::Kind;
        const std::size_t at = last_steps_[block];
        const Step& step = steps_[at];
        const auto is_unconditional = [](const auto& jump) { return !jump.first.second; };
        const auto unconditional =
            std::count_if(jumps_[step.jumps].begin(), jumps_[step.jumps].end(), is_unconditional);
        for (const auto& [target, jump] : jumps_[step.jumps]) {
            const std::size_t to = step_at(target.first);
            if (to == steps_.size()) continue;
            const Kind always = unconditional > 1 ? Kind::indirect : Kind::jump;
            flow_.edges.push_back(
                {block, block_of_[to], target.second ? Kind::taken : always, jump.followed});
        }
        if (unconditional > 0 || at + 1 == steps_.size() || !step.may_precede(steps_[at + 1])) return;
        if (step.jumps == 0) {
            add_next(block, step, steps_[at + 1]);
        } else {
            add_not_taken(block, step, steps_[at + 1]);
        }
    }

    void add_not_taken(std::size_t block, const Step& step, const Step& next) {
        std::uint64_t executed = 0;
        std::uint64_t followed = 0;
        for (const auto& [target, jump] : jumps_[step.jumps]) {
            executed += jump.executed;
            followed += jump.followed;
        }
        if (step.executions) executed = *step.executions;
        const std::uint64_t count = executed - std::min(executed, followed);
        // If it was always followed, what stands behind it may be missing from the list.
        if (count != 0 || !next.is_costed)
            flow_.edges.push_back({block, block + 1, BlockEdge::Kind::not_taken, count});
    }

    void add_next(std::size_t block, const Step& step, const Step& next) {
        if (!step.is_costed || !next.is_costed) return;  // it returned
        Count count;
        if (next.executions) {
            if (*next.executions <= next.jumped_to) return;  // it was jumped to only
            // Not if a call did not come back, or if the function is entered here.
            if (has_jumps_ && step.executions == *next.executions - next.jumped_to) count = step.executions;
        }
        flow_.edges.push_back({block, block + 1, BlockEdge::Kind::next, count});
    }

    std::span<const InstructionCost> rows_;
    std::optional<std::size_t> executions_;
    bool has_jumps_ = false;  // without any they may not have been recorded
    std::vector<Step> steps_;
    std::vector<Jumps> jumps_ = {{}};      // the first: of steps that have none
    std::vector<bool> begins_;             // by step: is jumped to
    std::vector<std::size_t> block_of_;    // by step
    std::vector<std::size_t> last_steps_;  // by block
    ControlFlow flow_;
};

}  // namespace

std::vector<AddressRange> code_ranges(std::span<const InstructionCost> rows) {
    std::vector<AddressRange> ranges;
    for (const InstructionCost& row : rows) {
        if (row.address == 0 || row.address == UINT64_MAX) continue;
        if (ranges.empty() || row.address - (ranges.back().end - 1) >= longest_instruction)
            ranges.push_back({.first = row.address, .end = 0});
        ranges.back().end = row.address + 1;
    }
    return ranges;
}

std::vector<InstructionCost> code_listing(std::vector<InstructionCost> rows,
                                          std::span<const std::uint64_t> code) {
    const auto by_address = [](const InstructionCost& a, const InstructionCost& b) {
        return a.address < b.address;
    };
    rows.reserve(rows.size() + code.size());
    for (const std::uint64_t address : code)
        rows.push_back({.address = address, .file = FileId(0U), .self = {}, .calls = {}, .jumps = {}});
    if (!std::is_sorted(rows.begin(), rows.end(), by_address))
        std::stable_sort(rows.begin(), rows.end(), by_address);  // so that those with cost come first
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (kept > 0 && rows[i].address != 0 && rows[kept - 1].address == rows[i].address) {
            add_row(rows[kept - 1], std::move(rows[i]));
        } else {
            if (kept != i) rows[kept] = std::move(rows[i]);
            ++kept;
        }
    }
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(kept), rows.end());
    return rows;
}

ControlFlow control_flow(std::span<const InstructionCost> rows, std::optional<std::size_t> executions) {
    return FlowBuilder(rows, executions).build();
}

std::optional<Measure> executions(const CallGraph& graph) {
    const auto parts = graph.profile().parts();
    const bool is_callgrind = std::all_of(graph.parts().begin(), graph.parts().end(), [&](PartId part) {
        return parts[part.value].dialect == Dialect::callgrind;
    });
    auto ir = is_callgrind ? find_measure(graph.profile(), "Ir") : Result<Measure>(tl::unexpected(Error{}));
    return ir ? std::optional(*std::move(ir)) : std::nullopt;
}

}  // namespace callcost
