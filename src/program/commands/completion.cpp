#include "commands/completion.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "loading/preparation.hpp"
#include "terminal/output.hpp"

namespace callcost::program {
namespace {

int print_script(std::string_view shell) {
    OutputOptions options;
    options.pager = false;
    const auto console = open_console(options);
    Output output(console);
    output.text() = shell == "bash"   ? bash_completion
                    : shell == "zsh"  ? zsh_completion
                    : shell == "fish" ? fish_completion
                                      : powershell_completion;
    return status(output.finish() ? Exit::ok : Exit::error);
}

}  // namespace

Run completion_command(CommandLine& line) {
    line.describe("bash | zsh | fish | powershell",
                  "Print the completion script of a shell. Packages install those of bash, zsh and fish.");
    line.examples({{"completion bash", "print the script for bash"},
                   {"completion zsh", "for zsh"},
                   {"completion fish", "for fish"}});
    const auto words = std::make_shared<std::vector<std::string>>();
    line.subcommand("bash", "for ~/.local/share/bash-completion/completions/callcost", *words);
    line.subcommand("zsh", "for a file _callcost in a directory of $fpath", *words);
    line.subcommand("fish", "for ~/.config/fish/completions/callcost.fish", *words);
    line.subcommand("powershell",
                    "for $PROFILE: callcost completion powershell | Out-String | Invoke-Expression", *words);
    const auto shell = std::make_shared<std::string>();
    line.check([&line, words, shell] {
        if (!words->empty()) throw UsageError(fmt::format("unexpected argument '{}'", words->front()));
        *shell = line.chosen_subcommand();
    });
    return [shell] { return print_script(*shell); };
}

}  // namespace callcost::program
