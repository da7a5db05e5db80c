#include <algorithm>
#include <cstdio>
#include <new>
#include <span>
#include <string>

#include <fmt/format.h>

#include "callgrind_annotate/valgrind_annotate.hpp"
#include "commands/baseline.hpp"
#include "commands/build_id.hpp"
#include "commands/commands.hpp"
#include "commands/diff.hpp"
#include "commands/facts_commands.hpp"
#include "commands/page_commands.hpp"
#include "commands/transform.hpp"
#include "loading/preparation.hpp"
#include "options/options.hpp"
#include "terminal/progress.hpp"
#include "terminal/terminal.hpp"
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

/// With what tells this very binary from others: what a debugger finds its symbols by.
std::string version_text() {
    const auto id = cli::build_id();
    return fmt::format("callcost {}{}\n", version(), id.empty() ? id : fmt::format(" (build {})", id));
}

int run(const cli::Options& options) {
    cli::restore_line_on_interrupt();
    const auto console = cli::open_console(options);
    switch (options.command) {
        case cli::Command::help:
            return print(options.help_text);
        case cli::Command::version:
            return print(version_text());
        case cli::Command::info:
            return cli::run_info(options, console);
        case cli::Command::top:
            return cli::run_top(options, console);
        case cli::Command::annotate:
            return options.valgrind ? cli::run_valgrind_annotate(options, console)
                                    : cli::run_annotate(options, console);
        case cli::Command::assembly:
            return cli::run_asm(options, console);
        case cli::Command::peek:
            return cli::run_peek(options, console);
        case cli::Command::tree:
            return cli::run_tree(options, console);
        case cli::Command::lines:
            return cli::run_lines(options, console);
        case cli::Command::parts:
            return cli::run_parts(options, console);
        case cli::Command::events:
            return cli::run_events(options, console);
        case cli::Command::check:
            return cli::run_check(options, console);
        case cli::Command::diff:
            return cli::run_diff(options, console);
        case cli::Command::baseline:
            return cli::run_baseline(options, console);
        case cli::Command::trend:
            return cli::run_trend(options, console);
        case cli::Command::convert:
            return cli::run_convert(options, console);
        case cli::Command::merge:
            return cli::run_merge(options, console);
        case cli::Command::split:
            return cli::run_split(options, console);
        case cli::Command::filter:
            return cli::run_filter(options, console);
        case cli::Command::view:
            return cli::run_view(options, console);
        case cli::Command::report:
            return cli::run_report(options, console);
    }
    return status(cli::Exit::usage);
}

}  // namespace

int main(int count, char** arguments) {
    try {
        const std::span<const char* const> words(arguments, static_cast<std::size_t>(count));
        const auto options =
            !words.empty() && cli::is_called_callgrind_annotate(words.front())
                ? cli::parse_valgrind_command_line(words.subspan(1))
                : cli::parse_command_line(words.subspan(std::min<std::size_t>(1, words.size())));
        return options ? run(*options) : report_usage(options.error());
    } catch (const std::bad_alloc&) {
        cli::say_out_of_memory();
        return status(cli::Exit::error);
    }
}
