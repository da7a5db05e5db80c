#include "parser/line_tokens.hpp"

namespace callcost {

PositionToken parse_position(std::string_view token, const LineView& line, DiagnosticLog& log) {
    if (token == "*") return {0, true, false, false};
    if (token == "-1") return {~std::uint64_t{0}, true, true, true};
    const bool signed_token = !token.empty() && (token[0] == '+' || token[0] == '-');
    std::string_view digits = signed_token ? token.substr(1) : token;
    ParsedNumber number = parse_unsigned(digits);
    if (!number.ok && !signed_token) {  // F42: 5-9, 5:9, 5+4
        const std::size_t middle = digits.find_first_of("-:+");
        if (middle != std::string_view::npos && parse_unsigned(digits.substr(middle + 1)).ok) {
            number = parse_unsigned(digits.substr(0, middle));
            if (number.ok) log.add(DiagnosticId::position_range, line, token.data());
        }
    }
    if (!number.ok) {
        log.add(DiagnosticId::bad_cost, line, token.data());
        return {};
    }
    if (number.overflow) log.add(DiagnosticId::number_overflow, line, token.data());
    if (!signed_token) return {number.value, false, false, false};
    const bool down = token[0] == '-';
    return {down ? 0 - number.value : number.value, true, false, down};
}

Cost parse_cost_token(std::string_view token, const LineView& line, DiagnosticLog& log) {
    const ParsedNumber number = parse_cost(token);
    if (!number.ok) {
        log.add(DiagnosticId::bad_cost, line, token.data());
        return 0;
    }
    if (number.overflow) log.add(DiagnosticId::number_overflow, line, token.data());
    if (number.fraction) log.add(DiagnosticId::fractional_cost, line, token.data());
    if (number.plus) log.add(DiagnosticId::signed_cost, line, token.data());
    const auto cost = Cost(number.value);
    if (cost < 0) log.add(DiagnosticId::negative_cost, line, token.data());
    return cost;
}

bool is_nested_name(std::string_view text) {
    std::size_t at = 0;
    const auto id = [&] {
        if (at == text.size() || text[at] != '(') return false;
        const std::size_t digits = ++at;
        while (at < text.size() && is_digit(text[at])) ++at;
        if (at == digits || at == text.size() || text[at] != ')') return false;
        ++at;
        return true;
    };
    if (!id()) return false;
    bool first = true;
    while (at < text.size()) {
        if (text[at++] != '\'') return false;
        if (first && at < text.size() && is_digit(text[at])) {
            while (at < text.size() && is_digit(text[at])) ++at;
        } else if (!id()) {
            return false;
        }
        first = false;
    }
    return true;
}

}  // namespace callcost
