#include "merge/summed_part.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profile/event_facts.hpp"

namespace callcost {
namespace {

/// What all parts that count say; nothing if they differ.
template <class Say>
auto common(std::span<const RebuildInput> inputs, Say say) {
    using T = decltype(say(std::declval<const Part&>()));
    std::optional<T> all;
    for (const RebuildInput& input : inputs) {
        const auto parts = input.profile->parts();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!input.parts.empty() && !input.parts[i]) continue;
            T said = say(parts[i]);
            if (all && *all != said) return T();
            all = std::move(said);
        }
    }
    return all.value_or(T());
}

bool any_has_addresses(std::span<const RebuildInput> inputs) {
    return std::any_of(inputs.begin(), inputs.end(), [](const RebuildInput& input) {
        const auto parts = input.profile->parts();
        for (std::size_t i = 0; i < parts.size(); ++i)
            if ((input.parts.empty() || input.parts[i]) && has_addresses(parts[i])) return true;
        return false;
    });
}

}  // namespace

bool has_addresses(const Part& part) {
    return std::any_of(part.positions.begin(), part.positions.end(),
                       [](const std::string& column) { return column == "instr" || column == "addr"; });
}

void describe_part(std::span<const RebuildInput> inputs, Part part, const SummedPart& sums,
                   ProfileData& data) {
    data.detail = Detail::full;
    data.total.assign(sums.self.begin(), sums.self.end());
    data.sources.push_back({});
    data.layouts.push_back({});
    // What is a sum already, of files of one program, is its work still.
    const auto creator = common(inputs, [](const Part& one) { return origin_of(one.creator); });
    const auto command = common(inputs, [](const Part& one) { return one.command; });
    part.creator = data.texts.emplace_back(creator);
    part.command = data.texts.emplace_back(command);
    part.descriptions = common(inputs, [](const Part& one) { return one.descriptions; });
    for (const RebuildInput& input : inputs)
        if (!input.description.empty()) part.descriptions.push_back(input.description);
    std::vector<std::string>& positions = data.position_lists.emplace_back();
    if (any_has_addresses(inputs)) positions.emplace_back("instr");
    positions.emplace_back("line");
    part.positions = positions;
    std::vector<EventId>& events = data.event_lists.emplace_back();
    std::vector<std::pair<EventId, Cost>> self, inclusive;
    for (std::size_t i = 0; i < data.events.size(); ++i) {
        events.emplace_back(i);
        self.emplace_back(EventId(i), sums.self[i]);
        inclusive.emplace_back(EventId(i), sums.inclusive[i]);
    }
    part.events = events;
    part.self = Costs(std::move(self));
    part.inclusive_sum = Costs(std::move(inclusive));
    data.parts.push_back(std::move(part));
}

}  // namespace callcost
