/// Adds up call stacks as an exact call graph and writes it as a profile. For importers of formats that hold
/// samples: a stack of frames and what it cost.
///
/// A call graph cannot say which stack a cost came from, but it can be exact about functions, arcs and lines:
///   - A cost is self cost of the leaf at its line, and inclusive cost of every arc of the stack, once per
///     stack, however often the stack goes through it.
///   - Recursion is written in Callgrind's manner (F72): the second occurrence of f in a stack, and all
///   deeper
///     ones, are the function `f'2`. So f itself is in a stack at most once: its self cost and the arcs that
///     leave it add up to the cost of all stacks it is in, which is its inclusive cost by presence. Self cost
///     folds by adding f and f'2, inclusive cost is that of f alone.
///   - For every function outside a cycle, and for every cycle as a whole, what comes in by arcs, or at the
///   root
///     of a stack, is what stays as self cost or goes out (F75).
///   - Counts of calls are 0, "unknown" (F57), unless a format has them: a sample is not a call, and the
///   number
///     of samples through an arc would be read as one.
///   - Inlined functions are functions like others, called at the line where they were inlined. A context, as
///     in `g'f`, would say a little more, but would tear g into pieces in every list of every other reader;
///     who calls g is in the arcs anyway.
///
/// Each thread is a part of the file, with its own arcs and lines.
///
/// The same stacks in any order give the same file. Memory is for functions, arcs and lines, and for the one
/// stack at hand; stacks are given as changes of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "import_model/import_options.hpp"
#include "tables/row_tables.hpp"
#include <callcost/error.hpp>
#include <callcost/event_type.hpp>
#include <callcost/source.hpp>
#include <callcost/tree.hpp>

namespace callcost::engine {

/// A function of a stack and where in it the stack goes on (or ends): rows that StackProfile gave.
struct StackFrame {
    std::uint32_t function = 0;
    std::uint32_t place = 0;  ///< 0 = unknown
    friend bool operator==(const StackFrame&, const StackFrame&) = default;
};

/// What a stack cost, by event.
struct StackCost {
    std::uint32_t event = 0;
    Cost cost = 0;
};

/// A part of the file, as those of `callgrind --separate-threads`.
struct StackThread {
    std::optional<std::uint64_t> process{};
    std::uint64_t number = 0;
    std::string name{};  ///< empty: none
    friend bool operator<(const StackThread& a, const StackThread& b) {
        return std::tie(a.process, a.number, a.name) < std::tie(b.process, b.number, b.name);
    }
};

struct StackHeading {
    std::string_view command{};
    std::span<const std::string> descriptions{};
    std::uint32_t first_event = 0;      ///< comes first: what readers show by default
    bool unknown_count_as_one = false;  ///< for readers that take arcs with `calls=0` for self cost (W11)
};

class StackProfile {
  public:
    static constexpr std::size_t max_events = 64;

    /// `stacks` get every stack, too, those of other threads without their costs.
    explicit StackProfile(const WantedStacks& stacks = {});
    /// Before any function: the stacks are estimates, so that they tell no levels of recursion apart.
    void take_for_estimates();

    /// Numbers for names; equal ones are the same. Lines count from 1, 0 = unknown, and so is what no file
    /// has (above 2^32). A place without a file is in the function's.
    [[nodiscard]] std::uint32_t function(std::string_view object, std::string_view file,
                                         std::string_view name, std::uint64_t first_line = 0);
    [[nodiscard]] std::uint32_t place(std::string_view file, std::uint64_t line);
    /// no_row if there are too many. `name` becomes one that formulas can use, and its own.
    [[nodiscard]] std::uint32_t event(std::string_view name, std::string_view long_name);
    /// Multiplies what an event has cost so far, and names it after its new unit.
    void scale(std::uint32_t event, std::string_view name, std::string_view long_name, std::int64_t factor);
    [[nodiscard]] std::size_t event_count() const { return events_.size(); }
    [[nodiscard]] std::size_t function_count() const { return functions_.size(); }

    /// The stack at hand: steps down and up, or all of it, from the root to the leaf. An empty one stands for
    /// the function "(no stack)".
    void push(StackFrame frame);
    void pop();
    void set_stack(std::span<const StackFrame> root_to_leaf);
    /// Whose stacks follow; the stack at hand is left. A file of which no thread is known has one part
    /// without a heading of a thread.
    void set_thread(const StackThread& thread);
    /// How often the leaf of the stack at hand was called in it, if that is known; nobody calls a root.
    void add_calls(std::uint64_t count);
    [[nodiscard]] std::size_t depth() const { return path_.size(); }
    /// The memory for threads and all steps down so far, if no two stacks went the same way.
    [[nodiscard]] std::uint64_t max_bytes() const {
        return steps_ * bytes_per_step + threads_.size() * bytes_per_thread;
    }
    /// What the stack at hand cost in its leaf, or at another place of the leaf. Sums wrap (F82).
    void add(StackCost cost);
    void add_at(std::uint32_t place, StackCost cost);

    /// The cost of all stacks.
    [[nodiscard]] Cost total(std::uint32_t event) const;

    /// Writes the graph of all stacks, for which the stack at hand is left, in the compact dialect, which
    /// keeps contexts: threads by number, functions by name. Errors: of the sink; too_large; bad_argument if
    /// there are no events.
    [[nodiscard]] Result<void> write(const StackHeading& heading, const Sink& sink);

  private:
    static constexpr std::uint64_t bytes_per_step = 64, bytes_per_thread = 1024;  // as measured

    struct Step {  // of the stack at hand
        StackFrame frame;
        std::uint32_t context;         // the function: twice its row, and one more for a deeper occurrence
        std::uint32_t arc = no_row;    // from the step above; none at the root
        std::uint32_t call = no_row;   // the row of its cost; none if the arc is in the stack already
        std::uint32_t self = no_row;   // the row of the leaf's self cost, once it is known
        std::uint32_t stack = no_row;  // row of stacks_, if there is one
    };
    struct Event {
        EventType type;
        std::uint32_t of_stacks = no_row;  // its row in stacks_
        std::vector<Cost> path;            // by step of the path
    };
    struct ThreadCosts {
        struct OfEvent {
            std::vector<Cost> self, calls;  // by row of selfs, of calls
        };
        KeyRows calls, selfs;  // (arc, place), (context, place)
        std::vector<OfEvent> events;
        std::vector<std::uint64_t> counts;  // of calls
    };
    struct Record {                           // self cost, or the cost of an arc at a place of its caller
        std::uint32_t caller, callee, place;  // contexts; no_row: self cost; of the caller
        std::uint32_t row;                    // of selfs or calls
    };
    struct Order {
        std::vector<std::uint32_t> names, functions;  // by their rows: which place they have
    };
    struct FunctionFacts {
        std::uint32_t origin, name;  // rows of origins_, names_
        std::uint32_t first_line;
        std::uint32_t of_stacks;     // row in stacks_
        std::uint32_t in_stack = 0;  // how often, in the stack at hand
    };
    void set_leaf_place(std::uint32_t place);
    void add_to_stack(StackCost cost);
    std::uint32_t self_row(std::uint32_t context, std::uint32_t place);
    [[nodiscard]] ThreadCosts::OfEvent& costs_of(std::uint32_t event) {
        if (thread_->events.size() <= event) add_events();
        return thread_->events[event];
    }
    void add_events();
    [[nodiscard]] Order order() const;
    [[nodiscard]] std::vector<Record> records(const ThreadCosts& thread, const Order& order) const;
    [[nodiscard]] std::string name(std::uint32_t context) const;
    [[nodiscard]] std::vector<EventType> event_types(std::uint32_t first) const;
    class Writing;

    NameRows names_;
    KeyRows origins_;        // (object, file) of functions
    KeyRows function_keys_;  // (origin, name)
    KeyRows places_;         // (file, line)
    KeyRows arcs_;           // (caller, callee)
    std::map<std::optional<StackThread>, ThreadCosts> threads_;
    ThreadCosts* thread_ = &threads_[std::nullopt];  // whose stack is at hand
    std::vector<FunctionFacts> functions_;
    std::vector<std::uint32_t> arcs_in_stack_;  // how often, by arc
    std::vector<Event> events_;
    std::vector<Step> path_;
    std::uint64_t steps_ = 0;
    WantedStacks wanted_;
    Stacks* stacks_;
    bool is_thread_wanted_ = true;  // whose stack is at hand
    bool are_estimates_ = false;
    bool is_too_large_ = false;
};

}  // namespace callcost::engine
