#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "output/written_profile.hpp"
#include "query/filtered_functions.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

/// Where the cost of dropped functions goes.
enum class DroppedCost : std::uint8_t { function, callers };

struct FilterCommandOptions {
    InputOptions input;
    OutputOptions output;
    FileOptions file;
    Filter keep, drop;
    DroppedCost dropped = DroppedCost::function;
};

/// By function of the profile.
std::vector<bool> dropped_functions(const CallGraph& graph, const FilterCommandOptions& options) {
    std::vector<bool> dropped(graph.profile().function_count(), false);
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        const bool is_kept =
            options.keep.texts.empty() || engine::any_matches(options.keep.patterns, graph, node);
        if (!is_kept || engine::any_matches(options.drop.patterns, graph, node))
            dropped[graph.function(node).value] = true;
    }
    return dropped;
}

/// The profile without them, and what became of their cost.
Result<Profile> filtered(const PreparedProfile& prepared, const std::vector<bool>& dropped,
                         const FilterCommandOptions& options, const Console& console) {
    const auto is_dropped = [&](FunctionId function) { return dropped[function.value]; };
    const auto functions = [&](std::uint64_t count) {
        return engine::counted(count, "function", console.err);
    };
    const auto count = static_cast<std::uint64_t>(std::count(dropped.begin(), dropped.end(), true));
    if (count == 0) console.say(Severity::warning, "no function is dropped");
    if (count == dropped.size() && count > 0) console.say(Severity::warning, "all functions are dropped");
    if (options.dropped == DroppedCost::function) {
        if (count > 0)
            console.say(Severity::note, fmt::format("{} dropped: their cost is that of '{}'",
                                                    functions(count), filtered_name));
        return without_functions(prepared.profile(), is_dropped, prepared.graph.parts());
    }
    auto charged = charged_to_callers(prepared.profile(), is_dropped, prepared.graph.parts());
    if (!charged) return tl::unexpected(charged.error());
    if (count > 0)
        console.say(
            Severity::note,
            fmt::format("{} dropped: their cost is charged to their callers, estimated in proportion "
                        "to the recorded calls; what no caller pays for is that of '{}'",
                        functions(count), filtered_name),
            write_options(options.file).dialect == FileDialect::portable || options.file.count_unknown_as_one
                ? ""
                : "--count-unknown-as-one is for readers that take the cost of calls=0 for self cost");
    if (charged->not_charged > 0)
        console.say(
            Severity::warning,
            fmt::format("{} not charged to callers but to '{}': too many functions are called from there",
                        functions(charged->not_charged), filtered_name));
    return std::move(charged->profile);
}

int run_filter(const FilterCommandOptions& options, const Console& console) {
    const auto prepared = prepare(options.input, {}, console, Detail::full);
    if (!prepared) return status(prepared.error());
    const auto rest = filtered(*prepared, dropped_functions(prepared->graph, options), options, console);
    if (!rest) {
        report_unwritten(console, options.file.output, rest.error());
        return status(Exit::error);
    }
    const auto exit = write_profile_file(options.file.output, *rest, write_options(options.file),
                                         files_of(prepared->profile()), console,
                                         output_limit(options.input, prepared->profile()));
    return status(exit == Exit::ok ? prepared->exit : exit);
}

}  // namespace

Run filter_command(CommandLine& line) {
    line.describe("[OPTION...] FILE... -o OUT",
                  "Write a profile with the functions of --keep only, or without those of --drop. The total "
                  "stays the same. For PATTERN see 'callcost top --help'.");
    line.examples(
        {{"filter --drop object:libc.so callgrind.out.4711 -o own.out",
          "libc's cost becomes that of its callers"},
         {"filter --keep /^parse/ callgrind.out.4711 -o parser.out", "only these functions"},
         {"filter --drop file:/usr/include callgrind.out.4711 -o own.out", "without the code of headers"}});
    line.common({"--part", "--output", "--to", "--keep", "--drop", "--dropped"});
    const auto options = std::make_shared<FilterCommandOptions>();
    line.words(options->input.files);
    declare_input(line, options->input, InputKind::unfolded);
    line.heading("Output file");
    declare_profile_file(line, options->file);
    line.patterns("--keep", "keep only matching functions", NameScope::any, options->keep);
    line.patterns("--drop", "remove matching functions", NameScope::any, options->drop);
    line.choice<DroppedCost>("--dropped", "WHERE",
                             "function (default): give their cost to one function '(filtered)'; callers: "
                             "charge it to their callers, estimated",
                             {{"function", DroppedCost::function}, {"callers", DroppedCost::callers}},
                             options->dropped);
    declare_compatibility(line, options->file);
    declare_messages(line, options->output);
    line.check([&line, options = options.get()] {
        check_files_are_named(line, options->input.files);
        options->input.unknown_count_as_one = options->file.count_unknown_as_one.value_or(false);
        if (options->keep.texts.empty() && options->drop.texts.empty())
            throw UsageError("filter needs --keep or --drop", "such as --drop object:libc.so");
    });
    return [options] { return run_filter(*options, open_console(options->output)); };
}

}  // namespace callcost::program
