#include "history/store.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/entry_name.hpp"
#include "unit/program/input/temporary_directory.hpp"

namespace callcost::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

struct TestCost {
    const char* name;
    FunctionCost cost;
};

NewEntry entry_of(const std::string& commit, std::int64_t time, const std::vector<TestCost>& functions,
                  std::string profile = {}) {
    NewEntry entry;
    entry.facts.series = "parse";
    entry.facts.commit = commit;
    entry.facts.branch = "main";
    entry.facts.time = time;
    entry.facts.machine = "m";
    entry.profile = profile.empty() ? "profile of " + commit : std::move(profile);
    entry.costs.push_back({"Ir", 0, {}});
    for (const TestCost& function : functions) {
        entry.functions.push_back({function.name, "prog", "a.c"});
        entry.costs.front().functions.push_back(function.cost);
        entry.costs.front().total += function.cost.self;
    }
    return entry;
}

class StoreTest : public testing::Test {
  protected:
    std::unique_ptr<Store> open(StoreUse use = StoreUse::write) {
        auto store = open_store(directory_.path() + "/history.db", use);
        EXPECT_TRUE(store) << store.error().text;
        return *std::move(store);
    }
    static Addition add(Store& store, const NewEntry& entry, bool replaces = false) {
        const auto added = store.add(entry, replaces);
        EXPECT_TRUE(added) << added.error().text;
        return *added;
    }
    static std::vector<EntryId> ids(Store& store) {
        std::vector<EntryId> ids;
        const auto entries = store.entries("parse");
        for (const Entry& entry : *entries) ids.push_back(entry.id);
        return ids;
    }
    static std::vector<std::string> commits(Store& store) {
        std::vector<std::string> all;
        const auto entries = store.entries("parse");
        for (const Entry& entry : *entries) all.push_back(entry.facts.commit);
        return all;
    }
    /// `main: 1 2 - 3`, self costs by entry.
    static std::vector<std::string> costs(Store& store) {
        std::vector<std::string> lines;
        const auto all = ids(store);
        EXPECT_TRUE(store.costs({"parse", "Ir", all, {}}, [&](const StoredFunction& function, auto values) {
            std::string line = function.name + ":";
            for (const auto& value : values) line += value ? " " + std::to_string(value->self) : " -";
            lines.push_back(line);
        }));
        return lines;
    }

    test::TemporaryDirectory directory_;
};

TEST_F(StoreTest, gives_back_what_was_added) {
    auto store = open();
    auto entry = entry_of("c1", 100, {{"main", {5, 12, 1}}, {"f", {7, 7, 3}}});
    entry.facts.parents = {"c0", "b0"};
    entry.facts.tags = {{"size", "big"}};
    entry.facts.command = "./parse -x";
    entry.facts.creator = "callgrind-3.19.0";
    EXPECT_EQ(add(*store, entry), Addition::added);
    const auto entries = open(StoreUse::read)->entries("parse");
    ASSERT_EQ(entries->size(), 1U);
    const auto& facts = entries->front().facts;
    EXPECT_EQ(facts.commit, "c1");
    EXPECT_THAT(facts.parents, ElementsAre("c0", "b0"));
    EXPECT_EQ(facts.branch, "main");
    EXPECT_EQ(facts.time, 100);
    EXPECT_EQ(facts.machine, "m");
    EXPECT_EQ(facts.tags, entry.facts.tags);
    EXPECT_EQ(facts.command, "./parse -x");
    EXPECT_EQ(facts.creator, "callgrind-3.19.0");
    EXPECT_EQ(entries->front().totals.at("Ir"), 12);
    EXPECT_EQ(entries->front().profile_bytes, entry.profile.size());
    EXPECT_EQ(*store->profile(entries->front().id), "profile of c1");
    EXPECT_TRUE(store->costs({"parse", "Ir", std::vector{entries->front().id},
                              [](const auto& function) { return function.name == "f"; }},
                             [](const StoredFunction& function, auto values) {
                                 EXPECT_EQ(function, (StoredFunction{"f", "a.c", "prog"}));
                                 EXPECT_THAT(values, ElementsAre(Optional(FunctionCost{7, 7, 3})));
                             }));
}

TEST_F(StoreTest, keeps_the_order_of_event_types) {
    auto entry = entry_of("a", 1, {{"f", {12, 12, 1}}});
    entry.costs = {{"time", 5, {}}, {"bytes", 7, {}}, {"allocations", 2, {}}};
    for (auto& costs : entry.costs) costs.functions.push_back({1, 1, 1});
    auto store = open();
    add(*store, entry);
    EXPECT_THAT(store->entries("parse")->front().events, ElementsAre("time", "bytes", "allocations"));
}

TEST_F(StoreTest, keeps_one_entry_of_a_commit) {
    auto store = open();
    EXPECT_EQ(add(*store, entry_of("c1", 100, {{"main", {5, 5, 0}}})), Addition::added);
    EXPECT_EQ(add(*store, entry_of("c1", 100, {{"main", {5, 5, 0}}})), Addition::present);
    const auto other = entry_of("c1", 100, {{"main", {6, 6, 0}}}, "another");
    EXPECT_EQ(add(*store, other), Addition::differing);
    EXPECT_THAT(costs(*store), ElementsAre("main: 5"));
    EXPECT_EQ(add(*store, other, true), Addition::replaced);
    EXPECT_THAT(costs(*store), ElementsAre("main: 6"));
    EXPECT_EQ(*store->profile(ids(*store).front()), "another");
    auto tagged = other;
    tagged.facts.tags = {{"run", "2"}};
    EXPECT_EQ(add(*store, tagged), Addition::added);
    EXPECT_EQ(ids(*store).size(), 2U);
}

TEST_F(StoreTest, without_a_commit_the_profile_tells_entries_apart) {
    auto store = open();
    EXPECT_EQ(add(*store, entry_of("", 100, {{"main", {5, 5, 0}}}, "one")), Addition::added);
    EXPECT_EQ(add(*store, entry_of("", 100, {{"main", {6, 6, 0}}}, "two")), Addition::added);
    EXPECT_EQ(add(*store, entry_of("", 100, {{"main", {5, 5, 0}}}, "one")), Addition::present);
}

TEST_F(StoreTest, orders_entries_by_commit_whenever_they_were_added) {
    auto store = open();
    add(*store, entry_of("c3", 300, {{"main", {3, 3, 0}}, {"late", {1, 1, 0}}}));
    add(*store, entry_of("c1", 100, {{"main", {1, 1, 0}}}));
    add(*store, entry_of("c2", 200, {{"main", {3, 3, 0}}}));
    EXPECT_THAT(commits(*store), ElementsAre("c1", "c2", "c3"));
    EXPECT_THAT(costs(*store), ElementsAre("late: - - 1", "main: 1 3 3"));
}

TEST_F(StoreTest, orders_commits_of_one_second_behind_their_parents) {
    auto store = open();
    auto child = entry_of("c2", 100, {{"main", {2, 2, 0}}});
    child.facts.parents = {"c1"};
    add(*store, child);
    add(*store, entry_of("c1", 100, {{"main", {1, 1, 0}}}));
    EXPECT_THAT(commits(*store), ElementsAre("c1", "c2"));
}

TEST_F(StoreTest, keeps_what_others_say_when_entries_are_removed) {
    auto store = open();
    for (int i = 1; i <= 5; ++i)
        add(*store,
            entry_of("c" + std::to_string(i), i, {{"main", {i <= 2 ? 10 : 20, 20, 0}}, {"same", {1, 1, 1}}}));
    const auto all = ids(*store);
    ASSERT_TRUE(store->remove(std::vector{all[0], all[2], all[4]}));
    EXPECT_THAT(commits(*store), ElementsAre("c2", "c4"));
    EXPECT_THAT(costs(*store), ElementsAre("main: 10 20", "same: 1 1"));
    EXPECT_EQ(*store->profile(all[1]), "profile of c2");
    EXPECT_EQ(*store->profile(all[3]), "profile of c4");
    add(*store, entry_of("c6", 6, {{"main", {20, 20, 0}}}));
    EXPECT_THAT(costs(*store), ElementsAre("main: 10 20 20", "same: 1 1 -"));
    ASSERT_TRUE(store->remove(ids(*store)));
    EXPECT_TRUE(store->series()->empty());
    add(*store, entry_of("c7", 7, {{"main", {20, 20, 0}}}));
    EXPECT_THAT(costs(*store), ElementsAre("main: 20"));
}

TEST_F(StoreTest, two_writers_add_to_one_series) {
    auto one = open(), two = open();
    add(*one, entry_of("c1", 1, {{"main", {1, 1, 0}}, {"f", {1, 1, 0}}}));
    add(*two, entry_of("c2", 2, {{"main", {2, 2, 0}}}));
    add(*one, entry_of("c3", 3, {{"main", {1, 1, 0}}, {"f", {1, 1, 0}}}));
    add(*two, entry_of("c4", 4, {{"main", {1, 1, 0}}, {"g", {1, 1, 0}}}));
    EXPECT_THAT(costs(*one), ElementsAre("f: 1 - 1 -", "g: - - - 1", "main: 1 2 1 1"));
}

TEST_F(StoreTest, names_are_bytes) {
    auto store = open();
    const std::string name("a'; DROP TABLE costs; --\0\xff\"", 27);
    auto entry = entry_of("c1", 1, {{"main", {1, 1, 0}}});
    entry.facts.series = name;
    entry.facts.branch = name;
    entry.functions.front() = {name, name, name};
    entry.costs.front().event = name;
    add(*store, entry);
    const auto entries = store->entries(name);
    ASSERT_EQ(entries->size(), 1U);
    EXPECT_EQ(entries->front().facts.branch, name);
    bool seen = false;
    EXPECT_TRUE(store->costs({name, name, std::vector{entries->front().id}, {}},
                             [&](const StoredFunction& function, auto) {
                                 seen = function == StoredFunction{name, name, name};
                             }));
    EXPECT_TRUE(seen);
}

TEST_F(StoreTest, profiles_that_are_alike_are_small) {
    auto store = open();
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919 % 100'003) + " 17\n";
    for (int i = 0; i < 20; ++i) {
        auto changed = text;
        changed[static_cast<std::size_t>(i) * 1'000] = '5';
        add(*store, entry_of("c" + std::to_string(i), i, {{"main", {i, i, 0}}}, changed));
        EXPECT_EQ(*store->profile(ids(*store).back()), changed);
    }
    // The least that the profiles take one by one is some 40 kB each.
    EXPECT_LT(std::filesystem::file_size(directory_.path() + "/history.db"), 200'000U);
}

TEST_F(StoreTest, a_file_that_is_no_history_says_so) {
    const auto path = directory_.path() + "/other";
    {
        std::ofstream(path) << "no database, but long enough to have a header of one hundred bytes"
                            << std::string(100, 'x');
    }
    for (const auto use : {StoreUse::read, StoreUse::write}) {
        const auto store = open_store(path, use);
        ASSERT_FALSE(store);
        EXPECT_THAT(store.error().text, HasSubstr("is not a history"));
    }
    EXPECT_THAT(open_store(directory_.path() + "/none", StoreUse::read).error().text,
                HasSubstr("there is no history"));
    EXPECT_THAT(open_store("mysql://me:secret@host/db", StoreUse::read).error().text,
                testing::Not(HasSubstr("secret")));
}

TEST(StoreName, has_no_password) {
    EXPECT_EQ(store_name("clickhouse://me:secret@host:8123/db"), "clickhouse://me@host:8123/db");
    EXPECT_EQ(store_name("clickhouses://me:se/cr@et@host/db"), "clickhouses://me@host/db");
    EXPECT_EQ(store_name("clickhouse://me@host:8123/db"), "clickhouse://me@host:8123/db");
    EXPECT_EQ(store_name("sqlite:a@b:c.db"), "sqlite:a@b:c.db");
    // Nor of what is almost an address.
    for (const char* address :
         {"clickhouse://h/db?password=secret", "https://h/?user=u&password=secret", "clickhouse://u:secret",
          "clickhouse://u%3Asecret@h", "clickhouse:u:secret@h", "clickhouse://u:secret/db"})
        EXPECT_THAT(store_name(address), testing::Not(HasSubstr("secret"))) << address;
    for (const char* address : {"clickhouse://me:secret@host/db", "clickhouse://:secret@host"}) {
        const auto store = open_store(address, StoreUse::write);
        ASSERT_FALSE(store);
        EXPECT_THAT(store.error().text, HasSubstr("it holds a password"));
        EXPECT_THAT(store.error().text, testing::Not(HasSubstr("secret")));
    }
}

TEST_F(StoreTest, entries_have_names) {
    auto store = open();
    for (int i = 1; i <= 3; ++i) {
        auto entry = entry_of("abc" + std::to_string(i) + "def", i, {{"main", {i, i, 0}}});
        if (i == 2) entry.facts.branch = "topic";
        if (i == 1) entry.facts.tags = {{"size", "big"}};
        add(*store, entry);
    }
    const auto commit = [&](const char* text) {
        const auto name = parse_entry_name(text);
        if (!name) return name.error().text;
        const auto entry = find_entry(*store, *name);
        return entry ? entry->facts.commit : entry.error().text;
    };
    EXPECT_EQ(commit("history:parse"), "abc3def");
    EXPECT_EQ(commit("history:parse@-1"), "abc3def");
    EXPECT_EQ(commit("history:parse@-3"), "abc1def");
    EXPECT_EQ(commit("history:parse@abc2"), "abc2def");
    EXPECT_EQ(commit("history:parse@branch:topic"), "abc2def");
    EXPECT_EQ(commit("history:parse@branch:main@-2"), "abc1def");
    EXPECT_EQ(commit("history:parse@tag:size=big"), "abc1def");
    EXPECT_EQ(commit("history:parse@-4"), "series 'parse' has no such entry; it has 3");
    EXPECT_EQ(commit("history:parse@abc"), "several commits of series 'parse' begin with abc");
    EXPECT_EQ(commit("history:parse@ffff"), "series 'parse' has no such entry; it has 3");
    EXPECT_EQ(find_entries(*store, *parse_entry_name("history:parse@-2"))->size(), 1U);
    EXPECT_EQ(find_entries(*store, *parse_entry_name("history:parse"))->size(), 3U);
    auto longer = entry_of("abc2def0", 9, {{"main", {9, 9, 0}}});
    add(*store, longer);
    EXPECT_EQ(commit("history:parse@abc2def"), "abc2def");
    EXPECT_EQ(commit("history:prase"), "there is no series 'prase'");
    // A commit with changes is not the commit.
    auto modified = entry_of("abc3def", 10, {{"main", {10, 10, 0}}}, "modified");
    modified.facts.is_modified = true;
    add(*store, modified);
    const auto exact = [&](const char* text) {
        return exact_name(*find_entry(*store, *parse_entry_name(text)));
    };
    EXPECT_EQ(exact("history:parse@abc3"), "history:parse@abc3def@id:3");
    EXPECT_EQ(exact("history:parse@abc3def+"), "history:parse@abc3def+@id:5");
    EXPECT_EQ(exact("history:parse@abc3def+@id:5"), "history:parse@abc3def+@id:5");
    for (const char* bad : {"history:", "history:@-1", "history:parse@", "history:parse@-0",
                            "history:parse@-x", "history:parse@tag:x"})
        EXPECT_THAT(commit(bad), HasSubstr("names no entry")) << bad;
}

}  // namespace
}  // namespace callcost::program
