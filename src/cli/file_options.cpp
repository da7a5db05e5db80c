// The options of the commands that write files: how they are declared, and what they mean.
#include <fmt/format.h>

#include "cli/option_reader.hpp"

namespace callcost::cli {
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
              "what FILE is, if its content does not tell: pprof, folded, perf-script, cpuprofile");
    }
    group_ = "What is written";
    auto& file = options_.file;
    value("-o,--output", command == Command::split ? "DIR" : "OUT", file.output,
          command == Command::split ? "the directory, made if it is not there"
                                    : "the file, replaced at once when all is written; '-': standard output");
    value("--to", "FORMAT", texts_.to,
          command == Command::convert
              ? "without it the name of OUT tells: .pb.gz, .speedscope.json, .folded, .svg, .csv, ..."
              : "portable, compact, strict or cachegrind (default portable)");
    if (command == Command::split) value("--by", "WHAT", texts_.split_by, "part, thread, pid or object");
    if (command == Command::merge) {
        flag("--keep-parts", file.keep_parts, "side by side as parts of one file, not added up");
        values("--mod-filename", "SUBSTITUTION", texts_.file_names, "rewrite the names of files");
        values("--mod-funcname", "SUBSTITUTION", texts_.function_names, "rewrite the names of functions");
    }
    if (command == Command::filter) {
        values("--keep", "PATTERN", texts_.keep, "only matching functions");
        values("--drop", "PATTERN", texts_.drop, "all but matching functions");
        value("--dropped", "WHERE", texts_.dropped,
              "function: their cost is that of one function '(filtered)'; callers: it is charged to "
              "their callers, estimated (default function)");
    }
    if (command == Command::convert) {
        flag("--canonical", file.canonical,
             "sorted, added up, without what only tells runs apart: equal profiles become equal files");
        value("-e,--event", "NAME", texts_.event, "event type or formula for dot, svg and folded");
        value("--nodes", "N", texts_.nodes,
              "functions in dot and svg (default 80), frames of estimated stacks");
        value("--rows", "WHAT", texts_.rows, "of csv and tsv: functions, arcs or lines (default functions)");
        value("--json-int", "AS", texts_.integers, "number or string (default number)");
    }
    flag("--without-calls", file.without_calls, "write cachegrind though it has no calls");
    flag("--count-unknown-as-one", file.count_unknown_as_one,
         "for readers that take the cost of calls=0 for self cost");
    group_ = "How it is shown";
    flag_or_value("--color{always}", "[=WHEN]", texts_.color, "auto, always or never");
    flag_or_value("--progress{always}", "[=WHEN]", texts_.progress, "auto, always or never");
    flag("-q,--quiet", options_.quiet, "no notes on standard error, errors only");
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

void OptionReader::understand_file_options() {
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
        fail("callcost split needs --by", "part, thread, pid or object");
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

}  // namespace callcost::cli
