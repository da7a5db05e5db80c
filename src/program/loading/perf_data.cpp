#include "loading/perf_data.hpp"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/byte_queue.hpp"
#include "sources/program.hpp"

namespace callcost::program {
namespace {

using namespace std::chrono_literals;

std::string shown_problem(std::string_view errors) {
    for (const std::string_view title : {"Error:\n", "WARNING: "})
        if (errors.starts_with(title)) errors.remove_prefix(title.size());
    const std::string_view line = errors.substr(0, errors.find('\n'));
    return "perf script: " + std::string(line.empty() ? "it failed" : line);
}

Error refusal(std::string reason, std::string advice) {
    return {.code = ErrorCode::cannot_open, .detail = std::move(reason), .advice = std::move(advice)};
}

Error refusal_of_perf(std::string_view errors) {
    if (errors.find("not owned by current user") != std::string_view::npos)
        return refusal(shown_problem(errors),
                       "perf reads files of yours and of root only; a copy of a file is yours");
    if (errors.find("WARNING: perf not found for kernel") != std::string_view::npos)
        return refusal("perf is not installed for this kernel",
                       "install its package, such as linux-tools-$(uname -r)");
    return refusal(shown_problem(errors), {});
}

constexpr std::string_view no_servers = "DEBUGINFOD_URLS=";  // only --debuginfod asks them

/// Before version 5.15, perf gives the names of programs in the file to a shell, to ask addr2line for lines.
bool reads_lines_safely() {
    const auto version = run_program({"perf", "--version"}, {.variables = {std::string(no_servers)}});
    constexpr std::string_view title = "perf version ";
    if (!version || !version->text.starts_with(title)) return false;
    const std::string_view number = std::string_view(version->text).substr(title.size());
    int major = 0, minor = 0;
    const auto* const end = number.data() + number.size();
    const auto [dot, problem] = std::from_chars(number.data(), end, major);
    if (problem != std::errc() || dot == end || *dot != '.') return false;
    if (std::from_chars(dot + 1, end, minor).ec != std::errc()) return false;
    return major > 5 || (major == 5 && minor >= 15);
}

}  // namespace

bool is_perf_data(std::string_view first_bytes) {
    return first_bytes.starts_with("PERFILE2") || first_bytes.starts_with("2ELIFREP");
}

std::optional<Result<Source>> perf_script_of(const std::string& file) {
    // Fields that are named must be in the file: the default ones are those that are.
    std::vector<std::string> words = {"perf", "script", "--header", "--input=" + file};
    words.emplace_back(reads_lines_safely() ? "--fields=+srcline" : "--no-inline");
    const auto output =
        run_program(words, {.max_bytes = std::size_t{1} << 30U,
                            .max_time = 10min,
                            .variables = {std::string(no_servers)},
                            // perf asks programs for lines that end at once where they know none.
                            .survives_broken_pipes = true});
    if (!output && output.error() == ENOSYS) return std::nullopt;
    if (!output && output.error() == ENOENT)
        return tl::unexpected(
            refusal("it is a perf.data file, and perf is not installed, or not in PATH",
                    "its package is called linux-perf ('apt install linux-perf' on Debian)"));
    if (!output) return tl::unexpected(refusal("perf: " + std::string(std::strerror(output.error())), {}));
    if (output->was_stopped)
        return tl::unexpected(Error{.code = ErrorCode::too_large,
                                    .detail = "perf script prints more than 1 GB, or takes over 10 minutes",
                                    .advice = "perf script --no-inline -i FILE > FILE.txt"});
    if (output->has_failed) return tl::unexpected(refusal_of_perf(output->errors));
    ByteQueue text;
    if (auto done = text.sink()(output->text); !done) return tl::unexpected(done.error());
    return text.source(file);
}

}  // namespace callcost::program
