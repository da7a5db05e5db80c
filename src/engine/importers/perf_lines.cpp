#include "importers/perf_lines.hpp"

#include <algorithm>
#include <array>

#include "encodings/import_input.hpp"

namespace callcost::engine {
namespace {

constexpr std::size_t shortest_address = 4;  // of relative ones

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

template <class Test>
bool is_all(std::string_view text, Test test) {
    return !text.empty() && std::all_of(text.begin(), text.end(), test);
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Takes the first word off the text.
std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

/// Seconds with decimals and a colon.
bool is_time(std::string_view word) {
    if (!word.ends_with(':')) return false;
    word.remove_suffix(1);
    const std::size_t point = word.find('.');
    return point != std::string_view::npos && is_all(word.substr(0, point), is_digit) &&
           is_all(word.substr(point + 1), is_digit);
}

/// `123` or `123/124`; perf prints -1 where it does not know.
bool is_process_id(std::string_view word) {
    const std::size_t slash = word.find('/');
    const auto is_number = [](std::string_view text) { return text == "-1" || is_all(text, is_digit); };
    if (slash == std::string_view::npos) return is_number(word);
    return is_number(word.substr(0, slash)) && is_number(word.substr(slash + 1));
}

bool is_cpu(std::string_view word) {
    return word.size() > 2 && word.front() == '[' && word.back() == ']' &&
           is_all(word.substr(1, word.size() - 2), is_digit);
}

bool is_event(std::string_view word) { return word.size() > 1 && word.ends_with(':') && !is_time(word); }

/// The end of the process's name: where its number begins, else the CPU, the time, the period or the event.
/// Names may have blanks, and words that look like numbers.
std::string_view process_before(std::string_view line, std::string_view event, bool has_event) {
    const std::string_view head =
        has_event ? line.substr(0, static_cast<std::size_t>(event.data() - line.data())) : line;
    std::string_view left = head;
    std::string_view name;
    for (std::string_view word = take_word(left); !word.empty(); word = take_word(left)) {
        const bool is_first = name.empty();
        if (!is_first && is_process_id(word)) {
            // Of two numbers in a row the first is part of the name, unless the second is the period.
            std::string_view rest = left;
            const std::string_view next = take_word(rest);
            if (!is_process_id(next) || trimmed(rest).empty()) break;
        }
        if (!is_first && (is_cpu(word) || is_time(word))) break;
        name = head.substr(0, static_cast<std::size_t>(word.data() + word.size() - head.data()));
    }
    return trimmed(name);
}

/// The `(`...`)` that ends the text, its inside; parentheses in it are balanced.
std::optional<std::string_view> last_parentheses(std::string_view text) {
    if (!text.ends_with(')')) return std::nullopt;
    std::size_t open = 0;
    for (std::size_t at = text.size(); at-- > 0;) {
        if (text[at] == ')') ++open;
        if (text[at] == '(' && --open == 0) return text.substr(at + 1, text.size() - at - 2);
    }
    return std::nullopt;
}

bool begins_with_address(std::string_view text) {
    const std::string_view address = take_word(text);
    return is_all(address, is_hex_digit) && !trimmed(text).empty();
}

std::string_view without_offset(std::string_view symbol) {
    const std::size_t plus = symbol.rfind("+0x");
    if (plus == std::string_view::npos || plus == 0) return symbol;
    return is_all(symbol.substr(plus + 3), is_hex_digit) ? symbol.substr(0, plus) : symbol;
}

/// What an option of `perf record` means for the words behind it.
enum class PerfOption : std::uint8_t {
    alone,
    with_value,  ///< the next word
    unclear,     ///< not known, or others than the command's processes are profiled
};

PerfOption long_perf_option(std::string_view name) {
    constexpr std::array<std::string_view, 15> with_value = {"affinity",
                                                             "branch-filter",
                                                             "call-graph",
                                                             "clockid",
                                                             "count",
                                                             "delay",
                                                             "event",
                                                             "freq",
                                                             "max-size",
                                                             "mmap-flush",
                                                             "mmap-pages",
                                                             "output",
                                                             "proc-map-timeout",
                                                             "switch-max-files",
                                                             "synth"};
    constexpr std::array<std::string_view, 26> alone = {"aio",
                                                        "all-kernel",
                                                        "all-user",
                                                        "branch-any",
                                                        "buildid-all",
                                                        "compression-level",
                                                        "data",
                                                        "exclude-perf",
                                                        "group",
                                                        "intr-regs",
                                                        "kernel-callchains",
                                                        "namespaces",
                                                        "overwrite",
                                                        "period",
                                                        "phys-data",
                                                        "quiet",
                                                        "raw-samples",
                                                        "running-time",
                                                        "sample-cpu",
                                                        "stat",
                                                        "switch-events",
                                                        "switch-output",
                                                        "timestamp",
                                                        "user-callchains",
                                                        "verbose",
                                                        "weight"};
    const auto is_of = [](const auto& names, std::string_view wanted) {
        return std::find(names.begin(), names.end(), wanted) != names.end();
    };
    const std::size_t equals = name.find('=');
    const std::string_view plain = name.substr(0, equals);
    if (is_of(with_value, plain))
        return equals == std::string_view::npos ? PerfOption::with_value : PerfOption::alone;
    const bool is_known = is_of(alone, plain) || plain.starts_with("no-");
    return is_known ? PerfOption::alone : PerfOption::unclear;
}

/// Letters may be in one word; the rest of it is the value of one that has a value.
PerfOption short_perf_options(std::string_view letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const bool is_last = i + 1 == letters.size();
        if (std::string_view("cDeFjkmor").find(letters[i]) != std::string_view::npos)
            return is_last ? PerfOption::with_value : PerfOption::alone;
        if (std::string_view("zSI").find(letters[i]) != std::string_view::npos) return PerfOption::alone;
        if (std::string_view("bBdginNPqRsTvW").find(letters[i]) == std::string_view::npos)
            return PerfOption::unclear;
    }
    return letters.empty() ? PerfOption::unclear : PerfOption::alone;
}

/// Values may have blanks, which perf does not quote; of lists of events this is seen.
bool is_whole_value(std::string_view value) {
    return !value.empty() && !value.ends_with(',') &&
           std::count(value.begin(), value.end(), '{') == std::count(value.begin(), value.end(), '}');
}

bool is_perf(std::string_view program) {
    program.remove_prefix(program.rfind('/') + 1);
    return program == "perf" || (program.starts_with("perf_") && program.size() > 5 && is_digit(program[5]));
}

}  // namespace

std::string_view profiled_command(std::string_view command) {
    command = trimmed(command);
    std::string_view left = command;
    if (!is_perf(take_word(left))) return command;
    if (take_word(left) != "record") return {};
    for (;;) {
        const std::string_view rest = trimmed(left), word = take_word(left);
        if (word == "--") return trimmed(left);
        if (!word.starts_with('-')) return rest;
        const PerfOption option =
            word.starts_with("--") ? long_perf_option(word.substr(2)) : short_perf_options(word.substr(1));
        if (option == PerfOption::unclear) return {};
        if (option == PerfOption::with_value && !is_whole_value(take_word(left))) return {};
    }
}

std::optional<PerfEvent> parse_perf_event(std::string_view line) {
    PerfEvent event;
    std::string_view left = line, word, before, before_that;
    for (word = take_word(left); !word.empty(); word = take_word(left)) {
        if (word.starts_with("PERF_RECORD_")) return std::nullopt;
        if (is_time(word)) event.has_time = true;
        // The process may be named like an event, but it stands first.
        if (is_event(word) && !before.empty()) break;
        before_that = before;
        before = word;
    }
    if (word.empty() && !event.has_time) return std::nullopt;
    event.process = process_before(line, word, !word.empty());
    if (word.empty()) return event;
    event.name = word.substr(0, word.size() - 1);
    // The number before the event is the period, unless it is that of the process.
    if (is_process_id(before_that) || is_cpu(before_that) || is_time(before_that))
        if (const auto period = parse_decimal(before)) event.period = with_decimals(*period, 0).digits;
    left = trimmed(left);
    if (left.ends_with(')') && begins_with_address(left)) event.frame = left;
    return event;
}

bool is_perf_frame(std::string_view line) {
    if (line.starts_with('\t')) return true;
    // Tabs may have become blanks on the way here. Processes, too, have names like `beef`.
    return line.starts_with(' ') && begins_with_address(line) && !trimmed(line).ends_with(':');
}

PerfFrame parse_perf_frame(std::string_view line) {
    PerfFrame frame;
    std::string_view text = trimmed(line);
    std::string_view left = text;
    if (const std::string_view address = take_word(left); is_all(address, is_hex_digit)) {
        text = trimmed(left);
        frame.has_address = address.size() >= shortest_address && !text.empty();
    }
    if (const auto inner = last_parentheses(text)) {
        // What is not behind a blank belongs to the symbol: `f(int)`.
        const std::size_t open = text.size() - inner->size() - 2;
        if (open == 0 || is_blank(text[open - 1])) {
            frame.is_inlined = *inner == "inlined";
            if (!frame.is_inlined && *inner != "[unknown]") frame.object = *inner;
            text = trimmed(text.substr(0, open));
        }
    }
    frame.name = without_offset(text);
    if (frame.name.empty()) frame.name = "[unknown]";
    return frame;
}

std::optional<PerfSourceLine> perf_source_line(std::string_view line) {
    if (!line.starts_with("  ")) return std::nullopt;
    line.remove_prefix(2);
    if (line.empty() || is_blank(line.front())) return std::nullopt;
    constexpr std::string_view inlined = " (inlined)";
    PerfSourceLine place{.is_inlined = line.ends_with(inlined)};
    if (place.is_inlined) line.remove_suffix(inlined.size());
    if (const std::size_t more = line.find(" (discriminator "); more != std::string_view::npos)
        line = line.substr(0, more);
    const std::size_t colon = line.rfind(':');
    if (colon == std::string_view::npos) {
        // perf has no line, and prints where in the function or the object it is.
        const bool is_one_word = line.find(' ') == std::string_view::npos;
        return is_one_word ? std::optional(place) : std::nullopt;
    }
    const std::string_view digits = line.substr(colon + 1);
    const auto number = digits == "?" ? std::optional<std::uint64_t>(0) : parse_digits(digits);
    if (!number) return std::nullopt;
    const std::string_view file = line.substr(0, colon);
    if (file == "??" || *number == 0) return place;
    place.file = file;
    place.line = *number;
    return place;
}

bool is_perf_side_record(std::string_view line) {
    return line.find(" PERF_RECORD_") != std::string_view::npos;
}

std::string_view without_precision(std::string_view event) {
    const std::size_t colon = event.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return event;
    const std::string_view modifiers = event.substr(colon + 1);
    const bool is_precision =
        std::all_of(modifiers.begin(), modifiers.end(), [](char c) { return c == 'p' || c == 'P'; });
    return is_precision ? event.substr(0, colon) : event;
}

}  // namespace callcost::engine
