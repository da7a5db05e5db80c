/// Scanner: names, functions, calls and jumps (docs/format.md 4.3, 4.6 to 4.8).
#pragma once

#include "parser/scanner.hpp"

namespace callcost {

template <class Sink>
void Scanner<Sink>::reset_names() {
    names_.fill(unset_slot);
    for (const Current which : {Current::object, Current::fl, Current::file, Current::basefile})
        now(which) = unknown_slot;
    state_.has_function = state_.unspecified = state_.fl_seen = false;
    function_used_ = true;
    file_fresh_ = in_group_ = false;
}

template <class Sink>
void Scanner<Sink>::spec_line(Key key, std::string_view value, const LineView& line) {
    body_begins(key == Key::fl);
    switch (key) {
        case Key::totals:
            totals_line(value, line);
            break;
        case Key::calls:
        case Key::rcalls:
            calls_line(key, value, line);
            break;
        case Key::jump:
        case Key::jcnd:
            jump_line(key, value, line);
            break;
        case Key::hidden:
        case Key::rec:
            hidden_line(key, line);
            break;
        case Key::cfni:
            inlined_line(value, line);
            break;
        case Key::frfn:
            hidden_line(key, line);
            [[fallthrough]];
        default: {
            const NameRef name = name_ref(key, value, line);
            name_line(key, sink_->name(name), name.nested);
        }
    }
}

/// `totals=` (F26).
template <class Sink>
void Scanner<Sink>::totals_line(std::string_view value, const LineView& line) {
    log_->add(DiagnosticId::totals_equals_sign, line);
    HeaderLine header;
    header.key = HeaderKey::totals;
    header.name = "totals";
    header.value = trim(value);
    header.text = line.text.substr(0, 1024);
    header.number = line.number;
    header.offset = line.offset;
    apply_header(header);
}

/// F65.
template <class Sink>
void Scanner<Sink>::hidden_line(Key key, const LineView& line) {
    log_->add(DiagnosticId::hidden_option_line, line);
    if (key == Key::hidden) return;
    base_ = {};
    std::fill(bases_.begin(), bases_.end(), 0);
    now(Current::file) = now(Current::fl);
    file_fresh_ = true;
}

/// The inlined function whose code follows, never with an id (F89).
template <class Sink>
void Scanner<Sink>::inlined_line(std::string_view value, const LineView& line) {
    if (!state_.has_function) {
        log_->add(DiagnosticId::inlined_before_fn, line);
        return;
    }
    if ((pending_ & pending_call) != 0 && !split_) {
        log_->add(DiagnosticId::split_call, line);
        split_ = true;
    }
    NameRef name;
    name.place = value.data();
    name.text = trim(value);
    name.line = static_cast<std::uint32_t>(line_);
    name.kind = NameKind::function;
    if (name.text.empty()) log_->add(DiagnosticId::empty_name, line, value.data());
    if (const void* nul = std::memchr(name.text.data(), 0, name.text.size()))
        log_->add(DiagnosticId::nul_byte, line, static_cast<const char*>(nul));
    const bool is_own_code = name.text.empty() || name.text == "???";
    now(Current::inlined) = is_own_code ? unknown_slot : sink_->name(name);
    now(Current::inlined_file) = now(callgrind_ && !file_fresh_ ? Current::basefile : Current::file);
    sink_->inlined(now(Current::inlined_file), now(Current::inlined));
}

/// Where a call or jump leads to; problems with the positions are reported by the caller.
template <class Sink>
ScannedTarget Scanner<Sink>::read_target(std::string_view text, const LineView& line) {
    ScannedTarget target;
    for (std::string_view token = take_token(text); !token.empty(); token = take_token(text)) {
        if (target.columns == state_.columns.positions) {
            target.surplus = token.data();
            break;
        }
        const std::uint64_t at = position(token, target.columns, line, false, &target.minus_one);
        if (target.columns == state_.columns.address) target.place.address = at;
        if (target.columns == state_.columns.line) target.place.line = at;
        ++target.columns;
    }
    return target;
}

/// F57, F58.
template <class Sink>
void Scanner<Sink>::calls_line(Key key, std::string_view value, const LineView& line) {
    if (key == Key::rcalls) log_->add(DiagnosticId::deprecated_rcalls, line);
    if ((pending_ & pending_call) != 0) drop_call();  // its names are those of this call, too
    std::string_view rest = value;
    const std::string_view count = take_token(rest);
    call_ = ScannedCall{};
    const ParsedNumber number = parse_cost(count);
    if (!number.ok || number.fraction) {
        log_->add(DiagnosticId::bad_call_count, line, count.data() != nullptr ? count.data() : value.data());
    } else if (number.negative) {
        log_->add(DiagnosticId::unknown_call_count, line, count.data());
    } else {
        if (number.overflow) log_->add(DiagnosticId::number_overflow, line, count.data());
        call_.count = number.value;
    }
    const ScannedTarget target = read_target(rest, line);
    call_.has_target = target.columns != 0;
    call_.target = target.place;
    call_.target_minus_one = target.minus_one;
    if (target.surplus != nullptr) log_->add(DiagnosticId::call_target_extra, line, target.surplus);
    if (target.columns < state_.columns.positions) log_->add(DiagnosticId::call_target_short, line);
    if (now(Current::called_function) == unset_slot) log_->add(DiagnosticId::call_without_callee, line);
    pending_ = (pending_ & pending_jump) | pending_call;
    split_ = false;
}

/// F62.
template <class Sink>
void Scanner<Sink>::jump_line(Key key, std::string_view value, const LineView& line) {
    if ((pending_ & pending_call) != 0 && !split_) {
        log_->add(DiagnosticId::split_call, line);
        split_ = true;
    }
    if ((pending_ & pending_jump) != 0) {
        log_->add(DiagnosticId::jump_without_source, line);
        emit_jump(nullptr);
    }
    std::string_view rest = value;
    const std::string_view counts = take_token(rest);
    jump_ = ScannedJump{};
    jump_.conditional = key == Key::jcnd;
    const auto number = [&](std::string_view token) {
        const ParsedNumber parsed = parse_unsigned(token);
        if (!parsed.ok)
            log_->add(DiagnosticId::bad_number, line, token.data() != nullptr ? token.data() : value.data());
        if (parsed.overflow) log_->add(DiagnosticId::number_overflow, line, token.data());
        return parsed.value;
    };
    const std::size_t slash = counts.find('/');
    if (!jump_.conditional) {
        jump_.executed = jump_.followed = number(counts);
    } else if (slash != std::string_view::npos) {
        jump_.followed = number(counts.substr(0, slash));
        jump_.executed = number(counts.substr(slash + 1));
    } else {  // the specification's order
        jump_.executed = number(counts);
        jump_.followed = number(take_token(rest));
        if (jump_.followed > jump_.executed) {
            log_->add(DiagnosticId::jcnd_order, line, counts.data());
            std::swap(jump_.followed, jump_.executed);
        }
    }
    const ScannedTarget target = read_target(rest, line);
    jump_.has_target = target.columns != 0;
    jump_.target = target.place;
    if (target.columns < state_.columns.positions) log_->add(DiagnosticId::jump_target_short, line);
    pending_ |= pending_jump;
}

/// A name or an id with or without one, as written (F30 to F36).
template <class Sink>
NameRef Scanner<Sink>::name_ref(Key key, std::string_view value, const LineView& line) {
    NameRef name;
    name.place = value.data();
    std::string_view text = trim(value);
    const bool padded_end = value.data() + value.size() != line.text.data() + line.text.size();
    if (text.size() != value.size() || padded_end) log_->add(DiagnosticId::name_padding, line, value.data());
    if (text.size() > 1 && text[0] == '(' && is_digit(text[1])) {  // F30
        std::size_t close = 1;
        while (close < text.size() && is_digit(text[close])) ++close;
        const ParsedNumber id = parse_unsigned(text.substr(1, close - 1));
        if (close < text.size() && text[close] == ')' && !id.overflow) {
            name.has_id = true;
            name.id = id.value;
            name.id_text = IdText::of(id.value);
            text = trim(text.substr(close + 1));
            if (callgrind_ && !text.empty() && is_nested_name(text)) name.nested = true;
        } else {
            log_->add(DiagnosticId::odd_name_id, line, text.data());
        }
    } else if (text.empty()) {
        log_->add(DiagnosticId::empty_name, line, value.data());
    }
    if (const void* nul = std::memchr(text.data(), 0, text.size()))
        log_->add(DiagnosticId::nul_byte, line, static_cast<const char*>(nul));
    name.text = text;
    name.line = static_cast<std::uint32_t>(line_);
    name.kind = kind_of_name(key);
    if (name.kind != NameKind::function) name.nested = false;
    return name;
}

template <class Sink>
[[gnu::always_inline]] inline void Scanner<Sink>::name_line(Key key, NameSlot slot, bool nested) {
    if ((pending_ & pending_call) != 0 && key != Key::fn && key != Key::cfn && !split_) {
        log_->add(DiagnosticId::split_call, here());
        split_ = true;
    }
    switch (key) {
        case Key::ob:
            now(Current::object) = slot;
            break;
        case Key::fl:
            now(Current::fl) = now(Current::file) = slot;
            if (callgrind_) now(Current::basefile) = now(Current::fl);
            file_fresh_ = state_.fl_seen = true;
            if (state_.dialect == Dialect::cachegrind) {  // F50
                drop_pending();
                end_function();
                NameRef unspecified;
                unspecified.text = "<unspecified>";
                unspecified.kind = NameKind::function;
                unspecified.line = static_cast<std::uint32_t>(line_);
                set_function(sink_->name(unspecified));
                state_.unspecified = true;
            }
            break;
        case Key::fi:
        case Key::fe:
            now(Current::file) = slot;
            file_fresh_ = true;
            if (!state_.fl_seen) {  // F49
                now(Current::fl) = now(Current::file);
                log_->add(DiagnosticId::fi_without_fl, here());
            }
            break;
        case Key::fn:
            drop_pending();
            end_function();
            set_function(slot);
            break;
        case Key::cob:
            now(Current::called_object) = slot;
            called_object_late_ = (pending_ & pending_cfn) != 0;
            break;
        case Key::cfi:
            now(Current::called_file) = slot;
            called_file_late_ = (pending_ & pending_cfn) != 0;
            break;
        case Key::cfn:
            if ((pending_ & pending_call) != 0) {
                drop_call();
                forget_called();
            }
            if ((pending_ & pending_cfn) != 0 && !nested) {  // F55
                log_->add(DiagnosticId::dangling_cfn, here());
                if (!called_object_late_) now(Current::called_object) = unset_slot;
                if (!called_file_late_) now(Current::called_file) = unset_slot;
            }
            called_object_late_ = called_file_late_ = false;
            now(Current::called_function) = slot;
            pending_ |= pending_cfn;
            break;
        case Key::jfi:
            now(Current::jump_file) = slot;
            break;
        case Key::jfn:
            now(Current::jump_function) = slot;
            break;
        default:
            break;  // frfn=
    }
}

template <class Sink>
inline void Scanner<Sink>::set_function(NameSlot name) {
    now(Current::function_object) = now(Current::object);
    now(Current::function_file) = now(Current::file) = now(Current::basefile) = now(Current::fl);
    now(Current::function) = name;
    now(Current::inlined) = now(Current::inlined_file) = unset_slot;
    state_.has_function = true;
    state_.unspecified = false;
    function_used_ = false;
    file_fresh_ = true;
    in_group_ = false;
    const auto offset =
        line_begin_ == nullptr ? last_line_.offset : static_cast<std::uint64_t>(line_begin_ - begin_);
    sink_->function(now(Current::function_object), now(Current::function_file), name,
                    {static_cast<std::uint32_t>(line_), static_cast<std::uint32_t>(offset)});
}

template <class Sink>
inline void Scanner<Sink>::end_function() {
    if (!function_used_ && !state_.unspecified) log_->add(DiagnosticId::function_without_records, here());
    function_used_ = true;
}

/// A record without any fn= before it (F48), or the first one of a function without name (F50).
template <class Sink>
void Scanner<Sink>::need_function() {
    if (state_.unspecified) {
        log_->add(DiagnosticId::unspecified_function, here());
        state_.unspecified = false;
        return;
    }
    log_->add(DiagnosticId::cost_before_fn, here());
    const NameSlot file = now(Current::file);
    const NameSlot base = now(Current::basefile);
    const bool fresh = file_fresh_;
    set_function(unknown_slot);
    now(Current::file) = file;
    now(Current::basefile) = base;
    file_fresh_ = fresh;
    function_used_ = true;
}

template <class Sink>
inline void Scanner<Sink>::move_base(const ScannedCost& cost) {
    base_ = cost.place;
    if (state_.columns.layout == Columns::Layout::other)
        bases_.assign(cost.columns.begin(), cost.columns.end());
    if (!base_known_) {  // from here on; whatever depended on what was before has set base_guessed_
        base_known_ = true;
        columns_changed();
    }
}

template <class Sink>
inline void Scanner<Sink>::plain(ScannedCost& cost) {
    move_base(cost);
    if (callgrind_) {  // F51
        if (!file_fresh_) now(Current::file) = now(Current::basefile);
        now(Current::basefile) = now(Current::file);
        file_fresh_ = in_group_ = false;
    }
    if (!state_.has_function || state_.unspecified) [[unlikely]]
        need_function();
    cost.file = now(Current::file);
    sink_->cost(cost);
}

/// The file of a call or jump (F51) and the base after it (F40).
template <class Sink>
inline void Scanner<Sink>::place_call_or_jump(const ScannedCost& cost) {
    if (!callgrind_) {
        move_base(cost);
        return;
    }
    const bool same_place =
        in_group_ && group_.address == cost.place.address && group_.line == cost.place.line;
    if (!file_fresh_ && !same_place) now(Current::file) = now(Current::basefile);
    file_fresh_ = false;
    in_group_ = true;
    group_ = cost.place;
}

template <class Sink>
inline void Scanner<Sink>::after_pending(ScannedCost& cost) {
    if ((pending_ & pending_jump) != 0) {  // F63
        if (cost.costs.empty()) {
            place_call_or_jump(cost);
            emit_jump(&cost);
            return;
        }
        log_->add(DiagnosticId::jump_without_source, here());
        emit_jump(nullptr);
    }
    if ((pending_ & pending_call) != 0) {
        place_call_or_jump(cost);
        emit_call(&cost);
        forget_called();
    } else if ((pending_ & pending_cfn) != 0 && !callgrind_) {  // F56
        log_->add(DiagnosticId::call_without_calls, here());
        call_ = ScannedCall{};
        call_.counted = false;
        place_call_or_jump(cost);
        emit_call(&cost);
        forget_called();
    } else {
        plain(cost);
    }
}

template <class Sink>
inline void Scanner<Sink>::emit_call(const ScannedCost* cost) {
    static_cast<ScannedCost&>(call_) = cost != nullptr ? *cost : ScannedCost{};
    finish_call(cost != nullptr);
}

/// Everything about call_ is known but the names.
template <class Sink>
inline void Scanner<Sink>::finish_call(bool has_place) {
    if (!state_.has_function || state_.unspecified) [[unlikely]]
        need_function();
    const auto or_else = [](NameSlot slot, NameSlot otherwise) {
        return slot == unset_slot ? otherwise : slot;
    };
    const NameSlot default_file = now(callgrind_ ? Current::basefile : Current::file);  // F54
    call_.has_place = has_place;
    call_.file = now(Current::file);
    call_.called_object = or_else(now(Current::called_object), now(Current::function_object));
    call_.called_file = or_else(now(Current::called_file), default_file);
    call_.called_function = or_else(now(Current::called_function), unknown_slot);
    pending_ &= ~unsigned{pending_call | pending_cfn};
    function_used_ = true;
    if (state_.columns.events_known) sink_->call(call_);
}

template <class Sink>
inline void Scanner<Sink>::emit_jump(const ScannedCost* cost) {
    static_cast<ScannedCost&>(jump_) = cost != nullptr ? *cost : ScannedCost{};
    finish_jump(cost != nullptr);
}

/// Everything about jump_ is known but the names.
template <class Sink>
inline void Scanner<Sink>::finish_jump(bool has_place) {
    if (!state_.has_function || state_.unspecified) [[unlikely]]
        need_function();
    jump_.has_place = has_place;
    jump_.file = now(Current::file);
    jump_.target_file = now(Current::jump_file);
    if (jump_.target_file == unset_slot)  // F64
        jump_.target_file = now(callgrind_ ? Current::basefile : Current::file);
    jump_.target_function = now(Current::jump_function);
    now(Current::jump_file) = now(Current::jump_function) = unset_slot;
    pending_ &= ~unsigned{pending_jump};
    function_used_ = true;
    if (state_.columns.events_known) sink_->jump(jump_);
}

/// A call whose cost line does not come (F59).
template <class Sink>
inline void Scanner<Sink>::drop_call() {
    log_->add(DiagnosticId::calls_without_cost_line, here());
    emit_call(nullptr);
}

/// What a call or jump that is begun becomes when the function ends (F55, F59, F63).
template <class Sink>
inline void Scanner<Sink>::drop_pending() {
    if (pending_ != 0) {
        if ((pending_ & pending_jump) != 0) {
            log_->add(DiagnosticId::jump_without_source, here());
            emit_jump(nullptr);
        }
        if ((pending_ & pending_call) != 0) {
            drop_call();
        } else if ((pending_ & pending_cfn) != 0) {
            log_->add(DiagnosticId::dangling_cfn, here());
        }
        pending_ = 0;
    }
    forget_called();
    now(Current::jump_file) = now(Current::jump_function) = unset_slot;
}

}  // namespace callcost
