#include "parser/header_block.hpp"

#include <array>
#include <unordered_set>
#include <utility>

namespace callcost {

namespace {

constexpr std::array<std::pair<std::string_view, HeaderKey>, 14> known_keys{{
    {"version", HeaderKey::version},
    {"creator", HeaderKey::creator},
    {"cmd", HeaderKey::cmd},
    {"pid", HeaderKey::pid},
    {"part", HeaderKey::part},
    {"thread", HeaderKey::thread},
    {"desc", HeaderKey::desc},
    {"positions", HeaderKey::positions},
    {"events", HeaderKey::events},
    {"event", HeaderKey::event},
    {"summary", HeaderKey::summary},
    {"totals", HeaderKey::totals},
    {"timeframe (BB)", HeaderKey::timeframe},
    {"timeframe", HeaderKey::timeframe},
}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_key_char(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '(' || c == ')' || c == ' ';
}

}  // namespace

std::vector<std::string_view> split_words(std::string_view text) {
    std::vector<std::string_view> words;
    std::size_t at = 0;
    for (;;) {
        while (at < text.size() && is_blank(text[at])) ++at;
        if (at == text.size()) return words;
        const std::size_t from = at;
        while (at < text.size() && !is_blank(text[at])) ++at;
        words.push_back(text.substr(from, at - from));
    }
}

bool parse_header_line(const LineView& line, HeaderLine& header) {
    const std::string_view text = line.text;
    std::size_t start = 0;
    while (start < text.size() && is_blank(text[start])) ++start;
    if (start == text.size() || !is_letter(text[start])) return false;
    std::size_t colon = start;
    while (colon < text.size() && (is_key_char(text[colon]) || text[colon] == '\t')) ++colon;
    if (colon == text.size() || text[colon] != ':') return false;
    const std::string_view name = trim(text.substr(start, colon - start));
    std::size_t value = colon + 1;
    while (value < text.size() && is_blank(text[value])) ++value;

    header = HeaderLine{};
    for (const auto& [known, key] : known_keys)
        if (name == known) header.key = key;
    header.name = name;
    header.value = trim(text.substr(value));
    header.text = text.substr(0, 1024);
    header.number = line.number;
    header.offset = line.offset;
    header.value_column = value;
    return true;
}

void Columns::set_positions(const HeaderLine& header, DiagnosticLog& log) {
    std::vector<std::string_view> words = split_words(header.value);
    if (words.empty()) words.emplace_back("line");
    positions = words.size();
    address = line = none;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if ((word == "instr" || word == "addr") && address == none) {
            address = i;
        } else if (word == "line" && line == none) {
            line = i;
        } else if (word != "bb") {
            log.add(DiagnosticId::unknown_position, header.view(), header.value_place());
        }
    }
    layout = Layout::other;
    if (words.size() == 1 && line == 0) layout = Layout::line;
    if (words.size() == 2 && address == 0 && line == 1) layout = Layout::instr_line;
}

void Columns::set_events(const HeaderLine& header, DiagnosticLog& log) {
    const std::vector<std::string_view> words = split_words(header.value);
    std::unordered_set<std::string_view> seen;
    for (const std::string_view word : words)
        if (!seen.insert(word).second)
            log.add(DiagnosticId::duplicate_event, header.view(), header.value_place());
    if (words.size() > max_events)
        log.add(DiagnosticId::surplus_costs, header.view(),
                header.value_place(static_cast<std::size_t>(words[max_events].data() - header.value.data())));
    events = std::min(words.size(), max_events);
    events_known = true;
}

}  // namespace callcost
