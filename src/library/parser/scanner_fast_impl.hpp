/// Scanner: the short way through the plain notation of well-behaved writers. The functions here return null,
/// without having done anything, for whatever they do not recognise; any_line knows everything.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/words.hpp"
#include "parser/scanner.hpp"

namespace callcost {

/// The value of a hexadecimal digit; 255 for other characters.
constexpr std::array<unsigned char, 256> hex_digits = [] {
    std::array<unsigned char, 256> values{};
    values.fill(255);
    for (unsigned char i = 0; i < 10; ++i) values['0' + i] = i;
    for (unsigned char i = 0; i < 6; ++i)
        values['a' + i] = values['A' + i] = static_cast<unsigned char>(10 + i);
    return values;
}();

/// A decimal number of at most 18 digits, digit by digit; null if it is none.
inline const char* number_by_digits(const char* p, std::uint64_t& number) {
    const char* const digits = p;
    number = 0;
    for (unsigned digit = 0; (digit = static_cast<unsigned char>(*p) - unsigned{'0'}) <= 9; ++p)
        number = number * 10 + digit;
    return p == digits || p - digits > 18 ? nullptr : p;
}

/// A decimal number of at most 18 digits.
template <class Sink>
inline typename Scanner<Sink>::Position Scanner<Sink>::fast_number(const char* p) {
    const std::uint64_t word = word_at(p);
    const std::uint64_t others = no_digits(word);
    if (others != 0 && (others & 0x80U) == 0) [[likely]] {
        const unsigned count = first_byte(others);
        return {p + count, decimal_value(word, count)};
    }
    Position number;
    number.end = number_by_digits(p, number.value);
    return number;
}

/// One position token (F38).
template <class Sink>
inline typename Scanner<Sink>::Position Scanner<Sink>::fast_position(const char* p, std::uint64_t base) {
    const char first = *p;
    if (first == '*') return {p + 1, base};
    if (first == '0' && p[1] == 'x') {
        p += 2;
        const char* const digits = p;
        std::uint64_t number = 0;
        for (unsigned digit = 0; (digit = hex_digits[static_cast<unsigned char>(*p)]) < 16; ++p)
            number = number << 4U | digit;
        return {p == digits || p - digits > 16 ? nullptr : p, number};
    }
    std::uint64_t number = 0;  // mostly of one or two digits, which predicts well
    if (first == '+') {
        p = number_by_digits(p + 1, number);
        return {p, base + number};
    }
    if (first == '-') {
        p = number_by_digits(p + 1, number);
        return {p, base - number};
    }
    p = number_by_digits(p, number);
    return {p, number};
}

/// A line position; those that need more thought are left: below 0 (F38), or a "-1" that may mean "no line"
/// (F39).
template <class Sink>
inline typename Scanner<Sink>::Position Scanner<Sink>::fast_line_position(const char* p, std::uint64_t base) {
    if (is_digit(*p)) {
        if (static_cast<unsigned char>(p[1]) <= ' ')  // one digit; mostly 0: there is no debug information
            return {p + 1, static_cast<std::uint64_t>(*p - '0')};
    } else if (!relative_lines_known()) {
        return {nullptr, 0};
    }
    const Position position = fast_position(p, base);
    if (*p == '-' && position.value > base) return {nullptr, 0};
    return position;
}

/// "* ", "+3 " and "-3 ", the notation of nearly all relative positions, without a branch for which of them
/// it is: that branch would mispredict. Moves `p` behind the blank and applies the difference;
/// false for other notations.
inline bool short_step(const char*& p, std::uint64_t& value) {
    const auto first = static_cast<unsigned char>(p[0]);
    const auto second = static_cast<unsigned char>(p[1]);
    const std::uint64_t digit = second - std::uint64_t{'0'};
    const bool same = first == '*' && second == ' ';
    const bool step = (first == '+' || first == '-') && digit <= 9 && p[2] == ' ';
    if (!(static_cast<unsigned>(same) | static_cast<unsigned>(step))) return false;
    const std::uint64_t size = same ? 0 : digit;
    value += first == '-' ? 0 - size : size;
    p += same ? 2 : 3;
    return true;
}

/// Most lines of most files: plain cost lines, one after another. Where nothing changes from one to the next
/// but places and costs, everything else is done once. Returns where it stopped, `p` if at once.
template <class Sink>
template <bool WithAddress, bool OneColumn>
const char* Scanner<Sink>::plain_lines(const char* p) {
    const NameSlot file = now(callgrind_ && !file_fresh_ ? Current::basefile : Current::file);
    const bool relative_lines = relative_lines_known();
    Sink& sink = *sink_;
    PackedPlace place = base_;
    PackedPlace next = place;
    std::size_t lines = 0;
    Cost sum = 0;          // one column
    std::size_t used = 0;  // else: columns with a sum
    CostText memo = cost_text_;
    const char* done = p;
    for (;;) {
        if constexpr (WithAddress) {
            std::uint64_t digit = 0;
            if (p[0] == '+' && p[2] == ' ' &&
                (digit = static_cast<unsigned char>(p[1]) - std::uint64_t{'0'}) <= 9) {
                next.address += digit;
                p += 3;
            } else if (!short_step(p, next.address)) {
                const Position position = fast_position(p, next.address);
                if (position.end == nullptr || *position.end != ' ') break;
                next.address = position.value;
                p = position.end + 1;
            }
        }
        if (is_digit(p[0]) && p[1] == ' ') {  // mostly 0: there is no debug information
            next.line = static_cast<std::uint64_t>(p[0] - '0');
            p += 2;
        } else if (!relative_lines && !is_digit(p[0])) {
            break;
        } else if (!short_step(p, next.line)) {
            const Position position = fast_position(p, next.line);
            if (position.end == nullptr || *position.end != ' ' ||
                (p[0] == '-' && position.value > next.line))
                break;
            next.line = position.value;
            p = position.end + 1;
        } else if (static_cast<std::int64_t>(next.line) < 0) {
            break;
        }
        if constexpr (OneColumn) {
            p = one_cost(p, memo);
            if (p == nullptr) break;
            if (lines == 0) sink.begin_plain(file);
            sink.plain(next, memo.cost);
            sum += memo.cost;
        } else {
            std::size_t count = 0;
            p = fast_row(p - 1, count);
            if (p == nullptr) break;
            if (lines == 0) sink.begin_plain(file);
            sink.plain(next, std::span<const Cost>(costs_.data(), count));
            for (std::size_t i = 0; i < count; ++i) sums_[i] += costs_[i];
            used = std::max(used, count);
        }
        ++lines;
        place = next;
        done = p;
        if (static_cast<unsigned char>(*p) > '9' || *p < '*') break;
    }
    if (lines == 0) return done;
    if constexpr (OneColumn) {
        cost_text_ = memo;
        sink.end_plain(lines, sum);
    } else {
        sink.end_plain(lines, std::span<const Cost>(sums_.data(), used));
        std::fill_n(sums_.begin(), used, 0);
    }
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
inline const char* Scanner<Sink>::plain_lines(const char* p) {
    const bool one_column = state_.columns.events == 1;
    if (state_.columns.layout == Columns::Layout::line)
        return one_column ? plain_lines<false, true>(p) : plain_lines<false, false>(p);
    return one_column ? plain_lines<true, true>(p) : plain_lines<true, false>(p);
}

/// A cost and the end of the line. Returns the line after it.
template <class Sink>
[[gnu::always_inline]] inline const char* Scanner<Sink>::one_cost(const char* p, CostText& memo) {
    const std::uint64_t text = word_at(p);
    if ((text & memo.mask) == memo.text) return p + memo.size;
    const std::uint64_t others = no_digits(text);
    if (others != 0 && (others & 0x80U) == 0) [[likely]] {
        const unsigned count = first_byte(others);
        if (p[count] != '\n') return nullptr;
        memo.size = count + 1;
        memo.mask = others ^ (others - 1);
        memo.text = text & memo.mask;
        memo.cost = Cost(decimal_value(text, count));
        return p + count + 1;
    }
    std::uint64_t number = 0;
    p = number_by_digits(p, number);
    if (p == nullptr || *p != '\n') return nullptr;
    memo.text = 1;
    memo.mask = 0;
    memo.cost = Cost(number);
    return p + 1;
}

/// "ADDRESS LINE" or "LINE"; returns what comes after it.
template <class Sink>
inline const char* Scanner<Sink>::fast_place(const char* p, PackedPlace& place) {
    place = base_;
    if (state_.columns.layout == Columns::Layout::instr_line) {
        const Position address = fast_position(p, base_.address);
        if (address.end == nullptr || *address.end != ' ') return nullptr;
        place.address = address.value;
        p = address.end + 1;
    }
    const Position line = fast_line_position(p, base_.line);
    place.line = line.value;
    return line.end;
}

/// " COST COST ..." to the end of the line; returns the line after it.
template <class Sink>
inline const char* Scanner<Sink>::fast_costs(const char* p, std::size_t& count) {
    count = 0;
    if (state_.columns.events > 1) return fast_row(p, count);
    if (*p == ' ' && p[1] != '\n') {
        const Position cost = fast_number(p + 1);
        if (cost.end == nullptr || state_.columns.events == 0) return nullptr;
        costs_[count++] = Cost(cost.value);
        p = cost.end;
    }
    p += *p == ' ' ? 1 : 0;  // one blank at the end of the line
    return *p == '\n' ? p + 1 : nullptr;
}

/// The same for any other number of columns. Most costs have one or two digits.
template <class Sink>
inline const char* Scanner<Sink>::fast_row(const char* p, std::size_t& count) {
    Cost* to = costs_.data();
    const Cost* const end = to + state_.columns.events;
    while (*p == ' ') {
        unsigned digit = static_cast<unsigned char>(p[1]) - unsigned{'0'};
        if (digit > 9 || to == end) {
            ++p;  // one blank at the end of the line
            break;
        }
        std::uint64_t number = digit;
        const char* const digits = p;
        for (p += 2; (digit = static_cast<unsigned char>(*p) - unsigned{'0'}) <= 9; ++p)
            number = number * 10 + digit;
        if (p - digits > 19) return nullptr;
        *to++ = Cost(number);
    }
    count = static_cast<std::size_t>(to - costs_.data());
    return *p == '\n' ? p + 1 : nullptr;
}

template <class Sink>
inline const char* Scanner<Sink>::fast_cost_line(const char* p) {
    ScannedCost cost;
    std::size_t count = 0;
    p = fast_place(p, cost.place);
    if (p != nullptr) p = fast_costs(p, count);
    if (p == nullptr) return nullptr;
    cost.costs = {costs_.data(), count};
    record(cost);
    return p;
}

/// The line after `calls=` or a jump, which is nearly always there at once. Returns `p` itself if it is not.
template <class Sink>
inline const char* Scanner<Sink>::fast_source_line(const char* p) {
    PackedPlace place;
    std::size_t count = 0;
    const char* end = nullptr;
    if (*p == '*' && std::memcmp(p, "* * ", 4) == 0 && state_.columns.layout == Columns::Layout::instr_line &&
        relative_lines_known()) {
        place = base_;
        end = p + 3;
    } else if (*p <= '9' && *p >= '*') {
        end = fast_place(p, place);
    }
    if (end != nullptr) end = fast_costs(end, count);
    if (end == nullptr || (pending_ == pending_jump && count != 0)) return p;
    ++line_;
    line_begin_ = p;
    if (pending_ == pending_jump) {
        jump_.place = place;
        place_call_or_jump(jump_);
        finish_jump(true);
    } else {
        call_.place = place;
        call_.costs = {costs_.data(), count};
        place_call_or_jump(call_);
        finish_call(true);
        forget_called();
    }
    return end;
}

/// `calls=COUNT TARGET` and its cost line.
template <class Sink>
inline const char* Scanner<Sink>::fast_call(const char* p) {
    if (pending_ != pending_cfn) return nullptr;
    const Position count = fast_number(p + 6);
    if (count.end == nullptr || *count.end != ' ') return nullptr;
    PackedPlace target;
    p = fast_place(count.end + 1, target);
    if (p == nullptr) return nullptr;
    while (*p == ' ') ++p;
    if (*p != '\n') return nullptr;
    call_.count = count.value;
    call_.has_target = call_.counted = true;
    call_.target = target;
    call_.minus_one = call_.target_minus_one = false;
    call_.columns = {};
    pending_ = pending_call;
    split_ = false;
    return fast_source_line(p + 1);
}

/// `jump=N TARGET` or `jcnd=FOLLOWED/EXECUTED TARGET`, and its source line.
template <class Sink>
inline const char* Scanner<Sink>::fast_jump(const char* p) {
    if (pending_ != 0) return nullptr;
    const bool conditional = p[1] == 'c';
    const Position followed = fast_number(p + 5);
    Position executed = followed;
    if (followed.end == nullptr) return nullptr;
    if (conditional) {
        if (*followed.end != '/') return nullptr;
        executed = fast_number(followed.end + 1);
        if (executed.end == nullptr) return nullptr;
    }
    if (*executed.end != ' ') return nullptr;
    PackedPlace target;
    p = fast_place(executed.end + 1, target);
    if (p == nullptr) return nullptr;
    while (*p == ' ') ++p;
    if (*p != '\n') return nullptr;
    jump_.conditional = conditional;
    jump_.executed = executed.value;
    jump_.followed = followed.value;
    jump_.has_target = true;
    jump_.target = target;
    jump_.minus_one = false;
    jump_.columns = {};
    jump_.costs = {};
    pending_ = pending_jump;
    return fast_source_line(p + 1);
}

/// "(ID)" or "(ID) NAME" at `p`, the first one in the chunk or a definition. Returns the line after it.
template <class Sink>
const char* Scanner<Sink>::fast_new_name(const char* p, NameKind kind, NameSlot& slot) {
    const Position id = fast_number(p + 1);
    if (id.end == nullptr || id.end[0] != ')') return nullptr;
    NameRef name;
    const char* end = id.end + 1;
    if (*end == ' ') {  // a definition
        const char* const begin = end + 1;
        end = end_of(begin);
        // Blanks around it, a CR, and nested ids are not the plain notation.
        if (*begin == ' ' || *begin == '\t' || *begin == '(' || begin == end) return nullptr;
        if (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r') return nullptr;
        name.text = {begin, static_cast<std::size_t>(end - begin)};
        if (std::memchr(name.text.data(), 0, name.text.size()) != nullptr) return nullptr;
    } else if (*end != '\n') {
        return nullptr;
    }
    name.place = p;
    name.id = id.value;
    name.id_text = IdText::of(id.value, p + 1, id.end - p - 1);
    name.line = static_cast<std::uint32_t>(line_);
    name.kind = kind;
    name.has_id = true;
    slot = sink_->name(name);
    return end + 1;
}

/// "(ID)" or "(ID) NAME" after `key=`, and after a callee's file or name what mostly comes next: `cfn=`, and
/// then `calls=`.
template <class Sink>
template <typename Scanner<Sink>::Key Which>
inline const char* Scanner<Sink>::fast_name(const char* p) {
    if (*p != '(') return nullptr;
    if (!block_.empty() || !state_.body_seen) return nullptr;
    const std::uint64_t word = word_at(p + 1);
    const std::uint64_t end = bytes_equal(word, '\n');
    NameSlot slot = unset_slot;
    if (end != 0) slot = sink_->known(kind_of_name(Which), {word & (end ^ (end - 1))});
    const char* next = p + 2 + first_byte(end);
    if (slot == unset_slot) {
        next = fast_new_name(p, kind_of_name(Which), slot);
        if (next == nullptr) return nullptr;
    }
    name_line(Which, slot, false);
    constexpr std::string_view usual = Which == Key::cfi ? "cfn=" : Which == Key::cfn ? "calls=" : "";
    if constexpr (!usual.empty()) {
        if (!fast_ || next == end_ || std::memcmp(next, usual.data(), usual.size()) != 0) return next;
        const char* const here = std::exchange(line_begin_, next);
        ++line_;
        const char* after = nullptr;
        if constexpr (Which == Key::cfi) {
            after = fast_name<Key::cfn>(next + usual.size());
        } else {
            after = fast_call(next);
        }
        if (after != nullptr) return after;
        --line_;
        line_begin_ = here;
    }
    return next;
}

template <class Sink>
inline const char* Scanner<Sink>::fast_spec_line(const char* p) {
    if (p[2] == '=') {
        if (p[0] == 'f') {
            if (p[1] == 'n') return fast_name<Key::fn>(p + 3);
            if (p[1] == 'i') return fast_name<Key::fi>(p + 3);
            if (p[1] == 'e') return fast_name<Key::fe>(p + 3);
            if (p[1] == 'l') return fast_name<Key::fl>(p + 3);
        } else if (p[0] == 'o' && p[1] == 'b') {
            return fast_name<Key::ob>(p + 3);
        }
    } else if (p[3] == '=') {
        if (p[0] == 'c' && p[1] == 'f') {
            if (p[2] == 'n') return fast_name<Key::cfn>(p + 4);
            if (p[2] == 'i' || p[2] == 'l') return fast_name<Key::cfi>(p + 4);
        } else if (p[0] == 'c' && p[1] == 'o' && p[2] == 'b') {
            return fast_name<Key::cob>(p + 4);
        } else if (p[0] == 'j' && p[1] == 'f') {
            if (p[2] == 'i') return fast_name<Key::jfi>(p + 4);
            if (p[2] == 'n') return fast_name<Key::jfn>(p + 4);
        }
    } else if (!fast_) {
        return nullptr;
    } else if (p[0] == 'c') {
        return std::memcmp(p, "calls=", 6) == 0 ? fast_call(p) : nullptr;
    } else if (p[0] == 'j') {
        return std::memcmp(p, "jcnd=", 5) == 0 || std::memcmp(p, "jump=", 5) == 0 ? fast_jump(p) : nullptr;
    }
    return nullptr;
}

}  // namespace callcost
