/// Whether a comparison breaks rules, and where.
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

/// A function that breaks a rule, or the whole profile.
struct RuleBreach {
    std::optional<std::size_t> function;  ///< row of Diff::functions()
    std::string what;                     ///< `self Ir`, `calls`
    Change change;
};

/// A breach that an acceptance covers.
struct Acknowledged {
    RuleBreach breach;
    std::string until, reason;
};

struct RuleResult {
    Rule rule;
    std::vector<RuleBreach> breaches;        ///< by how much, the worst first; none: it holds
    std::vector<Acknowledged> acknowledged;  ///< these do not break it
};

/// What somebody has acknowledged, and what day it is.
struct Acceptances {
    std::vector<Acceptance> all;
    std::string today;  ///< YYYY-MM-DD
};

struct GateError {
    std::string rule;              ///< its text
    bool is_incomparable = false;  ///< it asks for what only one of the profiles records
    std::string message, hint;
};

struct Judgement {
    std::vector<RuleResult> rules;
    /// In words: rules that no function matches or that ask for calls nobody counted, acceptances that are
    /// out of date, exceeded or not needed.
    std::vector<std::string> notes;
};

/// A function that others were inlined into is judged by what they cost together, and one that was taken out
/// of others by what it cost in them. Errors: an event type that a profile does not record, a pattern that is
/// none.
[[nodiscard]] tl::expected<Judgement, GateError> judge(const Diff& diff, std::span<const Rule> rules,
                                                       const Acceptances& acceptances = {});

}  // namespace callcost::program
