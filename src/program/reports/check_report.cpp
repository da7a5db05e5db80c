#include "reports/check_report.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "text/diagnostics.hpp"
#include "text/json.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t max_places_of_notes = 1;

std::string_view file_name(const CheckedFile& file, const Place& place) {
    return place.source < file.sources.size() ? file.sources[place.source] : file.name;
}

std::string with_numbers(const Breach& breach, std::string_view stated, std::string_view found) {
    return fmt::format("{} {}{}{}, {} {}", stated, breach.stated, breach.event.empty() ? "" : " ",
                       engine::display_name(breach.event), found, breach.found);
}

/// What is wrong at one place, in words.
std::string text_of(CheckId id, const Breach& breach) {
    const auto subject = engine::display_name(breach.subject);
    const auto prefix = subject.empty() ? std::string() : subject + ": ";
    const bool has_numbers = breach.stated != 0 || breach.found != 0;
    switch (id) {
        case CheckId::totals_are_sums:
            return prefix + with_numbers(breach, "'totals:' says", "the cost lines add up to");
        case CheckId::cachegrind_summary:
            if (!has_numbers) return prefix + "'summary:' is missing or not the last line";
            [[fallthrough]];
        case CheckId::summary_covers_totals:
            return prefix + with_numbers(breach, "'summary:' says", "the cost lines add up to");
        case CheckId::functions_balance:
            if (breach.stated > breach.found)
                return prefix + with_numbers(breach, "calls to it cost", "self and recorded callees cost");
            [[fallthrough]];
        case CheckId::cycles_balance:
            return (id == CheckId::cycles_balance ? "the cycle of " : "") + prefix +
                   with_numbers(breach, "calls to it cost", "it costs");
        case CheckId::arcs_within_callee:
            return prefix + with_numbers(breach, "calls from one caller cost", "all of it costs");
        case CheckId::inclusive_within_total:
            return prefix + "costs more than the whole profile";
        case CheckId::has_root:
            return "every function has a caller or is in a cycle";
        case CheckId::callees_recorded:
            return prefix + "is called but has no record of its own";
        case CheckId::parts_in_order:
            return prefix + "does not follow the part before it";
        case CheckId::counts_known:
            return "a call count is unknown";
        case CheckId::jumps_possible:
            return "a jump is taken more often than it is executed";
        case CheckId::callees_match:
            return "a callee has a different file or object than its own record";
        case CheckId::columns_fit:
            return "a cost line has too few or too many numbers";
        case CheckId::names_clean:
            return "a name is not UTF-8 or has control characters";
        case CheckId::ids_defined:
            return "a name ID is never defined";
        case CheckId::ids_unique:
            return "a name ID is redefined within one part";
        case CheckId::costs_not_negative:
            return "a cost is negative";
        case CheckId::positions_not_negative:
            return "a position is negative";
        case CheckId::targets_complete:
            return "a 'calls=' line has too few or too many numbers";
        case CheckId::file_complete:
            return "unexpected end of file";
        case CheckId::portable:
            return prefix + "not portable to all readers";
    }
    return {};
}

/// Diagnostics of its severity have said it, or it is a habit that they tell.
bool is_told_by_diagnostics(const Check& check) {
    return check.reported_as && *check.reported_as >= severity_of(check);
}

void add_diagnostics(std::vector<Finding>& findings, const CheckedFile& file) {
    for (const auto& diagnostic : file.diagnostics) {
        const auto& kind = kind_of(diagnostic.id);
        auto shown = kind.severity == Severity::note ? max_places_of_notes : diagnostic.places.size();
        shown = std::min(std::max<std::size_t>(shown, 1), diagnostic.places.size());
        for (std::size_t i = 0; i < std::max<std::size_t>(shown, 1); ++i) {
            Finding finding;
            finding.id = kind.name;
            finding.severity = kind.severity;
            if (i < shown) finding.place = diagnostic.places[i];
            finding.file = file_name(file, finding.place);
            if (finding.place.line == 0) finding.subject = std::move(finding.place.excerpt);
            if (finding.place.line == 0) finding.place = {};
            finding.text = (finding.subject.empty() ? "" : engine::display_name(finding.subject) + ": ") +
                           std::string(kind_of(diagnostic.id).message);
            finding.hint = kind_of(diagnostic.id).hint;
            findings.push_back(std::move(finding));
        }
        findings.back().more = diagnostic.count - std::max<std::size_t>(shown, 1);
    }
}

void add_checks(std::vector<Finding>& findings, const CheckedFile& file) {
    for (const auto& check : file.report.checks) {
        if (check.count == 0 || check.id == CheckId::portable || is_told_by_diagnostics(check)) continue;
        const bool is_note = severity_of(check) == Severity::note;
        const auto shown =
            std::min(check.breaches.size(), is_note ? max_places_of_notes : check.breaches.size());
        for (std::size_t i = 0; i < std::max<std::size_t>(shown, 1); ++i) {
            const Breach breach = i < shown ? check.breaches[i] : Breach{};
            Finding finding;
            finding.id = fmt::format("{} {}", kind_of(check.id).number, kind_of(check.id).name);
            finding.severity = severity_of(check);
            finding.place = breach.place;
            finding.file = file_name(file, breach.place);
            finding.subject = breach.subject;
            finding.text = text_of(check.id, breach);
            finding.is_expected = check.verdict == Verdict::expected;
            if (finding.is_expected && check.id == CheckId::inclusive_within_total && !check.reported_as)
                finding.text += ", explained by rounding, negative costs or 'summary:'";
            else if (finding.is_expected)
                finding.text += fmt::format(", normal for {}", engine::display_name(file.report.producer));
            finding.hint = finding.is_expected ? std::string_view() : engine::wording(check.id).advice;
            findings.push_back(std::move(finding));
        }
        findings.back().more = check.count - std::max<std::size_t>(shown, 1);
    }
}

void add_failures(std::vector<Finding>& findings, const CheckedFile& file) {
    for (const auto& failure : file.failures) {
        Finding finding;
        finding.id = to_string(failure.error.code);
        finding.severity = failure.has_parts ? Severity::note : Severity::error;
        finding.file = failure.name;
        finding.place.line = failure.error.line;
        finding.place.column = std::max<std::uint64_t>(failure.error.column, failure.error.line > 0 ? 1 : 0);
        finding.place.excerpt = failure.line.substr(0, 160);
        finding.text = engine::display_name(failure.error.message());
        if (failure.has_parts) finding.text += "; its data are in the files of its threads or parts";
        findings.push_back(std::move(finding));
    }
}

std::string_view verdict_on(const ReaderReport& reader) {
    if (reader.hindrances.empty()) return "right";
    const auto worst =
        std::max_element(reader.hindrances.begin(), reader.hindrances.end(),
                         [](const Hindrance& a, const Hindrance& b) { return a.effect < b.effect; });
    constexpr std::array<std::string_view, 3> words{"differs", "wrong", "refuses"};
    return words.at(static_cast<std::size_t>(worst->effect));
}

constexpr std::string_view name_of(Verdict verdict) {
    constexpr std::array<std::string_view, 4> words{"holds", "not-applicable", "expected", "broken"};
    return words.at(static_cast<std::size_t>(verdict));
}

constexpr std::string_view name_of(Effect effect) {
    constexpr std::array<std::string_view, 3> words{"differs", "wrong", "refuses"};
    return words.at(static_cast<std::size_t>(effect));
}

// --- text -------------------------------------------------------------------------------------------------

void write_checks(std::string& out, const CheckedFile& file, const engine::Style& style) {
    out += paint("Checks", engine::Tone::heading, style) + "\n";
    constexpr std::size_t indent = 14;
    const auto add_line = [&](std::string_view text) {
        out.append(indent, ' ').append(wrapped(text, indent, style)).append("\n");
    };
    for (const auto& check : file.report.checks) {
        const auto tone = check.verdict == Verdict::broken  ? engine::tone_of(severity_of(check))
                          : check.verdict == Verdict::holds ? engine::Tone::good
                                                            : engine::Tone::dim;
        constexpr std::array<std::string_view, 4> words{"holds", "-", "normal", "broken"};
        const auto word = words.at(static_cast<std::size_t>(check.verdict));
        const auto& say = engine::wording(check.id);
        out += fmt::format("  {:<4}{}{:{}}{}\n", kind_of(check.id).number, paint(word, tone, style), "",
                           8 - word.size(), wrapped(say.meaning, indent, style));
        if (check.count == 0) continue;
        if (!say.broken_by.empty()) add_line(fmt::format("also broken in valid files of: {}", say.broken_by));
        add_line(fmt::format("writers: {}", say.advice));
    }
}

void write_readers(std::string& out, const CheckedFile& file, const engine::Style& style) {
    out += '\n' + paint("Other readers", engine::Tone::heading, style) + "\n";
    for (const auto& reader : file.report.readers) {
        const auto verdict = verdict_on(reader);
        constexpr std::array<std::pair<std::string_view, std::string_view>, 4> sentences{{
            {"right", "reads it correctly"},
            {"differs", "shows correct costs, but:"},
            {"wrong", "shows wrong costs:"},
            {"refuses", "rejects it:"},
        }};
        const auto* const sentence = std::find_if(sentences.begin(), sentences.end(),
                                                  [&](const auto& pair) { return pair.first == verdict; });
        out += fmt::format("  {} {}\n", to_string(reader.reader), sentence->second);
        for (const auto& hindrance : reader.hindrances) {
            const auto place =
                hindrance.first.line == 0
                    ? std::string()
                    : fmt::format(
                          " (line {}{})", hindrance.first.line,
                          hindrance.count > 1 ? " and " + count(hindrance.count - 1, style) + " more" : "");
            out +=
                fmt::format("    {:<8} {}\n", name_of(hindrance.effect),
                            wrapped(fmt::format("{}{}", engine::wording(hindrance.trait), place), 13, style));
        }
    }
}

}  // namespace

std::vector<Finding> findings_of(const CheckedFile& file) {
    std::vector<Finding> findings;
    add_failures(findings, file);
    add_diagnostics(findings, file);
    add_checks(findings, file);
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    return findings;
}

std::string_view shown_name(std::string_view name) {
    return name == "-" || name == "<stdin>" ? std::string_view("standard input") : name;
}

FindingCounts count_findings(const std::vector<CheckedFile>& files) {
    FindingCounts counts;
    const auto add = [&](Severity severity, std::uint64_t number) {
        (severity == Severity::error     ? counts.errors
         : severity == Severity::warning ? counts.warnings
                                         : counts.notes) += number;
    };
    for (const auto& file : files) {
        for (const auto& failure : file.failures)
            add(failure.has_parts ? Severity::note : Severity::error, 1);
        for (const auto& diagnostic : file.diagnostics)
            add(kind_of(diagnostic.id).severity, diagnostic.count);
        for (const auto& check : file.report.checks)
            if (check.count > 0 && check.id != CheckId::portable && !is_told_by_diagnostics(check))
                add(severity_of(check), check.count);
    }
    return counts;
}

void write_check_text(std::string& out, const CheckedFile& file, const engine::Style& style) {
    if (!out.empty()) out += '\n';
    for (const auto& finding : findings_of(file)) {
        write_finding(out, shown_name(finding.file), finding.place, finding.severity, finding.text,
                      finding.id, finding.hint, style);
        if (finding.more > 0) out += fmt::format("  (and {} more)\n", count(finding.more, style));
    }
    if (file.sources.empty()) return;
    if (!out.empty() && !out.ends_with("\n\n")) out += '\n';
    out += paint(engine::display_name(shown_name(file.name)), engine::Tone::strong, style);
    out += file.report.producer.empty()
               ? std::string(", unknown producer")
               : fmt::format(", {} {}", file.report.producer_is_guess ? "looks like a file of" : "written by",
                             file.report.producer);
    out += "\n\n";
    write_checks(out, file, style);
    write_readers(out, file, style);
    const auto counts = count_findings({file});
    const auto text = severity_counts(counts.errors, counts.warnings, counts.notes, style);
    out += fmt::format("\n{}\n", text.empty() ? "no problems found" : text);
}

// --- JSON -------------------------------------------------------------------------------------------------

namespace {

void write_place(engine::JsonWriter& json, std::string_view file, const Place& place) {
    json.member("file", engine::if_any(shown_name(file)));
    json.member("line", place.line);
    json.member("column", place.column);
    if (place.line > 0) json.member("excerpt", place.excerpt);
}

void write_json_findings(engine::JsonWriter& json, const CheckedFile& file) {
    json.key("findings");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& finding : findings_of(file)) {
        json.begin_object();
        json.member("id", finding.id);
        json.member("severity", to_string(finding.severity));
        write_place(json, finding.file, finding.place);
        json.member("subject", engine::if_any(finding.subject));
        json.member("message", finding.text);
        json.member("more", finding.more);
        json.end_object();
    }
    json.end_array();
}

void write_json_checks(engine::JsonWriter& json, const CheckedFile& file) {
    json.key("checks");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& check : file.report.checks) {
        const auto& words = engine::wording(check.id);
        json.begin_object();
        json.member("number", kind_of(check.id).number);
        json.member("name", kind_of(check.id).name);
        json.member("verdict", name_of(check.verdict));
        json.member("severity", check.count == 0 ? std::optional<std::string_view>()
                                                 : std::optional(to_string(severity_of(check))));
        json.member("count", check.count);
        json.member("meaning", words.meaning);
        json.member("broken_by", engine::if_any(words.broken_by));
        json.member("advice", words.advice);
        json.key("first");
        json.begin_array();
        for (const auto& breach : check.breaches) {
            json.begin_object();
            write_place(json, file_name(file, breach.place), breach.place);
            json.member("subject", engine::if_any(breach.subject));
            json.member("event", engine::if_any(breach.event));
            json.member("stated", breach.stated);
            json.member("found", breach.found);
            json.end_object();
        }
        json.end_array();
        json.end_object();
    }
    json.end_array();
}

void write_json_readers(engine::JsonWriter& json, const CheckedFile& file) {
    json.key("readers");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& reader : file.report.readers) {
        json.begin_object();
        json.member("name", to_string(reader.reader));
        json.member("verdict", verdict_on(reader));
        json.key("reasons");
        json.begin_array();
        for (const auto& hindrance : reader.hindrances) {
            json.begin_object();
            json.member("trait", to_string(hindrance.trait));
            json.member("effect", name_of(hindrance.effect));
            json.member("message", engine::wording(hindrance.trait));
            json.member("count", hindrance.count);
            json.member("line", hindrance.first.line);
            json.end_object();
        }
        json.end_array();
        json.end_object();
    }
    json.end_array();
}

}  // namespace

void write_check_json(std::string& out, const std::vector<CheckedFile>& files) {
    engine::JsonWriter json(out);
    const auto counts = count_findings(files);
    json.begin_object(engine::JsonLayout::rows);
    json.member("schema", "callcost.check/1");
    json.member("errors", counts.errors);
    json.member("warnings", counts.warnings);
    json.member("notes", counts.notes);
    json.key("files");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& file : files) {
        json.begin_object(engine::JsonLayout::rows);
        json.member("name", shown_name(file.name));
        json.member("is_profile", !file.sources.empty());
        json.member("producer", engine::if_any(file.report.producer));
        json.member("producer_is_guess", file.report.producer_is_guess);
        write_json_findings(json, file);
        write_json_checks(json, file);
        write_json_readers(json, file);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    out += '\n';
}

}  // namespace callcost::program
