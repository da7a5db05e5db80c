#include "recording/perf_map_switch.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "sources/elf_file.hpp"
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

bool is_node(const std::string& path) {
    constexpr std::array<std::string_view, 3> symbols{"_ZN2v8", "_ZN4node5Start", "napi_"};
    return has_dynamic_symbol(path, symbols);
}

/// "php" or "php8.2"
bool is_name_of_php(std::string_view name) {
    return name.starts_with("php") && name.find_first_not_of("0123456789.", 3) == std::string_view::npos;
}

bool is_php(const std::string& path) {
    constexpr std::array<std::string_view, 2> symbols{"zend_", "php_"};
    return has_dynamic_symbol(path, symbols);
}

}  // namespace

std::optional<PerfMapSwitch> perf_map_switch(const ProgramFile& file) {
    std::error_code problem;
    const auto path = std::filesystem::canonical(file.path, problem);
    const auto name = file.is_script ? file.interpreter : path.filename().string();
    if (name == "node" || name == "nodejs") {
        // Without the others it leaves a log in the working directory, but they may not be in NODE_OPTIONS.
        if (!file.is_script && !is_node(path.string())) return std::nullopt;
        if (!file.is_script)
            return PerfMapSwitch{.options = {"--perf-basic-prof", "--logfile=+", "--no-logfile-per-isolate"}};
        const auto given = environment("NODE_OPTIONS").value_or("");
        return PerfMapSwitch{
            .environment = {"NODE_OPTIONS=" + given + (given.empty() ? "" : " ") + "--perf-basic-prof"}};
    }
    if (!file.is_script && is_name_of_php(name) && is_php(path.string()))
        return PerfMapSwitch{.options = {"-dopcache.jit_debug=0x10"}};
    if (number_after(name, "python3.") >= 12) return PerfMapSwitch{.environment = {"PYTHONPERFSUPPORT=1"}};
    if (name == "dotnet") return PerfMapSwitch{.environment = {"DOTNET_PerfMapEnabled=1"}};
    return std::nullopt;
}

std::string perf_map_of(pid_t process) { return "/tmp/perf-" + std::to_string(process) + ".map"; }

}  // namespace callcost::program
