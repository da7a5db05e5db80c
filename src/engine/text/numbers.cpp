#include "text/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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

}  // namespace

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

std::string bytes(std::uint64_t value) {
    if (value < 1000) return fmt::format("{} byte{}", value, value == 1 ? "" : "s");
    constexpr std::array<std::string_view, 4> units = {"kB", "MB", "GB", "TB"};
    auto scaled = static_cast<double>(value) / 1000;
    std::size_t unit = 0;
    for (; scaled >= 999.95 && unit + 1 < units.size(); ++unit) scaled /= 1000;
    return fmt::format("{:.1f} {}", scaled, units.at(unit));
}

std::string counted(std::uint64_t value, std::string_view noun, const Style& style) {
    return fmt::format("{} {}{}", count(value, style), noun, value == 1 ? "" : "s");
}

}  // namespace callcost::engine
