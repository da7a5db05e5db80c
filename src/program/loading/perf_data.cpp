#include "loading/perf_data.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "input/byte_queue.hpp"
#include "input/sets.hpp"
#include "sources/program.hpp"
#include "text/shell.hpp"

namespace callcost::program {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view mark_of_little_endian = "PERFILE2", mark_of_big_endian = "2ELIFREP";

std::string shown_problem(std::string_view errors) {
    for (const std::string_view title : {"Error:\n", "WARNING: "})
        if (errors.starts_with(title)) errors.remove_prefix(title.size());
    const std::string_view line = errors.substr(0, errors.find('\n'));
    return "perf script: " + std::string(line.empty() ? "it failed" : line);
}

Error refusal(std::string reason, std::string advice) {
    return {.code = ErrorCode::cannot_open, .detail = std::move(reason), .advice = std::move(advice)};
}

/// A number of the header, which is in the byte order of the processor that recorded.
std::uint64_t header_word(std::string_view first_bytes, std::size_t at) {
    const bool is_big_endian = first_bytes.starts_with(mark_of_big_endian);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < sizeof word; ++i) {
        const auto byte = static_cast<unsigned char>(first_bytes[at + (is_big_endian ? i : 7 - i)]);
        word = word << 8U | byte;
    }
    return word;
}

constexpr std::string_view no_servers = "DEBUGINFOD_URLS=";  // only --debuginfod asks them

Error refusal_of_perf(std::string_view errors, const std::string& file, std::string_view first_bytes) {
    if (errors.find("not owned by current user") != std::string_view::npos)
        return refusal(shown_problem(errors),
                       "perf reads files of yours and of root only; a copy of a file is yours");
    if (errors.find("WARNING: perf not found for kernel") != std::string_view::npos)
        return refusal("perf is not installed for this kernel",
                       "install its package, such as linux-tools-$(uname -r)");
    std::error_code failed;
    const std::uint64_t size = std::filesystem::file_size(file, failed);
    auto damage = failed ? std::nullopt : damage_of_perf_data(first_bytes, size);
    return damage ? *std::move(damage) : refusal(shown_problem(errors), {});
}

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
    return first_bytes.starts_with(mark_of_little_endian) || first_bytes.starts_with(mark_of_big_endian);
}

Error refusal_of_compressed_perf_data(const std::string& file) {
    constexpr std::array<std::array<std::string_view, 2>, 4> programs = {
        {{".gz", "gzip"}, {".bz2", "bzip2"}, {".xz", "xz"}, {".zst", "zstd"}}};
    Error error = refusal("it is a compressed perf.data file, and perf reads only unpacked ones", {});
    const std::string_view suffix = compression_suffix(file);
    for (const auto& [of, program] : programs) {
        if (of != suffix) continue;
        const std::string name = engine::quoted({file.substr(0, file.size() - suffix.size())});
        error.advice = program;
        error.advice.append(" -dc < ").append(engine::quoted({file})).append(" > ").append(name);
        error.advice.append(", then callcost ").append(name);
    }
    return error;
}

std::optional<Error> damage_of_perf_data(std::string_view first_bytes, std::uint64_t file_size) {
    constexpr std::size_t size_at = 8, data_at = 40, data_size_at = 48, header_size = 104;
    const auto cut = [file_size](std::uint64_t wanted) {
        return refusal("it is a perf.data file that was cut: it has " + std::to_string(file_size) +
                           " bytes of at least " + std::to_string(wanted),
                       "copy it again, or record again");
    };
    if (!is_perf_data(first_bytes)) return std::nullopt;
    if (first_bytes.size() < size_at + sizeof(std::uint64_t)) return cut(header_size);
    if (header_word(first_bytes, size_at) < header_size) return std::nullopt;  // written to a pipe
    if (first_bytes.size() < header_size) return cut(header_size);
    const std::uint64_t data = header_word(first_bytes, data_at);
    const std::uint64_t data_size = header_word(first_bytes, data_size_at);
    if (data > UINT64_MAX - data_size) return std::nullopt;
    if (file_size < data + data_size) return cut(data + data_size);
    if (data_size != 0) return std::nullopt;
    return refusal("it is a perf.data file without the size of its data: perf was killed while it recorded",
                   "record again, and end perf with Ctrl-C");
}

std::optional<Result<Source>> perf_script_of(const std::string& file, std::string_view first_bytes) {
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
    if (output->has_failed) return tl::unexpected(refusal_of_perf(output->errors, file, first_bytes));
    ByteQueue text;
    if (auto done = text.sink()(output->text); !done) return tl::unexpected(done.error());
    return text.source(file);
}

}  // namespace callcost::program
