#include "recording/valgrind_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/shell.hpp"

namespace callcost::program {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

using Words = std::vector<std::string>;

TEST(ValgrindCommand, RecordsInstructionsAndJumpsByDefault) {
    Recording recording;
    recording.output = "callgrind.out.";
    EXPECT_THAT(valgrind_command(recording, "/tmp/logs/", {"./program", "-x"}),
                ElementsAre("valgrind", "--tool=callgrind", "--dump-instr=yes", "--collect-jumps=yes",
                            "--separate-callers=3", "--callgrind-out-file=callgrind.out.%p",
                            "--log-file=/tmp/logs/%p", "./program", "-x"));
}

TEST(ValgrindCommand, KeepsFunctionsApartByNoCallersOnRequest) {
    Recording recording;
    recording.callers = 0;
    EXPECT_THAT(valgrind_command(recording, {}, {"./program"}),
                testing::Not(testing::Contains(testing::StartsWith("--separate-callers"))));
}

TEST(ValgrindCommand, SpellsOptionsAsValgrindDoes) {
    Recording recording;
    recording.cache = recording.branches = recording.without_instructions = recording.separate_threads =
        recording.children = recording.starts_off = recording.one_file = true;
    recording.callers = 5;
    recording.more = {"--cacheuse=yes"};
    recording.output = "o.";
    EXPECT_THAT(valgrind_command(recording, {}, {"p"}),
                ElementsAre("valgrind", "--tool=callgrind", "--cache-sim=yes", "--branch-sim=yes",
                            "--separate-callers=5", "--separate-threads=yes", "--instr-atstart=no",
                            "--combine-dumps=yes", "--callgrind-out-file=o.%p", "--trace-children=yes",
                            "--cacheuse=yes", "p"));
}

TEST(ValgrindCommand, NamesFunctionsWithAndWithoutParameters) {
    Recording recording;
    recording.only = {"parse", "List::add(int)"};
    recording.zero_before = {"ma?n"};
    const auto words = valgrind_command(recording, {}, {"p"});
    EXPECT_THAT(words, Contains("--toggle-collect=parse"));
    EXPECT_THAT(words, Contains("--toggle-collect=parse(*"));
    EXPECT_THAT(words, Contains("--toggle-collect=List::add(int)"));
    EXPECT_THAT(words, Not(Contains("--toggle-collect=List::add(int)(*")));
    EXPECT_THAT(words, Contains("--zero-before=ma?n"));
    EXPECT_THAT(words, Not(Contains("--zero-before=ma?n(*")));
}

TEST(ValgrindCommand, SaysWhetherCachegrindSimulatesCaches) {
    Recording recording;
    recording.tool = RecordingTool::cachegrind;
    recording.output = "o.";
    EXPECT_THAT(
        valgrind_command(recording, {}, {"p"}),
        ElementsAre("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=o.%p", "p"));
    recording.cache = recording.branches = true;
    EXPECT_THAT(valgrind_command(recording, {}, {"p"}),
                ElementsAre("valgrind", "--tool=cachegrind", "--cache-sim=yes", "--branch-sim=yes",
                            "--cachegrind-out-file=o.%p", "p"));
}

TEST(ValgrindCommand, DoesNotLetValgrindExpandPercentSigns) {
    Recording recording;
    recording.output = "50%q.";
    EXPECT_THAT(valgrind_command(recording, "/tmp/%p/", {"p"}), Contains("--callgrind-out-file=50%%q.%p"));
    EXPECT_THAT(valgrind_command(recording, "/tmp/%p/", {"p"}), Contains("--log-file=/tmp/%%p/%p"));
}

TEST(UnquotedWords, AreCutAtBlanksAndKeepWhatIsQuoted) {
    EXPECT_EQ(unquoted_words(" --a  --b=1\t--c\n"), (Words{"--a", "--b=1", "--c"}));
    EXPECT_EQ(unquoted_words(R"(--a='x  y' --b="it's" --c=a\ b)"),
              (Words{"--a=x  y", "--b=it's", "--c=a b"}));
    EXPECT_EQ(unquoted_words(R"(--a="\"\\\n" '\' '')"), (Words{R"(--a="\\n)", R"(\)", ""}));
    EXPECT_EQ(unquoted_words(""), Words{});
    EXPECT_EQ(unquoted_words("--a=$(id) `id` *"), (Words{"--a=$(id)", "`id`", "*"}));
}

TEST(UnquotedWords, NeedClosedQuotes) {
    EXPECT_EQ(unquoted_words("--a='x"), std::nullopt);
    EXPECT_EQ(unquoted_words("--a=\"x"), std::nullopt);
    EXPECT_EQ(unquoted_words("--a=\\"), std::nullopt);
}

TEST(UnquotedWords, AreThoseThatWereQuoted) {
    const Words words{"a b", "", "it's", "\\", "\"", "\n", "$x"};
    EXPECT_EQ(unquoted_words(engine::quoted(words)), words);
}

TEST(ReservedOption, IsOneThatSaysWhereOutputGoes) {
    EXPECT_EQ(reserved_option({"--cacheuse=yes", "--log-file=x"}), "--log-file");
    EXPECT_EQ(reserved_option({"--tool=lackey"}), "--tool");
    EXPECT_EQ(reserved_option({"--cacheuse=yes", "--tools"}), "");
}

}  // namespace
}  // namespace callcost::program
