/// The records of functions in the chosen parts: what they cost by any measures, and the calls and jumps
/// among them, equal ones added up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "call_graph/graph_data.hpp"
#include "callcost/lines.hpp"

namespace callcost {

/// Calls use(record, part) for the records of a function of the profile that belong to the chosen parts, but
/// not for calls that stand for inlined code where that is in its host.
template <class F>
void for_each_record(const CallGraph::Data& data, FunctionId function, F use) {
    RecordCursor cursor = data.profile.records(function);
    const bool skips = data.profile.has_inlined() && !data.inlined;
    for (Record record; cursor.next(record);) {
        if (skips && record.kind == Record::Kind::call && data.is_inlined(record.arc)) continue;
        if (data.is_chosen_part(cursor.part())) use(record, cursor.part());
    }
}

/// What the cost columns of a record come to by each of some measures. Parts differ in their columns (F14).
class RecordCosts {
  public:
    RecordCosts(const ProfileData& data, std::span<const Measure> measures)
        : parts_(data.parts), size_(measures.size()), layout_of_(data.parts.size(), no_row) {
        for (std::uint32_t measure = 0; measure < size_; ++measure)
            for (const auto& [event, factor] : measures[measure].terms)
                uses_.push_back({event, measure, factor});
        std::sort(uses_.begin(), uses_.end(), [](const Use& a, const Use& b) { return a.event < b.event; });
    }

    /// Adds the costs of a record to `sums`, one number per measure. Called for every record of a profile.
    [[gnu::always_inline]] inline void add(PartId part, std::span<const Cost> costs, Cost* sums) {
        if (layout_of_[part.value] == no_row) layout_of_[part.value] = layout(part);
        for (const Cell& cell : layouts_[layout_of_[part.value]].cells)
            if (cell.column < costs.size()) sums[cell.measure] += costs[cell.column] * cell.factor;
    }
    [[nodiscard]] Cost first(PartId part, std::span<const Cost> costs) {
        scratch_.assign(size_ + 1, 0);
        add(part, costs, scratch_.data());
        return scratch_[0];
    }

  private:
    struct Use {
        EventId event;
        std::uint32_t measure;
        std::int64_t factor;
    };
    struct Cell {
        std::uint32_t column;
        std::uint32_t measure;
        std::int64_t factor;
    };
    struct Layout {
        PartId part;  // one that has these columns
        std::vector<Cell> cells;
    };

    std::uint32_t layout(PartId part) {
        const auto& events = parts_[part.value].events;
        // Nearly all parts have the columns of the one before.
        if (!layouts_.empty()) {
            const auto& before = parts_[layouts_.back().part.value].events;
            const bool shared = before.data() == events.data() && before.size() == events.size();
            if (shared || std::equal(before.begin(), before.end(), events.begin(), events.end()))
                return static_cast<std::uint32_t>(layouts_.size() - 1);
        }
        Layout layout{.part = part, .cells = {}};
        for (std::uint32_t column = 0; column < events.size(); ++column) {
            auto use = std::lower_bound(uses_.begin(), uses_.end(), events[column],
                                        [](const Use& a, EventId event) { return a.event < event; });
            for (; use != uses_.end() && use->event == events[column]; ++use)
                layout.cells.push_back({column, use->measure, use->factor});
        }
        layouts_.push_back(std::move(layout));
        return static_cast<std::uint32_t>(layouts_.size() - 1);
    }

    std::span<const Part> parts_;
    std::size_t size_;
    std::vector<Use> uses_;                 // by event
    std::vector<std::uint32_t> layout_of_;  // by part
    std::vector<Layout> layouts_;
    std::vector<Cost> scratch_;
};

/// A call or jump that belongs to row `row` of some table of lines or instructions.
template <class Site>
struct SiteOfRow {
    std::uint32_t row = 0;
    Site site;
};
using CallsOfRows = std::vector<SiteOfRow<CallSite>>;
using JumpsOfRows = std::vector<SiteOfRow<JumpSite>>;

[[nodiscard]] CallSite call_site_of(const CallGraph& graph, const Record& record, Cost cost);
[[nodiscard]] JumpSite jump_site_of(const CallGraph& graph, NodeId node, const Record& record);

/// How close two sites must be to be added up.
enum class SameSite : std::uint8_t {
    line,     ///< the same line; the addresses become 0 where they differ
    address,  ///< the same line and address
};

/// By row; in a row calls are most expensive first, jumps by position.
void merge_calls(const CallGraph& graph, CallsOfRows& calls, SameSite same);
void merge_jumps(const CallGraph& graph, JumpsOfRows& jumps, SameSite same);

}  // namespace callcost
