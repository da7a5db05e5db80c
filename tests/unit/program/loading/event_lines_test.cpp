#include "loading/event_lines.hpp"

#include <gtest/gtest.h>

namespace callcost::test {
namespace {

/// `a ns, b us`, however the bytes are cut.
std::string units_of(std::string_view text) {
    std::string first;
    for (std::size_t size = 1; size <= text.size(); ++size) {
        program::EventLines lines;
        for (std::size_t at = 0; at < text.size(); at += size) lines.take(text.substr(at, size));
        std::string units;
        for (const EventType& event : lines.events(text))
            units += (units.empty() ? "" : ", ") + event.name + ' ' + event.unit;
        if (size == 1) first = units;
        EXPECT_EQ(units, first) << size;
    }
    return first;
}

TEST(EventLines, are_found_wherever_they_are) {
    EXPECT_EQ(units_of("event: a : nanoseconds\nevents: a b\nfn=f\n1 2 3\n"), "a ns, b ");
    EXPECT_EQ(
        units_of("events: a b\r\nevent: a : nanoseconds\r\nfn=event:\n1 2 3\nevent: b : microseconds\n"),
        "a ns, b us");
    EXPECT_EQ(units_of("creator: yappi\nevents: Ticks\n1 2\n"), "Ticks us");
    EXPECT_EQ(units_of("fn=eve\n1 2\n ev\nvevent: a : ns\n"), "");
}

TEST(EventLines, behind_many_others_are_found) {
    program::EventLines lines;
    lines.take("events: a\nfn=f\n");
    for (int i = 0; i < 100'000; ++i) lines.take("1 2\n");
    lines.take("event: a : nanoseconds\n");
    const auto events = lines.events("events: a\n");
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].unit, "ns");
}

TEST(EventLines, take_no_more_memory_than_a_megabyte) {
    program::EventLines lines;
    for (int i = 0; i < 20'000; ++i)
        lines.take("events: e" + std::to_string(i) + std::string(100, 'x') + '\n');
    EXPECT_LT(lines.events({}).size(), 10'000U);
    lines.take("event: " + std::string(100'000, 'x') + "\n");
}

}  // namespace
}  // namespace callcost::test
