// Which event type a history is measured by.
#include "history_reports/entry_lists.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace callcost::program {
namespace {

using Totals = std::vector<std::pair<std::string, Cost>>;

std::vector<Entry> entries_with(const std::vector<Totals>& all) {
    std::vector<Entry> entries;
    for (const Totals& totals : all) {
        Entry& entry = entries.emplace_back();
        for (const auto& [event, total] : totals) {
            entry.totals.emplace(event, total);
            entry.events.push_back(event);
        }
    }
    return entries;
}

TEST(EventOfEntries, is_the_first_one_of_the_profile) {
    const auto entries = entries_with({{{"time", 5}, {"bytes", 7}, {"allocations", 2}}});
    EXPECT_EQ(event_of(entries, ""), "time") << "not the first by name";
    EXPECT_EQ(event_of(entries, "bytes"), "bytes");
}

TEST(EventOfEntries, is_one_that_has_costs_in_most_entries) {
    EXPECT_EQ(event_of(entries_with({{{"idle", 0}, {"time", 5}, {"bytes", 7}}}), ""), "time");
    EXPECT_EQ(event_of(entries_with({{{"a", 1}, {"b", 1}}, {{"b", 1}}, {{"c", 1}, {"b", 2}}}), ""), "b");
    EXPECT_EQ(event_of(entries_with({{{"a", 1}, {"b", 1}}, {{"b", 1}, {"a", 1}}}), ""), "b")
        << "of the newest";
    EXPECT_EQ(event_of(entries_with({{{"Dr", 1}, {"Ir", 1}}}), ""), "Ir");
    EXPECT_EQ(event_of({}, ""), "");
}

}  // namespace
}  // namespace callcost::program
