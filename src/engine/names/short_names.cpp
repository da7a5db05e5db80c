#include "names/short_names.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "names/name_parts.hpp"
#include "text/characters.hpp"
#include "text/names.hpp"
#include "text/utf8.hpp"

namespace callcost::engine {
namespace {

/// Bytes of a name.
struct Range {
    std::size_t begin, end;
};

/// Words, and each other character by itself.
std::vector<Range> words_of(std::string_view name) {
    const auto is_word = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
               static_cast<unsigned char>(c) >= 0x80;
    };
    std::vector<Range> words;
    for (std::size_t at = 0; at < name.size();) {
        auto end = at + 1;
        while (is_word(name[at]) && end < name.size() && is_word(name[end])) ++end;
        words.push_back({at, end});
        at = end;
    }
    return words;
}

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // no continuation of UTF-8
    }));
}
/// Text up to that many characters.
std::string_view first_characters(std::string_view text, std::size_t number) {
    std::size_t end = 0;
    for (; end < text.size(); ++end)
        if (const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
            begins && number-- == 0)
            break;
    return text.substr(0, end);
}
std::string without_middle_characters(std::string_view text, std::size_t width, const Style& style) {
    const auto all = characters(text), mark = characters(style.ellipsis());
    if (all <= width) return std::string(text);
    if (width <= mark) return std::string(first_characters(style.ellipsis(), width));
    const auto tail = (width - mark) / 2, head = width - mark - tail;
    auto shorter = std::string(first_characters(text, head)) + std::string(style.ellipsis());
    return shorter += text.substr(first_characters(text, all - tail).size());
}

/// One name, and how much of it is left out.
class Shortening {
  public:
    /// `kept` is what stays, in order: words that tell the name from others, or that somebody looked for.
    Shortening(std::string_view name, const std::vector<Range>& kept, const Style& style,
               const Measuring& measuring)
        : name_(name), style_(style), measuring_(measuring), parts_(name_parts(name)) {
        auto range = kept.begin();  // cut at the ends of parts
        for (const NamePart& part : parts_) {
            while (range != kept.end() && range->end <= part.begin) ++range;
            for (auto of = range; of != kept.end() && of->begin < part.end; ++of)
                kept_.push_back({std::max(of->begin, part.begin), std::min(of->end, part.end)});
        }
        for (const NamePart& part : parts_)
            if (part.is_in_scope()) scopes_ = std::max(scopes_, part.scope + 1);
        keeps_before_ = std::any_of(parts_.begin(), parts_.end(), [&](const NamePart& part) {
            return part.kind == NamePartKind::before && has_kept(part.begin, part.end);
        });
    }

    [[nodiscard]] std::vector<std::string> all_shorter() {
        std::vector<std::string> forms;
        auto least = measuring_.width(name_);
        const auto take = [&](std::string form) {
            if (form.empty()) return;
            const auto width = measuring_.width(form);
            if (width < least) forms.push_back(std::move(form));
            least = std::min(least, width);
        };
        // Of thousands of scopes, some.
        const auto step = scopes_ / max_forms + 1;
        for (left_out_ = before; left_out_ < inner + scopes_; left_out_ += left_out_ < inner ? 1 : step)
            take(written());
        if (scopes_ > 0) {
            const auto own = measuring_.width(own_name(0)) + 2;
            for (const std::size_t of_class : {least, std::size_t{12}, min_class})
                take(class_and_own_name(of_class + own));
        }
        left_out_ = inner + scopes_;
        take(written());
        take(own_name(0));
        return forms;
    }

    /// With all scopes, even if that is too wide.
    [[nodiscard]] std::string with_scopes(std::size_t width) { return up_to(inner, width); }

    [[nodiscard]] std::string to(std::size_t width) {
        if (keeps_before_)
            if (auto text = up_to(inner + scopes_, width); measuring_.width(text) <= width) return text;
        keeps_before_ = false;
        auto text = up_to(inner + scopes_ - (scopes_ > 0 ? 1 : 0), width);
        if (scopes_ > 0 && measuring_.width(text) > width) {
            if (auto shorter = class_and_own_name(width); !shorter.empty()) return shorter;
            left_out_ = inner + scopes_;
            text = written();
        }
        if (measuring_.width(text) <= width) {
            // Rather "…::f(long long)" than "…::f(long…)", if there is room.
            with_parameters_ = std::any_of(parts_.begin(), parts_.end(), [&](const NamePart& part) {
                return part.kind == NamePartKind::parameters && has_kept(part.begin, part.end);
            });
            auto longer = with_parameters_ ? written() : std::string();
            return with_parameters_ && measuring_.width(longer) <= width ? longer : text;
        }
        const auto own = own_name(0);
        const auto too_wide = measuring_.width(own) - std::min(measuring_.width(own), width);
        return measuring_.shorten(own_name(too_wide), width, style_);
    }

  private:
    /// What `left_out_` counts. Each step leaves out more; behind `inner` one scope each.
    enum Step : std::size_t { all, before, parameters, arguments, marks, outer, after, inner };
    static constexpr std::size_t max_forms = 64;
    static constexpr std::size_t min_class = 6;  // columns

    /// As little left out as the width allows. Of names with thousands of scopes it is looked for by halves,
    /// which may leave out one more.
    [[nodiscard]] std::string up_to(std::size_t most, std::size_t width) {
        std::string text;
        const auto fits = [&] { return measuring_.width(text = written()) <= width; };
        for (left_out_ = all; left_out_ < most; ++left_out_) {
            if (left_out_ == inner + max_forms) break;
            if (fits()) return text;
        }
        for (auto end = most; left_out_ < end;) {
            const auto first = left_out_;
            left_out_ = first + (end - first) / 2;
            if (fits()) {
                end = std::exchange(left_out_, first);
            } else {
                ++left_out_;
            }
        }
        return written();
    }
    [[nodiscard]] bool is_left_out(const NamePart& part) const {
        switch (part.kind) {
            case NamePartKind::parameters:
                return left_out_ >= parameters && !with_parameters_;
            case NamePartKind::arguments:
            case NamePartKind::inner:
                return left_out_ >= arguments;
            case NamePartKind::before:
                return left_out_ >= before && !keeps_before_;
            case NamePartKind::mark:
                return left_out_ >= marks;
            case NamePartKind::outer:
                return left_out_ >= outer;
            case NamePartKind::after:
                return left_out_ >= after;
            case NamePartKind::scope:
            case NamePartKind::own:
                break;
        }
        return false;
    }
    [[nodiscard]] std::string_view text(const NamePart& part) const {
        return name_.substr(part.begin, part.end - part.begin);
    }
    [[nodiscard]] bool has_kept(std::size_t begin, std::size_t end) const {
        return std::any_of(kept_.begin(), kept_.end(),
                           [&](const Range& word) { return begin <= word.begin && word.end <= end; });
    }
    /// Of what is left out, the words that tell the name from others.
    [[nodiscard]] std::string kept_of(std::size_t begin, std::size_t end) const {
        std::string text;
        auto at = begin;
        const auto leave_out_to = [&](std::size_t next) {
            const auto gap = name_.substr(at, next - at);
            text += measuring_.width(gap) <= measuring_.width(style_.ellipsis()) ? gap : style_.ellipsis();
        };
        for (const Range& word : kept_) {
            if (word.begin < begin || word.end > end) continue;
            leave_out_to(word.begin);
            text += name_.substr(word.begin, word.end - word.begin);
            at = word.end;
        }
        leave_out_to(end);
        return text;
    }
    /// What stands for a part that is left out.
    [[nodiscard]] std::string rest_of(const NamePart& part) const {
        const auto whole = text(part);
        std::string rest;
        switch (part.kind) {
            case NamePartKind::inner:
                if (left_out_ >= inner && !has_kept(part.begin, part.end)) return {};
                [[fallthrough]];
            case NamePartKind::parameters:
            case NamePartKind::arguments: {
                const auto open = whole.find_first_of("<([{");
                rest = std::string(whole.substr(0, open + 1)) + kept_of(part.begin + open + 1, part.end - 1) +
                       whole.back();
                break;
            }
            case NamePartKind::before:
                return {};
            case NamePartKind::mark:
                rest = " [" + kept_of(part.begin, part.end - (whole.back() == ']' ? 1 : 0)) + ']';
                break;
            default:
                rest = has_kept(part.begin, part.end) ? whole : std::string_view();
        }
        return measuring_.width(rest) < measuring_.width(whole) ? rest : std::string(whole);
    }

    [[nodiscard]] std::string written() const {
        std::string out;
        for (std::size_t i = 0; i < parts_.size();) {
            auto behind = end_of_scope(i);
            if (is_scope_left_out(i)) {
                while (behind < parts_.size() && is_scope_left_out(behind)) behind = end_of_scope(behind);
                leave_out_scopes(out, parts_[behind - 1]);
            } else {
                for (auto each = i; each < behind; ++each)
                    out += is_left_out(parts_[each]) ? rest_of(parts_[each]) : text(parts_[each]);
            }
            i = behind;
        }
        return out;
    }
    [[nodiscard]] std::size_t end_of_scope(std::size_t first) const {
        auto behind = first + 1;
        if (parts_[first].is_in_scope())
            while (behind < parts_.size() && parts_[behind].scope == parts_[first].scope) ++behind;
        return behind;
    }
    [[nodiscard]] bool is_scope_left_out(std::size_t first) const {
        const NamePart& part = parts_[first];
        return part.is_in_scope() && part.scope + inner < left_out_ &&
               !has_kept(part.begin, parts_[end_of_scope(first) - 1].end);
    }
    void leave_out_scopes(std::string& out, const NamePart& last) const {
        out += style_.ellipsis();
        for (const std::string_view separator : {"::", "->", "/", "\\", "#"})
            if (text(last).ends_with(separator)) out += separator;  // not "....f" of a.b.f
    }
    /// `Class::method` without arguments and parameters, and without the middle of the class if it is too
    /// wide; empty if that leaves too little of it, or what tells the name from others is elsewhere.
    [[nodiscard]] std::string class_and_own_name(std::size_t width) const {
        std::string scope;
        for (const NamePart& part : parts_) {
            if (part.kind == NamePartKind::scope && part.scope + 1 == scopes_) scope += text(part);
            if (part.kind != NamePartKind::own && has_kept(part.begin, part.end)) return {};
        }
        for (const std::string_view separator : {"::", "->", "#", ".", "\\"}) {
            if (!scope.ends_with(separator)) continue;
            scope.resize(scope.size() - separator.size());
            const auto own = std::string(separator) + own_name(0);
            if (scope.empty() || measuring_.width(own) > width) return {};
            const auto room = width - measuring_.width(own);
            if (measuring_.width(scope) <= room) return scope + own;
            return room < min_class ? std::string() : measuring_.shorten(scope, room, style_) + own;
        }
        return {};
    }
    /// With the words that tell it from others, but without the brackets that these are in. What is
    /// `too_wide` goes from the name itself.
    [[nodiscard]] std::string own_name(std::size_t too_wide) const {
        constexpr std::size_t least = 8;
        std::string own;
        for (std::size_t i = 0; i < parts_.size();) {
            auto behind = i + 1;
            if (parts_[i].kind == NamePartKind::before) {
                ++i;
                continue;
            }
            if (parts_[i].kind == NamePartKind::own) {
                const auto width = measuring_.width(text(parts_[i]));
                const bool is_cut = too_wide > 0 && width >= too_wide + least;
                own +=
                    is_cut ? measuring_.shorten(text(parts_[i]), width - too_wide, style_) : text(parts_[i]);
                if (is_cut) too_wide = 0;
            } else {
                while (behind < parts_.size() && parts_[behind].kind != NamePartKind::own) ++behind;
                const auto begin = parts_[i].begin, end = parts_[behind - 1].end;
                if (has_kept(begin, end)) own += kept_of(begin, end);
            }
            i = behind;
        }
        return own.empty() ? std::string(name_) : own;
    }

    std::string_view name_;
    std::vector<Range> kept_;
    const Style& style_;
    const Measuring& measuring_;
    std::vector<NamePart> parts_;
    std::size_t scopes_ = 0;
    std::size_t left_out_ = all;
    bool with_parameters_ = false;  // after all
    bool keeps_before_ = false;     // the return type, as it tells the name from others
};

/// What each of some different names has that the others have not: the words at which they part, if they are
/// read together from the left.
std::vector<std::vector<Range>> different_words(const std::vector<std::string_view>& names) {
    std::vector<std::vector<Range>> words, kept(names.size());
    words.reserve(names.size());
    for (const auto name : names) words.push_back(words_of(name));
    const auto word_at = [&](std::size_t name, std::size_t depth) {
        if (depth >= words[name].size()) return std::string_view();
        const auto [begin, end] = words[name][depth];
        return names[name].substr(begin, end - begin);
    };
    std::vector<std::size_t> order(names.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        std::size_t depth = 0;
        while (depth < words[a].size() && word_at(a, depth) == word_at(b, depth)) ++depth;
        return word_at(a, depth) < word_at(b, depth);
    });
    struct Branch {
        std::size_t first, end;  // in the order; all have the same words before `depth`
        std::size_t depth;
    };
    std::vector<Branch> branches = {{0, order.size(), 0}};
    while (!branches.empty()) {
        auto [first, end, depth] = branches.back();
        branches.pop_back();
        while (word_at(order[first], depth) == word_at(order[end - 1], depth)) ++depth;
        while (first < end) {
            const auto word = word_at(order[first], depth);
            auto behind = first;
            for (; behind < end && word_at(order[behind], depth) == word; ++behind)
                if (!word.empty()) kept[order[behind]].push_back(words[order[behind]][depth]);
            if (behind - first > 1) branches.push_back({first, behind, depth + 1});
            first = behind;
        }
    }
    return kept;
}

/// The same; of return types, which go first, only if nothing else differs.
std::vector<std::vector<Range>> telling_words(const std::vector<std::string_view>& names) {
    std::vector<std::string_view> rests;
    for (const auto name : names) {
        const auto parts = name_parts(name);
        const bool has_before = !parts.empty() && parts.front().kind == NamePartKind::before;
        rests.push_back(name.substr(has_before ? parts.front().end : 0));
    }
    auto sorted = rests;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return different_words(names);
    auto kept = different_words(rests);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto begin = names[i].size() - rests[i].size();
        for (Range& word : kept[i]) word = {word.begin + begin, word.end + begin};
    }
    return kept;
}

/// Where the name first has a piece, in either case.
std::vector<Range> match_in(std::string_view name, std::string_view piece) {
    const auto is_alike = [](char a, char b) { return lower(a) == lower(b); };
    const auto* const at = std::search(name.begin(), name.end(), piece.begin(), piece.end(), is_alike);
    if (piece.empty() || at == name.end()) return {};
    const auto begin = static_cast<std::size_t>(at - name.begin());
    return {{begin, begin + piece.size()}};
}

/// Both, in order; what overlaps is one.
std::vector<Range> united(std::vector<Range> ranges, const std::vector<Range>& others) {
    ranges.insert(ranges.end(), others.begin(), others.end());
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    std::vector<Range> all;
    for (const Range& range : ranges)
        if (all.empty() || range.begin > all.back().end)
            all.push_back(range);
        else
            all.back().end = std::max(all.back().end, range.end);
    return all;
}

}  // namespace

const Measuring& by_columns() {
    static constexpr Measuring measuring = {display_name, display_width, shorten};
    return measuring;
}
const Measuring& by_characters() {
    static constexpr Measuring measuring = {to_utf8, characters, without_middle_characters};
    return measuring;
}

std::string short_name(std::string_view name, std::size_t width, const Style& style,
                       const Measuring& measuring) {
    if (width == 0 || name.size() <= width || measuring.width(name) <= width) return std::string(name);
    return Shortening(name, {}, style, measuring).to(width);
}

std::string context_text(const ContextName& name, std::size_t width, const Style& style,
                         const Measuring& measuring) {
    auto rest = name.context;
    std::string text;
    if (name.recursion != 0) {
        const auto end = std::min(rest.find('\'', 1), rest.size());
        text += measuring.text(rest.substr(0, end));
        rest.remove_prefix(end);
    }
    const auto arrow = style.unicode ? std::string_view(" \u2190 ") : std::string_view(" <- ");
    const auto callers = static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\''));
    if (callers != name.callers) return text += measuring.text(rest);  // a caller has a ' in its name
    while (!rest.empty()) {
        rest.remove_prefix(1);
        const auto end = std::min(rest.find('\''), rest.size());
        (text += arrow) += short_name(measuring.text(rest.substr(0, end)), width, style, measuring);
        rest.remove_prefix(end);
    }
    return text;
}

std::string short_name_with_scopes(std::string_view name, std::size_t width, const Style& style) {
    if (name.size() <= width || display_width(name) <= width) return std::string(name);
    return Shortening(name, {}, style, by_columns()).with_scopes(width);
}

std::vector<std::string> shorter_names(std::string_view name, const Style& style,
                                       const Measuring& measuring) {
    return Shortening(name, {}, style, measuring).all_shorter();
}

std::vector<std::string> short_names(const std::vector<NameToShorten>& names, const Style& style,
                                     const Measuring& measuring) {
    std::vector<std::string> shorts;
    std::vector<std::size_t> order;
    for (const auto& [name, width, match] : names) {
        const bool fits = width == 0 || name.size() <= width || measuring.width(name) <= width;
        order.push_back(shorts.size());
        shorts.push_back(fits ? std::string(name)
                              : Shortening(name, match_in(name, match), style, measuring).to(width));
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto looks = shorts[a].compare(shorts[b]);
        return looks != 0 ? looks < 0 : std::tie(names[a].name, a) < std::tie(names[b].name, b);
    });
    std::vector<std::string> changed(names.size());
    for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
        std::vector<std::string_view> alike;  // different names that look like the first one
        std::vector<std::size_t> which;       // of these, for each row
        for (; end < order.size() && shorts[order[end]] == shorts[order[first]]; ++end) {
            if (const auto name = names[order[end]].name; alike.empty() || alike.back() != name)
                alike.push_back(name);
            which.push_back(alike.size() - 1);
        }
        if (alike.size() < 2) continue;
        const auto kept = telling_words(alike);
        for (auto at = first; at < end; ++at) {
            const auto& [name, width, match] = names[order[at]];
            if (name == shorts[order[at]]) continue;
            const auto both = united(kept[which[at - first]], match_in(name, match));
            changed[order[at]] = Shortening(name, both, style, measuring).to(width);
        }
    }
    for (std::size_t row = 0; row < shorts.size(); ++row)
        if (!changed[row].empty()) shorts[row] = std::move(changed[row]);
    return shorts;
}

}  // namespace callcost::engine
