// Which functions changed a total.
#include "history_reports/cost_changes.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/program/input/temporary_directory.hpp"

namespace callcost::program {
namespace {

struct Function {
    const char* name;
    std::int64_t self, inclusive;
};

TotalHistory history_of(const std::vector<std::vector<Function>>& entries) {
    const test::TemporaryDirectory directory;
    const auto store = *open_store(directory.path() + "/h.db", StoreUse::write);
    std::int64_t time = 0;
    for (const auto& functions : entries) {
        NewEntry entry;
        entry.facts.series = "s";
        entry.facts.time = ++time;
        entry.profile = std::to_string(time);
        entry.costs.push_back({"Ir", 0, {}});
        for (const Function& function : functions) {
            entry.functions.push_back({function.name, "app", "a.c"});
            entry.costs.front().functions.push_back({function.self, function.inclusive, 1});
            entry.costs.front().total += function.self;
        }
        EXPECT_TRUE(store->add(entry, false));
    }
    return *total_history(*store, *question_about(*store->entries("s"), "Ir"), 10);
}

/// main calls run, which calls parse, which calls twenty functions of the same cost each.
std::vector<Function> program(std::int64_t each) {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        all.reserve(20);
        for (int i = 0; i < 20; ++i) all.push_back("leaf" + std::to_string(i));
        return all;
    }();
    std::vector<Function> functions = {{"main", 500, 1900 + 20 * each},
                                       {"run", 300, 400 + 20 * each},
                                       {"parse", 100, 100 + 20 * each},
                                       {"other", 1000, 1000}};
    for (const auto& name : names) functions.push_back({name.c_str(), each, each});
    return functions;
}

TEST(TotalHistory, names_an_inclusive_cause_where_self_costs_say_little) {
    const auto history = history_of({program(10), program(15)});
    ASSERT_EQ(history.changes.size(), 1U);
    const auto& change = history.changes.front();
    EXPECT_EQ(change.functions.size(), 3U);
    ASSERT_TRUE(change.inclusive);
    EXPECT_EQ(change.inclusive->function.name, "parse") << "main and run only pass it on";
    EXPECT_EQ(change.inclusive->cost, (Change{300, 400}));
}

TEST(TotalHistory, names_none_where_a_self_cost_says_it) {
    auto now = program(10);
    now[3] = {"other", 2000, 2000};
    const auto history = history_of({program(10), now});
    ASSERT_EQ(history.changes.size(), 1U);
    EXPECT_EQ(history.changes.front().functions.front().function.name, "other");
    EXPECT_FALSE(history.changes.front().inclusive);
}

}  // namespace
}  // namespace callcost::program
