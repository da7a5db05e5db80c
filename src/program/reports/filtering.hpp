/// The command-line filters applied to a call graph, and the notes about them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loading/preparation.hpp"
#include "options/patterns.hpp"
#include "query/filtered_functions.hpp"
#include "reports/function_list.hpp"
#include "text/json.hpp"
#include "text/style.hpp"
#include <callcost/groups.hpp>
#include <callcost/lines.hpp>
#include <callcost/tree.hpp>

namespace callcost::program {

using FilterTextsByOption = std::vector<std::pair<std::string, std::vector<std::string>>>;
[[nodiscard]] FilterTextsByOption texts_by_option(const FilterOptions& options);
/// `show 'parse', object 'libc'`
[[nodiscard]] std::string filter_words(const FilterTextsByOption& filters);
[[nodiscard]] engine::FilterPatterns patterns_of(const FilterOptions& options);

class Filtering {
  public:
    /// Neither must be moved while this is used.
    Filtering(const PreparedProfile& prepared, const FilterOptions& options);
    /// Makes the functions groups, and filters those. Nothing: they stay functions.
    Filtering(PreparedProfile& prepared, const FilterOptions& options, std::optional<GroupBy> by);
    Filtering(const Filtering&) = delete;

    /// Whether there are any filters.
    explicit operator bool() const { return filtered_ != nullptr; }
    /// Null if there are none. Must not outlive this.
    [[nodiscard]] const engine::FilteredFunctions* functions() const { return filtered_.get(); }
    /// Empty if there are none. Must not outlive this.
    [[nodiscard]] CostsKept kept() const;
    /// See FilteredFunctions::apply().
    template <class Options>
    void apply(Options& options) const {
        if (filtered_) filtered_->apply(options, prepared_.measure);
    }

    /// Replaces the advice on omitted rows.
    [[nodiscard]] static std::vector<std::string> advice() {
        return {"excluded by the filter or --limit", "filter or --limit", "filter"};
    }
    /// Notes if no function passes the filters.
    void say_if_empty(const Console& console) const;
    /// What the list says of its estimates: that functions have some, that others have, nothing as it
    /// explains them itself.
    enum class Estimates : std::uint8_t { of_functions, of_others, explained };
    /// Writes the filters and the share of the total that passes them; nothing without filters.
    void write_note(std::string& out, const engine::Style& style,
                    Estimates estimates = Estimates::of_functions) const;
    /// `"filter": {...}`; nothing if there are none.
    void write(engine::JsonWriter& json) const;

  private:
    FilterTextsByOption texts_;
    const PreparedProfile& prepared_;
    std::shared_ptr<const engine::FilteredFunctions> filtered_;
};

}  // namespace callcost::program
