#include "text/profile_facts.hpp"

#include <algorithm>
#include <unordered_set>

namespace callcost::engine {

std::vector<const Part*> selected_part_facts(const CallGraph& graph) {
    std::vector<const Part*> parts;
    for (const auto part : graph.parts()) parts.push_back(&graph.profile().parts()[part.value]);
    return parts;
}

std::string_view thread_name(const Part& part) {
    constexpr std::string_view key = "Thread name: ";
    for (const std::string_view description : part.descriptions)
        if (description.starts_with(key)) return description.substr(key.size());
    return {};
}

std::string_view part_details_title(const std::vector<const Part*>& parts) {
    const bool has_names =
        std::any_of(parts.begin(), parts.end(), [](const Part* part) { return !thread_name(*part).empty(); });
    return has_names ? "name, time range, trigger" : "time range, trigger";
}

PartSums add_up(const std::vector<const Part*>& parts) {
    PartSums sums;
    std::vector<std::pair<EventId, Cost>> self, inclusive;
    for (const auto* part : parts) {
        sums.call_records += part->call_records;
        sums.call_count += part->call_count;
        sums.calls_at_least = sums.calls_at_least || part->calls_at_least;
        sums.cost_lines += part->cost_lines;
        sums.jumps += part->jumps;
        self.insert(self.end(), part->self.cells().begin(), part->self.cells().end());
        inclusive.insert(inclusive.end(), part->inclusive_sum.cells().begin(),
                         part->inclusive_sum.cells().end());
    }
    sums.self = Costs(std::move(self));
    sums.inclusive = Costs(std::move(inclusive));
    return sums;
}

bool EventsOfParts::has(const Part& part, EventId event) {
    auto& events = sorted_[part.events.data()];
    if (events.empty()) {
        events.assign(part.events.begin(), part.events.end());
        std::sort(events.begin(), events.end());
    }
    return std::binary_search(events.begin(), events.end(), event);
}

DeclaredTotal declared(const std::vector<const Part*>& parts, EventId event, std::optional<Costs> Part::*line,
                       EventsOfParts& events) {
    DeclaredTotal result;
    for (const auto* part : parts) {
        const auto& costs = part->*line;
        if (!costs || !events.has(*part, event)) continue;
        result.any = true;
        result.declared += (*costs)[event];
        result.lines += part->self[event];
    }
    return result;
}

std::string_view first_text(const std::vector<const Part*>& parts, std::string_view Part::*line) {
    for (const auto* part : parts) {
        if (const auto text = part->*line; !text.empty()) return text;
    }
    return {};
}

std::vector<std::string_view> position_names(const std::vector<const Part*>& parts) {
    std::vector<std::string_view> all;
    std::unordered_set<std::string_view> known;
    const std::string* last = nullptr;  // parts inherit the line
    for (const auto* part : parts) {
        if (part->positions.data() == last) continue;
        last = part->positions.data();
        for (const auto& position : part->positions) {
            if (known.insert(position).second) all.emplace_back(position);
        }
    }
    return all;
}

bool has_nested_calls(const CallGraph& graph, NodeId node, const Measure& measure) {
    Cost of_calls;
    bool is_recursive = false;
    for (const ArcId arc : graph.callers(node)) {
        of_calls += graph.cost(arc, measure);
        is_recursive = is_recursive || graph.recursive(arc);
    }
    return is_recursive && of_calls != graph.inclusive(node, measure);
}

bool is_cachegrind(const CallGraph& graph) {
    const auto parts = selected_part_facts(graph);
    const auto is_its = [](const Part* part) { return part->dialect == Dialect::cachegrind; };
    return !parts.empty() && std::all_of(parts.begin(), parts.end(), is_its);
}

std::size_t more_callers(const CallGraph& graph) {
    constexpr std::size_t first = 3, most = 24;
    const auto parts = selected_part_facts(graph);
    if (std::none_of(parts.begin(), parts.end(),
                     [](const Part* part) { return part->dialect == Dialect::callgrind; }))
        return 0;
    const ContextNames contexts(graph.profile());
    std::size_t recorded = 0;
    for (std::size_t row = 0; contexts.any() && row < graph.profile().function_count(); ++row)
        recorded = std::max(recorded, contexts.split(FunctionId(row)).callers);
    return recorded >= most ? 0 : std::clamp(2 * recorded, first, most);
}

std::size_t known_files(const Profile& profile) {
    return profile.file_count() - std::min<std::size_t>(profile.file_count(), 1);
}

std::size_t known_objects(const Profile& profile) {
    return profile.object_count() - std::min<std::size_t>(profile.object_count(), 1);
}

}  // namespace callcost::engine
