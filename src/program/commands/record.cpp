#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands/commands.hpp"
#include "commands/record_options.hpp"
#include "commands/record_page.hpp"
#include "configuration/configuration_file.hpp"
#include "history/entry_name.hpp"
#include "history/entry_origin.hpp"
#include "loading/preparation.hpp"
#include "output/written_profile.hpp"
#include "recording/completed_profile.hpp"
#include "recording/perf_map_switch.hpp"
#include "recording/recording_report.hpp"
#include "recording/run_variation.hpp"
#include "recording/sampling.hpp"
#include "recording/written_files.hpp"
#include "reports/call_tree.hpp"
#include "terminal/output.hpp"
#include "text/names.hpp"
#include "text/shell.hpp"
#include <callcost/tree.hpp>

namespace callcost::program {
namespace {

using engine::display_name;

int fail_before(const Console& console, const std::string& text, const std::string& hint = {}) {
    console.say(Severity::error, text, hint);
    return recording_failed;
}

// --- before it runs ---------------------------------------------------------------------------------------

/// What the names of the tool's files begin with, before the process.
std::string prefix_of(const RecordOptions& options) {
    if (!options.output.empty()) return options.output + ".";
    switch (options.recording.tool) {
        case RecordingTool::callgrind:
            return "callgrind.out.";
        case RecordingTool::cachegrind:
            return "cachegrind.out.";
        case RecordingTool::perf:
            return "perf.out.";
        case RecordingTool::language:
            break;
    }
    return profiler_of(options.recording.script->language).prefix;
}

/// What is started: the program, by its path where Valgrind would take the name for an option.
std::vector<std::string> program_words(const RecordOptions& options, const ProgramFile& file) {
    auto words = options.interpreter;
    words.insert(words.end(), options.program.begin(), options.program.end());
    if (words.front().starts_with('-') && !file.path.empty()) words.front() = file.path;
    return words;
}

int print_command(const RecordOptions& options, const ProgramFile& file, const Console& console) {
    Output output(console);
    const auto words = program_words(options, file);
    const auto& recording = options.recording;
    if (!recording.directory.empty()) output.text() = engine::quoted({"cd", recording.directory}) + " && ";
    output.text() +=
        engine::quoted(recording.script ? profiler_command(*recording.script, "./", words)
                       : recording.tool == RecordingTool::perf ? perf_command(recording, "perf.data", words)
                                                               : valgrind_command(recording, {}, words)) +
        '\n';
    return output.finish() ? 0 : recording_failed;
}

/// Then a gate would compare the new profile with itself.
bool replaces_compared(const RecordOptions& options) {
    const auto& files = options.comparison.before;
    return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
        std::error_code ignored;
        return std::filesystem::equivalent(file, options.output, ignored);
    });
}

int check_tool(Recording& recording, const Console& console) {
    if (recording.script) {
        const auto missing = find_profiler(*recording.script, recording.directory);
        return missing ? fail_before(console, missing->message, missing->hint) : 0;
    }
    if (recording.tool == RecordingTool::perf) {
        const auto problem = try_sampling(recording);
        return problem ? fail_before(console, problem->message, problem->hint) : 0;
    }
    if (inspect_program("valgrind").cannot_run == CannotRun::no) return 0;
    return fail_before(console, "Valgrind is not installed, or not in PATH",
                       "its package is called valgrind ('apt install valgrind' on Debian)");
}

/// The entry that --compare means: not the one of a run before of what is measured now, which would pass all
/// rules. `is_missing`: there is none yet.
Stored<std::string> compared_entry(const std::string& file, const RecordOptions& options, bool& is_missing) {
    const auto name = parse_entry_name(file);
    if (!name) return tl::unexpected(name.error());
    const auto series =
        options.entry.series.empty() ? default_series(options.program.front()) : options.entry.series;
    const bool may_be_first = options.adds && name->series == series;
    // Which makes one if there is none.
    const auto store =
        open_store(options.comparison.input.store, may_be_first ? StoreUse::write : StoreUse::read);
    if (!store) return tl::unexpected(store.error());
    auto entries = (*store)->entries(name->series);
    if (!entries) return tl::unexpected(entries.error());
    if (!name->choice.id && name->choice.commit.empty())
        if (const auto origin = find_origin(""))
            std::erase_if(*entries, [&](const Entry& entry) { return is_of(*origin, entry); });
    const auto chosen = chosen_entries(*std::move(entries), name->choice);
    if (!chosen.empty()) return exact_name(chosen.back());
    is_missing = may_be_first;
    if (is_missing) return std::string();
    // It may be the only one; else this says what is wrong.
    return find_entry(**store, *name).map(exact_name);
}

/// Names each entry of --compare by what is its name alone. Without any entry the first run passes.
int choose_compared(RecordOptions& options, const Console& console) {
    auto& before = options.comparison.before;
    for (auto file = before.begin(); file != before.end();) {
        bool is_missing = false;
        if (is_entry_name(*file)) {
            auto entry = compared_entry(*file, options, is_missing);
            if (!entry)
                return fail_before(console,
                                   fmt::format("--compare {}: {}", display_name(*file), entry.error().text),
                                   entry.error().advice);
            if (is_missing)
                console.say(Severity::note,
                            fmt::format("--compare {}: there is no such entry yet; no rule is checked",
                                        display_name(*file)));
            *file = *std::move(entry);
        }
        file = is_missing ? before.erase(file) : std::next(file);
    }
    return 0;
}

/// What would fail after a run that may take long.
int check_surroundings(RecordOptions& options, const Console& console) {
    if (const int status = check_tool(options.recording, console); status != 0) return status;
    const auto directory = std::filesystem::path(options.recording.output).parent_path().string();
    if (::access(directory.empty() ? "." : directory.c_str(), W_OK | X_OK) != 0)
        return fail_before(
            console,
            fmt::format("{}: {}", display_name(directory.empty() ? "." : directory), std::strerror(errno)),
            "-o FILE names a file elsewhere");
    std::error_code ignored;
    if (const auto& place = options.recording.directory;
        !place.empty() && !std::filesystem::is_directory(place, ignored))
        return fail_before(console,
                           fmt::format("--directory {}: there is no such directory", display_name(place)));
    if (std::filesystem::is_directory(options.output, ignored))
        return fail_before(console, fmt::format("-o {}: is a directory", display_name(options.output)));
    if (std::filesystem::exists(options.output, ignored) &&
        !std::filesystem::is_regular_file(options.output, ignored))
        return fail_before(
            console, fmt::format("-o {}: is no file that may be replaced", display_name(options.output)));
    if (replaces_compared(options))
        return fail_before(
            console, fmt::format("-o {} would replace the file of --compare", display_name(options.output)));
    for (const auto& file : options.comparison.before)
        if (!is_entry_name(file) && ::access(file.c_str(), R_OK) != 0)
            return fail_before(console,
                               fmt::format("--compare {}: {}", display_name(file), std::strerror(errno)),
                               fmt::format("record it first, with -o {}", display_name(file)));
    return are_rules_valid(options.comparison, console) ? 0 : recording_failed;
}

// --- a run ------------------------------------------------------------------------------------------------

/// Of the profile of a run; further ones have a number.
std::string output_name(const RecordOptions& options, std::size_t run) {
    return run == 0 ? options.output : fmt::format("{}.run{}", options.output, run + 1);
}

/// Adds to the profiles of a process what Callgrind leaves out. The map of what the process compiled is moved
/// beside them.
void complete(const std::vector<std::string>& files, pid_t process, std::int64_t begin, bool names_code,
              const Console& console) {
    const auto map_path = perf_map_of(process);
    const auto map_of_run =
        names_code ? read_perf_map_of_run(map_path, begin).value_or(MapOfRun()) : MapOfRun();
    const PerfMap map(map_of_run.text);
    NamedByMap counts;
    for (const auto& file : files) {
        std::ifstream profile(file, std::ios::binary);
        const auto code = recorded_code(profile);
        std::error_code problem;
        if (!code || std::filesystem::file_size(file, problem) != code->size) {
            console.say(Severity::warning,
                        fmt::format("{}: cannot be read to its end; build IDs and names are not added",
                                    display_name(file)));
            continue;
        }
        const auto lines = build_lines(*code, begin);
        const bool is_mapped = code->has_unknown && !map.empty();
        if (lines.empty() && !is_mapped) continue;
        profile.clear();
        profile.seekg(0);
        const auto write = [&](const Sink& sink) -> Result<void> {
            auto done = write_completed(profile, *code, lines, is_mapped ? map : PerfMap(), sink);
            if (!done) return tl::unexpected(done.error());
            if (done->named > counts.named) counts = *done;
            return {};
        };
        (void)write_file(file, {}, console, write, {.is_packed = true});
    }
    if (counts.named == 0) return;
    const auto kept = files.front() + ".perf-map";
    const auto written = write_file(
        kept, {}, console, [&](const Sink& sink) { return sink(map_of_run.text); }, {.is_packed = true});
    if (written == Exit::ok) remove_perf_map_of_run(map_path, map_of_run);
    console.say(Severity::note, message(counts, map_path),
                written == Exit::ok ? fmt::format("kept as {}", display_name(kept)) : "");
}

void complete(const RecordedRun& run, std::int64_t begin, bool names_code, const Console& console) {
    if (!run.files.empty()) complete(run.files, run.ended.process, begin, names_code, console);
    for (const auto& [process, files] : run.children) complete(files, process, begin, names_code, console);
}

tl::expected<RecordedRun, int> record_once(const RecordOptions& options, const ProgramFile& file,
                                           std::size_t number, RecordPage* page, const Console& console) {
    RunWatch watch;
    if (page != nullptr) watch = {[&](pid_t process) { page->follow(process); }, [&] { page->hold(); }};
    const auto begin = std::int64_t{std::time(nullptr)};
    auto run = record_run(options.recording, program_words(options, file), console, watch);
    if (!run) return tl::unexpected(fail_before(console, run.error()));
    if (!options.output.empty()) {
        const auto problem = rename_files(run->files, options.recording.output, run->ended.process,
                                          output_name(options, number));
        if (!problem.empty() && !run->files.empty())
            console.say(Severity::warning,
                        fmt::format("{}: {}; the profile is {}", display_name(options.output), problem,
                                    display_name(run->files.front())));
    }
    if (options.recording.tool == RecordingTool::callgrind)
        complete(*run, begin, options.recording.runtime_names, console);
    return *std::move(run);
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

int show_profile(const PreparedProfile& prepared, const InputOptions& input, const Console& console) {
    constexpr std::size_t functions = 10;
    const auto advice =
        input.files.size() == 1
            ? fmt::format("{} lists all", engine::quoted({"callcost", input.files.front(), "--limit", "0"}))
            : "callcost FILE... --limit 0 lists all";
    return show_functions(prepared, input, functions, {advice, "callcost --limit 0", "--limit 0"}, console);
}

/// Nothing is said if it is not.
bool is_readable(const std::vector<std::string>& files, const Console& console) {
    InputOptions input;
    input.files = files;
    input.inlined = When::never;
    auto quiet = console;
    quiet.quiet = true;
    const auto prepared = prepare(input, {}, quiet, least_detail(input.selection));
    return prepared && prepared->exit == Exit::ok;
}

/// As Callgrind compares names with its patterns; parameters may be left out.
bool is_function_of(std::string_view name, const std::string& pattern) {
    const std::string text(name);
    return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0 ||
           ::fnmatch((pattern + "(*").c_str(), text.c_str(), 0) == 0;
}

/// Callgrind begins anew at a call of these functions: where none is called, it has recorded all.
void check_beginning(const std::vector<std::string>& files, const std::vector<std::string>& from,
                     const Console& console) {
    InputOptions input;
    input.files = files;
    input.inlined = When::never;  // inlined code is not called
    auto quiet = console;
    quiet.quiet = true;
    const auto prepared = prepare(input, {}, quiet, least_detail(input.selection));
    if (!prepared) return;
    const auto& graph = prepared->graph;
    for (std::size_t i = 0; i < graph.size(); ++i)
        for (const auto& pattern : from)
            if (is_function_of(graph.name(NodeId(i)), pattern)) return;
    console.say(Severity::warning,
                fmt::format("no call of '{}': the profile is of the whole run",
                            display_name(fmt::format("{}", fmt::join(from, "', '")))),
                "--zero-before needs the whole name of a function that is called, or a pattern with * and ?");
}

/// How much of the cost trees and flame graphs show where it must be.
void say_certainty(const PreparedProfile& prepared, const Console& console) {
    if (console.quiet || !prepared.measure.additive) return;
    const auto tree = estimate_tree(prepared.graph, {.measure = prepared.measure});
    if (tree.frames.empty()) return;
    const auto callers = callers_for_certainty(prepared.graph, tree);
    console.say(Severity::note,
                fmt::format("trees and flame graphs: {} of {} is on call paths that are certain",
                            certain_share(tree), display_name(prepared.measure.name)),
                callers > 0
                    ? fmt::format("--callers {} can make more of it certain, and takes longer", callers)
                    : "");
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
int answer(const std::vector<RecordedRun>& runs, const RecordOptions& options, const ProgramFile& file,
           RecordPage* page, const Console& console) {
    const auto& run = runs.front();
    const auto files = recorded_files(run, options);
    const int program_status = runs.back().ended.exit_status;
    const bool compares =
        !options.comparison.before.empty() && program_status == 0 && is_readable(files, console);
    InputOptions input;
    input.files = files;
    input.inlined = options.comparison.input.inlined;
    const auto prepared = compares ? tl::expected<PreparedProfile, Exit>(tl::unexpected(Exit::ok))
                                   : prepare(input, {}, console, least_detail(input.selection));
    const int shown = prepared ? show_profile(*prepared, input, console) : program::status(prepared.error());
    if (!options.recording.zero_before.empty() && shown == 0)
        check_beginning(files, options.recording.zero_before, console);
    if (options.recording.tool == RecordingTool::callgrind && shown == 0 && prepared)
        say_certainty(*prepared, console);
    int status = shown;
    if (runs.size() > 1) status = std::max(status, show_variation(runs, options, console));
    if (compares && status == 0) {
        auto comparison = options.comparison;
        comparison.after = files;
        comparison.verdict = VerdictAt::end;
        status = compare_profiles(comparison, console);
    }
    if (options.adds && program_status == 0 && shown == 0) {
        InputOptions added_input = options.comparison.input;
        added_input.inlined = When::never;
        added_input.files = files;
        auto entry = options.entry;
        entry.program = file.path;
        const auto added = add_to_history(added_input, entry, console, AddedAs::one_entry);
        if (status == 0) status = program::status(added);
    }
    if (program_status != 0) status = program_status;
    if (page != nullptr && shown == 0) page->serve_until_end(files, status);
    return status;
}

/// The page shows the first run, as all of the answer does.
int record_and_answer(const RecordOptions& options, const ProgramFile& file, RecordPage* page,
                      const Console& before) {
    const RepeatedInput input;
    std::vector<RecordedRun> runs;
    while (runs.size() < options.runs) {
        input.rewind();
        auto run = record_once(options, file, runs.size(), runs.empty() ? page : nullptr, before);
        if (!run) return run.error();
        runs.push_back(*std::move(run));
        if (page != nullptr && runs.size() == 1) page->settle(recorded_files(runs.front(), options));
        if (runs.back().files.empty() || runs.back().ended.exit_status != 0) break;
    }
    leave_standard_output();
    auto console = open_console(options.messages);
    console.may_page = false;  // it would hide one part of the answer behind the other
    if (runs.back().files.empty()) return report_missing_profile(runs.back(), options.recording, console);
    const int problem = report_run(runs.front(), options.recording, console);
    if (runs.size() < options.runs)
        console.say(Severity::warning, fmt::format("not repeated: run {} of {} failed with exit status {}",
                                                   runs.size(), options.runs, runs.back().ended.exit_status));
    return problem != 0 ? problem : answer(runs, options, file, page, console);
}

int write_configuration(const RecordOptions& options, const Console& console) {
    const std::string path(configuration_name);
    const auto exit =
        write_file(path, {}, console, [](const Sink& sink) { return sink(initial_configuration()); },
                   {.replaces = options.replaces});
    if (exit != Exit::ok) return recording_failed;
    console.say(Severity::note, "wrote " + path,
                "all of it is comments: remove the '#' before what you want");
    return 0;
}

/// Before somebody relies on them.
bool are_configured_rules_valid(const RecordOptions& options, const Console& console) {
    const auto is_valid = [&](const ConfiguredOption& rules) {
        ComparisonOptions comparison;
        comparison.fail_if = rules.values;
        comparison.rules_place = rules.place;
        return are_rules_valid(comparison, console);
    };
    return std::all_of(options.configured_rules.begin(), options.configured_rules.end(), is_valid);
}

int run_record(const RecordOptions& given, const Console& before) {
    if (given.writes_configuration) return write_configuration(given, before);
    if (!are_configured_rules_valid(given, before)) return recording_failed;
    auto options = given;
    options.recording.output = prefix_of(options);
    options.recording.one_file = (options.opens_page || options.recording.separate_threads) &&
                                 options.recording.tool == RecordingTool::callgrind;
    const auto& started = options.interpreter.empty() ? options.program.front() : options.interpreter.front();
    auto file = inspect_program(started, options.recording.directory);
    if (options.recording.script) {
        file = ProgramFile();
        file.path = options.recording.script->path;
    }
    if (options.recording.tool == RecordingTool::callgrind && options.recording.runtime_names) {
        if (auto told = perf_map_switch(file)) {
            options.recording.environment = std::move(told->environment);
            options.recording.options = std::move(told->options);
        }
    }
    if (options.only_prints) return print_command(options, file, before);
    if (options.recording.tool == RecordingTool::perf && file.cannot_run == CannotRun::privileged)
        file.cannot_run = CannotRun::no;  // it is Valgrind that cannot run it
    if (const int status = refuse_program(file, started, options.hint, before); status != 0) return status;
    if (const int status = choose_compared(options, before); status != 0) return status;
    if (const int status = check_surroundings(options, before); status != 0) return status;
    announce_limits(file, options.recording, program_words(options, file), before);
    if (options.runs > 1 && RepeatedInput::is_pipe())
        before.say(Severity::warning, "standard input is a pipe: only the first run can read it");

    if (!options.opens_page) return record_and_answer(options, file, nullptr, before);
    RecordPage page(options, before);
    if (!page.listen()) return recording_failed;
    page.end(record_and_answer(options, file, &page, before));
}

}  // namespace

Run record_command(CommandLine& line) {
    const auto options = std::make_shared<RecordOptions>();
    declare_record(line, *options);
    return [options] { return run_record(*options, open_console(options->messages)); };
}

}  // namespace callcost::program
