#include "comparison/gate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "options/patterns.hpp"
#include "query/filtered_functions.hpp"
#include "text/characters.hpp"

namespace callcost::program {
namespace {

bool is_same_word(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return engine::lower(x) == engine::lower(y); });
}

/// What gungraun derives from Callgrind's event types.
std::string_view derived_formula(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> all = {
        {{"TotalRW", "Ir + Dr + Dw"},
         {"RamHits", "ILmr + DLmr + DLmw"},
         {"EstimatedCycles", "Ir + Dr + Dw + 4 I1mr + 4 D1mr + 4 D1mw + 30 ILmr + 30 DLmr + 30 DLmw"}}};
    for (const auto& [known, formula] : all)
        if (is_same_word(known, name)) return formula;
    return {};
}

/// By name or alias; in whatever case it is written if there is no other.
std::optional<Measure> measure_named(const Measures& measures, std::string_view name) {
    if (auto found = measures.find(name)) return *std::move(found);
    for (auto& measure : measures.all())
        if (is_same_word(measure.name, name)) return std::move(measure);
    if (const auto formula = derived_formula(name); !formula.empty())
        if (auto found = measures.find(formula)) {
            found->name = name;
            return *std::move(found);
        }
    return std::nullopt;
}

/// A condition with all that its words mean.
struct RuleQuestion {
    const Condition* condition = nullptr;
    Measure before, after;
    Patterns patterns;

    [[nodiscard]] bool is_about_functions() const { return condition->subject != Subject::total; }
};

std::int64_t known_calls(const CallCount& count) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(count.known, INT64_MAX));
}

class Gate {
  public:
    explicit Gate(const Diff& diff)
        : diff_(diff), before_(diff.before().profile()), after_(diff.after().profile()) {
        for (const Inlining& inlining : diff.inlinings()) add(inlining);
    }

    tl::expected<RuleResult, GateError> judge(const Rule& rule) const {
        RuleResult result{rule, {}, {}};
        std::map<std::pair<std::optional<MatchId>, std::string>, RuleBreach> breaches;
        for (const auto& conditions : rule.alternatives) {
            for (const auto& event : events_of(conditions)) {
                auto questions = questions_of(conditions, event);
                if (!questions) {
                    questions.error().rule = rule.text;
                    return tl::unexpected(std::move(questions.error()));
                }
                for (auto& breach : breaches_of(*questions))
                    breaches.try_emplace({breach.function, breach.what}, breach);
            }
        }
        for (auto& [key, breach] : breaches) result.breaches.push_back(std::move(breach));
        std::stable_sort(result.breaches.begin(), result.breaches.end(),
                         [](const RuleBreach& a, const RuleBreach& b) {
                             return a.change.magnitude() > b.change.magnitude();
                         });
        return result;
    }

    /// One of its patterns is that of no function.
    [[nodiscard]] bool misses_functions(const Rule& rule) const {
        const auto misses = [&](const Condition& condition) {
            if (condition.pattern.empty()) return false;
            const auto question = question_of(condition, condition.event);
            const auto functions = diff_.functions();
            return question && std::none_of(functions.begin(), functions.end(),
                                            [&](const FunctionMatch& f) { return is_meant(*question, f); });
        };
        return std::any_of(rule.alternatives.begin(), rule.alternatives.end(), [&](const auto& conditions) {
            return std::any_of(conditions.begin(), conditions.end(), misses);
        });
    }

    /// Whether it refers to incomplete call counts, so that a breach may go unnoticed.
    [[nodiscard]] bool asks_for_unknown_calls(const Rule& rule) const {
        const auto is_unknown = [&](const Condition& condition) {
            if (condition.quantity != Quantity::calls) return false;
            const auto question = question_of(condition, {});
            const auto functions = diff_.functions();
            return question && std::any_of(functions.begin(), functions.end(), [&](const FunctionMatch& f) {
                       const auto [before, after] = diff_.call_count(f);
                       return (before.at_least || after.at_least) && is_meant(*question, f);
                   });
        };
        return std::any_of(rule.alternatives.begin(), rule.alternatives.end(), [&](const auto& conditions) {
            return std::any_of(conditions.begin(), conditions.end(), is_unknown);
        });
    }

    tl::expected<RuleQuestion, GateError> question_of(const Condition& condition,
                                                      const std::string& event) const {
        RuleQuestion question;
        question.condition = &condition;
        if (condition.quantity != Quantity::self && condition.subject != Subject::total) {
            const bool before = diff_.before().arc_count() > 0, after = diff_.after().arc_count() > 0;
            if (!before || !after)
                return tl::unexpected(GateError{
                    .rule = {},
                    .is_incomparable = before || after,
                    .message = before  ? "the new profile records no calls"
                               : after ? "the old profile records no calls"
                                       : "the profiles record no calls, so there is no inclusive cost",
                    .hint = "rules about totals and self cost do not need calls"});
        }
        if (condition.quantity != Quantity::calls) {
            auto before = measure_named(before_, event), after = measure_named(after_, event);
            if (!before || !after) {
                const auto* const where = before  ? "the new profile does not record"
                                          : after ? "the old profile does not record"
                                                  : "neither profile records";
                return tl::unexpected(
                    GateError{.rule = {},
                              .is_incomparable = before || after,
                              .message = fmt::format("{} '{}'", where, event),
                              .hint = "'callcost info --events' lists the recorded event types"});
            }
            question.before = *std::move(before);
            question.after = *std::move(after);
        }
        if (!condition.pattern.empty()) {
            auto pattern = parse_pattern(condition.pattern, NameScope::function);
            if (!pattern)
                return tl::unexpected(GateError{
                    .rule = {},
                    .is_incomparable = false,
                    .message = fmt::format("fn({}): {}", condition.pattern, pattern.error().message),
                    .hint = {}});
            question.patterns.push_back(*std::move(pattern));
        }
        return question;
    }

    /// Whether the acceptance is about what the breach is about.
    [[nodiscard]] bool is_about(const RuleQuestion& acceptance, const RuleBreach& breach) const {
        if (acceptance.is_about_functions() != breach.function.has_value()) return false;
        const auto* const function = breach.function ? &diff_.function(*breach.function) : nullptr;
        return breach_of(acceptance, breach.function).what == breach.what &&
               (function == nullptr || is_meant(acceptance, *function));
    }
    /// And whether it covers all of it.
    [[nodiscard]] bool covers(const RuleQuestion& acceptance, const RuleBreach& breach) const {
        return is_about(acceptance, breach) &&
               holds(acceptance, breach.function ? &diff_.function(*breach.function) : nullptr);
    }

  private:
    /// What another function has cost that is part of this one now: of its self cost before, or of what it
    /// lost.
    struct CarriedCost {
        MatchId from;
        double share = 1;
        bool is_loss = false;
    };

    void add(const Inlining& inlining) {
        if (inlining.is_outlined) {
            for (const auto caller : inlining.callers)
                carried_[inlining.function].push_back({caller, 1, true});
            return;
        }
        double grown = 0;
        const auto growth = [&](MatchId id) {
            return std::max(0.0, static_cast<double>(diff_.self(diff_.function(id)).delta()));
        };
        for (const auto caller : inlining.callers) grown += growth(caller);
        for (const auto caller : inlining.callers)
            carried_[caller].push_back({inlining.function, growth(caller) / grown, false});
    }
    [[nodiscard]] Change self_of(const RuleQuestion& question, const FunctionMatch& function) const {
        Change change = diff_.self(function, question.before, question.after);
        const auto carried = carried_.find(function.id);
        if (carried == carried_.end()) return change;
        double more = 0;
        for (const CarriedCost& part : carried->second) {
            const Change other = diff_.self(diff_.function(part.from), question.before, question.after);
            more += part.is_loss ? std::max(0.0, -static_cast<double>(other.delta()))
                                 : part.share * static_cast<double>(other.before);
        }
        constexpr double most = 9e18;
        const auto sum = static_cast<double>(change.before) + more;
        if (std::abs(sum) < most) change.before = std::llround(sum);
        return change;
    }

    /// The one of each condition, or for `@all` each in turn.
    [[nodiscard]] std::vector<std::string> events_of(const std::vector<Condition>& conditions) const {
        const auto all = std::find_if(conditions.begin(), conditions.end(),
                                      [](const Condition& condition) { return condition.all_events; });
        if (all == conditions.end()) return {std::string()};
        std::vector<std::string> names;
        for (const Measure& measure : after_.all()) {
            const bool is_named =
                std::any_of(all->but_events.begin(), all->but_events.end(),
                            [&](const std::string& name) { return is_same_word(name, measure.name); });
            if (measure.additive && measure.formula.empty() && !is_named && before_.find(measure.name))
                names.push_back(measure.name);
        }
        return names;
    }

    tl::expected<std::vector<RuleQuestion>, GateError> questions_of(const std::vector<Condition>& conditions,
                                                                    const std::string& event) const {
        std::vector<RuleQuestion> questions;
        for (const Condition& condition : conditions) {
            auto question = question_of(condition, condition.all_events ? event : condition.event);
            if (!question) return tl::unexpected(std::move(question.error()));
            questions.push_back(*std::move(question));
        }
        return questions;
    }

    [[nodiscard]] std::vector<RuleBreach> breaches_of(const std::vector<RuleQuestion>& questions) const {
        for (const RuleQuestion& question : questions)
            if (!question.is_about_functions() && !holds(question, nullptr)) return {};
        const auto first = std::find_if(questions.begin(), questions.end(),
                                        [](const RuleQuestion& q) { return q.is_about_functions(); });
        if (first == questions.end()) {
            auto breach = breach_of(questions.front(), std::nullopt);
            breach.changed_most = changed_most(questions.front(), breach.change.delta());
            return {std::move(breach)};
        }
        std::vector<RuleBreach> breaches;
        for (const FunctionMatch& function : diff_.functions()) {
            const bool is_breach =
                std::all_of(questions.begin(), questions.end(), [&](const RuleQuestion& question) {
                    return !question.is_about_functions() ||
                           (holds(question, &function) && is_meant(question, function));
                });
            if (is_breach) breaches.push_back(breach_of(*first, function.id));
        }
        return breaches;
    }

    /// In the direction of the change of the total.
    [[nodiscard]] std::optional<MatchId> changed_most(const RuleQuestion& question, Cost total) const {
        std::optional<MatchId> most;
        Cost worst = 0;
        for (const FunctionMatch& function : diff_.functions()) {
            const Cost delta = self_of(question, function).delta();
            if (total > 0 ? delta <= worst : total == 0 || delta >= worst) continue;
            worst = delta;
            most = function.id;
        }
        return most;
    }

    [[nodiscard]] RuleBreach breach_of(const RuleQuestion& question, std::optional<MatchId> id) const {
        const Condition& condition = *question.condition;
        const auto* const function = id ? &diff_.function(*id) : nullptr;
        const char* const kind = !question.is_about_functions()              ? ""
                                 : condition.quantity == Quantity::inclusive ? "inclusive "
                                                                             : "self ";
        return {id, condition.quantity == Quantity::calls ? "calls" : kind + question.after.name,
                change_of(question, function)};
    }

    [[nodiscard]] bool is_meant(const RuleQuestion& question, const FunctionMatch& function) const {
        switch (question.condition->subject) {
            case Subject::total:
            case Subject::every:
                return true;
            case Subject::added:
                return function.is_added();
            case Subject::matching:
                break;
        }
        const auto matches = [&](const CallGraph& graph, const std::vector<NodeId>& nodes) {
            return std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) {
                return engine::any_matches(question.patterns, graph, node);
            });
        };
        return matches(diff_.after(), function.after) || matches(diff_.before(), function.before);
    }

    [[nodiscard]] Change change_of(const RuleQuestion& question, const FunctionMatch* function) const {
        if (function == nullptr)
            return {diff_.before().total(question.before), diff_.after().total(question.after)};
        switch (question.condition->quantity) {
            case Quantity::self:
                return self_of(question, *function);
            case Quantity::inclusive:
                return diff_.inclusive(*function, question.before, question.after);
            case Quantity::calls:
                break;
        }
        const auto [before, after] = diff_.call_count(*function);
        return {known_calls(before), known_calls(after)};
    }

    /// What the limit is compared with.
    [[nodiscard]] double amount(const RuleQuestion& question, const FunctionMatch* function) const {
        const Condition& condition = *question.condition;
        const Change change = change_of(question, function);
        const auto delta = static_cast<double>(change.delta());
        const auto share = [](double part, Cost whole) {
            if (part == 0) return 0.0;
            return whole == 0 ? std::copysign(std::numeric_limits<double>::infinity(), part)
                              : 100 * part / std::abs(static_cast<double>(whole));
        };
        const bool is_calls = condition.quantity == Quantity::calls;
        switch (condition.scale) {
            case Scale::absolute:
                return delta;
            case Scale::after:
                return static_cast<double>(change.after);
            case Scale::share:
                if (condition.subject == Subject::added && !is_calls)
                    return share(delta, diff_.after().total(question.after));
                return share(delta, change.before);
            case Scale::of_total:
                break;
        }
        return share(delta, is_calls ? Cost() : diff_.before().total(question.before));
    }

    [[nodiscard]] bool holds(const RuleQuestion& question, const FunctionMatch* function) const {
        const double value = amount(question, function), limit = question.condition->limit;
        switch (question.condition->relation) {
            case Relation::greater:
                return value > limit;
            case Relation::at_least:
                return value >= limit;
            case Relation::less:
                return value < limit;
            case Relation::at_most:
                break;
        }
        return value <= limit;
    }

    const Diff& diff_;
    Measures before_, after_;
    std::map<MatchId, std::vector<CarriedCost>> carried_;
};

/// Takes what the acceptance covers out of the breaches; how many.
std::size_t acknowledge(const Gate& gate, const RuleQuestion& question, const Acceptance& acceptance,
                        RuleResult& result) {
    const auto covered = [&](const RuleBreach& breach) { return gate.covers(question, breach); };
    const auto first = std::stable_partition(result.breaches.begin(), result.breaches.end(),
                                             [&](const RuleBreach& breach) { return !covered(breach); });
    const auto count = static_cast<std::size_t>(result.breaches.end() - first);
    for (auto breach = first; breach != result.breaches.end(); ++breach)
        result.acknowledged.push_back({std::move(*breach), acceptance.until, acceptance.reason});
    result.breaches.erase(first, result.breaches.end());
    return count;
}

}  // namespace

tl::expected<Judgement, GateError> judge(const Diff& diff, std::span<const Rule> rules,
                                         const Acceptances& acceptances) {
    const Gate gate(diff);
    Judgement judgement;
    for (const Rule& rule : rules) {
        auto result = gate.judge(rule);
        if (!result) return tl::unexpected(std::move(result.error()));
        judgement.rules.push_back(*std::move(result));
        if (gate.misses_functions(rule))
            judgement.notes.push_back(fmt::format("no function matches: {}", rule.text));
        if (gate.asks_for_unknown_calls(rule))
            judgement.notes.push_back(fmt::format("call counts are incomplete: {}", rule.text));
    }
    for (const Acceptance& acceptance : acceptances.all) {
        auto question = gate.question_of(acceptance.condition, acceptance.condition.event);
        if (!question) {
            question.error().rule = acceptance.text;
            return tl::unexpected(std::move(question.error()));
        }
        std::size_t count = 0;
        bool is_exceeded = false;
        const bool is_over = acceptance.until < acceptances.today;
        for (RuleResult& result : judgement.rules)
            if (!is_over && !result.rule.is_about_improvement)
                count += acknowledge(gate, *question, acceptance, result);
        for (const RuleResult& result : judgement.rules)
            for (const RuleBreach& breach : result.breaches)
                is_exceeded = is_exceeded || gate.is_about(*question, breach);
        if (is_over)
            judgement.notes.push_back(
                fmt::format("acceptance expired after {}: {}", acceptance.until, acceptance.text));
        else if (is_exceeded)
            judgement.notes.push_back(fmt::format("acceptance exceeded: {}", acceptance.text));
        else if (count == 0)
            judgement.notes.push_back(fmt::format("acceptance not used: {}", acceptance.text));
    }
    return judgement;
}

}  // namespace callcost::program
