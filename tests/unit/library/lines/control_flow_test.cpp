#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include <callcost/lines.hpp>

namespace callcost::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<InstructionCost> code_of(const CallGraph& graph, NodeId node, std::vector<Measure> measures) {
    auto rows = instructions(graph, node, measures);
    EXPECT_TRUE(rows.has_value());
    return std::move(rows).value_or(std::vector<InstructionCost>{});
}

/// The rows of the function `f` of a profile with instructions.
std::vector<InstructionCost> rows_of(const std::string& records) {
    const Profile profile = profile_of(
        "version: 1\ncreator: callgrind-3.19\npositions: instr line\nevents: Ir\nfl=a.c\nfn=f\n" + records);
    return code_of(graph_of(profile), NodeId(0U), {measure_of(profile)});
}

std::vector<std::string> blocks_of(const ControlFlow& flow) {
    std::vector<std::string> blocks;
    for (const BasicBlock& block : flow.blocks)
        blocks.push_back(std::to_string(block.first) + "-" + std::to_string(block.last) + ": " +
                         std::to_string(block.self.empty() ? Cost() : block.self[0]));
    return blocks;
}

std::vector<std::string> edges_of(const ControlFlow& flow) {
    const std::array<std::string, 5> kinds{"taken", "not taken", "jump", "next", "indirect"};
    std::vector<std::string> edges;
    for (const BlockEdge& edge : flow.edges)
        edges.push_back(std::to_string(edge.from) + ">" + std::to_string(edge.to) + " " +
                        kinds.at(static_cast<std::size_t>(edge.kind)) + " " +
                        (edge.count ? std::to_string(*edge.count) : "?"));
    return edges;
}

// for (i = 0; i < 10; ++i) if (i % 2) g(); else h();
const char* const a_loop =
    "0x10 1 1\n"  // the loop's head comes once from above
    "0x12 2 11\njcnd=1/11 0x30 9\n0x14 2\n0x14 2 11\n"
    "jcnd=4/10 0x20 5\n0x16 3\n0x16 3 10\n"
    "0x18 4 6\njump=6 0x22 6\n0x1a 4\n0x1a 4 6\n"
    "0x20 5 4\n"
    "0x22 6 10\njump=10 0x12 2\n0x24 6\n0x24 6 10\n"
    "0x30 9 1\n0x31 9 1\n";

TEST(ControlFlowOf, a_loop_has_a_block_for_each_stretch_without_jumps) {
    const auto rows = rows_of(a_loop);
    const ControlFlow flow = control_flow(rows, 0);
    EXPECT_THAT(blocks_of(flow),
                ElementsAre("0-0: 1", "1-2: 22", "3-3: 10", "4-5: 12", "6-6: 4", "7-8: 20", "9-10: 2"));
    EXPECT_THAT(edges_of(flow),
                ElementsAre("0>1 next 1", "1>2 not taken 10", "1>6 taken 1", "2>3 not taken 6", "2>4 taken 4",
                            "3>5 jump 6", "4>5 next 4", "5>1 jump 10"));
}

TEST(ControlFlowOf, a_profile_without_executions_has_counts_of_jumps_only) {
    const ControlFlow flow = control_flow(rows_of(a_loop), std::nullopt);
    EXPECT_THAT(edges_of(flow),
                ElementsAre("0>1 next ?", "1>2 not taken 10", "1>6 taken 1", "2>3 not taken 6", "2>4 taken 4",
                            "3>5 jump 6", "4>5 next ?", "5>1 jump 10"));
}

TEST(ControlFlowOf, a_profile_without_jumps_has_blocks_by_how_often_they_were_executed) {
    const ControlFlow flow = control_flow(rows_of("0x10 1 5\n0x12 1 5\n0x14 2 50\n0x16 2 50\n0x18 3 5\n"), 0);
    EXPECT_THAT(blocks_of(flow), ElementsAre("0-1: 10", "2-3: 100", "4-4: 5"));
    EXPECT_THAT(edges_of(flow), ElementsAre("0>1 next ?", "1>2 next ?")) << "who jumps where is not known";
}

TEST(ControlFlowOf, a_call_that_does_not_always_come_back_ends_its_block) {
    const ControlFlow flow =
        control_flow(rows_of("0x10 1 8\njcnd=3/8 0x20 1\n0x12 1\n0x12 1 8\n0x14 1 5\ncfn=g\ncalls=5 0x90 "
                             "1\n0x14 1 50\n0x18 1 4\n0x20 1 3\n"),
                     0);
    EXPECT_THAT(blocks_of(flow), ElementsAre("0-1: 16", "2-2: 5", "3-3: 4", "4-4: 3"));
    EXPECT_THAT(edges_of(flow), ElementsAre("0>1 not taken 5", "0>3 taken 3", "1>2 next ?"))
        << "what is before 0x20 has returned: all that comes there has jumped";
}

TEST(ControlFlowOf, a_call_may_have_the_cost_of_what_it_goes_through) {  // as with Callgrind's --skip-plt
    const ControlFlow behind =
        control_flow(rows_of("0x10 1 5\n0x14 1 15\ncfn=g\ncalls=5 0x90 1\n0x14 1 50\n0x18 1 5\n"), 0);
    EXPECT_THAT(blocks_of(behind), ElementsAre("0-2: 25"));
    const ControlFlow first = control_flow(
        rows_of("0x14 1 17\ncfn=g\ncalls=5 0x90 1\n0x14 1 50\ncfn=r\ncalls=1 0x95 1\n0x14 1 5\n0x18 1 5\n"),
        0);
    EXPECT_THAT(blocks_of(first), ElementsAre("0-1: 22"));
}

TEST(ControlFlowOf, jumps_of_one_instruction_to_several_targets_are_indirect) {
    const ControlFlow flow =
        control_flow(rows_of("0x10 1 6\njump=1 0x20 2\n0x10 1\njump=2 0x30 3\n0x10 1\njump=3 0x500 7\n0x10 "
                             "1\n0x12 9 1\n0x20 2 1\n0x30 3 2\n"),
                     0);
    EXPECT_THAT(blocks_of(flow), ElementsAre("0-0: 6", "1-1: 1", "2-2: 1", "3-3: 2"));
    EXPECT_THAT(edges_of(flow), ElementsAre("0>2 indirect 1", "0>3 indirect 2")) << "0x500 is elsewhere";
}

TEST(ControlFlowOf, a_repeated_instruction_jumps_to_itself) {
    const ControlFlow flow =
        control_flow(rows_of("0x10 1 1\n0x12 1 9\njcnd=8/9 0x12 1\n0x12 1\n0x15 1 1\n"), 0);
    EXPECT_THAT(edges_of(flow), ElementsAre("0>1 next 1", "1>1 taken 8", "1>2 not taken 1"));
}

TEST(ControlFlowOf, code_that_was_not_executed_is_in_blocks_of_its_own) {
    const std::vector<std::uint64_t> code{0x10, 0x12, 0x14, 0x16, 0x18};
    const auto listing =
        code_listing(rows_of("0x10 1 3\njcnd=3/3 0x18 2\n0x12 1\n0x12 1 3\n0x18 2 3\n"), code);
    const ControlFlow flow = control_flow(listing, 0);
    EXPECT_THAT(blocks_of(flow), ElementsAre("0-1: 6", "2-3: 0", "4-4: 3"));
    EXPECT_THAT(edges_of(flow), ElementsAre("0>1 not taken 0", "0>2 taken 3"));
}

TEST(ControlFlowOf, instructions_far_apart_are_not_neighbours) {
    const ControlFlow flow = control_flow(rows_of("0x10 1 3\n0x40 1 3\n"), 0);
    EXPECT_THAT(blocks_of(flow), ElementsAre("0-0: 3", "1-1: 3"));
    EXPECT_THAT(edges_of(flow), IsEmpty());
}

TEST(ControlFlowOf, code_without_addresses_is_empty) {
    EXPECT_THAT(blocks_of(control_flow(rows_of("0 1 3\n0 2 3\n"), 0)), IsEmpty());
    EXPECT_THAT(blocks_of(control_flow({}, 0)), IsEmpty());
}

TEST(ControlFlowOf, extreme_addresses_and_counts_do_no_harm) {
    const ControlFlow flow = control_flow(
        rows_of("0x1 1 9223372036854775807\njcnd=18446744073709551615/18446744073709551615 0x1 1\n0x1 1\n"
                "jcnd=18446744073709551615/18446744073709551615 0x2 1\n0x1 1\n0x2 1 -5\n"
                "0xffffffffffffffff 1 1\njump=1 0xffffffffffffffff 1\n0xffffffffffffffff 1\n"),
        0);
    EXPECT_EQ(flow.blocks.size(), 3U);
}

/// In Callgrind's files the ways into and out of a block are as many as it was executed.
TEST(ControlFlowOf, real_functions_has_each_instruction_once_and_all_of_their_cost) {
    for (const char* name : {"callgrind/instr-jumps.out", "callgrind/stl-O2-instr-jumps.out",
                             "callgrind/python-instr-jumps.out"}) {
        SCOPED_TRACE(name);
        const Profile profile = profile_file(name);
        const CallGraph graph = graph_of(profile);
        const Measure ir = measure_of(profile);
        std::size_t edges = 0;
        std::size_t exact = 0;
        for (std::size_t node = 0; node < graph.size(); ++node) {
            const auto rows = code_of(graph, NodeId(node), {ir});
            const ControlFlow flow = control_flow(rows, 0);
            Cost self = 0;
            std::size_t next = 0;
            for (const BasicBlock& block : flow.blocks) {
                EXPECT_EQ(block.first, next);
                EXPECT_LE(block.first, block.last);
                next = block.last + 1;
                self += block.self.at(0);
            }
            EXPECT_EQ(next, rows.size());
            EXPECT_EQ(self, graph.self(NodeId(node), ir)) << graph.name(NodeId(node));
            for (const BlockEdge& edge : flow.edges) {
                ++edges;
                if (edge.count) ++exact;
                const auto& from = flow.blocks.at(edge.from);
                const auto& to = flow.blocks.at(edge.to);
                if (!edge.count) continue;
                EXPECT_LE(*edge.count, static_cast<std::uint64_t>(rows[from.last].self[0]))
                    << graph.name(NodeId(node));
                EXPECT_LE(*edge.count, static_cast<std::uint64_t>(rows[to.first].self[0]))
                    << graph.name(NodeId(node));
            }
        }
        EXPECT_GT(edges, 1000U);
        EXPECT_GT(exact * 1000, edges * 998) << exact << " of " << edges;
    }
}

TEST(CodeRangesOf, a_function_break_where_instructions_are_no_neighbours) {
    const auto rows = rows_of("0x5 1 1\n0x10 1 1\n0x1f 1 1\n0x2f 1 1\n0x400 2 1\n0 3 1\n");
    EXPECT_THAT(code_ranges(rows),
                ElementsAre(AddressRange{0x5, 0x20}, AddressRange{0x2f, 0x30}, AddressRange{0x400, 0x401}));
}

TEST(CodeListingOf, rows_and_code_has_each_address_once) {
    auto rows = rows_of("0x10 1 3\n0x14 2 4\nfi=b.h\n0x14 7 6\nfe=a.c\n0 3 5\n0 4 5\n");
    const std::vector<std::uint64_t> code{0x10, 0x12, 0x14};
    const auto listing = code_listing(rows, code);
    ASSERT_EQ(listing.size(), 5U);
    EXPECT_EQ(listing[1].line, 4U) << "what has no address is left as it is";
    EXPECT_EQ(listing[2].self.at(0), 3);
    EXPECT_EQ(listing[3].address, 0x12U);
    EXPECT_THAT(listing[3].self, IsEmpty());
    EXPECT_THAT(listing[4].self, ElementsAre(10));
    EXPECT_EQ(listing[4].line, 7U) << "where it costs most";
}

}  // namespace
}  // namespace callcost::test
