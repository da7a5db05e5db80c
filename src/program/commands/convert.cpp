#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "exporters/dot.hpp"
#include "exporters/firefox.hpp"
#include "exporters/folded.hpp"
#include "exporters/model_json.hpp"
#include "exporters/pprof.hpp"
#include "exporters/speedscope.hpp"
#include "exporters/table_text.hpp"
#include "importers/importers.hpp"
#include "output/compression.hpp"
#include "output/svg.hpp"
#include "output/written_profile.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

/// What a row of a table is.
enum class TableRow : std::uint8_t { functions, arcs, lines };

struct ConvertOptions {
    InputOptions input;
    MeasureOptions measure;
    OutputOptions output;
    FileOptions file;
    std::optional<Contexts> contexts;  ///< none: profiles keep them
    TableRow rows = TableRow::functions;
    bool integers_as_strings = false;  ///< JSON
    std::optional<std::size_t> nodes;  ///< DOT, SVG; frames of estimated trees
};

/// Records are needed for all but pictures of the graph and lists of functions.
Detail detail_for(const ConvertOptions& options) {
    switch (*options.file.format) {
        case FileFormat::dot:
        case FileFormat::svg:
        case FileFormat::speedscope:
        case FileFormat::firefox:
        case FileFormat::folded:
            return least_detail(options.input.selection);
        case FileFormat::csv:
        case FileFormat::tsv:
            return options.rows == TableRow::lines ? Detail::full : least_detail(options.input.selection);
        default:
            return Detail::full;
    }
}

engine::DotOptions dot_options(const PreparedProfile& prepared, const ConvertOptions& options) {
    engine::DotOptions how;
    how.measure = prepared.measure;
    if (options.nodes) how.pruning.max_nodes = *options.nodes;
    return how;
}

/// The selected one first.
std::vector<Measure> stack_measures(const PreparedProfile& prepared) {
    std::vector<Measure> measures = {prepared.measure};
    for (auto& measure : table_measures(prepared))
        if (measure.name != prepared.measure.name) measures.push_back(std::move(measure));
    return measures;
}

/// Stacks are those that were read or, of a call graph, those of the estimated tree of each event type.
engine::StackOptions stack_options(const PreparedProfile& prepared, const ConvertOptions& options) {
    engine::StackOptions how;
    how.measures = stack_measures(prepared);
    if (options.nodes) how.tree.max_frames = *options.nodes;
    how.name = prepared.profile().parts()[0].command;
    how.recorded = engine::recorded_for(prepared.graph, prepared.stacks, how.measures);
    how.may_take =
        [limit = output_limit(options.input, prepared.profile())](std::uint64_t bytes) -> Result<void> {
        if (limit.covers(bytes)) return {};
        return tl::unexpected(limit.error());
    };
    return how;
}

Result<void> write_folded(const PreparedProfile& prepared, const ConvertOptions& options, const Sink& sink) {
    const auto how = stack_options(prepared, options);
    return engine::write_folded(prepared.graph, engine::tree_of(prepared.graph, how, prepared.measure), sink);
}

/// A call graph holds no stacks.
void note_estimate(const PreparedProfile& prepared, const ConvertOptions& options, const Console& console) {
    const auto how = stack_options(prepared, options);
    if (how.recorded) {
        for (const auto& measure : engine::measures_of(prepared.graph, how)) {
            const auto tree =
                exact_tree(prepared.graph, prepared.stacks, {.measure = measure, .max_frames = 1});
            if (tree && tree->negative != 0)
                console.say(Severity::warning,
                            fmt::format("negative costs are left out: {} {} in all",
                                        engine::cost(tree->negative, measure.unit, console.err),
                                        engine::display_name(measure.name)),
                            "convert to callgrind or csv keeps them");
        }
        return;
    }
    const Tree tree = engine::tree_of(prepared.graph, how, prepared.measure);
    console.say(
        Severity::note,
        fmt::format("the stacks are estimated from the call graph: {} of {} is certain",
                    engine::certainty_text(tree), engine::display_name(prepared.measure.name)),
        tree.unbalanced > 0 || tree.unrecorded_callees > 0 || tree.unattributed > 0 || tree.negative != 0
            ? "what calls cost beyond what was spent in them, and negative costs, are in no stack"
            : "");
}

void note_unit_of_folded(const PreparedProfile& prepared, const Console& console) {
    const auto unit = engine::display_name(prepared.measure.unit);
    if (unit.empty()) return;
    console.say(Severity::note, fmt::format("folded stacks name no unit: the numbers are in {}", unit),
                fmt::format("'flamegraph.pl --countname={}' shows it", unit));
}

/// The event types that stacks do not have: most often those that must not be added up.
std::vector<std::string> event_types_not_in_stacks(const PreparedProfile& prepared) {
    engine::StackOptions how;
    how.measures = stack_measures(prepared);
    const auto written = engine::measures_of(prepared.graph, how);
    std::vector<std::string> names;
    for (const auto& measure : prepared.measures) {
        const auto is_it = [&](const Measure& other) { return other.name == measure.name; };
        if (measure.formula.empty() && std::none_of(written.begin(), written.end(), is_it))
            names.push_back(measure.name);
    }
    return names;
}

/// Records of the selected parts that have an address.
std::uint64_t addresses_of(const CallGraph& graph) {
    const Profile& profile = graph.profile();
    std::vector<bool> is_selected(profile.parts().size(), false);
    for (const PartId part : graph.parts()) is_selected[part.value] = true;
    std::uint64_t count = 0;
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        auto records = profile.records(FunctionId(row));
        for (Record record; records.next(record);)
            count += record.address != 0 && is_selected[records.part().value] ? 1U : 0U;
    }
    return count;
}

/// What stacks of pprof's format have no place for.
void note_left_out_of_pprof(const PreparedProfile& prepared, const Console& console) {
    constexpr std::size_t max_names = 5;
    const CallGraph& graph = prepared.graph;
    std::vector<std::string> items;
    const auto add = [&](std::uint64_t count, std::string_view one, std::string_view many) {
        if (count != 0)
            items.push_back(fmt::format("{} {}", engine::count(count, console.err), count == 1 ? one : many));
    };
    const auto names = event_types_not_in_stacks(prepared);
    if (names.size() > max_names) {
        add(names.size(), "event type", "event types");
    } else {
        for (const auto& name : names) items.push_back("event type " + engine::display_name(name));
    }
    std::uint64_t call_counts = 0, jumps = 0;
    for (std::size_t arc = 0; arc < graph.arc_count(); ++arc)
        call_counts += graph.count(ArcId(arc)).known > 0 ? 1U : 0U;
    for (const PartId part : graph.parts()) jumps += prepared.profile().parts()[part.value].jumps;
    add(call_counts, "call count", "call counts");
    add(jumps, "jump", "jumps");
    add(addresses_of(graph), "address", "addresses");
    add(prepared.profile().formulas().size(), "formula", "formulas");
    note_omitted(console, "pprof", items, "--to compact keeps everything");
}

engine::TableOptions table_options(const PreparedProfile& prepared, const ConvertOptions& options) {
    engine::TableOptions how;
    how.measures = table_measures(prepared);
    how.rows = options.rows == TableRow::arcs    ? engine::TableRows::arcs
               : options.rows == TableRow::lines ? engine::TableRows::lines
                                                 : engine::TableRows::functions;
    if (options.file.format == FileFormat::tsv) how.fields = engine::CsvFields::tabs;
    return how;
}

Result<void> write_other(const PreparedProfile& prepared, const ConvertOptions& options, const Sink& sink) {
    const CallGraph& graph = prepared.graph;
    switch (*options.file.format) {
        case FileFormat::dot:
            return engine::write_dot(graph, dot_options(prepared, options), sink);
        case FileFormat::svg: {
            SvgOptions how;
            how.dot = dot_options(prepared, options);
            return write_svg(graph, how, sink);
        }
        case FileFormat::pprof:
            return gzip(
                sink,
                [&](const Sink& packed) {  // compressed it may be small, but its readers unpack it
                    return engine::write_pprof(
                        graph, stack_options(prepared, options),
                        within(output_limit(options.input, prepared.profile()), packed));
                },
                GzipLevel::fast);  // as Go writes them: a third of the time, and a tenth more bytes
        case FileFormat::speedscope:
            return engine::write_speedscope(graph, stack_options(prepared, options), sink);
        case FileFormat::firefox:
            return engine::write_firefox(graph, stack_options(prepared, options), sink);
        case FileFormat::folded:
            return write_folded(prepared, options, sink);
        case FileFormat::json: {
            engine::ModelJsonOptions how;
            how.measures = machine_measures(prepared);
            if (options.integers_as_strings) how.integers = engine::JsonIntegers::strings;
            return engine::write_model_json(graph, how, sink);
        }
        default:
            return engine::write_table(graph, table_options(prepared, options), sink);
    }
}

/// Functions without recursion levels and callers in their names.
Result<Profile> folded(const PreparedProfile& prepared) {
    const Profile& profile = prepared.profile();
    const ContextNames contexts(profile);
    std::unordered_map<std::string_view, std::string_view> names;
    for (std::size_t row = 0; row < profile.function_count(); ++row)
        names.emplace(profile.name(FunctionId(row)), contexts.split(FunctionId(row)).name);
    Renaming renaming;
    renaming.function = [&](std::string_view name) { return std::string(names.at(name)); };
    ProfileMerger merger(std::move(renaming));
    if (auto done = merger.add(profile, prepared.graph.parts()); !done) return tl::unexpected(done.error());
    return std::move(merger).finish();
}

Exit convert_profile(const PreparedProfile& prepared, const ConvertOptions& options, const Console& console) {
    auto how = write_options(options.file);
    if (options.input.selection.contexts == Contexts::fold) {
        const auto profile = folded(prepared);
        if (!profile) {
            report_unwritten(console, options.file.output, profile.error());
            return Exit::error;
        }
        return write_profile_file(options.file.output, *profile, how, files_of(prepared.profile()), console,
                                  output_limit(options.input, prepared.profile()));
    }
    how.parts = prepared.graph.parts();
    return write_profile_file(options.file.output, prepared.profile(), how, files_of(prepared.profile()),
                              console, output_limit(options.input, prepared.profile()));
}

int run_convert(const ConvertOptions& options, const Console& console) {
    const auto prepared = prepare(options.input, options.measure, console, detail_for(options));
    if (!prepared) return status(prepared.error());
    const auto format = *options.file.format;
    const bool is_profile = program::is_profile(format);
    if (is_made_of_stacks(format)) {
        if (!prepared->measure.additive) {
            console.say(
                Severity::error,
                fmt::format("{} is not additive: no stacks", engine::display_name(prepared->measure.name)),
                "'callcost info --events' shows which event types are additive; --event selects one");
            return status(Exit::usage);
        }
        if (!console.quiet) {
            note_estimate(*prepared, options, console);
            if (format == FileFormat::folded) note_unit_of_folded(*prepared, console);
            if (format == FileFormat::pprof) note_left_out_of_pprof(*prepared, console);
        }
    }
    const auto exit = is_profile
                          ? convert_profile(*prepared, options, console)
                          : write_file(
                                options.file.output, files_of(prepared->profile()), console,
                                [&](const Sink& sink) { return write_other(*prepared, options, sink); },
                                {.is_packed = format == FileFormat::pprof},
                                output_limit(options.input, prepared->profile()));
    return status(exit == Exit::ok ? prepared->exit : exit);
}

}  // namespace

Run convert_command(CommandLine& line) {
    line.describe("[OPTION...] FILE... -o OUT",
                  "Write a profile in another format: portable (default: every reader of the Callgrind "
                  "format accepts it), compact (as Callgrind writes it, without loss), strict, cachegrind, "
                  "pprof, speedscope, firefox (for profiler.firefox.com), folded, dot, svg, json, csv or "
                  "tsv.\n\nFILE may also be a profile in a format that "
                  "'callcost info --formats' lists.");
    line.examples({{"convert callgrind.out.4711 -o cpu.pb.gz", "for pprof"},
                   {"convert callgrind.out.4711 -o calls.svg", "call graph as a picture"},
                   {"convert callgrind.out.4711 --without-lines -o old.callgrind.zst",
                    "small file to commit and compare with"}});
    line.common({"--part", "--contexts", "--from", "--output", "--to", "--without-lines", "--canonical",
                 "--event", "--nodes", "--rows"});
    const auto options = std::make_shared<ConvertOptions>();
    line.words(options->input.files);
    declare_input(line, options->input, InputKind::unfolded);
    declare_inlined(line, options->input);
    line.choice<Contexts>("--contexts", "keep|fold",
                          "fold: add recursion levels and callers, such as f'2 and f'caller, to f (default "
                          "but for profiles); keep: keep them apart",
                          {{"keep", Contexts::keep}, {"fold", Contexts::fold}}, options->contexts);
    Choices<std::string> inputs;
    for (const engine::ImportFormat format : engine::import_formats)
        inputs.push_back({to_string(format), std::string(to_string(format))});
    line.choice<std::string>(
        "--from", "FORMAT", "format of FILE, as 'callcost info --formats' lists it (default: by its content)",
        inputs, options->input.from);
    line.heading("Output file");
    declare_any_file(line, options->file);
    line.value("-e,--event", "NAME", "event type or formula of dot, svg and folded", options->measure.event);
    line.number("--nodes", "limit functions of dot and svg (default: 80), or frames of estimated stacks",
                options->nodes);
    line.choice<TableRow>(
        "--rows", "WHAT", "rows of csv and tsv: functions (default), arcs or lines",
        {{"functions", TableRow::functions}, {"arcs", TableRow::arcs}, {"lines", TableRow::lines}},
        options->rows);
    line.choice<bool>("--json-int", "AS", "write JSON integers as number (default) or string",
                      {{"number", false}, {"string", true}}, options->integers_as_strings);
    declare_compatibility(line, options->file);
    declare_messages(line, options->output);
    line.check([&line, options = options.get()] {
        auto& input = options->input;
        check_files_are_named(line, input.files);
        input.selection.contexts =
            options->contexts.value_or(is_profile(*options->file.format) ? Contexts::keep : Contexts::fold);
        if (is_profile(*options->file.format) && input.inlined == When::automatic)
            input.inlined = When::never;  // a profile is written as recorded by default
        input.keeps_stacks = is_made_of_stacks(*options->file.format);
        input.unknown_count_as_one = options->file.count_unknown_as_one.value_or(false);
    });
    return [options] { return run_convert(*options, open_console(options->output)); };
}

}  // namespace callcost::program
