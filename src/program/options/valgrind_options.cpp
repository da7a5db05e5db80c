#include "options/valgrind_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "options/command_line.hpp"
#include "options/usage_error.hpp"
#include "text/suggest.hpp"
#include <callcost/callcost.hpp>

namespace callcost::program {
namespace {

constexpr std::string_view valgrind_help =
    R"(usage: callgrind_annotate [OPTION...] [FILE [SOURCE...]]
       callcost annotate --style=valgrind [OPTION...] [FILE [SOURCE...]]

The functions of a profile and its source files in the layout of
callgrind_annotate 3.19. SOURCE... are annotated in addition to those of --auto.

  --show=A,B             show these event types, in this order (default: all)
  --sort=A,B             sort by these event types (default: all, in file order);
                         A:50,B:90 lists functions until these percentages of
                         each are reached, overriding --threshold
  --threshold=P          list functions until P percent of the first event type
                         to sort by are reached (default: 99); 100: all
  --show-percs=yes|no    show percentages of the totals (default: yes)
  --auto=yes|no          annotate the files of listed functions (default: yes)
  --context=N            show N lines around those with cost (default: 8)
  --inclusive=yes|no     include the cost of callees (default: no)
  --tree=none|caller|calling|both
                         list callers or callees of each function (default: none)
  -I=DIR, --include=DIR  search this directory for source files
  --max-line=SIZE        cut longer lines, with a diagnostic (default: 16M)
  --force                lift the limits on what small files may expand to
  -q, --quiet            print errors only, no warnings or notes
  --no-pager             do not use a pager
  -h, --help             show this help
  --version              show the version
)";

constexpr std::string_view style_option = "--style";
constexpr std::string_view include_option = "--include";
constexpr std::string_view line_option = "--max-line";
constexpr std::array<std::string_view, 10> options_with_values = {
    "--show",    "--sort",      "--threshold", "--show-percs", "--auto",
    "--context", "--inclusive", "--tree",      include_option, line_option};

std::vector<std::string> split_at_commas(std::string_view text) {
    std::vector<std::string> pieces;
    while (!text.empty()) {
        const auto end = std::min(text.find(','), text.size());
        pieces.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return pieces;
}

/// Digits with at most one point, from 0 to 100.
bool is_percentage(std::string_view text) {
    double value = 0;
    const auto [end, problem] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    return problem == std::errc() && end == text.data() + text.size() && text.front() != '-' && value >= 0 &&
           value <= 100;
}

class Reading {
  public:
    ValgrindCommandLine run(std::span<const std::string> arguments) {
        for (; !arguments.empty(); arguments = arguments.subspan(1)) {
            const std::string_view argument = arguments.front();
            if (argument == "--") {
                for (const auto& file : arguments.subspan(1)) take_file(file);
                break;
            }
            if (!argument.starts_with('-') || argument == "-") {
                take_file(argument);
            } else if (take_flag(argument)) {
                continue;
            } else {
                const auto [name, value] = split_option(argument);
                if (value && take_flag(name)) {
                    throw UsageError(fmt::format("{} takes no value", name));
                } else if (!knows(name)) {
                    throw UsageError(fmt::format("unknown option '{}' of the valgrind style", name),
                                     engine::did_you_mean(name, options_with_values));
                } else if (value) {
                    take(name, *value);
                } else if (arguments.size() < 2) {
                    throw UsageError(fmt::format("{} needs a value", name));
                } else {
                    arguments = arguments.subspan(1);
                    take(name, arguments.front());
                }
            }
        }
        return std::move(result_);
    }

  private:
    static std::pair<std::string_view, std::optional<std::string_view>> split_option(
        std::string_view argument) {
        constexpr std::string_view short_include = "-I";
        if (argument.starts_with(short_include)) {
            auto value = argument.substr(short_include.size());
            if (value.empty()) return {include_option, std::nullopt};
            if (value.front() == '=') value.remove_prefix(1);
            return {include_option, value};
        }
        const auto equals = argument.find('=');
        if (equals == std::string_view::npos) return {argument, std::nullopt};
        return {argument.substr(0, equals), argument.substr(equals + 1)};
    }

    static bool knows(std::string_view name) {
        return std::find(options_with_values.begin(), options_with_values.end(), name) !=
               options_with_values.end();
    }

    bool take_flag(std::string_view argument) {
        if (argument == "-q" || argument == "--quiet") {
            result_.output.quiet = true;
        } else if (argument == "--no-pager") {
            result_.output.pager = false;
        } else if (argument == "--force") {
            result_.options.force = true;
        } else {
            return false;
        }
        return true;
    }

    void take_file(std::string_view file) {
        auto& sources = result_.options.sources;
        if (!has_profile_) {
            result_.options.profile = file;
            has_profile_ = true;
        } else if (std::find(sources.begin(), sources.end(), file) == sources.end()) {
            sources.emplace_back(file);
        }
    }

    void take(std::string_view name, std::string_view value) {
        auto& options = result_.options;
        if (name == "--show") {
            options.show = split_at_commas(value);
        } else if (name == "--sort") {
            take_sort(value);
        } else if (name == "--threshold") {
            if (value.ends_with('%')) value.remove_suffix(1);
            if (value.empty() || !is_percentage(value))
                return fail_value(name, value, "a percentage from 0 to 100");
            options.threshold = value;
        } else if (name == "--show-percs") {
            take_choice(name, value, options.percentages);
        } else if (name == "--auto") {
            take_choice(name, value, options.annotate_all);
        } else if (name == "--inclusive") {
            take_choice(name, value, options.inclusive);
        } else if (name == "--context") {
            const auto [end, problem] =
                std::from_chars(value.data(), value.data() + value.size(), options.context);
            if (value.empty() || problem != std::errc() || end != value.data() + value.size())
                fail_value(name, value, "a number of lines");
        } else if (name == "--tree") {
            take_tree(value);
        } else if (name == line_option) {
            options.longest_line = size_of_text(line_option, value);
        } else {
            options.include_directories.emplace_back(value);
            if (!value.ends_with('/')) options.include_directories.back() += '/';
        }
    }

    void take_choice(std::string_view name, std::string_view value, bool& choice) {
        if (value != "yes" && value != "no") fail_value(name, value, "yes or no");
        choice = value == "yes";
    }

    void take_tree(std::string_view value) {
        constexpr std::array<std::pair<std::string_view, CallTree>, 4> choices = {
            {{"none", CallTree::none},
             {"caller", CallTree::callers},
             {"calling", CallTree::callees},
             {"both", CallTree::both}}};
        const auto choice = std::find_if(choices.begin(), choices.end(),
                                         [&](const auto& known) { return known.first == value; });
        if (choice == choices.end()) return fail_value("--tree", value, "none, caller, calling or both");
        result_.options.tree = choice->second;
    }

    void take_sort(std::string_view value) {
        result_.options.sort.clear();
        for (auto& text : split_at_commas(value)) {
            const auto colon = text.rfind(':');
            const auto digits =
                colon == std::string::npos ? std::string_view() : std::string_view(text).substr(colon + 1);
            const bool is_threshold =
                !digits.empty() && digits.find_first_not_of("0123456789.") == std::string_view::npos;
            if (is_threshold && !is_percentage(digits))
                return fail_value("--sort", value, "EVENT:0 to EVENT:100");
            if (is_threshold) {
                result_.options.sort.push_back({text.substr(0, colon), std::string(digits)});
            } else {
                result_.options.sort.push_back({std::move(text), {}});
            }
        }
    }

    [[noreturn]] static void fail_value(std::string_view name, std::string_view value,
                                        std::string_view expected) {
        throw UsageError(fmt::format("invalid value '{}' for {}", value, name),
                         fmt::format("expected: {}", expected));
    }

    ValgrindCommandLine result_;
    bool has_profile_ = false;
};

/// Without `--style`; true if the last one is that of valgrind.
bool take_style(std::vector<std::string>& arguments) {
    bool is_valgrind = false;
    std::vector<std::string> rest;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--") {
            rest.insert(rest.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
            break;
        }
        if (argument == style_option && i + 1 < arguments.size()) {
            is_valgrind = arguments[++i] == "valgrind";
        } else if (argument.starts_with("--style=")) {
            is_valgrind = argument == "--style=valgrind";
        } else {
            rest.push_back(arguments[i]);
        }
    }
    if (is_valgrind) arguments = std::move(rest);
    return is_valgrind;
}

}  // namespace

bool has_valgrind_style(std::span<const char* const> arguments) {
    std::vector<std::string> words(arguments.begin(), arguments.end());
    return take_style(words);
}

ValgrindCommandLine read_valgrind_command_line(std::span<const char* const> arguments) {
    std::vector<std::string> words(arguments.begin(), arguments.end());
    (void)take_style(words);
    const auto end = std::find(words.begin(), words.end(), "--");
    const auto has = [&](std::string_view word) { return std::find(words.begin(), end, word) != end; };
    ValgrindCommandLine line;
    if (has("--help") || has("-h")) {
        line.answer = valgrind_help;
    } else if (has("--version")) {
        line.answer = fmt::format("callgrind_annotate-3.19.0 (callcost {})\n", version());
    } else {
        line = Reading().run(words);
    }
    return line;
}

bool is_called_callgrind_annotate(std::string_view program) {
    const auto slash = program.rfind('/');
    return program.substr(slash == std::string_view::npos ? 0 : slash + 1) == "callgrind_annotate";
}

}  // namespace callcost::program
