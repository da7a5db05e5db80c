/// What Valgrind says of a process in its log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callcost::program {

struct ValgrindLog {
    std::string version;                              ///< "3.19.0"; empty: it did not get so far
    std::string command;                              ///< as Valgrind writes it
    std::uint64_t parent = 0;                         ///< the process that started it; 0: unknown
    std::optional<std::uint64_t> cost;                ///< of the first event type
    std::string event;                                ///< its name, "Ir"
    std::string unknown_instruction;                  ///< its bytes, "0x62 0xF1 ..."; empty: there was none
    std::vector<std::uint64_t> unknown_system_calls;  ///< by number, each once
    bool cannot_write = false;                        ///< the file for the profile
    bool has_crashed = false;                         ///< Valgrind itself
    std::string messages;                             ///< all lines but those with which every log begins
};

[[nodiscard]] ValgrindLog understand_log(std::string_view text);

}  // namespace callcost::program
