#include "recording/valgrind_command.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace callcost::program {
namespace {

/// Valgrind expands %p and others in names of files.
std::string without_expansion(std::string_view path) {
    std::string result;
    for (const char c : path) {
        result += c;
        if (c == '%') result += c;
    }
    return result;
}

/// As the tool needs it, which runs in the program's directory.
std::string output_of(const Recording& recording) {
    std::error_code problem;
    const auto path = std::filesystem::absolute(recording.output, problem);
    return without_expansion(recording.directory.empty() || problem ? recording.output
                                                                    : path.lexically_normal().string());
}

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

/// Callgrind compares with the whole name, which has parameters in C++.
void add_functions(std::vector<std::string>& words, const std::string& option,
                   const std::vector<std::string>& functions) {
    for (const auto& function : functions) {
        words.push_back(option + function);
        if (function.find_first_of("(*?") == std::string::npos) words.push_back(option + function + "(*");
    }
}

void add_callgrind_options(std::vector<std::string>& words, const Recording& recording) {
    if (!recording.without_instructions)
        words.insert(words.end(), {"--dump-instr=yes", "--collect-jumps=yes"});
    if (recording.cache) words.emplace_back("--cache-sim=yes");
    if (recording.branches) words.emplace_back("--branch-sim=yes");
    if (const auto callers = recording.callers.value_or(default_callers); callers > 0)
        words.push_back("--separate-callers=" + std::to_string(callers));
    if (recording.separate_threads) words.emplace_back("--separate-threads=yes");
    add_functions(words, "--toggle-collect=", recording.only);
    add_functions(words, "--zero-before=", recording.zero_before);
    if (recording.starts_off) words.emplace_back("--instr-atstart=no");
    if (recording.one_file) words.emplace_back("--combine-dumps=yes");
    words.push_back("--callgrind-out-file=" + output_of(recording) + "%p");
}

void add_cachegrind_options(std::vector<std::string>& words, const Recording& recording) {
    // The default depends on the version.
    words.push_back("--cache-sim=" + yes_or_no(recording.cache));
    if (recording.branches) words.emplace_back("--branch-sim=yes");
    words.push_back("--cachegrind-out-file=" + output_of(recording) + "%p");
}

}  // namespace

std::vector<std::string> valgrind_command(const Recording& recording, const std::string& log,
                                          const std::vector<std::string>& program) {
    std::vector<std::string> words;
    if (!recording.environment.empty()) {
        words.emplace_back("env");
        words.insert(words.end(), recording.environment.begin(), recording.environment.end());
    }
    words.emplace_back("valgrind");
    if (recording.tool == RecordingTool::callgrind) {
        words.emplace_back("--tool=callgrind");
        add_callgrind_options(words, recording);
    } else {
        words.emplace_back("--tool=cachegrind");
        add_cachegrind_options(words, recording);
    }
    if (recording.children) words.emplace_back("--trace-children=yes");
    if (!log.empty()) words.push_back("--log-file=" + without_expansion(log) + "%p");
    words.insert(words.end(), recording.more.begin(), recording.more.end());
    words.push_back(program.front());
    words.insert(words.end(), recording.options.begin(), recording.options.end());
    words.insert(words.end(), program.begin() + 1, program.end());
    return words;
}

std::vector<std::string> perf_command(const Recording& recording, const std::string& data,
                                      const std::vector<std::string>& program) {
    std::vector<std::string> words{"perf", "record", "-q", "-g"};
    words.insert(words.end(), recording.more_perf.begin(), recording.more_perf.end());
    words.insert(words.end(), {"-o", data, "--"});
    words.insert(words.end(), program.begin(), program.end());
    return words;
}

std::optional<std::vector<std::string>> unquoted_words(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool is_word = false;  // also an empty one, of quotes
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
            if (is_word) words.push_back(word);
            word.clear();
            is_word = false;
            continue;
        }
        is_word = true;
        if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
        } else if (c == quote) {
            quote = 0;
        } else if (c == '\\' && quote != '\'') {
            if (++i == text.size()) return std::nullopt;
            if (quote == '"' && text[i] != '"' && text[i] != '\\') word += c;
            word += text[i];
        } else {
            word += c;
        }
    }
    if (quote != 0) return std::nullopt;
    if (is_word) words.push_back(word);
    return words;
}

std::string name_of(RecordingTool tool) {
    switch (tool) {
        case RecordingTool::callgrind:
            return "Callgrind";
        case RecordingTool::cachegrind:
            return "Cachegrind";
        case RecordingTool::perf:
            return "perf";
        case RecordingTool::language:
            break;
    }
    return "the profiler";
}

std::string reserved_option(const std::vector<std::string>& more) {
    constexpr std::array<std::string_view, 8> reserved{
        "--tool",   "--callgrind-out-file", "--cachegrind-out-file", "--log-file",
        "--log-fd", "--log-socket",         "--combine-dumps",       "--xml"};
    for (const auto& word : more) {
        const auto name = std::string_view(word).substr(0, word.find('='));
        if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) return std::string(name);
    }
    return {};
}

}  // namespace callcost::program
