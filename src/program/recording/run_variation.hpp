/// Self costs of the same program in several runs: which functions are not deterministic, and by how much.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "text/style.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::program {

class RunVariation {
  public:
    void add(const CallGraph& graph, const Measure& measure);

    /// A function whose self cost is not the same in all runs.
    struct Row {
        std::string name, object;
        Cost least = 0, most = 0;

        [[nodiscard]] Cost range() const { return most - least; }
    };
    /// The largest range first.
    [[nodiscard]] std::vector<Row> rows() const;
    void write(std::string& out, const engine::Style& style) const;

  private:
    struct Range {
        std::size_t runs = 0;
        Cost least = 0, most = 0;

        void add(Cost cost);
    };

    std::map<std::tuple<std::string, std::string, std::string>, Range> functions_;  // name, object, file
    Range total_;
    std::string event_, unit_;
};

}  // namespace callcost::program
