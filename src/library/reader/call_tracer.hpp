/// Puts the calls of Xdebug's files together while they are read (F66): every block is a call that has
/// returned, and the calls in it are the last blocks before it that no other has taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "profile/call_trace.hpp"

namespace callcost {

class CallTracer {
  public:
    /// The `fn=` line of a block; none where number is 0.
    struct Line {
        std::uint64_t number = 0, offset = 0;
    };

    void begin_part() { trace_ = std::make_unique<CallTrace>(); }
    [[nodiscard]] bool is_on() const { return trace_ != nullptr; }
    /// A block begins, so the one before it is complete.
    void begin_call(std::uint32_t function, std::uint32_t name, Line line) {
        if (is_open_ && !close_call(false)) return note_misfit();
        is_open_ = is_once_ = true;
        function_ = function;
        name_ = name;
        line_ = line;
    }
    [[nodiscard]] bool has_open_call() const { return is_open_; }
    /// Of the open call.
    void add_self(std::span<const std::int64_t> costs) {
        if (self_.size() < costs.size()) self_.resize(costs.size(), 0);
        if (used_ < costs.size()) used_ = costs.size();
        for (std::size_t i = 0; i < costs.size(); ++i) self_[i] = sum_of(self_[i], costs[i]);
        if (!costs.empty()) inclusive_ = sum_of(inclusive_, costs[0]);
    }
    void add_callee(std::uint32_t name, std::uint64_t count, std::span<const std::int64_t> costs) {
        is_once_ = is_once_ && count == 1;
        const std::int64_t cost = costs.empty() ? 0 : costs[0];
        callees_.push_back({name, cost});
        inclusive_ = sum_of(inclusive_, cost);
    }
    /// Null if there is a misfit. Where a part is not whole, its last block may lack calls.
    [[nodiscard]] std::unique_ptr<CallTrace> end_part(bool is_whole);
    /// The first block since begin_part() whose calls are not those that returned before it: is_on() is false
    /// from there on.
    [[nodiscard]] std::optional<Line> take_misfit() { return std::exchange(misfit_, std::nullopt); }
    /// Forgets all.
    void stop();

  private:
    struct Callee {
        std::uint32_t name;
        std::int64_t cost;
    };
    /// A call that has returned, with all below it, and that no caller has taken yet. Costs are by the first
    /// event type, which is time: others are cut off at 0, and so do not add up.
    struct ReturnRecord {
        std::uint32_t name;
        std::uint32_t callees;
        std::int64_t inclusive;
        std::uint32_t begin, end;  // in the trace: of the record that comes last when walked over, of its own
    };

    static std::int64_t sum_of(std::int64_t a, std::int64_t b) { return Cost(a) + Cost(b); }
    /// What the caller has recorded is what the callee has and its callees, each rounded on its own.
    static bool fits(const Callee& callee, const ReturnRecord& call) {
        const std::uint64_t most = std::uint64_t{call.callees} + 2;
        return callee.name == call.name && (Cost(callee.cost) - call.inclusive).magnitude() <= most;
    }
    [[nodiscard]] bool take_last(std::uint32_t& begin);
    [[nodiscard]] bool take_scattered(std::uint32_t& begin);
    [[nodiscard]] bool close_call(bool may_lack_calls);
    void note_misfit();

    std::unique_ptr<CallTrace> trace_;
    std::vector<ReturnRecord> returned_;
    std::optional<Line> misfit_;
    std::uint64_t steps_ = 0;  // of searches

    // the open block
    bool is_open_ = false, is_once_ = true;
    std::uint32_t function_ = 0, name_ = 0;
    Line line_;
    std::vector<std::int64_t> self_;  // 0 but for those that are used
    std::size_t used_ = 0;
    std::int64_t inclusive_ = 0;  // by the first event type
    std::vector<Callee> callees_;
    std::vector<std::size_t> found_;  // rows of returned_
};

}  // namespace callcost
