#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "commands/transform.hpp"
#include "output/written_profile.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

/// By function of the profile.
std::vector<bool> dropped_functions(const CallGraph& graph, const FileOptions& options) {
    std::vector<bool> dropped(graph.profile().function_count(), false);
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        const bool is_kept = options.keep.texts.empty() || any_matches(options.keep.patterns, graph, node);
        if (!is_kept || any_matches(options.drop.patterns, graph, node))
            dropped[graph.function(node).value] = true;
    }
    return dropped;
}

/// The profile without them, and what became of their cost.
Result<Profile> filtered(const Prepared& prepared, const std::vector<bool>& dropped, const Options& options,
                         const Console& console) {
    const auto is_dropped = [&](FunctionId function) { return dropped[function.value]; };
    const auto functions = [&](std::uint64_t count) {
        return engine::counted(count, "function", console.err);
    };
    const auto count = static_cast<std::uint64_t>(std::count(dropped.begin(), dropped.end(), true));
    if (count == 0) console.say(Severity::warning, "no function is dropped");
    if (count == dropped.size() && count > 0) console.say(Severity::warning, "all functions are dropped");
    if (options.file.dropped == DroppedCost::function) {
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
            options.file.count_unknown_as_one
                ? ""
                : "--count-unknown-as-one is for readers that take the cost of calls=0 for self cost");
    if (charged->not_charged > 0)
        console.say(
            Severity::warning,
            fmt::format("{} not charged to callers but to '{}': too many functions are called from there",
                        functions(charged->not_charged), filtered_name));
    return std::move(charged->profile);
}

}  // namespace

int run_filter(const Options& options, const Console& console) {
    auto unfolded = options;
    unfolded.selection.contexts = Contexts::keep;  // nodes are functions
    const auto prepared = prepare(unfolded, console, Detail::full);
    if (!prepared) return status(prepared.error());
    const auto rest = filtered(*prepared, dropped_functions(prepared->graph, options.file), options, console);
    if (!rest) {
        report_unwritten(console, options.file.output, rest.error());
        return status(Exit::error);
    }
    const auto exit = write_profile_file(options.file.output, *rest, write_options(options.file),
                                         files_of(prepared->profile()), console);
    return status(exit == Exit::ok ? prepared->exit : exit);
}

}  // namespace callcost::program
