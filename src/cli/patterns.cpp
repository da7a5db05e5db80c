#include "cli/patterns.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
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

namespace {

/// `$1` as RE2 writes it, `\1`.
std::string with_backslashes(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_group =
            text[i] == '$' && i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9';
        result += is_group ? '\\' : text[i];
    }
    return result;
}

/// The text before the next delimiter, which a backslash makes an ordinary character.
bool take_piece(std::string_view& text, char delimiter, std::string& piece) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) {
            if (text[i + 1] != delimiter) piece += text[i];
            piece += text[++i];
        } else if (text[i] == delimiter) {
            text.remove_prefix(i + 1);
            return true;
        } else {
            piece += text[i];
        }
    }
    return false;
}

}  // namespace

tl::expected<Substitution, BadPattern> Substitution::parse(std::string_view text) {
    const auto wrong = [](std::string message) { return tl::unexpected(BadPattern{std::move(message)}); };
    if (text.size() < 4 || text[0] != 's') return wrong("it does not begin with s/");
    const char delimiter = text[1];
    text.remove_prefix(2);
    std::string expression;
    Substitution result;
    if (!take_piece(text, delimiter, expression) || !take_piece(text, delimiter, result.replacement_))
        return wrong(fmt::format("it needs three '{}'", delimiter));
    re2::RE2::Options options;
    options.set_log_errors(false);
    for (const char flag : text) {
        if (flag == 'g') {
            result.everywhere_ = true;
        } else if (flag == 'i') {
            options.set_case_sensitive(false);
        } else {
            return wrong(fmt::format("there is no flag '{}', only g and i", flag));
        }
    }
    options.set_encoding(re2::RE2::Options::EncodingLatin1);  // names are bytes
    result.replacement_ = with_backslashes(result.replacement_);
    auto compiled = std::make_shared<re2::RE2>(expression, options);
    if (!compiled->ok()) return wrong(compiled->error());
    std::string problem;
    if (!compiled->CheckRewriteString(result.replacement_, &problem)) return wrong(problem);
    result.expression_ = std::move(compiled);
    return result;
}

std::string Substitution::apply(std::string_view name) const {
    std::string text(name);
    if (everywhere_) {
        re2::RE2::GlobalReplace(&text, *expression_, replacement_);
    } else {
        re2::RE2::Replace(&text, *expression_, replacement_);
    }
    return text;
}

}  // namespace callcost::cli
