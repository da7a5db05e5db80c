#include "terminal/terminal.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "text/diagnostics.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t default_width = 80;

/// Columns and rows of a terminal, as far as it tells.
winsize size_of(int descriptor) {
    winsize size{};
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) size = {};
    return size;
}

std::optional<std::size_t> columns_variable() {
    const auto text = environment("COLUMNS");
    if (!text) return std::nullopt;
    std::size_t columns = 0;
    const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), columns);
    const bool is_number = problem == std::errc() && end == text->data() + text->size();
    return is_number && columns > 0 ? std::optional(columns) : std::nullopt;
}

std::size_t width_of(const winsize& size) {
    const std::size_t reported = size.ws_col > 0 ? size.ws_col : default_width;
    return columns_variable().value_or(reported);
}

/// The pager that the environment names, if it is not `less`.
std::optional<std::string> other_pager(const OutputOptions& options) {
    if (!options.pager) return std::nullopt;
    for (const char* variable : {"CALLCOST_PAGER", "PAGER"}) {
        const auto command = environment(variable);
        if (!command || command->empty()) continue;
        const auto program = command->substr(0, command->find(' '));
        const auto name = program.substr(program.find_last_of('/') + 1);
        return name == "less" || name == "cat" ? std::nullopt : command;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> environment(const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes the environment
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

namespace {

using Milliseconds = std::chrono::sys_time<std::chrono::milliseconds>;

Milliseconds clock_time() {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}
std::string day_text(Milliseconds time) {
    const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(time));
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace

std::string utc_day() { return day_text(clock_time()); }

std::string utc_time() {
    auto now = clock_time();
    if (const auto epoch = environment("SOURCE_DATE_EPOCH")) {
        std::int64_t count = 0;
        const auto [end, problem] = std::from_chars(epoch->data(), epoch->data() + epoch->size(), count);
        constexpr std::int64_t last = 253'402'300'799;  // of the year 9999
        if (problem == std::errc() && end == epoch->data() + epoch->size() && count >= 0 && count <= last)
            now = std::chrono::sys_seconds(std::chrono::seconds(count));
    }
    const std::chrono::hh_mm_ss time(now - std::chrono::floor<std::chrono::days>(now));
    return fmt::format("{}T{:02}:{:02}:{:02}.{:03}Z", day_text(now), time.hours().count(),
                       time.minutes().count(), time.seconds().count(), time.subseconds().count());
}

bool wants_color(When option, const ColorVariables& variables, bool is_terminal) {
    if (option != When::automatic) return option == When::always;
    if (variables.no_color && !variables.no_color->empty()) return false;
    if (variables.clicolor_force && !variables.clicolor_force->empty() && *variables.clicolor_force != "0")
        return true;
    if (variables.clicolor == "0" || variables.term == "dumb") return false;
    return is_terminal;
}

bool is_utf8_locale(const std::optional<std::string>& lc_all, const std::optional<std::string>& lc_ctype,
                    const std::optional<std::string>& lang) {
    for (const auto* variable : {&lc_all, &lc_ctype, &lang}) {
        if (!*variable || (*variable)->empty()) continue;
        for (const char* name : {"UTF-8", "utf8", "UTF8", "utf-8"}) {
            if ((*variable)->find(name) != std::string::npos) return true;
        }
        return false;
    }
    return false;
}

bool wants_links(When option, const LinkVariables& variables, bool is_terminal) {
    if (option != When::automatic) return option == When::always;
    const auto& term = variables.term;
    return is_terminal && term && !term->empty() && *term != "dumb" && *term != "linux" && !variables.pager;
}

Links::Links(bool are_wanted) : are_wanted_(are_wanted) {
    std::array<char, 256> host{};
    if (are_wanted && gethostname(host.data(), host.size() - 1) == 0) host_ = host.data();
}

std::string Links::url_of(const std::string& path, std::uint64_t line) const {
    if (!are_wanted_ || path.empty()) return {};
    std::error_code problem;
    const auto absolute = std::filesystem::absolute(path, problem);
    if (problem || !std::filesystem::exists(absolute, problem)) return {};
    auto url = engine::file_url(host_, absolute.lexically_normal().string());
    if (line != 0) url += "#" + std::to_string(line);
    return url;
}

void Console::say(Severity severity, std::string_view text, std::string_view hint) const {
    if (quiet && severity != Severity::error) return;
    std::string message;
    engine::write_message(message, severity, text, hint, err);
    print_error(message);
}

void Console::print_error(std::string_view text) const { std::fwrite(text.data(), 1, text.size(), stderr); }

Console open_console(const OutputOptions& options) {
    Console console;
    console.out_is_terminal = isatty(STDOUT_FILENO) == 1;
    console.err_is_terminal = isatty(STDERR_FILENO) == 1;
    console.quiet = options.quiet;
    console.progress = options.progress;
    console.may_page = console.out_is_terminal && options.pager && options.is_text();
    const ColorVariables colors = {environment("NO_COLOR"), environment("CLICOLOR_FORCE"),
                                   environment("CLICOLOR"), environment("TERM")};
    const bool utf8 = is_utf8_locale(environment("LC_ALL"), environment("LC_CTYPE"), environment("LANG"));

    console.out.color = options.is_text() && wants_color(options.color, colors, console.out_is_terminal);
    console.out.shares = options.percentages;
    console.out.units = !options.raw;
    if (console.out_is_terminal) {
        const auto size = size_of(STDOUT_FILENO);
        console.rows = size.ws_row;
        console.out.unicode = utf8;
        if (!options.raw) {
            console.out.separators = true;
            console.out.width = width_of(size);
        }
    }
    // Whoever wants no colors wants no escape sequences.
    console.out.links =
        options.is_text() && wants_links(options.hyperlink, {environment("TERM"), other_pager(options)},
                                         console.out_is_terminal && console.out.color);
    console.err.units = !options.raw;
    console.err.color = wants_color(options.color, colors, console.err_is_terminal);
    if (console.err_is_terminal) {
        console.err.unicode = utf8;
        console.err.separators = true;
        console.err.width = width_of(size_of(STDERR_FILENO));
    }
    return console;
}

std::size_t terminal_width() { return width_of(size_of(STDOUT_FILENO)); }

void say_out_of_memory() { std::fputs("callcost: error: out of memory\n", stderr); }

}  // namespace callcost::program
