#include "text/escaping.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "text/names.hpp"

namespace callcost::engine {
namespace {

std::string with_numbers(std::string_view text, std::string_view special) {
    std::string escaped;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) {
            fmt::format_to(std::back_inserter(escaped), "%{:02X}", static_cast<unsigned char>(c));
        } else {
            escaped += c;
        }
    }
    return escaped;
}

std::size_t longest_run(std::string_view text, char c) {
    std::size_t longest = 0, run = 0;
    for (const char other : text) {
        run = other == c ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

}  // namespace

std::string github_message(std::string_view text) { return with_numbers(text, "%\r\n"); }
std::string github_property(std::string_view text) { return with_numbers(text, "%\r\n:,"); }

std::string xml_text(std::string_view utf8) {
    std::string escaped;
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        const char c = utf8[i];
        const auto three = utf8.substr(i, 3);
        if (three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") {  // no characters of XML
            escaped += "\xEF\xBF\xBD";
            i += 2;
            continue;
        }
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') {
                    escaped += "\xEF\xBF\xBD";
                } else {
                    escaped += c;
                }
        }
    }
    return escaped;
}

std::string markdown_table_code(std::string_view text) {
    auto code = markdown_code(text);
    for (auto at = code.find('|'); at != std::string::npos; at = code.find('|', at + 2))
        code.insert(at, 1, '\\');
    return code;
}

std::string markdown_code(std::string_view text) {
    if (text.empty()) return {};
    const std::string quotes(longest_run(text, '`') + 1, '`');
    // A blank beside the quotes is not shown; it parts them from quotes of the text.
    const bool needs_blanks = text.front() == '`' || text.back() == '`' || text.front() == ' ';
    std::string code = quotes + (needs_blanks ? " " : "");
    for (const char c : text) code += c == '\n' || c == '\r' ? ' ' : c;
    return code + (needs_blanks ? " " : "") + quotes;
}

std::string place_message(std::string_view path, std::uint64_t line, std::string_view message) {
    return fmt::format("{}:{}:1: {}\n", visible_name(path), line, visible_name(message));
}

std::string openmetrics_label(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\\' || c == '"') escaped += '\\';
        if (c == '\n') {
            escaped += "\\n";
        } else {
            escaped += c;
        }
    }
    return escaped;
}

}  // namespace callcost::engine
