#include <vector>

#include <fmt/format.h>

#include "render/numbers.hpp"
#include "transform/transform.hpp"
#include "transform/written_profile.hpp"

namespace callcost::cli {
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

}  // namespace

int run_filter(const Options& options, const Console& console) {
    auto unfolded = options;
    unfolded.selection.contexts = Contexts::keep;  // nodes are functions
    const auto prepared = prepare(unfolded, console, Detail::full);
    if (!prepared) return status(prepared.error());
    const auto dropped = dropped_functions(prepared->graph, options.file);
    const auto count = std::count(dropped.begin(), dropped.end(), true);
    const auto is_dropped = [&](FunctionId function) { return dropped[function.value]; };
    const auto rest = without_functions(prepared->profile(), is_dropped, prepared->graph.parts());
    if (!rest) {
        report_unwritten(console, options.file.output, rest.error());
        return status(Exit::error);
    }
    if (count == 0) {
        console.say(Severity::warning, "no function is dropped");
    } else {
        console.say(Severity::note,
                    fmt::format("{} dropped, now part of '{}'",
                                render::counted(static_cast<std::uint64_t>(count), "function", console.err),
                                filtered_name));
    }
    const auto exit = write_profile_file(options.file.output, *rest, write_options(options.file),
                                         files_of(prepared->profile()), console);
    return status(exit == Exit::ok ? prepared->exit : exit);
}

}  // namespace callcost::cli
