/// How cost goes through a function: from which caller to which callee. A profile has the sums only, of what
/// every caller brings, what the function spends itself, and what goes on to every callee. The cost in
/// between is shared out so that all sums are met, beginning with a guess by the counts of calls: calls by
/// one caller are like those by another, but where they cost more, it is due to what costs much at a time.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "call_graph/flow.hpp"
#include "callcost/tree.hpp"

namespace callcost {

/// Shared out is what a function costs as it was recorded, inlined code included: how it is called is known.
/// Code that is inlined in it has its part of that, by what it costs of each way out.
class Transits {
  public:
    Transits(const Flow& flow, Recursion recursion);

    /// A way into or out of a function, by a function that is inlined in it or by itself.
    struct Way {
        enum class Kind : std::uint8_t {
            call,
            own,   ///< in: enters here (a root); out: its self cost
            lost,  ///< out: unbalanced
        };
        Kind kind = Kind::call;
        ArcId arc{};
        std::uint64_t cost = 0;    ///< in units of the flow; never 0
        std::uint32_t member = 0;  ///< which function it is that it leaves from
        std::uint32_t cell = 0;    ///< row or column
        double share = 1;          ///< of that
    };
    /// A function and what is inlined in it, each before what is inlined in that.
    struct Member {
        NodeId node;
        ArcId arc{};              ///< from the one that it is in; invalid for the function itself
        std::uint32_t in = 0;     ///< the member that it is in
        std::uint32_t end = 1;    ///< behind the last one that is in it
        std::uint32_t first = 0;  ///< of its ways out, which end where those of the next one begin
    };
    /// Without direct recursion if that is folded.
    struct Table {
        std::vector<Member> members;
        std::vector<std::pair<NodeId, std::uint32_t>> rows;  ///< of members, by node; empty: there is one
        std::vector<Way> in, out;
        std::size_t columns = 0;
        /// By row, then column; they add up to the costs of the ways. Empty: each way in goes out in
        /// proportion, for there is nothing to tell them apart by.
        std::vector<double> cells{};

        [[nodiscard]] double cost(const Way& way_in, const Way& way_out) const {
            return cells[way_in.cell * columns + way_out.cell] * way_in.share * way_out.share;
        }
        /// Which one the function is.
        [[nodiscard]] std::uint32_t member(NodeId node) const;
    };
    /// Of the function, or of the one that it is inlined in. Stays valid.
    [[nodiscard]] const Table& of(NodeId node);

  private:
    /// The ways of a function as they were recorded.
    struct Whole {
        std::vector<Way> in, out;
        std::vector<double> cells{};
    };
    [[nodiscard]] NodeId host(NodeId node) const;
    [[nodiscard]] Table ways(NodeId host) const;
    [[nodiscard]] std::vector<Way> merged(std::vector<Way>& ways) const;
    [[nodiscard]] bool guess(NodeId node, Whole& whole) const;
    static bool scale(Whole& whole);
    static void meet_sums(Whole& whole);

    const Flow& flow_;
    const CallGraph& recorded_;  // in which inlined code belongs to the function it is in
    Recursion recursion_;
    std::size_t cells_left_ = std::size_t{1} << 20U;   // further functions are in proportion
    std::unordered_map<std::uint32_t, Table> tables_;  // by host
};

}  // namespace callcost
