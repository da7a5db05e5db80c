/// Numbers for display.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/style.hpp"
#include <callcost/profile.hpp>

namespace callcost::engine {

/// A cost or a count, with thousands separators where the style has them.
[[nodiscard]] std::string cost(std::int64_t value, const Style& style);
[[nodiscard]] std::string count(std::uint64_t value, const Style& style);

/// A difference, always with its sign.
[[nodiscard]] std::string difference(std::int64_t value, const Style& style);

/// What one of a unit is: "10ns" is 1e-08 seconds.
struct UnitScale {
    std::string_view base;  ///< "s" or "B" (bytes)
    double factor = 0;
};
/// Nothing if it is a unit of neither time nor bytes, or none at all.
[[nodiscard]] std::optional<UnitScale> unit_scale(std::string_view unit);

/// The same of a measure of this unit: if it is of time or bytes, and the style has units, then in the one
/// that leaves less than four digits before the decimal point, `3.88 ms`; otherwise as a number.
[[nodiscard]] std::string cost(std::int64_t value, std::string_view unit, const Style& style);
[[nodiscard]] std::string difference(std::int64_t value, std::string_view unit, const Style& style);

/// `12.34%`; a dash if there is no whole to compare with.
[[nodiscard]] std::string percent(std::int64_t part, std::int64_t whole);

/// A bar of at most `width` columns for a share of a whole, in eighths of a column; empty below that. Only
/// for styles with Unicode.
[[nodiscard]] std::string bar(std::int64_t part, std::int64_t whole, std::size_t width);

/// A number of calls: `12`, `12+` if further calls are not counted, `?` if none is (F57, F74).
[[nodiscard]] std::string calls(const CallCount& count, const Style& style);

/// What one call costs on average, to two places; empty if not all calls are counted.
[[nodiscard]] std::string per_call(std::int64_t cost, const CallCount& count, const Style& style);
[[nodiscard]] std::string per_call(std::int64_t cost, const CallCount& count, std::string_view unit,
                                   const Style& style);

/// A number of bytes: `512 bytes`, `1.5 MB`.
[[nodiscard]] std::string bytes(std::uint64_t value);

/// `1 warning`, `2 warnings`, `2 processes`.
[[nodiscard]] std::string counted(std::uint64_t value, std::string_view noun, const Style& style);

}  // namespace callcost::engine
