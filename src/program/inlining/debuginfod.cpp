#include "inlining/debuginfod.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

#include <sys/stat.h>

#include "sources/program.hpp"

namespace callcost::program {
namespace {

/// What debuginfod-find says after "Server query failed: "; nothing if the servers do not have the file.
std::string reason_of_failure(std::string_view errors) {
    constexpr std::string_view words = "query failed: ";
    const auto begin = errors.find(words);
    if (begin == std::string_view::npos) return {};
    const auto reason = errors.substr(begin + words.size());
    std::string text(reason.substr(0, reason.find('\n')));
    std::erase_if(text, [](char c) { return c < ' ' || c > '~'; });
    return text == "No such file or directory" ? std::string() : text;
}

}  // namespace

std::string Debuginfod::debug_file(const std::string& build_id) {
    if (is_over_) return {};
    const char* const servers = std::getenv("DEBUGINFOD_URLS");
    if (servers == nullptr || *servers == '\0') return {};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
    const auto give_up = [&](std::string problem, std::string hint) {
        is_over_ = true;
        problem_ = std::move(problem);
        hint_ = std::move(hint);
        return std::string();
    };
    if (left.count() <= 0) return give_up("its servers take too long", {});
    const auto output = run_program(
        {"debuginfod-find", "debuginfo", build_id},
        {.max_bytes = 1U << 16U, .max_time = left, .variables = {std::string("DEBUGINFOD_URLS=") + servers}});
    if (!output)
        return give_up("debuginfod-find cannot be run",
                       "its package is called debuginfod ('apt install debuginfod' on Debian)");
    if (output->was_stopped) return give_up("its servers take too long", {});
    if (const auto reason = reason_of_failure(output->errors);
        !reason.empty()) {  // another file may be there
        problem_ = "a server does not answer: " + reason;
        hint_ = "see whether DEBUGINFOD_URLS has its address, and whether it can be reached";
    }
    auto path = output->text.substr(0, output->text.find('\n'));
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) ? path : std::string();
}

}  // namespace callcost::program
