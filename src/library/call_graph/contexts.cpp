// Callgrind's caller and recursion contexts: name['R]['caller1]['caller2]... (F72).
#include <algorithm>
#include <optional>

#include "callcost/call_graph.hpp"
#include "profile/event_facts.hpp"
#include "profile/profile_data.hpp"

namespace callcost {
namespace {

/// A recursion level: 2 or more, without leading zeros.
std::optional<std::uint64_t> recursion_level(std::string_view text) {
    if (text.empty() || text.size() > 18 || text[0] == '0') return std::nullopt;
    std::uint64_t level = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        level = level * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (level < 2) return std::nullopt;
    return level;
}

/// Callgrind's names do, also where callcost wrote them, and those that callcost makes of stacks.
bool has_contexts(const Part& part) {
    const std::string_view origin = origin_of(part.creator);
    return part.dialect == Dialect::callgrind || origin.starts_with("callgrind-") || origin == "stacks";
}

}  // namespace

struct ContextNames::Known {
    const NameTable& whole;    // the names of the profile's functions
    NameTable beginnings{{}};  // what stands before the first quote in those that have one

    explicit Known(const NameTable& names) : whole(names) {}
    [[nodiscard]] bool contains(std::string_view name) const {
        return !name.empty() && (whole.find(name) != UINT32_MAX || beginnings.find(name) != UINT32_MAX);
    }
};

ContextNames::ContextNames(const Profile& profile) : profile_(profile) {
    const auto parts = profile.parts();
    if (std::none_of(parts.begin(), parts.end(), has_contexts)) return;
    const NameTable& names = ProfileAccess::data(profile).function_names;
    auto known = std::make_shared<Known>(names);
    for (std::size_t row = 0; row < names.size(); ++row)
        if (const std::size_t quote = names[row].find('\''); quote != std::string_view::npos)
            known->beginnings.intern(names[row].substr(0, quote));
    if (known->beginnings.size() > 1) known_ = std::move(known);
}

// From the right, as long as the pieces fit: Rust and Ada have quotes in ordinary names, which stay whole.
ContextName ContextNames::split(FunctionId function) const {
    const std::string_view text = profile_.name(function);
    ContextName whole{.name = text, .recursion = 0, .context = {}};
    if (!known_) return whole;
    std::size_t end = text.size();  // of the name
    std::size_t callers = 0;
    std::uint64_t recursion = 0;
    for (;;) {
        if (end == 0) break;
        const std::size_t quote = text.rfind('\'', end - 1);
        if (quote == std::string_view::npos || quote == 0) break;
        const std::string_view piece = text.substr(quote + 1, end - quote - 1);
        if (const auto level = recursion_level(piece)) {
            recursion = *level;
            end = quote;
            break;
        }
        if (!known_->contains(piece)) break;
        end = quote;
        ++callers;
    }
    if (end == text.size()) return whole;
    return {
        .name = text.substr(0, end), .recursion = recursion, .context = text.substr(end), .callers = callers};
}

ContextName context_of(const Profile& profile, FunctionId function) {
    if (profile.name(function).find('\'') == std::string_view::npos)
        return {.name = profile.name(function), .recursion = 0, .context = {}};
    return ContextNames(profile).split(function);
}

}  // namespace callcost
