#include "formula.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace demo {
namespace {

// Three functions that call each other in a circle: sum -> product -> operand -> sum.
std::unique_ptr<Formula> parse_sum(Cursor& cursor);

std::unique_ptr<Formula> join(Formula::Kind kind, std::unique_ptr<Formula> left,
                              std::unique_ptr<Formula> right) {
    auto formula = std::make_unique<Formula>();
    formula->kind = kind;
    formula->left = std::move(left);
    formula->right = std::move(right);
    return formula;
}

std::unique_ptr<Formula> parse_operand(Cursor& cursor) {
    if (cursor.take('(')) {
        auto inner = parse_sum(cursor);
        cursor.take(')');
        return inner;
    }
    auto formula = std::make_unique<Formula>();
    if (cursor.take('x')) {
        formula->kind = Formula::Kind::variable;
    } else {
        formula->number = cursor.take_number();
    }
    return formula;
}

std::unique_ptr<Formula> parse_product(Cursor& cursor) {
    auto formula = parse_operand(cursor);
    while (true) {
        if (cursor.take('*')) {
            formula = join(Formula::Kind::product, std::move(formula), parse_operand(cursor));
        } else if (cursor.take('/')) {
            formula = join(Formula::Kind::quotient, std::move(formula), parse_operand(cursor));
        } else {
            return formula;
        }
    }
}

std::unique_ptr<Formula> parse_sum(Cursor& cursor) {
    auto formula = parse_product(cursor);
    while (true) {
        if (cursor.take('+')) {
            formula = join(Formula::Kind::sum, std::move(formula), parse_product(cursor));
        } else if (cursor.take('-')) {
            formula = join(Formula::Kind::difference, std::move(formula), parse_product(cursor));
        } else {
            return formula;
        }
    }
}

}  // namespace

std::unique_ptr<Formula> parse(std::string_view text) {
    Cursor cursor(text);
    return parse_sum(cursor);
}

int height(const Formula& formula) {
    int below = 0;
    if (formula.left) below = std::max(below, height(*formula.left));
    if (formula.right) below = std::max(below, height(*formula.right));
    return below + 1;
}

}  // namespace demo
