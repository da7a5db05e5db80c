#include "text/stacks_json.hpp"

#include <gmock/gmock.h>

#include "unit/engine/session/asking.hpp"

namespace callcost::engine {
namespace {

std::shared_ptr<const Stacks> stacks_of_two() {
    Stacks stacks;
    const auto time = stacks.event("Time"), ir = stacks.event("Ir");
    const auto main = stacks.stack(Stacks::none, stacks.function("main", "a.c", "prog"));
    const auto work = stacks.stack(main, stacks.function("wo\"rk</script>", "a\tb.c"));
    stacks.add(main, ir, 1);
    stacks.add(work, time, -5);
    stacks.add(work, ir, (std::int64_t{1} << 62U) + 1);
    return std::make_shared<const Stacks>(std::move(stacks));
}

const std::string both_events = "events: Ir Time\nfn=main\n1 1 1\n";

TEST(StacksJson, are_the_same_when_read_again) {
    const auto profile = profile_of(both_events);
    const auto text = stacks_to_json(profile, {stacks_of_two()});
    const auto again = stacks_from_json(text);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->size(), 2U);
    EXPECT_EQ(again->caller(0), Stacks::none);
    EXPECT_EQ(again->caller(1), 0U);
    EXPECT_EQ(again->names(again->last_function(0)), (FunctionNames{"main", "prog", "a.c"}));
    EXPECT_EQ(again->names(again->last_function(1)), (FunctionNames{"wo\"rk</script>", "", "a\tb.c"}));
    EXPECT_EQ(again->self(1, again->find_event("Ir")), (std::int64_t{1} << 62U) + 1);
    EXPECT_EQ(again->self(1, again->find_event("Time")), -5);
    EXPECT_EQ(again->self(0, again->find_event("Time")), 0);
    EXPECT_EQ(stacks_to_json(profile, {again}), text);
}

TEST(StacksJson, of_several_sources_are_added_up) {
    const auto profile = profile_of(both_events);
    const auto sum = stacks_from_json(stacks_to_json(profile, {stacks_of_two(), stacks_of_two()}));
    ASSERT_TRUE(sum);
    EXPECT_EQ(sum->size(), 2U);
    EXPECT_EQ(sum->self(1, sum->find_event("Time")), -10);
    EXPECT_EQ(stacks_to_json(profile, {stacks_of_two(), nullptr}), "") << "they are not all of the profile";
    EXPECT_EQ(stacks_to_json(profile, {}), "");
}

TEST(StacksJson, keep_the_bytes_of_names) {
    std::string every_byte;
    for (int byte = 1; byte < 256; ++byte) every_byte += static_cast<char>(byte);
    Stacks stacks;
    const auto row = stacks.stack(Stacks::none, stacks.function(every_byte, "caf\xc3\xa9.c", "caf\xe9"));
    stacks.add(row, stacks.event("Ir"), 1);
    const auto again = stacks_from_json(
        stacks_to_json(profile_of(both_events), {std::make_shared<const Stacks>(std::move(stacks))}));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->names(0), (FunctionNames{every_byte, "caf\xe9", "caf\xc3\xa9.c"}));
}

TEST(StacksJson, that_are_none_are_refused) {
    const std::string fine = R"({"events":["Ir"],"functions":[["f","",""]],"stacks":[[-1,0,7]]})";
    EXPECT_TRUE(stacks_from_json(fine));
    const auto changed = [&](const std::string& from, const std::string& to) {
        auto text = fine;
        text.replace(text.find(from), from.size(), to);
        return stacks_from_json(text);
    };
    EXPECT_FALSE(changed("[-1,0,7]", "[0,0,7]")) << "calls itself";
    EXPECT_FALSE(changed("[-1,0,7]", "[-2,0,7]"));
    EXPECT_FALSE(changed("[-1,0,7]", "[-1,1,7]")) << "no such function";
    EXPECT_FALSE(changed("[-1,0,7]", "[-1,0,7,8]")) << "no such event";
    EXPECT_FALSE(changed("[-1,0,7]", "[-1,0,7],[-1,0,7]")) << "twice";
    EXPECT_FALSE(changed("[-1,0,7]", "[-1,0,0.5]"));
    EXPECT_FALSE(changed("[-1,0,7]", "[]"));
    EXPECT_FALSE(changed("[-1,0,7]", "7"));
    EXPECT_FALSE(changed(R"(["f","",""])", R"(["f",""])"));
    EXPECT_FALSE(changed(R"(["f","",""])", R"(["f","",""],["f","",""])"));
    EXPECT_FALSE(changed(R"("f")", "\"\u20ac\"")) << "no byte";
    EXPECT_FALSE(changed(R"("f")", "\"\xc3\"")) << "half a character";
    EXPECT_FALSE(changed(R"(["Ir"])", R"(["Ir","Ir"])"));
    EXPECT_FALSE(changed(R"("events")", R"("event")"));
    for (const char* text : {"", "[]", "{", "null", "{}"}) EXPECT_FALSE(stacks_from_json(text)) << text;
    EXPECT_FALSE(stacks_from_json(std::string(2'000'000, '[')));
}

}  // namespace
}  // namespace callcost::engine
