#include "text/shell.hpp"

#include <string_view>

namespace callcost::engine {

std::string quoted(const std::vector<std::string>& words) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
    std::string text;
    for (const auto& word : words) {
        if (!text.empty()) text += ' ';
        if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
            text += word;
            continue;
        }
        text += '\'';
        for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += '\'';
    }
    return text;
}

std::string quoted_command(const std::vector<std::string>& words) {
    std::string text = quoted(words);
    return text.find('\'') == std::string::npos ? '\'' + text + '\'' : text;
}

}  // namespace callcost::engine
