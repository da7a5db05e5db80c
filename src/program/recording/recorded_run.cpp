#include "recording/recorded_run.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "recording/log_directory.hpp"
#include "recording/recording_status.hpp"
#include "recording/running_callgrind.hpp"
#include "recording/sampling.hpp"
#include "recording/written_files.hpp"

namespace callcost::program {
namespace {

/// What all tools have in common: the program in the foreground, and the status line.
tl::expected<EndedProcess, std::string> run_tool(const std::vector<std::string>& command,
                                                 const Recording& recording, const LogDirectory& logs,
                                                 const Console& console, const RunWatch& others) {
    ForegroundWatch watch;
    watch.on_begin = others.on_begin;
    RecordingStatus status(console);
    if (status.is_shown()) watch.on_tick = [&] { status.show(logs.running().size()); };
    if (console.err_is_terminal)
        watch.on_waiting = [&] {
            console.say(Severity::note, "waiting for the program to end", "press Ctrl-C again to kill it");
        };
    if (recording.tool == RecordingTool::callgrind)
        watch.on_second_interrupt = [](pid_t process) {
            (void)control(process, MonitorCommand::dump);  // whether it succeeds is seen by the file
        };
    const auto ended = run_in_foreground(command, watch, {.directory = recording.directory});
    if (!ended) return tl::unexpected(fmt::format("{}: {}", command.front(), std::strerror(ended.error())));
    return *ended;
}

void add_valgrind_files(RecordedRun& run, const Recording& recording, LogDirectory& logs) {
    run.logs = logs.logs();
    run.running = logs.running();
    const auto own = run.ended.process;
    std::vector<pid_t> processes{own};
    for (const auto& [process, log] : run.logs)
        if (std::find(run.running.begin(), run.running.end(), process) == run.running.end())
            processes.push_back(process);
    auto files = written_files(recording.output, processes);
    run.files = std::exchange(files[own], {});
    files.erase(own);
    run.children = std::move(files);
    std::erase(run.running, own);
    if (!run.running.empty() && recording.children) logs.keep();
}

std::vector<std::string> command_of(const Recording& recording, const std::string& place,
                                    const std::string& data, const std::vector<std::string>& program) {
    if (recording.script) return profiler_command(*recording.script, place, program);
    return recording.tool == RecordingTool::perf ? perf_command(recording, data, program)
                                                 : valgrind_command(recording, place, program);
}

}  // namespace

tl::expected<RecordedRun, std::string> record_run(const Recording& recording,
                                                  const std::vector<std::string>& program,
                                                  const Console& console, const RunWatch& others) {
    auto logs = LogDirectory::create();
    if (!logs)
        return tl::unexpected(fmt::format("no directory for temporary files: {}", std::strerror(errno)));
    const bool samples = recording.tool == RecordingTool::perf;
    const auto data = logs->prefix() + "perf.data";
    if (recording.script && !prepare_profiler(*recording.script, logs->prefix()))
        return tl::unexpected(fmt::format("{}: {}", logs->prefix(), std::strerror(errno)));
    const auto ended =
        run_tool(command_of(recording, logs->prefix(), data, program), recording, *logs, console, others);
    if (!ended) return tl::unexpected(ended.error());
    if (others.on_end) others.on_end();
    RecordedRun run;
    run.ended = *ended;
    const auto base = recording.output + std::to_string(ended->process);
    if (recording.script) {
        run.files = take_profiles(*recording.script, logs->prefix(), ended->process, base, run.tool_problem);
    } else if (!samples) {
        add_valgrind_files(run, recording, *logs);
    } else if (write_samples(data, base, program, run.tool_problem)) {
        std::ifstream text(base);
        run.lacks_callers = lacks_callers(text);
        run.files.push_back(base);
    }
    return run;
}

}  // namespace callcost::program
