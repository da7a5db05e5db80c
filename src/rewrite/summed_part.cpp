#include "rewrite/summed_part.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callcost {
namespace {

/// What all parts that count say; nothing if they differ.
template <class T>
T common(std::span<const RebuildInput> inputs, T Part::*what) {
    std::optional<T> all;
    for (const RebuildInput& input : inputs) {
        const auto parts = input.profile->parts();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!input.parts.empty() && !input.parts[i]) continue;
            if (all && *all != parts[i].*what) return {};
            all = parts[i].*what;
        }
    }
    return all.value_or(T());
}

bool has_column(std::span<const RebuildInput> inputs, std::string_view name) {
    return std::any_of(inputs.begin(), inputs.end(), [&](const RebuildInput& input) {
        const auto parts = input.profile->parts();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto columns = parts[i].positions;
            const bool counts = input.parts.empty() || input.parts[i];
            if (counts && std::find(columns.begin(), columns.end(), name) != columns.end()) return true;
        }
        return false;
    });
}

}  // namespace

void describe_part(std::span<const RebuildInput> inputs, Part part, const PartSums& sums, ProfileData& data) {
    data.detail = Detail::full;
    data.total.assign(sums.self.begin(), sums.self.end());
    data.sources.push_back({});
    data.layouts.push_back({});
    for (std::string_view Part::*text : {&Part::creator, &Part::command})
        part.*text = data.texts.emplace_back(common(inputs, text));
    part.descriptions = common(inputs, &Part::descriptions);
    for (const RebuildInput& input : inputs)
        if (!input.description.empty()) part.descriptions.push_back(input.description);
    std::vector<std::string>& positions = data.position_lists.emplace_back();
    if (has_column(inputs, "instr")) positions.emplace_back("instr");
    positions.emplace_back("line");
    part.positions = positions;
    std::vector<EventId>& events = data.event_lists.emplace_back();
    std::vector<std::pair<EventId, std::int64_t>> self, inclusive;
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
