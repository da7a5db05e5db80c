/// Programs that a test compiles, and profiles of them as Callgrind would write them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sources/program.hpp"
#include "unit/program/input/temporary_directory.hpp"
#include <callcost/read.hpp>
#include <callcost/source.hpp>

namespace callcost::test {

struct Frame {
    std::string function, file;
    std::uint64_t line = 0;
};
/// The innermost first.
using Frames = std::vector<Frame>;

inline std::string output_of(const std::vector<std::string>& words, int input = -1) {
    const auto output = program::run_program(words, {.max_time = std::chrono::minutes(5), .input = input});
    EXPECT_TRUE(output && !output->has_failed && !output->was_stopped)
        << words.front() << ": " << (output ? output->errors : std::string());
    return output ? output->text : std::string();
}

inline bool is_installed(const std::string& name) {
    return program::run_program({name, "--version"}, {}).has_value();
}

/// Compiles `source` as `name` and returns the program's path.
inline std::string compile(const TemporaryDirectory& directory, const std::string& name,
                           const std::string& source, const std::vector<std::string>& options) {
    std::vector<std::string> words = options;
    words.insert(words.end(), {source, "-o", directory.path(name), "-Wl,--build-id=sha1"});
    output_of(words);
    return directory.path(name);
}

/// What addr2line says about every n-th instruction of a program. It does not understand all that clang
/// writes, and LLVM's demangler has words of its own.
inline std::map<std::uint64_t, Frames> frames_of(const TemporaryDirectory& directory, const std::string& path,
                                                 std::size_t n = 1, bool is_clang = false) {
    std::istringstream listing(output_of({"objdump", "-d", "--no-show-raw-insn", "-j", ".text", path}));
    std::string addresses;
    std::size_t count = 0;
    for (std::string line; std::getline(listing, line);)
        if (line.starts_with(" ") && line.find(":\t") != std::string::npos && count++ % n == 0)
            addresses +=
                "0x" +
                line.substr(line.find_first_not_of(' '), line.find(':') - line.find_first_not_of(' ')) + '\n';
    const auto file = directory.write("addresses", addresses);
    std::istringstream answers(output_of(
        {"sh", "-c",
         is_clang ? R"(llvm-symbolizer-14 --output-style=GNU --no-demangle -e "$1" -a -f -i <"$2" | c++filt)"
                  : R"(addr2line -e "$1" -a -f -i -C <"$2")",
         "sh", path, file}));
    std::map<std::uint64_t, Frames> frames;
    Frames* current = nullptr;
    for (std::string line; std::getline(answers, line);) {
        if (line.starts_with("0x")) {
            current = &frames[std::stoull(line, nullptr, 16)];
            continue;
        }
        Frame frame{line, {}, 0};
        std::getline(answers, line);
        line = line.substr(0, line.find(" (disc"));
        const auto colon = line.rfind(':');
        frame.file = line.substr(0, colon);
        if (line.substr(colon + 1) != "?") frame.line = std::stoull(line.substr(colon + 1));
        current->push_back(frame);
    }
    return frames;
}

/// A profile of the program at `object` with a cost of 1 at each address.
inline Profile profile_of(const std::map<std::uint64_t, Frames>& frames, const std::string& object,
                          std::string_view header = {}) {
    std::ostringstream text;
    text << "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\n"
         << header << "positions: instr line\nevents: Ir\nob=" << object << '\n';
    std::map<std::string, std::vector<std::uint64_t>> functions;
    for (const auto& [address, stack] : frames) functions[stack.back().function].push_back(address);
    for (const auto& [name, addresses] : functions) {
        text << "fl=" << frames.at(addresses.front()).back().file << "\nfn=" << name << '\n';
        for (const auto address : addresses) {
            const auto& innermost = frames.at(address).front();
            text << "fi=" << innermost.file << "\n0x" << std::hex << address << std::dec << ' '
                 << innermost.line << " 1\n";
        }
    }
    auto profile = read_profile(from_memory(text.str()));
    EXPECT_TRUE(profile.has_value());
    return *std::move(profile);
}

}  // namespace callcost::test
