// The EventReader itself; that its events are right is tested with the rules they follow.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <callcost/scanner.hpp>

namespace callcost::test {
namespace {

struct NoHandler {};

TEST(EventReader, keeps_its_source) {
    const std::string text = "events: Ir\nfn=f\n1 2\n";
    EventReader reader(from_memory(text));
    std::size_t events = 0;
    for (auto batch = reader.next();; batch = reader.next()) {
        ASSERT_TRUE(batch.has_value());
        if (*batch == nullptr) break;
        events += (*batch)->events.size();
    }
    EXPECT_GT(events, 2U);
}

TEST(EventReader, says_the_same_again_after_an_error) {
    EventReader rejected(from_memory("int main() {\n}\n"));
    EventReader cancelled(from_memory("events: Ir\n"),
                          {.on_progress = [](const Progress&) { return false; }});
    EventReader empty(from_memory(""));
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(rejected.next().error().code, ErrorCode::not_a_profile);
        EXPECT_EQ(cancelled.next().error().code, ErrorCode::cancelled);
        EXPECT_EQ(empty.next().error().code, ErrorCode::empty_file);
    }
}

TEST(EventReader, reports_the_cost_done_and_announced) {
    std::string text;
    for (int part = 0; part < 2; ++part) {
        text += "part: " + std::to_string(part) + "\nevents: Ir Dr\nsummary: 2000 7\nfn=f\n";
        for (int line = 0; line < 1000; ++line) text += "+1 2 1\n";
    }
    std::vector<Progress> reports;
    const ParseOptions options{.on_progress =
                                   [&](const Progress& progress) {
                                       reports.push_back(progress);
                                       return true;
                                   },
                               .chunk_size = 1000};
    ASSERT_TRUE(parse(from_memory(text), NoHandler{}, options).has_value());
    ASSERT_GT(reports.size(), 4U);
    EXPECT_EQ(reports.front().cost_done, 0U);
    EXPECT_EQ(reports[2].cost_total, 2000U);
    EXPECT_GT(reports[2].cost_done, 0U);
    for (const Progress& progress : reports) EXPECT_LE(progress.cost_done, progress.cost_total);
    EXPECT_EQ(reports.back().cost_done, 4000U);
    EXPECT_EQ(reports.back().cost_total, 4000U);
}

}  // namespace
}  // namespace callcost::test
