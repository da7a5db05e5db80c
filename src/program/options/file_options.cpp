#include "options/file_options.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "input/sets.hpp"
#include "text/characters.hpp"

namespace callcost::program {
namespace {

using Format = std::pair<std::string_view, FileFormat>;
constexpr std::array<Choice<FileFormat>, 14> formats = {{{"portable", FileFormat::portable},
                                                         {"callgrind", FileFormat::portable, true},
                                                         {"compact", FileFormat::compact},
                                                         {"strict", FileFormat::strict},
                                                         {"cachegrind", FileFormat::cachegrind},
                                                         {"pprof", FileFormat::pprof},
                                                         {"speedscope", FileFormat::speedscope},
                                                         {"folded", FileFormat::folded},
                                                         {"dot", FileFormat::dot},
                                                         {"svg", FileFormat::svg},
                                                         {"json", FileFormat::json},
                                                         {"csv", FileFormat::csv},
                                                         {"tsv", FileFormat::tsv},
                                                         {"firefox", FileFormat::firefox}}};

constexpr std::array<Format, 18> suffixes = {{{".pb.gz", FileFormat::pprof},
                                              {".pprof", FileFormat::pprof},
                                              {".pb", FileFormat::pprof},
                                              {".speedscope.json", FileFormat::speedscope},
                                              {".speedscope", FileFormat::speedscope},
                                              {".firefox.json", FileFormat::firefox},
                                              {".folded", FileFormat::folded},
                                              {".collapsed", FileFormat::folded},
                                              {".dot", FileFormat::dot},
                                              {".gv", FileFormat::dot},
                                              {".svg", FileFormat::svg},
                                              {".json", FileFormat::json},
                                              {".csv", FileFormat::csv},
                                              {".tsv", FileFormat::tsv},
                                              {".callgrind", FileFormat::portable},
                                              {".cgrind", FileFormat::portable},
                                              {".cachegrind", FileFormat::cachegrind},
                                              {".out", FileFormat::portable}}};

/// What is only read, by the names that its writers give it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> read_only{
    {{".prof", "profiles of Python and gperftools"},
     {".pstats", "profiles of Python"},
     {".cpuprofile", "CPU profiles of V8"},
     {".heapprofile", "heap profiles of V8"},
     {".perf", "profiles of perf"},
     {"perf.data", "profiles of perf"},
     {".stackprof", "profiles of stackprof"},
     {".dhat", "profiles of DHAT"},
     {".massif", "profiles of Massif"},
     {".msgpack.lz4", "traces of tracegrind"}}};

constexpr std::string_view written_formats =
    "written are .callgrind, .cachegrind, .pb.gz, .speedscope.json, .firefox.json, .folded, .dot, .svg, "
    ".json, .csv and .tsv; --to writes one of them under any name";

UsageError unknown_format(const std::string& output) {
    const auto* const known = std::find_if(read_only.begin(), read_only.end(),
                                           [&](const auto& one) { return output.ends_with(one.first); });
    if (known == read_only.end())
        return UsageError(fmt::format("cannot determine the format of '{}'", output),
                          std::string(written_formats));
    return UsageError(fmt::format("'{}': {} are read, not written", output, known->second),
                      std::string(written_formats));
}

void declare_format(CommandLine& line, FileOptions& options, const std::string& help) {
    line.choice<FileFormat>("--to", "FORMAT", help, {formats.begin(), formats.end()}, options.format);
}

void check_output(const CommandLine& line, const FileOptions& options, std::string_view kind) {
    if (options.output.empty()) throw UsageError(fmt::format("{} needs -o", line.name()), std::string(kind));
}

void check_compression(const FileOptions& options) {
    if (const auto suffix = compression_suffix(options.output); suffix == ".xz" || suffix == ".bz2")
        throw UsageError(fmt::format("cannot write compressed output to '{}'", options.output),
                         "use .zst or .gz");
}

}  // namespace

std::optional<FileFormat> format_of(std::string_view path) {
    auto name = engine::base_name(path);
    if (!name.ends_with(".pb.gz")) name.remove_suffix(compression_suffix(name).size());
    for (const auto& [suffix, format] : suffixes) {
        if (name.size() > suffix.size() && name.ends_with(suffix)) return format;
    }
    if (name.starts_with("callgrind.")) return FileFormat::portable;
    if (name.starts_with("cachegrind.")) return FileFormat::cachegrind;
    return std::nullopt;
}

void declare_any_file(CommandLine& line, FileOptions& options) {
    line.value("-o,--output", "OUT",
               "write to this file, replaced atomically on success; .gz and .zst: compressed; '-': "
               "standard output",
               options.output);
    declare_format(
        line, options,
        "portable, compact, strict, cachegrind, pprof, speedscope, firefox, folded, dot, svg, json, "
        "csv or tsv (default: by the suffix of OUT)");
    line.flag("--without-lines",
              "write only what functions spend and call: small files to commit and compare with",
              options.without_lines);
    line.flag("--canonical",
              "sort, add up and drop what differs between runs, so that equal profiles become equal files",
              options.canonical);
    line.check([&line, &options] {
        check_output(line, options, "a file, or '-' for standard output");
        check_compression(options);
        if (!options.format) {
            options.format = format_of(options.output);
            const bool is_plain = !options.format || *options.format == FileFormat::portable;
            if (is_plain && (options.canonical || options.without_lines))
                options.format = FileFormat::compact;
        }
        if (!options.format) throw unknown_format(options.output);
        if (*options.format == FileFormat::pprof && options.output.ends_with(".zst"))
            throw UsageError("pprof files are compressed by gzip", "use .pb.gz");
        if (options.canonical && !is_profile(*options.format))
            throw UsageError("--canonical is for portable, compact, strict and cachegrind");
        if (options.without_lines && !is_profile(*options.format))
            throw UsageError("--without-lines is for portable, compact, strict and cachegrind");
    });
}

void declare_profile_file(CommandLine& line, FileOptions& options, const std::string& placeholder,
                          const std::string& help) {
    line.value("-o,--output", placeholder, help, options.output);
    declare_format(line, options, "portable (default), compact, strict or cachegrind");
    const bool is_directory = placeholder == "DIR";
    line.check([&line, &options, is_directory] {
        check_output(line, options, is_directory ? "a directory" : "a file, or '-' for standard output");
        if (!is_directory) check_compression(options);
        const auto* const convert = "use 'callcost convert' on the result";
        if (options.format && !is_profile(*options.format)) {
            const auto* const name = std::find_if(formats.begin(), formats.end(), [&](const auto& known) {
                return known.value == *options.format;
            });
            throw UsageError(fmt::format("{} does not write {}", line.name(), name->word), convert);
        }
        const auto named = format_of(options.output);
        if (!options.format && !is_directory && named && !is_profile(*named))
            throw UsageError(fmt::format("{} writes profiles only, not '{}'", line.name(), options.output),
                             convert);
    });
}

void declare_compatibility(CommandLine& line, FileOptions& options) {
    line.flag("--without-calls", "write cachegrind although it cannot hold calls", options.without_calls);
    const auto is_one = std::make_shared<bool>(false), is_kept = std::make_shared<bool>(false);
    line.flag(
        "--count-unknown-as-one",
        "write calls=1 for unknown call counts, for readers that take the cost of calls=0 for self cost "
        "(default in portable)",
        *is_one);
    line.flag("--keep-unknown-counts",
              "write calls=0 for unknown call counts (default in the other dialects)", *is_kept);
    line.check([&options, is_one, is_kept] {
        if (*is_one && *is_kept)
            throw UsageError("--count-unknown-as-one cannot be combined with --keep-unknown-counts");
        if (*is_one || *is_kept) options.count_unknown_as_one = *is_one;
    });
}

void check_files_are_named(const CommandLine& line, const std::vector<std::string>& files) {
    if (files.empty()) throw UsageError(fmt::format("{} needs a file to read", line.name()));
}

}  // namespace callcost::program
