#include "merge/united_events.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace callcost {
namespace {

// More would make each line of the result much longer than it was.
constexpr std::size_t max_of_differing_lists = 64;

constexpr std::array<std::string_view, 28> usual_order{
    "Ir",      "Dr",      "Dw",    "I1mr",  "D1mr",  "D1mw",  "ILmr",  "DLmr",    "DLmw",    "I2mr",
    "D2mr",    "D2mw",    "ILdmr", "DLdmr", "DLdmw", "I2dmr", "D2dmr", "D2dmw",   "AcCost1", "SpLoss1",
    "AcCost2", "SpLoss2", "Bc",    "Bcm",   "Bi",    "Bim",   "Ge",    "sysCount"};

auto place_of(const EventType& event) {
    const auto known = std::find(usual_order.begin(), usual_order.end(), event.name);
    return std::tuple(known - usual_order.begin(), std::string_view(event.name));
}

/// The smaller of two texts, but any text rather than none: the same whatever comes first.
void settle(std::string& text, const std::string& other) {
    if (text.empty() || (!other.empty() && other < text)) text = other;
}

/// Every name once, sorted.
std::vector<EventType> union_of(std::span<const Profile* const> profiles) {
    std::map<std::string_view, EventType> by_name;
    for (const Profile* profile : profiles) {
        for (const EventType& event : profile->events()) {
            const auto [entry, is_new] = by_name.try_emplace(event.name, event);
            if (is_new) continue;
            settle(entry->second.long_name, event.long_name);
            settle(entry->second.unit, event.unit);
            entry->second.aggregation = std::max(entry->second.aggregation, event.aggregation);
        }
    }
    std::vector<EventType> events;
    events.reserve(by_name.size());
    for (auto& [name, event] : by_name) events.push_back(std::move(event));
    return events;
}

/// The names of those that can be combined: the others have no say in the order, as a sum may lack them.
std::vector<std::string_view> names_of(std::span<const EventType> events,
                                       const std::vector<EventType>& united) {
    std::set<std::string_view> odd;
    for (const EventType& event : united)
        if (!can_be_combined(event)) odd.insert(event.name);
    std::vector<std::string_view> names;
    for (const EventType& event : events)
        if (!odd.contains(event.name)) names.emplace_back(event.name);
    return names;
}

bool part_lists_differ(const Profile& profile) {
    return std::any_of(profile.parts().begin(), profile.parts().end(), [&](const Part& part) {
        return !std::equal(part.events.begin(), part.events.end(), profile.parts()[0].events.begin(),
                           profile.parts()[0].events.end());
    });
}

std::vector<EventFormula> formulas_of(std::span<const Profile* const> profiles) {
    std::map<std::string_view, EventFormula> by_name;
    for (const Profile* profile : profiles) {
        for (const EventFormula& formula : profile->formulas()) {
            const auto [entry, is_new] = by_name.try_emplace(formula.name, formula);
            const auto rank = [](const EventFormula& f) { return std::tie(f.formula, f.long_name); };
            if (!is_new && rank(formula) < rank(entry->second)) entry->second = formula;
        }
    }
    std::vector<EventFormula> formulas;
    formulas.reserve(by_name.size());
    for (auto& [name, formula] : by_name) formulas.push_back(std::move(formula));
    return formulas;
}

}  // namespace

bool can_be_combined(const EventType& event) {
    return event.aggregation != Aggregation::ratio && event.aggregation != Aggregation::snapshot;
}

Result<UnitedEvents> unite_events(std::span<const Profile* const> profiles, OddColumns odd_columns) {
    UnitedEvents united;
    united.formulas = formulas_of(profiles);
    united.events = union_of(profiles);
    const auto first = profiles[0]->events();
    const auto names = names_of(first, united.events);
    const bool are_equal = std::all_of(profiles.begin(), profiles.end(), [&](const Profile* profile) {
        return names_of(profile->events(), united.events) == names;
    });
    const bool parts_differ = std::any_of(profiles.begin(), profiles.end(),
                                          [](const Profile* profile) { return part_lists_differ(*profile); });
    if ((!are_equal || parts_differ) && united.events.size() > max_of_differing_lists)
        return tl::unexpected(
            Error{.code = ErrorCode::too_large,
                  .detail = std::to_string(united.events.size()) + " event types in lists that differ"});

    std::map<std::string_view, std::size_t> position;
    if (are_equal) {
        if (profiles.size() == 1) {
            for (std::size_t i = 0; i < first.size(); ++i) position[first[i].name] = i;
        } else {
            for (std::size_t i = 0; i < names.size(); ++i) position[names[i]] = i;
        }
        const auto rank = [&](const EventType& event) {
            const auto known = position.find(event.name);
            const std::size_t place = known == position.end() ? first.size() : known->second;
            return std::tuple(place, std::string_view(event.name));
        };
        std::sort(united.events.begin(), united.events.end(),
                  [&](const EventType& a, const EventType& b) { return rank(a) < rank(b); });
    } else {
        std::sort(united.events.begin(), united.events.end(),
                  [](const EventType& a, const EventType& b) { return place_of(a) < place_of(b); });
    }
    if (odd_columns == OddColumns::leave_out)
        std::erase_if(united.events, [](const EventType& event) { return !can_be_combined(event); });

    position.clear();
    for (std::size_t i = 0; i < united.events.size(); ++i) position[united.events[i].name] = i;
    for (const Profile* profile : profiles) {
        std::vector<std::uint32_t>& columns = united.columns.emplace_back();
        for (const EventType& event : profile->events()) {
            const auto found = position.find(event.name);
            columns.push_back(found == position.end() ? UnitedEvents::left_out
                                                      : static_cast<std::uint32_t>(found->second));
        }
    }
    return united;
}

}  // namespace callcost
