#include "profile/event_facts.hpp"

#include <string>

#include <gtest/gtest.h>

namespace callcost {
namespace {

EventType described(std::string name, std::string long_name = "", std::string_view creator = "") {
    EventType event{.name = std::move(name), .long_name = std::move(long_name), .unit = {}};
    describe_event(event, creator);
    return event;
}

TEST(EventFacts, valgrinds_events_have_long_names_under_both_of_their_names) {
    EXPECT_EQ(described("Ir").long_name, "Instructions");
    EXPECT_EQ(described("DLmr").long_name, described("D2mr").long_name);
    EXPECT_NE(described("DLmr").long_name, "");
    EXPECT_EQ(described("Ir", "mine").long_name, "mine");
    EXPECT_EQ(described("unheard-of").long_name, "");
}

TEST(EventFacts, aliases_are_the_modern_names) {
    EXPECT_EQ(event_alias("I2mr"), "ILmr");
    EXPECT_EQ(event_alias("D2dmw"), "DLdmw");
    EXPECT_EQ(event_alias("ILmr"), "ILmr");
    EXPECT_EQ(event_alias("Ir"), "Ir");
}

TEST(EventFacts, a_unit_may_stand_in_the_name) {  // F68
    EXPECT_EQ(described("Time_(10ns)").unit, "10ns");
    EXPECT_EQ(described("Memory_(bytes)").unit, "bytes");
    EXPECT_EQ(described("cpu(ms)").unit, "ms");
    EXPECT_EQ(described("alloc_space(kB)").unit, "kB");
    EXPECT_EQ(described("delay(nanoseconds)").unit, "ns");
    EXPECT_EQ(described("goroutine(count)").unit, "");
}

TEST(EventFacts, a_unit_may_stand_in_the_long_name) {
    EXPECT_EQ(described("sysTime", "sysTime (elapsed ns)").unit, "ns");
    EXPECT_EQ(described("sysCpuTime", "sysCpuTime (system cpu ns)").unit, "ns");
    EXPECT_EQ(described("DIB", "Definitely Indirectly lost Bytes (subset of DB)").unit, "");
}

TEST(EventFacts, a_name_may_be_a_unit) {
    EXPECT_EQ(described("ns", "Nanoseconds").unit, "ns");
    EXPECT_EQ(described("microseconds").unit, "us");
    EXPECT_EQ(described("t", "Milliseconds").unit, "ms");
    EXPECT_EQ(described("Ticks").unit, "");
}

TEST(EventFacts, some_creators_do_not_say_their_unit) {
    EXPECT_EQ(described("Time", "", "xdebug 2.9.8 (PHP 7.4)").unit, "us");
    EXPECT_EQ(described("Time", "", "xdebug 3.2.0 (PHP 8.2)").unit, "");
    EXPECT_EQ(described("Ticks", "", "yappi").unit, "us");
    EXPECT_EQ(described("ms", "", "chrome2calltree 0.1").unit, "us");
    EXPECT_EQ(described("sysTime", "", "callgrind-3.15.0").unit, "") << "ms, us or ns by option";
}

TEST(EventFacts, columns_that_do_not_add_up_are_known) {  // F78
    EXPECT_EQ(described("usphit", "microseconds/hit", "pprofile").aggregation, Aggregation::ratio);
    EXPECT_EQ(described("ps", "Microseconds Spent Per Second").aggregation, Aggregation::ratio);
    EXPECT_EQ(described("UCdist", "", "klee").aggregation, Aggregation::minimum);
    EXPECT_EQ(described("AliveReqMax").aggregation, Aggregation::maximum);
    EXPECT_EQ(described("Cycles-Min").aggregation, Aggregation::minimum);
    EXPECT_EQ(described("Cycles-Max").aggregation, Aggregation::maximum);
    EXPECT_EQ(described("Rt", "Recipe Time", "remake 4.3+dbg-1.6").aggregation,
              Aggregation::inclusive_as_self);
    EXPECT_EQ(described("Ir", "", "callgrind-3.19.0").aggregation, Aggregation::sum);
}

}  // namespace
}  // namespace callcost
