#include "text/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace callcost::engine {
namespace {

std::string separated(std::string digits, const Style& style) {
    if (!style.separators) return digits;
    const std::size_t first = digits.starts_with('-') || digits.starts_with('+') ? 1 : 0;
    for (auto at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

/// A step of a unit: what it is of the base, and its name.
struct UnitStep {
    double size;
    std::string_view name;
};
constexpr std::array<UnitStep, 4> time_steps{{{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}}};
constexpr std::array<UnitStep, 5> byte_steps{{{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}}};

/// So many of a unit. There are decimals only where a step is larger than the unit, which has none.
std::string scaled(double number, const UnitScale& unit, bool is_whole, const Style& style) {
    const std::span<const UnitStep> steps =
        unit.base == "s" ? std::span<const UnitStep>(time_steps) : std::span<const UnitStep>(byte_steps);
    const double amount = number * unit.factor;
    if (amount == 0) return "0";
    const UnitStep* step = &steps.front();
    // From 999.995 on, two decimals would be four digits and more.
    for (const UnitStep& each : steps.subspan(1))
        if (std::abs(amount) >= step->size * 999.995) step = &each;
    const bool has_decimals = !is_whole || step->size > unit.factor * 1.5;
    const std::string digits = fmt::format("{:.{}f}", amount / step->size, has_decimals ? 2 : 0);
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::string_view name = step->name == "us" && style.unicode ? "\u00b5s" : step->name;
    return fmt::format("{}{} {}", separated(digits.substr(0, point), style), digits.substr(point), name);
}

}  // namespace

std::optional<UnitScale> unit_scale(std::string_view unit) {
    std::uint32_t count = 1;
    const auto* const behind = unit.data() + unit.size();
    const auto [end, error] = std::from_chars(unit.data(), behind, count);
    const std::string_view name =
        error == std::errc() ? unit.substr(static_cast<std::size_t>(end - unit.data())) : unit;
    if (count == 0) return std::nullopt;
    if (name == "bytes") return UnitScale{"B", static_cast<double>(count)};
    const auto find = [&](std::span<const UnitStep> steps, std::string_view base) {
        for (const UnitStep& step : steps)
            if (step.name == name) return std::optional(UnitScale{base, count * step.size});
        return std::optional<UnitScale>();
    };
    const auto time = find(time_steps, "s");
    return time ? time : find(byte_steps, "B");
}

std::string cost(std::int64_t value, std::string_view unit, const Style& style) {
    const auto scale = style.units ? unit_scale(unit) : std::nullopt;
    return scale ? scaled(static_cast<double>(value), *scale, true, style) : cost(value, style);
}

std::string difference(std::int64_t value, std::string_view unit, const Style& style) {
    const auto scale = style.units ? unit_scale(unit) : std::nullopt;
    if (!scale) return difference(value, style);
    return (value > 0 ? "+" : "") + scaled(static_cast<double>(value), *scale, true, style);
}

std::string cost(std::int64_t value, const Style& style) { return separated(fmt::to_string(value), style); }

std::string count(std::uint64_t value, const Style& style) { return separated(fmt::to_string(value), style); }

std::string difference(std::int64_t value, const Style& style) {
    return separated(fmt::format("{:+}", value), style);
}

std::string percent(std::int64_t part, std::int64_t whole) {
    if (whole == 0) return "-";
    const auto share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    const auto text = fmt::format("{:.2f}%", share);
    return text == "-0.00%" ? "0.00%" : text;
}

std::string bar(std::int64_t part, std::int64_t whole, std::size_t width) {
    constexpr std::array<std::string_view, 8> pieces = {"",       "\u258f", "\u258e", "\u258d",
                                                        "\u258c", "\u258b", "\u258a", "\u2589"};
    if (whole == 0) return {};
    const auto share = std::clamp(static_cast<double>(part) / static_cast<double>(whole), 0.0, 1.0);
    const auto eighths = static_cast<std::size_t>(share * 8 * static_cast<double>(width));
    std::string text;
    for (std::size_t i = 0; i < eighths / 8; ++i) text += "\u2588";
    return text += pieces.at(eighths % 8);
}

std::string calls(const CallCount& count, const Style& style) {
    if (count.at_least && count.known == 0) return "?";
    return engine::count(count.known, style) + (count.at_least ? "+" : "");
}

std::string per_call(std::int64_t cost, const CallCount& count, const Style& style) {
    if (count.at_least || count.known == 0) return {};
    const bool is_negative = cost < 0;
    const auto magnitude = Cost(cost).magnitude();
    auto whole = magnitude / count.known;
    const auto rest = static_cast<double>(magnitude % count.known) / static_cast<double>(count.known);
    auto hundredths = static_cast<unsigned>(std::lround(rest * 100));
    if (hundredths == 100) {
        ++whole;
        hundredths = 0;
    }
    const auto sign = is_negative && (whole > 0 || hundredths > 0) ? "-" : "";
    return fmt::format("{}{}.{:02}", sign, engine::count(whole, style), hundredths);
}

std::string per_call(std::int64_t cost, const CallCount& count, std::string_view unit, const Style& style) {
    const auto scale = style.units ? unit_scale(unit) : std::nullopt;
    if (!scale || count.at_least || count.known == 0) return per_call(cost, count, style);
    return scaled(static_cast<double>(cost) / static_cast<double>(count.known), *scale, false, style);
}

std::string bytes(std::uint64_t value) {
    if (value < 1000) return fmt::format("{} byte{}", value, value == 1 ? "" : "s");
    constexpr std::array<std::string_view, 4> units = {"kB", "MB", "GB", "TB"};
    auto scaled = static_cast<double>(value) / 1000;
    std::size_t unit = 0;
    for (; scaled >= 999.95 && unit + 1 < units.size(); ++unit) scaled /= 1000;
    return fmt::format("{:.1f} {}", scaled, units.at(unit));
}

std::string counted(std::uint64_t value, std::string_view noun, const Style& style) {
    return count(value, style) + ' ' + std::string(noun) +
           (value == 1            ? ""
            : noun.ends_with('s') ? "es"
                                  : "s");
}

}  // namespace callcost::engine
