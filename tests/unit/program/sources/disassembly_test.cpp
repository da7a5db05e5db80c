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
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr AddressRange everything{0, UINT64_MAX};

std::vector<std::string> read(std::string_view text, const AddressRange& range = everything) {
    std::vector<std::string> lines;
    for (const Instruction& instruction : read_disassembly(text, range))
        lines.push_back(std::to_string(instruction.address) + "|" + instruction.bytes + "|" +
                        instruction.text + "|" + std::to_string(callcost::program::size_of(instruction)));
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

}  // namespace
