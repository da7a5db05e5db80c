// What `record` adds to profiles of Callgrind.
#include "recording/completed_profile.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace callcost::program {
namespace {

using testing::ElementsAre;

constexpr std::string_view recorded =
    "# callgrind format\nversion: 1\ndesc: Trigger: end\n\npositions: instr line\nevents: Ir\n\n"
    "ob=(1) /bin/a\nfl=(1) a.c\nfn=(1) main\n0x10 1 1\ncob=(2) ???\ncfi=(2) ???\n"
    "cfn=(2) 0x0000000000005000\ncalls=1 0x5000 0\n0x11 1 2\n"
    "cfn=(3) 0x0000000000000020'main\ncalls=1 0x20 0\n0x12 1 2\n"
    "ob=(2)\nfl=(2)\nfn=(2)\n0x5000 0 2\nfn=(4) 0x0000000000005008'0x0000000000005000'0x0000000000000020\n"
    "0x5008 0 2\nob=(3) /no/such/object\nfn=(5) f\n0x1 0 1\n"
    "\npart: 2\npositions: instr line\nevents: Ir\nfn=(1)\n0x10 1 1\n";

std::string completed(const std::vector<std::string>& lines, const PerfMap& map, NamedByMap& counts) {
    std::istringstream profile{std::string(recorded)};
    const auto code = *recorded_code(profile);
    profile.clear();
    profile.seekg(0);
    std::string out;
    const auto done = write_completed(profile, code, lines, map, [&](std::string_view bytes) -> Result<void> {
        out += bytes;
        return {};
    });
    if (done) counts = *done;
    return out;
}

TEST(CompletedProfile, knows_what_was_recorded) {
    std::istringstream profile{std::string(recorded)};
    const auto code = *recorded_code(profile);
    EXPECT_EQ(code.size, recorded.size());
    EXPECT_THAT(code.objects, ElementsAre("/bin/a", "/no/such/object"));
    EXPECT_THAT(code.object_names, ElementsAre("0x0000000000000020"));
    EXPECT_TRUE(code.has_unknown);
    EXPECT_THAT(build_lines({.objects = {"/no/such/object", "relative"}}, INT64_MAX), ElementsAre());
}

TEST(CompletedProfile, has_names_and_lines_in_each_part) {
    NamedByMap counts;
    const auto text = completed({"desc: Build-id: ab /bin/a"}, PerfMap("5000 10 jit\n20 4 wrong\n"), counts);
    auto expected = std::string(recorded);
    const auto replace = [&](std::string_view old, std::string_view now) {
        for (std::size_t at = 0; (at = expected.find(old, at)) != std::string::npos; at += now.size())
            expected.replace(at, old.size(), now);
    };
    replace("positions:", "desc: Build-id: ab /bin/a\npositions:");
    replace("0x0000000000005000", "jit");
    replace("0x0000000000005008", "jit");
    EXPECT_EQ(text, expected);
    EXPECT_EQ(counts.all, 2U);
    EXPECT_EQ(counts.named, 2U);
    EXPECT_EQ(completed({}, {}, counts), recorded);
}

TEST(CompletedProfile, has_no_names_that_would_be_numbers) {
    for (const auto& [line, wanted] :
         {std::pair("fn=0x5000", "fn=0x5000"), {"fn=(1) 0x5000", "fn=(1) (2) f"}}) {
        std::istringstream profile(line);
        const RecordedCode code{.objects = {}, .size = profile.str().size()};
        std::string out;
        ASSERT_TRUE(write_completed(profile, code, {}, PerfMap("5000 10 (2) f\n"), to_memory(out)));
        EXPECT_EQ(out, wanted + std::string("\n"));
    }
}

/// A disk that fails behind these bytes.
class FailingBuffer : public std::stringbuf {
  public:
    using std::stringbuf::stringbuf;

  protected:
    int_type underflow() override { throw std::ios_base::failure("read error"); }
};

TEST(CompletedProfile, is_whole_or_an_error) {
    const auto ignore = [](std::string_view) { return Result<void>(); };
    FailingBuffer buffer{std::string(recorded)};
    std::istream failing(&buffer);
    EXPECT_FALSE(recorded_code(failing).has_value());

    std::istringstream whole{std::string(recorded)};
    const auto code = *recorded_code(whole);
    FailingBuffer again{std::string(recorded)};
    std::istream failing_later(&again);
    EXPECT_FALSE(write_completed(failing_later, code, {}, {}, ignore).has_value());
    for (const auto& text :
         {std::string(recorded) + "0x2 1 1\n", std::string(recorded, 0, recorded.size() - 1)}) {
        std::istringstream changed(text);
        EXPECT_FALSE(write_completed(changed, code, {}, {}, ignore).has_value()) << text.size();
    }
}

}  // namespace
}  // namespace callcost::program
