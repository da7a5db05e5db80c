#include "configuration/configuration.hpp"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "configuration/configuration_file.hpp"
#include "unit/program/input/temporary_directory.hpp"

namespace callcost::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Configuration parsed(std::string_view text, const std::string& path = "callcost.toml") {
    auto result = parse_configuration(text, path);
    EXPECT_TRUE(result) << result.error().text();
    return result.value_or(Configuration{});
}

std::string error_of(std::string_view text) {
    const auto result = parse_configuration(text, "callcost.toml");
    return result ? "(none)" : result.error().text();
}

std::vector<std::string> values_of(const std::vector<ConfiguredOption>& options, std::string_view name) {
    for (const auto& option : options)
        if (option.option == name) return option.values;
    return {};
}

/// What is left of the example if the '#' are removed that it says can be.
std::string without_marks(std::string_view text) {
    std::string result;
    for (bool is_begin = true; const char c : text) {
        if (!(is_begin && c == '#')) result += c;
        is_begin = c == '\n';
    }
    // Prose has a blank behind the '#'.
    std::string kept;
    for (std::size_t begin = 0; begin < result.size();) {
        const auto end = std::min(result.find('\n', begin), result.size());
        if (result[begin] != ' ') kept += result.substr(begin, end - begin) + "\n";
        begin = end + 1;
    }
    return kept;
}

TEST(Configuration, SaysOptionsByTheirLongNames) {
    const auto found = parsed(
        "[sources]\ninclude = ['src', 'lib']\n"
        "[gate]\nfail-if = 'Ir > +1%'\nfail-on-improvement = true\n"
        "[record.bench]\nprogram = 'build/bench'\nargs = ['-x', '1']\ncallers = 2\ncache = false\n");
    EXPECT_THAT(values_of(found.sources, "--include"), ElementsAre("src", "lib"));
    EXPECT_THAT(values_of(found.gate, "--fail-if"), ElementsAre("Ir > +1%"));
    EXPECT_THAT(values_of(found.gate, "--fail-on-improvement"), ElementsAre("yes"));
    const auto& bench = found.programs.at("bench");
    EXPECT_EQ(bench.program, "build/bench");
    EXPECT_THAT(bench.arguments, ElementsAre("-x", "1"));
    EXPECT_THAT(values_of(bench.options, "--callers"), ElementsAre("2"));
    EXPECT_THAT(values_of(bench.options, "--cache"), ElementsAre("no"));
    EXPECT_THAT(values_of(bench.options, "--directory"), IsEmpty());
    EXPECT_EQ(found.gate.front().place, "callcost.toml:4:1");
}

TEST(Configuration, HasAGateForEachProgram) {
    const auto found = parsed(
        "[gate]\nfail-if = 'a'\n[record.x]\nprogram = 'x'\nfail-if = 'b'\ncompare = 'old'\ncache = true\n");
    const auto& program = found.programs.at("x");
    EXPECT_THAT(values_of(program.gate, "--fail-if"), ElementsAre("b"));
    EXPECT_THAT(values_of(program.gate, "--compare"), ElementsAre("old"));
    EXPECT_EQ(program.options.size(), 1U);
}

TEST(Configuration, HasPathsRelativeToTheFile) {
    const auto found = parsed(
        "[sources]\ninclude = ['src', '.']\nsource-map = { '/build/p' = 'src' }\n"
        "[record.x]\nprogram = 'build/x'\noutput = 'out'\nargs = ['data/in']\n",
        "../callcost.toml");
    EXPECT_THAT(values_of(found.sources, "--include"), ElementsAre("../src", ".."));
    EXPECT_THAT(values_of(found.sources, "--source-map"), ElementsAre("/build/p=../src"));
    const auto& program = found.programs.at("x");
    EXPECT_EQ(program.program, "build/x") << "it runs in the directory of the file";
    EXPECT_THAT(program.arguments, ElementsAre("data/in"));
    EXPECT_THAT(values_of(program.options, "--output"), ElementsAre("../out"));
    EXPECT_THAT(values_of(program.options, "--directory"), ElementsAre(".."));
}

TEST(Configuration, HasProgramsThatRunElsewhere) {
    const auto found = parsed("[record.x]\nprogram = './x'\ndirectory = 'tests'\n", "../callcost.toml");
    const auto& program = found.programs.at("x");
    EXPECT_EQ(program.program.front(), '/') << program.program;
    EXPECT_THAT(values_of(program.options, "--directory"), ElementsAre("../tests"));
    const auto by_name = parsed("[record.x]\nprogram = 'ls'\ndirectory = 'tests'\n");
    EXPECT_EQ(by_name.programs.at("x").program, "ls") << "is searched in PATH";
}

TEST(Configuration, SaysWhereASyntaxErrorIs) {
    const auto result = parse_configuration("[gate]\nfail-if = \"Ir\n", "../callcost.toml");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().place, "../callcost.toml:2:14");
    EXPECT_THAT(result.error().hint, HasSubstr("--init"));
    EXPECT_THAT(error_of("[gate]\ncompare = 'a'\ncompare = 'b'\n"),
                HasSubstr("callcost.toml:3:11: cannot redefine"));
}

TEST(Configuration, KnowsNoOtherKeys) {
    const auto result = parse_configuration("[record.x]\nprogram = 'x'\nchache = true\n", "callcost.toml");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().text(), "callcost.toml:3:1: unknown key 'chache' in [record.x]");
    EXPECT_EQ(result.error().hint, "did you mean 'cache'?");
    EXPECT_EQ(error_of("[source]\n"), "callcost.toml:1:2: unknown key 'source'");
    EXPECT_EQ(error_of("[gate]\nzzz = 1\n"), "callcost.toml:2:1: unknown key 'zzz' in [gate]");
    EXPECT_EQ(error_of("[record]\nprogram = 'x'\n"), "callcost.toml:2:1: unknown key 'program' in [record]");
}

TEST(Configuration, RefusesValuesOfAnotherKind) {
    for (const auto* text : {"[{a",
                             "[[{",
                             "gate = 1\n",
                             "[gate]\nfail-if = 1\n",
                             "[gate]\nfail-if = ['a', 1]\n",
                             "[gate]\naccept = ['a']\n",
                             "[sources]\nsource-map = ['a=b']\n",
                             "[sources]\nsource-map = { '' = 'b' }\n",
                             "[sources]\nsource-map = { 'a=b' = 'c' }\n",
                             "[record.x]\nprogram = ['x']\n",
                             "[record.x]\nprogram = 'x'\ncache = 'yes'\n",
                             "[record.x]\nprogram = 'x'\ncallers = -1\n",
                             "[record.x]\nprogram = 'x'\ncallers = 1.5\n",
                             "[record.x]\nprogram = 'x'\nargs = [['a']]\n",
                             "[record.x]\nprogram = \"a\\u0000b\"\n",
                             "[record.x]\nargs = ['a']\n",
                             "[record.x]\nprogram = ''\n",
                             "[record.'a/b']\nprogram = 'x'\n",
                             "[record.-x]\nprogram = 'x'\n",
                             "[record.'']\nprogram = 'x'\n"})
        EXPECT_THAT(error_of(text), HasSubstr("callcost.toml:")) << text;
}

TEST(Configuration, MayHaveLettersWhereNoneBelong) {
    EXPECT_THAT(error_of("a = 1 \u00e9\n"), HasSubstr("callcost.toml:1:"));
    EXPECT_THAT(error_of("a = [1 \u0429]\n"), HasSubstr("callcost.toml:1:"));
}

TEST(Configuration, NamesNothingWhereTheProjectCannotBeResolved) {
    const test::TemporaryDirectory directory;
    std::filesystem::create_symlink("loop", directory.path("loop"));
    const auto result =
        parse_configuration("[gate]\naccept = 'accepted.txt'\n", directory.path("loop/callcost.toml"));
    ASSERT_FALSE(result.has_value());
    EXPECT_THAT(result.error().message, HasSubstr("outside of the project"));
}

TEST(Configuration, NamesSourcesOfTheProjectOnly) {
    EXPECT_EQ(error_of("[sources]\ninclude = ['/etc']\n"),
              "callcost.toml:2:1: '/etc' is outside of the project");
    EXPECT_THAT(error_of("[sources]\ninclude = ['src/../..']\n"), HasSubstr("outside of the project"));
    EXPECT_THAT(error_of("[sources]\nsource-map = { 'a' = '../b' }\n"), HasSubstr("outside of the project"));
    for (const auto* text :
         {"[gate]\naccept = '/etc/shadow'\n", "[gate]\naccept = '../accepted.txt'\n",
          "[gate]\naccept = '../a=./b'\n", "[record.x]\nprogram = 'x'\naccept = '/etc/shadow'\n",
          "[record.x]\nprogram = 'x'\noutput = '../../.bashrc'\n"})
        EXPECT_THAT(error_of(text), HasSubstr("outside of the project")) << text;
    EXPECT_EQ(error_of("[gate]\naccept = 'a.txt'\n[record.x]\nprogram = 'x'\noutput = 'build/x.out'\n"),
              "(none)");
    EXPECT_EQ(error_of("[sources]\ninclude = ['src/../lib', 'no/such/directory']\n"), "(none)");
}

TEST(Configuration, SurvivesWhateverTheFileHolds) {
    std::string dots = "a", brackets = "a = ", braces = "a = ", tables, bytes;
    for (int i = 0; i < 3'000; ++i) {
        dots += ".a";
        brackets += '[';
        braces += "{ a = ";
    }
    for (int i = 0; i < 1'024; ++i) bytes += static_cast<char>(i);
    for (int i = 0; i < 2'000; ++i) tables += "[record.p" + std::to_string(i) + "]\nprogram = 'x'\n";
    EXPECT_NE(error_of(dots + " = 1\n"), "(none)");
    EXPECT_NE(error_of("[" + dots + "]\n"), "(none)");
    EXPECT_THAT(error_of(dots + dots + dots + " = 1\n"), HasSubstr("too many dots"));
    EXPECT_NE(error_of(brackets), "(none)");
    EXPECT_NE(error_of(braces), "(none)");
    EXPECT_NE(error_of(bytes), "(none)");
    EXPECT_EQ(error_of(tables), "(none)");
    EXPECT_EQ(error_of(""), "(none)");
}

TEST(Configuration, BeginsWithAFileOfComments) {
    const auto found = parsed(initial_configuration());
    EXPECT_THAT(found.sources, IsEmpty());
    EXPECT_THAT(found.gate, IsEmpty());
    EXPECT_TRUE(found.programs.empty());
}

TEST(Configuration, HasExamplesOfAllKeysThatCanBeUncommented) {
    const auto text = without_marks(initial_configuration());
    const auto found = parsed(text);
    EXPECT_EQ(found.programs.at("bench-parse").arguments.size(), 2U);
    EXPECT_EQ(found.sources.size(), 2U);
    EXPECT_EQ(found.gate.size(), 4U);
    const auto& other = found.programs.at("other");
    EXPECT_EQ(other.gate.size(), 4U);
    // All but empty lists: zero-before, perf.
    EXPECT_EQ(other.options.size(), 17U) << text;
}

}  // namespace
}  // namespace callcost::program
