/// Scanner, part 1: from characters to lines. The fast_ functions know the plain notation only and return
/// null, without having done anything, for whatever they do not recognise; any_line knows everything.
#pragma once

#include <bit>

#include "format/scanner.hpp"

namespace callcost {

template <class Sink>
void Scanner<Sink>::scan(const char* begin, const char* end) {
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
            if (pending_ == 0 && state_.columns.events == 1 && state_.has_function && !state_.unspecified) {
                const char* const next = state_.columns.layout == Columns::Layout::line
                                             ? plain_lines<false>(p)
                                             : plain_lines<true>(p);
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

/// One position token and the base it may refer to (F38); anything unusual is left to position().
template <class Sink>
inline bool Scanner<Sink>::fast_position(const char*& p, std::uint64_t& value, bool is_line) {
    const char first = *p++;
    if (first == '*') {
        if (is_line) minus_one_.other_relative = true;
        return true;
    }
    std::uint64_t number = 0;
    const char* digits = p;
    if (first == '0' && *p == 'x') {
        digits = ++p;
        for (;; ++p) {
            const auto c = static_cast<unsigned char>(*p);
            unsigned digit = c - unsigned{'0'};
            if (digit > 9) {
                digit = (c | 0x20U) - unsigned{'a'};
                if (digit > 5) break;
                digit += 10;
            }
            number = number << 4U | digit;
        }
        if (p == digits || p - digits > 16) return false;
        value = number;
        return true;
    }
    const bool relative = first == '+' || first == '-';
    if (!relative) digits = --p;
    for (unsigned digit = 0; (digit = static_cast<unsigned char>(*p) - unsigned{'0'}) <= 9; ++p)
        number = number * 10 + digit;
    if (p == digits || p - digits > 18) return false;
    if (!relative) {
        value = number;
    } else if (first == '+') {
        value += number;
        if (is_line) minus_one_.other_relative = true;
    } else {
        // A line below 0 (F38) and a "-1" that may mean "no line" (F39) need more thought.
        if (is_line && (number > value || (number == 1 && state_.foreign_creator))) return false;
        value -= number;
        if (is_line) minus_one_.other_relative = true;
    }
    return true;
}

/// Most lines of most files: plain cost lines of one column, one after another. Where nothing changes from
/// one to the next but places and costs, everything else is done once. Returns where it stopped, `p` if at
/// once.
template <class Sink>
template <bool with_address>
const char* Scanner<Sink>::plain_lines(const char* p) {
    const NameSlot file = now(callgrind_ && !file_fresh_ ? Current::basefile : Current::file);
    PackedPlace place = base_;
    PackedPlace next = place;
    std::uint64_t lines = 0;
    std::uint64_t last_text = 0, last_mask = 0;  // digits and LF of the cost before, if they fit
    std::ptrdiff_t last_size = 0;
    std::int64_t cost = 0;
    const char* done = p;
    for (;;) {
        if constexpr (with_address) {
            const unsigned digit = static_cast<unsigned char>(p[1]) - unsigned{'0'};
            if (p[0] == '+' && p[2] == ' ' && digit <= 9) {
                next.address += digit;
                p += 3;
            } else if (!fast_position(p, next.address, false) || *p++ != ' ') {
                break;
            }
        }
        if (p[0] == '*' && p[1] == ' ') {
            minus_one_.other_relative = true;
            p += 2;
        } else if (!fast_position(p, next.line, true) || *p++ != ' ') {
            break;
        }
        std::uint64_t text = 0;
        std::memcpy(&text, p, sizeof text);
        if ((text & last_mask) == last_text && last_mask != 0) {
            p += last_size;
        } else {
            const char* const digits = p;
            std::uint64_t number = 0;
            for (unsigned digit = 0; (digit = static_cast<unsigned char>(*p) - unsigned{'0'}) <= 9; ++p)
                number = number * 10 + digit;
            if (p == digits || p - digits > 18 || *p != '\n') break;
            ++p;
            cost = static_cast<std::int64_t>(number);
            last_size = p - digits;
            last_mask = 0;
            if constexpr (std::endian::native == std::endian::little) {
                if (last_size < 8) last_mask = (std::uint64_t{1} << (8 * last_size)) - 1;
                last_text = text & last_mask;
            }
        }
        if (lines == 0) sink_->begin_plain(file);
        sink_->plain(next, cost);
        ++lines;
        place = next;
        done = p;
        if (static_cast<unsigned char>(*p) > '9' || *p < '*') break;
    }
    if (lines == 0) return done;
    sink_->end_plain(lines);
    line_ += lines - 1;
    base_ = place;
    function_used_ = true;
    if (callgrind_) {
        now(Current::file) = now(Current::basefile) = file;
        file_fresh_ = in_group_ = false;
    }
    return done;
}

template <class Sink>
inline const char* Scanner<Sink>::fast_cost_line(const char* p) {
    ScannedCost cost;
    cost.place = base_;
    if (state_.columns.layout == Columns::Layout::instr_line) {
        if (!fast_position(p, cost.place.address, false) || *p++ != ' ') return nullptr;
    }
    if (!fast_position(p, cost.place.line, true)) return nullptr;
    std::int64_t* const costs = costs_.data();
    std::size_t count = 0;
    while (*p == ' ') {
        const char* const digits = ++p;
        std::uint64_t number = 0;
        for (unsigned digit = 0; (digit = static_cast<unsigned char>(*p) - unsigned{'0'}) <= 9; ++p)
            number = number * 10 + digit;
        if (p == digits) {
            if (*p == '\n') break;  // one blank at the end of the line
            return nullptr;
        }
        if (p - digits > 18 || count == state_.columns.events) return nullptr;
        costs[count++] = static_cast<std::int64_t>(number);
    }
    if (*p != '\n') return nullptr;
    cost.costs = {costs, count};
    record(cost);
    return p + 1;
}

/// " ADDRESS LINE" to the end of the line.
template <class Sink>
inline bool Scanner<Sink>::fast_target(const char*& p, PackedPlace& target) {
    target = base_;
    if (state_.columns.layout == Columns::Layout::instr_line) {
        if (*p++ != ' ' || !fast_position(p, target.address, false)) return false;
    }
    if (*p++ != ' ' || !fast_position(p, target.line, true)) return false;
    while (*p == ' ') ++p;
    return *p++ == '\n';
}

template <class Sink>
inline const char* Scanner<Sink>::fast_spec_line(const char* p) {
    const auto number = [](const char*& at, std::uint64_t& value) {
        const char* const digits = at;
        value = 0;
        for (unsigned digit = 0; (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) <= 9; ++at)
            value = value * 10 + digit;
        return at != digits && at - digits <= 18;
    };
    const char* value = nullptr;
    Key key = Key::none;
    if (p[2] == '=') {
        value = p + 3;
        if (p[0] == 'f') {
            key = p[1] == 'n'   ? Key::fn
                  : p[1] == 'i' ? Key::fi
                  : p[1] == 'e' ? Key::fe
                  : p[1] == 'l' ? Key::fl
                                : Key::none;
        } else if (p[0] == 'o' && p[1] == 'b') {
            key = Key::ob;
        }
    } else if (p[3] == '=') {
        value = p + 4;
        if (p[0] == 'c') {
            if (p[1] == 'f') key = p[2] == 'n' ? Key::cfn : p[2] == 'i' || p[2] == 'l' ? Key::cfi : Key::none;
            if (p[1] == 'o' && p[2] == 'b') key = Key::cob;
        } else if (p[0] == 'j' && p[1] == 'f') {
            key = p[2] == 'i' ? Key::jfi : p[2] == 'n' ? Key::jfn : Key::none;
        }
    } else if (!fast_) {
        return nullptr;
    } else if (p[0] == 'c' && std::memcmp(p, "calls=", 6) == 0) {
        if (pending_ != pending_cfn) return nullptr;
        p += 6;
        std::uint64_t count = 0;
        PackedPlace target;
        if (!number(p, count) || !fast_target(p, target)) return nullptr;
        call_.count = count;
        call_.has_target = call_.counted = true;
        call_.target = target;
        pending_ = pending_call;
        split_ = false;
        return p;
    } else if (p[0] == 'j' && (std::memcmp(p, "jcnd=", 5) == 0 || std::memcmp(p, "jump=", 5) == 0)) {
        if (pending_ != 0) return nullptr;
        const bool conditional = p[1] == 'c';
        p += 5;
        std::uint64_t first = 0, second = 0;
        PackedPlace target;
        if (!number(p, first)) return nullptr;
        if (conditional && (*p++ != '/' || !number(p, second))) return nullptr;
        if (!fast_target(p, target)) return nullptr;
        jump_.conditional = conditional;
        jump_.executed = conditional ? second : first;
        jump_.followed = first;
        jump_.has_target = true;
        jump_.target = target;
        pending_ = pending_jump;
        return p;
    }
    if (key == Key::none || value[0] != '(') return nullptr;
    NameRef name;
    name.place = value++;
    if (!number(value, name.id) || value[0] != ')' || value[1] != '\n') return nullptr;
    name.has_id = true;
    name_line(key, name,
              {{p, static_cast<std::size_t>(value + 1 - p)}, line_, static_cast<std::uint64_t>(p - begin_)});
    return value + 2;
}

template <class Sink>
void Scanner<Sink>::any_line(const char* begin, const char* eol) {
    const LineView line = view(begin, eol);
    if (line.text.size() != static_cast<std::size_t>(eol - begin)) log_->add(DiagnosticId::crlf, line);
    const std::string_view text = trim(line.text);
    if (text.empty()) return;
    const char first = text.front();
    if (first == '#') {
        if (line.text.size() < 4096 && std::memchr(text.data(), 0, text.size()) != nullptr)
            log_->add(DiagnosticId::nul_byte, line,
                      static_cast<const char*>(std::memchr(text.data(), 0, text.size())));
        if (text != "# callgrind format") return;
    }
    if (text.data() != line.text.data()) log_->add(DiagnosticId::indented_line, line, text.data());
    if (first == '#' || text.starts_with("==== NEW PROFILING FILE")) {
        HeaderLine header;
        header.key = first == '#' ? HeaderKey::magic : HeaderKey::separator;
        header.text = text.substr(0, 1024);
        header.number = line.number;
        header.offset = line.offset;
        if (first == '#') state_.accepted = true;
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
    if (const void* nul = std::memchr(text.data(), 0, text.size()))
        log_->add(DiagnosticId::nul_byte, line, static_cast<const char*>(nul));
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
    static constexpr Entry keys[] = {{"fn", Key::fn},       {"cfn", Key::cfn},   {"fl", Key::fl},
                                     {"fi", Key::fi},       {"fe", Key::fe},     {"ob", Key::ob},
                                     {"cob", Key::cob},     {"cfi", Key::cfi},   {"cfl", Key::cfi},
                                     {"calls", Key::calls}, {"jump", Key::jump}, {"jcnd", Key::jcnd},
                                     {"jfi", Key::jfi},     {"jfn", Key::jfn},   {"rcalls", Key::rcalls},
                                     {"frfn", Key::frfn},   {"rec", Key::rec},   {"bb", Key::hidden},
                                     {"ln", Key::hidden},   {"mp", Key::hidden}, {"totals", Key::totals}};
    for (const Entry& entry : keys)
        if (entry.name == name) return entry.key;
    return Key::none;
}

/// A position token of any notation, in the column given.
template <class Sink>
std::uint64_t Scanner<Sink>::position(std::string_view token, std::size_t column, const LineView& line,
                                      ScannedCost* record) {
    const Columns& columns = state_.columns;
    const bool is_line = column == columns.line;
    const PositionToken parsed = parse_position(token, line, *log_);
    if (!parsed.relative) return parsed.value;
    if (!base_known_) base_guessed_ = true;
    const bool maybe_no_line = is_line && parsed.minus_one && state_.foreign_creator;
    if (is_line && !maybe_no_line) minus_one_.other_relative = true;
    const std::uint64_t base = columns.layout == Columns::Layout::other ? bases_[column]
                               : is_line                                ? base_.line
                                                                        : base_.address;
    const std::uint64_t value = base + parsed.value;
    if (maybe_no_line && record != nullptr) {
        record->minus_one = true;
        ++minus_one_.minus_one;
        log_->add(DiagnosticId::minus_one_line, line, token.data());
    }
    const auto difference = static_cast<std::int64_t>(parsed.value);
    if (!is_line || difference >= 0 || value < base) return value;
    if (!maybe_no_line) log_->add(DiagnosticId::negative_position, line, token.data());
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
    bool relative = false;
    columns_.assign(columns.positions.size(), 0);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string_view token = take_token(rest);
        if (token.empty()) {
            log_->add(DiagnosticId::short_position, line, line.text.data() + line.text.size());
            break;
        }
        relative = relative || !is_digit(token[0]);
        columns_[i] = position(token, i, line, &cost);
    }
    if (columns.address != Columns::none) cost.place.address = columns_[columns.address];
    if (columns.line != Columns::none) cost.place.line = columns_[columns.line];
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
    if (!base_known_ && !relative) {
        base_known_ = true;
        columns_changed();
    }
}

}  // namespace callcost
