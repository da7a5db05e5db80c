#include "reports/profile_summary.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "unit/library/parser/growth.hpp"
#include <callcost/read.hpp>

namespace callcost {
namespace {

/// How long the summary of a profile takes, all of it; four times the size may take ten times as long.
void expect_no_search_in_search(const std::string& small, const std::string& large) {
    const auto seconds = [](const std::string& text) {
        const auto profile = read_profile(from_memory(text));
        EXPECT_TRUE(profile.has_value());
        const CallGraph graph = call_graph(*profile).value();
        return test::seconds_of([&] {
            std::string out;
            program::write_summary(out, {graph, {}, {}, 0, {}}, {});
        });
    };
    EXPECT_LT(seconds(large), 10 * seconds(small));
}

std::string words(const char* key, const char* stem, int count) {
    std::string line = key;
    for (int i = 0; i < count; ++i) line += ' ' + (stem + std::to_string(i));
    return line + '\n';
}

TEST(ProfileSummary, many_event_types_in_many_parts) {
    const auto text = [](int events, int parts) {
        std::string all = words("events:", "E", events);
        for (int i = 1; i <= parts; ++i) all += "part: " + std::to_string(i) + "\nsummary: 1\nfn=f\n1 1\n";
        return all;
    };
    expect_no_search_in_search(text(3000, 40), text(12000, 40));
}

TEST(ProfileSummary, many_position_columns) {
    const auto text = [](int columns) {
        return words("positions: line", "x", columns) + "events: Ir\nfn=f\n1 1\n";
    };
    expect_no_search_in_search(text(8000), text(32000));
}

}  // namespace
}  // namespace callcost
