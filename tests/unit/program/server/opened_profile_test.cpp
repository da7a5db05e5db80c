#include "server/opened_profile.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session/session.hpp"
#include "unit/program/input/temporary_directory.hpp"

namespace {

using callcost::test::TemporaryDirectory;
using testing::HasSubstr;
using testing::Not;

/// The answer to `question` about these parts of the files.
std::string answer(const std::vector<std::string>& files, const std::vector<std::uint64_t>& parts,
                   const char* question) {
    callcost::program::PageOptions options;
    options.input.selection.parts = parts;
    auto opened = callcost::program::open_profile(options, files, {});
    if (!opened) return "not opened";
    const auto profile = opened->recorded;
    const callcost::program::OpenedSides sides{*std::move(opened), std::nullopt, options, {}};
    return callcost::engine::Session(profile, std::nullopt, callcost::program::host_of(sides, options))
        .answer(question);
}

TEST(ThePage, has_the_recorded_stacks_of_selected_parts) {
    const TemporaryDirectory directory;
    const auto first = directory.write("first.folded", "start;backup;read 3\nstart 1\nend;backup;write 4\n");
    const auto second = directory.write("second.folded", "start;backup;read 1\nstart;backup 0\n");
    const auto other = directory.write("callgrind.out.1", "part: 2\nevents: samples\nfn=start\n1 7\n");
    constexpr auto tree = R"({"ask":"tree"})";
    constexpr auto exact = R"("estimated":false)";
    const std::vector<std::string> files = {first, second, other};
    EXPECT_THAT(answer({first}, {}, tree), HasSubstr(exact));
    EXPECT_THAT(answer({first, second}, {}, tree), HasSubstr(exact));
    EXPECT_THAT(answer(files, {}, tree), Not(HasSubstr(exact)));
    EXPECT_THAT(answer(files, {2}, tree), Not(HasSubstr(exact)));
    EXPECT_THAT(answer(files, {1, 2}, tree), Not(HasSubstr(exact)));
    const auto selected = answer(files, {1}, tree);
    EXPECT_THAT(selected, HasSubstr(exact));
    EXPECT_THAT(selected, HasSubstr(R"("whole":9)"));
}

TEST(ThePage, compares_what_one_file_alone_says_is_inlined_as_code_of_its_host) {
    const TemporaryDirectory directory;
    const std::string begin = "events: Ir\nfn=f\n1 5\n", end = "2 7\n";
    const auto says = directory.write("says", begin + "cfni=g\n" + end);
    const auto plain = directory.write("plain", begin + end);
    const callcost::program::PageOptions options;
    const auto compared = [&](const std::string& before, const std::string& after) {
        return callcost::program::OpenedSides(
            *callcost::program::open_profile(options, {after}, {}),
            std::optional(*callcost::program::open_profile(options, {before}, {})), options, {});
    };
    const auto sides = compared(says, plain);
    EXPECT_FALSE(sides.before->recorded.has_inlined());
    EXPECT_EQ(sides.before->recorded.function_count(), 1U);
    EXPECT_THAT(sides.inlined_problem, HasSubstr("only the old profile"));
    const auto both = compared(says, says);
    EXPECT_TRUE(both.before->expanded.profile.has_inlined());
    EXPECT_TRUE(both.after.recorded.has_inlined());
    EXPECT_EQ(both.inlined_problem, "");
}

}  // namespace
