/// What is written to files, and how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "options/command_line.hpp"

namespace callcost::program {

/// What `convert` and the other commands that write files write.
enum class FileFormat : std::uint8_t {
    portable,
    compact,
    strict,
    cachegrind,
    pprof,
    speedscope,
    folded,
    dot,
    svg,
    json,
    csv,
    tsv,
    firefox
};

[[nodiscard]] constexpr bool is_made_of_stacks(FileFormat format) {
    return format == FileFormat::pprof || format == FileFormat::speedscope || format == FileFormat::folded ||
           format == FileFormat::firefox;
}

/// By the name of a file, with or without the suffix of a compression; nothing if that does not tell.
[[nodiscard]] std::optional<FileFormat> format_of(std::string_view path);

/// Of the commands that write files.
struct FileOptions {
    std::string output;                ///< a path, "-" = standard output; of `split`: a directory
    std::optional<FileFormat> format;  ///< empty: by the name of the output
    bool canonical = false;
    bool without_lines = false;
    bool without_calls = false;
    std::optional<bool> count_unknown_as_one;  ///< empty: in the portable dialect
};

[[nodiscard]] constexpr bool is_profile(FileFormat format) { return format <= FileFormat::cachegrind; }

/// --output and --to of commands that write any format, or profiles only.
void declare_any_file(CommandLine& line, FileOptions& options);
void declare_profile_file(
    CommandLine& line, FileOptions& options, const std::string& placeholder = "OUT",
    const std::string& help = "write to this file, replaced atomically on success; '-': standard output");
/// Of formats that other readers read in their own way.
void declare_compatibility(CommandLine& line, FileOptions& options);

/// The newest profile may not be the one that is meant to be written about.
void check_files_are_named(const CommandLine& line, const std::vector<std::string>& files);

}  // namespace callcost::program
