#include <array>
#include <utility>

#include "callcost/call_graph.hpp"

namespace callcost {
namespace {

/// Takes `file:` off; not the first half of the `::` in `file::open`.
NameScope take_scope(std::string_view& text, NameScope usual) {
    constexpr std::array<std::pair<std::string_view, NameScope>, 3> scopes = {
        {{"function:", NameScope::function}, {"file:", NameScope::file}, {"object:", NameScope::object}}};
    for (const auto& [prefix, scope] : scopes) {
        if (!text.starts_with(prefix) || text.substr(prefix.size()).starts_with(':')) continue;
        text.remove_prefix(prefix.size());
        return scope;
    }
    return usual;
}

}  // namespace

tl::expected<NamePattern, std::string> NamePattern::parse(std::string_view text, NameScope usual,
                                                          const Compile& compile) {
    NamePattern pattern;
    pattern.scope_ = take_scope(text, usual);
    if (text.empty()) return tl::unexpected(std::string("it is empty"));
    const bool is_expression = text.size() > 2 && text.front() == '/' && text.back() == '/';
    if (is_expression) {
        auto matcher = compile(text.substr(1, text.size() - 2));
        if (!matcher) return tl::unexpected(std::move(matcher.error()));
        pattern.matches_ = *std::move(matcher);
    } else {
        pattern.matches_ = [piece = std::string(text)](std::string_view name) {
            return name.find(piece) != std::string_view::npos;
        };
    }
    return pattern;
}

bool NamePattern::matches(const CallGraph& graph, NodeId node) const {
    const auto is_about = [&](NameScope scope) { return scope_ == NameScope::any || scope_ == scope; };
    return (is_about(NameScope::function) && matches_(graph.name(node))) ||
           (is_about(NameScope::file) && matches_(graph.file(node))) ||
           (is_about(NameScope::object) && matches_(graph.object(node)));
}

}  // namespace callcost
