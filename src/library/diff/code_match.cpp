#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "base/name_table.hpp"
#include "callcost/diff.hpp"
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

/// The same rows in the same order: as many as can be, where they are few; else those that are the only ones
/// of their kind on both sides, and then what lies between them. As long as that is not too much work.
class Alignment {
  public:
    using Keys = std::vector<std::uint32_t>;

    Alignment(const Keys& before, const Keys& after, std::size_t keys)
        : before_(before), after_(after), kinds_(keys), found_(after.size(), CodeMatch::none) {
        work_left_ = 64 * (before.size() + after.size()) + most_table;
        ranges_.push_back({0, before.size(), 0, after.size()});
        while (!ranges_.empty()) {
            auto range = ranges_.back();
            ranges_.pop_back();
            match_ends(range);
            if (range.before == range.before_end || range.after == range.after_end) continue;
            const auto work = range.before_end - range.before + range.after_end - range.after;
            if (work > work_left_) continue;
            work_left_ -= work;
            if (!match_most(range, few)) match_unique(range) || match_most(range, most_table);
        }
    }

    /// By row after: the row before, or none.
    [[nodiscard]] const std::vector<std::size_t>& found() const { return found_; }

  private:
    static constexpr std::size_t few = 65'536, most_table = 1'000'000;  // rows before times rows after
    struct Range {
        std::size_t before, before_end, after, after_end;
    };
    struct Kind {
        std::array<std::uint32_t, 2> count{};
        std::size_t before = 0;
    };

    void match_ends(Range& range) {
        while (range.before < range.before_end && range.after < range.after_end &&
               before_[range.before] == after_[range.after])
            found_[range.after++] = range.before++;
        while (range.before < range.before_end && range.after < range.after_end &&
               before_[range.before_end - 1] == after_[range.after_end - 1])
            found_[--range.after_end] = --range.before_end;
    }

    bool match_unique(const Range& range) {
        for (auto i = range.before; i < range.before_end; ++i) {
            ++kinds_[before_[i]].count[0];
            kinds_[before_[i]].before = i;
        }
        for (auto j = range.after; j < range.after_end; ++j) ++kinds_[after_[j]].count[1];
        std::vector<std::pair<std::size_t, std::size_t>> pairs;  // before, after
        for (auto j = range.after; j < range.after_end; ++j) {
            const auto& kind = kinds_[after_[j]];
            if (kind.count[0] == 1 && kind.count[1] == 1) pairs.emplace_back(kind.before, j);
        }
        for (auto i = range.before; i < range.before_end; ++i) kinds_[before_[i]].count = {};
        for (auto j = range.after; j < range.after_end; ++j) kinds_[after_[j]].count = {};
        if (pairs.empty()) return false;
        auto from = range;
        for (const auto& [before, after] : longest_ascending(pairs)) {
            found_[after] = before;
            ranges_.push_back({from.before, before, from.after, after});
            from.before = before + 1;
            from.after = after + 1;
        }
        ranges_.push_back(from);
        return true;
    }

    /// Of pairs that ascend by their second, most of those that ascend by their first, too.
    static std::vector<std::pair<std::size_t, std::size_t>> longest_ascending(
        const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
        std::vector<std::size_t> last;  // by length - 1: the pair with the least end of such a row
        std::vector<std::size_t> previous(pairs.size(), CodeMatch::none);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto place = std::partition_point(last.begin(), last.end(), [&](std::size_t other) {
                return pairs[other].first < pairs[i].first;
            });
            if (place != last.begin()) previous[i] = *std::prev(place);
            if (place == last.end()) {
                last.push_back(i);
            } else {
                *place = i;
            }
        }
        std::vector<std::pair<std::size_t, std::size_t>> row;
        for (auto i = last.back(); i != CodeMatch::none; i = previous[i]) row.push_back(pairs[i]);
        std::reverse(row.begin(), row.end());
        return row;
    }

    /// The longest common subsequence.
    bool match_most(const Range& range, std::size_t most) {
        const auto rows = range.before_end - range.before, columns = range.after_end - range.after;
        const auto width = columns + 1;
        if (rows > most / width || rows * width > work_left_) return false;
        work_left_ -= rows * width;
        std::vector<std::uint32_t> best((rows + 1) * width, 0);
        const auto agree = [&](std::size_t i, std::size_t j) {
            return before_[range.before + i] == after_[range.after + j];
        };
        for (auto i = rows; i-- > 0;) {
            for (auto j = columns; j-- > 0;) {
                best[i * width + j] = agree(i, j)
                                          ? best[(i + 1) * width + j + 1] + 1
                                          : std::max(best[(i + 1) * width + j], best[i * width + j + 1]);
            }
        }
        for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
            if (agree(i, j)) {
                found_[range.after + j++] = range.before + i++;
            } else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) {
                ++i;
            } else {
                ++j;
            }
        }
        return true;
    }

    const Keys& before_;
    const Keys& after_;
    std::vector<Kind> kinds_;  // by key; counts are 0 but inside of match_unique
    std::vector<std::size_t> found_;
    std::vector<Range> ranges_;
    std::size_t work_left_ = 0;
};

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
    return Alignment(olds, news, texts.size()).found();
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
