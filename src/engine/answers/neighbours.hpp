/// The callers and the callees of a function, most expensive first, in one profile or two that are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "query/view.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/lines.hpp>

namespace callcost::engine {

enum class End : std::uint8_t { caller, callee };

/// A call arc of one profile, or of both.
struct Neighbour {
    ArcId arc;            ///< of the new profile, the first one; invalid if there is none
    ArcId arc_before;     ///< the same of the old profile
    std::size_t row = 0;  ///< of Diff::arcs(), if there is a comparison
    FunctionAt other;     ///< the function at its other end
};

class Neighbours {
  public:
    /// The view must outlive this.
    Neighbours(const View& view, FunctionAt function, End end);

    [[nodiscard]] const std::vector<Neighbour>& all() const { return all_; }
    /// By a column of the view.
    [[nodiscard]] Change cost(const Neighbour& of, std::size_t column) const;
    struct Counts {
        CallCount before, after;
    };
    [[nodiscard]] Counts count(const Neighbour& of) const;
    [[nodiscard]] bool is_recursive(const Neighbour& of) const;
    /// In one of the two profiles.
    [[nodiscard]] bool is_counted_again(const Neighbour& of) const;

    /// Those behind the first `shown`, by the first column.
    struct Rest {
        std::size_t rows = 0;
        CallCount count;
        Change cost;
        bool counted_again = false;  ///< some of the cost is, so that it has no share
    };
    [[nodiscard]] Rest rest(std::size_t shown) const;

  private:
    void gather(NodeId node, End end);
    void gather_compared(MatchId id, End end);
    void sort();

    const View& view_;
    std::vector<Neighbour> all_;
};

/// Where their calls are made, by neighbour: of the new profile, by its first column, most expensive first;
/// empty ones for neighbours that only the old profile has. Reads the records of each caller once. Error:
/// needs_detail.
[[nodiscard]] Result<std::vector<std::vector<CallSite>>> call_sites_of(const View& view,
                                                                       std::span<const Neighbour> neighbours);

}  // namespace callcost::engine
