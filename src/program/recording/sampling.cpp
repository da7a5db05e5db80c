#include "recording/sampling.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "recording/foreground_process.hpp"
#include "recording/log_directory.hpp"
#include "recording/program_file.hpp"
#include "sources/program.hpp"
#include "text/names.hpp"
#include "text/shell.hpp"

namespace callcost::program {
namespace {

namespace fs = std::filesystem;

std::string first_line_of(std::string_view text) {
    for (const std::string_view title : {"Error:\n", "WARNING: "})
        if (text.starts_with(title)) text.remove_prefix(title.size());
    return engine::display_line(text.substr(0, text.find('\n')));
}

}  // namespace

SamplingProblem understand_perf_errors(std::string_view errors, std::string_view paranoid) {
    while (!paranoid.empty() && paranoid.back() == '\n') paranoid.remove_suffix(1);
    if (errors.find("perf_event_paranoid") != std::string_view::npos)
        return {
            fmt::format("the kernel does not let you take samples (kernel.perf_event_paranoid is {})",
                        paranoid.empty() ? "unknown" : engine::display_line(paranoid)),
            "as root: 'sysctl kernel.perf_event_paranoid=2', or 1 for the kernel's part, too; a container "
            "needs the capability PERFMON"};
    if (errors.find("WARNING: perf not found for kernel") != std::string_view::npos)
        return {"perf is not installed for this kernel",
                "install its package, such as linux-tools-$(uname -r)"};
    const auto line = first_line_of(errors);
    return {"perf cannot take samples here" + (line.empty() ? line : ": " + line), {}};
}

std::optional<SamplingProblem> try_sampling(const Recording& recording) {
    if (inspect_program("perf").cannot_run != CannotRun::no)
        return SamplingProblem{"perf is not installed, or not in PATH",
                               "its package is called linux-perf ('apt install linux-perf' on Debian)"};
    const auto directory = LogDirectory::create();
    if (!directory)
        return SamplingProblem{fmt::format("no directory for temporary files: {}", std::strerror(errno)), {}};
    const auto attempt =
        run_program(perf_command(recording, directory->prefix() + "perf.data", {"true"}), {});
    if (!attempt) return SamplingProblem{fmt::format("perf: {}", std::strerror(attempt.error())), {}};
    if (!attempt->has_failed) return std::nullopt;
    return understand_perf_errors(attempt->errors, beginning_of("/proc/sys/kernel/perf_event_paranoid"));
}

bool write_samples(const std::string& data, const std::string& file, const std::vector<std::string>& program,
                   std::string& problem) {
    std::error_code ignored;
    if (fs::file_size(data, ignored) == 0 || ignored) return false;
    const auto errors = data + ".errors";
    const auto heading = fmt::format("# cmdline : {}\n", engine::display_line(engine::quoted(program)));
    {
        std::ofstream text(file, std::ios::binary | std::ios::trunc);
        if (!(text << heading << std::flush)) {
            problem = fmt::format("{}: {}", engine::display_name(file), std::strerror(errno));
            return false;
        }
    }
    // What was inlined takes perf minutes to find out.
    const auto ended = run_in_foreground(
        {"perf", "script", "--no-inline", "-F", "comm,pid,tid,time,period,event,ip,sym,dso", "-i", data}, {},
        {.output = file, .errors = errors});
    const bool has_failed = !ended || ended->exit_status != 0;
    if (has_failed) problem = "perf script: " + first_line_of(beginning_of(errors));
    if (!has_failed && fs::file_size(file, ignored) > heading.size()) return true;
    fs::remove(file, ignored);
    return false;
}

bool lacks_callers(std::istream& samples) {
    std::size_t single = 0, all = 0, frames = 0;
    std::string line;
    const auto end_sample = [&] {
        if (frames > 0) ++all;
        if (frames == 1) ++single;
        frames = 0;
    };
    while (std::getline(samples, line)) {
        const auto address = line.find_first_not_of(" \t");
        if (address == std::string::npos || address == 0) {
            end_sample();
        } else if (!line.substr(address).starts_with("ffffffff") &&  // the kernel's, which has frame pointers
                   line.find("[unknown]") == std::string::npos) {
            ++frames;
        }
    }
    end_sample();
    return 2 * single > all;
}

}  // namespace callcost::program
