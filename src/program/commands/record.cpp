#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands/commands.hpp"
#include "recording_reports/recording_report.hpp"
#include "recording_reports/run_variation.hpp"
#include "loading/preparation.hpp"
#include "recording/dump_request.hpp"
#include "recording/log_directory.hpp"
#include "recording/recording_status.hpp"
#include "recording/written_files.hpp"
#include "terminal/output.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

struct RecordOptions {
    Recording recording;
    std::vector<std::string> program;  ///< and its arguments
    std::string output;                ///< empty: as the tool names it
    bool only_prints = false;
    bool opens_page = false;
    std::size_t runs = 1;
    ComparisonOptions comparison;
    OutputOptions messages;
};

using engine::display_name;

/// Of what fails before the program runs, as env, nohup and timeout have it.
constexpr int failed_before = 125;

int fail_before(const Console& console, const std::string& text, const std::string& hint = {}) {
    console.say(Severity::error, text, hint);
    return failed_before;
}

// --- before it runs ---------------------------------------------------------------------------------------

/// What the names of the tool's files begin with, before the process.
std::string prefix_of(const RecordOptions& options) {
    if (!options.output.empty()) return options.output + ".";
    return options.recording.tool == RecordingTool::callgrind ? "callgrind.out." : "cachegrind.out.";
}

/// The program, by its path where Valgrind would take the name for an option.
std::vector<std::string> program_words(const RecordOptions& options, const ProgramFile& file) {
    auto words = options.program;
    if (words.front().starts_with('-') && !file.path.empty()) words.front() = file.path;
    return words;
}

int print_command(const RecordOptions& options, const ProgramFile& file, const Console& console) {
    Output output(console);
    output.text() = quoted(valgrind_command(options.recording, {}, program_words(options, file))) + '\n';
    return output.finish() ? 0 : failed_before;
}

/// Then a gate would compare the new profile with itself.
bool replaces_compared(const RecordOptions& options) {
    const auto& files = options.comparison.before;
    return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
        std::error_code ignored;
        return std::filesystem::equivalent(file, options.output, ignored);
    });
}

/// What would fail after a run that may take long.
int check_surroundings(const RecordOptions& options, const Console& console) {
    if (inspect_program("valgrind").cannot_run != CannotRun::no)
        return fail_before(console, "Valgrind is not installed, or not in PATH",
                           "its package is called valgrind ('apt install valgrind' on Debian)");
    const auto directory = std::filesystem::path(options.recording.output).parent_path().string();
    if (::access(directory.empty() ? "." : directory.c_str(), W_OK | X_OK) != 0)
        return fail_before(
            console,
            fmt::format("{}: {}", display_name(directory.empty() ? "." : directory), std::strerror(errno)),
            "-o FILE names a file elsewhere");
    std::error_code ignored;
    if (std::filesystem::is_directory(options.output, ignored))
        return fail_before(console, fmt::format("-o {}: is a directory", display_name(options.output)));
    if (replaces_compared(options))
        return fail_before(
            console, fmt::format("-o {} would replace the file of --compare", display_name(options.output)));
    for (const auto& file : options.comparison.before)
        if (::access(file.c_str(), R_OK) != 0)
            return fail_before(console,
                               fmt::format("--compare {}: {}", display_name(file), std::strerror(errno)));
    return are_rules_valid(options.comparison, console) ? 0 : failed_before;
}

// --- a run ------------------------------------------------------------------------------------------------

/// Of the profile of a run; further ones have a number.
std::string output_name(const RecordOptions& options, std::size_t run) {
    return run == 0 ? options.output : fmt::format("{}.run{}", options.output, run + 1);
}

tl::expected<RecordedRun, int> record_once(const RecordOptions& options, const ProgramFile& file,
                                           std::size_t number, const Console& console) {
    auto logs = LogDirectory::create();
    if (!logs)
        return tl::unexpected(
            fail_before(console, fmt::format("no directory for temporary files: {}", std::strerror(errno))));
    ForegroundWatch watch;
    std::optional<RecordingStatus> status(std::in_place, console);
    if (status->is_shown()) watch.on_tick = [&] { status->show(logs->running().size()); };
    if (console.err_is_terminal)
        watch.on_waiting = [&] {
            console.say(Severity::note, "waiting for the program to end", "press Ctrl-C again to kill it");
        };
    if (options.recording.tool == RecordingTool::callgrind) watch.on_second_interrupt = request_dump;
    const auto command = valgrind_command(options.recording, logs->prefix(), program_words(options, file));
    const auto ended = run_in_foreground(command, watch);
    status.reset();
    if (!ended)
        return tl::unexpected(
            fail_before(console, fmt::format("valgrind: {}", std::strerror(ended.error()))));

    RecordedRun run;
    run.ended = *ended;
    run.logs = logs->logs();
    run.running = logs->running();
    std::vector<pid_t> processes{ended->process};
    for (const auto& [process, log] : run.logs)
        if (std::find(run.running.begin(), run.running.end(), process) == run.running.end())
            processes.push_back(process);
    auto files = written_files(options.recording.output, processes);
    run.files = std::exchange(files[ended->process], {});
    files.erase(ended->process);
    run.children = std::move(files);
    std::erase(run.running, ended->process);
    if (!run.running.empty() && options.recording.children) logs->keep();
    if (!options.output.empty()) {
        const auto problem =
            rename_files(run.files, options.recording.output, ended->process, output_name(options, number));
        if (!problem.empty())
            console.say(Severity::warning,
                        fmt::format("{}: {}; the profile is {}", display_name(options.output), problem,
                                    display_name(run.files.front())));
    }
    return run;
}

/// Standard input, from where it is now, as often as the program reads it.
class RepeatedInput {
  public:
    RepeatedInput() : begin_(::lseek(STDIN_FILENO, 0, SEEK_CUR)) {}

    void rewind() const {
        if (begin_ >= 0) (void)::lseek(STDIN_FILENO, begin_, SEEK_SET);
    }
    [[nodiscard]] static bool is_pipe() {
        struct stat status {};
        return ::fstat(STDIN_FILENO, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
    }

  private:
    off_t begin_;
};

// --- afterwards -------------------------------------------------------------------------------------------

/// Standard output is the program's. On a terminal ours may follow.
void leave_standard_output() {
    (void)std::fflush(stdout);
    if (::isatty(STDOUT_FILENO) == 0) (void)::dup2(STDERR_FILENO, STDOUT_FILENO);
}

/// The program's files, with --children those of all processes.
std::vector<std::string> recorded_files(const RecordedRun& run, const RecordOptions& options) {
    auto files = run.files;
    if (options.recording.children)
        for (const auto& [process, more] : run.children) files.insert(files.end(), more.begin(), more.end());
    return files;
}

int show_profile(const std::vector<std::string>& files, const Console& console) {
    constexpr std::size_t functions = 10;
    InputOptions input;
    input.files = files;
    const auto advice = files.size() == 1
                            ? fmt::format("callcost {} --limit 0 lists all", display_name(files.front()))
                            : "callcost FILE... --limit 0 lists all";
    return show_functions(input, functions, {advice, "callcost --limit 0"}, console);
}

/// By the event type that the first run is shown by.
int show_variation(const std::vector<RecordedRun>& runs, const RecordOptions& options,
                   const Console& console) {
    RunVariation variation;
    MeasureOptions measure;
    measure.is_noted = false;
    for (const auto& run : runs) {
        InputOptions input;
        input.files = recorded_files(run, options);
        const auto prepared = prepare(input, measure, console, least_detail(input.selection));
        if (!prepared) return status(prepared.error());
        measure.event = prepared->measure.name;
        variation.add(prepared->graph, prepared->measure);
    }
    Output output(console);
    output.text() = "\n";
    variation.write(output.text(), console.out);
    return status(output.finish() ? Exit::ok : Exit::error);
}

/// The program's exit status comes first; only if it succeeded, ours counts.
int answer(const std::vector<RecordedRun>& runs, const RecordOptions& options, const Console& console) {
    const auto& run = runs.front();
    const auto files = recorded_files(run, options);
    const int program_status = runs.back().ended.exit_status;
    int status = show_profile(files, console);
    if (runs.size() > 1) status = std::max(status, show_variation(runs, options, console));
    if (!options.comparison.before.empty() && program_status == 0 && status == 0) {
        auto comparison = options.comparison;
        comparison.after = files;
        Output gap(console);
        gap.text() = "\n";
        if (!gap.finish()) return program_status;
        status = compare_profiles(comparison, console);
    }
    if (program_status != 0) status = program_status;
    if (!options.opens_page) return status;
    const int problem = view_profile(files, status, console);  // returns only if there is one
    return status != 0 ? status : problem;
}

int run_record(const RecordOptions& given, const Console& before) {
    auto options = given;
    options.recording.output = prefix_of(options);
    const auto file = inspect_program(options.program.front());
    if (options.only_prints) return print_command(options, file, before);
    if (const int status = refuse_program(file, options.program.front(), before); status != 0) return status;
    if (const int status = check_surroundings(options, before); status != 0) return status;
    announce_limits(file, options.recording, before);
    if (options.runs > 1 && RepeatedInput::is_pipe())
        before.say(Severity::warning, "standard input is a pipe: only the first run can read it");

    const RepeatedInput input;
    std::vector<RecordedRun> runs;
    while (runs.size() < options.runs) {
        input.rewind();
        auto run = record_once(options, file, runs.size(), before);
        if (!run) return run.error();
        runs.push_back(*std::move(run));
        if (runs.back().files.empty() || runs.back().ended.exit_status != 0) break;
    }
    leave_standard_output();
    auto console = open_console(options.messages);
    console.may_page = false;  // it would hide one part of the answer behind the other
    if (runs.back().files.empty()) return report_missing_profile(runs.back(), options.recording, console);
    report_run(runs.front(), options.recording, console);
    if (runs.size() < options.runs)
        console.say(Severity::warning, fmt::format("not repeated: run {} of {} failed with exit status {}",
                                                   runs.size(), options.runs, runs.back().ended.exit_status));
    return answer(runs, options, console);
}

// --- options ----------------------------------------------------------------------------------------------

void declare_recording(CommandLine& line, Recording& recording) {
    line.heading("Recording");
    line.flag("--cache", "simulate caches", recording.cache);
    line.flag("--branches", "simulate branch prediction", recording.branches);
    line.flag("--lines", "record source lines only, without instructions and jumps", recording.lines);
    line.number("--callers", "keep functions apart by their last N callers", recording.callers);
    line.flag("--threads", "record each thread on its own", recording.threads);
    line.flag("--children", "also record the programs that the program starts", recording.children);
    line.list("--only", "FUNCTION", "record only calls of FUNCTION; may be repeated", recording.only);
    line.list("--from", "FUNCTION", "discard costs before the last call of FUNCTION; may be repeated",
              recording.from);
    line.choice<bool>("--start", "WHEN",
                      "record from the start: on (default) or off, until callgrind_control -i on",
                      {{"on", false}, {"off", true}}, recording.starts_off);
    line.choice<RecordingTool>(
        "--tool", "TOOL", "record with callgrind (default) or cachegrind",
        {{"callgrind", RecordingTool::callgrind}, {"cachegrind", RecordingTool::cachegrind}}, recording.tool);
    line.values("--valgrind", "OPTIONS", "pass these options to Valgrind; quotes are honored",
                [&recording](const std::string& text) {
                    auto words = unquoted_words(text);
                    if (!words) throw UsageError(fmt::format("--valgrind {}: a quote is not closed", text));
                    recording.more.insert(recording.more.end(), words->begin(), words->end());
                });
}

void check_recording(const Recording& recording) {
    const auto& words = recording.more;
    if (const auto word = std::find_if(words.begin(), words.end(),
                                       [](const std::string& each) { return !each.starts_with('-'); });
        word != words.end())
        throw UsageError(fmt::format("--valgrind needs options, not '{}'", *word));
    if (const auto option = reserved_option(words); !option.empty())
        throw UsageError(fmt::format("--valgrind cannot have {}", option),
                         "-o and --tool decide where the profile is");
    if (recording.starts_off && !recording.from.empty())
        throw UsageError("--start off cannot be combined with --from");
    if (recording.tool == RecordingTool::callgrind) return;
    const auto refuse = [](bool is_given, std::string_view option) {
        if (is_given)
            throw UsageError(fmt::format("{} cannot be combined with --tool cachegrind", option),
                             "Cachegrind counts by source line only, without calls");
    };
    refuse(recording.lines, "--lines");
    refuse(recording.callers.has_value(), "--callers");
    refuse(recording.threads, "--threads");
    refuse(!recording.only.empty(), "--only");
    refuse(!recording.from.empty(), "--from");
    refuse(recording.starts_off, "--start off");
}

void declare_gate(CommandLine& line, ComparisonOptions& options) {
    line.heading("Comparison");
    line.list("--compare", "FILE", "compare with this profile, as 'callcost diff' does; several are added up",
              options.before);
    line.list("--fail-if", "RULE", "exit with status 3 if RULE is met; may be repeated", options.fail_if);
    line.flag("--fail-on-improvement", "exit with status 5 if a rule for improvements is met",
              options.fail_on_improvement);
    line.flag("--force", "compare profiles of different commands or event types", options.force);
    line.check([&options] {
        if (!options.before.empty()) return;
        if (!options.fail_if.empty()) throw UsageError("--fail-if needs --compare FILE");
        if (options.fail_on_improvement) throw UsageError("--fail-on-improvement needs --compare FILE");
        if (options.force) throw UsageError("--force needs --compare FILE");
    });
    line.check([&options] {
        for (const auto& file : options.before)
            if (file.starts_with("history:"))
                throw UsageError("--compare history:... is not available yet",
                                 "--compare FILE takes a profile or a baseline");
    });
}

}  // namespace

Run record_command(CommandLine& line) {
    line.describe(
        "[OPTION...] [--] PROGRAM [ARG...]",
        "Run a program under Valgrind's Callgrind, then show where the time went.\n\nInput and output of the "
        "program are its own. The profile is callgrind.out.PID; the summary and the ten most expensive "
        "functions follow on standard output if that is a terminal, else on standard error. Ctrl-C lets "
        "Callgrind write what it has, a second one kills the program.\n\nThe exit status is that of the "
        "program; 125, 126 or 127 if it did not run; 3, 4 or 5 if it succeeded and a comparison failed.");
    line.usage_status(failed_before);
    const auto options = std::make_shared<RecordOptions>();
    line.program(options->program);
    declare_recording(line, options->recording);
    line.heading("Output file");
    line.value("-o,--output", "FILE", "write the profile to FILE (default: callgrind.out.PID)",
               options->output);
    line.flag("--dry-run", "print the command instead of running it", options->only_prints);
    line.value("--repeat", "N", "run N times; list the functions whose cost is not the same every time",
               [options = options.get()](const std::string& text) {
                   options->runs = static_cast<std::size_t>(number_of("--repeat", text));
                   if (options->runs == 0) throw UsageError("--repeat needs a number above 0");
               });
    declare_gate(line, options->comparison);
    declare_messages(line, options->messages);
    line.flag("--view", "open the profile in the browser afterwards", options->opens_page);
    line.refused("--add", "--add is not available yet",
                 "'callcost baseline save NAME FILE' keeps a summary of a profile");
    line.refused("--sample", "--sample is not available yet",
                 "callcost reads the output of 'perf script' after 'perf record -g'");
    line.check([options = options.get()] {
        if (options->output == "-") throw UsageError("-o needs the name of a file");
        check_recording(options->recording);
        if (options->program.empty())
            throw UsageError("record needs a program", "such as 'callcost record ./program'");
        options->comparison.output = options->messages;
    });
    return [options] { return run_record(*options, open_console(options->messages)); };
}

}  // namespace callcost::program
