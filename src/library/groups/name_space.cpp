// The class or namespace in a function's name, as C++, Rust, Java, Go, Python, PHP, Ruby and Perl write it.
#include <algorithm>
#include <array>

#include "callcost/groups.hpp"

namespace callcost {
namespace {

constexpr std::size_t none = std::string_view::npos;

constexpr std::string_view operator_beginnings = " \"<>=!+-*/%^&|~,([";

bool is_identifier(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

class NameScanner {
  public:
    explicit NameScanner(std::string_view text) : text_(text) {}

    std::string_view name_space() {
        while (at_ < text_.size() && !ended_) step();
        const Scope& scope = saw_parameters_ ? after_blank_ : whole_;
        std::size_t end = scope.separator != none ? scope.separator : scope.dot;
        if (!saw_parameters_ && scope.separator != none && is_rust_hash(scope.separator))
            end = scope.separator_before;
        return end == none ? std::string_view() : text_.substr(scope.start, end - scope.start);
    }

  private:
    // Where a qualified name begins and where it was cut last. `void ns::f<int>(int)` begins with a return
    // type; that is known only when the parameters come, so two readings run side by side: from the start,
    // and from the last blank.
    struct Scope {
        std::size_t start = 0;
        std::size_t separator = none;
        std::size_t separator_before = none;
        std::size_t dot = none;
    };

    void step() {
        const char c = text_[at_];
        if (starts("operator") && at_ == component_ && operator_beginnings.find(peek(8)) != none)
            return skip_operator();
        if (c == '(' && at_ != component_) return skip_parameters();
        if (c == '(' || c == '<' || c == '[' || c == '{') {
            const std::size_t end = group_end(at_);
            at_ = end == none ? at_ + 1 : end;
            return;
        }
        if (starts("::") || starts("->")) return separate(2);
        if (c == '#' && at_ != component_) return separate(1);
        if (c == '.' && is_dot_separator()) return mark_dot();
        if (c == '/')
            whole_.dot = after_blank_.dot = none;  // Go: the dots of github.com/x/y.F before the last slash
        if (c == '@') saw_at_ = true;              // memcpy@@GLIBC_2.14
        if (c == ' ') {
            after_blank_ = Scope{.start = at_ + 1};
            component_ = at_ + 1;
        }
        ++at_;
    }

    [[nodiscard]] bool starts(std::string_view token) const { return text_.substr(at_).starts_with(token); }
    [[nodiscard]] char peek(std::size_t distance) const {
        return at_ + distance < text_.size() ? text_[at_ + distance] : '\0';
    }

    void separate(std::size_t length) {
        for (Scope* scope : {&whole_, &after_blank_}) {
            scope->separator_before = scope->separator;
            scope->separator = at_;
        }
        at_ += length;
        component_ = at_;
    }

    void mark_dot() {
        whole_.dot = after_blank_.dot = at_++;
        component_ = at_;
    }

    /// A dot that is neither in a version, nor at a number, nor before a suffix that compilers add to clones.
    [[nodiscard]] bool is_dot_separator() const {
        constexpr std::array<std::string_view, 9> suffixes{
            "isra", "part", "constprop", "cold", "lto_priv", "llvm", "localalias", "resolver", "clone"};
        const char next = peek(1);
        if (saw_at_ || at_ == component_ || text_.starts_with('/')) return false;
        if (next >= '0' && next <= '9') return false;
        if (!is_identifier(next) && next != '(' && next != '<' && next != '{') return false;
        const std::string_view rest = text_.substr(at_ + 1);
        return std::none_of(suffixes.begin(), suffixes.end(), [&](std::string_view suffix) {
            return rest.starts_with(suffix) && (rest.size() == suffix.size() || rest[suffix.size()] == '.');
        });
    }

    /// `operator<`, `operator->`, `operator()`, `operator new[]`, `operator std::string`: up to the
    /// parameters.
    void skip_operator() {
        constexpr std::array<std::string_view, 27> two_and_more{
            "<=>", "<<=", ">>=", "->*", "()", "[]", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&",
            "||",  "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "^=", "&=", "|=", ",",  "~"};
        at_ += 8;
        for (const std::string_view symbol : two_and_more)
            if (starts(symbol)) {
                at_ += symbol.size();
                return skip_blank_before_arguments();
            }
        if (peek(0) != ' ' && peek(0) != '"') {  // a single character
            at_ = std::min(at_ + 1, text_.size());
            return skip_blank_before_arguments();
        }
        while (at_ < text_.size() && text_[at_] != '(') {  // a type, or the name of a literal
            const std::size_t end = text_[at_] == '<' ? group_end(at_) : none;
            at_ = end == none ? at_ + 1 : end;
        }
    }

    /// `operator< <int>(...)`
    void skip_blank_before_arguments() {
        if (starts(" <")) ++at_;
    }

    void skip_parameters() {
        const std::size_t end = group_end(at_);
        if (end == none) {
            ++at_;
            return;
        }
        at_ = end;
        const std::size_t closed = at_;
        while (skip_qualifier()) {
        }
        if (starts("::")) {  // a local class or lambda: f(int) const::{lambda()#1}
            saw_parameters_ = true;
            return;
        }
        // `decltype(x) ns::f()`: it was part of a return type. Go: `(*T).f`, Java and Go have no blank there.
        if (closed == at_ && (peek(0) == '.' || starts("->"))) return;
        if (peek(0) == ' ' && (is_identifier(peek(1)) || peek(1) == '<')) return;
        if (is_identifier(peek(0))) return;
        saw_parameters_ = true;
        ended_ = true;
    }

    bool skip_qualifier() {
        for (const std::string_view word : {" const", " volatile", " noexcept", " &&", " &"})
            if (starts(word) && !is_identifier(peek(word.size()))) {
                at_ += word.size();
                return true;
            }
        if (starts(" [clone") || starts("[abi:")) {
            const std::size_t end = group_end(at_ + (text_[at_] == ' ' ? 1 : 0));
            if (end != none) at_ = end;
            return end != none;
        }
        return false;
    }

    /// Behind the bracket that closes the one at `open`; none if there is none. In template arguments other
    /// brackets are skipped, elsewhere `<` and `>` are ordinary characters.
    [[nodiscard]] std::size_t group_end(std::size_t open) {
        const char opening = text_[open];
        bool& hopeless = opening == '<' ? no_angle_ : no_bracket_;
        if (hopeless) return none;  // or a name of ten million brackets would take for ever
        std::size_t angles = 0;
        std::size_t brackets = 0;
        for (std::size_t i = open; i < text_.size(); ++i) {
            const char c = text_[i];
            if (c == '(' || c == '[' || c == '{') {
                ++brackets;
            } else if (c == ')' || c == ']' || c == '}') {
                if (brackets == 0) break;  // closes something outside
                if (--brackets == 0 && angles == 0 && opening != '<') return i + 1;
            } else if (brackets == 0 && c == '<') {
                if (!follows_operator(i)) ++angles;
            } else if (brackets == 0 && c == '>' && angles > 0) {
                if (text_[i - 1] == '-' || follows_operator(i)) continue;  // an arrow or an operator's name
                if (--angles == 0) return i + 1;
            }
        }
        hopeless = true;
        return none;
    }

    /// Whether the character is part of `operator<` and the like.
    [[nodiscard]] bool follows_operator(std::size_t i) const {
        constexpr std::string_view symbols = "<>=-";
        for (int back = 0; back < 3 && i > 0 && symbols.find(text_[i - 1]) != none; ++back) --i;
        return i >= 8 && text_.substr(i - 8, 8) == "operator";
    }

    /// `::h0123456789abcdef` at the end of Rust's older names.
    [[nodiscard]] bool is_rust_hash(std::size_t separator) const {
        const std::string_view last = text_.substr(separator);
        return last.size() == 19 && last.starts_with("::h") &&
               std::all_of(last.begin() + 3, last.end(),
                           [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t component_ = 0;  // where the present piece of the name begins
    Scope whole_, after_blank_;
    bool saw_parameters_ = false;
    bool saw_at_ = false;
    bool ended_ = false;
    bool no_angle_ = false, no_bracket_ = false;
};

}  // namespace

std::string_view name_space_of(std::string_view function_name) {
    return NameScanner(function_name).name_space();
}

}  // namespace callcost
