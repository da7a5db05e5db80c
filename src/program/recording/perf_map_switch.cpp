#include "recording/perf_map_switch.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "terminal/terminal.hpp"

namespace callcost::program {
namespace {

/// "python3.12" gives 12 for "python3."; -1 if it is no such name.
int number_after(std::string_view name, std::string_view beginning) {
    if (!name.starts_with(beginning)) return -1;
    int number = -1;
    std::from_chars(name.data() + beginning.size(), name.data() + name.size(), number);
    return number;
}

}  // namespace

std::optional<PerfMapSwitch> perf_map_switch(const ProgramFile& file) {
    std::error_code problem;
    const auto real = std::filesystem::canonical(file.path, problem).filename().string();
    const auto& name = file.is_script ? file.interpreter : real;
    if (name == "node" || name == "nodejs") {
        // Without the others it leaves a log in the working directory, but they may not be in NODE_OPTIONS.
        if (!file.is_script)
            return PerfMapSwitch{.options = {"--perf-basic-prof", "--logfile=+", "--no-logfile-per-isolate"}};
        const auto given = environment("NODE_OPTIONS").value_or("");
        return PerfMapSwitch{
            .environment = {"NODE_OPTIONS=" + given + (given.empty() ? "" : " ") + "--perf-basic-prof"}};
    }
    if (name.starts_with("php") && !file.is_script)
        return PerfMapSwitch{.options = {"-dopcache.jit_debug=0x10"}};
    if (number_after(name, "python3.") >= 12) return PerfMapSwitch{.environment = {"PYTHONPERFSUPPORT=1"}};
    if (name == "dotnet") return PerfMapSwitch{.environment = {"DOTNET_PerfMapEnabled=1"}};
    return std::nullopt;
}

std::string perf_map_of(pid_t process) { return "/tmp/perf-" + std::to_string(process) + ".map"; }

}  // namespace callcost::program
