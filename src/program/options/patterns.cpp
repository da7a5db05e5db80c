#include "options/patterns.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <re2/re2.h>

#include "text/utf8.hpp"

namespace callcost::program {

tl::expected<NamePattern::Matcher, std::string> compile_expression(std::string_view expression) {
    RE2::Options options;
    options.set_log_errors(false);
    auto compiled =
        std::make_shared<const RE2>(re2::StringPiece(expression.data(), expression.size()), options);
    if (!compiled->ok()) return tl::unexpected(compiled->error());
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    return [compiled = std::move(compiled), is_ascii](std::string_view name) {
        if (std::all_of(name.begin(), name.end(), is_ascii))
            return RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *compiled);
        return RE2::PartialMatch(engine::to_utf8(name), *compiled);
    };
}

tl::expected<NamePattern, BadPattern> parse_pattern(std::string_view text, NameScope usual) {
    return NamePattern::parse(text, usual, compile_expression).map_error([](std::string message) {
        return BadPattern{std::move(message)};
    });
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

std::string rewritten(const std::vector<Substitution>& substitutions, std::string_view name) {
    std::string text(name);
    for (const auto& substitution : substitutions) text = substitution.apply(text);
    return text;
}

}  // namespace callcost::program
