#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "base/name_table.hpp"
#include "callcost/diff.hpp"
#include "diff/alignment.hpp"
#include "diff/canonical_name.hpp"

namespace callcost {
namespace {

bool is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
bool is_of_word(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// "<f.part.0>" is "<f>", and "<f+0x8>", some place that f is the nearest name of, is "<>".
void add_symbol(std::string_view symbol, std::string& key) {
    const auto offset = symbol.rfind("+0x");
    const bool is_place =
        offset != std::string_view::npos &&
        std::all_of(symbol.begin() + static_cast<std::ptrdiff_t>(offset) + 3, symbol.end(), is_hexadecimal);
    key += '<';
    if (!is_place) key += canonical_name(symbol).text;
    key += '>';
}

/// An instruction as it would be at any other address: "call 1139 <f>" is "call  <f>", and
/// "lea 0x10(%rip),%rax" is "lea (%rip),%rax".
std::string without_addresses(std::string_view text) {
    std::string key;
    key.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '<') {
            if (const auto close = text.rfind('>'); close != std::string_view::npos && close > at) {
                add_symbol(text.substr(at + 1, close - at - 1), key);
                at = close + 1;
                continue;
            }
        }
        auto end = at;
        if (text.substr(at).starts_with("0x")) end += 2;
        while (end < text.size() && is_hexadecimal(text[end])) ++end;
        const bool is_number = end > at && !key.empty() && !is_of_word(key.back()) &&
                               (end == text.size() || !is_of_word(text[end]));
        const auto rest = text.substr(end);
        const bool is_signed = !key.empty() && (key.back() == '+' || key.back() == '-');
        const bool is_relative =
            rest.starts_with("(%rip)") || key.ends_with("[rip+") || key.ends_with("[rip-");
        if (is_number && (rest.starts_with(" <") || is_relative)) {
            if (is_signed) key.pop_back();
        } else {
            end = std::max(end, at + 1);
            key.append(text, at, end - at);
        }
        at = end;
    }
    return key;
}

std::vector<std::size_t> match_texts(std::span<const CodeLine> before, std::span<const CodeLine> after) {
    NameTable texts{std::string_view()};
    const auto keys_of = [&](std::span<const CodeLine> lines) {
        Alignment::Keys keys;
        keys.reserve(lines.size());
        for (const CodeLine& line : lines)
            keys.push_back(line.text.empty() ? texts.add({}) : texts.intern(without_addresses(line.text)));
        return keys;
    };
    const auto olds = keys_of(before), news = keys_of(after);
    Alignment alignment(olds.size(), news.size());
    alignment.match(olds, news, texts.size(), Alignment::First::most);
    return alignment.found();
}

/// Whether nothing speaks against both being of one build. Code that was built anew has addresses in common
/// with the old one by chance, and up to where it was changed.
bool is_one_build(std::span<const CodeLine> before, std::span<const CodeLine> after, bool is_one_file) {
    const auto measured = [](std::span<const CodeLine> lines) {
        std::vector<const CodeLine*> all;
        for (const CodeLine& line : lines)
            if (line.has_cost && line.address != 0) all.push_back(&line);
        return all;
    };
    const auto olds = measured(before), news = measured(after);
    std::size_t common = 0;
    constexpr std::size_t telling = 3;
    std::vector<const CodeLine*>
        agreeing;  // of different source lines, at the same addresses; no more than tell
    for (std::size_t i = 0, j = 0; i < olds.size() && j < news.size();) {
        if (olds[i]->address != news[j]->address) {
            ++(olds[i]->address < news[j]->address ? i : j);
            continue;
        }
        const CodeLine &was = *olds[i++], &is = *news[j++];
        ++common;
        if (was.line == 0 || is.line == 0) continue;
        if (was.line != is.line || was.file != is.file) return false;
        const bool is_known = std::any_of(agreeing.begin(), agreeing.end(), [&](const CodeLine* other) {
            return other->line == is.line && other->file == is.file;
        });
        if (!is_known && agreeing.size() < telling) agreeing.push_back(&is);
    }
    const auto fewer = std::min(olds.size(), news.size());
    if (is_one_file) return fewer > 0;
    return common > 0 && common >= (agreeing.size() == telling ? (fewer + 1) / 2 : fewer);
}

std::vector<std::size_t> match_addresses(std::span<const CodeLine> before, std::span<const CodeLine> after) {
    std::vector<std::size_t> found(after.size(), CodeMatch::none);
    for (std::size_t i = 0, j = 0; i < before.size() && j < after.size();) {
        if (before[i].address != after[j].address) {
            ++(before[i].address < after[j].address ? i : j);
            continue;
        }
        found[j++] = i++;
    }
    return found;
}

bool has_text(std::span<const CodeLine> lines) {
    return std::any_of(lines.begin(), lines.end(), [](const CodeLine& line) { return !line.text.empty(); });
}

}  // namespace

CodeMatch match_code(std::span<const CodeLine> before, std::span<const CodeLine> after, bool is_one_file) {
    if (has_text(before) && has_text(after)) return {CodeMatch::By::text, match_texts(before, after)};
    if (is_one_build(before, after, is_one_file))
        return {CodeMatch::By::addresses, match_addresses(before, after)};
    return {CodeMatch::By::nothing, std::vector<std::size_t>(after.size(), CodeMatch::none)};
}

}  // namespace callcost
