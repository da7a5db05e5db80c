/// Scanner, part 3: header lines, parts and profiles (docs/format.md 4.2, F21 to F24), and the end of the
/// input.
#pragma once

#include "format/scanner.hpp"

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
    if (header.key == HeaderKey::events || header.key == HeaderKey::creator) accept(line);
    block_.push_back(std::move(header));
    fast_ = false;
}

template <class Sink>
void Scanner<Sink>::end_header_block(bool body_is_fl, bool at_end) {
    bool profile_key = false, part_key = false, has_events = false;
    for (const HeaderLine& header : block_) {
        profile_key = profile_key || is_profile_key(header.key);
        part_key = part_key || is_part_key(header.key);
        has_events = has_events || header.key == HeaderKey::events;
    }
    bool starts = (profile_key || part_key) && (!at_end || has_events);
    const bool idle = part_open_ && at_end && !has_events;  // starts nothing, and is about nothing
    bool profile_began = profile_key;
    if (!part_open_) {
        begin_part(true, block_.front());
        starts = false;
        profile_began = true;
    } else if (!starts) {
        profile_began = false;
    }
    bool part_seen = false, events_seen = false;
    for (const HeaderLine& header : block_) {
        if (idle && (is_profile_key(header.key) || is_part_key(header.key))) break;
        if (starts && (is_profile_key(header.key) || is_part_key(header.key))) {
            begin_part(profile_key, header);
            starts = part_seen = events_seen = false;
        }
        bool& seen = header.key == HeaderKey::part ? part_seen : events_seen;
        if (header.key == HeaderKey::part || header.key == HeaderKey::events) {
            if (seen && (!at_end || has_events)) {
                begin_part(false, header);
                part_seen = events_seen = false;
            }
            seen = true;
        }
        apply_header(header);
    }
    if (profile_began && body_is_fl && state_.dialect == Dialect::generic) {  // F20
        bool cmd = false, others = false;
        for (const HeaderLine& header : block_) {
            cmd = cmd || header.key == HeaderKey::cmd;
            others = others || header.key == HeaderKey::version || header.key == HeaderKey::creator ||
                     header.key == HeaderKey::positions || header.key == HeaderKey::pid ||
                     header.key == HeaderKey::part || header.key == HeaderKey::thread;
        }
        if (cmd && !others) {
            state_.dialect = Dialect::cachegrind;
            sink_->dialect(Dialect::cachegrind);
        }
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
    part_header_ = header;
    state_.totals_seen = state_.summary_seen = false;
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
            if (header.value.starts_with("callgrind-")) {
                state_.dialect = Dialect::callgrind;
                sink_->dialect(Dialect::callgrind);
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
        case HeaderKey::summary:
            state_.summary_seen = true;
            break;
        case HeaderKey::totals:
            state_.totals_seen = true;
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
    if (costs_.size() < state_.columns.events + 1) costs_.resize(state_.columns.events + 1);
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
    if (state_.dialect == Dialect::callgrind && !state_.totals_seen) truncated = true;
    if (state_.dialect == Dialect::cachegrind && !state_.summary_seen) truncated = true;
    if (truncated && state_.accepted) log_->add(DiagnosticId::truncated_file, last_line);
}

}  // namespace callcost
