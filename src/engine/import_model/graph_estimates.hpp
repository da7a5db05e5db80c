/// What calls cost of which only the number is known. For imported_graph.
#pragma once

#include <span>
#include <vector>

#include "import_model/graph_components.hpp"
#include "import_model/imported_graph.hpp"

namespace callcost::engine {

class GraphEstimates {
  public:
    /// `inclusive` is what functions cost. All that is given has to stay.
    GraphEstimates(const GraphProfile& graph, const GraphLinks& links, const GraphComponents& components,
                   std::span<const Cost> inclusive)
        : graph_(graph), links_(links), components_(components), inclusive_(inclusive) {}

    /// Sets the costs, by call, that are GraphCall::unknown. Of a recursive function by the number of calls;
    /// of others also so that every function calls for what it cost, which is found by changing one and the
    /// other in turn.
    void fill(std::span<Cost> costs) const;

  private:
    [[nodiscard]] bool is_estimated(std::uint32_t call) const;
    template <class Take>
    void for_each_outer(std::span<const std::uint32_t> calls, const Take& take) const;
    void fit_callers(std::span<const std::uint32_t> members, std::vector<double>& estimates) const;
    [[nodiscard]] double fit_callees(std::uint32_t f, std::vector<double>& estimates) const;

    const GraphProfile& graph_;
    const GraphLinks& links_;
    const GraphComponents& components_;
    std::span<const Cost> inclusive_;
};

}  // namespace callcost::engine
