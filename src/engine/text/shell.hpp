/// Command lines in messages, to be copied into a shell.
#pragma once

#include <string>
#include <vector>

namespace callcost::engine {

/// Words as a shell reads them: in single quotes where they are not plain.
[[nodiscard]] std::string quoted(const std::vector<std::string>& words);

/// A command in a sentence: `'callcost info a.out'`; without these quotes if a word has its own.
[[nodiscard]] std::string quoted_command(const std::vector<std::string>& words);

}  // namespace callcost::engine
