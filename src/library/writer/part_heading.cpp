#include "writer/part_heading.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/numbers.hpp"
#include "base/text.hpp"
#include "callcost/callcost.hpp"

namespace callcost {
namespace {

bool is_word(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    });
}

/// A name of an `events:` line has neither blanks nor control characters.
bool is_event_name(std::string_view name) {
    return !name.empty() && std::none_of(name.begin(), name.end(),
                                         [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

constexpr std::string_view counted_as_one = "Option: unknown numbers of calls are written as 1";

/// Behind such a name `=` or `:` would mean something else (F27).
bool can_be_described(std::string_view name) { return name.find_first_of("=:") == std::string_view::npos; }

class HeadingWriting {
  public:
    HeadingWriting(OutputText& text, const WriterOptions& options, std::set<std::string>& described,
                   LeftOut& left_out)
        : text_(text), options_(options), described_(described), left_out_(left_out) {}

    void put(const PartHeading& heading, const HeadingPlace& place) {
        if (is_cachegrind()) {
            if (heading.descriptions.empty()) put_line("desc", "Written by callcost");  // cg_merge wants one
            for (const std::string& line : heading.descriptions) put_line("desc", line);
            put_command(heading.command, false);
            put_events(heading);
            left_out_.formulas += heading.formulas.size();
            return;
        }
        text_.add(place.begins_file ? "# callgrind format\nversion: 1\n" : "\n");
        // Further parts of the same run have neither; another run begins with them, or they could not be told
        // apart.
        const std::string creator = creator_of(heading, options_);
        if (place.begins_run) put_line("creator", creator);
        put_number("pid", heading.pid);
        if (place.begins_run) put_command(heading.command, creator.starts_with("callcost-"));
        put_number("part", heading.part);
        put_number("thread", heading.thread);
        const bool is_said = std::find(heading.descriptions.begin(), heading.descriptions.end(),
                                       counted_as_one) != heading.descriptions.end();
        if (options_.unknown_count_as_one.value_or(false) && !is_said && place.begins_file)
            put_line("desc", counted_as_one);
        for (const std::string& line : heading.descriptions) put_line("desc", line);
        text_.add(place.addresses ? "positions: instr line\n" : "positions: line\n");
        put_event_types(heading, place.begins_run);
        if (!heading.summary.empty()) {
            text_.add("summary:");
            put_numbers(text_, heading.summary);
        }
        text_.add('\n');
    }

  private:
    [[nodiscard]] bool is_cachegrind() const { return options_.dialect == FileDialect::cachegrind; }

    /// `key: value` on one line, whatever the value holds.
    void put_line(std::string_view key, std::string_view value) {
        text_.add(key);
        text_.add(": ");
        put_spelt_out(text_, value, is_cachegrind());
        text_.add('\n');
    }

    void put_number(std::string_view key, std::optional<std::uint64_t> number) {
        if (!number) return;
        text_.add(key);
        text_.add(": ");
        text_.add_number(*number);
        text_.add('\n');
    }

    /// Never empty (W2). Readers undo `\\` and `\n` only in files of callcost itself (F17): what else is
    /// spelt out keeps its backslash there.
    void put_command(std::string_view value, bool is_escaped) {
        value = trim(value);
        if (value.empty()) value = "unknown";
        std::string escaped;
        if (is_escaped) {
            for (const char c : value) {
                if (c == '\\' || c == '\r' || c == '\0') escaped += "\\\\";
                if (c != '\\') escaped += c == '\r' ? 'r' : c == '\0' ? '0' : c;
            }
            value = escaped;
        }
        put_line("cmd", value);
    }

    /// `event:` lines for long names and formulas, which hold for all parts of a run, then `events:` (W4).
    void put_event_types(const PartHeading& heading, bool begins_run) {
        if (begins_run) described_.clear();
        for (const EventType& event : heading.events)
            if (!trim(event.long_name).empty() && can_be_described(event.name) &&
                described_.insert(event.name).second)
                put_line("event", event.name + " : " + std::string(trim(event.long_name)));
        if (begins_run)
            for (const EventFormula& formula : heading.formulas) put_formula(formula);
        put_events(heading);
    }

    void put_events(const PartHeading& heading) {
        text_.add("events:");
        for (const EventType& event : heading.events) {
            text_.add(' ');
            text_.add(event.name);
        }
        text_.add('\n');
    }

    void put_formula(const EventFormula& formula) {
        const bool has_minus = formula.formula.find('-') != std::string::npos;
        if ((has_minus && options_.dialect != FileDialect::compact) || !is_event_name(formula.name)) {
            ++left_out_.formulas;
            return;
        }
        std::string line = formula.name + " = " + formula.formula;
        if (!formula.long_name.empty()) line += " : " + formula.long_name;
        put_line("event", line);
    }

    OutputText& text_;
    const WriterOptions& options_;
    std::set<std::string>& described_;
    LeftOut& left_out_;
};

}  // namespace

std::string creator_of(const PartHeading& heading, const WriterOptions& options) {
    if (!heading.creator.empty()) return std::string(heading.creator);
    return options.creator.empty() ? "callcost-" + std::string(version()) : options.creator;
}

Result<void> check_heading(const PartHeading& heading, const WriterOptions& options, bool begins_file) {
    if (!begins_file && options.dialect != FileDialect::compact)
        return misuse("only the compact dialect has several parts in a file");
    if (heading.events.empty()) return misuse("a part has at least one event");
    if (!heading.summary.empty() && heading.summary.size() != heading.events.size())
        return misuse("a summary has a number for each event");
    if (trim(creator_of(heading, options)).starts_with("callgrind-"))
        return misuse("the creator may not be called callgrind-...: readers would expect Callgrind's habits");
    std::vector<std::string_view> names;
    for (const EventType& event : heading.events) {
        names.push_back(event.name);
        if (!is_event_name(event.name))
            return misuse("a name of an event has no blanks: '" + event.name + "'");
        if (options.dialect == FileDialect::strict && !is_word(event.name))
            return misuse("the strict dialect has letters and digits only in names of events: '" +
                          event.name + "'");
    }
    std::sort(names.begin(), names.end());
    if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
        return misuse("two events are called '" + std::string(*twice) + "'");
    return {};
}

void put_heading(OutputText& text, const PartHeading& heading, const WriterOptions& options,
                 const HeadingPlace& place, std::set<std::string>& described, LeftOut& left_out) {
    HeadingWriting(text, options, described, left_out).put(heading, place);
}

void put_numbers(OutputText& text, std::span<const Cost> numbers) {
    for (const Cost number : numbers) {
        text.add(' ');
        text.add_signed(number);
    }
    text.add('\n');
}

}  // namespace callcost
