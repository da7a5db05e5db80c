// The cost of functions that are left out, charged to their callers.
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merge/charged.hpp"
#include "unit/library/merge/meaning.hpp"
#include "unit/library/parser/corpus.hpp"

namespace callcost::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

ChargedProfile charged(const Profile& profile, const std::function<bool(FunctionId)>& dropped,
                       std::size_t max_cells = max_charged_cells) {
    Result<ChargedProfile> result = charged_within(profile, dropped, {}, max_cells);
    if (!result) throw std::runtime_error("not charged: " + result.error().detail);
    return *std::move(result);
}

/// "f 10", "f > g x0+ 5", sorted.
Lines graph_of(const Profile& profile) {
    Lines lines;
    const auto costs = [&](auto id, auto of) {
        std::string text;
        for (std::size_t k = 0; k < profile.events().size(); ++k)
            text += ' ' + std::to_string(of(id, EventId(k)));
        return text;
    };
    for (const FunctionId f : all_functions(profile))
        lines.push_back(std::string(profile.name(f)) +
                        costs(f, [&](FunctionId id, EventId e) { return profile.self(id, e); }));
    for (std::size_t i = 0; i < profile.arc_count(); ++i) {
        const ArcId arc(i);
        lines.push_back(std::string(profile.name(profile.caller(arc))) + " > " +
                        std::string(profile.name(profile.callee(arc))) + " x" +
                        count_text(profile.count(arc)) +
                        costs(arc, [&](ArcId id, EventId e) { return profile.cost(id, e); }));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

const char tree_of_calls[] =
    "events: Ir Bc\n"
    "fl=s.c\nfn=main\n1 10 1\ncfn=cook\ncalls=2 1\n2 90 9\n"
    "fn=cook\n5 20 2\ncfn=chop\ncalls=4 1\n6 40 4\ncfn=stir\ncalls=1 1\n7 30 3\n"
    "fn=chop\n8 40 4\nfn=stir\n9 20 2\ncfn=wash\ncalls=1 1\n9 10 1\nfn=wash\n11 10 1\n";

TEST(Charging, is_exact_on_a_tree) {
    const Profile whole = read(tree_of_calls);
    const ChargedProfile rest = charged(whole, named(whole, {"cook", "stir"}));
    EXPECT_EQ(rest.not_charged, 0U);
    EXPECT_THAT(graph_of(rest.profile),
                ElementsAre("(filtered) 0 0", "chop 40 4", "main 50 5", "main > chop x>=0 40 4",
                            "main > wash x>=0 10 1", "wash 10 1"));
    EXPECT_THAT(written(rest.profile, {.dialect = FileDialect::compact}),
                HasSubstr("\n1 10 1\n+1 40 4\ncfn=(1)\n"));
    EXPECT_THAT(rest.profile.parts()[0].descriptions, Contains(HasSubstr("estimated")));
}

TEST(Charging, a_root_has_nobody_to_charge) {
    const Profile whole = read(tree_of_calls);
    EXPECT_THAT(graph_of(charged(whole, named(whole, {"main"})).profile),
                testing::IsSupersetOf({"(filtered) 10 1", "(filtered) > cook x2 90 9", "cook 20 2"}));
}

TEST(Charging, divides_in_proportion_and_keeps_the_cost_of_each_call) {
    const Profile whole = read(
        "events: Ir\nfn=a\n1 1\ncfn=d\ncalls=1 1\n2 10\nfn=b\n1 1\ncfn=d\ncalls=2 1\n2 5\n"
        "fn=d\n3 7\ncfn=k\ncalls=3 1\n4 8\nfn=k\n5 8\n");
    EXPECT_THAT(graph_of(charged(whole, named(whole, {"d"})).profile),
                ElementsAre("(filtered) 0", "a 6", "a > k x>=0 5", "b 3", "b > k x>=0 3", "k 8"));
}

TEST(Charging, functions_that_call_each_other_are_one) {
    const Profile whole = read(
        "events: Ir\nfn=a\n1 1\ncfn=d\ncalls=1 1\n2 30\nfn=d\n3 5\ncfn=e\ncalls=9 1\n3 40\ncfn=k\ncalls=1 1\n"
        "3 10\nfn=e\n4 15\ncfn=d\ncalls=8 1\n4 20\nfn=k\n5 10\n");
    EXPECT_THAT(graph_of(charged(whole, named(whole, {"d", "e"})).profile),
                ElementsAre("(filtered) 0", "a 21", "a > k x>=0 10", "k 10"));
}

TEST(Charging, takes_no_more_than_there_was) {
    const Profile whole = read(
        "events: Ir\nfn=a\n1 1\ncfn=d\ncalls=7 1\n2 30\nfn=b\n1 1\ncfn=e\ncalls=1 1\n2 4\nfn=d\n3 "
        "20\nfn=e\n3 9\n");
    EXPECT_THAT(graph_of(charged(whole, named(whole, {"d", "e"})).profile),
                ElementsAre("(filtered) 5", "a 21", "a > (filtered) x>=0 10", "b 5"));
}

TEST(Charging, what_cannot_be_shared_out_is_a_call_of_the_filtered_ones) {
    const Profile whole =
        read("events: Ir\nfn=a\n1 1\ncfn=d\ncalls=7 1\n2 -3\nfn=d\n3 20\ncfn=k\ncalls=1 1\n4 6\nfn=k\n1 6\n");
    EXPECT_THAT(graph_of(charged(whole, named(whole, {"d"})).profile),
                ElementsAre("(filtered) 20", "(filtered) > k x>=0 6", "a 1", "a > (filtered) x7 -3", "k 6"));
}

TEST(Charging, beyond_the_budget_a_function_stays) {
    const Profile whole = read(tree_of_calls);
    const ChargedProfile rest = charged(whole, named(whole, {"cook", "stir"}), 5);
    EXPECT_EQ(rest.not_charged, 1U);  // cook leads to two kept functions
    EXPECT_THAT(graph_of(rest.profile),
                ElementsAre("(filtered) 40 4", "(filtered) > chop x4 40 4", "(filtered) > wash x>=0 10 1",
                            "chop 40 4", "main 10 1", "main > (filtered) x2 90 9", "wash 10 1"));
}

TEST(Charging, more_than_64_event_types_is_refused) {
    std::string text = "events:";
    for (int i = 0; i < 65; ++i) text += " e" + std::to_string(i);
    const Profile wide = read(text + "\nfn=f\n1 1\n");
    const auto refused = charged_to_callers(wide, [](FunctionId) { return true; });
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::too_large);
}

TEST(Charging, a_chain_as_deep_as_memory_takes_no_stack) {
    std::string text = "events: Ir\n";
    constexpr int depth = 100'000;
    for (int i = 0; i < depth; ++i)
        text += "fn=f" + std::to_string(i) + "\n1 1\ncfn=f" + std::to_string(i + 1) + "\ncalls=1 1\n1 " +
                std::to_string(depth - i) + "\n";
    const Profile whole = read(text + "fn=f" + std::to_string(depth) + "\n1 1\n");
    const auto is_middle = [&](FunctionId function) {
        return whole.name(function) != "f0" && whole.name(function) != "f" + std::to_string(depth);
    };
    const Profile rest = charged(whole, is_middle).profile;
    EXPECT_THAT(graph_of(rest), ElementsAre("(filtered) 0", "f0 100000", "f0 > f100000 x>=0 1", "f100000 1"));
}

// ---- Any graph ----

/// Calls go to functions of higher numbers; every function's callers say what it spent.
std::string conserving_profile(std::mt19937_64& random, int functions) {
    std::vector<std::int64_t> inflow(static_cast<std::size_t>(functions), 0);
    std::string text = "events: Ir\n";
    inflow[0] = 100'000;
    for (int i = 0; i < functions; ++i) {
        std::int64_t rest = inflow[static_cast<std::size_t>(i)];
        text += "fn=f" + std::to_string(i) + '\n';
        for (std::uint64_t call = 0; call < 3 && i + 1 < functions && rest > 0; ++call) {
            const auto to =
                i + 1 + static_cast<int>(random() % static_cast<std::uint64_t>(functions - i - 1));
            const auto cost = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(rest + 1));
            rest -= cost;
            inflow[static_cast<std::size_t>(to)] += cost;
            text += "cfn=f" + std::to_string(to) + "\ncalls=1 1\n" + std::to_string(call) + ' ' +
                    std::to_string(cost) + '\n';
        }
        text += "9 " + std::to_string(rest) + '\n';
    }
    return text;
}

struct Flow {
    std::int64_t in = 0, self = 0, out = 0;
};
std::map<std::string, Flow> flows(const Profile& profile) {
    std::map<std::string, Flow> flows;
    const auto name = [&](FunctionId f) { return std::string(profile.name(f)); };
    const EventId event(0U);
    for (const FunctionId f : all_functions(profile)) flows[name(f)].self += profile.self(f, event);
    for (std::size_t i = 0; i < profile.arc_count(); ++i) {
        flows[name(profile.caller(ArcId(i)))].out += profile.cost(ArcId(i), event);
        flows[name(profile.callee(ArcId(i)))].in += profile.cost(ArcId(i), event);
    }
    return flows;
}

TEST(Charging, conserves_flow_where_the_input_does) {
    std::mt19937_64 random(9);
    for (int round = 0; round < 200; ++round) {
        const std::string text = conserving_profile(random, 30);
        SCOPED_TRACE(text);
        const Profile whole = read(text);
        const std::uint64_t chosen = random();
        const auto dropped = [chosen](FunctionId f) {
            return f.value != 0 && (chosen >> f.value % 64U & 1U) != 0;
        };
        const Profile rest = charged(whole, dropped).profile;
        EXPECT_EQ(rest.total(EventId(0U)), whole.total(EventId(0U)));
        const auto before = flows(whole);
        for (const auto& [name, flow] : flows(rest)) {
            if (name == filtered_name) {
                EXPECT_EQ(flow.self, 0);
                EXPECT_EQ(flow.out, 0);
            } else {
                EXPECT_EQ(flow.in, before.at(name).in);
                EXPECT_EQ(flow.self + flow.out, before.at(name).self + before.at(name).out);
            }
        }
        if (HasFailure()) break;
    }
}

TEST(Charging, of_real_profiles_keeps_totals_and_the_cost_of_every_kept_function) {
    for (const std::string& path : real_profiles()) {
        const std::string bytes = profile_bytes(path);
        if (bytes.size() > 1'000'000) continue;
        const Profile whole = read(bytes);
        if (whole.events().size() > 64) continue;
        SCOPED_TRACE(path);
        const auto dropped = [](FunctionId f) { return f.value % 3 == 1; };
        for (const std::size_t max_cells : {max_charged_cells, std::size_t{50}}) {
            const Profile rest = charged(whole, dropped, max_cells).profile;
            for (std::size_t k = 0; k < whole.events().size(); ++k) {
                if (whole.events()[k].aggregation != Aggregation::sum) continue;
                EXPECT_EQ(rest.total(EventId(k)), whole.total(EventId(k)));
            }
            // What a kept function and its calls cost is what it was, whoever is charged for it.
            std::map<std::string, std::int64_t> sums;
            const auto add = [&](const Profile& profile, FunctionId f, std::int64_t cost) {
                std::int64_t& sum = sums[function_text(profile, f)];
                sum = wrapped_sum(sum, cost);
            };
            const EventId event(0U);
            if (whole.events()[0].aggregation != Aggregation::sum) continue;
            for (const FunctionId f : all_functions(whole))
                if (!dropped(f)) add(whole, f, whole.self(f, event));
            for (std::size_t i = 0; i < whole.arc_count(); ++i)
                if (!dropped(whole.caller(ArcId(i))))
                    add(whole, whole.caller(ArcId(i)), whole.cost(ArcId(i), event));
            for (const FunctionId f : all_functions(rest)) add(rest, f, -rest.self(f, event));
            for (std::size_t i = 0; i < rest.arc_count(); ++i)
                add(rest, rest.caller(ArcId(i)), -rest.cost(ArcId(i), event));
            for (const auto& [name, sum] : sums)
                EXPECT_TRUE(sum == 0 || name == filtered_name) << name << ": " << sum;
        }
    }
}

}  // namespace
}  // namespace callcost::test
