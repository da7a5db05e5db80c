#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "callgrind_annotate/valgrind_annotate.hpp"
#include "commands/build_id.hpp"
#include "commands/commands.hpp"
#include "inlining/inline_worker.hpp"
#include "loading/preparation.hpp"
#include "options/valgrind_options.hpp"
#include "text/names.hpp"
#include "text/suggest.hpp"
#include <callcost/callcost.hpp>

namespace callcost::program {
namespace {

using Words = std::span<const char* const>;

Run printing(std::string text) {
    return [text = std::move(text)] {
        const bool is_written =
            std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
        if (is_written) return status(Exit::ok);
        const int problem = errno;
        open_console({}).say(Severity::error, fmt::format("write error: {}", std::strerror(problem)));
        return status(Exit::error);
    };
}

std::string general_help() {
    const engine::Style style{.width = terminal_width()};
    const auto paragraph = [&](std::string_view text) { return engine::wrapped(text, 0, style, 0) + "\n"; };
    std::vector<std::pair<std::string, std::string>> commands;
    for (const Command& command : command_table()) commands.emplace_back(command.name, command.summary);
    return paragraph(
               "callcost reads profiles of Callgrind, Cachegrind, Xdebug and other tools that write the "
               "Callgrind format, and those of perf, pprof, Python, Node.js, Ruby, Chrome and others "
               "('callcost info --formats').") +
           "\nusage: callcost [COMMAND] [OPTION...] [FILE...]\n" +
           help_section("Commands", commands, style.width) + '\n' +
           paragraph(
               "FILE defaults to the newest callgrind.out.*, cprofile.out.* or other profile that 'record' "
               "writes in the current directory, and may be another directory; '-' is standard input. Files "
               "may be compressed; several are added up.") +
           paragraph(
               "'callcost COMMAND --help' has examples and the common options of a command, 'callcost "
               "COMMAND --help --all' all of them.") +
           help_section("Examples",
                        {{"callcost record ./program", "run it under Callgrind"},
                         {"callcost callgrind.out.4711", "most expensive functions"},
                         {"callcost view callgrind.out.4711", "in the browser"}},
                        style.width) +
           '\n' + paragraph("Exit status: 0 success, 1 failure, 2 usage error; more of 'diff' and 'record'.");
}

/// With what tells this very binary from others: what a debugger finds its symbols by.
std::string version_text() {
    const auto id = build_id();
    return fmt::format("callcost {}{}\n", version(), id.empty() ? id : fmt::format(" (build {})", id));
}

const Command* command_named(std::string_view name) {
    const auto all = command_table();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Command& command) { return command.name == name; });
    return found == all.end() ? nullptr : &*found;
}

bool is_file(std::string_view word) {
    std::error_code ignored;
    return std::filesystem::exists(word, ignored);
}

bool has_option(const Command& command, const std::string& option) {
    try {
        CommandLine line{std::string(command.name)};
        const auto unused = command.options(line);
        return line.has(option);
    } catch (const UsageError&) {  // a command that is not in the npm package
        return false;
    }
}

/// The commands that have it.
std::vector<std::string_view> commands_with(const std::string& option) {
    std::vector<std::string_view> names;
    for (const Command& command : command_table())
        if (has_option(command, option)) names.push_back(command.name);
    return names;
}

void parse(CommandLine& line, Words words) {
    try {
        line.parse(words);
    } catch (UnknownOption& error) {
        constexpr std::size_t max_names = 6;
        auto others = commands_with(error.option());
        const bool has_more = others.size() > max_names;
        if (has_more) others.resize(max_names - 1);
        if (!others.empty())
            error.set_hint(fmt::format(
                "it is an option of {}{}; 'callcost {} --help --all' lists those of {}",
                fmt::join(others, ", "), has_more ? " and others" : "", line.name(), line.name()));
        throw;
    }
}

Run run_of(const Command& command, CommandLine& line, Words words) {
    auto run = command.options(line);
    const auto is_help = [](std::string_view word) { return word == "--help" || word == "-h"; };
    const auto own = line.own_words(words);
    const auto is_all = [](std::string_view word) { return word == "--all"; };
    if (std::any_of(own.begin(), own.end(), is_help))
        return printing(line.help(terminal_width(), std::any_of(own.begin(), own.end(), is_all)));
    parse(line, words);
    return run;
}

Run run_of(const Command& command, Words words) {
    CommandLine line{std::string(command.name)};
    return run_of(command, line, words);
}

Run valgrind_annotate(Words words) {
    auto line = read_valgrind_command_line(words);
    if (!line.answer.empty()) return printing(std::move(line.answer));
    return
        [line = std::move(line)] { return run_valgrind_annotate(line.options, open_console(line.output)); };
}

/// What others call a command of ours; empty if nobody does.
std::string_view command_meant_by(std::string_view word) {
    using Word = std::pair<std::string_view, std::string_view>;
    constexpr std::array words = {
        Word{"callers", "peek"},    Word{"callees", "peek"}, Word{"compare", "diff"},
        Word{"export", "convert"},  Word{"open", "view"},    Word{"web", "view"},
        Word{"flamegraph", "view"}, Word{"html", "report"},
    };
    const auto found =
        std::find_if(words.begin(), words.end(), [&](const auto& pair) { return pair.first == word; });
    return found == words.end() ? std::string_view() : found->second;
}

/// Commands of earlier releases, and what has taken their place.
void refuse_former_command(std::string_view word) {
    using Word = std::pair<std::string_view, std::string_view>;
    constexpr std::array words = {
        Word{"events", "callcost info --events"},
        Word{"parts", "callcost info --parts"},
        Word{"trend", "callcost history show"},
        Word{"baseline", "callcost convert --without-lines' and 'callcost diff"},
    };
    const auto found =
        std::find_if(words.begin(), words.end(), [&](const auto& pair) { return pair.first == word; });
    std::error_code ignored;
    if (found == words.end() || std::filesystem::is_regular_file(word, ignored)) return;
    throw UsageError(fmt::format("'callcost {}' is no longer a command", word),
                     fmt::format("use '{}'", found->second));
}

/// A lone word that is no file but nearly a command.
void refuse_mistyped_command(std::string_view word) {
    refuse_former_command(word);
    if (word.starts_with('-') || word.find_first_of("/.") != std::string_view::npos || is_file(word)) return;
    if (const auto meant = command_meant_by(word); !meant.empty())
        throw UsageError(fmt::format("unknown command or file '{}'", word),
                         fmt::format("did you mean '{}'?", meant));
    std::vector<std::string_view> names = {"help"};
    for (const Command& command : command_table()) names.push_back(command.name);
    auto hint = engine::did_you_mean(word, names);
    const bool is_a_word = std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (hint.empty() && is_a_word) hint = "'callcost --help' lists the commands";
    if (!hint.empty()) throw UsageError(fmt::format("unknown command or file '{}'", word), hint);
}

Run help_on(Words words) {
    const std::string_view name = words.empty() ? "help" : words.front();
    if (name == "help" || name == "--help" || name == "-h") return printing(general_help());
    constexpr std::array help_option = {"--help", "--all"};
    const bool is_all = words.size() > 1 && std::string_view(words[1]) == help_option[1];
    if (const auto* command = command_named(name))
        return run_of(*command, std::span(help_option).first(is_all ? 2 : 1));
    refuse_mistyped_command(name);
    throw UsageError(fmt::format("unknown command '{}'", name));
}

/// Without a command, unless there is one in the wrong place.
Run top_of(Words words) {
    const auto misplaced = [](const auto& all) {
        const auto found = std::find_if(all.begin(), all.end(), [](std::string_view word) {
            return command_named(word) != nullptr && !is_file(word);
        });
        return found == all.end() ? std::string() : std::string(*found);
    };
    CommandLine line("top");
    Run run;
    try {
        run = run_of(*command_named("top"), line, words);
    } catch (const UsageError& error) {  // such as an option that the command has, and `top` does not
        const auto command = misplaced(words);
        if (command.empty()) throw;
        throw UsageError(error.what(),
                         fmt::format("the command must come first: 'callcost {} ...'", command));
    }
    if (const auto command = misplaced(line.given_words()); !command.empty())
        throw UsageError("the command must come first", fmt::format("'callcost {} ...'", command));
    return run;
}

}  // namespace

Run resolve(std::string_view program, Words words) {
    if (is_called_callgrind_annotate(program)) return valgrind_annotate(words);
    const std::string_view first = words.empty() ? "" : words.front();
    if (first == "--help" || first == "-h") return help_on({});
    if (first == "help") return help_on(words.subspan(1));
    if (first == inline_worker_word) return run_inline_worker;  // our own doing, no command
    if (first == "--version" || first == "-V") return printing(version_text());
    if (const auto* command = command_named(first)) {
        const auto rest = words.subspan(1);
        if (first == "annotate" && has_valgrind_style(rest)) return valgrind_annotate(rest);
        return run_of(*command, rest);
    }
    if (!first.empty()) refuse_mistyped_command(first);
    return top_of(words);
}

}  // namespace callcost::program
