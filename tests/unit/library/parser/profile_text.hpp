/// Profiles from text, and what they say in a line of text for each thing.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "callcost/profile.hpp"
#include "callcost/read.hpp"
#include "callcost/scanner.hpp"

namespace callcost::test {

using Lines = std::vector<std::string>;

/// Reads a profile that has to be readable.
inline Profile read(std::string_view text, const ReadOptions& options = {}) {
    Result<Profile> profile = read_profile(from_memory(text, "test"), options);
    if (!profile)
        throw std::runtime_error("not read: error " + std::to_string(static_cast<int>(profile.error().code)));
    return *std::move(profile);
}

/// Adds modulo 2^64 (F82).
inline std::int64_t wrapped_sum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

// What is written for every record is appended: under sanitizers each temporary text is dear.
template <class Number>
void add_number(std::string& text, Number number) {
    char digits[24];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// Numbers in a row; zeros at the end do not count.
template <class Number>
void add_numbers(std::string& text, std::span<const Number> numbers) {
    while (!numbers.empty() && numbers.back() == 0) numbers = numbers.first(numbers.size() - 1);
    if (numbers.empty()) text += '0';
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i != 0) text += ' ';
        add_number(text, numbers[i]);
    }
}
template <class Number>
std::string numbers_text(std::span<const Number> numbers) {
    std::string text;
    add_numbers(text, numbers);
    return text;
}

inline std::string costs_text(const Profile& profile, const Costs& costs) {
    std::string text;
    for (const auto& [event, cost] : costs.cells())
        text += (text.empty() ? "" : " ") + profile.events()[event.value].name + '=' + std::to_string(cost);
    return text;
}

/// `id` with a count and the first place, such as "bad-cost 2 at 7:4"; column 0 is left out.
inline std::string diagnostic_text(const Diagnostic& diagnostic) {
    std::string text = std::string(kind_of(diagnostic.id).name);
    if (diagnostic.count != 1) text += " x" + std::to_string(diagnostic.count);
    if (diagnostic.places.empty()) return text;
    const Place& place = diagnostic.places.front();
    text += " at " + std::to_string(place.line);
    if (place.column != 0) text += ':' + std::to_string(place.column);
    return text;
}

inline Lines diagnostic_lines(std::span<const Diagnostic> diagnostics) {
    Lines lines;
    for (const Diagnostic& diagnostic : diagnostics) lines.push_back(diagnostic_text(diagnostic));
    return lines;
}
inline Lines diagnostics_of(const Profile& profile) { return diagnostic_lines(profile.diagnostics()); }

inline std::vector<FunctionId> all_functions(const Profile& profile) {
    std::vector<FunctionId> functions;
    for (std::size_t i = 0; i < profile.function_count(); ++i) functions.emplace_back(i);
    return functions;
}

/// "object:file:name", without what is unknown but the name.
inline void add_function(std::string& text, const Profile& profile, FunctionId function) {
    if (profile.object(function).value != 0) text.append(profile.name(profile.object(function))) += ':';
    if (profile.file(function).value != 0) text.append(profile.name(profile.file(function))) += ':';
    text.append(profile.name(function));
}
inline std::string function_text(const Profile& profile, FunctionId function) {
    std::string text;
    add_function(text, profile, function);
    return text;
}

inline std::string self_text(const Profile& profile, FunctionId function) {
    std::vector<std::int64_t> costs;
    for (std::size_t i = 0; i < profile.events().size(); ++i)
        costs.push_back(profile.self(function, EventId(i)));
    return numbers_text(std::span<const std::int64_t>(costs));
}

/// "object:file:name self costs" of all functions; "called only" in place of costs.
inline Lines functions_of(const Profile& profile) {
    Lines lines;
    for (const FunctionId function : all_functions(profile))
        lines.push_back(function_text(profile, function) + ' ' +
                        (profile.has_records(function) ? self_text(profile, function) : "called only"));
    return lines;
}

inline std::string count_text(CallCount count) {
    return (count.at_least ? ">=" : "") + std::to_string(count.known);
}

/// "caller > callee x count: costs".
inline Lines arcs_of(const Profile& profile) {
    Lines lines;
    for (std::size_t i = 0; i < profile.arc_count(); ++i) {
        const ArcId arc(i);
        std::vector<std::int64_t> costs;
        for (std::size_t k = 0; k < profile.events().size(); ++k)
            costs.push_back(profile.cost(arc, EventId(k)));
        lines.push_back(function_text(profile, profile.caller(arc)) + " > " +
                        function_text(profile, profile.callee(arc)) + " x" + count_text(profile.count(arc)) +
                        ": " + numbers_text(std::span<const std::int64_t>(costs)));
    }
    return lines;
}

/// "line" or "line@address".
inline void add_place(std::string& text, std::uint64_t line, std::uint64_t address) {
    add_number(text, line);
    if (address != 0) add_number(text += '@', address);
}
inline std::string place_text(std::uint64_t line, std::uint64_t address) {
    std::string text;
    add_place(text, line, address);
    return text;
}

/// "file:place what", such as "a.c:3 costs 5", "a.c:3 calls b.c:f x2 at 7, costs 9" or "a.c:3 jumps 5/8 to
/// a.c:4 in f".
inline void add_record(std::string& text, const Profile& profile, const Record& record) {
    const auto add_target = [&] {
        if (record.has_target_place) {
            add_place(text, record.target_line, record.target_address);
        } else {
            text += "nowhere";
        }
    };
    text.append(profile.name(record.file)) += ':';
    if (record.has_place) {
        add_place(text, record.line, record.address);
    } else {
        text += "nowhere";
    }
    if (record.kind == Record::Kind::cost) {
        add_numbers(text += " costs ", record.costs);
    } else if (record.kind == Record::Kind::call) {
        add_function(text += " calls ", profile, profile.callee(record.arc));
        add_number(text += " x", record.count);
        text += " at ";
        add_target();
        add_numbers(text += ", costs ", record.costs);
    } else {
        add_number(text += record.conditional ? " jcnd " : " jump ", record.followed);
        add_number(text += '/', record.executed);
        text.append(" to ").append(profile.name(record.target_file)) += ':';
        add_target();
        text += " in ";
        if (record.target_function.valid()) {
            add_function(text, profile, record.target_function);
        } else {
            text += "no function";
        }
    }
}
inline std::string record_text(const Profile& profile, const Record& record) {
    std::string text;
    add_record(text, profile, record);
    return text;
}

inline Lines records_of(const Profile& profile, FunctionId function) {
    Lines lines;
    RecordCursor cursor = profile.records(function);
    for (Record record; cursor.next(record);) lines.push_back(record_text(profile, record));
    return lines;
}
/// The records of all functions, one function after the other.
inline Lines records_of(const Profile& profile) {
    Lines lines;
    for (const FunctionId function : all_functions(profile))
        for (std::string& line : records_of(profile, function)) lines.push_back(std::move(line));
    return lines;
}

/// Writes down what parse() delivers. Names are texts.
struct EventLog {
    const EventNames* texts = nullptr;
    Lines lines;

    void names(const EventNames& all) { texts = &all; }
    void part(const PartEvent& part) { lines.emplace_back(part.new_profile ? "profile" : "part"); }
    void header(const HeaderEvent& header) {
        lines.push_back(std::to_string(header.line) + ' ' + std::string(header.key) + ": " +
                        std::string(header.value));
    }
    void function(const FunctionEvent& function) {
        lines.push_back("fn " + std::string(texts->object(function.object)) + ':' +
                        std::string(texts->file(function.file)) + ':' +
                        std::string(texts->function(function.name)));
    }
    void cost(const CostEvent& cost) { lines.push_back(where(cost) + " costs " + numbers_text(cost.costs)); }
    void call(const CallEvent& call) {
        lines.push_back((call.has_place ? where(call) : "nowhere") + " calls " +
                        std::string(texts->object(call.callee.object)) + ':' +
                        std::string(texts->file(call.callee.file)) + ':' +
                        std::string(texts->function(call.callee.name)) + " x" + std::to_string(call.count) +
                        (call.counted ? "" : " uncounted") + " at " +
                        (call.has_target ? place_text(call.target_line, call.target_address) : "nowhere") +
                        ", costs " + numbers_text(call.costs));
    }
    void jump(const JumpEvent& jump) {
        lines.push_back((jump.has_place ? where(jump) : "nowhere") +
                        (jump.conditional ? " jcnd " : " jump ") + std::to_string(jump.followed) + '/' +
                        std::to_string(jump.executed) + " to " + std::string(texts->file(jump.target_file)) +
                        ':' +
                        (jump.has_target ? place_text(jump.target_line, jump.target_address) : "nowhere") +
                        (jump.target_function == JumpEvent::same_function
                             ? ""
                             : " in " + std::string(texts->function(jump.target_function))));
    }

  private:
    [[nodiscard]] std::string where(const CostEvent& cost) const {
        std::string text = std::string(texts->file(cost.file)) + ':' + place_text(cost.line, cost.address);
        if (cost.line_written_as_minus_one) text += "(-1)";
        for (const std::uint64_t position : cost.positions) text += '/' + std::to_string(position);
        return text;
    }
};

/// The events of a text that has to be readable.
inline Lines events_of(std::string_view text, std::size_t chunk_size = 64 * 1024) {
    EventLog log;
    ParseOptions options;
    options.chunk_size = chunk_size;
    if (!parse(from_memory(text), log, options)) throw std::runtime_error("not parsed");
    return log.lines;
}

}  // namespace callcost::test
