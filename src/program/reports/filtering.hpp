/// The command-line filters applied to a call graph, and the notes about them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loading/preparation.hpp"
#include "options/patterns.hpp"
#include "text/json.hpp"
#include "text/style.hpp"

namespace callcost::program {

class Filtering {
  public:
    Filtering(const Prepared& prepared, const FilterOptions& options);

    /// Whether there are any filters.
    explicit operator bool() const { return filtered_.has_value(); }
    /// Null if there are none.
    [[nodiscard]] const Filtered* result() const { return filtered_ ? &*filtered_ : nullptr; }
    /// Which functions are listed; empty if there are no filters. Must not outlive this.
    [[nodiscard]] std::function<bool(NodeId)> predicate() const;

    /// Replaces the advice on omitted rows.
    [[nodiscard]] static std::vector<std::string> advice() {
        return {"excluded by the filter or --limit", "filter or --limit"};
    }
    /// Notes if no function passes the filters.
    void say_if_empty(const Console& console) const;
    /// Writes the filters and the share of the total that passes them; nothing without filters.
    void write_note(std::string& out, const Prepared& prepared, const engine::Style& style) const;
    /// `"filter": {...}`; nothing if there are none.
    void write(engine::JsonWriter& json) const;

  private:
    std::vector<std::pair<std::string, std::vector<std::string>>> texts_;  // by option
    std::optional<Filtered> filtered_;
};

}  // namespace callcost::program
