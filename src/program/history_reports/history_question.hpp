/// Which entries of a series a question is about, and which costs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "history/store.hpp"
#include <callcost/change_points.hpp>

namespace callcost::program {

/// Branches go different ways: those of main, master or trunk, the first that there is; else all.
void keep_main_branch(std::vector<Entry>& entries);

/// What the reports are about.
struct HistoryQuestion {
    std::vector<Entry> entries;  ///< of one series, in its order; at least one
    std::string event;
    ChangePointOptions changes{};
    bool by_inclusive = false;
    std::size_t offset = 0, limit = 0;  ///< rows before the first, and rows

    [[nodiscard]] const std::string& series() const { return entries.front().facts.series; }
    [[nodiscard]] std::vector<EntryId> ids() const;
};

/// About those of the entries that record the event type, by default the usual one; others say nothing about
/// it. Nothing if none does. `entries`: of one series, at least one.
[[nodiscard]] Stored<HistoryQuestion> question_about(std::vector<Entry> entries, const std::string& event);

}  // namespace callcost::program
