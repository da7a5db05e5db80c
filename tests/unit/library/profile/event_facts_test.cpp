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
    EXPECT_EQ(described("sysTime", "", "callgrind-3.15.0").unit, "") << "ms, us or ns by option";
}

TEST(EventFacts, the_first_xdebugs_are_known_by_their_version) {  // F68
    Part part;
    part.version = "0.9.6";
    part.command = "/index.php";
    EXPECT_EQ(origin_of(part), "xdebug 2");
    EXPECT_EQ(described("Time", "", origin_of(part)).unit, "us");
    part.creator = "mine";
    EXPECT_EQ(origin_of(part), "mine");
    part.creator = "";
    part.version = "1";
    EXPECT_EQ(origin_of(part), "");
}

TEST(EventFacts, milliseconds_of_nobody_are_plain_numbers) {  // F68: chrome2calltree
    EXPECT_EQ(described("ms").unit, "");
    EXPECT_EQ(described("ms").long_name, "Time in an unknown unit");
    EXPECT_EQ(described("ms", "Time in an unknown unit", "callcost-0.1.0").unit, "");
    EXPECT_EQ(described("ms", "", "mytool").unit, "ms");
    EXPECT_EQ(described("ms", "Milliseconds").unit, "ms");
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
