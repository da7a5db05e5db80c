/// Parses the output of GNU and LLVM objdump.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {

/// What is to be printed.
struct DisassemblyOrder {
    std::string program{};
    std::string path{};
    AddressRange range{};  ///< addresses of the file
    bool is_intel_syntax = false;
    bool with_places = false;  ///< with source lines and call sites of inlined code; names stay mangled
};
[[nodiscard]] std::vector<std::string> command_line(const DisassemblyOrder& order);

/// The instructions of the range among what was printed. Lines of other kinds are skipped.
[[nodiscard]] std::vector<engine::Instruction> read_disassembly(std::string_view text,
                                                                const AddressRange& range);

struct PlacedInstruction {
    std::uint64_t address = 0;
    std::uint32_t file = 0;                          ///< row of PlacedCode::files
    std::uint64_t line = 0;                          ///< 0: not known
    std::uint32_t site = engine::InlinedCode::none;  ///< row of PlacedCode::sites; none: not inlined
};
struct PlacedCode {
    std::vector<std::string> files;
    std::vector<engine::InliningPlace> sites;
    std::vector<PlacedInstruction> instructions;  ///< by address
};
/// What was printed with places. Of nested calls that were inlined, the outermost is the place.
[[nodiscard]] PlacedCode read_places(std::string_view text, const AddressRange& range);

}  // namespace callcost::program
