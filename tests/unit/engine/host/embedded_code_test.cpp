#include "host/embedded_code.hpp"

#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace callcost::engine {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

/// Addresses beyond 2^53; the third instruction is not right behind the second.
constexpr std::uint64_t base = 0xffffffff81000000;

EmbeddedFunction a_function() {
    EmbeddedFunction function{"/lib/caf\xc3\xa9.so", {{base, base + 4}, {base + 0x40, base + 0x41}}, {}};
    function.code.path = "/here/lib.so";
    function.code.instructions = {
        {base, "48 89 e5", "mov %rsp,%rbp"}, {base + 3, "90", "nop"}, {base + 0x40, "c3", "ret"}};
    function.code.problem = "not the measured one";
    function.code.hint = "measure again";
    function.code.is_guess = true;
    function.code.is_doubtful = true;
    function.inlined.sites = {{"/src/a.c", 7, "std::min(int)"}};
    function.inlined.runs = {{base, InlinedCode::none}, {base + 3, 0}, {base + 4, InlinedCode::none}};
    return function;
}

EmbeddedCode embedded(const std::vector<EmbeddedFunction>& functions) {
    return EmbeddedCode(code_to_json(functions));
}

TEST(EmbeddedCode, answers_as_the_host_did) {
    const auto function = a_function();
    auto code = embedded({function});
    const auto found = code.machine_code(function.object, function.ranges, Syntax::att);
    ASSERT_THAT(found.instructions, SizeIs(3));
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& expected = function.code.instructions[i];
        EXPECT_EQ(found.instructions[i].address, expected.address);
        EXPECT_EQ(found.instructions[i].bytes, expected.bytes);
        EXPECT_EQ(found.instructions[i].text, expected.text);
    }
    EXPECT_EQ(found.path, "/here/lib.so");
    EXPECT_EQ(found.problem, "not the measured one");
    EXPECT_EQ(found.hint, "measure again");
    EXPECT_TRUE(found.is_guess);
    EXPECT_TRUE(found.is_doubtful);
    const auto inlined = code.inlined_code(function.object, function.ranges);
    ASSERT_THAT(inlined.sites, SizeIs(1));
    EXPECT_EQ(inlined.sites[0].file, "/src/a.c");
    EXPECT_EQ(inlined.sites[0].line, 7U);
    EXPECT_EQ(inlined.sites[0].function, "std::min(int)");
    ASSERT_THAT(inlined.runs, SizeIs(3));
    EXPECT_EQ(inlined.runs[0].site, InlinedCode::none);
    EXPECT_EQ(inlined.runs[1].address, base + 3);
    EXPECT_EQ(inlined.runs[1].site, 0U);
}

TEST(EmbeddedCode, is_found_by_a_part_of_the_ranges) {
    const auto function = a_function();
    auto code = embedded({function});
    const std::vector<AddressRange> part{{base + 3, base + 4}};
    EXPECT_THAT(code.machine_code(function.object, part, Syntax::att).instructions, SizeIs(3));
    const std::vector<AddressRange> more{{base + 3, base + 5}};
    EXPECT_THAT(code.machine_code(function.object, more, Syntax::att).instructions, IsEmpty());
}

TEST(EmbeddedCode, says_what_is_not_there) {
    const auto function = a_function();
    auto code = embedded({function});
    const auto other = code.machine_code("other", function.ranges, Syntax::att);
    EXPECT_EQ(other.problem, "the machine code of this function is not in this page");
    EXPECT_EQ(code.inlined_code("other", function.ranges).problem, other.problem);
    auto changed = function;
    changed.code.problem.clear();
    auto without_problem = embedded({changed});
    const auto intel = without_problem.machine_code(changed.object, changed.ranges, Syntax::intel);
    EXPECT_EQ(intel.problem, "this page has machine code in AT&T syntax only");
    EXPECT_THAT(intel.instructions, SizeIs(3));
}

TEST(EmbeddedCode, does_no_harm_if_damaged) {
    const std::vector<AddressRange> ranges{{1, 2}};
    for (const char* const text :
         {"", "{", "[]", "{}", R"({"functions":1})", R"({"functions":[1,{}]})",
          R"({"functions":[{"object":"o","ranges":[1,2],"code":[1,"90"],"sites":[1],"inlined":[1]}]})",
          R"({"functions":[{"object":"o","ranges":[1,2],"code":["90"],"sites":"","inlined":[[],{}]}]})"}) {
        EmbeddedCode code{text};
        EXPECT_THAT(code.machine_code("o", ranges, Syntax::att).instructions, IsEmpty()) << text;
        EXPECT_THAT(code.inlined_code("o", ranges).sites, IsEmpty()) << text;
    }
}

}  // namespace
}  // namespace callcost::engine
