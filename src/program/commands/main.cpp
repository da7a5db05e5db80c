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

int report_usage(const program::UsageError& error) {
    program::open_console({}).say(Severity::error, error.message, error.hint);
    return status(program::Exit::usage);
}

int print(std::string_view text) {
    const bool is_written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    return status(is_written ? program::Exit::ok : program::Exit::error);
}

/// With what tells this very binary from others: what a debugger finds its symbols by.
std::string version_text() {
    const auto id = program::build_id();
    return fmt::format("callcost {}{}\n", version(), id.empty() ? id : fmt::format(" (build {})", id));
}

int run(const program::Options& options) {
    program::restore_line_on_interrupt();
    const auto console = program::open_console(options);
    switch (options.command) {
        case program::Command::help:
            return print(options.help_text);
        case program::Command::version:
            return print(version_text());
        case program::Command::info:
            return program::run_info(options, console);
        case program::Command::top:
            return program::run_top(options, console);
        case program::Command::annotate:
            return options.valgrind ? program::run_valgrind_annotate(options, console)
                                    : program::run_annotate(options, console);
        case program::Command::assembly:
            return program::run_asm(options, console);
        case program::Command::peek:
            return program::run_peek(options, console);
        case program::Command::tree:
            return program::run_tree(options, console);
        case program::Command::lines:
            return program::run_lines(options, console);
        case program::Command::parts:
            return program::run_parts(options, console);
        case program::Command::events:
            return program::run_events(options, console);
        case program::Command::check:
            return program::run_check(options, console);
        case program::Command::diff:
            return program::run_diff(options, console);
        case program::Command::baseline:
            return program::run_baseline(options, console);
        case program::Command::trend:
            return program::run_trend(options, console);
        case program::Command::convert:
            return program::run_convert(options, console);
        case program::Command::merge:
            return program::run_merge(options, console);
        case program::Command::split:
            return program::run_split(options, console);
        case program::Command::filter:
            return program::run_filter(options, console);
        case program::Command::view:
            return program::run_view(options, console);
        case program::Command::report:
            return program::run_report(options, console);
    }
    return status(program::Exit::usage);
}

}  // namespace

int main(int count, char** arguments) {
    try {
        const std::span<const char* const> words(arguments, static_cast<std::size_t>(count));
        const auto options =
            !words.empty() && program::is_called_callgrind_annotate(words.front())
                ? program::parse_valgrind_command_line(words.subspan(1))
                : program::parse_command_line(words.subspan(std::min<std::size_t>(1, words.size())));
        return options ? run(*options) : report_usage(options.error());
    } catch (const std::bad_alloc&) {
        program::say_out_of_memory();
        return status(program::Exit::error);
    }
}
