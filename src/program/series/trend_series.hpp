/// Costs across several profiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "series/change_points.hpp"
#include <callcost/diff.hpp>

namespace callcost::program {

/// A cost in each profile, oldest first; nothing where it is not recorded.
using Series = std::vector<std::optional<Cost>>;

struct TotalTrend {
    std::string event;
    Series totals;
    std::vector<ChangePoint> changes{};
};

/// A function of the newest profile with its matches in the others (callcost/diff.hpp).
struct FunctionTrend {
    std::string_view name, file, object;
    Series self;
    std::vector<ChangePoint> changes{};
};

struct Trend {
    Measure measure;                       ///< of the functions
    std::vector<TotalTrend> totals;        ///< of all event types of the newest profile that are additive
    std::vector<FunctionTrend> functions;  ///< those that moved, by how far, then by name, object and file
};

struct TrendOptions {
    std::optional<std::string> measure{};  ///< a name or a formula; empty: the default of the newest
    double threshold = 0.001;              ///< of the newest total: functions that moved by less are omitted
};

/// At least one graph, oldest first; they must outlive the result. Errors: those of find_measure, about the
/// newest.
[[nodiscard]] Result<Trend> trend(const std::vector<CallGraph>& graphs, const TrendOptions& options);

/// The first and the last one that is known.
[[nodiscard]] Change ends(const Series& series);

/// A character for each value, high for high ones; a blank where there is none.
[[nodiscard]] std::string sparkline(const Series& series, bool unicode);

}  // namespace callcost::program
