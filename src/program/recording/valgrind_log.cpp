#include "recording/valgrind_log.hpp"

#include <algorithm>
#include <charconv>

namespace callcost::program {
namespace {

/// Without the `==PID== ` or `--PID-- ` that most lines begin with, or `==TIME PID== `.
std::string_view message_of(std::string_view line) {
    for (const std::string_view mark : {"==", "--"}) {
        if (!line.starts_with(mark)) continue;
        const auto end = line.find(mark, mark.size());
        const auto process = line.substr(mark.size(), end - mark.size());
        if (end == std::string_view::npos ||
            process.find_first_not_of("0123456789:. ") != std::string_view::npos)
            continue;
        line.remove_prefix(end + mark.size());
        if (line.starts_with(' ')) line.remove_prefix(1);
        return line;
    }
    return line;
}

/// What follows `begin`, if the text begins with it.
std::optional<std::string_view> behind(std::string_view text, std::string_view begin) {
    if (!text.starts_with(begin)) return std::nullopt;
    return text.substr(begin.size());
}

/// What follows `mark`, wherever it is.
std::optional<std::string_view> behind_any(std::string_view text, std::string_view mark) {
    const auto at = text.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    return text.substr(at + mark.size());
}

/// `1,234 ...`
std::optional<std::uint64_t> number_in(std::string_view text) {
    std::string digits;
    for (const char c : text) {
        if (c == ',') continue;
        if (c < '0' || c > '9') break;
        digits += c;
    }
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || problem != std::errc()) return std::nullopt;
    return number;
}

/// Of the lines that every log begins with.
bool is_preamble(std::string_view message) {
    for (const std::string_view begin :
         {"Callgrind, a ", "Cachegrind, a ", "Copyright (C) ", "Using Valgrind-",
          "Command: ", "Parent PID: ", "For interactive control, "})
        if (message.starts_with(begin)) return true;
    return false;
}

void take_call(std::vector<std::uint64_t>& calls, std::string_view number) {
    if (const auto call = number_in(number);
        call && std::find(calls.begin(), calls.end(), *call) == calls.end())
        calls.push_back(*call);
}

void take(ValgrindLog& log, std::string_view message) {
    if (const auto version = behind(message, "Using Valgrind-"))
        log.version = version->substr(0, version->find(' '));
    if (const auto command = behind(message, "Command: ")) log.command = *command;
    if (const auto parent = behind(message, "Parent PID: ")) log.parent = number_in(*parent).value_or(0);
    if (const auto events = behind(message, "Events    : ")) log.event = events->substr(0, events->find(' '));
    if (const auto cost = behind(message, "Collected : ")) log.cost = number_in(*cost);
    if (const auto refs = behind_any(message, "I   refs: "); refs && !log.cost) {
        log.event = "Ir";
        log.cost = number_in(refs->substr(std::min(refs->find_first_not_of(' '), refs->size())));
    }
    if (const auto bytes = behind_any(message, "unhandled instruction bytes: ");
        bytes && log.unknown_instruction.empty())
        log.unknown_instruction = *bytes;
    if (message.starts_with("valgrind: Unrecognised instruction") && log.unknown_instruction.empty())
        log.unknown_instruction = "unknown";
    if (message.find("unhandled ") != std::string_view::npos)
        if (const auto number = behind_any(message, " syscall: "))
            take_call(log.unknown_system_calls, *number);
    log.cannot_write = log.cannot_write || message.starts_with("Error: can not open ");
    log.has_crashed = log.has_crashed || message.find("the 'impossible' happened") != std::string_view::npos;
}

}  // namespace

ValgrindLog understand_log(std::string_view text) {
    ValgrindLog log;
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const auto message = message_of(line);
        take(log, message);
        if (message.empty() || is_preamble(message)) continue;
        log.messages += line;
        log.messages += '\n';
    }
    std::sort(log.unknown_system_calls.begin(), log.unknown_system_calls.end());
    return log;
}

}  // namespace callcost::program
