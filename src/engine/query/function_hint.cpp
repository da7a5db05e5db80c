#include "query/function_hint.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "names/name_parts.hpp"
#include "text/suggest.hpp"

namespace callcost::engine {
namespace {

std::string_view own_name(std::string_view name) {
    for (const auto& part : name_parts(name))
        if (part.kind == NamePartKind::own) return name.substr(part.begin, part.end - part.begin);
    return name;
}

}  // namespace

std::string function_hint(const CallGraph& graph, std::span<const std::string> patterns) {
    constexpr std::size_t max_functions = 100'000, max_length = 100;
    std::vector<std::string_view> names;
    for (std::size_t row = 0; row < std::min(graph.size(), max_functions); ++row)
        if (const auto name = graph.name(NodeId(row)); name.size() <= 10 * max_length)
            names.push_back(own_name(name));
    for (std::string_view pattern : patterns) {
        constexpr std::string_view scope = "function:";
        if (pattern.starts_with(scope)) pattern.remove_prefix(scope.size());
        const bool is_of_function = !pattern.starts_with("file:") && !pattern.starts_with("object:");
        if (pattern.starts_with('/') || !is_of_function || pattern.size() > max_length) continue;
        pattern = own_name(pattern);
        const auto matches = [&](std::string_view name) {
            return name.find(pattern) != std::string_view::npos;
        };
        if (std::any_of(names.begin(), names.end(), matches)) continue;
        if (auto hint = did_you_mean(pattern, names); !hint.empty()) return hint;
    }
    return "patterns are case-sensitive";
}

}  // namespace callcost::engine
