/// Header fields and sums of the selected parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <callcost/call_graph.hpp>
#include <callcost/groups.hpp>
#include <callcost/profile.hpp>

namespace callcost::engine {

[[nodiscard]] std::vector<const Part*> selected_part_facts(const CallGraph& graph);

/// `desc: Thread name:` (F92); empty: none.
[[nodiscard]] std::string_view thread_name(const Part& part);
/// What lists of parts have in their last column.
[[nodiscard]] std::string_view part_details_title(const std::vector<const Part*>& parts);

struct PartSums {
    std::uint64_t call_records = 0;
    std::uint64_t call_count = 0;
    bool calls_at_least = false;
    std::uint64_t cost_lines = 0;
    std::uint64_t jumps = 0;
    Costs self;
    Costs inclusive;
};
[[nodiscard]] PartSums add_up(const std::vector<const Part*>& parts);

/// Which part has which event type. Parts inherit their `events:` line, so each line is put in order once.
class EventsOfParts {
  public:
    [[nodiscard]] bool has(const Part& part, EventId event);

  private:
    std::unordered_map<const EventId*, std::vector<EventId>> sorted_;  // by where the line is kept
};

/// What the parts declare on their `summary:` or `totals:` lines, against the sum of the cost lines of just
/// those parts that have one.
struct DeclaredTotal {
    bool any = false;
    Cost declared = 0;
    Cost lines = 0;
};
[[nodiscard]] DeclaredTotal declared(const std::vector<const Part*>& parts, EventId event,
                                     std::optional<Costs> Part::*line, EventsOfParts& events);

/// What the first part that has such a line says.
[[nodiscard]] std::string_view first_text(const std::vector<const Part*>& parts,
                                          std::string_view Part::*line);

/// All position columns that occur, in order of appearance.
[[nodiscard]] std::vector<std::string_view> position_names(const std::vector<const Part*>& parts);

/// True if the profile has calls, so that there are inclusive costs. All of them may be within one group.
[[nodiscard]] inline bool has_calls(const CallGraph& graph) {
    return graph.arc_count() > 0 || (is_of_groups(graph) && graph.profile().arc_count() > 0);
}
/// Nothing if no call is counted, or the profile has no calls at all.
[[nodiscard]] inline std::optional<std::uint64_t> known_calls(const CallGraph& graph,
                                                              const CallCount& count) {
    const bool is_unknown = (count.at_least && count.known == 0) || !has_calls(graph);
    return is_unknown ? std::nullopt : std::optional(count.known);
}
/// Cycles count from 1; nothing for none.
[[nodiscard]] inline std::optional<std::uint64_t> cycle_number(CycleId cycle) {
    return cycle.valid() ? std::optional(std::uint64_t{cycle.value} + 1) : std::nullopt;
}
/// Whether calls of the function are nested in each other, so that all of them cost more than its inclusive
/// cost, which over the number of calls is not what one costs.
[[nodiscard]] bool has_nested_calls(const CallGraph& graph, NodeId node, const Measure& measure);
/// Whether rows have an inclusive cost under this measure.
[[nodiscard]] inline bool has_inclusive(const CallGraph& graph, const Measure& measure) {
    return measure.additive && has_calls(graph);
}
/// True if every selected part is Cachegrind's, which records no calls.
[[nodiscard]] bool is_cachegrind(const CallGraph& graph);

/// By how many callers to keep functions apart (F72), so that more of a tree is certain than of this profile:
/// what `record --callers` takes. 0: it is not Callgrind's, or by very many already.
[[nodiscard]] std::size_t more_callers(const CallGraph& graph);

/// Without the unknown one.
[[nodiscard]] std::size_t known_files(const Profile& profile);
[[nodiscard]] std::size_t known_objects(const Profile& profile);

}  // namespace callcost::engine
