/// The filters of the command line over one call graph, and what is to be said about them.
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

    /// In place of how to see the rows that are left out.
    [[nodiscard]] static std::vector<std::string> advice() {
        return {"left out by the filter or by --limit", "filter or --limit"};
    }
    /// A note if the filters leave nothing: a name may be misspelt.
    void say_if_empty(const Console& console) const;
    /// Which filters, and how much of the total they leave; nothing if there are none.
    void write_note(std::string& out, const Prepared& prepared, const engine::Style& style) const;
    /// `"filter": {...}`; nothing if there are none.
    void write(engine::JsonWriter& json) const;

  private:
    std::vector<std::pair<std::string, std::vector<std::string>>> texts_;  // by option
    std::optional<Filtered> filtered_;
};

}  // namespace callcost::program
