/// Code that was inlined into a function from other files, by the lines of its own file it was inlined at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/host.hpp"
#include "session/code_answers.hpp"

namespace callcost::engine {

/// A line of another file, as far as it was inlined at one place.
struct InlinedLine {
    std::uint64_t at = 0;  ///< the line that it was inlined at; 0: not known
    FileId file;
    std::uint64_t line = 0;
    std::string function;    ///< it is of; empty: not known
    std::vector<Cost> self;  ///< by column
    CalledFunctions calls;
};

struct InlinedLines {
    std::vector<InlinedLine> lines;  ///< by the line they were inlined at, most expensive first
    std::vector<Cost> self;          ///< of all of them
    std::string problem, hint;       ///< why no place is known
};

/// All cost of the function that is not on lines of its own file.
[[nodiscard]] InlinedLines inlined_lines(const Side& side, FunctionAt function, const Host& host);

}  // namespace callcost::engine
