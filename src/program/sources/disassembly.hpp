/// Parses the output of GNU and LLVM objdump.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "session/host.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {

/// How many bytes it takes; 0 if they are not known.
[[nodiscard]] std::uint64_t size_of(const engine::Instruction& instruction);

/// What is to be printed.
struct DisassemblyOrder {
    std::string program;
    std::string path;
    AddressRange range;  ///< addresses of the file
    bool is_intel_syntax = false;
};
[[nodiscard]] std::vector<std::string> command_line(const DisassemblyOrder& order);

/// The instructions of the range among what was printed. Lines of other kinds are skipped.
[[nodiscard]] std::vector<engine::Instruction> read_disassembly(std::string_view text,
                                                                const AddressRange& range);

}  // namespace callcost::program
