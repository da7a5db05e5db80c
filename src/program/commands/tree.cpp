#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "loading/preparation.hpp"
#include "output/written_profile.hpp"
#include "query/filtered_tree.hpp"
#include "query/function_hint.hpp"
#include "reports/answer.hpp"
#include "reports/call_tree.hpp"
#include "reports/filtering.hpp"
#include "reports/function_list.hpp"
#include "reports/group_list.hpp"
#include "text/names.hpp"
#include <callcost/groups.hpp>
#include <callcost/tree.hpp>

namespace callcost::program {
namespace {

struct PathTreeOptions {
    InputOptions input;
    MeasureOptions measure;
    OutputOptions output;
    Filter root;  ///< where it begins
    FilterOptions filters;
    std::optional<GroupBy> group;
    bool inverted = false;             ///< callers below the functions they call
    std::optional<std::size_t> depth;  ///< levels; 0: all
    std::optional<std::size_t> limit;  ///< 0: a million
    std::optional<double> threshold;   ///< a share from 0 to 1
};

constexpr std::size_t default_frames = 60;  // for a person
constexpr std::size_t default_frames_for_programs = 20'000;
constexpr std::size_t max_frames = 1'000'000;  // with recursion there is no last one

std::size_t frames_of(const PathTreeOptions& options) {
    const bool for_programs = options.output.json || options.output.csv;
    const auto usual = for_programs ? default_frames_for_programs : default_frames;
    const auto limit = options.limit.value_or(usual);
    return limit == 0 ? max_frames : std::min(limit, max_frames);
}

/// How to see what is not expanded.
std::vector<std::string> how_to_expand(const PathTreeOptions& options) {
    const auto& [focus, ignore, show, hide, file, object] = options.filters;
    if (!show.texts.empty() || !hide.texts.empty() || !file.texts.empty() || !object.texts.empty())
        return {"hidden by the filter, or --limit N expands more", "filter or --limit"};
    if (options.depth || options.threshold || options.limit == 0U) return {};
    return {"--limit N expands more", "--limit N"};
}

TreeOptions tree_options(const PathTreeOptions& options, const PreparedProfile& prepared) {
    TreeOptions wanted;
    wanted.measure = prepared.measure;
    wanted.direction = options.inverted ? TreeDirection::callers : TreeDirection::callees;
    wanted.max_frames = frames_of(options);
    if (options.depth && *options.depth != 0) wanted.max_levels = *options.depth;
    wanted.min_weight = options.threshold.value_or(0) *
                        static_cast<double>(percentage_base(prepared.graph, prepared.measure));
    if (!options.root.patterns.empty())
        wanted.root = [&](NodeId node) {
            return engine::any_matches(options.root.patterns, prepared.graph, node);
        };
    return wanted;
}

void write_text(std::string& out, const PreparedProfile& prepared, const Tree& tree,
                const Filtering& filtering, const PathTreeOptions& options, const engine::Style& style) {
    write_heading(out, prepared.graph, prepared.measure, style);
    filtering.write_note(out, style, Filtering::Estimates::explained);
    write_call_tree(out, prepared.graph, tree,
                    {.at_roots = !options.root.patterns.empty(), .advice = how_to_expand(options)}, style);
}

int run_tree(const PathTreeOptions& options, const Console& console) {
    auto prepared = prepare(options.input, options.measure, console, least_detail(options.input.selection));
    if (!prepared) return status(prepared.error());
    if (!prepared->measure.additive) {
        console.say(Severity::error,
                    fmt::format("{} is not additive: no tree", engine::display_name(prepared->measure.name)),
                    "'callcost info --events' shows which event types are additive; --event selects one");
        return status(Exit::usage);
    }
    const Filtering filtering(*prepared, options.filters, options.group);
    filtering.say_if_empty(console);
    const auto wanted = tree_options(options, *prepared);
    const auto tree =
        engine::filtered_tree_of_size(prepared->graph, prepared->stacks, wanted, filtering.functions());
    const auto stacks = recorded_stacks(prepared->profile(), prepared->stacks);
    const auto has_any = [](const auto& of_source) { return of_source != nullptr; };
    if (!tree.exact && std::any_of(stacks.begin(), stacks.end(), has_any))
        console.say(Severity::note,
                    "the recorded call stacks are not all of the profile: paths are estimated");
    if (tree.frames.empty() && !options.root.patterns.empty())
        console.say(Severity::note, "no function that matches --root has any cost",
                    engine::function_hint(prepared->graph, options.root.texts));

    std::uint64_t names = 0;  // few, but of any length, and each may be there very often
    for (const auto& frame : tree.frames)
        if (frame.kind == FrameKind::function) names += prepared->graph.name(frame.node).size();
    const auto budget = unless_forced(options.input, engine::memory_budget);
    if (!budget.covers(bytes_read(prepared->profile()), names)) {
        report_unwritten(console, "-", budget.error("the names in the tree"));
        return status(Exit::error);
    }

    const AnswerForms forms = {
        .schema = "callcost.tree/1",
        .text =
            [&](Output& output) {
                write_text(output.text(), *prepared, tree, filtering, options, console.out);
            },
        .json =
            [&](engine::JsonWriter& json, Output&) {
                if (options.group) json.member("group", to_string(*options.group));
                write_measures(json, prepared->graph, prepared->measure, {prepared->measure});
                filtering.write(json);
                write_call_tree(json, prepared->graph, tree);
            },
        .csv = [&](engine::CsvWriter& csv, Output&) { write_call_tree(csv, prepared->graph, tree); }};
    return write_answer(*prepared, options.input, options.output, forms, console);
}

}  // namespace

Run tree_command(CommandLine& line) {
    line.describe(
        "[OPTION...] [FILE...]",
        "Show call paths as a tree from the program's roots down, the most expensive first.\n\nA "
        "profile usually has the cost of each call, not of each path: costs in the tree are then estimates, "
        "shown with their bounds. They are exact where call stacks were recorded (pprof, perf, folded "
        "stacks, V8) and in Xdebug's files. For PATTERN see 'callcost top --help'.");
    line.examples({{"tree callgrind.out.4711", "call paths from main down"},
                   {"tree --root parse --depth 3 callgrind.out.4711", "below a function"},
                   {"tree --inverted callgrind.out.4711", "functions by self cost, callers below"}});
    line.common({"--event", "--inverted", "--root", "--focus", "--ignore", "--show", "--hide", "--group",
                 "--depth", "--limit", "--threshold", "--json", "--csv"});
    const auto options = std::make_shared<PathTreeOptions>();
    line.words(options->input.files);
    declare_input(line, options->input);
    declare_inlined(line, options->input);
    options->input.keeps_stacks = true;
    line.heading("Selection");
    declare_event(line, options->measure);
    line.flag("--inverted", "list functions by self cost, with their callers below", options->inverted);
    line.patterns("--root", "start at matching functions, with their inclusive cost", NameScope::function,
                  options->root);
    declare_filters(line, options->filters);
    declare_level(line, options->group);
    line.number("--depth", "show at most N levels (default: 0, all)", options->depth);
    declare_limit(line, options->limit,
                  "show at most N functions, those on the most expensive paths; 0: a million (default: 60)");
    line.percentage("--threshold", "omit paths below this share of the total (default: 0)",
                    options->threshold);
    declare_output(line, options->output);
    return [options] { return run_tree(*options, open_console(options->output)); };
}

}  // namespace callcost::program
