// Functions that are one over the entries of a series, wherever these were built.
#include "history/common_costs.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/program/input/temporary_directory.hpp"

namespace callcost::program {
namespace {

using testing::ElementsAre;

struct Placed {
    const char* name;
    const char* object;
    const char* file;
    std::int64_t self;
};

class CommonCosts : public testing::Test {
  protected:
    void add(const std::vector<Placed>& functions) {
        NewEntry entry;
        entry.facts.series = "s";
        entry.facts.time = ++time_;
        entry.profile = std::to_string(time_);
        entry.costs.push_back({"Ir", 0, {}});
        for (const Placed& function : functions) {
            entry.functions.push_back({function.name, function.object, function.file});
            entry.costs.front().functions.push_back({function.self, function.self, 0});
        }
        ASSERT_TRUE(store_->add(entry, false));
    }
    /// `f a.c [app]: 1 - 3`, self costs by entry.
    std::vector<std::string> costs(const std::function<bool(const StoredFunction&)>& where = {}) {
        std::vector<EntryId> ids;
        const auto entries = store_->entries("s");
        for (const Entry& entry : *entries) ids.push_back(entry.id);
        std::vector<std::string> lines;
        EXPECT_TRUE(common_costs(*store_, {"s", "Ir", ids, where}, [&](const StoredFunction& f, auto values) {
            auto line = f.name + ' ' + f.file + " [" + f.object + "]:";
            for (const auto& value : values) line += value ? " " + std::to_string(value->self) : " -";
            lines.push_back(line);
        }));
        return lines;
    }

  private:
    test::TemporaryDirectory directory_;
    std::unique_ptr<Store> store_ = *open_store(directory_.path() + "/h.db", StoreUse::write);
    std::int64_t time_ = 0;
};

TEST_F(CommonCosts, are_of_one_function_in_all_checkouts) {
    add({{"f", "/tmp/app-1.0/app", "/tmp/app-1.0/a/util.c", 1},
         {"f", "/tmp/app-1.0/app", "/tmp/app-1.0/b/util.c", 10}});
    add({{"f", "/tmp/app-1.1/app", "/tmp/app-1.1/a/util.c", 2},
         {"f", "/tmp/app-1.1/app", "/tmp/app-1.1/b/util.c", 20},
         {"g", "/tmp/app-1.1/app", "/tmp/app-1.1/b/util.c", 7}});
    add({{"f", "./app", "a/util.c", 3}, {"f", "./app", "b/util.c", 30}});
    EXPECT_THAT(costs(), ElementsAre("f a/util.c [./app]: 1 2 3", "f b/util.c [./app]: 10 20 30",
                                     "g b/util.c [./app]: - 7 -"));
    EXPECT_THAT(costs([](const StoredFunction& f) { return f.file == "/tmp/app-1.0/a/util.c"; }),
                ElementsAre("f a/util.c [./app]: 1 2 3"))
        << "any name finds it";
}

TEST_F(CommonCosts, of_functions_that_moved_within_the_tree_are_apart) {
    add({{"f", "app", "/p/a/x.c", 1}, {"main", "app", "/p/main.c", 5}});
    add({{"f", "app", "/p/b/x.c", 2}, {"main", "app", "/p/main.c", 5}});
    EXPECT_THAT(costs(),
                ElementsAre("f /p/a/x.c [app]: 1 -", "f /p/b/x.c [app]: - 2", "main /p/main.c [app]: 5 5"));
}

TEST_F(CommonCosts, of_functions_in_one_entry_are_never_added_up) {
    add({{"f", "/lib/libx.so.1", "x.c", 1}, {"main", "app", "m.c", 5}});
    add({{"f", "/lib/libx.so.1", "x.c", 2}, {"f", "/lib/libx.so.2", "x.c", 20}, {"main", "app", "m.c", 5}});
    add({{"f", "/lib/libx.so.3", "x.c", 3}, {"main", "app", "m.c", 5}});
    const auto all = costs();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_THAT(all, testing::Contains("main m.c [app]: 5 5 5"));
    std::string text;
    for (const auto& line : all) text += line + '\n';
    for (const auto* cost : {" 1", " 2", " 20", " 3"}) EXPECT_NE(text.find(cost), std::string::npos) << text;
}

}  // namespace
}  // namespace callcost::program
