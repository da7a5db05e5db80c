// Costs of functions whose code is inlined, against programs of which every stack is known.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "callcost/call_graph.hpp"
#include "callcost/groups.hpp"
#include "callcost/inlining.hpp"
#include "callcost/lines.hpp"
#include "unit/library/merge/inline_maps.hpp"

namespace callcost::test {
namespace {

/// A program that calls by chance; some calls are inlined, depending on where they are.
class InliningProgram {
  public:
    InliningProgram(unsigned seed, bool separates_levels, bool is_layered)
        : random_(seed), seed_(seed), separates_levels_(separates_levels), is_layered_(is_layered) {
        frames_.push_back({"f0", {}, "f0", 0});
        for (int left = 400; left != 0; --left) {
            const auto step = below(random_, 5);
            if (step < 3 && frames_.size() < 14) {
                call();
            } else if (step == 3 && frames_.size() > 1) {
                leave();
            } else {
                spend(static_cast<std::int64_t>(1 + below(random_, 90)));
            }
        }
        while (frames_.size() > 1) leave();
    }

    [[nodiscard]] std::string text() const {
        std::string text = "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\nfl=p.c\n";
        std::set<std::string> contexts;
        for (const auto& [place, cost] : self_) contexts.insert(place.first);
        for (const auto& [call, cost] : calls_) contexts.insert(call.first.first);
        for (const std::string& context : contexts) {
            text += "fn=" + context + '\n';
            for (const auto& [place, cost] : self_)
                if (place.first == context)
                    text += std::to_string(place.second) + " 1 " + std::to_string(cost) + '\n';
            for (const auto& [call, sum] : calls_)
                if (call.first.first == context)
                    text += "cfn=" + call.second + "\ncalls=" + std::to_string(sum.first) + " 1\n" +
                            std::to_string(call.first.second) + " 1 " + std::to_string(sum.second) + '\n';
        }
        return text;
    }
    [[nodiscard]] InlineMap map() const {
        InlineMap map;
        map.object = "prog";
        std::map<std::string, std::uint32_t> functions;
        std::map<std::vector<std::string>, std::uint32_t> sites;
        for (const auto& [chain, address] : addresses_) {  // outer ones come first
            std::uint32_t site = InlineSite::none;
            if (chain.size() > 1) {
                const auto function = functions.try_emplace(chain.back(), functions.size());
                if (function.second) map.functions.push_back({chain.back(), "p.c", 1});
                const std::vector<std::string> outer(chain.begin(), chain.end() - 1);
                site = static_cast<std::uint32_t>(map.sites.size());
                map.sites.push_back({.parent = outer.size() > 1 ? sites.at(outer) : InlineSite::none,
                                     .function = function.first->second});
                sites[chain] = site;
            }
            map.runs.push_back({address, site});
        }
        std::sort(map.runs.begin(), map.runs.end(), [](auto& a, auto& b) { return a.address < b.address; });
        return map;
    }

    /// By function: what was spent while it was on the stack; by "f in g in h" the same for inlined code.
    std::map<std::string, std::int64_t> inclusive, self, inlined_self, of_chains;

  private:
    struct Frame {
        std::string function;
        std::vector<std::string> chain;  // what it is inlined in, outermost first
        std::string context;             // as Callgrind names the outermost
        std::int64_t cost = 0;           // since it was entered
    };

    static std::vector<std::string> whole_chain(const Frame& frame) {
        std::vector<std::string> chain = frame.chain;
        chain.push_back(frame.function);
        return chain;
    }
    std::uint64_t address_of(const Frame& frame) {
        const auto chain = whole_chain(frame);
        for (std::size_t size = 1; size <= chain.size(); ++size)
            addresses_.try_emplace(
                std::vector<std::string>(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(size)),
                16 + addresses_.size());
        return addresses_.at(chain);
    }
    void call() {
        const Frame& caller = frames_.back();
        const auto from = static_cast<std::size_t>(caller.function[1] - '0');
        const std::size_t callee = is_layered_ ? from + 1 + below(random_, 3) : 1 + below(random_, 6);
        if (callee > 9) return;
        Frame frame{.function = "f" + std::to_string(callee),
                    .chain = whole_chain(caller),
                    .context = caller.context};
        std::size_t hash = callee * 7 + seed_;
        for (const std::string& name : frame.chain) hash = hash * 31 + static_cast<std::size_t>(name[1]);
        if (hash % 5 >= 2 || frame.chain.size() > 3) {  // not inlined
            frame.chain.clear();
            frame.context = frame.function;
            const bool is_again = std::any_of(frames_.begin(), frames_.end(), [&](const Frame& open) {
                return open.chain.empty() && open.function == frame.function;
            });
            if (separates_levels_ && is_again) frame.context += "'2";
        }
        frames_.push_back(frame);
        spend(1);
    }
    void leave() {
        const Frame frame = frames_.back();
        frames_.pop_back();
        if (frame.chain.empty()) {
            auto& call = calls_[{{frames_.back().context, address_of(frames_.back())}, frame.context}];
            ++call.first;
            call.second += frame.cost;
        }
        frames_.back().cost += frame.cost;
    }
    void spend(std::int64_t cost) {
        Frame& last = frames_.back();
        last.cost += cost;
        self_[{last.context, address_of(last)}] += cost;
        self[last.function] += cost;
        if (!last.chain.empty()) inlined_self[last.function] += cost;
        std::set<std::string> functions, chains;
        for (const Frame& frame : frames_) {
            functions.insert(frame.function);
            std::string chain = frame.function;
            for (std::size_t i = frame.chain.size(); i-- > 0;) chain.append(" in ").append(frame.chain[i]);
            chains.insert(chain);
        }
        for (const std::string& function : functions) inclusive[function] += cost;
        for (const std::string& chain : chains) of_chains[chain] += cost;
    }

    std::mt19937_64 random_;
    std::size_t seed_;
    bool separates_levels_, is_layered_;
    std::vector<Frame> frames_;
    std::map<std::vector<std::string>, std::uint64_t> addresses_;
    std::map<std::pair<std::string, std::uint64_t>, std::int64_t> self_;
    std::map<std::pair<std::pair<std::string, std::uint64_t>, std::string>, std::pair<int, std::int64_t>>
        calls_;
};

CallGraph inlined_graph(const Profile& profile, Inlined inlined = Inlined::fold,
                        Contexts contexts = Contexts::fold) {
    return call_graph(profile, {.contexts = contexts, .inlined = inlined}).value();
}

std::string chain_of(const CallGraph& graph, NodeId node) {
    const Profile& profile = graph.profile();
    std::string chain(graph.name(node));
    for (FunctionId in = profile.inlined_in(graph.function(node)); in.valid(); in = profile.inlined_in(in))
        chain.append(" in ").append(graph.name(graph.node_of(in)));
    return chain;
}

struct Counts {
    std::size_t rows = 0, exact = 0;
    double error = 0;  // of all estimates, as shares of the total
};

void expect_truth(const CallGraph& graph, const std::map<std::string, std::int64_t>& truth, bool chains,
                  Counts& counts) {
    const Measure measure = default_measure(graph);
    ASSERT_EQ(graph.size(), truth.size());
    const BoundedCosts all = inclusive_bounds(graph, measure);
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        const std::string name = chains ? chain_of(graph, node) : std::string(graph.name(node));
        SCOPED_TRACE(name);
        ASSERT_TRUE(truth.contains(name));
        const std::int64_t cost = truth.at(name);
        const BoundedCost bounds = graph.inclusive_bounds(node, measure);
        ASSERT_LE(bounds.least, cost);
        ASSERT_GE(bounds.most, cost);
        ASSERT_LE(bounds.least, bounds.estimate);
        ASSERT_GE(bounds.most, bounds.estimate);
        ASSERT_EQ(bounds, (BoundedCost{all.estimate[row], all.least[row], all.most[row]}));
        ASSERT_EQ(graph.inclusive(node, measure), bounds.estimate);
        ++counts.rows;
        if (bounds.is_exact()) ++counts.exact;
        counts.error += std::abs(static_cast<double>(bounds.estimate - Cost(cost))) /
                        static_cast<double>(graph.total(measure));
    }
}

/// As if nothing had been expanded.
void expect_same_graph(const CallGraph& a, const CallGraph& b) {
    ASSERT_EQ(a.size(), b.size());
    ASSERT_EQ(a.cycle_count(), b.cycle_count());
    const Measure measure = default_measure(a);
    for (std::size_t row = 0; row < a.size(); ++row) {
        const NodeId node(row);
        ASSERT_EQ(names_of(a, node), names_of(b, node));
        ASSERT_EQ(a.self(node, measure), b.self(node, measure));
        ASSERT_EQ(a.inclusive_bounds(node, measure), b.inclusive_bounds(node, measure));
        ASSERT_EQ(a.cycle(node), b.cycle(node));
        ASSERT_EQ(a.call_count(node), b.call_count(node));
        ASSERT_EQ(a.callees(node).size(), b.callees(node).size());
    }
}

void expect_true_costs(bool separates_levels, bool is_layered, Counts& functions, Counts& chains) {
    for (unsigned seed = 1; seed <= 150; ++seed) {
        const InliningProgram program(seed, separates_levels, is_layered);
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Profile whole = read(program.text());
        const Profile profile = expanded(whole, {program.map()});
        const CallGraph graph = inlined_graph(profile);
        expect_truth(graph, program.inclusive, false, functions);
        expect_truth(inlined_graph(profile, Inlined::keep), program.of_chains, true, chains);
        expect_same_graph(inlined_graph(profile, Inlined::in_host), inlined_graph(whole));
        if (testing::Test::HasFatalFailure()) return;
        EXPECT_EQ(graph.cycle_count(), inlined_graph(whole).cycle_count());
        EXPECT_EQ(inlined_graph(profile, Inlined::keep).cycle_count(), inlined_graph(whole).cycle_count());
        const Measure measure = default_measure(graph);
        for (const FunctionRow& row : callcost::functions(graph).rows) {
            const std::string name(graph.name(row.node));
            const auto find = [&](const auto& costs) { return costs.contains(name) ? costs.at(name) : 0; };
            ASSERT_EQ(row.self, find(program.self)) << name;
            ASSERT_EQ(row.inlined, find(program.inlined_self)) << name;
            ASSERT_EQ(row.inlined, graph.inlined_self(row.node, measure));
        }
    }
}

TEST(InlinedCosts, are_exact_without_recursion) {
    Counts of_functions, of_chains;
    expect_true_costs(true, true, of_functions, of_chains);
    EXPECT_EQ(of_functions.exact, of_functions.rows);
    EXPECT_EQ(of_chains.exact, of_chains.rows);
    EXPECT_GT(of_functions.rows, 1000U);
}

TEST(InlinedCosts, are_bounded_in_recursion) {
    Counts of_functions, of_chains;
    expect_true_costs(true, false, of_functions, of_chains);
    EXPECT_GT(of_functions.exact, of_functions.rows / 3);
    EXPECT_GT(of_chains.exact, of_chains.rows * 3 / 4);
    EXPECT_LT(of_functions.error, 0.02 * static_cast<double>(of_functions.rows));
    EXPECT_LT(of_chains.error, 0.02 * static_cast<double>(of_chains.rows));
}

TEST(InlinedCosts, are_bounded_where_levels_are_not_separated) {
    Counts of_functions, of_chains;
    expect_true_costs(false, false, of_functions, of_chains);
    EXPECT_GT(of_functions.exact, of_functions.rows / 5);
    EXPECT_GT(of_chains.exact, of_chains.rows * 2 / 5);
    EXPECT_LT(of_functions.error, 0.15 * static_cast<double>(of_functions.rows));
    EXPECT_LT(of_chains.error, 0.1 * static_cast<double>(of_chains.rows));
}

NodeId node_named(const CallGraph& graph, std::string_view chain) {
    for (std::size_t row = 0; row < graph.size(); ++row)
        if (chain_of(graph, NodeId(row)) == chain) return NodeId(row);
    throw std::runtime_error("no node " + std::string(chain));
}
ArcId arc_between(const CallGraph& graph, std::string_view caller, std::string_view callee) {
    for (const ArcId arc : graph.callees(node_named(graph, caller)))
        if (graph.name(graph.callee(arc)) == callee) return arc;
    throw std::runtime_error("no arc");
}

/// g is inlined in main and in h, which g calls from main; and it is a function that h calls.
const char places_of_g[] =
    "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\nfl=p.c\n"
    "fn=main\n16 1 5\n32 2 10\ncfn=h\ncalls=1 1\n33 2 60\n"
    "fn=h\n48 3 7\n64 4 20\ncfn=g\ncalls=3 1\n49 3 33\nfn=g\n80 5 33\n";
const char map_of_g[] =
    "object\tprog\nfile\tp.c\nfunction\tg\tp.c\t5\nsite\t-1\t0\t0\t2\t20\nsite\t-1\t0\t0\t4\t40\n"
    "run\t10\t-1\nrun\t20\t0\nrun\t30\t-1\nrun\t40\t1\nrun\t50\t-1\n";

TEST(InlinedCosts, of_a_function_below_itself_count_once) {
    const Profile profile = expanded(read(places_of_g), {inline_map(map_of_g)});
    const CallGraph graph = inlined_graph(profile);
    const Measure ir = default_measure(graph);
    ASSERT_EQ(graph.size(), 3U);
    const NodeId g = node_named(graph, "g");
    EXPECT_EQ(graph.self(g, ir), 63);
    EXPECT_EQ(graph.inlined_self(g, ir), 30);
    EXPECT_EQ(graph.inclusive_bounds(g, ir), (BoundedCost{70, 70, 70}));
    EXPECT_EQ(graph.inclusive(node_named(graph, "main"), ir), 75);
    EXPECT_EQ(graph.cycle_count(), 0U);
    const CallGraph places = inlined_graph(profile, Inlined::keep);
    ASSERT_EQ(places.size(), 5U);
    EXPECT_EQ(places.inclusive(node_named(places, "g in main"), ir), 70);
    EXPECT_EQ(places.inclusive(node_named(places, "g in h"), ir), 20);
    EXPECT_EQ(places.inclusive(node_named(places, "g"), ir), 33);
}

TEST(InlinedCosts, have_entries_and_no_calls) {
    const Profile profile = expanded(read(places_of_g), {inline_map(map_of_g)});
    const CallGraph graph = inlined_graph(profile);
    const NodeId g = node_named(graph, "g");
    EXPECT_EQ(graph.call_count(g), (CallCount{3, false}));
    EXPECT_EQ(graph.entries(g), 30U);
    EXPECT_FALSE(graph.entries(node_named(graph, "main")));
    EXPECT_TRUE(graph.inlined(arc_between(graph, "main", "g")));
    EXPECT_EQ(graph.count(arc_between(graph, "main", "g")), (CallCount{0, true}));
    const ArcId both = arc_between(graph, "h", "g");
    EXPECT_FALSE(graph.inlined(both));
    EXPECT_EQ(graph.count(both), (CallCount{3, false}));
    EXPECT_EQ(graph.cost(both, default_measure(graph)), 53);
    EXPECT_EQ(graph.functions(g).size(), 3U);
    EXPECT_FALSE(profile.inlined_in(graph.function(g)).valid());
    const CallGraph places = inlined_graph(profile, Inlined::keep);
    EXPECT_EQ(places.call_count(node_named(places, "g in h")), (CallCount{0, true}));
}

TEST(InlinedCosts, of_some_parts_are_theirs) {
    const std::string text = places_of_g;
    const std::string body = text.substr(text.find("positions"));
    const Profile profile = expanded(
        read("creator: callgrind-3.19.0\npart: 1\n" + body + "\npart: 2\n" + body + "fn=main\n32 2 1000\n"),
        {inline_map(map_of_g)});
    const auto graph = call_graph(profile, {.parts = {1}}).value();
    const Measure ir = default_measure(graph);
    const NodeId g = node_named(graph, "g");
    EXPECT_EQ(graph.entries(g), 30U);
    EXPECT_EQ(graph.inlined_self(g, ir), 30);
    EXPECT_EQ(graph.inclusive_bounds(g, ir), (BoundedCost{70, 70, 70}));
    EXPECT_EQ(inlined_graph(profile).entries(g), 1060U);
}

/// f calls itself from code that is inlined in it.
TEST(InlinedCosts, have_no_cycle_that_was_not_there) {
    const Profile profile = expanded(read("positions: instr line\nevents: Ir\nob=prog\nfl=p.c\nfn=main\n16 1 "
                                          "1\ncfn=f\ncalls=1 1\n16 1 100\n"
                                          "fn=f\n48 3 60\n64 4 40\ncfn=f\ncalls=4 1\n65 4 80\n"),
                                     {inline_map(map_of_g)});
    for (const Inlined inlined : {Inlined::fold, Inlined::keep, Inlined::in_host})
        EXPECT_EQ(inlined_graph(profile, inlined).cycle_count(), 0U);
    const CallGraph graph = inlined_graph(profile);
    const Measure ir = default_measure(graph);
    EXPECT_EQ(graph.inclusive_bounds(node_named(graph, "f"), ir), (BoundedCost{100, 100, 100}));
    const BoundedCost g = graph.inclusive_bounds(node_named(graph, "g in f"), ir);
    EXPECT_EQ(g.least, 40);
    EXPECT_EQ(g.most, 100);
    EXPECT_TRUE(graph.recursive(arc_between(graph, "g in f", "f")));
    EXPECT_TRUE(graph.counted_again(arc_between(graph, "f", "g")));
    EXPECT_FALSE(graph.recursive(arc_between(graph, "main", "f")));
    EXPECT_EQ(roots(graph, ir).size(), 1U);
}

TEST(InlinedCosts, make_rows_and_groups) {
    const Profile profile = expanded(read(places_of_g), {inline_map(map_of_g)});
    const CallGraph graph = inlined_graph(profile);
    const FunctionList list = callcost::functions(graph, {.by = SortBy::inclusive});
    ASSERT_EQ(list.rows.size(), 3U);
    EXPECT_EQ(graph.name(list.rows[1].node), "g");
    EXPECT_EQ(list.rows[1].inclusive, 70);
    EXPECT_EQ(list.rows[1].inlined, 30);
    EXPECT_EQ(list.omitted_self, 0);
    const GroupList all = groups(graph, GroupBy::object);
    ASSERT_EQ(all.rows.size(), 1U);
    EXPECT_EQ(all.rows[0].self, 75);
    EXPECT_EQ(all.rows[0].inlined, 30);
    EXPECT_EQ(all.rows[0].inclusive, (BoundedCost{75, 75, 75}));
}

TEST(InlinedCosts, of_lines_and_calls_are_there) {
    const Profile profile = expanded(read(places_of_g), {inline_map(map_of_g)});
    const CallGraph graph = inlined_graph(profile), hosts = inlined_graph(profile, Inlined::in_host);
    const Measure ir = default_measure(graph);
    const auto lines = function_lines(graph, node_named(graph, "g"), ir).value();
    ASSERT_EQ(lines.size(), 1U);
    std::vector<std::uint64_t> numbers;
    for (const LineCost& line : lines[0].lines) numbers.push_back(line.line);
    EXPECT_THAT(numbers, testing::ElementsAre(2U, 4U, 5U));
    EXPECT_EQ(call_sites(graph, arc_between(graph, "h", "g"), ir).value().size(), 2U);
    const auto code = instructions(hosts, node_named(hosts, "h"), ir).value();
    ASSERT_EQ(code.size(), 3U);
    EXPECT_EQ(code[2].address, 64U);
    EXPECT_TRUE(code[2].calls.empty());
}

}  // namespace
}  // namespace callcost::test
