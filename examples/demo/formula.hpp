// Formulas of one variable, such as "2*x*x - (x+1)/3": parsed into a tree, then evaluated in any kind of
// number.
#pragma once

#include <memory>
#include <string_view>

namespace demo {

struct Formula {
    enum class Kind { number, variable, sum, difference, product, quotient };

    Kind kind = Kind::number;
    int number = 0;
    std::unique_ptr<Formula> left, right;
};

// Small enough to be inlined wherever it is used: its cost appears on these lines, under the functions of the
// parser.
class Cursor {
  public:
    explicit Cursor(std::string_view text) : text_(text) {}

    char peek() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char wanted) {
        if (peek() != wanted) return false;
        ++at_;
        return true;
    }
    int take_number() {
        int number = 0;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9')
            number = number * 10 + (text_[at_++] - '0');
        return number;
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

std::unique_ptr<Formula> parse(std::string_view text);

// How deep the tree is: recursion without a cycle of several functions.
int height(const Formula& formula);

// A template: each kind of number becomes a function of its own, which calls itself.
template <typename Number>
Number evaluate(const Formula& formula, Number x) {
    switch (formula.kind) {
        case Formula::Kind::number:
            return static_cast<Number>(formula.number);
        case Formula::Kind::variable:
            return x;
        case Formula::Kind::sum:
            return evaluate(*formula.left, x) + evaluate(*formula.right, x);
        case Formula::Kind::difference:
            return evaluate(*formula.left, x) - evaluate(*formula.right, x);
        case Formula::Kind::product:
            return evaluate(*formula.left, x) * evaluate(*formula.right, x);
        case Formula::Kind::quotient: {
            const Number divisor = evaluate(*formula.right, x);
            return divisor == Number{} ? Number{} : evaluate(*formula.left, x) / divisor;
        }
    }
    return Number{};
}

}  // namespace demo
