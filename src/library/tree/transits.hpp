/// How cost goes through a function: from which caller to which callee. A profile has the sums only, of what
/// every caller brings, what the function spends itself, and what goes on to every callee. The cost in
/// between is shared out so that all sums are met, beginning with a guess by the counts of calls: calls by
/// one caller are like those by another, but where they cost more, it is due to what costs much at a time.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "call_graph/flow.hpp"
#include "callcost/tree.hpp"

namespace callcost {

class Transits {
  public:
    Transits(const Flow& flow, Recursion recursion) : flow_(flow), recursion_(recursion) {}

    /// A way into or out of a function.
    struct Way {
        enum class Kind : std::uint8_t {
            call,
            own,   ///< in: enters here (a root); out: its self cost
            lost,  ///< out: unbalanced
        };
        Kind kind = Kind::call;
        ArcId arc{};
        std::uint64_t cost = 0;  ///< in units of the flow; never 0
    };
    /// Without direct recursion if that is folded.
    struct Table {
        std::vector<Way> in, out;
        /// By way in, then way out; they add up to the costs of the ways. Empty: each way in goes out in
        /// proportion, for there is nothing to tell them apart by.
        std::vector<double> costs{};
    };
    /// Stays valid.
    [[nodiscard]] const Table& of(NodeId node);

  private:
    [[nodiscard]] Table ways(NodeId node) const;
    [[nodiscard]] bool guess(NodeId node, Table& table) const;

    const Flow& flow_;
    Recursion recursion_;
    std::size_t cells_left_ = std::size_t{1} << 20U;  // further functions are in proportion
    std::unordered_map<std::uint32_t, Table> tables_;
};

}  // namespace callcost
