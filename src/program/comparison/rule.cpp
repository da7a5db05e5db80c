#include "comparison/rule.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "text/characters.hpp"

namespace callcost::program {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
using engine::is_digit;
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The text from left to right; what fails first is told.
class RuleText {
  public:
    explicit RuleText(std::string_view text) : text_(text) {}

    [[nodiscard]] std::size_t at() const { return at_; }
    [[nodiscard]] bool is_at_end() {
        skip_blanks();
        return at_ == text_.size();
    }
    /// A sign, whatever follows.
    bool take(std::string_view sign) {
        skip_blanks();
        if (!text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }
    /// A whole word.
    bool take_word(std::string_view word) {
        skip_blanks();
        const auto rest = text_.substr(at_);
        if (!rest.starts_with(word) || (rest.size() > word.size() && is_word(rest[word.size()])))
            return false;
        at_ += word.size();
        return true;
    }
    std::string_view word() {
        skip_blanks();
        const auto begin = at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    /// Up to the sign, which is taken, too. Quotes and slashes hide it.
    std::optional<std::string> until(char sign) {
        skip_blanks();
        std::string found;
        const char quote = at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '/') ? text_[at_] : '\0';
        if (quote == '"') ++at_;
        bool is_open = quote != '\0';
        for (bool is_first = quote == '/'; at_ < text_.size(); is_first = false) {
            const char c = text_[at_++];
            if (c == '\\' && at_ < text_.size() && quote != '\0') {
                if (quote == '/' || text_[at_] != quote) found += c;
                found += text_[at_++];
                continue;
            }
            if (!is_open && c == sign) {
                while (!found.empty() && is_blank(found.back())) found.pop_back();
                return found;
            }
            if (is_open && c == quote && !is_first) {
                is_open = false;
                if (quote == '"') continue;
            }
            found += c;
        }
        return std::nullopt;
    }
    /// Digits and hyphens.
    std::string_view date() {
        skip_blanks();
        const auto begin = at_;
        while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '-')) ++at_;
        const auto found = text_.substr(begin, at_ - begin);
        if (!is_date(found)) at_ = begin;
        return found;
    }
    /// All that is left, without blanks around it.
    std::string_view rest() {
        skip_blanks();
        auto found = text_.substr(at_);
        while (!found.empty() && (is_blank(found.back()) || found.back() == '\r')) found.remove_suffix(1);
        return found;
    }
    std::optional<double> number() {
        skip_blanks();
        std::string digits;
        const auto begin = at_;
        const auto take_digits = [&] {
            for (; at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.' || text_[at_] == '_');
                 ++at_)
                if (text_[at_] != '_') digits += text_[at_];
        };
        take_digits();
        if (at_ + 1 < text_.size() && text_[at_] == 'e' && is_digit(text_[at_ + 1])) {
            digits += text_[at_++];
            take_digits();
        }
        double value = 0;
        const auto* const end = digits.data() + digits.size();
        const auto read = std::from_chars(digits.data(), end, value);
        if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value)) {
            at_ = begin;
            return std::nullopt;
        }
        return value;
    }

  private:
    void skip_blanks() {
        while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

class RuleParser {
  public:
    explicit RuleParser(std::string_view text) : text_(text) {}

    tl::expected<Rule, RuleError> parse(std::string_view whole) {
        Rule rule{std::string(whole), {}, false};
        do {
            auto& conditions = rule.alternatives.emplace_back();
            do {
                conditions.push_back(condition());
                if (error_) return tl::unexpected(*std::move(error_));
                if (are_about_two_functions(conditions))
                    fail("conditions joined by 'and' must refer to the same function",
                         "use a separate --fail-if for each function");
                if (error_) return tl::unexpected(*std::move(error_));
            } while (text_.take_word("and"));
            last_ = {};
            has_last_ = false;
        } while (text_.take_word("or"));
        if (!text_.is_at_end()) fail("expected 'and', 'or' or end of rule");
        if (error_) return tl::unexpected(*std::move(error_));
        rule.is_about_improvement =
            std::all_of(rule.alternatives.begin(), rule.alternatives.end(), [](const auto& conditions) {
                return std::all_of(conditions.begin(), conditions.end(), [](const Condition& condition) {
                    return condition.relation == Relation::less || condition.relation == Relation::at_most;
                });
            });
        return rule;
    }

    tl::expected<Acceptance, RuleError> parse_acceptance(std::string_view whole) {
        is_acceptance_ = true;
        usual_ = "such as 'fn(parse) self.Ir < +5% until 2027-01-31 because REASON'";
        Acceptance accepted;
        accepted.condition = condition();
        const auto first = std::min(whole.find_first_not_of(" \t"), text_.at());
        accepted.text = std::string(whole.substr(first, text_.at() - first));
        while (!accepted.text.empty() && is_blank(accepted.text.back())) accepted.text.pop_back();
        if (!text_.take_word("until")) fail("expected 'until' and a date");
        accepted.until = std::string(text_.date());
        if (!is_date(accepted.until)) fail("expected a date, as YYYY-MM-DD");
        if (!text_.take_word("because")) fail("expected 'because' and a reason");
        accepted.reason = std::string(text_.rest());
        if (accepted.reason.empty()) fail("missing reason");
        if (error_) return tl::unexpected(*std::move(error_));
        return accepted;
    }

  private:
    static bool are_about_two_functions(const std::vector<Condition>& conditions) {
        std::string_view pattern;
        for (const Condition& condition : conditions) {
            if (condition.pattern.empty()) continue;
            if (!pattern.empty() && condition.pattern != pattern) return true;
            pattern = condition.pattern;
        }
        return false;
    }
    void fail(std::string message, std::string hint = {}) {
        if (error_) return;
        (void)text_.is_at_end();  // the caret stands behind blanks
        error_ = RuleError{.line = 1,
                           .column = text_.at() + 1,
                           .message = std::move(message),
                           .hint = hint.empty() ? usual_ : std::move(hint)};
    }

    /// `and > 10000` is about what the condition before it is about, `and calls > 5` about its functions.
    Condition condition() {
        Condition condition = last_;
        if (begins_relation()) {
            if (!has_last_) fail("missing quantity to compare");
        } else if (begins_cost()) {
            if (!has_last_ || last_.subject == Subject::total)
                fail("missing function", "such as 'any fn self.Ir > +5%' or 'fn(parse) calls > 0'");
            condition = {};
            condition.subject = last_.subject;
            condition.pattern = last_.pattern;
            cost(condition);
        } else {
            condition = {};
            subject(condition);
        }
        relation(condition);
        amount(condition);
        demand_direction(condition);
        last_ = condition;
        has_last_ = true;
        return condition;
    }
    /// `<` in a rule is about something that became less, in an acceptance it is how much more there may be.
    void demand_direction(const Condition& condition) {
        const bool is_less = condition.relation == Relation::less || condition.relation == Relation::at_most;
        if (is_acceptance_ && !is_less)
            fail("expected '<': an acceptance states an upper limit", "such as 'Ir < +5%'");
        if (!is_acceptance_ && is_less && condition.limit > 0)
            fail("'<' requires a decrease: the limit must not be above 0", "such as 'Ir < -5%'");
        if (!is_less && condition.limit < 0)
            fail("'>' states an increase: the limit must not be below 0", "such as 'Ir > +5%' or 'Ir < -5%'");
    }
    bool begins_relation() {
        auto ahead = text_;
        return ahead.take(">") || ahead.take("<");
    }

    bool begins_cost() {
        auto ahead = text_;
        if (ahead.take_word("calls")) return !ahead.take("(");
        const bool is_cost =
            ahead.take_word("self") || ahead.take_word("incl") || ahead.take_word("inclusive");
        return is_cost && ahead.take(".");
    }

    void subject(Condition& condition) {
        if (text_.take_word("any")) {
            condition.subject = Subject::every;
            return expect_fn(condition);
        }
        if (text_.take_word("new")) {
            condition.subject = Subject::added;
            return expect_fn(condition);
        }
        if (auto ahead = text_; ahead.take_word("fn") && ahead.take("(")) {
            text_ = ahead;
            pattern(condition);
            return cost(condition);
        }
        if (auto ahead = text_; ahead.take_word("calls") && ahead.take("(")) {
            text_ = ahead;
            condition.quantity = Quantity::calls;
            if (text_.take_word("any")) {
                condition.subject = Subject::every;
                if (!text_.take_word("fn")) fail("expected 'any fn'");
            } else if (text_.take_word("fn") && text_.take("(")) {
                pattern(condition);
            } else {
                fail("missing function", "such as 'calls(fn(malloc)) > 0'");
            }
            if (!text_.take(")")) fail("missing ')'");
            return;
        }
        if (auto ahead = text_; ahead.take_word("total") && ahead.take(".")) text_ = ahead;
        event(condition);
    }
    void expect_fn(Condition& condition) {
        if (!text_.take_word("fn")) return fail("expected 'fn'", "such as 'any fn self.Ir > +5%'");
        cost(condition);
    }
    void pattern(Condition& condition) {
        condition.subject = Subject::matching;
        auto found = text_.until(')');
        if (!found) return fail("missing ')'");
        if (found->empty())
            return fail("empty pattern", "such as 'fn(parse) self.Ir > +5%' or 'fn(/^json::/) calls > 0'");
        condition.pattern = *std::move(found);
    }
    /// `self.Ir`, `incl.Ir`, `calls`.
    void cost(Condition& condition) {
        if (text_.take_word("calls")) {
            condition.quantity = Quantity::calls;
            return;
        }
        if (text_.take_word("self")) {
            condition.quantity = Quantity::self;
        } else if (text_.take_word("incl") || text_.take_word("inclusive")) {
            condition.quantity = Quantity::inclusive;
        } else {
            return fail("expected self.EVENT, incl.EVENT or calls", "such as 'any fn self.Ir > +5%'");
        }
        if (!text_.take(".")) return fail("expected '.' and an event type", "such as 'any fn self.Ir > +5%'");
        event(condition);
    }
    /// A name, or in quotes one with other signs, or a formula.
    void event(Condition& condition) {
        if (text_.take("\"")) {
            auto found = text_.until('"');
            if (!found) return fail("missing '\"'");
            condition.event = *std::move(found);
        } else {
            condition.event = text_.word();
        }
        if (condition.event.empty()) fail("expected an event type");
    }

    void relation(Condition& condition) {
        if (text_.take(">=")) {
            condition.relation = Relation::at_least;
        } else if (text_.take(">")) {
            condition.relation = Relation::greater;
        } else if (text_.take("<=")) {
            condition.relation = Relation::at_most;
        } else if (text_.take("<")) {
            condition.relation = Relation::less;
        } else {
            fail("expected '>' or '<'",
                 text_.is_at_end() ? "quote the whole rule: the shell treats '>' as a redirection"
                                   : "such as 'Ir > +0.5%'; event types with characters other than letters, "
                                     "digits and _ are put in "
                                     "quotes");
        }
    }
    void amount(Condition& condition) {
        const bool is_negative = text_.take("-");
        if (!is_negative) (void)text_.take("+");
        const auto number = text_.number();
        if (!number) return fail("expected a number", "such as 'Ir > +5%' or 'Ir > 10000'");
        condition.limit = is_negative ? -*number : *number;
        condition.scale = Scale::absolute;
        if (!text_.take("%")) return;
        condition.scale = Scale::share;
        if (!text_.take_word("of")) return;
        if (!text_.take_word("total"))
            return fail("expected 'total'", "such as 'any fn self.Ir > +1% of total'");
        if (condition.quantity == Quantity::calls)
            return fail("calls have no total", "without 'of total' it is a percentage of the old call count");
        condition.scale = Scale::of_total;
    }

    RuleText text_;
    Condition last_;
    bool has_last_ = false;
    bool is_acceptance_ = false;
    std::optional<RuleError> error_;
    std::string usual_ = "such as 'Ir > +0.5%' or 'any fn self.Ir > +1% of total and > 10000'";
};

/// `ir=5%|10000`: both are limits of their own.
class Shorthand {
  public:
    explicit Shorthand(std::string_view text) : whole_(text), text_(text) {}

    tl::expected<std::vector<Rule>, RuleError> parse() {
        do {
            Condition condition;
            (void)text_.is_at_end();  // over blanks
            const auto begin = text_.at();
            condition.all_events = text_.take("@all");
            if (!condition.all_events) {
                if (text_.take("@")) return wrong("unknown group: only @all is supported");
                condition.event = text_.word();
            }
            if ((condition.event.empty() && !condition.all_events) || !text_.take("="))
                return wrong("expected EVENT=LIMIT");
            const auto name = std::string(whole_.substr(begin, text_.at() - begin));
            do {
                const auto limit = text_.at();
                const bool is_negative = text_.take("-");
                const auto number = text_.number();
                if (!number) return wrong("expected a number");
                condition.limit = is_negative ? -*number : *number;
                condition.relation = is_negative ? Relation::less : Relation::greater;
                condition.scale = text_.take("%") ? Scale::share : Scale::after;
                rules_.push_back(
                    {name + std::string(whole_.substr(limit, text_.at() - limit)), {{condition}}, false});
            } while (text_.take("|"));
        } while (text_.take(","));
        if (!text_.is_at_end()) return wrong("expected ',' or end of rule");
        for (Rule& rule : rules_) leave_out_named(rule.alternatives[0][0]);
        return std::move(rules_);
    }

  private:
    /// `@all` is for those that have no limit of the same kind.
    void leave_out_named(Condition& condition) const {
        if (!condition.all_events) return;
        for (const Rule& rule : rules_) {
            const Condition& other = rule.alternatives[0][0];
            if (!other.all_events && other.scale == condition.scale)
                condition.but_events.push_back(other.event);
        }
    }
    tl::unexpected<RuleError> wrong(std::string message) {
        (void)text_.is_at_end();
        return tl::unexpected(RuleError{.line = 1,
                                        .column = text_.at() + 1,
                                        .message = std::move(message),
                                        .hint = "such as 'ir=5%|10000,@all=10%'"});
    }

    std::string_view whole_;
    RuleText text_;
    std::vector<Rule> rules_;
};

bool is_shorthand(std::string_view text) {
    RuleText ahead(text);
    return ahead.take("@") || (!ahead.word().empty() && ahead.take("="));
}

}  // namespace

tl::expected<std::vector<Rule>, RuleError> parse_rules(std::string_view text) {
    if (is_shorthand(text)) return Shorthand(text).parse();
    auto rule = RuleParser(text).parse(text);
    if (!rule) return tl::unexpected(std::move(rule.error()));
    return std::vector<Rule>{*std::move(rule)};
}

bool is_date(std::string_view text) {
    constexpr std::size_t size = 10;
    if (text.size() != size || text[4] != '-' || text[7] != '-') return false;
    const auto number = [&](std::size_t at, std::size_t count) {
        int value = 0;
        for (const char c : text.substr(at, count)) {
            if (!is_digit(c)) return -1;
            value = value * 10 + (c - '0');
        }
        return value;
    };
    const std::chrono::year_month_day day(std::chrono::year(number(0, 4)),
                                          std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                          std::chrono::day(static_cast<unsigned>(number(8, 2))));
    return number(0, 4) >= 0 && day.ok();
}

tl::expected<std::vector<Acceptance>, RuleError> parse_acceptances(std::string_view text) {
    std::vector<Acceptance> all;
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    for (std::size_t at = 0, number = 1; at < text.size(); ++number) {
        const auto end = std::min(text.find('\n', at), text.size());
        const auto line = text.substr(at, end - at);
        at = end + 1;
        const auto first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos || line[first] == '#') continue;
        auto accepted = RuleParser(line).parse_acceptance(line);
        if (!accepted) {
            accepted.error().line = number;
            return tl::unexpected(std::move(accepted.error()));
        }
        accepted->line = number;
        all.push_back(*std::move(accepted));
    }
    return all;
}

}  // namespace callcost::program
