/// Takes a call graph and writes it as a profile. For importers of formats that hold no stacks: functions
/// with what they cost, and calls with what these cost.
///
/// The graph states the inclusive cost of a function: what was spent while it was on the stack, once. The
/// file has to say so, though its readers compute it, as self cost and what the function calls (F76):
///   - Recursive functions are written as call graphs of stacks are (imported_stacks.hpp): f, which is on the
///     stack once, and `f'2`, all calls below it. What f and its calls cost is the stated cost. Within a
///     cycle the graph does not say which call began f and which was below it: calls share in both by their
///     costs, and what passes between the deeper levels is as little as there can be. Direct recursion leaves
///     nothing open.
///   - What a function costs beyond its self cost and its calls is a call of "(callees not recorded)". Where
///     its callers cost less than it does, it is a root.
///   - Where costs are more than they can be, because they were rounded or functions were mixed up, calls
///   give
///     way: self and inclusive costs are kept.
///   - All other functions, and every level of a recursive one, cost what their callers say (F75).
///
/// Of samples, which have no calls to count, the numbers are how often functions, and calls, were met on
/// stacks, and costs may be such numbers, too. Where stacks cannot hold a call twice, outside of cycles, this
/// is its cost; in a cycle the numbers are only weights.
///
/// Numbers of calls are kept. Memory is for functions and calls, time in proportion to them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tables/budget.hpp"
#include "tables/row_tables.hpp"
#include <callcost/error.hpp>
#include <callcost/profile.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

/// What a function cost in all of its calls; not below 0.
struct GraphCosts {
    std::uint64_t calls = 0;
    std::uint64_t first_calls = 0;  ///< of these, while it was not yet on the stack
    Cost self = 0, inclusive = 0;
};

/// What it cost when one function called it; not below 0.
struct GraphCall {
    static constexpr Cost unknown = -1;

    std::uint64_t calls = 0;
    Cost self = unknown;
    Cost inclusive = unknown;  ///< once, however often the call is on the stack
};

/// What the numbers of calls are.
enum class GraphCounts : std::uint8_t {
    calls,
    occurrences,  ///< on the stacks of samples; so are the costs of calls. They are not written
};

struct GraphHeading {
    std::string_view event{}, long_name{};  ///< what is measured, as in formulas (F69)
    std::string_view command{};
    GraphCounts counts = GraphCounts::calls;
    bool unknown_count_as_one = false;  ///< for readers that take arcs with `calls=0` for self cost (W11)
    OutputLimit names{};                ///< of functions, together
};

class GraphProfile {
  public:
    /// Of functions that share name, file and object but not the line, each has its line behind the name.
    /// Line 0 = unknown.
    [[nodiscard]] std::uint32_t function(std::string_view object, std::string_view file,
                                         std::string_view name, std::uint32_t line = 0);
    /// Costs of a function, of a call, add up; unknown ones stay so.
    void add(std::uint32_t function, const GraphCosts& costs);
    void add_call(std::uint32_t caller, std::uint32_t callee, const GraphCall& call);
    /// So much of its self cost, not below 0, was spent at a line; the rest is at the first one of the
    /// function.
    void add_self_at(std::uint32_t function, std::uint32_t line, Cost self);
    /// All its calls are there, not at its first line.
    void set_call_line(std::uint32_t function, std::uint32_t line);

    [[nodiscard]] std::size_t function_count() const { return functions_.size(); }
    /// Calls whose cost is not known, and is estimated: by their numbers, so that all functions cost what is
    /// stated.
    [[nodiscard]] std::uint64_t estimated_calls() const { return estimated_; }
    /// After write(): calls that were said to cost more than there is, beyond what rounding explains; 0 if
    /// that is no more than a 10,000th of the profile.
    [[nodiscard]] std::uint64_t reduced_calls() const { return reduced_; }

    /// Functions by name, in the compact dialect. Errors: of the sink; too_large (also names beyond the
    /// limit).
    [[nodiscard]] Result<void> write(const GraphHeading& heading, const Sink& sink);

  private:
    friend class GraphWriting;
    friend class GraphEstimates;
    friend class GraphRecords;
    struct Function {
        std::uint32_t named;  // row of named_
        std::uint32_t line = 0;
        std::uint32_t call_line = 0;  // 0: the first
        GraphCosts costs{};
        std::uint64_t recorded_calls = 0;  // by functions that are known
    };
    struct SelfLine {
        std::uint32_t function, line;
        Cost cost;
    };

    NameRows names_;
    KeyRows origins_;                            // (object, file)
    KeyRows named_;                              // (origin, name)
    std::vector<std::uint32_t> lines_of_named_;  // how many
    KeyRows function_keys_;                      // (named, line)
    std::vector<Function> functions_;
    std::vector<SelfLine> self_lines_;
    KeyRows call_keys_;  // (caller, callee)
    std::vector<GraphCall> calls_;
    double magnitude_ = 0;
    std::uint64_t estimated_ = 0, reduced_ = 0;
};

}  // namespace callcost::engine
