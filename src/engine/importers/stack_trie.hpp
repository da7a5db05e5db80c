/// The stacks themselves, which the call graph that is made of them cannot hold: for outputs that are made of
/// stacks, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "importers/row_tables.hpp"
#include <callcost/event_type.hpp>

namespace callcost::engine {

/// A function as the profile that is written has it; empty: not known.
struct StackFunction {
    std::string object, file, name;
};

class StackTrie {
  public:
    /// The row of a stack that goes on from another one (no_row: from the root). Rows come after those they
    /// go on from.
    std::uint32_t row(std::uint32_t parent, std::uint32_t function) {
        return rows_.row(key_of(parent, function));
    }
    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] std::uint32_t parent(std::uint32_t row) const { return first_of(rows_[row]); }
    [[nodiscard]] std::uint32_t function(std::uint32_t row) const { return second_of(rows_[row]); }

    std::vector<StackFunction> functions;
    std::vector<std::string> events;
    std::vector<std::vector<Cost>> costs;  ///< by event, then by row; missing ones are 0

  private:
    KeyRows rows_;
};

}  // namespace callcost::engine
