#include "sources/disassembly.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using callcost::AddressRange;
using callcost::engine::Instruction;
using callcost::program::command_line;
using callcost::program::read_disassembly;
using callcost::program::read_places;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr AddressRange everything{0, UINT64_MAX};

std::vector<std::string> read(std::string_view text, const AddressRange& range = everything) {
    std::vector<std::string> lines;
    for (const Instruction& instruction : read_disassembly(text, range))
        lines.push_back(std::to_string(instruction.address) + "|" + instruction.bytes + "|" +
                        instruction.text + "|" + std::to_string(size_of(instruction)));
    return lines;
}

TEST(Disassembly, of_GNU_objdump_is_read) {
    EXPECT_THAT(
        read("\nprog:     file format elf64-x86-64\n\n\nDisassembly of section .text:\n\n"
             "0000000000001139 <f(int)>:\n"
             "    1139:\t55                   \tpush   %rbp\n"
             "    113a:\t48 8d 3d c3 0e 00 00 \tlea    0xec3(%rip),%rdi        # 2004 <x>\n"),
        ElementsAre("4409|55|push %rbp|1", "4410|48 8d 3d c3 0e 00 00|lea 0xec3(%rip),%rdi # 2004 <x>|7"));
    EXPECT_THAT(read(" 714:\t2a0003e3 \tmov\tw3, w0\n"), ElementsAre("1812|2a0003e3|mov w3, w0|4"));
}

TEST(Disassembly, of_LLVM_objdump_is_read) {
    EXPECT_THAT(read("0000000000001330 <f>:\n    1330: 48 83 ec 18                  \tsub\trsp, 24\n     "
                     "774: fd 7b bf a9  \tstp\tx29, x30\n"),
                ElementsAre("4912|48 83 ec 18|sub rsp, 24|4"))
        << "addresses only grow";
}

TEST(Disassembly, without_bytes_is_read) {
    EXPECT_THAT(read("    10:\tpush   %rbp\n    12:\tadd %al,(%rax)\n"),
                ElementsAre("16||push %rbp|0", "18||add %al,(%rax)|0"));
}

TEST(Disassembly, tells_bytes_from_instructions) {
    EXPECT_THAT(read("10:\tdaa\n"), ElementsAre("16||daa|0"));
    EXPECT_THAT(read("10:\t90 \t(bad)\n"), ElementsAre("16|90|(bad)|1"));
}

TEST(Disassembly, has_the_instructions_of_the_range) {
    constexpr std::string_view text = " f:\t90 \tnop\n 10:\t90 \tnop\n 11:\t90 \tnop\n 12:\t90 \tnop\n";
    EXPECT_THAT(read(text, {0x10, 0x12}), ElementsAre("16|90|nop|1", "17|90|nop|1"));
}

TEST(Disassembly, that_is_none_is_empty) {
    EXPECT_THAT(read(""), IsEmpty());
    EXPECT_THAT(read("x\n:\n12\n12:\n12:\t90\n ...\n99999999999999999999999:\t90\tnop\n-1:\t90\tnop\n"),
                IsEmpty());
    EXPECT_THAT(read(std::string("10:\t90\tno\0p\n20:\t90\tnop", 22)).size(), 2U)
        << "names are bytes of any kind";
}

TEST(Disassembly, is_ordered_without_room_for_misunderstandings) {
    EXPECT_THAT(command_line({"objdump", "/bin/ls", {0x1139, 0x1150}, true}),
                ElementsAre("objdump", "--disassemble", "--wide", "--demangle", "--disassemble-zeroes",
                            "--start-address=0x1139", "--stop-address=0x1160", "-M", "intel", "/bin/ls"));
    EXPECT_EQ(command_line({"objdump", "-x", {1, 2}}).back(), "./-x") << "no option";
    EXPECT_EQ(command_line({"objdump", "@file", {1, 2}}).back(), "./@file") << "no file of options";
    EXPECT_THAT(command_line({"objdump", "x", {1, UINT64_MAX}}),
                Contains("--stop-address=0xffffffffffffffff"));
    EXPECT_THAT(command_line({"objdump", "x", {1, 2}}), Not(Contains("-M")));
}

/// "address file:line <- site file:line function" of each instruction.
std::vector<std::string> places(std::string_view text, const AddressRange& range = everything) {
    const auto code = read_places(text, range);
    std::vector<std::string> lines;
    for (const auto& instruction : code.instructions) {
        auto line = std::to_string(instruction.address) + " " + code.files[instruction.file] + ":" +
                    std::to_string(instruction.line);
        if (instruction.site != callcost::engine::InlinedCode::none) {
            const auto& site = code.sites[instruction.site];
            line += " <- " + site.file + ":" + std::to_string(site.line) + " " + site.function;
        }
        lines.push_back(line);
    }
    return lines;
}

// As objdump of binutils 2.40 prints it: lines when they change, the calls before every instruction.
const char* const inlined_listing =
    "\nstl:     file format elf64-x86-64\n\n\nDisassembly of section .text:\n\n"
    "00000000000011b0 <main>:\n"
    "main():\n"
    "/src/stl.cpp:31 (discriminator 2)\n"
    "    11b0:\t55                   \tpush   %rbp\n"
    "_ZN1v3endEv():\n"
    "/usr/include/v.h:1073\n"
    "inlined by /usr/include/v.h:889 (_ZN1v5beginEv)\n"
    "inlined by /src/a b (c).cpp:32 (main)\n"
    "    11b1:\t48 8b 6c 24 08       \tmov    0x8(%rsp),%rbp\n"
    "/usr/include/v.h:1074\n"
    "inlined by /src/a b (c).cpp:32 (main)\n"
    "    11b6:\t90                   \tnop\n"
    "inlined by /src/a b (c).cpp:32 (main)\n"
    "    11b7:\t90                   \tnop\n"
    "main():\n"
    "/src/stl.cpp:33\n"
    "    11b8:\tc3                   \tret\n"
    "    11b9:\t90                   \tnop\n\n"
    "00000000000011c0 <f>:\n"
    "    11c0:\tc3                   \tret\n";

TEST(Places, are_those_of_the_outermost_call) {
    EXPECT_THAT(
        places(inlined_listing),
        ElementsAre("4528 /src/stl.cpp:31", "4529 /usr/include/v.h:1073 <- /src/a b (c).cpp:32 v::end()",
                    "4534 /usr/include/v.h:1074 <- /src/a b (c).cpp:32 v::end()",
                    "4535 /usr/include/v.h:1074 <- /src/a b (c).cpp:32 v::end()", "4536 /src/stl.cpp:33",
                    "4537 /src/stl.cpp:33", "4544 :0"))
        << "a function without lines does not have those of the one before";
    EXPECT_THAT(
        places(inlined_listing, {0x11b7, 0x11b9}),
        ElementsAre("4535 /usr/include/v.h:1074 <- /src/a b (c).cpp:32 v::end()", "4536 /src/stl.cpp:33"));
    EXPECT_THAT(read(inlined_listing, {0x11b7, 0x11b8}), ElementsAre("4535|90|nop|1"))
        << "the code is the same";
}

TEST(Places, of_any_other_text_are_none) {
    for (const char* const text :
         {"", "inlined by \n", "inlined by (:\n", ":1\n", "():\n", "a:\n", "x:99999999999999999999\n"})
        EXPECT_THAT(places(text), IsEmpty()) << text;
    EXPECT_THAT(places("inlined by a:x (f)\n 10:\t90\tnop\n"), ElementsAre("16 :0"));
}

TEST(Places, are_asked_for_with_names_as_the_linker_knows_them) {
    const auto words =
        command_line({.program = "objdump", .path = "x", .range = {1, 2}, .with_places = true});
    EXPECT_THAT(words, Contains("--inlines"));
    EXPECT_THAT(words, Not(Contains("--demangle")));
}

}  // namespace
