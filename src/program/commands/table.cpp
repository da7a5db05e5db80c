#include <array>

#include "commands/commands.hpp"

namespace callcost::program {

std::span<const Command> command_table() {
    static constexpr std::array all = {
        Command{"top", "the most expensive functions; the default command", top_command},
        Command{"annotate", "the program's source with the cost of each line", annotate_command},
        Command{"asm", "machine code of functions with the cost of each instruction", asm_command},
        Command{"peek", "functions between their callers and callees", peek_command},
        Command{"tree", "call paths from the program's roots down, estimated", tree_command},
        Command{"lines", "the most expensive source lines", lines_command},
        Command{"parts", "dumps and threads side by side", parts_command},
        Command{"events", "what costs can be measured by", events_command},
        Command{"info", "contents, totals and problems of a profile", info_command},
        Command{"check", "whether files are sound, and other tools read them right", check_command},
        Command{"diff", "regressions and improvements between two profiles; gates for CI", diff_command},
        Command{"baseline", "small summaries of profiles to compare later runs with", baseline_command},
        Command{"trend", "costs over all baselines", trend_command},
        Command{"convert", "to and from pprof, speedscope, folded, DOT, SVG, CSV", convert_command},
        Command{"merge", "several profiles added up to one", merge_command},
        Command{"split", "a file for each part, thread, process or object", split_command},
        Command{"filter", "a profile without some of its functions", filter_command},
        Command{"view", "the profile in the browser, from a server on this machine", view_command},
        Command{"report", "the profile as one self-contained HTML file", report_command},
    };
    return all;
}

}  // namespace callcost::program
