#include <optional>

#include "commands/facts_commands.hpp"
#include "loading/preparation.hpp"
#include "reports/profile_summary.hpp"
#include "terminal/output.hpp"

namespace callcost::program {

int run_info(const Options& options, const Console& console) {
    const auto prepared = prepare(options, console, least_detail(options.selection));
    if (!prepared) return status(prepared.error());
    const auto only = options.event.empty() ? std::nullopt : std::optional(prepared->measure);
    const SummaryInput input = {prepared->graph, prepared->measures, prepared->diagnostics, options.limit,
                                only};

    Output output(console, options);
    if (options.json) {
        engine::JsonWriter json(output.text());
        write_summary(json, input);
        output.text() += '\n';
    } else {
        write_summary(output.text(), input, console.out);
    }
    return status(output.finish() ? prepared->exit : Exit::error);
}

}  // namespace callcost::program
