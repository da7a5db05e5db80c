/// A call graph as records of a profile. For imported_graph.
#pragma once

#include <cstdint>
#include <vector>

#include "import_model/imported_graph.hpp"
#include "tables/row_tables.hpp"
#include <callcost/error.hpp>
#include <callcost/event_type.hpp>
#include <callcost/source.hpp>
#include <callcost/writer.hpp>

namespace callcost::engine {

/// By level: twice the row of the function, and one more for the deeper one.
struct GraphRecord {
    std::uint32_t caller;
    std::uint32_t callee;  ///< no_row: self cost; GraphRecords::missing(): not recorded
    Cost cost;
    std::uint64_t count;
    std::uint32_t line = 0;  ///< of self cost
};

class GraphRecords {
  public:
    explicit GraphRecords(const GraphProfile& graph) : graph_(graph) {}

    /// Stands for the callees that are not recorded.
    [[nodiscard]] std::uint32_t missing() const {
        return 2 * static_cast<std::uint32_t>(graph_.functions_.size());
    }
    void add(const GraphRecord& record) { records_.push_back(record); }
    [[nodiscard]] Result<void> write(const GraphHeading& heading, const Sink& sink);

  private:
    [[nodiscard]] std::uint64_t line(std::uint32_t level) const;
    [[nodiscard]] std::uint64_t line(const GraphRecord& record) const;
    [[nodiscard]] Writer::Function name(Writer& writer, std::uint32_t level) const;
    void sort();

    const GraphProfile& graph_;
    std::vector<GraphRecord> records_;
};

}  // namespace callcost::engine
