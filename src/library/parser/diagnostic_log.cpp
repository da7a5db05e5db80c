#include "parser/diagnostic_log.hpp"

#include <algorithm>
#include <tuple>

namespace callcost {

namespace {

constexpr std::size_t excerpt_size = 160;

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
