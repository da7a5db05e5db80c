#include "merge/summed_part.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/event_facts.hpp"

namespace callcost {
namespace {

/// Calls `see` for all parts that count.
template <class See>
void for_each_part(std::span<const RebuildInput> inputs, See see) {
    for (const RebuildInput& input : inputs) {
        const auto parts = input.profile->parts();
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (input.parts.empty() || input.parts[i]) see(parts[i]);
    }
}

/// What all parts that count say; nothing if they differ.
template <class Say>
auto common(std::span<const RebuildInput> inputs, Say say) {
    using T = decltype(say(std::declval<const Part&>()));
    std::optional<T> all;
    bool is_common = true;
    for_each_part(inputs, [&](const Part& part) {
        if (!is_common) return;
        T said = say(part);
        is_common = !all || *all == said;
        all = std::move(said);
    });
    return is_common ? all.value_or(T()) : T();
}

/// Who measured. What is a sum already, of files of one program, is its work still. Files of several versions
/// of Callgrind are Callgrind's: "callgrind-3.19.0, callgrind-3.22.0".
std::string common_origin(std::span<const RebuildInput> inputs) {
    constexpr std::string_view callgrind = "callgrind-", next = ", callgrind-";
    std::set<std::string_view> origins, versions;
    for_each_part(inputs, [&](const Part& part) { origins.insert(origin_of(part)); });
    if (origins.size() == 1) return std::string(*origins.begin());
    for (std::string_view origin : origins) {
        if (!origin.starts_with(callgrind)) return {};
        for (std::size_t end = origin.find(next); end != std::string_view::npos; end = origin.find(next)) {
            versions.insert(origin.substr(0, end));
            origin.remove_prefix(end + next.size() - callgrind.size());
        }
        versions.insert(origin);
    }
    std::string all;
    for (const std::string_view version : versions) all.append(all.empty() ? "" : ", ").append(version);
    return all;
}

bool any_has_addresses(std::span<const RebuildInput> inputs) {
    bool any = false;
    for (const RebuildInput& input : inputs)
        if (input.lines)
            for_each_part({&input, 1}, [&any](const Part& part) { any = any || has_addresses(part); });
    return any;
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
    const auto creator = common_origin(inputs);
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
