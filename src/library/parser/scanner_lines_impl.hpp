/// Scanner: from characters to lines, and cost lines in every notation the format allows. The short way is in
/// scanner_fast_impl.hpp.
#pragma once

#include "parser/scanner.hpp"

namespace callcost {

template <class Sink>
void Scanner<Sink>::scan(const char* begin, const char* end, std::uint64_t offset) {
    offset_ = offset;
    begin_ = begin;
    end_ = end;
    const char* p = begin;
    while (p != end) {
        ++line_;
        line_begin_ = p;
        const auto c = static_cast<unsigned char>(*p);
        if (c >= 'a') {
            if (const char* next = fast_spec_line(p)) {
                p = next;
                continue;
            }
        } else if (fast_ && c >= '*') {  // * + - digits
            if (pending_ == 0 && state_.has_function && !state_.unspecified) {
                const char* const next = plain_lines(p);
                if (next != p) {
                    p = next;
                    continue;
                }
            }
            if (const char* next = fast_cost_line(p)) {
                p = next;
                continue;
            }
        } else if (c == '\n') {
            ++p;
            continue;
        }
        const char* const eol = end_of(p);
        any_line(p, eol);
        if (rejected_) return;
        p = eol + 1;
    }
}

template <class Sink>
void Scanner<Sink>::next_chunk(std::size_t bytes) {
    // Open header lines keep their places: relative to the next chunk's begin they are negative.
    for (HeaderLine& header : block_) {
        header.number -= line_;
        header.offset -= bytes;
    }
    part_header_.number -= line_;
    part_header_.offset -= bytes;
    line_ = 0;
    minus_one_ = {};
    base_guessed_ = false;
}

template <class Sink>
void Scanner<Sink>::any_line(const char* begin, const char* eol) {
    const LineView line = view(begin, eol);
    if (line.text.size() != static_cast<std::size_t>(eol - begin)) log_->add(DiagnosticId::crlf, line);
    const std::string_view text = trim(line.text);
    if (text.empty()) return;
    const char first = text.front();
    if (first == '#') {
        if (const std::size_t nul = text.substr(0, 4096).find('\0'); nul != std::string_view::npos)
            log_->add(DiagnosticId::nul_byte, line, text.data() + nul);
        if (text != "# callgrind format") return;
    }
    if (text.data() != line.text.data()) log_->add(DiagnosticId::indented_line, line, text.data());
    if (first == '#' || text.starts_with("==== NEW PROFILING FILE")) {
        HeaderLine header;
        header.key = first == '#' ? HeaderKey::magic : HeaderKey::separator;
        header.text = text.substr(0, 1024);
        header.number = line.number;
        header.offset = line.offset;
        if (first == '#') accept(line);
        block_.push_back(std::move(header));
        fast_ = false;
        return;
    }
    if (is_digit(first) || first == '+' || first == '-' || first == '*') {
        if (!state_.accepted) {
            rejected_ = true;
            return;
        }
        cost_line(line);
        return;
    }
    if (const std::size_t equals = text.substr(0, 64).find('='); equals != std::string_view::npos) {
        const Key key = key_of(trim(text.substr(0, equals)));
        if (key != Key::none) {
            spec_line(key, text.substr(equals + 1), line);
            return;
        }
    }
    header_line(line);
}

template <class Sink>
typename Scanner<Sink>::Key Scanner<Sink>::key_of(std::string_view name) {
    struct Entry {
        std::string_view name;
        Key key;
    };
    static constexpr Entry keys[] = {
        {"fn", Key::fn},         {"cfn", Key::cfn},     {"fl", Key::fl},         {"fi", Key::fi},
        {"fe", Key::fe},         {"ob", Key::ob},       {"cob", Key::cob},       {"cfi", Key::cfi},
        {"cfl", Key::cfi},       {"calls", Key::calls}, {"jump", Key::jump},     {"jcnd", Key::jcnd},
        {"jfi", Key::jfi},       {"jfn", Key::jfn},     {"rcalls", Key::rcalls}, {"frfn", Key::frfn},
        {"rec", Key::rec},       {"bb", Key::hidden},   {"ln", Key::hidden},     {"mp", Key::hidden},
        {"totals", Key::totals}, {"cfni", Key::cfni}};
    for (const Entry& entry : keys)
        if (entry.name == name) return entry.key;
    return Key::none;
}

/// A position token of any notation, in the column given. Its problems are reported for cost lines only
/// (`counts`): targets are information. `minus_one` is set for a "-1" that may mean "no line".
template <class Sink>
std::uint64_t Scanner<Sink>::position(std::string_view token, std::size_t column, const LineView& line,
                                      bool counts, bool* minus_one) {
    const Columns& columns = state_.columns;
    const bool is_line = column == columns.line;
    const PositionToken parsed = parse_position(token, line, *log_);
    if (!parsed.relative) return parsed.value;
    if (!base_known_) base_guessed_ = true;
    const bool maybe_no_line = is_line && parsed.minus_one && state_.foreign_creator;
    if (is_line && !maybe_no_line) minus_one_.other_relative = true;
    const std::uint64_t base = columns.layout != Columns::Layout::other
                                   ? (is_line ? base_.line : base_.address)
                               : column < bases_.size() ? bases_[column]
                                                        : 0;
    if (maybe_no_line) {
        *minus_one = true;
        if (counts) {
            ++minus_one_.minus_one;
            log_->add(DiagnosticId::minus_one_line, line, token.data());
        }
    }
    if (!is_line || !parsed.down || 0 - parsed.value <= base) return base + parsed.value;
    // If "-1" turns out to mean "no line", no other line was relative and all these are taken back.
    if (counts) log_->add(DiagnosticId::negative_position, line, token.data());
    return 0;
}

template <class Sink>
void Scanner<Sink>::cost_line(const LineView& line) {
    body_begins(false);
    if (!state_.columns.events_known) {
        log_->add(DiagnosticId::cost_before_events, line);
        return;
    }
    const Columns& columns = state_.columns;
    std::string_view rest = line.text;
    ScannedCost cost;
    columns_
        .clear();  // those that are written; memory and time go by the text, not by what `positions:` claims
    for (std::size_t i = 0; i < columns.positions; ++i) {
        const std::string_view token = take_token(rest);
        if (token.empty()) {
            log_->add(DiagnosticId::short_position, line, line.text.data() + line.text.size());
            break;
        }
        columns_.push_back(position(token, i, line, true, &cost.minus_one));
    }
    if (columns.address < columns_.size()) cost.place.address = columns_[columns.address];
    if (columns.line < columns_.size()) cost.place.line = columns_[columns.line];
    if (columns.layout == Columns::Layout::other) cost.columns = columns_;
    std::size_t count = 0;
    for (;;) {
        const std::string_view token = take_token(rest);
        if (token.empty()) break;
        if (count == columns.events) {
            log_->add(DiagnosticId::surplus_costs, line, token.data());
            break;
        }
        costs_[count++] = parse_cost_token(token, line, *log_);
    }
    cost.costs = {costs_.data(), count};
    record(cost);
}

}  // namespace callcost
