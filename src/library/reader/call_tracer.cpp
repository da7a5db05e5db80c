#include "reader/call_tracer.hpp"

#include <algorithm>
#include <utility>

namespace callcost {

/// The calls of the block are the last ones that have returned.
bool CallTracer::take_last(std::uint32_t& begin) {
    const std::size_t count = callees_.size();
    if (count > returned_.size()) return false;
    const ReturnRecord* const last = returned_.data() + returned_.size();
    const ReturnRecord* const first = last - count;
    for (std::size_t i = 0; i < count; ++i)
        if (!fits(callees_[i], first[i])) return false;
    if (!trace_->has_jumps()) {
        begin = first->begin;
    } else {
        for (const ReturnRecord* call = last; call != first;) {
            --call;
            if (begin != call->end) trace_->jump(begin, call->end);
            begin = call->begin;
        }
    }
    returned_.resize(returned_.size() - count);
    return true;
}

/// Where stacks take turns (fibers), those of other stacks stand between them.
bool CallTracer::take_scattered(std::uint32_t& begin) {
    constexpr std::uint64_t max_steps = 256, some_steps = 1'000'000;  // per call, and in any file
    found_.clear();
    auto at = returned_.size();
    for (std::size_t callee = callees_.size(); callee-- > 0;) {
        do {
            if (at-- == 0 || ++steps_ > some_steps + max_steps * trace_->calls()) return false;
        } while (!fits(callees_[callee], returned_[at]));
        found_.push_back(at);
    }
    for (const std::size_t row : found_) {
        if (begin != returned_[row].end) trace_->jump(begin, returned_[row].end);
        begin = returned_[row].begin;
    }
    steps_ += returned_.size() - at;
    std::size_t kept = at;
    for (std::size_t row = at; row < returned_.size(); ++row) {
        if (!found_.empty() && found_.back() == row) {
            found_.pop_back();
        } else {
            returned_[kept++] = returned_[row];
        }
    }
    returned_.resize(kept);
    return true;
}

bool CallTracer::close_call(bool may_lack_calls) {
    is_open_ = false;
    const auto begin = static_cast<std::uint32_t>(trace_->size());
    ReturnRecord call{name_, static_cast<std::uint32_t>(callees_.size()), inclusive_, begin, 0};
    if (!is_once_ || (!callees_.empty() && !take_last(call.begin) && !take_scattered(call.begin))) {
        if (!may_lack_calls) return false;
        call.begin = begin;
        call.callees = 0;
    }
    trace_->add(function_, call.callees, {self_.data(), used_});
    call.end = static_cast<std::uint32_t>(trace_->size());
    returned_.push_back(call);
    for (; used_ > 0; --used_) self_[used_ - 1] = 0;
    inclusive_ = 0;
    callees_.clear();
    return trace_->size() < CallTrace::max_bytes / 2;
}

std::unique_ptr<CallTrace> CallTracer::end_part(bool is_whole) {
    if (is_open_ && !close_call(!is_whole)) note_misfit();
    auto trace = std::move(trace_);
    if (trace) {
        auto begin = static_cast<std::uint32_t>(trace->size());
        for (std::size_t call = returned_.size(); call-- > 0;) {
            if (begin != returned_[call].end) trace->jump(begin, returned_[call].end);
            begin = returned_[call].begin;
        }
        if (begin != 0) trace->jump(begin, 0);  // the first record was walked over before
        trace->finish();
    }
    stop();
    return trace;
}

void CallTracer::note_misfit() {
    misfit_ = line_;
    stop();
}

void CallTracer::stop() {
    trace_.reset();
    returned_ = {};
    is_open_ = false;
    self_.clear();
    used_ = 0;
    inclusive_ = 0;
    callees_ = {};
    steps_ = 0;
}

}  // namespace callcost
