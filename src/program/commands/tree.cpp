#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "loading/preparation.hpp"
#include "reports/call_tree.hpp"
#include "reports/function_list.hpp"
#include "terminal/output.hpp"
#include "text/csv.hpp"
#include "text/json.hpp"
#include "text/names.hpp"
#include <callcost/tree.hpp>

namespace callcost::program {
namespace {

constexpr std::size_t usual_frames = 60;  // for a person
constexpr std::size_t usual_frames_for_programs = 20'000;
constexpr std::size_t most_frames = 1'000'000;  // with recursion there is no last one

std::size_t frames_of(const Options& options) {
    const bool for_programs = options.json || options.csv;
    const auto usual = for_programs ? usual_frames_for_programs : usual_frames;
    const auto limit = options.limit.value_or(usual);
    return limit == 0 ? most_frames : std::min(limit, most_frames);
}

/// How to see what is not expanded.
std::vector<std::string> how_to_expand(const Options& options) {
    if (options.depth || options.threshold || options.limit == 0U) return {};
    return {"--limit N expands more", "--limit N"};
}

TreeOptions tree_options(const Options& options, const Prepared& prepared) {
    TreeOptions wanted;
    wanted.measure = prepared.measure;
    wanted.direction = options.inverted ? TreeDirection::callers : TreeDirection::callees;
    wanted.most_frames = frames_of(options);
    if (options.depth && *options.depth != 0) wanted.most_levels = *options.depth;
    wanted.least_weight = options.threshold.value_or(0) *
                          static_cast<double>(percentage_base(prepared.graph, prepared.measure));
    if (!options.root.patterns.empty())
        wanted.root = [&](NodeId node) { return any_matches(options.root.patterns, prepared.graph, node); };
    return wanted;
}

void write_text(std::string& out, const Prepared& prepared, const Tree& tree, const Options& options,
                const engine::Style& style) {
    write_heading(out, prepared.graph, prepared.measure, style);
    write_call_tree(out, prepared.graph, tree,
                    {.at_roots = !options.root.patterns.empty(), .advice = how_to_expand(options)}, style);
}

void write_json(std::string& out, const Prepared& prepared, const Tree& tree) {
    engine::JsonWriter json(out);
    json.begin_object(engine::JsonLayout::rows);
    write_origin(json, "callcost.tree/1", prepared);
    write_measures(json, prepared.graph, prepared.measure, {prepared.measure});
    write_call_tree(json, prepared.graph, tree);
    json.end_object();
    out += '\n';
}

}  // namespace

int run_tree(const Options& options, const Console& console) {
    const auto prepared = prepare(options, console, least_detail(options.selection));
    if (!prepared) return status(prepared.error());
    if (!prepared->measure.additive) {
        console.say(Severity::error,
                    fmt::format("{} does not add up, so there is no tree by it",
                                engine::display_name(prepared->measure.name)),
                    "'callcost events' lists what does; --event chooses");
        return status(Exit::usage);
    }
    const auto tree = estimate_tree(prepared->graph, tree_options(options, *prepared));
    if (tree.frames.empty() && !options.root.patterns.empty())
        console.say(Severity::note, "no function that matches --root has any cost",
                    "patterns are case-sensitive");

    Output output(console, options);
    if (options.json) {
        write_json(output.text(), *prepared, tree);
    } else if (options.csv) {
        engine::CsvWriter csv(output.text(), csv_names(options));
        write_call_tree(csv, prepared->graph, tree);
    } else {
        write_text(output.text(), *prepared, tree, options, console.out);
    }
    return status(output.finish() ? prepared->exit : Exit::error);
}

}  // namespace callcost::program
