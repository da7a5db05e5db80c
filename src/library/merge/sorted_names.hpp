/// Names in an order that does not depend on who came first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "base/name_table.hpp"
#include "profile/profile_data.hpp"

namespace callcost {

/// Names as they come, then their rows in a table that is in order.
class SortedNames {
  public:
    std::uint32_t add(std::string_view name) { return found_.intern(name.empty() ? unknown_name : name); }
    void sort_into(NameTable& table) {
        std::vector<std::uint32_t> order(found_.size());
        std::iota(order.begin(), order.end(), 0U);
        std::sort(order.begin() + 1, order.end(),
                  [this](std::uint32_t a, std::uint32_t b) { return found_[a] < found_[b]; });
        rows_.resize(order.size());
        for (const std::uint32_t found : order) rows_[found] = table.intern(found_[found]);
    }
    [[nodiscard]] std::uint32_t operator[](std::uint32_t found) const { return rows_[found]; }

  private:
    NameTable found_{unknown_name};
    std::vector<std::uint32_t> rows_;
};

}  // namespace callcost
