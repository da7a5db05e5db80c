/// Where cost enters a program: the starts of its threads, and its main or what it has for one.
/// docs/summary.md has the rules.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <callcost/call_graph.hpp>

namespace callcost::engine {

/// Of a function's inclusive cost: one that passes so much on to another does nothing by itself.
constexpr double nearly_all = 0.9;

/// Whether a name is but an address: `0x401000`.
[[nodiscard]] bool is_address(std::string_view name);

/// What V8 calls the time in which none of the program's functions ran: "(idle)", "(garbage collector)",
/// "(program)".
[[nodiscard]] bool is_outside(std::string_view name);

/// A function where the program's own work begins.
struct ProgramEntry {
    NodeId function;               ///< invalid: there is none
    bool is_unnamed_main = false;  ///< main only by what calls it
};

class Entries {
  public:
    /// By a measure that is additive.
    Entries(const CallGraph& graph, const Measure& measure);

    ProgramEntry main;          ///< by the names that languages have for it, or as what the C library calls
    ProgramEntry first;         ///< main, unless more cost enters elsewhere
    std::vector<Root> threads;  ///< their starts
    Cost cost_of_threads = 0;

    [[nodiscard]] bool is_thread_start(NodeId node);
    /// Without contexts.
    [[nodiscard]] std::string_view plain_name(NodeId node);
    /// From a function to the one that it, or what it calls, only passes calls on to.
    [[nodiscard]] std::vector<NodeId> chain(NodeId begin) const;
    /// What the start of a thread runs: the first function that it leads to and that is the program's own.
    [[nodiscard]] NodeId function_of_thread(NodeId start);
    /// Whether they are the same percentage.
    [[nodiscard]] bool look_alike(Cost a, Cost b) const;

  private:
    [[nodiscard]] Cost inclusive(NodeId node) const { return graph_.inclusive(node, measure_); }
    [[nodiscard]] bool is_startup(NodeId node);
    [[nodiscard]] ProgramEntry main_entry();
    [[nodiscard]] NodeId root_of(NodeId function);
    [[nodiscard]] NodeId named(NodeId root);
    [[nodiscard]] NodeId called_by(const std::vector<NodeId>& below_mains);
    [[nodiscard]] Cost cost_of_thread_parts() const;

    const CallGraph& graph_;
    const Measure& measure_;
    Cost base_;
    std::vector<Root> others_;  // no starts of threads; by weight
    std::optional<ContextNames> contexts_;
};

}  // namespace callcost::engine
