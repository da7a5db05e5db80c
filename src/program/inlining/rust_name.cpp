#include "inlining/rust_name.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>

namespace callcost::program {

namespace {

constexpr std::size_t max_length = 1U << 16U;  // back references can make much of little
constexpr int max_nesting = 300;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view basic_type(char tag) {
    constexpr std::string_view names[] = {
        "i8",   "bool", "char", "f64", "str", "f32", "",    "u8", "isize", "usize", "",    "i32", "u32",
        "i128", "u128", "_",    "",    "",    "i16", "u16", "()", "...",   "",      "i64", "u64", "!"};
    return tag >= 'a' && tag <= 'z' ? names[tag - 'a'] : std::string_view();
}

/// The grammar is that of Rust's RFC 2603. After a mistake nothing more is read.
class RustName {
  public:
    explicit RustName(std::string_view mangled) : text_(mangled) {}

    std::optional<std::string> read() {
        path(true);
        if (at_ < text_.size()) {  // the crate that a generic function was compiled for
            is_silent_ = true;
            path(false);
        }
        if (is_wrong_ || at_ != text_.size()) return std::nullopt;
        return std::move(name_);
    }

  private:
    struct Identifier {
        std::string_view text;
        bool is_punycode = false;
    };
    class Level {
      public:
        explicit Level(RustName& name) : name_(name) {
            if (++name.depth_ > max_nesting) name.is_wrong_ = true;
        }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;
        ~Level() { --name_.depth_; }

      private:
        RustName& name_;
    };

    char next() {
        if (at_ < text_.size() && !is_wrong_) return text_[at_++];
        is_wrong_ = true;
        return '\0';
    }
    bool eat(char c) {
        if (is_wrong_ || at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void print(std::string_view text) {
        if (is_silent_ || is_wrong_) return;
        if (name_.size() + text.size() > max_length) is_wrong_ = true;
        name_ += text;
    }

    /// "_" is 0, "0_" is 1.
    std::uint64_t number_62() {
        if (eat('_')) return 0;
        std::uint64_t number = 0;
        while (!is_wrong_ && !eat('_')) {
            const char c = next();
            unsigned digit = 0;
            if (is_digit(c)) {
                digit = static_cast<unsigned>(c - '0');
            } else if (c >= 'a' && c <= 'z') {
                digit = static_cast<unsigned>(c - 'a') + 10;
            } else if (c >= 'A' && c <= 'Z') {
                digit = static_cast<unsigned>(c - 'A') + 36;
            } else {
                is_wrong_ = true;
            }
            if (number > (UINT64_MAX - digit) / 62) is_wrong_ = true;
            number = number * 62 + digit;
        }
        return number + 1;
    }
    std::uint64_t optional_62(char tag) { return eat(tag) ? number_62() + 1 : 0; }

    Identifier identifier() {
        Identifier found;
        found.is_punycode = eat('u');
        std::size_t size = 0;
        const auto digits = text_.substr(at_).starts_with('0') ? text_.substr(at_, 1) : text_.substr(at_);
        const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), size);
        if (end.ptr == text_.data() + at_ || end.ec != std::errc()) is_wrong_ = true;
        at_ = static_cast<std::size_t>(end.ptr - text_.data());
        eat('_');
        if (is_wrong_ || size > text_.size() - at_) {
            is_wrong_ = true;
            return {};
        }
        found.text = text_.substr(at_, size);
        at_ += size;
        return found;
    }
    void print(const Identifier& one) {
        if (one.is_punycode) print("punycode{");
        print(one.text);
        if (one.is_punycode) print("}");
    }

    template <typename Read>
    void back_reference(const Read& read) {
        const auto start = at_ - 1;
        const auto place = number_62();
        if (place >= start) is_wrong_ = true;
        if (is_wrong_ || is_silent_) return;
        const auto after = at_;
        at_ = static_cast<std::size_t>(place);
        read();
        at_ = after;
    }

    void lifetime(std::uint64_t number) {
        if (number == 0) return print("'_");
        if (number > lifetimes_) {
            is_wrong_ = true;
            return;
        }
        const auto depth = lifetimes_ - number;
        if (depth < 26) return print(std::string{'\'', static_cast<char>('a' + static_cast<char>(depth))});
        print("'_" + std::to_string(depth));
    }

    /// "for<'a>", which holds for what `read` reads.
    template <typename Read>
    void binder(const Read& read) {
        const auto count = optional_62('G');
        if (count > text_.size()) is_wrong_ = true;
        if (is_wrong_) return;
        if (count > 0) print("for<");
        for (std::uint64_t i = 0; i < count; ++i) {
            if (i > 0) print(", ");
            ++lifetimes_;
            lifetime(1);
        }
        if (count > 0) print("> ");
        read();
        lifetimes_ -= count;
    }

    void path(bool is_value) {
        const Level level(*this);
        if (is_wrong_) return;
        const char tag = next();
        switch (tag) {
            case 'C':
                optional_62('s');
                return print(identifier());
            case 'N':
                return nested_path(is_value);
            case 'M':
            case 'X': {
                optional_62('s');
                const bool was_silent = is_silent_;
                is_silent_ = true;
                path(false);
                is_silent_ = was_silent;
                return self_type(tag != 'M');
            }
            case 'Y':
                return self_type(true);
            case 'I':
                path(is_value);
                if (is_value) print("::");
                print("<");
                arguments();
                return print(">");
            case 'B':
                return back_reference([&] { path(is_value); });
            default:
                is_wrong_ = true;
        }
    }

    void nested_path(bool is_value) {
        const char kind = next();
        path(is_value);
        const auto number = optional_62('s');
        const auto name = identifier();
        if (kind >= 'A' && kind <= 'Z') {
            print("::{");
            print(kind == 'C' ? "closure" : kind == 'S' ? "shim" : std::string_view(&kind, 1));
            if (!name.text.empty()) {
                print(":");
                print(name);
            }
            print("#" + std::to_string(number) + "}");
        } else if (!name.text.empty()) {
            print("::");
            print(name);
        }
    }

    void self_type(bool is_trait) {
        print("<");
        type();
        if (is_trait) {
            print(" as ");
            path(false);
        }
        print(">");
    }

    /// Up to "E".
    void arguments() {
        for (bool is_first = true; !is_wrong_ && !eat('E'); is_first = false) {
            if (!is_first) print(", ");
            if (eat('L')) {
                lifetime(number_62());
            } else if (eat('K')) {
                constant();
            } else {
                type();
            }
        }
    }

    std::size_t types() {
        std::size_t count = 0;
        for (; !is_wrong_ && !eat('E'); ++count) {
            if (count > 0) print(", ");
            type();
        }
        return count;
    }

    void type() {
        const Level level(*this);
        if (is_wrong_) return;
        const char tag = next();
        if (const auto basic = basic_type(tag); !basic.empty()) return print(basic);
        switch (tag) {
            case 'R':
            case 'Q':
                print("&");
                if (eat('L')) {
                    if (const auto number = number_62(); number != 0) {
                        lifetime(number);
                        print(" ");
                    }
                }
                if (tag == 'Q') print("mut ");
                return type();
            case 'P':
            case 'O':
                print(tag == 'P' ? "*const " : "*mut ");
                return type();
            case 'A':
            case 'S':
                print("[");
                type();
                if (tag == 'A') {
                    print("; ");
                    constant();
                }
                return print("]");
            case 'T':
                print("(");
                if (types() == 1) print(",");
                return print(")");
            case 'F':
                return binder([&] { function_type(); });
            case 'D':
                print("dyn ");
                binder([&] {
                    for (bool is_first = true; !is_wrong_ && !eat('E'); is_first = false) {
                        if (!is_first) print(" + ");
                        dynamic_trait();
                    }
                });
                if (!eat('L')) is_wrong_ = true;
                if (const auto number = number_62(); number != 0) {
                    print(" + ");
                    lifetime(number);
                }
                return;
            case 'B':
                return back_reference([&] { type(); });
            default:
                --at_;
                path(false);
        }
    }

    void function_type() {
        if (eat('U')) print("unsafe ");
        if (eat('K')) {
            std::string convention = "C";
            if (!eat('C')) {
                convention = identifier().text;
                std::replace(convention.begin(), convention.end(), '_', '-');
            }
            print("extern \"" + convention + "\" ");
        }
        print("fn(");
        types();
        print(")");
        if (eat('u')) return;
        print(" -> ");
        type();
    }

    /// Its associated types stand with its other arguments.
    void dynamic_trait() {
        bool is_open = open_path();
        while (eat('p')) {
            print(is_open ? ", " : "<");
            is_open = true;
            print(identifier());
            print(" = ");
            type();
        }
        if (is_open) print(">");
    }
    bool open_path() {
        const Level level(*this);
        bool is_open = false;
        if (eat('B')) {
            back_reference([&] { is_open = open_path(); });
        } else if (eat('I')) {
            path(false);
            print("<");
            arguments();
            is_open = true;
        } else {
            path(false);
        }
        return is_open;
    }

    void constant() {
        const Level level(*this);
        if (is_wrong_) return;
        if (eat('B')) return back_reference([&] { constant(); });
        const char tag = next();
        if (tag == 'p') return print("_");
        const bool is_negative = std::string_view("asxiln").find(tag) != std::string_view::npos && eat('n');
        std::string digits;
        while (!is_wrong_ && !eat('_')) digits += next();
        digits.erase(0, digits.find_first_not_of('0'));
        std::uint64_t value = 0;
        const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        if (digits.size() <= 16 && end.ptr != digits.data() + digits.size()) is_wrong_ = true;
        if (is_negative) print("-");
        if (tag == 'b') return print(value == 0 ? "false" : "true");
        if (tag == 'c' && value >= 0x20 && value < 0x7f)
            return print(std::string{'\'', static_cast<char>(value), '\''});
        print(digits.size() > 16 ? "0x" + digits : std::to_string(value));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string name_;
    int depth_ = 0;
    std::uint64_t lifetimes_ = 0;  // bound where we are
    bool is_silent_ = false, is_wrong_ = false;
};

}  // namespace

std::optional<std::string> demangled_rust_name(std::string_view mangled) {
    if (!mangled.starts_with("_R")) return std::nullopt;
    mangled.remove_prefix(2);
    return RustName(mangled.substr(0, mangled.find('.'))).read();
}

}  // namespace callcost::program
