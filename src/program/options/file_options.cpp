// The options of the commands that write files, and of the page: how they are declared, and what they mean.
#include <charconv>

#include <fmt/format.h>

#include "options/option_reader.hpp"

namespace callcost::program {
namespace {

using Format = std::pair<std::string_view, FileFormat>;
constexpr std::array<Format, 13> formats = {{{"portable", FileFormat::portable},
                                             {"callgrind", FileFormat::portable},
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
                                             {"tsv", FileFormat::tsv}}};

constexpr std::array<Format, 17> suffixes = {{{".pb.gz", FileFormat::pprof},
                                              {".pprof", FileFormat::pprof},
                                              {".pb", FileFormat::pprof},
                                              {".speedscope.json", FileFormat::speedscope},
                                              {".speedscope", FileFormat::speedscope},
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

std::string_view base_name(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_dialect(FileFormat format) { return format <= FileFormat::cachegrind; }

}  // namespace

std::optional<FileFormat> format_of(std::string_view path) {
    const auto name = base_name(path);
    for (const auto& [suffix, format] : suffixes) {
        if (name.size() > suffix.size() && name.ends_with(suffix)) return format;
    }
    if (name.starts_with("callgrind.")) return FileFormat::portable;
    if (name.starts_with("cachegrind.")) return FileFormat::cachegrind;
    return std::nullopt;
}

void OptionReader::declare_file_options() {
    const auto command = facts_.command;
    if (command == Command::convert) {
        value("--from", "FORMAT", options_.from,
              "format of FILE: pprof, folded, perf-script or cpuprofile (default: by its content)");
    }
    group_ = "Output file";
    auto& file = options_.file;
    value("-o,--output", command == Command::split ? "DIR" : "OUT", file.output,
          command == Command::split
              ? "write to this directory, created if missing"
              : "write to this file, replaced atomically on success; '-': standard output");
    value("--to", "FORMAT", texts_.to,
          command == Command::convert ? "output format (default: by the suffix of OUT: .pb.gz, "
                                        ".speedscope.json, .folded, .svg, .csv, ...)"
                                      : "portable (default), compact, strict or cachegrind");
    if (command == Command::split)
        value("--by", "WHAT", texts_.split_by, "write a file per part, thread, pid or object");
    if (command == Command::merge) {
        flag("--keep-parts", file.keep_parts, "keep profiles as parts of one file instead of adding them up");
        values("--mod-filename", "SUBSTITUTION", texts_.file_names, "rewrite file names");
        values("--mod-funcname", "SUBSTITUTION", texts_.function_names, "rewrite function names");
    }
    if (command == Command::filter) {
        values("--keep", "PATTERN", texts_.keep, "keep only matching functions");
        values("--drop", "PATTERN", texts_.drop, "remove matching functions");
        value("--dropped", "WHERE", texts_.dropped,
              "function (default): give their cost to one function '(filtered)'; callers: charge it to their "
              "callers, estimated");
    }
    if (command == Command::convert) {
        flag("--canonical", file.canonical,
             "sort, add up and drop what differs between runs, so that equal profiles become equal files");
        value("-e,--event", "NAME", texts_.event, "event type or formula of dot, svg and folded");
        value("--nodes", "N", texts_.nodes,
              "limit functions of dot and svg (default: 80), or frames of estimated stacks");
        value("--rows", "WHAT", texts_.rows, "rows of csv and tsv: functions (default), arcs or lines");
        value("--json-int", "AS", texts_.integers, "write JSON integers as number (default) or string");
    }
    flag("--without-calls", file.without_calls, "write cachegrind although it cannot hold calls");
    flag("--count-unknown-as-one", file.count_unknown_as_one,
         "write calls=1 for unknown call counts, for readers that take the cost of calls=0 for self cost");
    group_ = "Output";
    flag_or_value("--color{always}", "[=WHEN]", texts_.color, "use colors: auto (default), always or never");
    flag_or_value("--progress{always}", "[=WHEN]", texts_.progress,
                  "show progress: auto (default), always or never");
    flag("-q,--quiet", options_.quiet, "print errors only, no notes");
}

std::vector<Substitution> OptionReader::substitutions(std::string_view option,
                                                      const std::vector<std::string>& texts) {
    std::vector<Substitution> result;
    for (const auto& text : texts) {
        if (auto substitution = Substitution::parse(text)) {
            result.push_back(*std::move(substitution));
        } else {
            fail(fmt::format("{} cannot be '{}': {}", option, text, substitution.error().message),
                 "such as 's/prog[0-9]+/prog/'");
        }
    }
    return result;
}

void OptionReader::resolve_file_options() {
    if (!writes_files(facts_.command)) return;
    constexpr std::array<std::pair<std::string_view, SplitBy>, 4> splits = {{{"part", SplitBy::part},
                                                                             {"thread", SplitBy::thread},
                                                                             {"pid", SplitBy::pid},
                                                                             {"object", SplitBy::object}}};
    constexpr std::array<std::pair<std::string_view, DroppedCost>, 2> places = {
        {{"function", DroppedCost::function}, {"callers", DroppedCost::callers}}};
    constexpr std::array<std::pair<std::string_view, TableRow>, 3> rows = {
        {{"functions", TableRow::functions}, {"arcs", TableRow::arcs}, {"lines", TableRow::lines}}};
    constexpr std::array<std::pair<std::string_view, bool>, 2> integers = {
        {{"number", false}, {"string", true}}};

    auto& file = options_.file;
    const auto command = facts_.command;
    constexpr std::array<std::pair<std::string_view, bool>, 4> imports = {
        {{"pprof", true}, {"folded", true}, {"perf-script", true}, {"cpuprofile", true}}};
    (void)choose("--from", options_.from, imports);
    if (file.output.empty())
        return fail(fmt::format("callcost {} needs -o", facts_.name),
                    command == Command::split ? "a directory" : "a file, or '-' for standard output");
    for (const std::string_view suffix : {".gz", ".xz", ".zst", ".bz2"}) {
        if (command == Command::split || !file.output.ends_with(suffix) || file.output.ends_with(".pb.gz"))
            continue;
        return fail(fmt::format("'{}' would not be compressed", file.output),
                    fmt::format("'-o -' writes to a pipe, such as into {}",
                                suffix == ".gz" ? "gzip" : suffix.substr(1)));
    }
    file.format = choose("--to", texts_.to, formats);
    if (!file.format && !texts_.to.empty()) return;
    if (!file.format && command == Command::convert && !file.canonical) {
        file.format = format_of(file.output);
        if (!file.format)
            return fail(fmt::format("the name '{}' does not tell the format", file.output),
                        "--to chooses it, such as --to portable");
    }
    if (!file.format) file.format = file.canonical ? FileFormat::compact : FileFormat::portable;
    if (command != Command::convert && !is_dialect(*file.format))
        return fail(fmt::format("callcost {} writes no {}", facts_.name, texts_.to),
                    "'callcost convert' makes it of the result");
    if (file.canonical && !is_dialect(*file.format))
        return fail("--canonical is for portable, compact, strict and cachegrind");
    if (command != Command::convert) {
        const auto named = format_of(file.output);
        if (texts_.to.empty() && command != Command::split && named && !is_dialect(*named))
            return fail(
                fmt::format("callcost {} writes profiles, not what '{}' is", facts_.name, file.output),
                "'callcost convert' makes it of the result");
        if (!texts_.contexts.empty()) return fail("--contexts is for convert");
    }
    if (options_.files.empty())  // the newest one may not be the one that is meant to be written about
        return fail(fmt::format("callcost {} needs a file to read", facts_.name));
    if (command == Command::split && options_.files.size() > 1)
        return fail("callcost split takes one file", "'callcost merge' makes one of several");
    if (file.keep_parts) {
        if (!texts_.to.empty() && *file.format != FileFormat::compact)
            return fail("--keep-parts is for the compact form");
        if (!texts_.file_names.empty() || !texts_.function_names.empty())
            return fail("--keep-parts keeps names, too");
        file.format = FileFormat::compact;
    }
    file.split_by = choose("--by", texts_.split_by, splits);
    if (command == Command::split && !file.split_by)
        fail("callcost split needs --by", "write a file per part, thread, pid or object");
    file.dropped = choose("--dropped", texts_.dropped, places).value_or(DroppedCost::function);
    file.rows = choose("--rows", texts_.rows, rows).value_or(TableRow::functions);
    file.integers_as_strings = choose("--json-int", texts_.integers, integers).value_or(false);
    if (const auto nodes = number("--nodes", texts_.nodes)) file.nodes = static_cast<std::size_t>(*nodes);
    file.file_names = substitutions("--mod-filename", texts_.file_names);
    file.function_names = substitutions("--mod-funcname", texts_.function_names);
    file.keep = {texts_.keep, patterns("--keep", texts_.keep, NameScope::any)};
    file.drop = {texts_.drop, patterns("--drop", texts_.drop, NameScope::any)};
    if (command == Command::filter && texts_.keep.empty() && texts_.drop.empty())
        fail("callcost filter needs --keep or --drop", "such as --drop object:libc.so");
}

void OptionReader::declare_page_options() {
    declare_input_options();
    auto& page = options_.page;
    values("--diff", "OLD", page.before, "compare with this profile; several are added up");
    declare_source_options();
    if (facts_.command == Command::view) {
        declare_disassembler_option();
        group_ = "Output";
        value("--port", "N", texts_.port, "listen on this port (default: any free port)");
        flag("--no-open", texts_.no_open, "print the address, do not open a browser");
    } else {
        group_ = "Output file";
        value("-o,--output", "OUT", page.output,
              "write to this file, replaced atomically on success; '-': standard output");
        flag("--no-sources", texts_.no_sources, "leave out source text");
        value("--max-size", "SIZE", texts_.max_size,
              "limit the size; the most expensive source files are kept; 0: no limit (default: 20M)");
        group_ = "Output";
    }
    flag_or_value("--color{always}", "[=WHEN]", texts_.color, "use colors: auto (default), always or never");
    flag_or_value("--progress{always}", "[=WHEN]", texts_.progress,
                  "show progress: auto (default), always or never");
    flag("-q,--quiet", options_.quiet, "print errors only, no notes");
}

std::optional<std::uint64_t> OptionReader::size(std::string_view option, std::string_view text) {
    if (text.empty()) return std::nullopt;
    constexpr std::array<std::pair<std::string_view, std::uint64_t>, 4> units = {
        {{"", 1}, {"k", 1'000}, {"M", 1'000'000}, {"G", 1'000'000'000}}};
    std::uint64_t result = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), result);
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    for (const auto& [name, bytes] : units) {
        if (problem == std::errc() && rest == name && result <= UINT64_MAX / bytes) return result * bytes;
    }
    fail(fmt::format("{} needs a number of bytes, not '{}'", option, text), "such as 500k, 20M or 1G");
    return std::nullopt;
}

void OptionReader::resolve_page() {
    auto& page = options_.page;
    constexpr std::uint64_t usual_size = 20'000'000;
    constexpr std::uint64_t last_port = 65'535;
    if (const auto port = number("--port", texts_.port)) {
        page.port = static_cast<std::uint16_t>(*port);
        if (*port > last_port) fail(fmt::format("--port cannot be {}", *port), "ports end at 65535");
    }
    page.opens_browser = !texts_.no_open;
    page.with_sources = !texts_.no_sources;
    page.most_bytes = size("--max-size", texts_.max_size).value_or(usual_size);
    if (facts_.command == Command::report && page.output.empty())
        fail("callcost report needs -o", "such as -o report.html, or '-' for standard output");
}

}  // namespace callcost::program
