#include "options/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "options/option_reader.hpp"
#include "text/suggest.hpp"

namespace callcost::program {
namespace {

constexpr std::string_view general_help =
    R"(callcost reads profiles in the Callgrind format, as Callgrind, Cachegrind,
Xdebug, pprof and many other tools write them.

usage: callcost [COMMAND] [OPTION...] [FILE...]

Commands:
  top        list the most expensive functions (default)
  annotate   show source lines with their cost
  asm        show machine code with the cost of each instruction
  peek       show functions with their callers and callees
  tree       show call paths from the roots down (estimated)
  lines      list the most expensive source lines
  parts      list dumps, threads and processes
  events     list event types and formulas
  info       describe a profile: creator, parts, totals, diagnostics
  check      check files, also for what other readers make of them
  diff       compare two profiles; fail on regressions in CI
  baseline   keep summaries of profiles to compare later runs with
  trend      show how costs developed over the baselines
  convert    convert to or from pprof, speedscope, folded, DOT, SVG, JSON, CSV
  merge      add up several profiles
  split      write a file for each part, thread, process or object
  filter     remove functions from a profile
  view       open a profile in the browser
  report     write a profile as one HTML file

FILE defaults to the newest callgrind.out.* or cachegrind.out.* in the current
directory; '-' is standard input. Files may be compressed; several are added up.
'callcost COMMAND --help' lists the options of a command.

Examples:
  callcost callgrind.out.4711                  most expensive functions
  callcost annotate -I src callgrind.out.4711  line by line
  callcost view callgrind.out.4711             in the browser

Exit status: 0 success, 1 failure, 2 usage error.
)";

constexpr std::array commands = {
    CommandFacts{
        Command::top, "top", "callcost top [OPTION...] [FILE...]",
        "List the most expensive functions, or groups of functions.\n\n"
        "PATTERN is part of a function, file or object name, or a regular expression (RE2) between "
        "slashes. function:PATTERN, file:PATTERN and object:PATTERN match one of the three names only."},
    CommandFacts{
        Command::annotate, "annotate", "callcost annotate [OPTION...] [FILE...] [SOURCE...]",
        "Show totals, functions, and source lines with their cost, calls and jumps. With SOURCE, annotate "
        "these source files only.\n\n"
        "--focus, --ignore and --hide filter the list of functions, not the sources. For PATTERN see "
        "'callcost top --help'."},
    CommandFacts{
        Command::assembly, "asm", "callcost asm [OPTION...] PATTERN [FILE...]",
        "Show the machine code of matching functions with the cost, calls and jumps of each instruction.\n\n"
        "The code is disassembled by objdump, so the program must be here, and the profile must have "
        "addresses (Callgrind: --dump-instr=yes --collect-jumps=yes). For PATTERN see 'callcost peek "
        "--help'."},
    CommandFacts{
        Command::peek, "peek", "callcost peek [OPTION...] PATTERN [FILE...]",
        "Show matching functions with their callers and callees: call counts, inclusive cost, cost per "
        "call and call sites.\n\n"
        "PATTERN is part of a function name, or a regular expression (RE2) between slashes, such as "
        "'/^main$/'. file:PATTERN and object:PATTERN match names of files and objects."},
    CommandFacts{
        Command::tree, "tree", "callcost tree [OPTION...] [FILE...]",
        "Show call paths as a tree from the program's roots down, the most expensive first.\n\n"
        "A profile has the cost of calls, not of paths: costs in the tree are estimated, and shown with "
        "their bounds. For PATTERN see 'callcost top --help'."},
    CommandFacts{
        Command::lines, "lines", "callcost lines [OPTION...] [FILE...]",
        "List the source lines with the highest self cost, over all functions. For PATTERN see 'callcost "
        "top --help'."},
    CommandFacts{Command::parts, "parts", "callcost parts [OPTION...] [FILE...]",
                 "List the parts (dumps, threads, processes) of a profile with their costs and time ranges."},
    CommandFacts{Command::events, "events", "callcost events [OPTION...] [FILE...]",
                 "List the event types and formulas that --event accepts."},
    CommandFacts{
        Command::info, "info", "callcost info [OPTION...] [FILE...]",
        "Describe a profile: creator, parts, event types, totals and diagnostics. Does not support --sort "
        "or --threshold."},
    CommandFacts{
        Command::check, "check", "callcost check [OPTION...] [FILE...]",
        "Check files: diagnostics, consistency of the figures, and whether other readers read them right. "
        "Exits with status 1 if there is an error."},
    CommandFacts{
        Command::diff, "diff", "callcost diff [OPTION...] OLD NEW",
        "Compare two profiles function by function: what costs more or less, and why. Functions that were "
        "moved, renamed or inlined are matched. Contexts are folded unless --contexts=keep.\n\n"
        "A RULE such as 'Ir > +0.5%' defines a regression; see callcost-diff(1). Exit status: 0 no rule is "
        "met, 3 a rule is met, 4 the profiles are not comparable, 5 unexpected improvement."},
    CommandFacts{
        Command::baseline, "baseline",
        "callcost baseline save NAME [FILE...] | list | show NAME | compare NAME [FILE...] | prune [NAME...]",
        "Keep summaries of profiles in a directory, to compare later runs with. They are small profiles "
        "in the Callgrind format. 'compare' has the options, outputs and exit status of 'callcost diff'."},
    CommandFacts{Command::trend, "trend", "callcost trend [OPTION...] [FILE...]",
                 "Show how totals, and the functions that changed most, developed over all baselines of a "
                 "directory, oldest first, followed by FILE."},
    CommandFacts{
        Command::convert, "convert", "callcost convert [OPTION...] FILE... -o OUT",
        "Write a profile in another format: portable (default: every reader of the Callgrind format "
        "accepts it), compact (as Callgrind writes it, without loss), strict, cachegrind, pprof, "
        "speedscope, folded, dot, svg, json, csv or tsv.\n\n"
        "FILE may also be a pprof file, folded stacks, the output of 'perf script' or a .cpuprofile."},
    CommandFacts{
        Command::merge, "merge", "callcost merge [OPTION...] FILE... -o OUT",
        "Add up several profiles: costs and calls of equal functions, lines and arcs. The order of the "
        "files does not matter; they are read one at a time.\n\n"
        "SUBSTITUTION is s/OLD/NEW/ with a regular expression (RE2), followed by g for all matches, i for "
        "matches in either case."},
    CommandFacts{Command::split, "split", "callcost split [OPTION...] FILE --by WHAT -o DIR",
                 "Write a file for each part, thread, process or object of a profile."},
    CommandFacts{
        Command::filter, "filter", "callcost filter [OPTION...] FILE... -o OUT",
        "Write a profile with the functions of --keep only, or without those of --drop. The total stays "
        "the same. For PATTERN see 'callcost top --help'."},
    CommandFacts{
        Command::view, "view", "callcost view [OPTION...] [FILE...] [--diff OLD]",
        "Open a profile in the browser: functions, callers, flame graph, call graph, source and machine "
        "code.\n\n"
        "The page is served on 127.0.0.1, protected by a random token, until Ctrl-C. The address is "
        "printed. The page offers to reload when the files change."},
    CommandFacts{
        Command::report, "report", "callcost report [OPTION...] [FILE...] [--diff OLD] -o OUT",
        "Write the page of 'callcost view' as one HTML file that needs no callcost and no network: with "
        "the profile, the source files that have cost, and the engine.\n\n"
        "A note gives the number of source files in it, and names those from unexpected places."},
};

/// `A,B` or `A:50`, as callgrind_annotate has it.
bool is_list_of_events(std::string_view text) {
    const auto colon = text.rfind(':');
    return text.find(',') != std::string_view::npos ||
           (colon != std::string_view::npos && colon + 1 < text.size() &&
            text.find_first_not_of("0123456789.", colon + 1) == std::string_view::npos);
}

}  // namespace

void OptionReader::fail(std::string message, std::string hint) {
    if (!error_) error_ = UsageError{std::move(message), std::move(hint)};
}

void OptionReader::parse(std::span<const char* const> arguments) {
    for (const std::string_view argument : arguments) {
        if (argument == "--") break;
        if (argument.starts_with("--") && argument.ends_with('='))  // or CLI11 takes the next word
            return fail(fmt::format("{} needs a value", argument.substr(0, argument.size() - 1)));
    }
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
    try {
        app_.parse(std::move(reversed));
    } catch (const CLI::ParseError& error) {
        fail(error.what());
        return;
    }
    auto left_over = app_.remaining();
    std::erase(left_over, "--");  // it has done its duty
    if (left_over.empty()) return;
    const auto name = left_over.front().substr(0, left_over.front().find('='));
    std::vector<std::string> names;
    for (const auto* option : app_.get_options()) {
        for (const auto& long_name : option->get_lnames()) names.push_back("--" + long_name);
    }
    names.emplace_back("--help");
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    auto hint = engine::did_you_mean(name, candidates);
    if (hint.empty()) hint = fmt::format("'callcost {} --help' lists the options", facts_.name);
    fail(fmt::format("unknown option '{}'", name), hint);
}

bool OptionReader::yes(std::string_view option, std::string_view text, bool usual) {
    constexpr std::array<std::pair<std::string_view, bool>, 2> choices = {{{"yes", true}, {"no", false}}};
    return choose(option, text, choices).value_or(usual);
}

std::optional<std::uint64_t> OptionReader::number(std::string_view option, std::string_view text) {
    if (text.empty()) return std::nullopt;
    std::uint64_t result = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (problem == std::errc() && end == text.data() + text.size()) return result;
    fail(fmt::format("{} needs a number, not '{}'", option, text));
    return std::nullopt;
}

std::vector<std::uint64_t> OptionReader::numbers(std::string_view option,
                                                 const std::vector<std::string>& texts) {
    std::vector<std::uint64_t> result;
    for (const auto& text : texts) {
        if (text.empty()) fail(fmt::format("{} needs numbers, separated by commas", option));
        if (const auto one = number(option, text)) result.push_back(*one);
    }
    return result;
}

std::optional<double> OptionReader::share(std::string_view option, std::string_view text) {
    if (text.empty()) return std::nullopt;
    auto digits = text;
    if (digits.ends_with('%')) digits.remove_suffix(1);
    double percent = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), percent);
    if (problem == std::errc() && end == digits.data() + digits.size() && percent >= 0 && percent <= 100) {
        return percent / 100;
    }
    fail(fmt::format("{} needs a percentage from 0 to 100, not '{}'", option, text));
    return std::nullopt;
}

void OptionReader::resolve_strict() {
    if (texts_.strict == "all") {
        options_.strict.everything = true;
        return;
    }
    for (const auto& name : CLI::detail::split(texts_.strict, ',')) {
        if (name.empty()) continue;
        const auto ids = diagnostic_ids(name);
        options_.strict.ids.insert(options_.strict.ids.end(), ids.begin(), ids.end());
        if (!ids.empty()) continue;
        std::vector<std::string_view> names;
        bool is_check = false;
        for (std::size_t id = 0; id < check_count && options_.command == Command::check; ++id) {
            const CheckKind& kind = kind_of(static_cast<CheckId>(id));
            names.insert(names.end(), {kind.name, kind.number});
            if (name != kind.name && name != kind.number) continue;
            options_.strict.checks.push_back(static_cast<CheckId>(id));
            is_check = true;
        }
        if (is_check) continue;
        for (std::size_t id = 0; id < diagnostic_id_count; ++id) {
            names.push_back(kind_of(static_cast<DiagnosticId>(id)).name);
        }
        auto hint = engine::did_you_mean(name, names);
        if (hint.empty()) hint = "'callcost info FILE' shows those of a file";
        fail(fmt::format("--strict: there is no diagnostic '{}'", name), hint);
    }
}

void OptionReader::resolve_source_maps() {
    for (const auto& text : texts_.source_maps) {
        if (auto mapping = parse_path_mapping(text)) {
            options_.source_map.push_back(*std::move(mapping));
        } else {
            fail(fmt::format("--source-map needs OLD=NEW, not '{}'", text),
                 "such as --source-map /build/src=src");
        }
    }
}

Patterns OptionReader::patterns(std::string_view option, const std::vector<std::string>& texts,
                                NameScope usual) {
    Patterns result;
    for (const auto& text : texts) {
        if (auto pattern = parse_pattern(text, usual)) {
            result.push_back(*std::move(pattern));
        } else {
            fail(fmt::format("{} cannot be '{}': {}", option, text, pattern.error().message),
                 "it is a piece of a name, or a regular expression (RE2) between slashes");
        }
    }
    return result;
}

/// The first word is no file.
void OptionReader::resolve_pattern() {
    if (!takes_pattern(facts_.command)) return;
    auto& words = options_.files;
    if (words.empty()) {
        return fail(fmt::format("callcost {} needs a pattern", facts_.name),
                    fmt::format("such as 'callcost {} main'", facts_.name));
    }
    std::error_code ignored;
    if (words.size() == 1 && std::filesystem::exists(words.front(), ignored)) {
        return fail(fmt::format("callcost {} needs a pattern before the file", facts_.name),
                    fmt::format("such as 'callcost {} main {}'", facts_.name, words.front()));
    }
    options_.pattern = {{words.front()}, patterns("the pattern", {words.front()}, NameScope::function)};
    words.erase(words.begin());
}

void OptionReader::resolve_filters() {
    const auto resolve = [&](std::string_view option, const std::vector<std::string>& texts) {
        return Filter{texts, patterns(option, texts, NameScope::any)};
    };
    options_.focus = resolve("--focus", texts_.focus);
    options_.ignore = resolve("--ignore", texts_.ignore);
    options_.show = resolve("--show", texts_.show);
    options_.hide = resolve("--hide", texts_.hide);
    options_.root = {texts_.root, patterns("--root", texts_.root, NameScope::function)};
    const bool has_filters =
        !texts_.focus.empty() || !texts_.ignore.empty() || !texts_.show.empty() || !texts_.hide.empty();
    if (has_filters && options_.group) fail("filters are about functions and do not go with --group");
}

/// For `annotate` the key may be an event type, which only the profile knows.
void OptionReader::resolve_sort() {
    const auto& key = texts_.sort;
    const bool is_word = std::any_of(sort_keys.begin(), sort_keys.end(),
                                     [&](const auto& known) { return known.first == key; });
    if (facts_.command != Command::annotate || key.empty() || is_word) {
        options_.sort = choose("--sort", key, sort_keys);
    } else if (is_list_of_events(key)) {
        fail(fmt::format("--sort takes one event type, not '{}'", key),
             "several, and percentages behind them, are for --style=valgrind");
    } else if (!texts_.event.empty() && texts_.event != key) {
        fail(fmt::format("--sort {} and --event {} contradict each other", key, texts_.event),
             "--event alone chooses what is measured and sorted by; --show chooses columns");
    } else {
        options_.event = key;
        options_.event_is_sort_key = true;
    }
    if (yes("--inclusive", texts_.inclusive, false)) options_.sort = SortBy::inclusive;
}

void OptionReader::resolve_annotate() {
    for (auto& directory : options_.include_directories) {  // -I=DIR
        if (directory.size() > 1 && directory.starts_with('=')) directory.erase(0, 1);
    }
    options_.annotate_all = yes("--auto", texts_.annotate_all, true);
    options_.percentages = yes("--show-percs", texts_.percentages, true);
    constexpr std::array<std::pair<std::string_view, CallTree>, 4> trees = {{{"none", CallTree::none},
                                                                             {"caller", CallTree::callers},
                                                                             {"calling", CallTree::callees},
                                                                             {"both", CallTree::both}}};
    options_.tree = choose("--tree", texts_.tree, trees).value_or(CallTree::none);
    if (options_.csv && options_.tree != CallTree::none)
        fail("--tree and --csv exclude each other", "--json has callers and callees");
    if (texts_.show_events.empty()) return;
    options_.show_events = CLI::detail::split(texts_.show_events, ',');
    const auto& names = options_.show_events;
    if (std::find(names.begin(), names.end(), std::string()) != names.end())
        fail("--show needs event types, separated by commas");
}

void OptionReader::resolve_check_format() {
    if ((options_.json || options_.csv) && !texts_.format.empty())
        return fail("--format excludes --json and --csv", "such as --format=json");
    if (facts_.command != Command::check) return;
    constexpr std::array<std::pair<std::string_view, CheckFormat>, 5> check_formats = {
        {{"text", CheckFormat::text},
         {"json", CheckFormat::json},
         {"csv", CheckFormat::csv},
         {"sarif", CheckFormat::sarif},
         {"github", CheckFormat::github}}};
    options_.check_format = choose("--format", texts_.format, check_formats).value_or(CheckFormat::text);
    if (options_.json) options_.check_format = CheckFormat::json;
    if (options_.csv) options_.check_format = CheckFormat::csv;
    options_.json = options_.check_format == CheckFormat::json;
    options_.csv = options_.check_format == CheckFormat::csv;
}

void OptionReader::resolve() {
    constexpr std::array<std::pair<std::string_view, GroupBy>, 5> groups = {
        {{"object", GroupBy::object},
         {"file", GroupBy::file},
         {"directory", GroupBy::directory},
         {"namespace", GroupBy::name_space},
         {"cycle", GroupBy::cycle}}};
    constexpr std::array<std::pair<std::string_view, Contexts>, 2> contexts = {
        {{"keep", Contexts::keep}, {"fold", Contexts::fold}}};
    constexpr std::array<std::pair<std::string_view, When>, 3> whens = {
        {{"auto", When::automatic}, {"always", When::always}, {"never", When::never}}};

    options_.command = facts_.command;
    options_.event = texts_.event;
    resolve_sort();
    options_.group = choose("--group", texts_.group, groups);
    resolve_check_format();
    if (const auto limit = number("--limit", texts_.limit)) options_.limit = static_cast<std::size_t>(*limit);
    if (const auto depth = number("--depth", texts_.depth)) options_.depth = static_cast<std::size_t>(*depth);
    options_.threshold = share("--threshold", texts_.threshold);
    if (const auto lines = number("--context", texts_.context_lines)) {
        options_.context_lines = static_cast<std::size_t>(std::min<std::uint64_t>(*lines, 1'000'000'000));
    }
    resolve_annotate();
    resolve_source_maps();
    resolve_pattern();
    resolve_filters();
    resolve_file_options();
    resolve_comparison();
    resolve_page();
    if (options_.json && options_.csv) fail("--json and --csv exclude each other");
    // "valgrind" never comes here: its options are others.
    constexpr std::array<std::pair<std::string_view, bool>, 2> styles = {
        {{"callcost", true}, {"valgrind", true}}};
    (void)choose("--style", texts_.style, styles);

    options_.selection.parts = numbers("--part", texts_.parts);
    options_.selection.threads = numbers("--thread", texts_.threads_of_profile);
    options_.selection.pids = numbers("--pid", texts_.pids);
    options_.selection.contexts = choose("--contexts", texts_.contexts, contexts).value_or(Contexts::keep);
    resolve_strict();
    if (const auto threads = number("--threads", texts_.threads)) {
        constexpr std::uint64_t most = 64;
        options_.threads = static_cast<unsigned>(std::clamp<std::uint64_t>(*threads, 1, most));
    }

    options_.color = choose("--color", texts_.color, whens).value_or(When::automatic);
    options_.hyperlink = choose("--hyperlink", texts_.hyperlink, whens).value_or(When::automatic);
    if (texts_.no_color) options_.color = When::never;
    options_.progress = choose("--progress", texts_.progress, whens).value_or(When::automatic);
    options_.pager = !texts_.no_pager;
}

tl::expected<Options, UsageError> OptionReader::options_from(std::span<const char* const> arguments) {
    declare_options();
    const auto is_help = [](std::string_view argument) { return argument == "--help" || argument == "-h"; };
    const auto end = std::find(arguments.begin(), arguments.end(), std::string_view("--"));
    if (std::any_of(arguments.begin(), end, is_help)) {
        options_.command = Command::help;
        options_.help_text = app_.help();
        return options_;
    }
    parse(arguments);
    resolve();
    if (error_) return tl::unexpected(*error_);
    return options_;
}

namespace {

const CommandFacts* command_named(std::string_view name) {
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const CommandFacts& facts) { return facts.name == name; });
    return found == commands.end() ? nullptr : &*found;
}

std::vector<const char*> pointers_to(const std::vector<std::string>& words) {
    std::vector<const char*> pointers;
    pointers.reserve(words.size());
    for (const auto& word : words) pointers.push_back(word.c_str());
    return pointers;
}

/// A lone word that is no file but nearly a command.
std::optional<UsageError> mistyped_command(std::string_view word) {
    if (word.starts_with('-') || word.find_first_of("/.") != std::string_view::npos) return std::nullopt;
    std::error_code ignored;
    if (std::filesystem::exists(word, ignored)) return std::nullopt;
    std::vector<std::string_view> names = {"help"};
    for (const auto& facts : commands) names.push_back(facts.name);
    auto hint = engine::did_you_mean(word, names);
    const bool is_a_word = std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (hint.empty() && is_a_word) hint = "'callcost --help' lists the commands";
    if (hint.empty()) return std::nullopt;
    return UsageError{fmt::format("there is no command and no file '{}'", word), hint};
}

tl::expected<Options, UsageError> help_on(std::span<const char* const> words, std::size_t help_width) {
    const auto* facts = words.empty() ? nullptr : command_named(words.front());
    if (facts != nullptr) {
        constexpr std::array help_option = {"--help"};
        return *OptionReader(*facts, help_width).options_from(help_option);
    }
    if (!words.empty() && words.front() != std::string_view("help")) {
        auto error = mistyped_command(words.front());
        if (!error) error = UsageError{fmt::format("there is no command '{}'", words.front()), {}};
        return tl::unexpected(*std::move(error));
    }
    Options options;
    options.command = Command::help;
    options.help_text = general_help;
    return options;
}

}  // namespace

tl::expected<Options, UsageError> parse_command_line(std::span<const char* const> arguments,
                                                     std::size_t help_width) {
    const std::string_view first = arguments.empty() ? "" : arguments.front();
    if (first == "--help" || first == "-h") return help_on({}, help_width);
    if (first == "help") return help_on(arguments.subspan(1), help_width);
    if (first == "--version" || first == "-V") {
        Options options;
        options.command = Command::version;
        return options;
    }
    if (const auto* facts = command_named(first)) {
        if (facts->command == Command::annotate) {
            std::vector<std::string> words(arguments.begin() + 1, arguments.end());
            if (take_valgrind_style(words)) {
                const std::vector<const char*> rest = pointers_to(words);
                return parse_valgrind_command_line(rest);
            }
        }
        return OptionReader(*facts, help_width).options_from(arguments.subspan(1));
    }
    if (!first.empty()) {
        if (const auto error = mistyped_command(first)) return tl::unexpected(*error);
    }
    auto options = OptionReader(*command_named("top"), help_width).options_from(arguments);
    if (options) {
        for (const auto& file : options->files) {
            std::error_code ignored;
            if (command_named(file) != nullptr && !std::filesystem::exists(file, ignored))
                return tl::unexpected(UsageError{"the command comes before its options",
                                                 fmt::format("'callcost {} ...'", file)});
        }
        return options;
    }
    // An option that `top` does not have, before a command that may have it.
    for (const std::string_view word : arguments) {
        if (command_named(word) != nullptr)
            return tl::unexpected(UsageError{
                options.error().message, fmt::format("the command comes first: 'callcost {} ...'", word)});
    }
    return options;
}

}  // namespace callcost::program
