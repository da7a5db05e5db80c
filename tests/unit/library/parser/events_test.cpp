// The EventReader itself; that its events are right is tested with the rules they follow.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <callcost/read.hpp>
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

TEST(Progress, reports_the_cost_done_and_announced) {
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
    const auto expect_right = [&] {
        ASSERT_GT(reports.size(), 4U);
        EXPECT_EQ(reports.front().cost_done, 0U);
        EXPECT_EQ(reports[2].cost_total, 2000U);
        EXPECT_GT(reports[2].cost_done, 0U);
        for (const Progress& progress : reports) EXPECT_LE(progress.cost_done, progress.cost_total);
        EXPECT_EQ(reports.back().cost_done, 4000U);
        EXPECT_EQ(reports.back().cost_total, 4000U);
    };
    ASSERT_TRUE(parse(from_memory(text), NoHandler{}, options).has_value());
    expect_right();

    ReadOptions read_options;
    read_options.on_progress = options.on_progress;
    read_options.chunk_size = options.chunk_size;
    ProfileReader reader(std::move(read_options));
    for (const char* name : {"first", "second"}) {  // each starts anew
        reports.clear();
        ASSERT_TRUE(reader.add(from_memory(text, name)).has_value());
        expect_right();
    }
}

}  // namespace
}  // namespace callcost::test
