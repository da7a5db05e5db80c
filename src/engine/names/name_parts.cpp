#include "names/name_parts.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "text/characters.hpp"

namespace callcost::engine {
namespace {

enum class ItemKind : std::uint8_t { word, separator, space, angle, round, square, curly };

/// A piece of a name outside of brackets, or brackets with all that is in them.
struct Item {
    ItemKind kind;
    std::size_t begin, end;
};

constexpr std::size_t npos = std::string_view::npos;

bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}

/// Behind the word "operator", the longest first.
constexpr std::array<std::string_view, 39> operators = {
    "<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "->", "==", "!=",
    "&&",  "||",  "++",  "--",  "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<",
    ">",   "+",   "-",   "*",   "/",  "%",  "^",  "&",  "|",  "~",  "!",  "=",  ","};

/// The end of `operator<<` that begins here; npos if this is something else.
std::size_t end_of_operator(std::string_view name, std::size_t at) {
    constexpr std::string_view word = "operator";
    if (!name.substr(at).starts_with(word) || (at > 0 && is_word(name[at - 1]))) return npos;
    at += word.size();
    for (const auto symbol : operators)
        if (name.substr(at).starts_with(symbol)) return at + symbol.size();
    if (name.substr(at).starts_with("\"\""))
        return name.find('(', at) == npos ? name.size() : name.find('(', at);
    return npos;
}

char closing(char open) { return open == '<' ? '>' : open == '(' ? ')' : open == '[' ? ']' : '}'; }
bool is_opening(char c) { return c == '<' || c == '(' || c == '[' || c == '{'; }
bool is_closing(char c) { return c == '>' || c == ')' || c == ']' || c == '}'; }

/// Of the bracket that begins here, what is behind its end; npos if it has none. Names can have thousands of
/// brackets without an end: each byte that is looked at costs one of the `steps`.
std::size_t end_of_brackets(std::string_view name, std::size_t at, std::uint64_t& steps) {
    std::vector<char> expected;
    for (; at < name.size() && steps > 0; ++at, --steps) {
        const char c = name[at];
        if (c == 'o') {
            if (const auto end = end_of_operator(name, at); end != npos) {
                at = end - 1;
                continue;
            }
        }
        if (is_opening(c)) {
            expected.push_back(closing(c));
        } else if (is_closing(c)) {
            if (c == '>' && (expected.back() != '>' || name[at - 1] == '-' || name[at - 1] == '='))
                continue;  // greater than, or an arrow
            while (expected.back() != c && expected.back() == '>' && expected.size() > 1) expected.pop_back();
            if (expected.back() != c) return npos;
            expected.pop_back();
            if (expected.empty()) return at + 1;
        }
    }
    return npos;
}

/// Which separators a name has. A '.' stands in `f.cold` as in `pkg.f`, so it counts only where nothing else
/// does.
struct Separators {
    bool dots = true;

    [[nodiscard]] std::size_t length(std::string_view name, std::size_t at) const {
        const char c = name[at], next = at + 1 < name.size() ? name[at + 1] : ' ';
        if (c == ':' && next == ':') return 2;
        const bool is_between = next != ' ' && at > 0 && name[at - 1] != ' ';
        if (c == '-' && next == '>') return is_between ? 2 : 0;
        if (c == '.') return dots && is_between && next != '.' ? 1 : 0;
        if (c == '\\' || c == '#') return is_between && !is_digit(next) ? 1 : 0;
        if (c == '/') return next != ' ' ? 1 : 0;
        return 0;
    }
};

class NameParser {
  public:
    explicit NameParser(std::string_view name) : name_(name), steps_(std::uint64_t{64} * name.size()) {}

    std::vector<NamePart> run() {
        const auto end = without_marks(name_.size());
        const auto outside = items(0, end, {false});
        const bool has_colons = std::any_of(outside.begin(), outside.end(), [&](const Item& item) {
            return item.kind == ItemKind::separator && name_[item.begin] == ':';
        });
        separators_.dots = !has_colons && !name_.starts_with('/');
        add_name(items(0, end, separators_), Role::function);
        add(NamePartKind::mark, end, name_.size());
        return std::move(parts_);
    }

  private:
    enum class Role : std::uint8_t { function, type };

    [[nodiscard]] std::string_view text(const Item& item) const {
        return name_.substr(item.begin, item.end - item.begin);
    }

    // --- from the end: what compilers add -----------------------------------------------------------------

    [[nodiscard]] std::size_t without_marks(std::size_t end) const {
        for (;;) {
            const auto name = name_.substr(0, end);
            auto shorter = without_clone(name);
            if (shorter == end) shorter = without_suffix(name);
            if (shorter == end) shorter = without_hash(name);
            if (shorter == end || shorter == 0) return end;
            end = shorter;
        }
    }
    /// ` [clone .part.0]`, ` (.part.0)`
    static std::size_t without_clone(std::string_view name) {
        const std::string_view begin = name.ends_with(']') ? " [clone " : name.ends_with(')') ? " (." : "";
        const auto at = begin.empty() ? npos : name.rfind(begin);
        return at == npos ? name.size() : at;
    }
    /// `.part.0`, `.cold`
    static std::size_t without_suffix(std::string_view name) {
        auto end = name.size();
        while (end > 0 && is_digit(name[end - 1])) --end;
        if (end > 0 && end < name.size() && name[end - 1] == '.')
            --end;
        else
            end = name.size();
        for (const std::string_view suffix :
             {".constprop", ".isra", ".part", ".cold", ".lto_priv", ".llvm", ".__uniq", ".localalias"})
            if (name.substr(0, end).ends_with(suffix)) return end - suffix.size();
        return name.size();
    }
    /// `::h0123456789abcdef`
    static std::size_t without_hash(std::string_view name) {
        constexpr std::string_view begin = "::h";
        constexpr std::size_t digits = 16;
        if (name.size() < begin.size() + digits) return name.size();
        const auto at = name.size() - begin.size() - digits;
        const auto hash = name.substr(at + begin.size());
        const bool is_hash =
            name.substr(at).starts_with(begin) && hash.find_first_not_of("0123456789abcdef") == npos;
        return is_hash ? at : name.size();
    }

    // --- pieces -------------------------------------------------------------------------------------------

    [[nodiscard]] std::vector<Item> items(std::size_t at, std::size_t end, Separators separators) {
        std::vector<Item> items;
        const auto name = name_.substr(0, end);
        const auto add_word = [&](std::size_t begin, std::size_t behind) {
            if (!items.empty() && items.back().kind == ItemKind::word && items.back().end == begin)
                items.back().end = behind;
            else
                items.push_back({ItemKind::word, begin, behind});
        };
        while (at < end) {
            const char c = name[at];
            if (const auto behind = end_of_operator(name, at); behind != npos) {
                add_word(at, behind);
                at = behind;
            } else if (is_conversion(name, at)) {
                while (at < end && name[at] != '(') {
                    const auto close = name[at] == '<' ? end_of_brackets(name, at, steps_) : npos;
                    if (close == npos)
                        add_word(at, at + 1);
                    else
                        items.push_back({ItemKind::angle, at, close});
                    at = close == npos ? at + 1 : close;
                }
            } else if (c == ' ') {
                items.push_back({ItemKind::space, at, at + 1});
                ++at;
            } else if (const auto close = is_opening(c) ? end_of_brackets(name, at, steps_) : npos;
                       close != npos) {
                auto begin = at;
                if (is_turbofish(items, name.substr(at))) {
                    begin = items.back().begin;
                    items.pop_back();
                }
                items.push_back({kind_of(c), begin, close});
                at = close;
            } else if (const auto length = separators.length(name, at); length > 0) {
                items.push_back({ItemKind::separator, at, at + length});
                at += length;
            } else {
                auto end_of_word = at + 1;
                if (is_word(c))
                    while (end_of_word < end && is_word(name[end_of_word])) ++end_of_word;
                add_word(at, end_of_word);
                at = end_of_word;
            }
        }
        return items;
    }
    /// Rust: `size_of::<T>`
    [[nodiscard]] bool is_turbofish(const std::vector<Item>& items, std::string_view rest) const {
        const bool is_name = rest.starts_with("<impl ") || rest.starts_with("<lambda") ||
                             rest.starts_with("<unnamed") || rest.starts_with("<anonymous");
        return rest.starts_with('<') && !is_name && items.size() > 1 && text(items.back()) == "::";
    }
    /// `operator bool`, `operator new[]`, `operator std::vector<int>`: up to the parameters.
    static bool is_conversion(std::string_view name, std::size_t at) {
        return name.substr(at).starts_with("operator ") && (at == 0 || !is_word(name[at - 1]));
    }
    static ItemKind kind_of(char open) {
        return open == '<'   ? ItemKind::angle
               : open == '(' ? ItemKind::round
               : open == '[' ? ItemKind::square
                             : ItemKind::curly;
    }

    // --- the name from its pieces -------------------------------------------------------------------------

    void add_name(const std::vector<Item>& items, Role role) {
        const Item* first = items.data();
        const Item* const end = first + items.size();
        // "block in Foo#bar", "closure #1 (Int) -> () in main()": both halves say what it is.
        for (const Item* in = find_in(first, end); in != end; in = find_in(first, end)) {
            for (; first < in + 2; ++first)
                add(first->kind == ItemKind::round ? NamePartKind::parameters : NamePartKind::own,
                    first->begin, first->end);
        }
        add_declaration(first, end, role);
    }
    [[nodiscard]] const Item* find_in(const Item* first, const Item* end) const {
        if (first == end) return end;
        for (const Item* item = first + 1; item + 1 < end; ++item)
            if (item->kind == ItemKind::word && text(*item) == "in" && item[-1].kind == ItemKind::space &&
                item[1].kind == ItemKind::space && item + 2 < end)
                return item;
        return end;
    }

    void add_declaration(const Item* first, const Item* end, Role role) {
        if (first >= end) return;
        const Item* behind = end;
        const Item* const parameters = find_parameters(first, end);
        if (parameters != end && parameters + 1 < end && name_[parameters[1].begin] != '\'')
            behind = parameters + 1;
        const Item* begin = behind;
        while (begin > first && !(is_gap(begin - 1, first, behind) && has_word(begin, behind))) --begin;
        if (begin > first && is_place(name_.substr(begin->begin, end[-1].end - begin->begin))) {
            add(NamePartKind::own, first->begin, begin->begin);
            return add_place(begin->begin, end[-1].end);
        }
        add(NamePartKind::before, first->begin, begin->begin);
        add_path(begin, behind, behind == end && parameters == end ? nullptr : parameters, role);
        if (behind < end) add(NamePartKind::after, behind->begin, end[-1].end);
    }
    /// Python's profilers: `log /usr/lib/python3/dist-packages/mercurial/commands.py:4513`
    static bool is_place(std::string_view text) {
        const auto colon = text.rfind(':');
        return colon != npos && colon > 0 && text[colon - 1] != ':' && colon + 1 < text.size() &&
               std::all_of(text.begin() + static_cast<std::ptrdiff_t>(colon) + 1, text.end(), is_digit);
    }
    void add_place(std::size_t begin, std::size_t end) {
        const auto slash = name_.substr(begin, end - begin).find_last_of("/\\");
        const auto file = slash == npos ? begin : begin + slash + 1;
        add(NamePartKind::outer, begin, file);
        add(NamePartKind::own, file, end);
    }
    static bool has_word(const Item* first, const Item* end) {
        return std::any_of(first, end, [](const Item& item) {
            return item.kind == ItemKind::word || item.kind == ItemKind::angle;
        });
    }
    /// A blank between words, but not that of `operator<< <char>` or `f() const::{lambda()#1}`.
    [[nodiscard]] bool is_gap(const Item* item, const Item* first, const Item* end) const {
        if (item->kind != ItemKind::space || end_of_qualifiers(item, end) != item) return false;
        const bool is_behind_operator =
            item > first && item[-1].kind == ItemKind::word && text(item[-1]).starts_with("operator");
        return !(is_behind_operator && item + 1 < end && item[1].kind == ItemKind::angle);
    }
    /// Of ` const` and ` const &` before a separator.
    [[nodiscard]] const Item* end_of_qualifiers(const Item* first, const Item* end) const {
        constexpr std::array<std::string_view, 5> qualifiers = {"const", "volatile", "&", "&&", "noexcept"};
        const Item* item = first;
        while (item + 1 < end && item->kind == ItemKind::space &&
               std::find(qualifiers.begin(), qualifiers.end(), text(item[1])) != qualifiers.end())
            item += 2;
        return item < end && item->kind == ItemKind::separator ? item : first;
    }
    /// The last parentheses directly behind a name, which nothing follows that has a name.
    [[nodiscard]] const Item* find_parameters(const Item* first, const Item* end) const {
        for (const Item* item = end; item-- > first + 1;) {
            if (item->kind != ItemKind::round || !is_name(item[-1])) continue;
            const bool is_last = item + 1 == end || item[1].kind == ItemKind::space ||
                                 name_[item[1].begin] == '\'' ||
                                 is_type_of_java(name_.substr(item->end, end[-1].end - item->end));
            if (is_last) return item;
        }
        return end;
    }
    /// What a method returns: `V`, `[I`, `Ljava/lang/Object;`
    static bool is_type_of_java(std::string_view text) {
        const auto type = text.substr(std::min(text.find_first_not_of('['), text.size()));
        return type.size() == 1 ? std::string_view("VZBCSIJFD").find(type[0]) != npos
                                : type.starts_with('L') && type.ends_with(';');
    }
    static bool is_name(const Item& item) {
        return item.kind != ItemKind::separator && item.kind != ItemKind::space;
    }

    /// `a::b<int>::f(int)`, without blanks: the last component is the function's own name. So is one before
    /// it if it says nothing: `main::{lambda(int)#1}::operator()`.
    void add_path(const Item* first, const Item* end, const Item* parameters, Role role) {
        const Item* own = end;
        do {
            if (own > first) --own;
            while (own > first && own[-1].kind != ItemKind::separator) --own;
        } while (own > first && says_nothing(own, end));
        for (const Item* item = first; item < end; ++item) {
            const bool is_scope = item < own;
            scope_ = is_scope ? scopes_ : NamePart::no_scope;
            const auto name = is_scope ? NamePartKind::scope : NamePartKind::own;
            const bool is_first = item == first || item[-1].kind == ItemKind::separator;
            if (item->kind == ItemKind::angle && is_first && item + 1 < end && role == Role::function) {
                add_type_as_scope(*item, name);
            } else if (item->kind == ItemKind::angle && !is_first) {
                add(NamePartKind::arguments, item->begin, item->end);
            } else if (const Item* behind = end_of_qualifiers(item, end); behind != item) {
                add(NamePartKind::after, item->begin, behind->begin);
                item = behind - 1;
            } else if (item->kind == ItemKind::space && item + 1 < end) {  // `operator<< <char>`
                add(NamePartKind::arguments, item->begin, item[1].end);
                ++item;
            } else if (item->kind == ItemKind::square && !is_first) {
                const bool is_tag = text(*item).starts_with("[abi:");
                add(is_tag ? NamePartKind::mark : NamePartKind::arguments, item->begin, item->end);
            } else if (item == parameters || (item->kind == ItemKind::round && !is_first)) {
                const bool is_of_d = name_[item->begin - 1] == '!';  // f!(int)
                add(is_of_d ? NamePartKind::arguments : NamePartKind::parameters, item->begin, item->end);
            } else if (item->kind == ItemKind::curly) {
                add_closure(*item, name);
            } else {
                add(name, item->begin, item->end);
            }
            if (is_scope && item->kind == ItemKind::separator) ++scopes_;
        }
        scope_ = NamePart::no_scope;
    }
    [[nodiscard]] bool says_nothing(const Item* own, const Item* end) const {
        const Item* behind = own;
        while (behind < end && behind->kind != ItemKind::separator) ++behind;
        const auto name = text(*own);
        if (own->kind == ItemKind::curly)
            return name.starts_with("{lambda") || name.starts_with("{closure") || name.starts_with("{{") ||
                   name.starts_with("{unnamed") || name.starts_with("{default arg") ||
                   name.starts_with("{shim");
        if (own->kind == ItemKind::angle)
            return name == "<lambda>" || name.ends_with("comp>") || name == "<genexpr>";
        if (own->kind != ItemKind::word) return false;
        if (name == "operator()" || name.starts_with("'lambda") || name.starts_with("$_")) return true;
        // Go: main.run.func1.2
        const auto number = name.starts_with("func") ? name.substr(4) : name;
        return !number.empty() && std::all_of(number.begin(), number.end(), is_digit);
    }
    /// `<alloc::vec::Vec<T> as core::ops::Drop>`, `<impl Trait for Type>`: what the types are in says least.
    void add_type_as_scope(const Item& group, NamePartKind name) {
        add(name, group.begin, group.begin + 1);
        const auto scopes = scopes_;
        type_ = {name, scope_};
        for (auto at = group.begin + 1; at < group.end - 1;) {
            const auto behind = end_of_type(at, group.end - 1);
            add_name(items(at, behind, separators_), Role::type);
            at = behind;
            for (const std::string_view joint : {" as ", " for "}) {
                if (!name_.substr(at, group.end - at).starts_with(joint)) continue;
                add(NamePartKind::own, at, at + joint.size());
                at += joint.size();
            }
        }
        scope_ = type_->second;
        type_.reset();
        scopes_ = scopes;
        add(name, group.end - 1, group.end);
    }
    /// Up to " as " or " for " outside of brackets.
    [[nodiscard]] std::size_t end_of_type(std::size_t at, std::size_t end) {
        const auto name = name_.substr(0, end);
        const auto begin = at;
        while (at < end) {
            const auto rest = name.substr(at);
            if (at > begin && (rest.starts_with(" as ") || rest.starts_with(" for "))) return at;
            const auto close = is_opening(name[at]) ? end_of_brackets(name, at, steps_) : npos;
            at = close == npos ? at + 1 : close;
        }
        return end;
    }
    /// Where an absolute path begins: `/x`, `C:\x`, `\\server\x`. PHP's namespaces have backslashes, too.
    static std::size_t absolute_path(std::string_view text, std::size_t from) {
        for (auto at = text.find_first_of("/\\", from); at != npos; at = text.find_first_of("/\\", at + 1)) {
            if (at >= from + 3 && text[at - 1] == ':' && text[at - 3] == ':') return at - 2;
            if (text[at] == '/' || text.substr(at).starts_with("\\\\")) return at;
        }
        return npos;
    }
    /// `{lambda(int)#1}`, `{closure:/path/file.php:3-5}`
    void add_closure(const Item& group, NamePartKind name) {
        const auto inside = name_.substr(0, group.end);
        auto at = group.begin;
        if (const auto round = inside.find('(', at); round != npos) {
            if (const auto close = end_of_brackets(inside, round, steps_); close != npos) {
                add(name, at, round);
                add(NamePartKind::parameters, round, close);
                at = close;
            }
        } else if (const auto slash = absolute_path(inside, at); slash != npos) {
            add(name, at, slash);
            return add_place(slash, group.end);
        }
        add(name, at, group.end);
    }

    void add(NamePartKind kind, std::size_t begin, std::size_t end) {
        if (begin >= end) return;
        auto scope = scope_;
        if (type_) {
            if (kind == NamePartKind::own || kind == NamePartKind::before || kind == NamePartKind::after)
                kind = type_->first;
            else if (kind == NamePartKind::scope)
                kind = NamePartKind::outer;
            else if (kind == NamePartKind::arguments)
                kind = NamePartKind::inner;
            scope = type_->second;
        }
        const bool goes_on = !parts_.empty() && parts_.back().kind == kind && parts_.back().scope == scope &&
                             kind != NamePartKind::arguments && kind != NamePartKind::parameters;
        if (goes_on)
            parts_.back().end = end;
        else
            parts_.push_back({kind, begin, end, scope});
    }

    std::string_view name_;
    std::uint64_t steps_;
    Separators separators_;
    std::size_t scopes_ = 0;                                    // how many there are
    std::size_t scope_ = NamePart::no_scope;                    // what is added is in
    std::optional<std::pair<NamePartKind, std::size_t>> type_;  // what is added is in: its kind and scope
    std::vector<NamePart> parts_;
};

}  // namespace

std::vector<NamePart> name_parts(std::string_view name) { return NameParser(name).run(); }

}  // namespace callcost::engine
