#include "cli/patterns.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <re2/re2.h>

namespace callcost::cli {
namespace {

/// Takes `file:` off; not the first half of the `::` in `file::open`.
Scope take_scope(std::string_view& text, Scope usual) {
    constexpr std::array<std::pair<std::string_view, Scope>, 3> scopes = {
        {{"function:", Scope::function}, {"file:", Scope::file}, {"object:", Scope::object}}};
    for (const auto& [prefix, scope] : scopes) {
        if (!text.starts_with(prefix) || text.substr(prefix.size()).starts_with(':')) continue;
        text.remove_prefix(prefix.size());
        return scope;
    }
    return usual;
}

}  // namespace

tl::expected<Pattern, BadPattern> Pattern::parse(std::string_view text, Scope usual) {
    Pattern pattern;
    pattern.scope_ = take_scope(text, usual);
    if (text.empty()) return tl::unexpected(BadPattern{"it is empty"});
    const bool is_expression = text.size() > 2 && text.front() == '/' && text.back() == '/';
    if (!is_expression) {
        pattern.piece_ = text;
        return pattern;
    }
    RE2::Options options;
    options.set_log_errors(false);
    const re2::StringPiece expression(text.data() + 1, text.size() - 2);
    auto compiled = std::make_shared<const RE2>(expression, options);
    if (!compiled->ok()) return tl::unexpected(BadPattern{compiled->error()});
    pattern.expression_ = std::move(compiled);
    return pattern;
}

bool Pattern::matches(std::string_view name) const {
    if (!expression_) return name.find(piece_) != std::string_view::npos;
    return RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *expression_);
}

bool Pattern::matches(const CallGraph& graph, NodeId node) const {
    const auto is_about = [&](Scope scope) { return scope_ == Scope::any || scope_ == scope; };
    return (is_about(Scope::function) && matches(graph.name(node))) ||
           (is_about(Scope::file) && matches(graph.file(node))) ||
           (is_about(Scope::object) && matches(graph.object(node)));
}

bool any_matches(const Patterns& patterns, const CallGraph& graph, NodeId node) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const Pattern& pattern) { return pattern.matches(graph, node); });
}

}  // namespace callcost::cli
