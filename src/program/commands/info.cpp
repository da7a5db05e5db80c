#include <optional>

#include "commands/commands.hpp"
#include "loading/preparation.hpp"
#include "reports/profile_summary.hpp"
#include "terminal/output.hpp"

namespace callcost::program {
namespace {

struct InfoOptions {
    InputOptions input;
    MeasureOptions measure;
    OutputOptions output;
    std::optional<std::size_t> limit;  ///< 0: all
};

int run_info(const InfoOptions& options, const Console& console) {
    const auto prepared =
        prepare(options.input, options.measure, console, least_detail(options.input.selection));
    if (!prepared) return status(prepared.error());
    const auto only = options.measure.event.empty() ? std::nullopt : std::optional(prepared->measure);
    const SummaryInput input = {prepared->graph, prepared->measures, prepared->diagnostics, options.limit,
                                only};

    Output output(console);
    if (options.output.json) {
        engine::JsonWriter json(output.text());
        write_summary(json, input);
        output.text() += '\n';
    } else {
        write_summary(output.text(), input, console.out);
    }
    return status(output.finish() ? prepared->exit : Exit::error);
}

}  // namespace

Run info_command(CommandLine& line) {
    line.describe("[OPTION...] [FILE...]",
                  "Describe a profile: creator, parts, event types, totals and diagnostics. Does not support "
                  "--sort or --threshold.");
    const auto options = std::make_shared<InfoOptions>();
    options->input.lists_diagnostics = true;
    options->measure.is_noted = false;
    line.words(options->input.files);
    declare_input(line, options->input);
    line.heading("Selection");
    line.value("-e,--event", "NAME", "show only this event type, or those of a formula",
               options->measure.event);
    declare_limit(line, options->limit, "list N parts; 0: all parts and event types (default: 10)");
    declare_output(line, options->output, {.csv = false});
    return [options] { return run_info(*options, open_console(options->output)); };
}

}  // namespace callcost::program
