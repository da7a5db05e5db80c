/// The estimated call tree of `tree`, with the share that is certain.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "text/csv.hpp"
#include "text/json.hpp"
#include "text/style.hpp"
#include <callcost/tree.hpp>

namespace callcost::program {

struct CallTreeOptions {
    bool at_roots = false;              ///< it begins at chosen functions, with their inclusive cost
    std::vector<std::string> advice{};  ///< how to see what is not expanded, the longest first
};

/// "92.2%" of the tree's cost is where it must be; rounded down.
[[nodiscard]] std::string certain_share(const Tree& tree);
/// What `record --callers` needs for more of it; 0: enough is, or there is no such number.
[[nodiscard]] std::size_t callers_for_certainty(const CallGraph& graph, const Tree& tree);

/// Writes a note on the estimate and its certainty, the tree, and explanations of special rows.
void write_call_tree(std::string& out, const CallGraph& graph, const Tree& tree,
                     const CallTreeOptions& options, const engine::Style& style);

/// `"direction"`, sums over the tree, and `"frames": [...]`.
void write_call_tree(engine::JsonWriter& json, const CallGraph& graph, const Tree& tree);

/// A header and a row per frame.
void write_call_tree(engine::CsvWriter& csv, const CallGraph& graph, const Tree& tree);

}  // namespace callcost::program
