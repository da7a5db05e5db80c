#include "parser/diagnostic_log.hpp"

#include <algorithm>
#include <tuple>

namespace callcost {

namespace {

constexpr std::size_t excerpt_size = 160;

constexpr std::array<DiagnosticKind, diagnostic_id_count> kinds{{
    {"unknown-line", Severity::error, "F8"},
    {"cost-before-events", Severity::error, "F14"},
    {"duplicate-event", Severity::error, "F14"},
    {"unknown-position", Severity::error, "F15"},
    {"unsupported-version", Severity::error, "F16"},
    {"undefined-name-id", Severity::error, "F32"},
    {"short-position", Severity::error, "F37"},
    {"surplus-costs", Severity::error, "F43"},
    {"number-overflow", Severity::error, "F44"},
    {"bad-cost", Severity::error, "F44"},
    {"bad-call-count", Severity::error, "F57"},
    {"calls-without-cost-line", Severity::error, "F59"},
    {"call-without-callee", Severity::error, "F60"},
    {"formula-cycle", Severity::error, "F69"},
    {"bad-formula", Severity::error, "F69"},
    {"truncated-compression", Severity::error, "F85"},
    {"read-failed", Severity::error, "F10"},
    {"line-too-long", Severity::error, "F67"},
    {"truncated-file", Severity::warning, "F10"},
    {"bad-number", Severity::warning, "F18"},
    {"inherited-columns", Severity::warning, "F24"},
    {"surplus-summary", Severity::warning, "F25"},
    {"totals-equals-sign", Severity::warning, "F26"},
    {"event-without-colon", Severity::warning, "F27"},
    {"event-redefined", Severity::warning, "F27"},
    {"odd-name-id", Severity::warning, "F30"},
    {"name-id-redefined", Severity::warning, "F31"},
    {"late-name-id", Severity::warning, "F32"},
    {"negative-position", Severity::warning, "F38"},
    {"minus-one-line", Severity::warning, "F39"},
    {"signed-cost", Severity::warning, "F44"},
    {"fractional-cost", Severity::warning, "F44"},
    {"cost-before-fn", Severity::warning, "F48"},
    {"unspecified-function", Severity::warning, "F50"},
    {"call-without-calls", Severity::warning, "F56"},
    {"split-call", Severity::warning, "F59"},
    {"jcnd-order", Severity::warning, "F62"},
    {"jump-without-source", Severity::warning, "F63"},
    {"inclusive-exceeds-total", Severity::warning, "F76"},
    {"counters-zeroed", Severity::warning, "F76"},
    {"non-additive-column", Severity::warning, "F78"},
    {"crlf", Severity::note, "F1"},
    {"no-final-newline", Severity::note, "F1"},
    {"nul-byte", Severity::note, "F1"},
    {"non-utf8-name", Severity::note, "F2"},
    {"bom", Severity::note, "F2"},
    {"indented-line", Severity::note, "F6"},
    {"no-costs", Severity::note, "F9"},
    {"several-profiles", Severity::note, "F22"},
    {"unreadable-totals", Severity::note, "F26"},
    {"unknown-header", Severity::note, "F28"},
    {"name-id-redefined", Severity::note, "F31"},
    {"name-padding", Severity::note, "F33"},
    {"empty-name", Severity::note, "F34"},
    {"nested-name-id", Severity::note, "F36"},
    {"position-range", Severity::note, "F42"},
    {"negative-cost", Severity::note, "F44"},
    {"function-without-records", Severity::note, "F47"},
    {"fi-without-fl", Severity::note, "F49"},
    {"dangling-cfn", Severity::note, "F55"},
    {"unknown-call-count", Severity::note, "F57"},
    {"deprecated-rcalls", Severity::note, "F57"},
    {"call-target-short", Severity::note, "F58"},
    {"call-target-extra", Severity::note, "F58"},
    {"callee-linked-by-name", Severity::note, "F61"},
    {"jump-target-short", Severity::note, "F62"},
    {"hidden-option-line", Severity::note, "F65"},
    {"unknown-event-in-formula", Severity::note, "F69"},
}};

/// From 1; 0 if no byte of the line is meant.
std::uint64_t column_of(const LineView& line, const char* where) {
    return where == nullptr ? 0 : static_cast<std::uint64_t>(where - line.text.data()) + 1;
}

/// Lines of a chunk may be before its begin, then they are negative.
std::tuple<std::uint32_t, std::int64_t, std::uint64_t> order(std::uint32_t source, std::uint64_t line,
                                                             std::uint64_t column) {
    return {source, static_cast<std::int64_t>(line), column};
}

}  // namespace

Place place_of(const LineView& line, const char* where) {
    Place place;
    place.line = line.number;
    place.offset = line.offset;
    place.column = column_of(line, where);
    std::size_t from = 0;  // of the excerpt, around the column
    if (place.column > excerpt_size)
        from = static_cast<std::size_t>(
            std::min<std::uint64_t>(place.column - excerpt_size / 2, line.text.size()));
    place.excerpt = std::string(line.text.substr(from, excerpt_size));
    if (place.column > from) place.excerpt_column = static_cast<std::uint32_t>(place.column - from);
    return place;
}

const DiagnosticKind& kind_of(DiagnosticId id) { return kinds[static_cast<std::size_t>(id)]; }

std::vector<DiagnosticId> diagnostic_ids(std::string_view name) {
    std::vector<DiagnosticId> ids;
    for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i].name == name) ids.push_back(static_cast<DiagnosticId>(i));
    return ids;
}

std::string_view to_string(Severity severity) {
    switch (severity) {
        case Severity::note:
            return "note";
        case Severity::warning:
            return "warning";
        case Severity::error:
            break;
    }
    return "error";
}

bool DiagnosticLog::Entry::wants(std::uint32_t source, std::uint64_t line, std::uint64_t column) const {
    if (places.size() < places_kept) return true;
    const Place& last = places.back();
    return order(source, line, column) < order(last.source, last.line, last.column);
}

void DiagnosticLog::Entry::keep(Place place) {
    const auto at = std::upper_bound(places.begin(), places.end(), place, [](const Place& a, const Place& b) {
        return order(a.source, a.line, a.column) < order(b.source, b.line, b.column);
    });
    places.insert(at, std::move(place));
    if (places.size() > places_kept) places.pop_back();
}

void DiagnosticLog::add(DiagnosticId id, const LineView& line, const char* where, std::uint64_t count) {
    used_ = true;
    Entry& entry = entries_[index(id)];
    entry.count += count;
    if (entry.wants(0, line.number, column_of(line, where))) entry.keep(place_of(line, where));
}

void DiagnosticLog::append(DiagnosticLog& later, std::uint32_t source, std::uint64_t first_line,
                           std::uint64_t first_offset) {
    if (!later.used_) return;
    used_ = true;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        Entry& entry = later.entries_[i];
        entries_[i].count += entry.count;
        for (Place& place : entry.places) {
            place.source = source;
            place.line += first_line;
            place.offset += first_offset;
            if (entries_[i].wants(source, place.line, place.column)) entries_[i].keep(std::move(place));
        }
        entry = {};
    }
    later.used_ = false;
}

std::vector<Diagnostic> DiagnosticLog::take() {
    std::vector<Diagnostic> result;
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (entries_[i].count != 0)
            result.push_back(
                {static_cast<DiagnosticId>(i), entries_[i].count, std::move(entries_[i].places)});
    clear();
    return result;
}

void DiagnosticLog::clear() {
    entries_ = {};
    used_ = false;
}

}  // namespace callcost
