#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/name_table.hpp"
#include "callcost/diff.hpp"
#include "diff/alignment.hpp"

namespace callcost {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_letter_or_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
}

std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        while (!line.empty() && is_space(line.back())) line.remove_suffix(1);  // CR, too
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// The lines of both texts as numbers: equal ones have the same number. An empty line is 0.
class KeyedLines {
  public:
    void add(Alignment::Keys& keys, std::string_view line) { keys.push_back(table_.intern(line)); }
    [[nodiscard]] std::size_t kinds() const { return table_.size(); }

  private:
    NameTable table_{std::string_view()};
};

struct VersionLines {
    explicit VersionLines(std::string_view text) : lines(split_lines(text)) {}

    std::vector<std::string_view> lines;
    Alignment::Keys exact, bare;  // as they are, and without any space
};

void add_keys(VersionLines& side, KeyedLines& exact, KeyedLines& bare) {
    std::string text;
    for (const auto line : side.lines) {
        exact.add(side.exact, line);
        text.clear();
        std::copy_if(line.begin(), line.end(), std::back_inserter(text), [](char c) { return !is_space(c); });
        bare.add(side.bare, text);
    }
}

/// Finds blocks of lines that have been moved elsewhere, among the lines that have no partner. A block has a
/// line of which there is no other left on either side.
class MovedBlocks {
  public:
    MovedBlocks(const VersionLines& before, const VersionLines& after, std::size_t kinds,
                std::vector<std::size_t>& found)
        : before_(before), after_(after), kinds_(kinds), found_(found), is_taken_(before.lines.size()) {
        for (const auto row : found)
            if (row != Alignment::none) is_taken_[row] = true;
    }

    void run() {
        constexpr int max_rounds = 4;  // what is moved may leave others as the only ones
        for (int round = 0; round < max_rounds && take(blocks(unique_pairs())); ++round) {
        }
    }

  private:
    /// As git has it: less would be found by chance.
    static constexpr std::size_t min_characters = 20;
    struct Block {
        std::size_t before = 0, after = 0, size = 0;
        std::size_t characters = 0;  // letters and digits
    };
    struct Kind {
        std::size_t count_before = 0, count_after = 0, before = 0;
    };

    [[nodiscard]] bool is_free(std::size_t before, std::size_t after) const {
        return !is_taken_[before] && found_[after] == Alignment::none;
    }
    [[nodiscard]] bool agree(std::size_t before, std::size_t after) const {
        return is_free(before, after) && before_.bare[before] == after_.bare[after];
    }

    /// Ascending by the line after.
    RowPairs unique_pairs() {
        kinds_.assign(kinds_.size(), {});
        for (std::size_t i = 0; i < before_.lines.size(); ++i) {
            if (is_taken_[i]) continue;
            ++kinds_[before_.bare[i]].count_before;
            kinds_[before_.bare[i]].before = i;
        }
        for (std::size_t j = 0; j < after_.lines.size(); ++j)
            if (found_[j] == Alignment::none) ++kinds_[after_.bare[j]].count_after;
        RowPairs pairs;
        for (std::size_t j = 0; j < after_.lines.size(); ++j) {
            const Kind& kind = kinds_[after_.bare[j]];
            if (found_[j] == Alignment::none && after_.bare[j] != 0 && kind.count_before == 1 &&
                kind.count_after == 1)
                pairs.emplace_back(kind.before, j);
        }
        return pairs;
    }

    /// Each pair with what agrees around it, the largest first. A line is in two of them at most, as none
    /// goes beyond the next pair that is elsewhere.
    [[nodiscard]] std::vector<Block> blocks(const RowPairs& pairs) const {
        std::vector<Block> list;
        for (const auto& [before, after] : pairs) {
            if (!list.empty()) {
                const Block& last = list.back();
                if (after < last.after + last.size && after - last.after == before - last.before) continue;
            }
            auto first = std::pair(before, after), end = std::pair(before + 1, after + 1);
            while (first.first > 0 && first.second > 0 && agree(first.first - 1, first.second - 1))
                first = {first.first - 1, first.second - 1};
            while (end.first < before_.lines.size() && end.second < after_.lines.size() &&
                   agree(end.first, end.second))
                end = {end.first + 1, end.second + 1};
            list.push_back({first.first, first.second, end.first - first.first, 0});
            for (auto i = first.first; i < end.first; ++i)
                list.back().characters += static_cast<std::size_t>(
                    std::count_if(before_.lines[i].begin(), before_.lines[i].end(), is_letter_or_digit));
        }
        std::sort(list.begin(), list.end(), [](const Block& a, const Block& b) {
            return std::tie(b.characters, a.before, a.after) < std::tie(a.characters, b.before, b.after);
        });
        return list;
    }

    bool take(const std::vector<Block>& list) {
        bool is_any = false;
        for (const Block& block : list) {
            if (block.characters < min_characters) break;
            for (std::size_t k = 0; k < block.size; ++k) {
                if (!is_free(block.before + k, block.after + k)) continue;
                found_[block.after + k] = block.before + k;
                is_taken_[block.before + k] = true;
                is_any = true;
            }
        }
        return is_any;
    }

    const VersionLines& before_;
    const VersionLines& after_;
    std::vector<Kind> kinds_;
    std::vector<std::size_t>& found_;
    std::vector<bool> is_taken_;
};

/// By line from 1 on.
std::vector<std::uint32_t> nothing_matched(const VersionLines& side) {
    std::vector<std::uint32_t> numbers(side.lines.size() + 1, 0);
    for (std::size_t i = 0; i < side.lines.size(); ++i)
        if (side.lines[i].empty()) numbers[i + 1] = LineMatch::blank;
    return numbers;
}

}  // namespace

LineMatch match_lines(std::string_view before, std::string_view after) {
    if (after < before) {  // so that of several ways the same one is found whichever side is before
        auto match = match_lines(after, before);
        std::swap(match.before, match.after);
        return match;
    }
    VersionLines old(before), now(after);
    KeyedLines exact, bare;
    add_keys(old, exact, bare);
    add_keys(now, exact, bare);
    Alignment alignment(old.lines.size(), now.lines.size());
    alignment.match(old.exact, now.exact, exact.kinds(), Alignment::First::unique);
    alignment.slide_down(old.exact, now.exact);
    alignment.match(old.bare, now.bare, bare.kinds(), Alignment::First::unique);
    auto found = alignment.found();
    MovedBlocks(old, now, bare.kinds(), found).run();

    LineMatch match{nothing_matched(now), nothing_matched(old)};
    for (std::size_t j = 0; j < found.size(); ++j) {
        const auto i = found[j];
        if (i == Alignment::none || now.lines[j].empty() || old.lines[i].empty()) continue;
        match.before[j + 1] = static_cast<std::uint32_t>(i + 1);
        match.after[i + 1] = static_cast<std::uint32_t>(j + 1);
    }
    return match;
}

}  // namespace callcost
