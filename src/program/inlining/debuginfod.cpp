#include "inlining/debuginfod.hpp"

#include <cstdlib>

#include <sys/stat.h>

#include "sources/program.hpp"

namespace callcost::program {

std::string Debuginfod::debug_file(const std::string& build_id) {
    if (!problem_.empty()) return {};
    const char* const servers = std::getenv("DEBUGINFOD_URLS");
    if (servers == nullptr || *servers == '\0') return {};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
        problem_ = "its servers take too long";
        return {};
    }
    const auto output = run_program(
        {"debuginfod-find", "debuginfo", build_id},
        {.max_bytes = 1U << 16U, .max_time = left, .variables = {std::string("DEBUGINFOD_URLS=") + servers}});
    if (!output) {
        problem_ = "debuginfod-find cannot be run";
        hint_ = "its package is called debuginfod ('apt install debuginfod' on Debian)";
        return {};
    }
    auto path = output->text.substr(0, output->text.find('\n'));
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) ? path : std::string();
}

}  // namespace callcost::program
