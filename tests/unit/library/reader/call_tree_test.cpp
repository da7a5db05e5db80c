// The call tree that Xdebug's files hold: a block for every call, when it returns (F66).
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "profile/call_trace.hpp"
#include "unit/library/parser/every_way.hpp"
#include <callcost/callcost.hpp>

namespace callcost {
namespace {

/// A file as Xdebug writes it, made of calls as they return.
class PhpRun {
  public:
    struct Call {
        std::string name;
        std::int64_t inclusive = 0;
    };

    /// A call has returned: what it has spent itself, and what it has called.
    Call returns(const std::string& name, std::int64_t self, const std::vector<Call>& callees = {}) {
        Call call{name, self};
        text_ += "fl=/a.php\nfn=" + name + "\n1 " + std::to_string(self) + " 8\n";
        for (const Call& callee : callees) {
            call.inclusive += callee.inclusive;
            text_ += "cfl=/a.php\ncfn=" + callee.name + "\ncalls=1 0 0\n2 " +
                     std::to_string(callee.inclusive) + " 0\n";
        }
        text_ += "\n";
        return call;
    }
    [[nodiscard]] std::string text() const { return text_ + "summary: 1 1\n\n"; }
    [[nodiscard]] std::string killed() const { return text_; }

  private:
    std::string text_ =
        "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.35)\ncmd: /a.php\npart: 1\npositions: line\n\n"
        "events: Time_(10ns) Memory_(bytes)\n\n";
};

/// "main;f 5", sorted; by the first event type.
std::string paths_of(const Stacks& stacks) {
    std::map<std::string, std::int64_t> paths;
    std::vector<std::string> path;
    for (std::uint32_t row = 0; row < stacks.size(); ++row) {
        const auto caller = stacks.caller(row);
        path.push_back((caller == Stacks::none ? "" : path[caller] + ';') +
                       std::string(stacks.names(stacks.last_function(row)).name));
        const auto event = stacks.find_event("Time_(10ns)");
        if (event != Stacks::none) paths[path.back()] += stacks.self(row, event);
    }
    std::string text;
    for (const auto& [name, cost] : paths) text += name + ' ' + std::to_string(cost) + '\n';
    return text;
}

std::string paths_of(const Profile& profile) {
    const auto stacks = recorded_stacks(profile);
    std::string text;
    for (const auto& of_source : stacks) text += of_source ? paths_of(*of_source) : "none\n";
    return text;
}

/// The same however the file is cut into chunks.
std::string paths_of(const std::string& text) {
    auto expected = paths_of(test::read_every_way(text));
    for (const std::size_t size : {64U, 100U, 333U}) {
        ReadOptions options;
        options.chunk_size = size;
        EXPECT_EQ(paths_of(test::read(text, options)), expected) << "in chunks of " << size;
        options.concurrency = 2;
        options.run_all = test::on_two_threads();
        options.detail = Detail::functions;
        EXPECT_EQ(paths_of(test::read(text, options)), expected) << "by two threads in chunks of " << size;
    }
    return expected;
}

TEST(CallTree, is_that_of_the_calls_in_the_order_of_their_returns) {
    PhpRun run;
    const auto leaf = run.returns("leaf", 3);
    const auto one = run.returns("f", 10, {leaf});
    const auto other = run.returns("leaf", 4);
    const auto g = run.returns("g", 20, {other});
    run.returns("{main}", 100, {one, g});
    EXPECT_EQ(paths_of(run.text()),
              "{main} 100\n{main};f 10\n{main};f;leaf 3\n{main};g 20\n{main};g;leaf 4\n");
}

TEST(CallTree, tells_levels_of_recursion_apart) {
    PhpRun run;
    const auto third = run.returns("f", 1);
    const auto second = run.returns("f", 2, {third});
    const auto first = run.returns("f", 4, {second});
    run.returns("{main}", 8, {first});
    EXPECT_EQ(paths_of(run.text()), "{main} 8\n{main};f 4\n{main};f;f 2\n{main};f;f;f 1\n");
    const auto graph = *call_graph(test::read(run.text()));
    const auto tree = exact_tree(graph, {});
    ASSERT_TRUE(tree);
    EXPECT_TRUE(tree->exact);
    EXPECT_EQ(tree->functions, 2U) << "f is folded";
    EXPECT_EQ(exact_tree(graph, {}, {.recursion = Recursion::unfold})->functions, 4U);
}

TEST(CallTree, takes_memory_by_paths_and_not_by_calls) {
    PhpRun run;
    std::vector<PhpRun::Call> calls;
    for (int i = 0; i < 50'000; ++i) {
        const auto leaf = run.returns("leaf", i % 7);
        calls.push_back(run.returns("f", 2, {leaf}));
    }
    run.returns("{main}", 5, calls);
    const auto stacks = recorded_stacks(test::read(run.text()));
    ASSERT_TRUE(stacks.size() == 1 && stacks[0]);
    EXPECT_EQ(stacks[0]->size(), 3U);
    EXPECT_EQ(paths_of(*stacks[0]), "{main} 5\n{main};f 100000\n{main};f;leaf 149997\n");
}

TEST(CallTree, has_destructors_beside_the_program) {
    PhpRun run;
    const auto f = run.returns("f", 1);
    run.returns("{main}", 2, {f});
    const auto close = run.returns("close", 3);
    run.returns("A->__destruct", 4, {close});
    EXPECT_EQ(paths_of(run.text()), "A->__destruct 4\nA->__destruct;close 3\n{main} 2\n{main};f 1\n");
}

TEST(CallTree, has_what_had_returned_when_the_program_was_killed) {
    PhpRun run;
    const auto leaf = run.returns("leaf", 1);
    run.returns("f", 2, {leaf});
    run.returns("g", 4);
    EXPECT_EQ(paths_of(run.killed()), "f 2\nf;leaf 1\ng 4\n");
    // The last block is cut off behind the first of its calls.
    const auto h = run.returns("h", 8), i = run.returns("i", 16);
    run.returns("k", 32, {h, i});
    const auto whole = run.killed();
    const auto cut = whole.substr(0, whole.rfind("cfn=i"));
    EXPECT_EQ(paths_of(cut), "f 2\nf;leaf 1\ng 4\ni 16\nk 32\nk;h 8\n");
    const auto in_a_name = cut + "cfn=unheard of\ncalls=1 0 0\n2 1";
    EXPECT_EQ(paths_of(in_a_name), "f 2\nf;leaf 1\ng 4\nh 8\ni 16\nk 32\n");
    EXPECT_EQ(paths_of(run.text()), "f 2\nf;leaf 1\ng 4\nk 32\nk;h 8\nk;i 16\n");
}

TEST(CallTree, follows_fibers_that_run_in_turns) {
    PhpRun run;
    const auto a = run.returns("a", 1);        // in the first fiber
    const auto b = run.returns("b", 2, {});    // in the second
    const auto a_later = run.returns("a", 4);  // in the first again
    const auto deep = run.returns("deep", 8);  // in the second again
    const auto b_later = run.returns("c", 16, {deep});
    const auto first = run.returns("first", 32, {a, a_later});
    const auto second = run.returns("second", 64, {b, b_later});
    run.returns("{main}", 128, {first, second});
    EXPECT_EQ(paths_of(run.text()),
              "{main} 128\n{main};first 32\n{main};first;a 5\n{main};second 64\n{main};second;b 2\n"
              "{main};second;c 16\n{main};second;c;deep 8\n");
}

TEST(CallTree, has_an_end_where_the_first_call_to_return_is_not_of_the_first_stack) {
    PhpRun run;
    const auto f = run.returns("f", 1);  // in a fiber
    run.returns("g", 2);                 // in another, whose caller has not returned
    run.returns("h", 4, {f});
    EXPECT_EQ(paths_of(run.killed()), "g 2\nh 4\nh;f 1\n");
    const auto i = run.returns("i", 8);
    run.returns("g", 16);
    run.returns("k", 32, {i});
    EXPECT_EQ(paths_of(run.killed()), "g 18\nh 4\nh;f 1\nk 32\nk;i 8\n");
}

TEST(CallTree, tells_calls_of_fibers_apart_by_their_cost) {
    PhpRun run;
    const auto cheap = run.returns("f", 10);
    const auto dear = run.returns("f", 1000);
    const auto one = run.returns("one", 0, {cheap});
    const auto other = run.returns("other", 0, {dear});
    run.returns("{main}", 0, {one, other});
    EXPECT_EQ(paths_of(run.text()),
              "{main} 0\n{main};one 0\n{main};one;f 10\n{main};other 0\n{main};other;f 1000\n");
}

TEST(CallTree, is_that_of_all_runs_in_a_file) {
    PhpRun one, other;
    one.returns("{main}", 1, {one.returns("f", 2)});
    other.returns("{main}", 4, {other.returns("g", 8)});
    const auto both = one.text() + "\n==== NEW PROFILING FILE ====\n" + other.text();
    EXPECT_EQ(paths_of(both), "{main} 5\n{main};f 2\n{main};g 8\n");
    Selection second;
    second.rows = {1};
    const auto graph = call_graph(test::read(both), second);
    ASSERT_TRUE(graph);
    const auto tree = exact_tree(*graph, {});
    ASSERT_TRUE(tree) << "of one of them, too";
    EXPECT_EQ(tree->inclusive, 12);
}

TEST(CallTree, is_in_every_file_on_its_own) {
    PhpRun one, other;
    one.returns("{main}", 1, {one.returns("f", 2)});
    other.returns("{main}", 4, {{"g", 8}});
    ProfileReader reader;
    for (const auto& text : {one.text(), other.text()}) ASSERT_TRUE(reader.add(from_memory(text)));
    const auto profile = std::move(reader).finish();
    EXPECT_EQ(paths_of(profile), "{main} 1\n{main};f 2\nnone\n");
    EXPECT_FALSE(has_recorded_stacks(profile));
    EXPECT_FALSE(exact_tree(*call_graph(profile), {}));
    Stacks beside;
    const auto main = beside.stack(Stacks::none, beside.function("{main}", "/a.php"));
    beside.add(main, beside.event("Time_(10ns)"), 4);
    const StacksOfSources stacks = {nullptr, std::make_shared<const Stacks>(std::move(beside))};
    EXPECT_TRUE(has_recorded_stacks(profile, stacks));
    EXPECT_TRUE(exact_tree(*call_graph(profile), stacks)) << "some are beside the profile, others in it";
}

TEST(CallTree, is_unknown_from_a_block_on_that_does_not_fit) {
    PhpRun run;
    const auto f = run.returns("f", 1);
    run.returns("g", 2, {f});
    const auto misfit = [&](const std::string& text) {
        const auto profile = test::read_every_way(text);
        EXPECT_EQ(paths_of(text), "");
        EXPECT_FALSE(has_recorded_stacks(profile));
        EXPECT_EQ(profile.arc_count(), 1U) << "the call graph stays";
        test::Lines found;
        for (const auto& diagnostic : profile.diagnostics())
            if (diagnostic.id == DiagnosticId::call_tree_misfit)
                found.push_back(diagnostic.count == 1
                                    ? "call-tree-misfit " + std::to_string(diagnostic.places[0].line)
                                    : "too many");
        return found;
    };
    const auto with = [&](std::string_view part, std::string_view other) {
        auto text = run.text();
        return text.replace(text.rfind(part), part.size(), other);
    };
    EXPECT_EQ(paths_of(run.text()), "g 2\ng;f 1\n");
    EXPECT_EQ(misfit(with("cfn=f", "cfn=h")), test::Lines{"call-tree-misfit 14"})
        << "nobody has returned from h";
    EXPECT_EQ(misfit(with("calls=1", "calls=2")), test::Lines{"call-tree-misfit 14"});
    EXPECT_EQ(misfit(with("\n2 1 0", "\n2 4 0")), test::Lines{"call-tree-misfit 14"}) << "it has cost less";
    EXPECT_EQ(paths_of(with("\n2 1 0", "\n2 3 0")), "g 2\ng;f 1\n") << "costs are rounded";
}

TEST(CallTree, is_in_files_of_the_first_xdebugs) {
    // No creator, no files of callees, and a summary in the block of {main}.
    EXPECT_EQ(paths_of("version: 0.9.6\ncmd: /a.php\npart: 1\n\nevents: Time_(10ns)\n\n"
                       "fl=php:internal\nfn=php::strlen\n4 3\n\n"
                       "fl=/b.php\nfn=f\n6 10\ncfn=php::strlen\ncalls=1 0 0\n4 4\n\n"
                       "fl=/a.php\nfn={main}\n\nsummary: 33\n\n1 20\ncfn=f\ncalls=1 0 0\n7 14\n\n"
                       "fl=/b.php\nfn=close\n9 5\n"),
              "close 5\n{main} 20\n{main};f 10\n{main};f;php::strlen 3\n");
}

TEST(CallTree, is_nothing_that_others_write) {
    PhpRun run;
    const auto f = run.returns("f", 1);
    run.returns("g", 2, {f});
    auto text = run.text();
    text.replace(text.find("xdebug"), 6, "ydebug");
    EXPECT_EQ(paths_of(text), "");
    EXPECT_FALSE(has_recorded_stacks(test::read(text)));
}

TEST(CallTree, has_the_cost_of_outermost_calls) {
    PhpRun run;
    const auto h = run.returns("h", 1);
    const auto inner = run.returns("f", 2, {h});
    const auto g = run.returns("g", 4, {inner});
    const auto outer = run.returns("f", 8, {g});
    const auto once_more = run.returns("f", 16);
    run.returns("{main}", 32, {outer, once_more});
    const auto profile = test::read(run.text());
    std::vector<std::uint32_t> row_of;
    std::map<std::string, std::size_t> row;
    for (std::uint32_t i = 0; i < profile.function_count(); ++i) {
        row[std::string(profile.name(FunctionId(i)))] = i;
        row_of.push_back(i);
    }
    const std::vector<PartId> parts = {PartId(0)};
    const std::vector<EventId> events = {EventId(1), EventId(0)};
    const auto costs = outermost_costs(profile, parts, row_of, row_of.size(), events);
    ASSERT_TRUE(costs);
    const auto time = [&](const char* name) { return (*costs)[2 * row[name] + 1]; };
    const auto memory = [&](const char* name) { return (*costs)[2 * row[name]]; };
    EXPECT_EQ(time("{main}"), 63);
    EXPECT_EQ(time("f"), 31);
    EXPECT_EQ(time("g"), 7);
    EXPECT_EQ(time("h"), 1);
    EXPECT_EQ(memory("{main}"), 48);
    EXPECT_EQ(memory("f"), 40);
    // f and g as one, and nothing else.
    for (auto& of : row_of) of = of == row["f"] || of == row["g"] ? 0 : 9;
    EXPECT_EQ((*outermost_costs(profile, parts, row_of, 1, events))[1], 31);
    EXPECT_FALSE(outermost_costs(test::read(test::in_function("1\n")), parts, row_of, 1, {}));
}

}  // namespace
}  // namespace callcost
