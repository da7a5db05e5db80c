#include "exporters/exported_stacks.hpp"

#include <memory>

#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"

namespace callcost::test {
namespace {

std::string exported(const CallGraph& graph, const StacksOfSources& stacks) {
    const auto file = engine::exported_stacks("folded", graph, stacks, default_measure(graph));
    return file ? file->bytes : file.error();
}

TEST(ExportedStacks, are_the_recorded_ones_where_there_are_any) {
    const Profile profile = plain_profile(
        "fn=start\n1 0\ncfn=backup\ncalls=1 1\n1 4\nfn=end\n1 0\ncfn=backup\ncalls=1 1\n1 4\n"
        "fn=backup\n1 0\ncfn=read\ncalls=1 1\n1 4\ncfn=write\ncalls=1 1\n1 4\n"
        "fn=read\n1 4\nfn=write\n1 4\n");
    const auto graph = graph_of(profile);
    Stacks stacks;
    const auto event = stacks.event(default_measure(graph).name);
    const auto add = [&](std::initializer_list<const char*> names, Cost cost) {
        auto row = Stacks::none;
        for (const char* name : names) row = stacks.stack(row, stacks.function(name));
        stacks.add(row, event, cost);
    };
    add({"start", "backup", "read"}, 4);
    add({"end", "backup", "write"}, 4);
    const auto recorded = std::make_shared<const Stacks>(std::move(stacks));
    EXPECT_EQ(exported(graph, {recorded}), "end;backup;write 4\nstart;backup;read 4\n");
    const std::string estimated =
        "end;backup;read 2\nend;backup;write 2\nstart;backup;read 2\nstart;backup;write 2\n";
    EXPECT_EQ(exported(graph, {}), estimated);
    EXPECT_EQ(exported(graph, {nullptr}), estimated);
}

}  // namespace
}  // namespace callcost::test
