// What filters keep of functions: estimates against programs of which every stack is known.
#include <algorithm>
#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unit/library/call_graph/inlining_program.hpp"
#include "unit/library/call_graph/questions.hpp"
#include "unit/library/tree/programs.hpp"
#include <callcost/tree.hpp>

namespace callcost::test {
namespace {

struct Truth {
    std::map<std::string, std::int64_t> self, inclusive;  // by name
    std::int64_t total = 0;

    Truth() = default;
    Truth(const Program& program, const Filter& filter) {
        for (const auto& stack : program.stacks()) {
            if (!filter.keeps(stack)) continue;
            total += stack.self;
            self[name_of(stack.functions.back())] += stack.self;
            auto functions = stack.functions;
            std::sort(functions.begin(), functions.end());
            functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
            for (const auto function : functions) inclusive[name_of(function)] += stack.self;
        }
    }
};

void expect_ordered(const BoundedCosts& costs) {
    for (std::size_t row = 0; row < costs.estimate.size(); ++row) {
        EXPECT_LE(costs.least[row], costs.estimate[row]);
        EXPECT_LE(costs.estimate[row], costs.most[row]);
    }
}

class FilteredCostsOf : public testing::TestWithParam<bool> {};

TEST_P(FilteredCostsOf, programs_are_estimated_between_bounds_that_hold_the_truth) {
    double wrong = 0, whole = 0;
    std::size_t exact = 0, inexact = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const Program program(seed, GetParam());
        const Profile profile = profile_of(program.profile());
        const CallGraph graph = graph_of(profile);
        const Measure ir = measure_of(profile);
        for (const auto& wanted : filters_tried) {
            SCOPED_TRACE(testing::Message() << seed << " " << wanted.focus << " " << wanted.ignore);
            const auto filtered = filter(graph, wanted.on(graph), ir);
            const auto costs = filtered_costs(graph, wanted.on(graph), filtered, ir);
            Truth truth(program, wanted);
            expect_ordered(costs.self);
            expect_ordered(costs.inclusive);
            std::int64_t sum = 0;
            for (std::size_t row = 0; row < graph.size(); ++row) {
                const std::string name(graph.name(NodeId(row)));
                SCOPED_TRACE(name);
                EXPECT_LE(costs.self.least[row], truth.self[name]);
                EXPECT_GE(costs.self.most[row], truth.self[name]);
                if (!graph.cycle(NodeId(row)).valid()) {
                    EXPECT_LE(costs.inclusive.least[row], truth.inclusive[name]);
                    EXPECT_GE(costs.inclusive.most[row], truth.inclusive[name]);
                    EXPECT_GE(costs.inclusive.estimate[row], costs.self.estimate[row]);
                }
                wrong += std::abs(static_cast<double>(costs.self.estimate[row] - truth.self[name]));
                whole += static_cast<double>(truth.self[name]);
                if (costs.listed[row]) sum += costs.self.estimate[row];
                (costs.self.least[row] == costs.self.most[row] ? exact : inexact) += 1;
                EXPECT_TRUE(costs.listed[row] || truth.self[name] == 0);
            }
            EXPECT_EQ(costs.estimate, sum);
            EXPECT_LE(costs.least, costs.estimate);
            EXPECT_LE(costs.estimate, costs.most);
            EXPECT_LE(costs.least, truth.total);
            EXPECT_GE(costs.most, truth.total);
        }
    }
    RecordProperty("wrong", std::to_string(wrong / whole));
    EXPECT_LT(wrong / whole, GetParam() ? 0.15 : 0.4);
    EXPECT_GT(exact, GetParam() ? inexact : 0);
}

TEST_P(FilteredCostsOf, recorded_stacks_are_exact) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const Program program(seed, GetParam());
        const Profile profile = profile_of(program.profile());
        const CallGraph graph = graph_of(profile);
        const Measure ir = measure_of(profile);
        for (const auto& wanted : filters_tried) {
            const auto filtered = filter(graph, wanted.on(graph), ir);
            const auto costs = filtered_costs(graph, wanted.on(graph), filtered, ir, {program.recorded()});
            Truth truth(program, wanted);
            EXPECT_EQ(costs.estimate, truth.total);
            EXPECT_EQ(costs.least, costs.most);
            for (std::size_t row = 0; row < graph.size(); ++row) {
                const std::string name(graph.name(NodeId(row)));
                EXPECT_EQ(costs.self.least[row], truth.self[name]);
                EXPECT_EQ(costs.self.most[row], truth.self[name]);
                if (!graph.cycle(NodeId(row)).valid()) {
                    EXPECT_EQ(costs.inclusive.estimate[row], truth.inclusive[name]);
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, FilteredCostsOf, testing::Values(true, false),
                         [](const auto& which) { return which.param ? "layered" : "recursive"; });

// main calls a and b; a calls x for 30 and b calls x for 10; x calls y.
const char* const shared =
    "fn=main\n1 10\ncfn=a\ncalls=1 1\n1 50\ncfn=b\ncalls=1 1\n1 15\n"
    "fn=a\n2 20\ncfn=x\ncalls=3 1\n2 30\nfn=b\n3 5\ncfn=x\ncalls=1 1\n3 10\n"
    "fn=x\n4 16\ncfn=y\ncalls=4 1\n4 24\nfn=y\n5 24\n";

TEST(FilteredCosts, share_out_what_is_called_from_within_and_from_without_by_the_cost_of_the_calls) {
    const Profile profile = plain_profile(shared);
    const CallGraph graph = graph_of(profile);
    const Filters filters{.focus = [&](NodeId node) { return graph.name(node) == "a"; }};
    const auto costs =
        filtered_costs(graph, filters, filter(graph, filters, measure_of(profile)), measure_of(profile));
    const auto of = [&](const BoundedCosts& which, std::string_view name) {
        const auto row = node_called(graph, name).value;
        return std::vector<std::int64_t>{which.least[row], which.estimate[row], which.most[row]};
    };
    using Costs = std::vector<std::int64_t>;
    EXPECT_EQ(of(costs.self, "a"), (Costs{20, 20, 20}));
    EXPECT_EQ(of(costs.self, "x"), (Costs{6, 12, 16})) << "30 of 40 arrive there";
    EXPECT_EQ(of(costs.self, "y"), (Costs{14, 18, 24}));
    EXPECT_EQ(of(costs.inclusive, "x"), (Costs{30, 30, 30})) << "what a paid";
    EXPECT_EQ(of(costs.inclusive, "main"), (Costs{0, 50, 75}));
    EXPECT_EQ(costs.estimate, 50);
    EXPECT_EQ(costs.least, 50);
    EXPECT_FALSE(costs.listed[node_called(graph, "b").value]);
}

TEST(FilteredCosts, what_a_caller_without_cost_calls_is_outside_for_certain) {
    // g is called by f as well, but that costs nothing.
    const Profile profile = plain_profile(
        "fn=main\n1 1\ncfn=f\ncalls=1 1\n1 2\ncfn=g\ncalls=1 1\n1 5\n"
        "fn=f\n2 2\ncfn=g\ncalls=1 1\n2 0\nfn=g\n3 5\n");
    const CallGraph graph = graph_of(profile);
    const Filters filters{.focus = [&](NodeId node) { return graph.name(node) == "f"; }};
    const auto filtered = filter(graph, filters, measure_of(profile));
    ASSERT_TRUE(filtered.listed[node_called(graph, "g").value]);
    const auto costs = filtered_costs(graph, filters, filtered, measure_of(profile));
    EXPECT_FALSE(costs.listed[node_called(graph, "g").value]);
    EXPECT_EQ(costs.estimate, 2);
}

TEST(FilteredCosts, may_be_below_zero) {
    const Profile profile = plain_profile(
        "fn=main\n1 -4\ncfn=f\ncalls=1 1\n1 -9\ncfn=g\ncalls=1 1\n1 -7\n"
        "fn=f\n2 -2\ncfn=g\ncalls=1 1\n2 -7\nfn=g\n3 -14\n");
    const CallGraph graph = graph_of(profile);
    for (const std::string focus : {"main", "f", "g"}) {
        const Filters filters{.focus = [&](NodeId node) { return graph.name(node) == focus; }};
        const auto costs =
            filtered_costs(graph, filters, filter(graph, filters, measure_of(profile)), measure_of(profile));
        EXPECT_LE(costs.least, costs.estimate);
        EXPECT_LE(costs.estimate, costs.most);
        for (std::size_t row = 0; row < graph.size(); ++row) {
            EXPECT_LE(costs.self.least[row], costs.self.estimate[row]);
            EXPECT_LE(costs.self.estimate[row], costs.self.most[row]);
        }
    }
}

TEST(FilteredCosts, of_what_does_not_add_up_are_the_upper_bounds) {
    const Profile profile = profile_of(
        "events: max_x\nfn=main\n1 1\ncfn=f\ncalls=1 1\n1 2\ncfn=g\ncalls=1 1\n1 5\n"
        "fn=f\n2 2\ncfn=g\ncalls=1 1\n2 1\nfn=g\n3 5\n");
    const CallGraph graph = graph_of(profile);
    Measure measure = measure_of(profile, "max_x");
    measure.additive = false;
    const Filters filters{.focus = [&](NodeId node) { return graph.name(node) == "f"; }};
    const auto costs = filtered_costs(graph, filters, filter(graph, filters, measure), measure);
    const auto g = node_called(graph, "g").value;
    EXPECT_EQ(costs.self.least[g], 0);
    EXPECT_EQ(costs.self.estimate[g], costs.self.most[g]);
}

TEST(FilteredCosts, of_contexts_that_call_each_other_are_not_added_up) {
    const Profile profile = profile_of(
        "creator: callgrind-3.22.0\nevents: Ir\nfn=main\n1 10\ncfn=f'main\ncalls=1 1\n1 100\n"
        "fn=f'main\n2 40\ncfn=f'f\ncalls=1 1\n2 60\nfn=f'f\n2 30\ncfn=g'f\ncalls=1 1\n2 30\nfn=g'f\n3 30\n");
    const CallGraph graph = graph_of(profile);
    const NodeId f = node_called(graph, "f");
    ASSERT_EQ(graph.inclusive(f, measure_of(profile)), 100);
    const Filters filters{.focus = [&](NodeId node) { return graph.name(node) == "main"; }};
    const auto costs =
        filtered_costs(graph, filters, filter(graph, filters, measure_of(profile)), measure_of(profile));
    EXPECT_EQ(costs.estimate, 110);
    EXPECT_EQ(costs.inclusive.estimate[f.value], 100);
    EXPECT_LE(costs.inclusive.most[f.value], 110);
    EXPECT_EQ(costs.self.estimate[f.value], 70);
}

TEST(FilteredCosts, have_bounds_in_their_order_where_events_are_unattributed) {
    const Profile profile = profile_of(
        "creator: callgrind-3.22.0\nevents: Ir\nsummary: 10005\n\nfn=main\n1 0\ncfn=f\ncalls=1 1\n1 5005\n"
        "cfn=h\ncalls=1 1\n1 5000\nfn=f\n2 2000\ncfn=g\ncalls=1 1\n2 3000\nfn=h\n3 4000\ncfn=g\ncalls=1 1\n3 "
        "1000\n"
        "fn=g\n4 4000\n");
    const CallGraph graph = graph_of(profile);
    const auto is_f = [&](NodeId node) { return graph.name(node) == "f"; };
    for (const Filters& filters : {Filters{.focus = is_f}, Filters{.ignore = is_f}}) {
        const auto costs =
            filtered_costs(graph, filters, filter(graph, filters, measure_of(profile)), measure_of(profile));
        EXPECT_EQ(costs.estimate, 5000);
        EXPECT_LE(costs.least, costs.estimate);
        EXPECT_GE(costs.most, costs.estimate);
    }
}

/// What a filter keeps of a program, by function.
Truth truth_of(const InliningProgram& program, const std::string& focus, const std::string& ignore) {
    Truth truth;
    for (const auto& [path, cost] : program.of_paths) {
        std::set<std::string> functions;
        std::string last;
        for (std::size_t begin = 0; begin < path.size();) {
            const auto end = std::min(path.find(" > ", begin), path.size());
            last = path.substr(begin, end - begin);
            functions.insert(last);
            begin = end + 3;
        }
        if ((!focus.empty() && !functions.contains(focus)) || functions.contains(ignore)) continue;
        truth.total += cost;
        truth.self[last] += cost;
        for (const auto& function : functions) truth.inclusive[function] += cost;
    }
    return truth;
}

struct InlinedShape {
    const char* name;
    bool separates_levels, is_layered;
};
std::ostream& operator<<(std::ostream& out, const InlinedShape& shape) { return out << shape.name; }

class FilteredInlinedCosts : public testing::TestWithParam<InlinedShape> {};

TEST_P(FilteredInlinedCosts, are_between_bounds_that_hold_the_truth) {
    const std::vector<std::pair<std::string, std::string>> filters = {
        {"f2", ""}, {"f4", ""}, {"", "f3"}, {"f1", "f5"}};
    std::size_t exact = 0;
    for (unsigned seed = 1; seed <= (is_sanitized ? 5 : 60); ++seed) {
        const InliningProgram program(seed, GetParam().separates_levels, GetParam().is_layered);
        const Profile profile = expanded(profile_of(program.text()), {program.map()});
        const CallGraph graph = graph_of(profile);
        const Measure ir = measure_of(profile);
        for (const auto& [focus, ignore] : filters) {
            SCOPED_TRACE(testing::Message() << seed << " focus " << focus << " ignore " << ignore);
            const auto named = [&graph](const std::string& name) -> Filters::Predicate {
                if (name.empty()) return {};
                return [&graph, name](NodeId node) { return graph.name(node) == name; };
            };
            const Filters of{.focus = named(focus), .ignore = named(ignore)};
            const auto costs = filtered_costs(graph, of, filter(graph, of, ir), ir);
            Truth truth = truth_of(program, focus, ignore);
            expect_ordered(costs.self);
            expect_ordered(costs.inclusive);
            for (std::size_t row = 0; row < graph.size(); ++row) {
                const std::string name(graph.name(NodeId(row)));
                SCOPED_TRACE(name);
                EXPECT_LE(costs.self.least[row], truth.self[name]);
                EXPECT_GE(costs.self.most[row], truth.self[name]);
                EXPECT_LE(costs.inclusive.least[row], truth.inclusive[name]);
                EXPECT_GE(costs.inclusive.most[row], truth.inclusive[name]);
                if (costs.inclusive.least[row] == costs.inclusive.most[row]) ++exact;
            }
        }
    }
    EXPECT_GT(exact, 0U);
}

INSTANTIATE_TEST_SUITE_P(Programs, FilteredInlinedCosts,
                         testing::Values(InlinedShape{"layered", true, true},
                                         InlinedShape{"levels", true, false},
                                         InlinedShape{"recursive", false, false}),
                         [](const auto& which) { return which.param.name; });

TEST(FilteredCosts, of_what_is_inlined_into_deeper_levels_are_all_of_it) {  // F72
    const Profile profile = profile_of(
        "creator: callgrind-3.19.0\nevents: Ir\nfl=x.c\nfn=main\n1 1\ncfn=f\ncalls=1 10\n2 150\n"
        "fn=f\n10 20\ncfn=f'2\ncalls=1 10\n12 100\ncfni=g\n11 30\n"
        "fn=f'2\n10 60\ncfni=g\n11 40\n");
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    const Filters filters{.focus = [&](NodeId node) { return graph.name(node) == "f"; }};
    const auto costs = filtered_costs(graph, filters, filter(graph, filters, ir), ir);
    const auto g = node_called(graph, "g").value;
    EXPECT_EQ(costs.self.least[g], 70);
    EXPECT_EQ(costs.inclusive.least[g], 70) << "neither of the two places is below the other";
    EXPECT_EQ(costs.inclusive.most[g], 70);
}

}  // namespace
}  // namespace callcost::test
