/// Every single call of a part, as Xdebug's files have it (F66): a record per call, that of a callee before
/// that of its caller. It is packed, some bytes a call, and walked over from its end: then callers come
/// first, so that the path to the root is always known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "callcost/profile.hpp"

namespace callcost {

class CallTrace {
  public:
    /// The records must not take more bytes than this.
    static constexpr std::size_t max_bytes = UINT32_MAX;

    /// The next record. Self costs are by column of the part; those that are missing are 0.
    void add(std::uint32_t function, std::uint64_t callees, std::span<const std::int64_t> self);
    /// Bytes so far.
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t calls() const { return calls_; }

    /// Where records of several stacks are mixed (fibers): what comes before the record that begins at
    /// `from` ends at `to`; nothing does where that is 0.
    void jump(std::size_t from, std::size_t to) {
        jumps_.emplace_back(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
    }
    [[nodiscard]] bool has_jumps() const { return !jumps_.empty(); }
    /// All records and jumps are there.
    void finish();

    /// Walks from the last call to the first: a caller, then its callees from the last to the first, each
    /// with all that is below it.
    class Cursor {
      public:
        explicit Cursor(const CallTrace& trace) : trace_(trace), at_(trace.size_) {}
        bool next();
        [[nodiscard]] std::uint32_t function() const { return function_; }  ///< see ProfileData::traced
        [[nodiscard]] std::uint64_t callees() const { return callees_; }
        [[nodiscard]] std::span<const Cost> self() const { return self_; }

      private:
        std::uint64_t number();

        const CallTrace& trace_;
        std::size_t at_;
        std::uint32_t function_ = 0;
        std::uint64_t callees_ = 0;
        std::vector<Cost> self_;
    };

  private:
    std::vector<unsigned char> bytes_;  // more than are used until finish()
    std::vector<std::pair<std::uint32_t, std::uint32_t>> jumps_;
    std::size_t calls_ = 0;
    std::size_t size_ = 0;
};

/// `enter(cursor)` for every call, callers first; `leave()` when it and all below it were entered.
template <class Enter, class Leave>
void for_each_call(const CallTrace& trace, Enter enter, Leave leave) {
    std::vector<std::uint64_t> to_come;  // callees of the calls that are open
    for (CallTrace::Cursor call(trace); call.next();) {
        for (; !to_come.empty() && to_come.back() == 0; to_come.pop_back()) leave();
        if (!to_come.empty()) --to_come.back();
        enter(call);
        to_come.push_back(call.callees());
    }
    for (; !to_come.empty(); to_come.pop_back()) leave();
}

/// What was spent while a function was on the stack, each event once: the cost of its outermost calls. By
/// `row_of[function]`, so that several functions may count as one, and within a row by `events`; functions
/// whose row is `rows` or more count nowhere. Nothing if a part of `parts` that has records has no trace.
/// Takes time in proportion to the calls, for each event.
[[nodiscard]] std::optional<std::vector<Cost>> outermost_costs(const Profile& profile,
                                                               std::span<const PartId> parts,
                                                               std::span<const std::uint32_t> row_of,
                                                               std::size_t rows,
                                                               std::span<const EventId> events);

/// Whether every one of these parts has its trace, or no records.
[[nodiscard]] bool are_traced(const Profile& profile, std::span<const PartId> parts);

}  // namespace callcost
