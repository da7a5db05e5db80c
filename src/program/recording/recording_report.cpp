#include "recording/recording_report.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "text/names.hpp"
#include "text/shell.hpp"

namespace callcost::program {
namespace {

using engine::display_name;

constexpr int cannot_be_executed = 126;
constexpr int not_found = 127;
constexpr int not_recorded = 125;

std::string signal_name(int signal) {
    const char* const name = ::sigabbrev_np(signal);
    return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

/// The first few of them.
std::string listed(const std::vector<std::string>& texts) {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(texts.size(), most); ++i) text += (i > 0 ? ", " : "") + texts[i];
    return texts.size() > most ? text + fmt::format(", and {} more", texts.size() - most) : text;
}

std::string processes(std::size_t count) {
    return count == 1 ? "1 process" : fmt::format("{} processes", count);
}

void print_messages(const ValgrindLog& log, const Console& console) {
    for (std::string_view rest = log.messages; !rest.empty();) {
        const auto line = rest.substr(0, rest.find('\n'));
        console.print_error(engine::display_line(line) + '\n');
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
}

void report_script(const Script& script, const Console& console) {
    const auto& profiler = profiler_of(script.language);
    console.say(Severity::note,
                fmt::format("{} is a script in {}: {} records its functions", display_name(script.path),
                            profiler.language, profiler.name),
                fmt::format("{}; --interpreter records its interpreter under Callgrind", profiler.tells));
}

/// What records the functions of a program that is interpreted.
std::string advice_on_functions(const ProgramFile& file, const Recording& recording,
                                const std::string& script) {
    if (!script.empty())
        return fmt::format("{} records its functions, by a profiler of the language",
                           engine::quoted_command({"callcost", "record", script}));
    if (file.is_script && recording.interpreter)
        return "without --interpreter a profiler of the language records its functions, for some languages";
    return "a profiler of the language records its functions; callcost reads many of them";
}

void report_interpreter(const ProgramFile& file, const Recording& recording, const std::string& script,
                        const Console& console) {
    const auto name = display_name(file.interpreter);
    const auto is_shell = file.kind == InterpreterKind::shell;
    const bool has_children = recording.children || recording.tool == RecordingTool::perf;
    if (is_shell && has_children) return;
    console.say(Severity::note,
                file.is_script
                    ? fmt::format("{} is a script: the profile is of {}, which interprets it",
                                  display_name(file.path), name)
                    : fmt::format("{} is an interpreter: the profile is of {}, not of what it interprets",
                                  name, name),
                is_shell ? "--children also records the programs that it starts"
                         : advice_on_functions(file, recording, script));
    auto told = recording.environment;
    told.insert(told.end(), recording.options.begin(), recording.options.end());
    if (!told.empty())
        console.say(Severity::note, fmt::format("{} is told to name the code that it compiles: {}", name,
                                                display_name(engine::quoted(told))));
}

void report_end(const RecordedRun& run, const Recording& recording, const Console& console) {
    const auto& ended = run.ended;
    if (ended.was_killed) {
        console.say(Severity::warning,
                    fmt::format("killed by the second interrupt: the profile has what {} had until then",
                                name_of(recording.tool)));
    } else if (ended.signal == SIGINT && ended.was_interrupted) {
        console.say(Severity::note, "interrupted: the profile ends there");
    } else if (ended.signal != 0) {
        console.say(Severity::warning, fmt::format("the program was killed by {}: the profile ends there",
                                                   signal_name(ended.signal)));
    }
}

void report_valgrind_limits(const ValgrindLog& log, const Console& console) {
    const auto valgrind =
        log.version.empty() ? "this Valgrind" : fmt::format("this Valgrind ({})", display_name(log.version));
    if (!log.unknown_instruction.empty())
        console.say(Severity::warning,
                    fmt::format("{} does not know an instruction of the program, which got SIGILL ({})",
                                valgrind, display_name(log.unknown_instruction)),
                    "compile without -march=native, or use a newer Valgrind");
    if (const auto& calls = log.unknown_system_calls; !calls.empty())
        console.say(Severity::warning,
                    fmt::format("{} does not know system call{} {}: the program was told that there is none",
                                valgrind, calls.size() == 1 ? "" : "s", fmt::join(calls, ", ")),
                    "what the program does instead is recorded; a newer Valgrind may know it");
}

/// Whether one of those with a profile does not run another program than its parent, whose costs it has, too.
bool has_forked(const RecordedRun& run) {
    return std::any_of(run.children.begin(), run.children.end(), [&](const auto& child) {
        const auto log = run.logs.find(child.first);
        if (log == run.logs.end()) return false;
        const auto parent = run.logs.find(static_cast<pid_t>(log->second.parent));
        return parent != run.logs.end() && parent->second.command == log->second.command;
    });
}

void report_children(const RecordedRun& run, const Recording& recording, const Console& console) {
    std::vector<std::string> names;
    for (const auto& [process, files] : run.children)
        for (const auto& file : files) names.push_back(display_name(file));
    if (!run.children.empty()) {
        const auto hint = has_forked(run) ? "the costs of a forked process include those of its parent "
                                            "before the fork, which count again in a sum"
                                          : "";
        console.say(Severity::note,
                    recording.children ? fmt::format("added up with {} started by the program: {}",
                                                     processes(run.children.size()), listed(names))
                                       : fmt::format("not included: {} forked by the program: {}",
                                                     processes(run.children.size()), listed(names)),
                    hint);
    }
    std::size_t replaced = 0;
    for (const auto& [process, log] : run.logs)
        if (process != run.ended.process && !run.children.contains(process) &&
            std::find(run.running.begin(), run.running.end(), process) == run.running.end())
            ++replaced;
    if (replaced > 0 && !recording.children)
        console.say(Severity::note,
                    fmt::format("not recorded: {} in which the program started others", processes(replaced)),
                    "--children records them, too");
    if (replaced > 0 && recording.children)
        console.say(Severity::warning, fmt::format("{} left no profile", processes(replaced)));
    if (!run.running.empty()) {
        names.clear();
        for (const pid_t process : run.running)
            names.push_back(display_name(recording.output + std::to_string(process)));
        console.say(Severity::warning,
                    fmt::format("{} started by the program still run{}: {} written when {}",
                                processes(run.running.size()), run.running.size() == 1 ? "s" : "",
                                listed(names) + (run.running.size() == 1 ? " is" : " are"),
                                run.running.size() == 1 ? "it ends" : "they end"));
    }
}

/// In none of the processes whose profiles are shown.
bool has_recorded_nothing(const RecordedRun& run, const Recording& recording) {
    if (run.log().cost != 0U) return false;
    return !recording.children ||
           std::all_of(run.children.begin(), run.children.end(), [&](const auto& child) {
               const auto log = run.logs.find(child.first);
               return log != run.logs.end() && log->second.cost == 0U;
           });
}

int report_nothing_recorded(const RecordedRun& run, const Recording& recording, const Console& console) {
    if (!recording.only.empty() || !recording.zero_before.empty()) {
        const auto& functions = recording.only.empty() ? recording.zero_before : recording.only;
        std::vector<std::string> names;
        names.reserve(functions.size());
        for (const auto& function : functions) names.push_back(fmt::format("'{}'", display_name(function)));
        console.say(
            Severity::error, fmt::format("nothing was recorded: no call of {}", listed(names)),
            fmt::format("{} needs the whole name of a function that is called, or a pattern with * and "
                        "?; without it all functions are recorded and listed",
                        recording.only.empty() ? "--zero-before" : "--only"));
    } else {
        console.say(Severity::error,
                    recording.starts_off ? "nothing was recorded: instrumentation was never switched on"
                                         : "nothing was recorded",
                    recording.starts_off ? "'callgrind_control -i on' does that while the program runs" : "");
    }
    return run.ended.exit_status != 0 ? run.ended.exit_status : 1;
}

int report_missing_samples(const RecordedRun& run, const Console& console) {
    if (!run.tool_problem.empty()) {
        console.say(Severity::error, run.tool_problem);
    } else {
        console.say(Severity::error, "there are no samples: the program has hardly used the processor",
                    "without --sample every instruction is counted");
    }
    return run.ended.exit_status != 0 ? run.ended.exit_status : 1;
}

int report_missing_profile_of_script(const RecordedRun& run, const Script& script, const Console& console) {
    const auto& profiler = profiler_of(script.language);
    const auto& ended = run.ended;
    console.say(
        Severity::error,
        run.tool_problem.empty() ? fmt::format("{} left no profile", profiler.name) : run.tool_problem,
        ended.exit_status != 0 && ended.signal == 0
            ? fmt::format("the script ended with status {} before it left a profile", ended.exit_status)
            : "it writes one when the program ends by itself, not by a signal");
    return run.ended.exit_status != 0 ? run.ended.exit_status : 1;
}

}  // namespace

int refuse_program(const ProgramFile& file, const std::string& name, const std::string& hint,
                   const Console& console) {
    const auto refuse = [&](int status, std::string_view why, std::string_view what_to_do = {}) {
        console.say(Severity::error, fmt::format("{}: {}", display_name(name), why), what_to_do);
        return status;
    };
    const auto is_directory = [](const std::string& path) {
        std::error_code ignored;
        return std::filesystem::is_directory(path, ignored);
    };
    switch (file.cannot_run) {
        case CannotRun::no:
            return 0;
        case CannotRun::not_found:
            return is_directory(name) ? refuse(cannot_be_executed, "is a directory")
                                      : refuse(not_found, "no such program", hint);
        case CannotRun::not_executable:
            return refuse(cannot_be_executed,
                          is_directory(file.path) ? "is a directory" : "cannot be executed");
        case CannotRun::no_interpreter:
            return refuse(cannot_be_executed, "there is no such interpreter as its first line names");
        case CannotRun::privileged:
            return refuse(cannot_be_executed,
                          "Valgrind does not run programs with setuid, setgid or capabilities",
                          "record a copy without them (cp does not keep them), as a user who has the rights");
    }
    return 0;
}

void announce_limits(const ProgramFile& file, const Recording& recording,
                     const std::vector<std::string>& program, const Console& console) {
    if (recording.script) return report_script(*recording.script, console);
    if (file.kind != InterpreterKind::none) {
        report_interpreter(file, recording, script_among(program, recording.directory), console);
    } else if (!file.has_symbols) {
        console.say(
            Severity::note,
            fmt::format("{} has no symbols: most of its functions have no names", display_name(file.path)),
            "compile it with -g and do not strip it");
    } else if (!file.has_lines) {
        console.say(
            Severity::note,
            fmt::format("{} has no debug information: no source files and lines", display_name(file.path)),
            "compile it with -g");
    }
    if (file.is_static && file.kind == InterpreterKind::none)
        console.say(Severity::note,
                    fmt::format("{} is linked statically: libraries are part of it", display_name(file.path)),
                    "link it dynamically to see the cost of each library");
    if (recording.starts_off)
        console.say(Severity::note, "nothing is recorded until instrumentation is switched on",
                    "'callgrind_control -i on' does that, and 'callgrind_control -i off' ends it");
}

int report_run(const RecordedRun& run, const Recording& recording, const Console& console) {
    report_end(run, recording, console);
    report_valgrind_limits(run.log(), console);
    report_children(run, recording, console);
    if (recording.tool == RecordingTool::perf)
        console.say(Severity::note,
                    "costs are samples, not counts: they are estimates, and differ from run to run",
                    "without --sample every instruction is counted, which takes longer");
    if (run.lacks_callers)
        console.say(
            Severity::note,
            "most samples have no callers: perf finds them by frame pointers, which the program lacks",
            recording.more_perf.empty()
                ? "--perf='--call-graph dwarf' needs none; or compile with -fno-omit-frame-pointer"
                : "compile with -fno-omit-frame-pointer");
    return has_recorded_nothing(run, recording) ? report_nothing_recorded(run, recording, console) : 0;
}

int report_missing_profile(const RecordedRun& run, const Recording& recording, const Console& console) {
    if (recording.tool == RecordingTool::perf) return report_missing_samples(run, console);
    if (recording.script) return report_missing_profile_of_script(run, *recording.script, console);
    const auto tool = name_of(recording.tool);
    const auto& ended = run.ended;
    if (!run.has_begun()) {  // Valgrind has said why
        console.say(Severity::error, "Valgrind did not run the program");
        const bool is_known = ended.exit_status == cannot_be_executed || ended.exit_status == not_found;
        return is_known || ended.signal != 0 ? ended.exit_status : not_recorded;
    }
    const auto log = run.log();
    report_valgrind_limits(log, console);
    if (log.cannot_write) {
        console.say(Severity::error, fmt::format("{} cannot write its file", tool));
    } else if (ended.signal == SIGKILL) {
        console.say(Severity::error,
                    fmt::format("the program was killed by SIGKILL before {} could write a profile", tool),
                    recording.tool == RecordingTool::callgrind
                        ? "--valgrind=--dump-every-bb=100000000 writes one from time to time"
                        : "");
    } else {
        // Whoever calls exec becomes a program that is not recorded.
        const bool may_be_another = !log.has_crashed && !recording.children;
        console.say(Severity::error, log.has_crashed ? "Valgrind failed" : "no profile was written",
                    may_be_another ? "if the program becomes another one, as wrapper scripts do, --children "
                                     "records that"
                                   : "");
    }
    if (ended.signal != SIGKILL) print_messages(log, console);
    if (ended.exit_status != 0 && !log.cannot_write) return ended.exit_status;
    return log.cannot_write ? not_recorded : 1;
}

}  // namespace callcost::program
