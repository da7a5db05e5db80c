// F75 to F77: where the costs are true, recursion of any kind puts none above the total, every call is paid
// for, and the roots are all there is.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "callcost/call_graph.hpp"
#include "callcost/groups.hpp"
#include "unit/library/parser/profile_text.hpp"
#include "unit/library/parser/sanitized.hpp"

namespace callcost::test {
namespace {

enum class Levels : std::uint8_t { separate, together };  // of recursion: --separate-recs

/// A program that calls, returns and costs something by chance, measured as Callgrind does it.
class Program {
  public:
    explicit Program(unsigned seed, Levels levels = Levels::separate) : levels_(levels) {
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

    /// What was spent while it was on the stack, each event once: functions without level, objects, and calls
    /// as "caller>callee".
    [[nodiscard]] std::int64_t on_stack(const std::string& what) const {
        const auto found = on_stack_.find(what);
        return found == on_stack_.end() ? 0 : found->second;
    }

  private:
    static constexpr std::size_t max_frames = 100;
    using Function = std::pair<unsigned, bool>;  // a number, and whether it was active when it was called
    struct Frame {
        Function function;
        std::int64_t inclusive = 0;
    };

    void take(unsigned step) {
        const unsigned number = step / 4 % 12;
        if (step % 4 == 0 && stack_.size() < max_frames) {
            const bool again = std::any_of(stack_.begin(), stack_.end(), [&](const Frame& frame) {
                return frame.function.first == number;
            });
            stack_.push_back({{number, again && levels_ == Levels::separate}});
            self_[stack_.back().function];
        } else if (step % 4 == 1 && !stack_.empty()) {
            leave();
        } else if (!stack_.empty()) {
            self_[stack_.back().function] += step % 100;
            stack_.back().inclusive += step % 100;
            spend(step % 100);
        }
    }
    void spend(std::int64_t cost) {
        std::set<std::string> present;
        for (std::size_t i = 0; i < stack_.size(); ++i) {
            const Function function{stack_[i].function.first, false};
            present.insert(name(function));
            present.insert(object(function));
            if (i > 0) present.insert(name({stack_[i - 1].function.first, false}) + '>' + name(function));
        }
        for (const std::string& what : present) on_stack_[what] += cost;
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

    Levels levels_;
    std::vector<Frame> stack_;
    std::map<std::string, std::int64_t> on_stack_;
    std::map<Function, std::int64_t> self_;
    std::map<std::pair<Function, Function>, std::pair<std::uint64_t, std::int64_t>> arcs_;
};

/// How many programs a test makes up.
constexpr unsigned programs = is_sanitized ? 60 : 300;

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
            EXPECT_GE(group.inclusive.least, group.self) << group.name;
            EXPECT_GE(group.inclusive.estimate, group.inclusive.least) << group.name;
            EXPECT_LE(group.inclusive.estimate, group.inclusive.most) << group.name;
            EXPECT_LE(group.inclusive.most, total) << group.name;
        }
}

TEST(TrueCosts, are_never_above_the_total) {
    std::size_t cycles = 0, folded_nodes = 0, nodes = 0;
    for (unsigned seed = 1; seed <= programs; ++seed) {
        SCOPED_TRACE(seed);
        const Profile profile = read(Program(seed).profile());
        const Measure ir = measures(profile)[0];
        const CallGraph graph = *call_graph(profile, {.contexts = Contexts::keep});
        const CallGraph folded = *call_graph(profile, {.contexts = Contexts::fold});
        expect_true(graph, ir);
        expect_true(folded, ir);
        cycles += graph.cycle_count();
        nodes += graph.size();
        folded_nodes += folded.size();
    }
    EXPECT_GT(cycles, programs / 6);
    EXPECT_GT(nodes, folded_nodes);
}

TEST(TrueCosts, of_functions_are_what_was_spent_while_they_were_on_the_stack_if_levels_are_separate) {
    std::size_t in_cycles = 0, without_level = 0;
    for (unsigned seed = 1; seed <= programs; ++seed) {
        SCOPED_TRACE(seed);
        const Program program(seed);
        const Profile profile = read(program.profile());
        const Measure ir = measures(profile)[0];
        const CallGraph graph = *call_graph(profile);
        // Programs without any recursion have no levels: then nothing says that they are separate.
        const bool has_levels = program.profile().find('\'') != std::string::npos;
        for (std::size_t row = 0; row < graph.size(); ++row) {
            const NodeId node(row);
            if (graph.cycle(node).valid() && !has_levels) continue;
            in_cycles += graph.cycle(node).valid();
            const BoundedCost cost = graph.inclusive_bounds(node, ir);
            EXPECT_TRUE(cost.is_exact()) << graph.name(node);
            EXPECT_EQ(cost.estimate, program.on_stack(std::string(graph.name(node)))) << graph.name(node);
            EXPECT_EQ(graph.inclusive(node, ir), cost.estimate) << graph.name(node);
        }
        const CallGraph kept = *call_graph(profile, {.contexts = Contexts::keep});
        for (std::size_t row = 0; has_levels && row < kept.size(); ++row) {
            const NodeId node(row);
            const BoundedCost cost = kept.inclusive_bounds(node, ir);
            if (kept.name(node).find('\'') != std::string_view::npos) {
                EXPECT_LE(cost.least, cost.most) << kept.name(node);
                continue;
            }
            ++without_level;
            EXPECT_TRUE(cost.is_exact()) << kept.name(node);
            EXPECT_EQ(cost.estimate, program.on_stack(std::string(kept.name(node)))) << kept.name(node);
        }
    }
    EXPECT_GT(in_cycles, programs * 3);
    EXPECT_GT(without_level, programs * 3);
}

TEST(TrueCosts, of_functions_are_between_their_bounds_where_levels_are_together) {
    std::size_t bounded = 0;
    double error = 0, width = 0;
    for (unsigned seed = 1; seed <= programs; ++seed) {
        SCOPED_TRACE(seed);
        const Program program(seed, Levels::together);
        const Profile profile = read(program.profile());
        const Measure ir = measures(profile)[0];
        const CallGraph graph = *call_graph(profile);
        for (std::size_t row = 0; row < graph.size(); ++row) {
            const NodeId node(row);
            const BoundedCost cost = graph.inclusive_bounds(node, ir);
            const std::int64_t truth = program.on_stack(std::string(graph.name(node)));
            EXPECT_LE(cost.least, truth) << graph.name(node);
            EXPECT_GE(cost.most, truth) << graph.name(node);
            EXPECT_LE(cost.least, cost.estimate) << graph.name(node);
            EXPECT_GE(cost.most, cost.estimate) << graph.name(node);
            if (cost.is_exact()) continue;
            ++bounded;
            error += std::abs(static_cast<double>(cost.estimate) - static_cast<double>(truth));
            width += static_cast<double>(cost.most) - static_cast<double>(cost.least);
        }
    }
    EXPECT_GT(bounded, programs * 3);
    EXPECT_LT(error, width / 4);  // the middle of the bounds would be right to half of that on average
}

TEST(TrueCosts, of_objects_are_between_their_bounds) {
    std::size_t bounded = 0;
    for (const Levels levels : {Levels::separate, Levels::together})
        for (unsigned seed = 1; seed <= programs / 2; ++seed) {
            SCOPED_TRACE(seed);
            const Program program(seed, levels);
            const Profile profile = read(program.profile());
            const CallGraph graph = *call_graph(profile);
            for (const Group& group :
                 groups(graph, GroupBy::object, {.measure = measures(profile)[0]}).rows) {
                EXPECT_LE(group.inclusive.least, program.on_stack(group.name)) << group.name;
                EXPECT_GE(group.inclusive.most, program.on_stack(group.name)) << group.name;
                bounded += !group.inclusive.is_exact();
            }
        }
    EXPECT_GT(bounded, programs / 3);
}

TEST(TrueCosts, of_calls_are_what_was_spent_below_them_unless_they_are_counted_again) {
    std::size_t counted_again = 0, recursive = 0;
    for (const Levels levels : {Levels::separate, Levels::together})
        for (unsigned seed = 1; seed <= programs / 2; ++seed) {
            SCOPED_TRACE(seed);
            const Program program(seed, levels);
            const Profile profile = read(program.profile());
            const Measure ir = measures(profile)[0];
            const CallGraph graph = *call_graph(profile);
            for (std::size_t row = 0; row < graph.arc_count(); ++row) {
                const ArcId arc(row);
                const auto calls = std::string(graph.name(graph.caller(arc))) + '>' +
                                   std::string(graph.name(graph.callee(arc)));
                recursive += graph.recursive(arc);
                counted_again += graph.counted_again(arc);
                EXPECT_GE(graph.cost(arc, ir), program.on_stack(calls)) << calls;
                if (graph.counted_again(arc)) continue;
                EXPECT_EQ(graph.cost(arc, ir), program.on_stack(calls)) << calls;
            }
        }
    EXPECT_GT(counted_again, programs / 3);
    EXPECT_GT(recursive, counted_again);
}

}  // namespace
}  // namespace callcost::test
