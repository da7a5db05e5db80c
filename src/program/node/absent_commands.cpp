/// Commands that the npm package does not have: their rows say so, and what to use instead.
#include <string>

#include "commands/commands.hpp"
#include "options/usage_error.hpp"

namespace callcost::program {
namespace {

constexpr const char* elsewhere = "use callcost's Debian package or its static command";

[[noreturn]] void refuse(const char* command, const char* reason, const char* instead) {
    throw UsageError("'" + std::string(command) + "' is not in the npm package: " + reason, instead);
}

}  // namespace

Run asm_command(CommandLine&) {
    refuse("asm", "it runs objdump on the profiled program, on the system that made the profile", elsewhere);
}

Run browse_command(CommandLine&) {
    refuse("browse", "it needs ncurses, which needs a terminal of its own",
           "'callcost top' lists the most expensive functions");
}

Run history_command(CommandLine&) { refuse("history", "it needs a database", elsewhere); }

Run record_command(CommandLine&) {
    refuse("record", "it runs Valgrind or perf, which need Linux", elsewhere);
}

Run view_command(CommandLine&) {
    refuse("view", "it needs a server", "'callcost report --open -o OUT.html' shows the same page as a file");
}

}  // namespace callcost::program
