/// The files of completions/, as the build puts them into the command.
#pragma once

#include <string_view>

namespace callcost::program {

extern const std::string_view bash_completion, zsh_completion, fish_completion, powershell_completion;

}  // namespace callcost::program
