#include "profile/event_facts.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace callcost {
namespace {

struct Pair {
    std::string_view name;
    std::string_view value;
};

template <std::size_t N>
std::string_view look_up(const std::array<Pair, N>& table, std::string_view name) {
    const auto row =
        std::find_if(table.begin(), table.end(), [&](const Pair& pair) { return pair.name == name; });
    return row == table.end() ? std::string_view() : row->value;
}

// "L2" was what Valgrind before 3.6 called the last level (F68).
constexpr std::array<Pair, 6> modern_names{{
    {"I2mr", "ILmr"},
    {"D2mr", "DLmr"},
    {"D2mw", "DLmw"},
    {"I2dmr", "ILdmr"},
    {"D2dmr", "DLdmr"},
    {"D2dmw", "DLdmw"},
}};

constexpr std::array<Pair, 31> long_names{{
    {"Ir", "Instructions"},
    {"Dr", "Data reads"},
    {"Dw", "Data writes"},
    {"I1mr", "First-level instruction misses"},
    {"D1mr", "First-level data read misses"},
    {"D1mw", "First-level data write misses"},
    {"ILmr", "Last-level instruction misses"},
    {"DLmr", "Last-level data read misses"},
    {"DLmw", "Last-level data write misses"},
    {"ILdmr", "Last-level dirty misses by instructions"},
    {"DLdmr", "Last-level dirty misses by data reads"},
    {"DLdmw", "Last-level dirty misses by data writes"},
    {"Bc", "Conditional branches"},
    {"Bcm", "Mispredicted conditional branches"},
    {"Bi", "Indirect branches"},
    {"Bim", "Mispredicted indirect branches"},
    {"AcCost1", "First-level lines loaded for few accesses"},
    {"SpLoss1", "First-level bytes loaded and never used"},
    {"AcCost2", "Last-level lines loaded for few accesses"},
    {"SpLoss2", "Last-level bytes loaded and never used"},
    {"Ge", "Global bus events"},
    {"allocCount", "Allocations"},
    {"allocSize", "Allocated bytes"},
    {"sysCount", "System calls"},
    {"sysTime", "Time in system calls"},
    {"sysCpuTime", "CPU time in system calls"},
    {"Ct", "Cycles by throughput, in hundredths"},
    {"Cl", "Cycles by latency, in hundredths"},
    {"Smp", "Samples"},
    {"Sys", "System time"},
    {"User", "User time"},
}};

// A word that is a unit, and the unit as we write it.
constexpr std::array<Pair, 23> unit_words{{
    {"ns", "ns"},          {"nsec", "ns"},         {"nanosecond", "ns"}, {"nanoseconds", "ns"},
    {"us", "us"},          {"usec", "us"},         {"\xc2\xb5s", "us"},  // micro sign
    {"\xce\xbcs", "us"},                                                 // Greek mu
    {"microsecond", "us"}, {"microseconds", "us"}, {"ms", "ms"},         {"msec", "ms"},
    {"millisecond", "ms"}, {"milliseconds", "ms"}, {"s", "s"},           {"sec", "s"},
    {"second", "s"},       {"seconds", "s"},       {"byte", "bytes"},    {"bytes", "bytes"},
    {"kb", "kB"},          {"mb", "MB"},           {"gb", "GB"},
}};

std::string_view known_unit(std::string_view word) {
    std::string lower(word);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return look_up(unit_words, lower);
}

/// What stands in parentheses at the end; empty if nothing does.
std::string_view last_parentheses(std::string_view text) {
    if (text.empty() || text.back() != ')') return {};
    const std::size_t open = text.rfind('(');
    if (open == std::string_view::npos || open == 0) return {};
    return text.substr(open + 1, text.size() - open - 2);
}

/// Units that a creator uses without saying so, or wrongly says otherwise.
std::string_view unit_by_creator(std::string_view name, std::string_view creator) {
    if (creator.starts_with("xdebug 2") && name == "Time") return "us";
    if (creator.starts_with("yappi") && name == "Ticks") return "us";
    return {};
}

/// chrome2calltree writes no creator, and "ms" for a thousand of whatever the times of its input are.
bool is_doubtful(std::string_view unit, std::string_view creator) {
    return unit == "ms" && (creator.empty() || creator.starts_with("callcost-"));
}

// F68, in its order, but for the creators whose names mislead.
std::string_view unit_of(const EventType& event, std::string_view creator) {
    if (const auto unit = unit_by_creator(event.name, creator); !unit.empty()) return unit;
    if (const auto inner = last_parentheses(event.name); !inner.empty()) {
        if (inner == "count") return {};
        const auto unit = known_unit(inner);
        return unit.empty() ? inner : unit;  // such as 10ns
    }
    // In a long name the parentheses may hold anything: "(elapsed ns)", "(subset of DB)".
    if (const auto inner = last_parentheses(event.long_name); !inner.empty())
        if (const auto unit = known_unit(inner.substr(inner.rfind(' ') + 1)); !unit.empty()) return unit;
    if (const auto unit = known_unit(event.name); !unit.empty())
        if (!is_doubtful(unit, creator)) return unit;
    return known_unit(event.long_name);
}

// F78. Most of these producers do not name themselves, so that names must do.
Aggregation aggregation_of(const EventType& event, std::string_view creator) {
    if (creator.starts_with("remake")) return Aggregation::inclusive_as_self;
    if (event.name == "usphit") return Aggregation::ratio;  // pprofile
    if (event.name == "ps" && event.long_name.ends_with("Per Second"))
        return Aggregation::ratio;                                                           // Very Sleepy
    if (event.name == "UCdist" && creator.starts_with("klee")) return Aggregation::minimum;  // KLEE
    if (event.name == "AliveReqMax") return Aggregation::maximum;                            // MALT
    if (event.name == "Cycles-Min") return Aggregation::minimum;                             // Syzygy
    if (event.name == "Cycles-Max") return Aggregation::maximum;                             // Syzygy
    return Aggregation::sum;
}

}  // namespace

std::string_view event_alias(std::string_view name) {
    const auto modern = look_up(modern_names, name);
    return modern.empty() ? name : modern;
}

bool has_usual_long_name(const EventType& event) {
    return event.long_name == look_up(long_names, event_alias(event.name));
}

std::string_view origin_of(std::string_view creator) {
    if (!creator.starts_with("callcost-")) return creator;
    constexpr std::string_view before = " from ";
    if (const auto at = creator.find(before); at != std::string_view::npos)
        return creator.substr(at + before.size());
    return creator;
}

std::string_view origin_of(const Part& part) {
    const bool is_xdebug = part.creator.empty() && !part.command.empty() && part.version == "0.9.6";
    return is_xdebug ? "xdebug 2" : origin_of(part.creator);
}

void describe_event(EventType& event, std::string_view creator) {
    creator = origin_of(creator);
    event.unit = unit_of(event, creator);
    if (event.unit.empty() && event.long_name.empty() && event.name == "ms")
        event.long_name = "Time in an unknown unit";
    event.aggregation = aggregation_of(event, creator);
    if (event.long_name.empty()) event.long_name = look_up(long_names, event_alias(event.name));
}

}  // namespace callcost
