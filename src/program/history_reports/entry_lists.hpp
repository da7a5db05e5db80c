/// Lists of what a history holds: its series, and the entries of one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "history/store.hpp"
#include "terminal/terminal.hpp"
#include "terminal/text_table.hpp"
#include "text/json.hpp"

namespace callcost::program {

/// The event type of `wanted`, or the one that is recorded by most entries; of several the first one, as
/// profiles have them. Empty if there is none.
[[nodiscard]] std::string event_of(const std::vector<Entry>& entries, const std::string& wanted);

/// Its cost by entry; nothing where it is not recorded.
[[nodiscard]] std::vector<std::optional<Cost>> totals_of(const std::vector<Entry>& entries,
                                                         const std::string& event);

/// By entry, the place of the one before of the same branch.
[[nodiscard]] std::vector<std::optional<std::size_t>> places_before(const std::vector<Entry>& entries);

/// `+1.5%`, `=`; empty if there is no share of 0.
[[nodiscard]] std::string change_text(Cost before, Cost after);

/// Whether any has one, so that there is a column for them.
[[nodiscard]] bool has_subjects(const std::vector<Entry>& entries);
[[nodiscard]] Cell subject_cell(const Entry& entry);

/// The commit, abbreviated, with a + if it was modified; without one the time.
[[nodiscard]] std::string entry_label(const EntryFacts& facts);

void write_series(std::string& out, const std::vector<SeriesFacts>& series, const OutputOptions& options,
                  const engine::Style& style);
/// `entries` in their order; text has the newest `limit` of them, newest first.
void write_entries(std::string& out, const std::vector<Entry>& entries, const std::string& event,
                   std::size_t limit, const OutputOptions& options, const engine::Style& style);

/// The members of an entry: `"commit": ..., "branch": ..., ...`.
void write_entry_facts(engine::JsonWriter& json, const Entry& entry);

}  // namespace callcost::program
