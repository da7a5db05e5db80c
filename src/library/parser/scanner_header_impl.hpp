/// Scanner: header lines, parts and profiles (docs/format.md 4.2, F21 to F24), and the end of the
/// input.
#pragma once

#include <algorithm>

#include "parser/scanner.hpp"

namespace callcost {

template <class Sink>
void Scanner<Sink>::header_line(const LineView& line) {
    HeaderLine header;
    if (!parse_header_line(line, header)) {
        if (!state_.accepted) {
            rejected_ = true;
        } else {
            log_->add(DiagnosticId::unknown_line, line);
        }
        return;
    }
    if (is_accepting_key(header.key)) accept(line);
    block_.push_back(std::move(header));
    fast_ = false;
}

/// F21: what begins with the first profile or part key of the block.
template <class Sink>
typename Scanner<Sink>::BlockStarts Scanner<Sink>::what_block_starts(bool at_end) const {
    bool profile_key = false, part_key = false, has_events = false;
    for (const HeaderLine& header : block_) {
        profile_key = profile_key || is_profile_key(header.key);
        part_key = part_key || is_part_key(header.key);
        has_events = has_events || header.key == HeaderKey::events;
    }
    if (at_end && !has_events) return BlockStarts::nothing;
    if (profile_key || !part_open_) return BlockStarts::profile;
    return part_key ? BlockStarts::part : BlockStarts::nothing;
}

/// Whether lines at the end of the input are about the part that is open (F12), and not the head of one that
/// is cut off (F21).
template <class Sink>
bool Scanner<Sink>::is_late(std::span<const HeaderLine> lines) const {
    std::bitset<header_keys> seen = state_.seen;
    for (const HeaderLine& header : lines) {
        const auto key = static_cast<std::size_t>(header.key);
        const bool once = header.key < HeaderKey::desc || header.key == HeaderKey::summary ||
                          header.key == HeaderKey::totals;
        if (!is_late_key(header.key) || (once && seen[key])) return false;
        if (header.key == HeaderKey::desc && state_.has(HeaderKey::desc)) return false;
        seen.set(key);
    }
    return true;
}

/// F20, for a block after which the body begins with `fl=`.
template <class Sink>
bool Scanner<Sink>::block_is_cachegrind() const {
    bool cmd = false;
    for (const HeaderLine& header : block_) {
        cmd = cmd || header.key == HeaderKey::cmd;
        if (header.key == HeaderKey::version || header.key == HeaderKey::creator ||
            header.key == HeaderKey::positions || header.key == HeaderKey::pid ||
            header.key == HeaderKey::part || header.key == HeaderKey::thread)
            return false;
    }
    return cmd;
}

template <class Sink>
void Scanner<Sink>::end_header_block(bool body_is_fl, bool at_end) {
    const BlockStarts starts = what_block_starts(at_end);
    std::span<const HeaderLine> lines = block_;
    if (!part_open_) {
        begin_part(true, lines.front());
    } else {
        const auto first = std::find_if(lines.begin(), lines.end(), [](const HeaderLine& header) {
            return is_profile_key(header.key) || is_part_key(header.key);
        });
        const auto before = static_cast<std::size_t>(first - lines.begin());
        for (const HeaderLine& header : lines.first(before)) apply_header(header);
        lines = lines.subspan(before);
        if (starts != BlockStarts::nothing) {
            begin_part(starts == BlockStarts::profile, lines.front());
        } else if (!is_late(lines)) {
            lines = {};
        }
    }
    bool part_seen = false, events_seen = false;
    for (const HeaderLine& header : lines) {
        if (header.key == HeaderKey::part || header.key == HeaderKey::events) {
            bool& seen = header.key == HeaderKey::part ? part_seen : events_seen;
            if (seen && starts != BlockStarts::nothing) {
                begin_part(false, header);
                part_seen = events_seen = false;
            }
            seen = true;
        }
        apply_header(header);
    }
    if (starts == BlockStarts::profile && body_is_fl && state_.dialect == Dialect::generic &&
        block_is_cachegrind()) {
        state_.dialect = Dialect::cachegrind;
        sink_->dialect(Dialect::cachegrind);
    }
    block_.clear();
    if (!at_end) check_inherited();
    columns_changed();
}

template <class Sink>
void Scanner<Sink>::begin_part(bool new_profile, const HeaderLine& header) {
    if (part_open_) {
        drop_pending();
        end_function();
        check_inherited();
    }
    if (new_profile) {
        state_.columns = Columns{};
        state_.dialect = Dialect::generic;
        state_.foreign_creator = true;
        state_.may_lack_newline = false;
    }
    first_part_ = new_profile;
    part_open_ = true;
    got_events_ = got_positions_ = false;
    part_header_ = HeaderLine{};  // no more than a diagnostic shows: scanners are copied
    part_header_.text = header.text;
    part_header_.number = header.number;
    part_header_.offset = header.offset;
    for (std::size_t key = 0; key < header_keys; ++key)
        if (new_profile || static_cast<HeaderKey>(key) > HeaderKey::pid) state_.seen.reset(key);
    base_ = {};
    bases_.clear();
    base_known_ = true;
    reset_names();
    sink_->part(new_profile);
    columns_changed();
}

/// F24, once for a part, when its first body line comes or the next part begins.
template <class Sink>
void Scanner<Sink>::check_inherited() {
    if (!first_part_ && !(got_events_ && got_positions_))
        log_->add(DiagnosticId::inherited_columns, part_header_.view());
    got_events_ = got_positions_ = true;
}

template <class Sink>
void Scanner<Sink>::apply_header(const HeaderLine& header) {
    state_.seen.set(static_cast<std::size_t>(header.key));
    switch (header.key) {
        case HeaderKey::version: {
            if (header.value.empty()) break;  // F13
            const std::string_view major = std::string_view(header.value).substr(0, header.value.find('.'));
            const ParsedNumber number = parse_unsigned(major);
            if (!number.ok || number.overflow || number.value > 1)
                log_->add(DiagnosticId::unsupported_version, header.view(), header.value_place());
            break;
        }
        case HeaderKey::creator:
            if (const bool is_callgrinds = header.value.starts_with("callgrind-");
                is_callgrinds || state_.dialect == Dialect::callgrind) {  // the last one counts
                state_.dialect = is_callgrinds ? Dialect::callgrind : Dialect::generic;
                sink_->dialect(state_.dialect);
            }
            state_.may_lack_newline = header.value.starts_with("yappi");
            state_.foreign_creator =
                state_.dialect != Dialect::callgrind && !header.value.starts_with("callcost-");
            break;
        case HeaderKey::positions:
            state_.columns.set_positions(header, *log_);
            got_positions_ = true;
            columns_changed();
            break;
        case HeaderKey::events:
            if (header.value.empty()) break;
            state_.columns.set_events(header, *log_);
            got_events_ = true;
            columns_changed();
            break;
        case HeaderKey::other:
            log_->add(DiagnosticId::unknown_header, header.view());
            break;
        default:
            break;
    }
    sink_->header(header);
}

template <class Sink>
void Scanner<Sink>::columns_changed() {
    callgrind_ = state_.dialect == Dialect::callgrind;
    if (costs_.size() < state_.columns.events + 1) {
        costs_.resize(state_.columns.events + 1);
        sums_.resize(state_.columns.events + 1, 0);
    }
    fast_ = state_.accepted && block_.empty() && state_.columns.events_known && base_known_ && part_open_ &&
            state_.columns.layout != Columns::Layout::other;
}

template <class Sink>
void Scanner<Sink>::finish(bool cut, const LineView& last_line) {
    if (rejected_) return;
    line_begin_ = nullptr;  // the text is gone
    last_line_ = last_line;
    if (!block_.empty()) end_header_block(false, true);
    bool truncated = pending_ != 0;
    if ((pending_ & pending_call) == 0 && (pending_ & pending_cfn) != 0)
        pending_ &= ~unsigned{pending_cfn};  // F55: F10 says it
    drop_pending();
    end_function();
    if (cut && !state_.may_lack_newline) truncated = true;
    if (state_.dialect == Dialect::callgrind && !state_.has(HeaderKey::totals)) truncated = true;
    if (state_.dialect == Dialect::cachegrind && !state_.has(HeaderKey::summary)) truncated = true;
    if (truncated && state_.accepted) log_->add(DiagnosticId::truncated_file, last_line);
}

}  // namespace callcost
