#include <array>

#include "commands/commands.hpp"

namespace callcost::program {

std::span<const Command> command_table() {
    static constexpr std::array all = {
        Command{"top", "list the most expensive functions (default)", top_command},
        Command{"record", "run a program under Callgrind and show where the time went", record_command},
        Command{"annotate", "show source lines with their cost", annotate_command},
        Command{"asm", "show machine code with the cost of each instruction", asm_command},
        Command{"peek", "show functions with their callers and callees", peek_command},
        Command{"tree", "show call paths from the roots down (estimated)", tree_command},
        Command{"lines", "list the most expensive source lines", lines_command},
        Command{"browse", "browse a profile full screen in the terminal", browse_command},
        Command{"info", "describe a profile: creator, parts, event types, totals", info_command},
        Command{"check", "validate files and their compatibility with other readers", check_command},
        Command{"diff", "compare two profiles; fail on regressions in CI", diff_command},
        Command{"history", "keep every profile of a project, and ask what changed when", history_command},
        Command{"convert", "convert to or from pprof, speedscope, folded, DOT, SVG, JSON, CSV",
                convert_command},
        Command{"merge", "add up several profiles", merge_command},
        Command{"split", "write a file for each part, thread, process or object", split_command},
        Command{"filter", "remove functions from a profile", filter_command},
        Command{"view", "open a profile in the browser", view_command},
        Command{"report", "write a profile as one HTML file", report_command},
        Command{"completion", "print the completion script of a shell", completion_command},
    };
    return all;
}

}  // namespace callcost::program
