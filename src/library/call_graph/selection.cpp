// Which parts count, and what functions and arcs cost in these parts alone (F81).
#include <algorithm>
#include <map>
#include <string>

#include "call_graph/graph_data.hpp"

namespace callcost {
namespace {

constexpr std::uint64_t default_part = 1;
constexpr std::uint64_t default_thread = 1;
constexpr std::uint64_t default_pid = 0;

class NumberFilter {
  public:
    explicit NumberFilter(std::vector<std::uint64_t> numbers) : numbers_(std::move(numbers)) {
        std::sort(numbers_.begin(), numbers_.end());
    }
    [[nodiscard]] bool passes(std::uint64_t number) const {
        return numbers_.empty() || std::binary_search(numbers_.begin(), numbers_.end(), number);
    }

  private:
    std::vector<std::uint64_t> numbers_;
};

/// `part 1-3, 7`: the numbers there are, in as few words as possible.
void describe(std::string& out, std::string_view what, std::vector<std::uint64_t> numbers) {
    constexpr int max_ranges = 10;
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    if (!out.empty()) out += "; ";
    out += what;
    int ranges = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t first = i;
        while (i + 1 < numbers.size() && numbers[i + 1] == numbers[i] + 1) ++i;
        out += ranges == 0 ? " " : ", ";
        if (++ranges > max_ranges) {
            out += "...";
            return;
        }
        out += std::to_string(numbers[first]);
        if (i != first) out += (i == first + 1 ? ", " : "-") + std::to_string(numbers[i]);
    }
}

std::string what_there_is(const Profile& profile) {
    std::vector<std::uint64_t> parts;
    std::vector<std::uint64_t> threads;
    std::vector<std::uint64_t> pids;
    for (const Part& part : profile.parts()) {
        parts.push_back(part.part.number.value_or(default_part));
        threads.push_back(part.thread.number.value_or(default_thread));
        pids.push_back(part.pid.number.value_or(default_pid));
    }
    std::string text;
    describe(text, "part", std::move(parts));
    describe(text, "thread", std::move(threads));
    describe(text, "pid", std::move(pids));
    return text;
}

Costs total_of(const Profile& profile, std::span<const PartId> parts) {
    std::vector<std::pair<EventId, Cost>> cells;
    for (const PartId part : parts) {
        const auto more = profile.parts()[part.value].self.cells();
        cells.insert(cells.end(), more.begin(), more.end());
    }
    return Costs(std::move(cells));
}

/// InlinedPlace::entries of the chosen parts.
class Entries {
  public:
    explicit Entries(const ProfileData& columns) : inlined_(columns.inlined) {
        for (std::size_t row = 0; row < inlined_.rows.size(); ++row)
            if (inlined_.rows[row].entries) found_[{inlined_.hosts[row], inlined_.rows[row].entry}] = 0;
        for (std::size_t event = 0; event < columns.events.size(); ++event)
            if (columns.events[event].name == "Ir") instructions_ = EventId(event);
    }
    void add(FunctionId function, const Record& record, std::span<const EventId> events) {
        if (found_.empty() || record.kind != Record::Kind::cost) return;
        const auto entry = found_.find({inlined_.host(function), record.address});
        if (entry == found_.end()) return;
        for (std::size_t i = 0; i < record.costs.size(); ++i)
            if (events[i] == instructions_) entry->second += record.costs[i].magnitude();
    }
    [[nodiscard]] std::vector<std::uint64_t> counts() const {
        std::vector<std::uint64_t> counts(inlined_.rows.size(), 0);
        for (std::size_t row = 0; row < counts.size(); ++row)
            if (inlined_.rows[row].entries)
                counts[row] = found_.at({inlined_.hosts[row], inlined_.rows[row].entry});
        return counts;
    }

  private:
    const InlinedRows& inlined_;
    EventId instructions_;
    std::map<std::pair<FunctionId, std::uint64_t>, std::uint64_t> found_;  // by host and address
};

std::unique_ptr<PartialCosts> costs_of_parts(const CallGraph::Data& data) {
    const ProfileData& columns = data.columns();
    const std::size_t functions = columns.functions.size();
    const std::size_t arcs = columns.arcs.size();
    auto costs = std::make_unique<PartialCosts>();
    costs->self.set_columns(columns.events.size());
    costs->arcs.set_columns(columns.events.size());
    costs->self.grow(functions);
    costs->arcs.grow(arcs);
    costs->located.set_columns(columns.events.size());
    costs->located.grow(columns.file_names.size());
    costs->counts.resize(arcs);
    costs->has_records.resize(functions, false);
    costs->has_calls.resize(arcs, false);

    Entries entries(columns);
    for (std::size_t row = 0; row < functions; ++row) {
        RecordCursor cursor = data.profile.records(FunctionId(row));
        for (Record record; cursor.next(record);) {
            if (!data.is_chosen[cursor.part().value]) continue;
            costs->has_records[row] = true;
            entries.add(FunctionId(row), record, columns.parts[cursor.part().value].events);
            const bool is_call = record.kind == Record::Kind::call;
            if (is_call) {
                costs->counts[record.arc.value].add(CallCount::of(record.count));  // F57
                costs->has_calls[record.arc.value] = true;
            } else if (record.kind == Record::Kind::jump) {
                continue;
            }
            CostTable& table = is_call ? costs->arcs : costs->self;
            const std::size_t to = is_call ? record.arc.value : row;
            const auto& events = columns.parts[cursor.part().value].events;
            const std::size_t size = std::min(record.costs.size(), events.size());
            for (std::size_t column = 0; column < size; ++column)
                table.add(to, events[column].value, record.costs[column]);
            if (is_call) continue;
            for (std::size_t column = 0; column < size; ++column)
                costs->located.add(record.file.value, events[column].value, record.costs[column]);
        }
    }
    costs->entries = entries.counts();
    return costs;
}

}  // namespace

std::vector<PartId> selected_parts(const Profile& profile, const Selection& selection) {
    const NumberFilter parts(selection.parts);
    const NumberFilter threads(selection.threads);
    const NumberFilter pids(selection.pids);
    const NumberFilter rows(selection.rows);
    std::vector<PartId> chosen;
    const auto all = profile.parts();
    for (std::size_t row = 0; row < all.size(); ++row) {
        const Part& part = all[row];
        if (parts.passes(part.part.number.value_or(default_part)) &&
            threads.passes(part.thread.number.value_or(default_thread)) &&
            pids.passes(part.pid.number.value_or(default_pid)) && rows.passes(row))
            chosen.emplace_back(row);
    }
    return chosen;
}

Result<void> choose_parts(CallGraph::Data& data, const Selection& selection) {
    data.parts = selected_parts(data.profile, selection);
    const std::size_t all = data.profile.parts().size();
    if (data.parts.size() == all) {
        data.total = total_of(data.profile, data.parts);
        return {};
    }
    if (data.parts.empty())
        return tl::unexpected(
            Error{.code = ErrorCode::nothing_selected, .detail = what_there_is(data.profile)});
    if (data.profile.detail() != Detail::full)
        return tl::unexpected(Error{.code = ErrorCode::needs_detail, .detail = {}});

    data.is_chosen.assign(all, false);
    for (const PartId part : data.parts) data.is_chosen[part.value] = true;
    data.total = total_of(data.profile, data.parts);
    data.partial = costs_of_parts(data);
    data.self = &data.partial->self;
    data.arc_costs = &data.partial->arcs;
    data.located = &data.partial->located;
    return {};
}

}  // namespace callcost
