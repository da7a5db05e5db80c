#include "server/request.hpp"

#include <algorithm>
#include <charconv>

#include "text/characters.hpp"

namespace callcost::program {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
using engine::is_digit;
bool is_visible(char c) { return c > ' ' && c <= '~'; }

/// A character of a method or of a header's name.
bool is_name_character(char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

template <class IsRight>
bool is_all(std::string_view text, IsRight is_right) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_right);
}

std::string in_small_letters(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::string_view without_blanks(std::string_view text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// The text before the next separator, which goes with it; all of it if there is none.
std::string_view take(std::string_view& text, std::string_view separator) {
    const auto piece = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(piece.size() + separator.size(), text.size()));
    return piece;
}

bool parse_request_line(std::string_view line, RequestHead& head) {
    head.method = take(line, " ");
    head.target = take(line, " ");
    head.is_http_1_0 = line == "HTTP/1.0";
    return is_all(head.method, is_name_character) && is_all(head.target, is_visible) &&
           (head.is_http_1_0 || line == "HTTP/1.1");
}

bool parse_header(std::string_view line, RequestHead& head) {
    if (line.find(':') == std::string_view::npos) return false;
    const auto name = take(line, ":");
    const auto value = without_blanks(line);
    const auto is_wrong = [](unsigned char c) { return (c < ' ' && c != '\t') || c == '\x7f'; };
    if (!is_all(name, is_name_character) || std::any_of(value.begin(), value.end(), is_wrong)) return false;
    head.headers.emplace_back(in_small_letters(name), value);
    return true;
}

}  // namespace

std::optional<std::string> RequestHead::header(std::string_view name) const {
    std::optional<std::string> all;
    for (const auto& [known, value] : headers) {
        if (known != name) continue;
        all = all ? *all + ", " + value : value;
    }
    return all;
}

bool RequestHead::keeps_connection() const {
    const auto says = in_small_letters(header("connection").value_or(""));
    return is_http_1_0 ? says == "keep-alive" : says != "close";
}

std::optional<std::uint64_t> RequestHead::body_size() const {
    if (header("transfer-encoding")) return std::nullopt;
    const auto text = header("content-length");
    if (!text) return 0;
    std::uint64_t size = 0;
    const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), size);
    const bool is_number = problem == std::errc() && end == text->data() + text->size();
    return is_number ? std::optional(size) : std::nullopt;
}

bool RequestHead::takes_gzip() const {
    const auto encodings = header("accept-encoding").value_or("");
    for (std::string_view rest = encodings; !rest.empty();) {
        auto quality = take(rest, ",");
        if (without_blanks(take(quality, ";")) != "gzip") continue;
        const bool is_zero = !quality.empty() && quality.find_first_not_of(" q=0.") == std::string_view::npos;
        return !is_zero;
    }
    return false;
}

std::optional<RequestHead> parse_head(std::string_view text) {
    constexpr std::string_view line_end = "\r\n";
    RequestHead head;
    if (!text.ends_with("\r\n\r\n") || !parse_request_line(take(text, line_end), head)) return std::nullopt;
    while (text != line_end) {
        if (!parse_header(take(text, line_end), head)) return std::nullopt;
    }
    return head;
}

}  // namespace callcost::program
