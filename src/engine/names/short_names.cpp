#include "names/short_names.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "names/name_parts.hpp"
#include "text/names.hpp"

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

/// One name, and how much of it is left out.
class Shortening {
  public:
    /// `kept` are words that tell the name from others, in order.
    Shortening(std::string_view name, std::vector<Range> kept, const Style& style)
        : name_(name), kept_(std::move(kept)), style_(style), parts_(name_parts(name)) {
        for (const NamePart& part : parts_)
            if (part.is_in_scope()) scopes_ = std::max(scopes_, part.scope + 1);
    }

    /// With all scopes, even if that is too wide.
    [[nodiscard]] std::string with_scopes(std::size_t width) { return up_to(inner, width); }

    [[nodiscard]] std::string to(std::size_t width) {
        if (auto text = up_to(inner + scopes_, width); display_width(text) <= width) return text;
        const auto own = own_name(0);
        const auto too_wide = display_width(own) - std::min(display_width(own), width);
        return shorten(own_name(too_wide), width, style_);
    }

  private:
    /// What `left_out_` counts. Each step leaves out more; behind `inner` one scope each.
    enum Step : std::size_t { all, parameters, arguments, before, outer, after, inner };

    [[nodiscard]] std::string up_to(std::size_t most, std::size_t width) {
        std::string text;
        for (left_out_ = all; left_out_ <= most; ++left_out_)
            if (text = written(); display_width(text) <= width) break;
        return text;
    }
    [[nodiscard]] bool is_left_out(const NamePart& part) const {
        switch (part.kind) {
            case NamePartKind::parameters:
                return left_out_ >= parameters;
            case NamePartKind::arguments:
            case NamePartKind::inner:
                return left_out_ >= arguments;
            case NamePartKind::before:
            case NamePartKind::mark:
                return left_out_ >= before;
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
            text += display_width(gap) <= display_width(style_.ellipsis()) ? gap : style_.ellipsis();
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
                rest = kept_of(part.begin, part.end - 1) + ' ';
                break;
            case NamePartKind::mark:
                rest = " [" + kept_of(part.begin, part.end - (whole.back() == ']' ? 1 : 0)) + ']';
                break;
            default:
                rest = has_kept(part.begin, part.end) ? whole : std::string_view();
        }
        return display_width(rest) < display_width(whole) ? rest : std::string(whole);
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
    /// `…::`, for a return type before them, too.
    void leave_out_scopes(std::string& out, const NamePart& last) const {
        const std::string mark(style_.ellipsis());
        if (out.ends_with(mark + ' ')) out.resize(out.size() - mark.size() - 1);
        out += mark;
        for (const std::string_view separator : {"::", "->", "/", "\\", "#"})
            if (text(last).ends_with(separator)) out += separator;  // not "....f" of a.b.f
    }
    /// With the words that tell it from others, but without the brackets that these are in. What is
    /// `too_wide` goes from the name itself.
    [[nodiscard]] std::string own_name(std::size_t too_wide) const {
        constexpr std::size_t least = 8;
        std::string own;
        for (std::size_t i = 0; i < parts_.size();) {
            auto behind = i + 1;
            if (parts_[i].kind == NamePartKind::own) {
                const auto width = display_width(text(parts_[i]));
                const bool is_cut = too_wide > 0 && width >= too_wide + least;
                own += is_cut ? shorten(text(parts_[i]), width - too_wide, style_) : text(parts_[i]);
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
    std::vector<NamePart> parts_;
    std::size_t scopes_ = 0;
    std::size_t left_out_ = all;
};

/// What each of some different names has that the others have not: the words at which they part, if they are
/// read together from the left.
std::vector<std::vector<Range>> different_words(const std::vector<std::string_view>& names) {
    std::vector<std::vector<Range>> words, kept(names.size());
    words.reserve(names.size());
    for (const auto name : names) words.push_back(words_of(name));
    struct Branch {
        std::vector<std::size_t> names;  // which have the same words before `depth`
        std::size_t depth;
    };
    std::vector<Branch> branches(1);
    for (std::size_t i = 0; i < names.size(); ++i) branches[0].names.push_back(i);
    while (!branches.empty()) {
        auto branch = std::move(branches.back());
        branches.pop_back();
        std::map<std::string_view, std::vector<std::size_t>> next;
        while (next.size() <= 1) {
            next.clear();
            for (const auto i : branch.names) {
                const auto& list = words[i];
                const bool is_end = branch.depth >= list.size();
                next[is_end ? std::string_view()
                            : names[i].substr(list[branch.depth].begin,
                                              list[branch.depth].end - list[branch.depth].begin)]
                    .push_back(i);
            }
            ++branch.depth;
        }
        for (auto& [word, those] : next) {
            if (!word.empty())
                for (const auto i : those) kept[i].push_back(words[i][branch.depth - 1]);
            if (those.size() > 1) branches.push_back({std::move(those), branch.depth});
        }
    }
    return kept;
}

}  // namespace

std::string short_name(std::string_view name, std::size_t width, const Style& style) {
    if (width == 0 || name.size() <= width || display_width(name) <= width) return std::string(name);
    return Shortening(name, {}, style).to(width);
}

std::string short_name_with_scopes(std::string_view name, std::size_t width, const Style& style) {
    if (name.size() <= width || display_width(name) <= width) return std::string(name);
    return Shortening(name, {}, style).with_scopes(width);
}

std::vector<std::string> short_names(const std::vector<NameToShorten>& names, const Style& style) {
    std::vector<std::string> shorts;
    std::unordered_map<std::string, std::vector<std::size_t>> by_look;
    for (const auto& [name, width] : names) {
        shorts.push_back(short_name(name, width, style));
        by_look[shorts.back()].push_back(shorts.size() - 1);
    }
    for (const auto& [look, rows] : by_look) {
        std::map<std::string_view, std::size_t> different;
        for (const auto row : rows) different.emplace(names[row].name, different.size());
        if (different.size() < 2) continue;
        std::vector<std::string_view> list(different.size());
        for (const auto& [name, at] : different) list[at] = name;
        const auto kept = different_words(list);
        for (const auto row : rows) {
            const auto& [name, width] = names[row];
            if (name == look) continue;
            shorts[row] = Shortening(name, kept[different.at(name)], style).to(width);
        }
    }
    return shorts;
}

}  // namespace callcost::engine
