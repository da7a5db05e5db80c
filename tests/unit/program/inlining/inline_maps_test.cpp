#include "inlining/inline_maps.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inlining/inline_worker.hpp"
#include "sources/elf_file.hpp"
#include "unit/library/parser/sanitized.hpp"
#include "unit/program/inlining/compiled_program.hpp"
#include "unit/program/input/temporary_directory.hpp"
#include <callcost/read.hpp>
#include <callcost/source.hpp>

namespace {

using callcost::InlineMap;
using callcost::InlineSite;
using callcost::program::find_inlined_code;
using callcost::program::InlineMaps;
using callcost::program::parse_recorded_build;
using callcost::program::stale_message;
using callcost::test::compile;
using callcost::test::Frames;
using callcost::test::frames_of;
using callcost::test::is_installed;
using callcost::test::output_of;
using callcost::test::profile_of;
using callcost::test::TemporaryDirectory;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// This program is what reads debug information, too.
[[gnu::constructor]] void be_the_worker(int count, char** words) {
    if (count > 1 && std::string_view(words[1]) == callcost::program::inline_worker_word)
        std::_Exit(callcost::program::run_inline_worker());
}

constexpr std::string_view source = R"(
volatile unsigned sink;
static inline unsigned mix(unsigned h, unsigned c) { return (h ^ c) * 16777619U; }
namespace text {
struct Word {
    unsigned hash = 0;
    void add(unsigned c) { hash = mix(hash, c); }
};
template <class Use> inline void each(unsigned n, Use use) {
    for (unsigned i = 0; i < n; ++i) use(i);
}
inline unsigned sum(unsigned n) {
    Word word;
    each(n, [&](unsigned i) { word.add(i); });
    each(n, [&](unsigned i) { word.hash += i; sink = i; });
    return word.hash;
}
}
extern "C" inline unsigned plain(unsigned n) { return text::sum(n) / 3; }
__attribute__((noinline)) unsigned first(unsigned n) { return text::sum(n) + plain(n); }
__attribute__((noinline)) unsigned last(unsigned n) {
    unsigned x = n;
    sink = mix(x, 7);
    return mix(x, sink);
}
int main(int count, char**) { return static_cast<int>(first(static_cast<unsigned>(count)) + last(3)); }
)";

const InlineMap* map_of(const InlineMaps& maps, const std::string& object) {
    for (const auto& map : maps.maps)
        if (map.object == object) return &map;
    return nullptr;
}

Frames chain_at(const InlineMap& map, std::uint64_t address) {
    auto site = InlineSite::none;
    for (const auto& run : map.runs)
        if (run.address <= address) site = run.site;
    Frames chain;
    for (; site != InlineSite::none; site = map.sites[site].parent) {
        const auto& one = map.sites[site];
        chain.push_back({map.functions[one.function].name,
                         one.file == InlineSite::none ? std::string() : map.files[one.file], one.line});
    }
    return chain;
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Of a function that the linker does not know, addr2line has the bare name, with the compiler's words for
/// the types of a template.
bool is_same_function(const std::string& ours, const std::string& theirs) {
    const auto is_in = [&](const std::string& name) { return ours.find(name) != std::string::npos; };
    const auto brackets = theirs.ends_with('>') ? theirs.substr(0, theirs.find('<') + 1) : theirs;
    return ours == theirs || ours.starts_with(theirs + '(') || is_in("::" + theirs) ||
           (brackets != theirs && (is_in("::" + brackets) || is_in(' ' + brackets)));
}

/// Or the name of the symbol at the address, if it is the innermost.
std::set<std::string> names_of_symbols(const std::string& path) {
    std::set<std::string> names;
    if (const auto elf = callcost::program::read_elf(path))
        for (const auto& symbol : elf->functions) names.insert(callcost::program::demangled(symbol.name));
    return names;
}

/// How many addresses have inlined code, all as addr2line has it.
std::size_t compared_addresses(const InlineMaps& maps, const std::string& object,
                               const std::map<std::uint64_t, Frames>& frames) {
    const auto* const map = map_of(maps, object);
    EXPECT_NE(map, nullptr) << (maps.missing.empty() ? maps.problem : maps.missing.front().problem);
    EXPECT_THAT(maps.stale, IsEmpty()) << stale_message(maps);
    if (map == nullptr) return 0;
    std::size_t inlined = 0;
    const auto symbols = names_of_symbols(object);
    for (const auto& [address, expected] : frames) {
        const auto chain = chain_at(*map, address);
        const bool has_size = chain.size() + 1 == expected.size();
        EXPECT_TRUE(has_size) << std::hex << address << ": " << chain.size() << " for "
                              << expected.size() - 1;
        if (!has_size) return 0;
        for (std::size_t i = 0; i < chain.size(); ++i) {
            EXPECT_TRUE(is_same_function(chain[i].function, expected[i].function) ||
                        (i == 0 && (expected[i].function == expected.back().function ||
                                    symbols.contains(expected[i].function))))
                << chain[i].function << " for " << expected[i].function;
            EXPECT_EQ(chain[i].line, expected[i + 1].line) << chain[i].function;
            EXPECT_EQ(base_name(chain[i].file), base_name(expected[i + 1].file));
        }
        if (!chain.empty()) ++inlined;
    }
    return inlined;
}

// --- what addr2line says ----------------------------------------------------------------------------------

TEST(FindInlinedCode, is_what_addr2line_says_whatever_the_compiler_writes) {
    const TemporaryDirectory directory;
    const auto file = directory.write("small.cpp", source);
    std::vector<std::vector<std::string>> compilers = {
        {"g++", "-O2", "-g"},          {"g++", "-O2", "-gdwarf-4"},     {"g++", "-O3", "-g", "-gz"},
        {"g++", "-O2", "-g", "-flto"}, {"g++", "-O2", "-g", "-no-pie"},
    };
    if (is_installed("clang++-14") && is_installed("llvm-symbolizer-14")) {
        compilers.push_back({"clang++-14", "-O2", "-g"});
        compilers.push_back({"clang++-14", "-O2", "-gdwarf-4", "-fdebug-info-for-profiling"});
        compilers.push_back({"clang++-14", "-O2", "-gmlt"});
    }
    for (const auto& compiler : compilers) {
        SCOPED_TRACE(testing::PrintToString(compiler));
        const auto program = compile(directory, "small", file, compiler);
        const auto frames = frames_of(directory, program, 1, compiler.front() != "g++");
        EXPECT_GT(compared_addresses(find_inlined_code(profile_of(frames, program), {}), program, frames),
                  20U);
    }
}

TEST(FindInlinedCode, without_inlined_code_in_debug_information_says_nothing_wrong) {
    const TemporaryDirectory directory;
    const auto program =
        compile(directory, "small", directory.write("small.cpp", source), {"g++", "-O2", "-g1"});
    const auto frames = frames_of(directory, program);
    compared_addresses(find_inlined_code(profile_of(frames, program), {}), program, frames);
}

TEST(FindInlinedCode, holds_for_a_program_of_the_standard_library) {
    const TemporaryDirectory directory;
    const std::string words = std::string(CALLCOST_TEST_PROFILES) + "/../inlining/words.cpp";
    const auto program = compile(directory, "words", words, {"g++", "-O2", "-g"});
    const auto frames = frames_of(directory, program, 5);
    EXPECT_GT(compared_addresses(find_inlined_code(profile_of(frames, program), {}), program, frames), 3000U);
}

TEST(FindInlinedCode, names_functions_as_profiles_do) {
    const TemporaryDirectory directory;
    const auto program =
        compile(directory, "small", directory.write("small.cpp", source), {"g++", "-O2", "-g"});
    const auto maps = find_inlined_code(profile_of(frames_of(directory, program), program), {});
    const auto* const map = map_of(maps, program);
    ASSERT_NE(map, nullptr);
    std::map<std::string, std::uint64_t> lines;
    for (const auto& function : map->functions) {
        EXPECT_EQ(base_name(function.file), "small.cpp") << function.name;
        lines[function.name] = function.line;
    }
    EXPECT_EQ(lines["text::Word::add(unsigned int)"], 7U);
    EXPECT_EQ(lines["text::sum(unsigned int)"], 12U);
    EXPECT_EQ(lines["plain"], 19U);
    EXPECT_EQ(lines["mix(unsigned int, unsigned int)"], 3U);
    EXPECT_EQ(lines["text::sum(unsigned int)::{lambda(unsigned int)#1}::operator()(unsigned int) const"],
              14U);
    EXPECT_EQ(lines["text::sum(unsigned int)::{lambda(unsigned int)#2}::operator()(unsigned int) const"],
              15U);
    for (const auto& site : map->sites) EXPECT_NE(site.entry, 0U);
}

TEST(FindInlinedCode, names_templates_of_lambdas_as_the_linker_does) {
    const TemporaryDirectory directory;
    const auto text = directory.write("twice.cpp", R"(
volatile unsigned sink;
template <class F> static inline void twice(unsigned n, F f) { sink = f(n) + f(sink); }
unsigned run(unsigned n) {
    twice(n, [](unsigned i) { return i * 3; });
    twice(n, [n](unsigned i) { return i + n; });
    return sink;
}
int main() { return static_cast<int>(run(sink)); }
)");
    const auto program = compile(directory, "twice", text, {"g++", "-O2", "-g"});
    const auto maps = find_inlined_code(profile_of(frames_of(directory, program), program), {});
    const auto* const map = map_of(maps, program);
    ASSERT_NE(map, nullptr);
    std::set<std::string> names;
    for (const auto& function : map->functions) names.insert(function.name);
    for (const std::string number : {"#1", "#2"}) {
        const auto lambda = "run(unsigned int)::{lambda(unsigned int)" + number + "}";
        auto whole = "void twice<" + lambda + ">(unsigned int, ";
        whole += lambda + ")";
        EXPECT_THAT(names, testing::Contains(whole));
    }
}

TEST(FindInlinedCode, is_also_in_separate_debug_files) {
    const TemporaryDirectory directory;
    const auto program =
        compile(directory, "small", directory.write("small.cpp", source), {"g++", "-O2", "-g"});
    const auto frames = frames_of(directory, program);
    const auto profile = profile_of(frames, program);
    const auto debug = directory.path("small.debug");
    output_of({"objcopy", "--only-keep-debug", program, debug});
    output_of({"strip", program});
    auto maps = find_inlined_code(profile, {});
    ASSERT_THAT(maps.missing, SizeIs(1));
    EXPECT_EQ(maps.missing.front().problem, "'" + program + "' has no debug information");
    output_of({"objcopy", "--add-gnu-debuglink=" + debug, program});
    EXPECT_GT(compared_addresses(find_inlined_code(profile, {}), program, frames), 20U);

    const auto right = directory.path("right");
    std::filesystem::rename(debug, right);
    const auto other =
        compile(directory, "other", directory.write("other.cpp", "int main() {}"), {"g++", "-g"});
    output_of({"objcopy", "--only-keep-debug", other, debug});
    maps = find_inlined_code(profile, {});
    ASSERT_THAT(maps.missing, SizeIs(1));
    EXPECT_THAT(maps.missing.front().problem, HasSubstr("another build"));

    // Where gdb looks next, it is the right one.
    std::filesystem::create_directory(directory.path(".debug"));
    std::filesystem::rename(right, directory.path(".debug/small.debug"));
    EXPECT_GT(compared_addresses(find_inlined_code(profile, {}), program, frames), 20U);
}

TEST(FindInlinedCode, is_also_in_split_files_that_must_be_there) {
    const TemporaryDirectory directory;
    const auto file = directory.write("small.cpp", source);
    const auto program = compile(directory, "small", file, {"g++", "-O2", "-g", "-gdwarf-5"});
    const auto frames = frames_of(directory, program);
    const auto object = directory.path("small.o");
    output_of({"g++", "-O2", "-g", "-gdwarf-5", "-gsplit-dwarf", "-c", file, "-o", object});
    compile(directory, "small", object, {"g++"});
    EXPECT_GT(compared_addresses(find_inlined_code(profile_of(frames, program), {}), program, frames), 20U);
    std::filesystem::remove(directory.path("small.dwo"));
    const auto maps = find_inlined_code(profile_of(frames, program), {});
    ASSERT_THAT(maps.missing, SizeIs(1));
    EXPECT_THAT(maps.missing.front().problem, HasSubstr("small.dwo' not found"));
}

/// What debug files have in common, as Debian's packages have it.
TEST(FindInlinedCode, is_also_in_a_shared_file_of_the_same_build) {
    if (!is_installed("dwz")) GTEST_SKIP() << "dwz is not installed";
    const TemporaryDirectory directory;
    const auto program =
        compile(directory, "small", directory.write("small.cpp", source), {"g++", "-O2", "-g"});
    const auto frames = frames_of(directory, program);
    const auto profile = profile_of(frames, program);
    const auto shared = directory.path("shared"), kept = directory.path("kept");
    const auto share = [&](const std::string& text) {
        const auto with_more = directory.write("more.cpp", std::string(source) + text);
        for (const auto* const name : {"b", "c"}) compile(directory, name, with_more, {"g++", "-O2", "-g"});
    };
    share({});
    output_of({"dwz", "-m", shared, "-r", program, directory.path("b"), directory.path("c")});
    EXPECT_GT(compared_addresses(find_inlined_code(profile, {}), program, frames), 20U);

    std::filesystem::rename(shared, kept);
    auto maps = find_inlined_code(profile, {});
    ASSERT_THAT(maps.missing, SizeIs(1));
    EXPECT_THAT(maps.missing.front().problem, HasSubstr("shared' not found"));
    share("struct Other { int a, b, c, d; }; Other other(int i) { return {i, i, i, i}; }\n");
    output_of({"dwz", "-m", shared, "-r", directory.path("b"), directory.path("c")});
    maps = find_inlined_code(profile, {});
    ASSERT_THAT(maps.missing, SizeIs(1));
    EXPECT_THAT(maps.missing.front().problem, HasSubstr("shared' is of another build"));
}

TEST(FindInlinedCode, is_that_of_the_function_in_the_profile_where_the_linker_has_made_one_of_two) {
    if (!is_installed("ld.gold")) GTEST_SKIP() << "no ld.gold";
    const TemporaryDirectory directory;
    const auto file = directory.write("folded.cpp", R"(
[[gnu::always_inline]] static inline unsigned one(unsigned x) { return x * 3 + 1; }
[[gnu::always_inline]] static inline unsigned two(unsigned x) { return x * 3 + 1; }
[[gnu::noinline]] unsigned first(unsigned x) { return one(x) ^ one(x + 9); }
[[gnu::noinline]] unsigned second(unsigned x) { return two(x) ^ two(x + 9); }
int main(int count, char**) {
    const auto n = static_cast<unsigned>(count);
    return static_cast<int>(first(n) + second(n));
}
)");
    const auto program = compile(directory, "folded", file,
                                 {"g++", "-O1", "-g", "-fno-ipa-icf", "-fno-ipa-cp", "-ffunction-sections",
                                  "-fuse-ld=gold", "-Wl,--icf=all"});
    const auto elf = callcost::program::read_elf(program);
    ASSERT_TRUE(elf.has_value());
    for (const auto& [name, inlined] :
         {std::pair("first", "one(unsigned int)"), std::pair("second", "two(unsigned int)")}) {
        const auto whole = std::string(name) + "(unsigned int)";
        std::map<std::uint64_t, Frames> frames;  // without lines: then it is the name that is compared
        for (const auto& [address, stack] : frames_of(directory, program)) {
            const auto* const symbol = elf->function_at(address);
            if (symbol != nullptr && symbol->name.starts_with("_Z")) frames[address] = {{whole, file, 0}};
        }
        const auto maps = find_inlined_code(profile_of(frames, program), {});
        EXPECT_THAT(maps.stale, IsEmpty());
        const auto* const map = map_of(maps, program);
        ASSERT_NE(map, nullptr);
        ASSERT_THAT(map->functions, testing::Not(IsEmpty()));
        EXPECT_TRUE(std::any_of(frames.begin(), frames.end(), [&, inlined = inlined](const auto& frame) {
            const auto chain = chain_at(*map, frame.first);
            return chain.size() == 1 && chain.front().function == inlined;
        })) << whole;
    }
    std::map<std::uint64_t, Frames> other;
    for (const auto& symbol : elf->functions)
        if (symbol.name == "main") other[symbol.first] = {{"other(int)", file, 0}};
    const auto maps = find_inlined_code(profile_of(other, program), {});
    ASSERT_THAT(maps.missing, SizeIs(1));
    EXPECT_THAT(maps.missing.front().problem, HasSubstr("most functions have other lines there"));
}

TEST(FindInlinedCode, is_found_where_the_program_was_loaded_elsewhere) {
    const TemporaryDirectory directory;
    const auto program =
        compile(directory, "small", directory.write("small.cpp", source), {"g++", "-O2", "-g"});
    std::map<std::uint64_t, Frames> frames;
    for (auto& [address, stack] : frames_of(directory, program)) frames[address + 0x109000] = stack;
    EXPECT_GT(compared_addresses(find_inlined_code(profile_of(frames, program), {}), program, frames), 20U);
}

// --- other programs ---------------------------------------------------------------------------------------

TEST(FindInlinedCode, leaves_out_functions_that_were_changed) {
    const TemporaryDirectory directory;
    const auto program =
        compile(directory, "small", directory.write("small.cpp", source), {"g++", "-O2", "-g"});
    const auto frames = frames_of(directory, program);
    const auto profile = profile_of(frames, program);
    std::string changed(source);
    changed.insert(changed.find("    sink = mix(x, 7)"), "// a line more\n");
    changed.insert(changed.find("int main"), "#line 26\n");
    compile(directory, "small", directory.write("small.cpp", changed), {"g++", "-O2", "-g"});
    const auto maps = find_inlined_code(profile, {});
    ASSERT_THAT(maps.stale, SizeIs(1)) << stale_message(maps);
    EXPECT_EQ(profile.name(maps.stale.front()), "last(unsigned int)");
    EXPECT_THAT(stale_message(maps), HasSubstr("1 of "));
    const auto* const map = map_of(maps, program);
    ASSERT_NE(map, nullptr);
    for (const auto& [address, stack] : frames) {
        const auto size = stack.back().function == "last(unsigned int)" ? 0 : stack.size() - 1;
        EXPECT_EQ(chain_at(*map, address).size(), size) << stack.back().function;
    }
}

TEST(FindInlinedCode, goes_by_build_ids_where_the_profile_has_them) {
    EXPECT_EQ(parse_recorded_build("Build-id: 12ab /a b")->id, "12ab");
    EXPECT_EQ(parse_recorded_build("Build-id: 12ab /a b")->object, "/a b");
    for (const auto* const other :
         {"", "Build-id: ", "Build-id: 12", "Build-id: 12 ", "Build-id: 1x /a", "Trigger: x"})
        EXPECT_FALSE(parse_recorded_build(other)) << other;

    const TemporaryDirectory directory;
    const auto program =
        compile(directory, "small", directory.write("small.cpp", source), {"g++", "-O2", "-g"});
    const auto frames = frames_of(directory, program);
    const auto with_id = [&](const std::string& id) {
        return find_inlined_code(profile_of(frames, program, "desc: Build-id: " + id + ' ' + program + '\n'),
                                 {});
    };
    const auto other = with_id("0123456789");
    ASSERT_THAT(other.missing, SizeIs(1));
    EXPECT_THAT(other.missing.front().problem, HasSubstr("another build ID"));
    EXPECT_THAT(other.maps, IsEmpty());
    const auto id = callcost::program::find_debug_file(program).build_id;
    EXPECT_THAT(id, SizeIs(40));
    EXPECT_THAT(with_id(id).maps, SizeIs(1));
    const auto without_id =
        compile(directory, "no_id", directory.write("no_id.cpp", source), {"g++", "-O2", "-g"});
    output_of({"objcopy", "--remove-section=.note.gnu.build-id", without_id});
    EXPECT_EQ(callcost::program::find_debug_file(without_id).build_id, "");
    const auto several = find_inlined_code(
        profile_of(frames_of(directory, without_id), without_id,
                   "desc: Build-id: 12 " + without_id + "\ndesc: Build-id: 34 " + without_id + '\n'),
        {});
    ASSERT_THAT(several.missing, SizeIs(1));
    EXPECT_THAT(several.missing.front().problem, HasSubstr("several builds"));

    callcost::program::InlineMapOptions strict;
    strict.needs_build_id = true;
    const auto unknown = find_inlined_code(profile_of(frames, program), strict);
    ASSERT_THAT(unknown.missing, SizeIs(1));
    EXPECT_THAT(unknown.missing.front().problem, HasSubstr("does not say which build"));
    const auto known = profile_of(frames, program, "desc: Build-id: " + id + ' ' + program + '\n');
    EXPECT_THAT(find_inlined_code(known, strict).maps, SizeIs(1));
}

TEST(FindInlinedCode, says_why_there_is_none) {
    const TemporaryDirectory directory;
    const std::map<std::uint64_t, Frames> frames{{0x1000, {{"f", "a.c", 1}}}};
    const auto problem_with = [&](const std::string& object) {
        const auto maps = find_inlined_code(profile_of(frames, object), {});
        EXPECT_THAT(maps.missing, SizeIs(1));
        return maps.missing.empty() ? maps.problem : maps.missing.front().problem;
    };
    EXPECT_THAT(problem_with(directory.path("none")), HasSubstr("not found"));
    EXPECT_THAT(problem_with(directory.path()), HasSubstr("is a directory"));
    EXPECT_THAT(problem_with(directory.write("text", "text")), HasSubstr("not a program or library"));
    const auto maps = find_inlined_code(profile_of(frames, directory.write("text")), {.program = "/none"});
    ASSERT_THAT(maps.missing, SizeIs(1));
    EXPECT_THAT(maps.missing.front().problem, HasSubstr("No such file"));
}

/// Of stripped libraries, whose debug files are found.
TEST(FindInlinedCode, has_the_lines_of_functions_that_have_none) {
    const TemporaryDirectory directory;
    const auto program =
        compile(directory, "small", directory.write("small.cpp", source), {"g++", "-O2", "-g"});
    const auto frames = frames_of(directory, program);
    auto bare = frames;
    for (auto& [address, stack] : bare)
        if (stack.back().function != "last(unsigned int)")
            for (auto& frame : stack) frame = {frame.function, "???", 0};
    const auto maps = find_inlined_code(profile_of(bare, program), {});
    const auto* const map = map_of(maps, program);
    ASSERT_NE(map, nullptr);
    std::size_t known = 0;
    for (const auto& [address, stack] : frames) {
        InlineMap::Line found;
        for (const auto& line : map->lines)
            if (line.address <= address) found = line;
        const bool has_line = stack.front().line != 0 && bare.at(address).front().line == 0;
        EXPECT_EQ(found.line, has_line ? stack.front().line : 0) << std::hex << address;
        if (!has_line || found.file == InlineSite::none) continue;
        EXPECT_EQ(base_name(map->files[found.file]), base_name(stack.front().file));
        ++known;
    }
    EXPECT_GT(known, 20U);
    EXPECT_THAT(map_of(find_inlined_code(profile_of(frames, program), {}), program)->lines, IsEmpty());
}

// --- damaged files ----------------------------------------------------------------------------------------

TEST(FindInlinedCode, survives_damaged_files) {
    const TemporaryDirectory directory;
    const auto program =
        compile(directory, "small", directory.write("small.cpp", source), {"g++", "-O2", "-g"});
    const auto frames = frames_of(directory, program);
    std::ifstream file(program, std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    std::mt19937 random(43);
    constexpr std::size_t damaged = callcost::test::is_sanitized ? 48 : 200;
    std::string text;
    std::size_t answers = 0;
    for (std::size_t seed = 0; seed < damaged; ++seed) {
        auto bytes = whole;
        const auto place = [&] { return random() % bytes.size(); };
        if (seed % 4 == 0) bytes.resize(place());
        for (auto count = seed % 4 == 0 ? 0 : 1U << (seed % 8); count > 0; --count)
            bytes[place()] = static_cast<char>(random());
        const auto path = directory.write("damaged" + std::to_string(seed), bytes);
        const auto maps = find_inlined_code(profile_of(frames, path), {});
        answers += maps.maps.size() + maps.missing.size();
    }
    EXPECT_EQ(answers, damaged);
}

TEST(FindInlinedCode, trusts_no_answer) {
    const TemporaryDirectory directory;
    const std::map<std::uint64_t, Frames> frames{{0x1000, {{"f", "a.c", 1}}}};
    const auto profile = profile_of(frames, directory.write("text"));
    for (const auto* const script :
         {"exit 0", "kill -SEGV $$", "printf '\\001x'", "cat", "head -c 100000 /dev/urandom"}) {
        const auto program = directory.write("worker", "#!/bin/sh\n" + std::string(script) + '\n');
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        const auto maps = find_inlined_code(profile, {.program = program});
        EXPECT_THAT(maps.maps, IsEmpty()) << script;
        ASSERT_THAT(maps.missing, SizeIs(1)) << script;
        EXPECT_THAT(maps.missing.front().problem, HasSubstr("damaged, or takes too much")) << script;
    }
}

TEST(FindInlinedCode, reads_on_after_a_file_that_ends_the_process) {
    const TemporaryDirectory directory;
    const auto program =
        compile(directory, "small", directory.write("small.cpp", source), {"g++", "-O2", "-g"});
    const auto worker = directory.write(
        "worker", "#!/bin/sh\ncat >$0.in\nif grep -q first $0.in; then kill -ABRT $$; fi\n" +
                      std::string("exec ") + std::filesystem::canonical("/proc/self/exe").string() +
                      " \"$@\" <$0.in\n");
    std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
    const auto bad = directory.write("bad", "text");
    std::string text =
        "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npositions: instr line\n"
        "events: Ir\nob=" +
        bad + "\nfl=a.c\nfn=first_of_all\n0x1000 1 1\nob=" + program +
        "\nfl=small.cpp\nfn=main\n0x1001 1 1\n";
    const auto profile = callcost::read_profile(callcost::from_memory(std::move(text)));
    ASSERT_TRUE(profile.has_value());
    const auto maps = find_inlined_code(*profile, {.program = worker});
    ASSERT_THAT(maps.missing, SizeIs(2));
    EXPECT_THAT(maps.missing[0].problem, HasSubstr("is damaged"));
    EXPECT_THAT(maps.missing[1].problem, HasSubstr("most functions have other lines there"));
}

}  // namespace
