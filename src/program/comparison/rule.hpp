/// Rules of `callcost diff --fail-if`: conditions on changes, such as `Ir > +0.5%`,
/// `fn(/^json::/) incl.Ir > +2% and > 10000` or `any fn self.Ir > +1% of total`. docs/diff-rules.md has the
/// language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/error.hpp>

namespace callcost::program {

/// Subject of a condition.
enum class Subject : std::uint8_t {
    total,     ///< of the whole profile
    every,     ///< `any fn`: each function alone
    added,     ///< `new fn`: each function that is new
    matching,  ///< `fn(PATTERN)`: the functions that match, each alone
};
enum class Quantity : std::uint8_t { self, inclusive, calls };
enum class Relation : std::uint8_t { greater, at_least, less, at_most };
enum class Scale : std::uint8_t {
    absolute,  ///< the difference
    share,     ///< the difference in percent of what was before; of `new fn` the cost in percent of the total
               ///< after
    of_total,  ///< the difference in percent of the total before
    after,     ///< what is after, whatever was before
};

struct Condition {
    Subject subject = Subject::total;
    std::string pattern;  ///< of Subject::matching
    Quantity quantity = Quantity::self;
    std::string event;                    ///< of Quantity::calls none
    bool all_events = false;              ///< `@all`: each event type, but
    std::vector<std::string> but_events;  ///< for these, which have limits of their own
    Relation relation = Relation::greater;
    double limit = 0;  ///< in percent, but for Scale::absolute
    Scale scale = Scale::absolute;
};

/// Alternatives, each of which is a list of conditions that must all hold, about one and the same function
/// where they are about functions.
struct Rule {
    std::string text;
    std::vector<std::vector<Condition>> alternatives;
    bool is_about_improvement = false;  ///< all of it asks for something to become less
};

/// An accepted change, `fn(parse) self.Ir < +5% until 2027-01-31 because REASON`:
/// rules do not fail because of it as long as the condition holds.
struct Acceptance {
    std::string text;  ///< of the condition
    Condition condition;
    std::string until;  ///< the last day, YYYY-MM-DD
    std::string reason;
    std::size_t line = 0;  ///< of the file, from 1
};

/// Place of a syntax error.
struct RuleError {
    std::size_t line = 1;    ///< of a file of acceptances
    std::size_t column = 0;  ///< in bytes, from 1
    std::string message, hint;
};

/// Also gungraun's shorthand, `ir=5%|10000,@all=10%`, with its meaning: a rule for each limit, of which those
/// without a percent sign are about the cost after, and negative ones fail if it is below them.
[[nodiscard]] tl::expected<std::vector<Rule>, RuleError> parse_rules(std::string_view text);

/// One acceptance per line; empty lines and those that begin with `#` are ignored.
[[nodiscard]] tl::expected<std::vector<Acceptance>, RuleError> parse_acceptances(std::string_view text);

/// Whether the text is a valid date, `YYYY-MM-DD`.
[[nodiscard]] bool is_date(std::string_view text);

}  // namespace callcost::program
