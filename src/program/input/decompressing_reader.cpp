#include "input/decompressing_reader.hpp"

#include <cstring>

namespace callcost::program {

namespace {

constexpr std::size_t buffer_size = std::size_t{128} * 1024;
constexpr std::size_t longest_mark = 6;

}  // namespace

DecompressingReader::DecompressingReader(FileReader file, Compression compression, engine::Budget budget)
    : file_(std::move(file)), compression_(compression), budget_(budget) {}

Result<std::size_t> DecompressingReader::read(std::span<char> buffer) {
    if (!decoder_) {  // not before it is needed: thousands of files may be open and waiting
        decoder_ = make_decoder(compression_);
        buffer_ = std::make_unique_for_overwrite<char[]>(buffer_size);
    }
    std::span<char> room = buffer;
    while (!room.empty() && !is_done_) {
        if (is_between_members_) {
            begin_next_member();
        } else {
            decode_some(room);
        }
    }
    const std::size_t count = buffer.size() - room.size();
    if (count == 0 && problem_) return tl::unexpected(*problem_);
    return count;
}

void DecompressingReader::decode_some(std::span<char>& room) {
    if (in_.empty()) fetch();
    const Step step = decoder_->decode(in_, room);
    drop(step.consumed);
    room = room.subspan(step.produced);
    produced_ += step.produced;
    if (step.state == Step::State::member_end) {
        is_between_members_ = true;
    } else if (step.state == Step::State::damaged) {
        fail(step.problem);
    } else if (step.consumed == 0 && step.produced == 0) {
        is_done_ = true;
        if (!problem_) fail(in_.empty() ? "unexpected end of compressed data" : "corrupt compressed data");
    }
    if (!budget_.covers(consumed_, produced_)) {
        is_done_ = true;
        problem_ = budget_.error("compressed data");
        problem_->offset = produced_;
    }
}

/// Zeros may fill up a member (tapes, xz). What else follows and is no member is omitted, but not in
/// silence.
void DecompressingReader::begin_next_member() {
    while (!in_.empty() && in_.front() == 0) drop(1);
    if (in_.size() < longest_mark && !is_file_at_end_) {
        fetch();
        return;
    }
    const std::string_view next(in_.data(), in_.size());
    if (detect_compression(next) == compression_) {
        decoder_->restart();
        is_between_members_ = false;
        return;
    }
    is_done_ = true;
    if (!next.empty() && !problem_)
        fail(is_cut_mark(compression_, next) ? "unexpected end of compressed data"
                                             : "trailing garbage after the compressed data");
}

/// Reads more behind what is still to be decoded, which moves to the front.
void DecompressingReader::fetch() {
    if (is_file_at_end_) return;
    if (!in_.empty()) std::memmove(buffer_.get(), in_.data(), in_.size());
    const auto count = file_.read({buffer_.get() + in_.size(), buffer_size - in_.size()});
    if (!count) problem_ = count.error();
    is_file_at_end_ = !count || *count == 0;
    in_ = {buffer_.get(), in_.size() + count.value_or(0)};
}

void DecompressingReader::drop(std::size_t count) {
    in_ = in_.subspan(count);
    consumed_ += count;
}

void DecompressingReader::fail(const char* problem) {
    is_done_ = true;
    problem_ = Error{.code = ErrorCode::truncated_compression, .offset = produced_, .detail = problem};
}

}  // namespace callcost::program
