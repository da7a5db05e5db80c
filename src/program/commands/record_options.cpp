#include "commands/record_options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "recording/program_file.hpp"
#include "text/names.hpp"
#include "text/shell.hpp"
#include "text/suggest.hpp"

namespace callcost::program {
namespace {

void check_valgrind_options(const std::vector<std::string>& words) {
    if (const auto word = std::find_if(words.begin(), words.end(),
                                       [](const std::string& each) { return !each.starts_with('-'); });
        word != words.end())
        throw UsageError(fmt::format("--valgrind needs options, not '{}'", *word));
    if (const auto option = reserved_option(words); !option.empty())
        throw UsageError(fmt::format("--valgrind cannot have {}", option),
                         "-o and --tool decide where the profile is");
}

/// Options of the tool in its own words.
void declare_more(CommandLine& line, std::string_view name, std::string_view help,
                  std::vector<std::string>& target, void (*check)(const std::vector<std::string>& words)) {
    line.values(name, "OPTIONS", help, [name, check, &target](const std::string& text) {
        auto words = unquoted_words(text);
        if (!words) throw UsageError(fmt::format("{} {}: a quote is not closed", name, text));
        check(*words);
        target.insert(target.end(), words->begin(), words->end());
    });
}

void check_perf_options(const std::vector<std::string>& words) {
    const auto is_output = [](const std::string& word) {
        return word == "--" || word.starts_with("-o") || word.starts_with("--output");
    };
    if (const auto word = std::find_if(words.begin(), words.end(), is_output); word != words.end())
        throw UsageError(fmt::format("--perf cannot have {}", *word), "-o decides where the profile is");
}

/// An option by the name that it had.
void former(CommandLine& line, std::string_view name, std::string_view now) {
    line.refused(name, fmt::format("record has no option '{}' any more", name), fmt::format("use '{}'", now));
}

void declare_recording(CommandLine& line, Recording& recording, bool& samples) {
    line.heading("Recording");
    line.flag_or_no("--cache", "simulate caches", recording.cache);
    line.flag_or_no("--branches", "simulate branch prediction", recording.branches);
    line.flag_or_no("--without-instructions", "record source lines only, without instructions and jumps",
                    recording.without_instructions);
    former(line, "--lines", "--without-instructions");
    line.number("--callers",
                fmt::format("keep functions apart by the last N callers (default: {})", default_callers),
                recording.callers);
    line.flag_or_no("--separate-threads", "record each thread on its own", recording.separate_threads);
    former(line, "--threads", "--separate-threads");
    line.flag_or_no("--children", "also record the programs that the program starts", recording.children);
    line.flag_or_no("--runtime-names", "tell runtimes to name the code that they compile (default: yes)",
                    recording.runtime_names);
    line.flag_or_no("--interpreter",
                    "record the interpreter of a script, rather than the script by its language's profiler",
                    recording.interpreter);
    line.list("--only", "FUNCTION", "record only calls of FUNCTION; may be repeated", recording.only);
    line.list("--zero-before", "FUNCTION", "discard costs before the last call of FUNCTION; may be repeated",
              recording.zero_before);
    former(line, "--from", "--zero-before");
    line.choice<bool>("--start", "WHEN",
                      "record from the start: on (default) or off, until callgrind_control -i on",
                      {{"on", false}, {"off", true}}, recording.starts_off);
    line.choice<RecordingTool>(
        "--tool", "TOOL", "record with callgrind (default) or cachegrind",
        {{"callgrind", RecordingTool::callgrind}, {"cachegrind", RecordingTool::cachegrind}}, recording.tool);
    declare_more(line, "--valgrind", "pass these options to Valgrind; quotes are honored", recording.more,
                 check_valgrind_options);
    line.flag_or_no("--sample", "take samples with perf instead of counting: fast, but estimates", samples);
    declare_more(line, "--perf", "pass these options to 'perf record'", recording.more_perf,
                 check_perf_options);
    line.value("--directory", "DIR", "run the program in this directory", recording.directory);
    line.check([&line, &samples, &recording] {
        if (!samples) return;
        if (line.is_given("--tool")) throw UsageError("--sample cannot be combined with --tool");
        recording.tool = RecordingTool::perf;
    });
}

/// What the tool that is not Callgrind does not know.
void check_tool_options(const Recording& recording, const std::string& tool, const std::string& why) {
    const auto refuse = [&](bool is_given, std::string_view option) {
        if (is_given) throw UsageError(fmt::format("{} cannot be combined with {}", option, tool), why);
    };
    refuse(recording.without_instructions, "--without-instructions");
    refuse(recording.callers.has_value(), "--callers");
    refuse(recording.separate_threads, "--separate-threads");
    refuse(!recording.only.empty(), "--only");
    refuse(!recording.zero_before.empty(), "--zero-before");
    refuse(recording.starts_off, "--start off");
    if (recording.tool != RecordingTool::perf) return;
    refuse(recording.cache, "--cache");
    refuse(recording.branches, "--branches");
    refuse(recording.children, "--children");
    refuse(!recording.more.empty(), "--valgrind");
}

void check_recording(const RecordOptions& options) {
    const auto& recording = options.recording;
    if (recording.starts_off && !recording.zero_before.empty())
        throw UsageError("--start off cannot be combined with --zero-before");
    if (recording.tool != RecordingTool::perf && !recording.more_perf.empty())
        throw UsageError("--perf needs --sample");
    if (recording.tool == RecordingTool::cachegrind)
        check_tool_options(recording, "--tool cachegrind",
                           "Cachegrind counts by source line only, without calls");
    if (recording.tool != RecordingTool::perf) return;
    check_tool_options(recording, "--sample",
                       "perf only takes samples, of the program and of what it starts");
    if (options.runs > 1)
        throw UsageError("--repeat cannot be combined with --sample", "samples differ in every run");
}

void declare_gate(CommandLine& line, ComparisonOptions& options) {
    line.heading("Comparison");
    line.values_or_bare("--compare", "[FILE]",
                        "compare with this profile, as 'callcost diff' does; several are added up (default: "
                        "that of callcost.toml)",
                        [&options](const std::string& file) {
                            if (!file.empty()) options.before.push_back(file);
                        });
    line.list("--fail-if", "RULE", "exit with status 3 if RULE is met; may be repeated", options.fail_if);
    line.value("--accept", "FILE", "accept the regressions listed in FILE, one per line", options.accept);
    line.flag_or_no("--fail-on-improvement", "exit with status 5 if a rule for improvements is met",
                    options.fail_on_improvement);
    line.flag("--force", "compare profiles of different commands or event types", options.force);
    line.check([&line, &options] {
        if (!options.before.empty()) return;
        if (line.is_given("--compare"))
            throw UsageError("--compare needs a file",
                             "'--compare FILE', or 'compare = \"FILE\"' in callcost.toml");
        if (!options.accept.empty()) throw UsageError("--accept needs --compare FILE");
        if (!options.fail_if.empty()) throw UsageError("--fail-if needs --compare FILE");
        if (options.fail_on_improvement) throw UsageError("--fail-on-improvement needs --compare FILE");
        if (options.force) throw UsageError("--force needs --compare FILE");
    });
}

// --- callcost.toml ----------------------------------------------------------------------------------------

void complete_gate(CommandLine& line, RecordOptions& options, const std::vector<ConfiguredOption>& gate) {
    auto& comparison = options.comparison;
    for (const auto& option : gate) {
        if (option.option == "--compare") {
            if (comparison.before.empty()) comparison.before = option.values;
            continue;
        }
        if (option.option == "--fail-if" && comparison.fail_if.empty()) comparison.rules_place = option.place;
        line.set_default(option);
    }
}

/// Whoever asks for another tool than the file does not mean the options that it has for its own.
bool suits_tool(const CommandLine& line, const RecordOptions& options, const std::string& option) {
    constexpr std::array<std::string_view, 8> of_callgrind{
        "--without-instructions", "--runtime-names", "--callers",    "--separate-threads", "--only",
        "--zero-before",          "--start",         "--interpreter"};
    constexpr std::array<std::string_view, 6> of_valgrind{"--cache",    "--branches", "--children",
                                                          "--valgrind", "--tool",     "--repeat"};
    constexpr std::array<std::string_view, 2> of_perf{"--sample", "--perf"};
    const auto is_of = [&](const auto& names) {
        return std::find(names.begin(), names.end(), option) != names.end();
    };
    if (options.samples && line.is_given("--sample")) return !is_of(of_callgrind) && !is_of(of_valgrind);
    if (!line.is_given("--tool")) return true;
    if (options.recording.tool == RecordingTool::cachegrind && is_of(of_callgrind)) return false;
    return !is_of(of_perf);
}

/// All rules of the file.
void add_rules(const Configuration& configuration, std::vector<ConfiguredOption>& rules) {
    const auto add = [&](const std::vector<ConfiguredOption>& gate) {
        std::copy_if(gate.begin(), gate.end(), std::back_inserter(rules),
                     [](const ConfiguredOption& option) { return option.option == "--fail-if"; });
    };
    add(configuration.gate);
    for (const auto& [name, program] : configuration.programs) add(program.gate);
}

/// What the file has of the program's options, and of those of a comparison if there is to be one.
void complete_record(CommandLine& line, RecordOptions& options) {
    const ConfiguredProgram* named = nullptr;
    if (line.has_named_program()) {
        named = &line.configuration().programs.at(options.program.front());
        if (options.entry.series.empty()) options.entry.series = options.program.front();
        for (const auto& option : named->options)
            if (suits_tool(line, options, option.option)) line.set_default(option);
        options.hint = fmt::format("it is the program of '{}' in {}",
                                   engine::display_name(options.program.front()), line.configuration().path);
        options.program.front() = named->program;
        options.program.insert(options.program.begin() + 1, named->arguments.begin(), named->arguments.end());
    }
    const bool compares = line.is_given("--compare");
    if (named != nullptr || compares) add_rules(line.configuration(), options.configured_rules);
    if (compares || options.opens_page)
        add_configured_sources(line.configuration().sources, options.comparison.sources);
    if (!compares) return;
    if (named != nullptr) complete_gate(line, options, named->gate);
    complete_gate(line, options, line.configuration().gate);
}

/// Without a slash it may be one of the file.
bool is_configured(const CommandLine& line, const std::string& program) {
    return program.find('/') == std::string::npos && line.configuration().programs.contains(program);
}

std::vector<std::string_view> names_of_programs(const CommandLine& line) {
    std::vector<std::string_view> names;
    for (const auto& [name, program] : line.configuration().programs) names.push_back(name);
    return names;
}

void check_program(const CommandLine& line, RecordOptions& options) {
    if (!options.opens_browser && !options.opens_page) throw UsageError("--no-open needs --view");
    if (options.replaces && !options.writes_configuration) throw UsageError("--replace needs --init");
    if (options.writes_configuration) {
        if (!options.program.empty()) throw UsageError("--init takes no program");
        return;
    }
    const auto all_names = [&] {
        const auto names = names_of_programs(line);
        return names.empty() ? std::string()
                             : fmt::format("{} has: {}", line.configuration().path,
                                           engine::display_name(fmt::format("{}", fmt::join(names, ", "))));
    };
    if (options.program.empty()) {
        const auto& files = options.comparison.before;
        if (line.is_given("--compare") && !files.empty() && is_configured(line, files.back()))
            throw UsageError(
                fmt::format("record needs a program: '{0}' was taken as the file of --compare", files.back()),
                engine::quoted_command({"callcost", "record", files.back(), "--compare"}));
        const auto names = all_names();
        throw UsageError("record needs a program",
                         names.empty() ? "such as 'callcost record ./program'" : names);
    }
    const auto& program = options.program.front();
    if (line.has_named_program() || program.find('/') != std::string::npos ||
        inspect_program(program).cannot_run != CannotRun::not_found)
        return;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(std::filesystem::path(options.recording.directory) / program,
                                         ignored)) {
        options.hint =
            fmt::format("{0} is a file in this directory, but programs are looked for in PATH; ./{0} runs it",
                        engine::display_name(program));
        return;
    }
    options.hint = is_configured(line, program)
                       ? fmt::format("'callcost record {0}' without '--' runs that of callcost.toml", program)
                       : engine::did_you_mean(program, names_of_programs(line));
    if (!options.hint.empty() || line.configuration().path.empty()) return;
    options.hint = all_names();
    if (options.hint.empty()) options.hint = line.configuration().path + " names no programs";
}

/// Something is asked for that a profiler of a language does not know.
bool needs_other_tool(const CommandLine& line, const Recording& recording) {
    return recording.tool != RecordingTool::callgrind || recording.interpreter || line.is_given("--tool") ||
           recording.cache || recording.branches || recording.without_instructions || recording.callers ||
           recording.separate_threads || recording.children || recording.starts_off ||
           !recording.only.empty() || !recording.zero_before.empty() || !recording.more.empty();
}

/// Scripts have the profiler of their language if possible. Else the tool starts what it can start: Valgrind
/// would record env, not what env becomes.
void choose_tool(const CommandLine& line, RecordOptions& options) {
    auto& recording = options.recording;
    if (options.program.empty()) return;
    auto& name = options.program.front();
    auto script = script_named(name, recording.directory);
    if (!script) return;
    if (!needs_other_tool(line, recording)) {
        recording.script = std::move(script);
        recording.tool = RecordingTool::language;
        return;
    }
    auto words = without_env(script->interpreter);
    const auto cannot_run = inspect_program(name, recording.directory).cannot_run;
    const bool is_started_by_env =
        recording.tool != RecordingTool::perf && words.size() < script->interpreter.size();
    if (cannot_run != CannotRun::not_found && cannot_run != CannotRun::not_executable && !is_started_by_env)
        return;
    options.interpreter = std::move(words);
    name = script->path;
}

}  // namespace

void declare_record(CommandLine& line, RecordOptions& options) {
    line.describe("[OPTION...] [--] PROGRAM [ARG...] | [OPTION...] NAME [OPTION...] [-- ARG...]",
                  "Run a program under Valgrind's Callgrind, then show where the time went.\n\nThe program "
                  "keeps its standard "
                  "input and output. Its profile is written to callgrind.out.PID. Then the summary and the "
                  "ten most expensive "
                  "functions, or with --compare the comparison, are printed: to standard output if that is a "
                  "terminal, else to "
                  "standard error. After Ctrl-C, Callgrind writes what it has counted so far; a second one "
                  "kills the program."
                  "\n\nA script (app.py, .php, .js, .rb, .pl) is recorded by the profiler of its language "
                  "instead, into a file such as cprofile.out.PID.\n\nNAME is a program of the project's "
                  "callcost.toml, with its arguments and options. "
                  "Options on the command "
                  "line override those of the file.\n\nThe exit status is that of the program; 125, 126 or "
                  "127 if it did not "
                  "run; 3, 4 or 5 if it succeeded but the comparison failed, as of 'callcost diff'.");
    line.examples({{"record ./program input.txt", "run it under Callgrind; show where the time went"},
                   {"record -o new.out --compare old.out ./program", "compare with an older run"},
                   {"record --only parse ./program", "measure a function and what it calls"}});
    line.common({"--cache", "--branches", "--without-instructions", "--callers", "--children", "--only",
                 "--output", "--repeat", "--compare", "--fail-if", "--view", "--add"});
    line.usage_status(recording_failed);
    line.program(options.program, [&line](const std::string& word) { return is_configured(line, word); });
    line.complete([&line, &options] { complete_record(line, options); });
    declare_recording(line, options.recording, options.samples);
    line.heading("Output file");
    line.value("-o,--output", "FILE", "write the profile to FILE (default: callgrind.out.PID)",
               options.output);
    line.flag("--dry-run", "print the command instead of running it", options.only_prints);
    line.value("--repeat", "N", "run N times; list the functions whose cost is not the same every time",
               [&options](const std::string& text) {
                   options.runs = count_of("--repeat", text);
                   if (options.runs == 0) throw UsageError("--repeat needs a number above 0");
               });
    declare_gate(line, options.comparison);
    declare_inlined(line, options.comparison.input, &options.comparison.sources);
    declare_messages(line, options.messages);
    line.flag("--view", "show the program in the browser while it runs, and its profile until Ctrl-C",
              options.opens_page);
    line.flag_off("--no-open", "with --view: print the address, do not open a browser",
                  options.opens_browser);
    line.heading("History");
    line.flag_or_no("--add", "add the profile to the history if the program succeeded", options.adds);
    line.value("--series", "NAME", "with --add: name of the series (default: NAME, or that of the program)",
               options.entry.series);
    line.values("--tag", "KEY=VALUE", "with --add: tag the entry",
                [&options](const std::string& text) { add_tag(text, options.entry.tags); });
    declare_store(line, options.comparison.input.store);
    line.heading("Configuration");
    line.flag("--init", "write a callcost.toml with comments into this directory",
              options.writes_configuration);
    line.flag("--replace", "with --init: replace the one that is there", options.replaces);
    line.check([&line, &options] {
        if (options.output == "-") throw UsageError("-o needs the name of a file");
        check_recording(options);
        check_program(line, options);
        choose_tool(line, options);
        options.comparison.output = options.messages;
        for (const char* option : {"--series", "--tag"})
            if (line.is_given(option) && !options.adds && !line.is_given("--add"))
                throw UsageError(fmt::format("{} needs --add", option));
    });
}

}  // namespace callcost::program
