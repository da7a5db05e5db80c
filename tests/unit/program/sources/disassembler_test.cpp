#include "sources/disassembler.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "unit/library/parser/sanitized.hpp"
#include "unit/program/input/temporary_directory.hpp"

// Functions of this very program, which is a position-independent one: their addresses here are not those of
// the file. NOLINTBEGIN(misc-use-internal-linkage, misc-use-anonymous-namespace)
extern "C" {
[[gnu::noinline]] int callcost_test_function(int number) {
    int sum = 0;
    for (int i = 0; i < number; ++i) sum += (i * 7) % (number + 1);
    return sum;
}
[[gnu::noinline]] int callcost_other_test_function(int number) {
    return number ^ callcost_test_function(number);
}
}
// NOLINTEND(misc-use-internal-linkage, misc-use-anonymous-namespace)

namespace {

using callcost::AddressRange;
using callcost::engine::MachineCode;
using callcost::engine::Syntax;
using callcost::program::demangled;
using callcost::program::Disassembler;
using callcost::program::DisassemblerOptions;
using callcost::program::ElfFile;
using callcost::program::FileTime;
using callcost::program::FunctionSymbol;
using callcost::program::KnownFunction;
using callcost::program::load_offset;
using callcost::program::read_elf;
using callcost::test::TemporaryDirectory;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string this_program = std::filesystem::canonical("/proc/self/exe").native();

/// Without the bit that says on 32-bit ARM that the code is Thumb's.
std::uint64_t address_of(int (*function)(int)) {
    const auto pointer = reinterpret_cast<std::uintptr_t>(function);
#ifdef __thumb__
    return pointer - 1;
#else
    return pointer;
#endif
}

const FunctionSymbol& symbol_called(const ElfFile& file, std::string_view name) {
    for (const auto& symbol : file.functions)
        if (symbol.name == name) return symbol;
    ADD_FAILURE() << "no symbol " << name;
    static const FunctionSymbol none;
    return none;
}

std::vector<std::string> texts_of(const MachineCode& code) {
    std::vector<std::string> texts;
    for (const auto& instruction : code.instructions) texts.push_back(instruction.text);
    return texts;
}

// --- ELF --------------------------------------------------------------------------------------------------

TEST(ElfFileOf, what_is_none_has_no_debug_file) {
    const TemporaryDirectory directory;
    for (const auto& path : {directory.path("none"), directory.path(), directory.write("text", "text")}) {
        EXPECT_EQ(callcost::program::find_debug_file(path).build_id, "");
        EXPECT_EQ(callcost::program::find_debug_file(path).path, "");
    }
}

TEST(ElfFileOf, a_program_says_where_its_code_and_its_functions_are) {
    const auto file = read_elf(this_program);
    ASSERT_TRUE(file.has_value());
    EXPECT_TRUE(file->has_code);
    const auto& symbol = symbol_called(*file, "callcost_test_function");
    EXPECT_GT(symbol.end, symbol.first);
    EXPECT_EQ(file->function_at(symbol.first)->first, symbol.first);
    EXPECT_EQ(file->function_at(symbol.end - 1)->first, symbol.first);
    EXPECT_TRUE(file->begins_function(symbol.first - 1, symbol.first));
    EXPECT_FALSE(file->begins_function(symbol.first, symbol.end - 1));
}

TEST(ElfFileOf, what_is_no_program_is_nothing) {
    const TemporaryDirectory directory;
    EXPECT_FALSE(read_elf(directory.path("missing")));
    EXPECT_FALSE(read_elf(directory.path()));
    EXPECT_FALSE(read_elf(directory.write("empty", "")));
    EXPECT_FALSE(read_elf(directory.write("text", "int main() {}")));
    EXPECT_FALSE(read_elf(directory.write("short",
                                          "\x7f"
                                          "ELF\2\1\1")));
}

/// Whatever is cut off or changed, reading it ends, and does no harm.
TEST(ElfFileOf, a_damaged_program_is_read_as_far_as_it_goes) {
    std::ifstream stream(this_program, std::ios::binary);
    std::string bytes(200'000, '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const TemporaryDirectory directory;
    for (const std::size_t size : {16U, 63U, 64U, 100U, 1000U, 4096U, 100'000U})
        (void)read_elf(directory.write("cut", std::string_view(bytes).substr(0, size)));
    for (std::size_t at = 16; at < 64; ++at) {
        for (const char value : {'\0', '\x7f', '\xff'}) {
            std::string damaged = bytes;
            damaged[at] = value;
            (void)read_elf(directory.write("damaged", damaged));
        }
    }
}

TEST(LoadOffset, is_found_by_the_functions_of_a_program_that_runs) {
    const auto file = read_elf(this_program);
    ASSERT_TRUE(file.has_value());
    const auto& symbol = symbol_called(*file, "callcost_test_function");
    const auto expected = address_of(callcost_test_function) - symbol.first;
    const std::vector<KnownFunction> known{
        {"callcost_test_function", address_of(callcost_test_function)},
        {"callcost_other_test_function", address_of(callcost_other_test_function)},
        {"no_such_function", 0x1234}};
    const auto load = load_offset(*file, known);
    EXPECT_EQ(load.offset, expected);
    EXPECT_EQ(load.agreeing, 2U);
    EXPECT_EQ(load.contradicting, 0U);
}

ElfFile two_functions() {
    return {.machine = 62,
            .is_little_endian = true,
            .has_code = true,
            .code = {{0x1000, 0x9000}},
            .functions = {{0x1100, 0x1180, "f"}, {0x2200, 0x2280, "_Z1gi"}, {0x5000, 0x8000, "long"}}};
}

TEST(LoadOffset, is_0_for_addresses_as_linked) {
    const auto load =
        load_offset(two_functions(), std::vector<KnownFunction>{{"f", 0x1108}, {"g(int)", 0x2200}});
    EXPECT_EQ(load.offset, 0U);
    EXPECT_EQ(load.agreeing, 2U);
}

TEST(LoadOffset, needs_no_cost_at_the_beginning_of_a_function) {
    const auto load = load_offset(
        two_functions(), std::vector<KnownFunction>{{"f", 0x7f0000001123}, {"g(int)", 0x7f000000227f}});
    EXPECT_EQ(load.offset, 0x7f0000000000U);
    EXPECT_EQ(load.agreeing, 2U);
}

TEST(LoadOffset, is_what_most_functions_agree_on) {
    const auto load =
        load_offset(two_functions(),
                    std::vector<KnownFunction>{{"long", 0x406100}, {"f", 0x401110}, {"g(int)", 0x402200}});
    EXPECT_EQ(load.offset, 0x400000U);
    EXPECT_EQ(load.agreeing, 3U);
}

TEST(LoadOffset, is_not_guessed_if_functions_have_moved) {
    const auto load =
        load_offset(two_functions(), std::vector<KnownFunction>{{"f", 0x1200}, {"g(int)", 0x2340}});
    EXPECT_EQ(load.offset, 0U);
    EXPECT_EQ(load.agreeing, 0U);
    EXPECT_EQ(load.contradicting, 2U);
}

TEST(Demangled, names_are_as_people_write_them) {
    EXPECT_EQ(demangled("_Z1gi"), "g(int)");
    EXPECT_EQ(demangled("_Z1gi.cold"), "g(int) [clone .cold]");
    EXPECT_EQ(demangled("main"), "main");
    EXPECT_EQ(demangled("_Znonsense"), "_Znonsense");
}

// --- real objdump -----------------------------------------------------------------------------------------

TEST(Disassembling, a_function_of_this_program_shows_it_whole) {
    DisassemblerOptions options;
    options.known_functions = [](std::string_view) {
        return std::vector<KnownFunction>{
            {"callcost_test_function", address_of(callcost_test_function)},
            {"callcost_other_test_function", address_of(callcost_other_test_function)}};
    };
    Disassembler disassembler(options);
    const auto first = address_of(callcost_test_function);
    const std::vector<AddressRange> ranges{{first, first + 1}};
    const auto code = disassembler.machine_code(this_program, ranges, Syntax::att);
    ASSERT_THAT(code.instructions, Not(IsEmpty())) << code.problem;
    EXPECT_EQ(code.instructions.front().address, first);
    std::uint64_t bytes = 0;
    for (const auto& instruction : code.instructions) bytes += size_of(instruction);
    const auto file = read_elf(this_program);
    const auto& symbol = symbol_called(*file, "callcost_test_function");
    EXPECT_EQ(bytes, symbol.end - symbol.first);
    EXPECT_THAT(code.problem, HasSubstr("above those of the file"))
        << "it is told, because operands have them";
}

// --- a program in the place of objdump --------------------------------------------------------------------

/// An "objdump" that prints what the test says and notes how it was called.
class FakeObjdump : public testing::Test {
  protected:
    FakeObjdump() {
        directory_.write("object", "no ELF file");
        options_.program = directory_.path("objdump");
        options_.search.working_directory = directory_.path();
        prints("  10:\\t90 \\tnop\\n  11:\\teb 10 \\tjmp 23\\n  13:\\t90 \\tnop\\n  23:\\tc3 \\tret\\n");
    }
    void prints(const std::string& text, const std::string& then = "") {
        runs("printf '" + text + "'\n" + then);
    }
    void runs(const std::string& script) {
        directory_.write("objdump",
                         "#!/bin/sh\necho \"$@\" >> " + directory_.path("calls") + "\n" + script + "\n");
        ::chmod(options_.program.c_str(), 0755);
    }
    [[nodiscard]] std::string calls() const {
        std::ifstream file(directory_.path("calls"));
        return {std::istreambuf_iterator<char>(file), {}};
    }
    MachineCode code(const std::vector<AddressRange>& ranges, Syntax syntax = Syntax::att) {
        if (!disassembler_) disassembler_.emplace(options_);
        return disassembler_->machine_code(name_, ranges, syntax);
    }

    TemporaryDirectory directory_;
    DisassemblerOptions options_;
    std::optional<Disassembler> disassembler_;
    std::string name_ = "object";
};

TEST_F(FakeObjdump, is_asked_once_for_each_range) {
    EXPECT_THAT(texts_of(code({{0x10, 0x24}})), ElementsAre("nop", "jmp 23", "nop", "ret"));
    EXPECT_THAT(texts_of(code({{0x10, 0x24}})), SizeIs(4));
    EXPECT_EQ(
        calls(),
        "--disassemble --wide --demangle --disassemble-zeroes --start-address=0x10 --stop-address=0x34 " +
            directory_.path("object") + "\n");
    (void)code({{0x10, 0x24}}, Syntax::intel);
    EXPECT_THAT(calls(), Not(HasSubstr("intel"))) << "only for processors that have two syntaxes";
}

TEST_F(FakeObjdump, is_asked_again_for_what_was_forgotten) {
    options_.max_remembered = 100;
    (void)code({{0x10, 0x14}});
    (void)code({{0x23, 0x24}});
    (void)code({{0x10, 0x14}});
    EXPECT_THAT(texts_of(code({{0x10, 0x14}})), SizeIs(3));
    const auto log = calls();
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 3);
}

TEST_F(FakeObjdump, is_not_asked_for_what_lies_between_distant_ranges) {
    options_.max_apart = 8;
    (void)code({{0x10, 0x11}, {0x12, 0x14}, {0x23, 0x24}});
    EXPECT_THAT(calls(), HasSubstr("--start-address=0x10 --stop-address=0x24 "));
    EXPECT_THAT(calls(), HasSubstr("--start-address=0x23 --stop-address=0x34 "));
}

TEST_F(FakeObjdump, is_asked_for_so_many_ranges_only) {
    options_.max_apart = 0;
    options_.max_ranges = 1;
    const auto result = code({{0x10, 0x11}, {0x23, 0x24}});
    EXPECT_THAT(texts_of(result), ElementsAre("nop"));
    EXPECT_THAT(result.problem, HasSubstr("only the first 1 of 2"));
}

TEST_F(FakeObjdump, says_if_addresses_with_cost_are_no_instructions) {
    const auto result = code({{0x10, 0x13}});
    EXPECT_THAT(result.problem, HasSubstr("is not the file that was measured: 1 of 2 checked addresses"));
    EXPECT_THAT(result.hint, HasSubstr("-I DIR"));
    EXPECT_THAT(result.instructions, SizeIs(2)) << "shown nevertheless";
}

TEST_F(FakeObjdump, says_if_the_object_is_newer_than_the_profile) {
    options_.profile_time = FileTime{};
    EXPECT_THAT(code({{0x10, 0x12}}).problem,
                HasSubstr("was changed after the profile was written: the instructions may differ"));
    EXPECT_THAT(code({{0x10, 0x13}}).problem,
                HasSubstr("was changed after the profile was written: 1 of 2 checked addresses"));
}

TEST_F(FakeObjdump, may_not_understand_the_object) {
    runs("echo 'objdump: cannot do it' >&2; exit 1");
    const auto result = code({{0x10, 0x12}});
    EXPECT_THAT(result.problem, HasSubstr("cannot read"));
    EXPECT_THAT(result.problem, HasSubstr("objdump: cannot do it"));
    EXPECT_THAT(result.instructions, IsEmpty());
}

TEST_F(FakeObjdump, may_find_nothing) {
    prints("Disassembly of nothing:\\n");
    EXPECT_THAT(code({{0x99, 0x9a}}).problem, HasSubstr("there is no code at 0x99"));
}

TEST_F(FakeObjdump, may_be_missing) {
    options_.program = directory_.path("missing");
    EXPECT_THAT(code({{0x10, 0x12}}).problem, HasSubstr("cannot be run: No such file"));
}

TEST_F(FakeObjdump, may_take_too_long) {
    runs("sleep 100");
    options_.limits.max_time = std::chrono::milliseconds(50);
    EXPECT_THAT(code({{0x10, 0x12}}).problem, HasSubstr("took too long"));
}

TEST_F(FakeObjdump, that_takes_too_long_is_not_run_again_for_the_other_pieces) {
    runs("sleep 100");
    options_.max_apart = 0;
    options_.max_ranges = 2;
    options_.limits.max_time = std::chrono::seconds(1);
    for (int times = 0; times < 2; ++times) {
        EXPECT_THAT(code({{0x10, 0x11}, {0x13, 0x14}, {0x23, 0x24}}).problem, HasSubstr("took too long"));
        const auto log = calls();
        EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1) << "nor for the next question";
    }
}

TEST_F(FakeObjdump, has_one_time_for_all_pieces_of_a_question) {
    runs(
        "case \"$*\" in *=0x23*) sleep 1.2;; *=0x10*) sleep 1.2; printf '  10:\t90 \tnop\n';; esac\n"
        "printf '  23:\tc3 \tret\n'");
    options_.max_apart = 0;
    options_.limits.max_time = std::chrono::milliseconds(2200);
    const std::vector<AddressRange> pieces{{0x10, 0x11}, {0x23, 0x24}};
    const auto first = code(pieces);
    EXPECT_THAT(texts_of(first), ElementsAre("nop"));
    EXPECT_THAT(first.problem, HasSubstr("took too long"));
    EXPECT_THAT(texts_of(code(pieces)), ElementsAre("nop", "ret")) << "others had taken its time";
}

TEST_F(FakeObjdump, is_ended_when_nobody_waits_any_more) {
    bool is_wanted = false;
    options_.limits.is_wanted = [&] { return is_wanted; };
    runs("sleep 100");
    EXPECT_THAT(code({{0x10, 0x12}}).instructions, IsEmpty());
    prints("  10:\\t90 \\tnop\\n");
    is_wanted = true;
    EXPECT_THAT(texts_of(code({{0x10, 0x11}})), ElementsAre("nop")) << "that is no failure to remember";
}

TEST_F(FakeObjdump, that_found_nothing_is_not_asked_again) {
    prints("Disassembly of nothing:\\n");
    EXPECT_THAT(code({{0x99, 0x9a}}).problem, HasSubstr("there is no code at 0x99"));
    EXPECT_THAT(code({{0x99, 0x9a}}).problem, HasSubstr("there is no code at 0x99"));
    const auto log = calls();
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1);
}

TEST_F(FakeObjdump, is_not_needed_to_say_what_is_missing) {
    EXPECT_THAT(code({}).hint, HasSubstr("callcost record"));
    name_ = "???";
    EXPECT_THAT(code({{1, 2}}).problem, HasSubstr("does not name the object file"));
    name_ = "[vdso]";
    EXPECT_THAT(code({{1, 2}}).problem, HasSubstr("is not backed by a file"));
    name_ = "/no/such/program";
    EXPECT_THAT(code({{1, 2}}).hint, HasSubstr("SYSROOT"));
    name_ = directory_.path();
    EXPECT_THAT(code({{1, 2}}).problem, HasSubstr("is a directory"));
    name_ = "/dev/null";
    EXPECT_THAT(code({{1, 2}}).problem, HasSubstr("is not a file"));
    EXPECT_EQ(calls(), "");
}

TEST_F(FakeObjdump, gets_names_of_any_kind_as_they_are) {
    name_ = "-x $(id) \n@\xff";
    directory_.write(name_, "x");
    options_.search.working_directory = ".";
    options_.search.include_dirs = {directory_.path()};
    EXPECT_THAT(code({{0x10, 0x24}}).instructions, SizeIs(4));
    EXPECT_THAT(calls(), HasSubstr(directory_.path(name_)));
}

TEST_F(FakeObjdump, gets_files_of_another_system_from_its_root) {
    options_.system_root = directory_.path("root");
    directory_.write("root/usr/lib/libx.so", "x");
    name_ = "/usr/lib/libx.so";
    EXPECT_EQ(code({{0x10, 0x12}}).path, directory_.path("root/usr/lib/libx.so"));
}

const char* const with_places =
    "0010 <f>:\\nf():\\n/a.c:1\\n  10:\\t90 \\tnop\\ng():\\n/b.h:7\\ninlined by /a.c:2 (f)\\n  11:\\teb 10 "
    "\\tjmp 23\\n"
    "f():\\n/a.c:3\\n  13:\\t90 \\tnop\\n";

TEST_F(FakeObjdump, says_where_code_was_inlined) {
    prints(with_places);
    Disassembler disassembler(options_);
    const std::vector<AddressRange> ranges{{0x10, 0x14}};
    for (int times = 0; times < 2; ++times) {
        const auto found = disassembler.inlined_code(name_, "f", ranges);
        EXPECT_EQ(found.problem, "");
        ASSERT_THAT(found.sites, SizeIs(1));
        EXPECT_EQ(found.sites[0].line, 2U);
        EXPECT_EQ(found.sites[0].function, "g");
        std::vector<std::uint64_t> starts;
        for (const auto& run : found.runs) starts.push_back(run.address);
        EXPECT_THAT(starts, ElementsAre(0x10U, 0x11U, 0x13U, 0x14U));
        EXPECT_EQ(found.runs[1].site, 0U);
        EXPECT_THAT(found.lines, IsEmpty()) << "there are addresses";
    }
    const auto log = calls();
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1) << "it is asked once";
    const std::vector<AddressRange> others{{0x13, 0x14}};
    const auto other = disassembler.inlined_code(name_, "f", others);
    ASSERT_THAT(other.runs, Not(IsEmpty()));
    EXPECT_EQ(other.runs[0].address, 0x13U) << "other code of the same function";
}

TEST_F(FakeObjdump, of_another_build_does_not_say_where_code_was_inlined) {
    prints(with_places);
    Disassembler disassembler(options_);
    const std::vector<AddressRange> wrong{{0x10, 0x13}};
    const auto found = disassembler.inlined_code(name_, "f", wrong);
    EXPECT_THAT(found.problem, HasSubstr("is not the file that was measured"));
    EXPECT_THAT(found.sites, IsEmpty());
    EXPECT_THAT(found.runs, IsEmpty());
}

TEST(InlinedCode, of_a_function_of_this_program_is_found_by_its_name) {
    if (callcost::test::is_sanitized) GTEST_SKIP() << "objdump takes too long for a program of this size";
    Disassembler disassembler({});
    const auto found = disassembler.inlined_code(this_program, "callcost_test_function", {});
    EXPECT_EQ(found.problem, "");
    EXPECT_THAT(found.lines, Not(IsEmpty()));
    EXPECT_THAT(disassembler.inlined_code(this_program, "no_such_function", {}).lines, IsEmpty());
}

TEST(ReadingAhead, makes_the_code_of_functions_known_that_is_the_same_one_by_one) {
    const auto file = read_elf(this_program);
    ASSERT_TRUE(file.has_value());
    std::vector<std::vector<AddressRange>> functions;
    for (const char* const name : {"callcost_test_function", "callcost_other_test_function"}) {
        const auto& symbol = symbol_called(*file, name);
        functions.push_back({{symbol.first, symbol.first + 1}});
    }
    const TemporaryDirectory directory;
    DisassemblerOptions options;
    options.program = directory.write(
        "objdump", "#!/bin/sh\necho x >> " + directory.path("calls") + "\nexec objdump \"$@\"\n");
    ::chmod(options.program.c_str(), 0755);
    Disassembler ahead(options), one_by_one({});
    ahead.read_ahead(this_program, functions, Syntax::att);
    for (const auto& ranges : functions) {
        const auto expected = texts_of(one_by_one.machine_code(this_program, ranges, Syntax::att));
        EXPECT_EQ(texts_of(ahead.machine_code(this_program, ranges, Syntax::att)), expected);
        EXPECT_THAT(expected, Not(IsEmpty()));
    }
    std::ifstream calls(directory.path("calls"));
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(calls), {}), "x\n") << "one run for both";
}

}  // namespace
