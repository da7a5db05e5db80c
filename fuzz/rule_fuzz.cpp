// What people write after --fail-if and into files of acceptances: it is a rule, or it is said where it is
// none.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "blocks.hpp"
#include "comparison/rule.hpp"
#include "record_sums.hpp"

namespace callcost::fuzz {
namespace {

void demand_place(const program::RuleError& error, std::string_view line) {
    demand(error.column >= 1 && error.column <= line.size() + 1);
    demand(!error.message.empty() && !error.hint.empty());
}

void demand_conditions(const program::Rule& rule) {
    demand(!rule.alternatives.empty());
    for (const auto& conditions : rule.alternatives) {
        demand(!conditions.empty());
        for (const program::Condition& condition : conditions) {
            demand((condition.subject == program::Subject::matching) == !condition.pattern.empty());
            const bool has_event = !condition.event.empty() || condition.all_events;
            demand(has_event == (condition.quantity != program::Quantity::calls));
        }
    }
}

void try_rule(std::string_view text) {
    const auto rules = program::parse_rules(text);
    if (!rules) return demand_place(rules.error(), text);
    demand(!rules->empty());
    for (const program::Rule& rule : *rules) {
        demand_conditions(rule);
        demand(program::parse_rules(rule.text).has_value());  // a report quotes it
    }
}

void try_acceptances(std::string_view text) {
    const auto accepted = program::parse_acceptances(text);
    if (!accepted) {
        const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
        demand(accepted.error().line >= 1 && accepted.error().line <= lines);
        return;
    }
    for (const program::Acceptance& acceptance : *accepted)
        demand(program::is_date(acceptance.until) && !acceptance.reason.empty() && !acceptance.text.empty());
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    callcost::fuzz::try_rule(text);
    callcost::fuzz::try_acceptances(text);
    return 0;
}
