#include <cstdio>
#include <new>
#include <span>

#include <fmt/format.h>

#include "cli/options.hpp"
#include "cli/preparation.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "commands/commands.hpp"
#include <callcost/callcost.hpp>

namespace {

using namespace callcost;  // NOLINT(google-build-using-namespace): the program is this library's

int report_usage(const cli::UsageError& error) {
    cli::open_console({}).say(Severity::error, error.message, error.hint);
    return status(cli::Exit::usage);
}

int print(std::string_view text) {
    const bool is_written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    return status(is_written ? cli::Exit::ok : cli::Exit::error);
}

int run(const cli::Options& options) {
    cli::restore_line_on_interrupt();
    const auto console = cli::open_console(options);
    switch (options.command) {
        case cli::Command::help:
            return print(options.help_text);
        case cli::Command::version:
            return print(fmt::format("callcost {}\n", version()));
        case cli::Command::info:
            return cli::run_info(options, console);
        case cli::Command::top:
            return cli::run_top(options, console);
        case cli::Command::annotate:
            return cli::run_annotate(options, console);
    }
    return status(cli::Exit::usage);
}

/// With what is there already: no memory may be left.
int report_no_memory() {
    std::fputs("callcost: error: out of memory\n", stderr);
    return status(cli::Exit::error);
}

}  // namespace

int main(int count, char** arguments) {
    try {
        const auto options = cli::parse_command_line(
            std::span<const char* const>(arguments, static_cast<std::size_t>(count)).subspan(1));
        return options ? run(*options) : report_usage(options.error());
    } catch (const std::bad_alloc&) {
        return report_no_memory();
    }
}
