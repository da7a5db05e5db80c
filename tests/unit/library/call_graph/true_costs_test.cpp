// F75 to F77: where the costs are true, recursion of any kind puts none above the total, every call is paid
// for, and the roots are all there is.
#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "callcost/call_graph.hpp"
#include "unit/library/parser/profile_text.hpp"

namespace callcost::test {
namespace {

/// A program that calls, returns and costs something by chance, measured as Callgrind does it.
class Program {
  public:
    explicit Program(unsigned seed) {
        std::minstd_rand chance(seed);
        for (std::size_t left = chance() % 2000; left != 0; --left)
            take(static_cast<unsigned>(chance() >> 8U));
        while (!stack_.empty()) leave();
    }
    [[nodiscard]] std::string profile() const {
        std::string text = "creator: callgrind-3.22.0\nevents: Ir\n";
        for (const auto& [function, self] : self_) {
            text += "ob=" + object(function) + "\nfl=" + file(function) + "\nfn=" + name(function) + "\n1 " +
                    std::to_string(self) + '\n';
            for (auto arc = arcs_.lower_bound({function, Function{}}); arc != arcs_.end(); ++arc) {
                const auto& [caller, callee] = arc->first;
                if (caller != function) break;
                text += "cob=" + object(callee) + "\ncfi=" + file(callee) + "\ncfn=" + name(callee) +
                        "\ncalls=" + std::to_string(arc->second.first) + " 1\n2 " +
                        std::to_string(arc->second.second) + '\n';
            }
        }
        return text;
    }

  private:
    static constexpr std::size_t most_frames = 100;
    using Function = std::pair<unsigned, bool>;  // a number, and whether it was active when it was called
    struct Frame {
        Function function;
        std::int64_t inclusive = 0;
    };

    void take(unsigned step) {
        const unsigned number = step / 4 % 12;
        if (step % 4 == 0 && stack_.size() < most_frames) {
            const bool again = std::any_of(stack_.begin(), stack_.end(), [&](const Frame& frame) {
                return frame.function.first == number;
            });
            stack_.push_back({{number, again}});
            self_[stack_.back().function];
        } else if (step % 4 == 1 && !stack_.empty()) {
            leave();
        } else if (!stack_.empty()) {
            self_[stack_.back().function] += step % 100;
            stack_.back().inclusive += step % 100;
        }
    }
    void leave() {
        const Frame done = stack_.back();
        stack_.pop_back();
        if (stack_.empty()) return;
        stack_.back().inclusive += done.inclusive;
        auto& [count, cost] = arcs_[{stack_.back().function, done.function}];
        ++count;
        cost += done.inclusive;
    }
    static std::string object(Function f) { return 'o' + std::to_string(f.first % 2); }
    static std::string file(Function f) {
        return 'd' + std::to_string(f.first % 3) + "/s" + std::to_string(f.first % 4);
    }
    static std::string name(Function f) {
        return 'n' + std::to_string(f.first % 5) + "::f" + std::to_string(f.first) + (f.second ? "'2" : "");
    }

    std::vector<Frame> stack_;
    std::map<Function, std::int64_t> self_;
    std::map<std::pair<Function, Function>, std::pair<std::uint64_t, std::int64_t>> arcs_;
};

void expect_true(const CallGraph& graph, const Measure& measure) {
    const std::int64_t total = graph.total(measure);
    EXPECT_EQ(diagnostic_lines(analysis_diagnostics(graph)), Lines{});
    for (const FunctionRow& row : functions(graph, {.measure = measure, .by = SortBy::inclusive}).rows) {
        EXPECT_EQ(row.inclusive, graph.inclusive(row.node, measure)) << graph.name(row.node);
        EXPECT_GE(row.inclusive, row.self) << graph.name(row.node);
        EXPECT_LE(row.inclusive, total) << graph.name(row.node);
        EXPECT_TRUE(graph.cycle(row.node).valid() || conservation(graph, row.node, measure).imbalance() >= 0)
            << graph.name(row.node);
    }
    for (std::size_t row = 0; row < graph.cycle_count(); ++row) {
        EXPECT_LE(graph.inclusive(CycleId(row), measure), total);
        EXPECT_GE(conservation(graph, CycleId(row), measure).imbalance(), 0);
    }
    std::int64_t entered = 0;
    for (const Root& root : roots(graph, measure)) entered += root.weight;
    EXPECT_EQ(entered, total);
    for (const GroupBy by :
         {GroupBy::object, GroupBy::file, GroupBy::directory, GroupBy::name_space, GroupBy::cycle})
        for (const Group& group : groups(graph, by, {.measure = measure}).rows) {
            EXPECT_GE(group.inclusive, group.self) << group.name;
            EXPECT_LE(group.inclusive, total) << group.name;
        }
}

TEST(TrueCosts, are_never_above_the_total) {
    std::size_t cycles = 0, folded_nodes = 0, nodes = 0;
    for (unsigned seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        const Profile profile = read(Program(seed).profile());
        const Measure ir = measures(profile)[0];
        const CallGraph graph = *call_graph(profile);
        const CallGraph folded = *call_graph(profile, {.contexts = Contexts::fold});
        expect_true(graph, ir);
        expect_true(folded, ir);
        cycles += graph.cycle_count();
        nodes += graph.size();
        folded_nodes += folded.size();
    }
    EXPECT_GT(cycles, 50U);
    EXPECT_GT(nodes, folded_nodes);
}

}  // namespace
}  // namespace callcost::test
