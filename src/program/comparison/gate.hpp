/// Which rules fail in a comparison, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "comparison/rule.hpp"
#include <callcost/diff.hpp>

namespace callcost::program {

/// What makes a rule fail: a function, or the whole profile.
struct RuleBreach {
    std::optional<MatchId> function;
    std::string what;  ///< `self Ir`, `calls`
    Change change;
    /// Of the whole profile: the function whose self cost changed most in the same direction.
    std::optional<MatchId> changed_most{};
};

/// A breach that an acceptance covers.
struct AcceptedBreach {
    RuleBreach breach;
    std::string until, reason;
};

struct RuleResult {
    Rule rule;
    std::vector<RuleBreach> breaches;          ///< by how much, the worst first; none: it passed
    std::vector<AcceptedBreach> acknowledged;  ///< it does not fail by these
};

/// Accepted changes, and the date at which they expire.
struct Acceptances {
    std::vector<Acceptance> all;
    std::string today;  ///< YYYY-MM-DD
};

struct GateError {
    std::string rule;              ///< its text
    bool is_incomparable = false;  ///< it refers to an event type or calls that only one profile records
    std::string message, hint;
};

struct Judgement {
    std::vector<RuleResult> rules;
    /// Notes: rules that match no function or refer to incomplete call counts; acceptances that are expired,
    /// exceeded or unused.
    std::vector<std::string> notes;
};

/// The old cost of a function includes that of functions inlined into it since; that of an outlined function
/// is its share in the others. Errors: an event type that a profile does not record, an invalid pattern.
[[nodiscard]] tl::expected<Judgement, GateError> judge(const Diff& diff, std::span<const Rule> rules,
                                                       const Acceptances& acceptances = {});

}  // namespace callcost::program
