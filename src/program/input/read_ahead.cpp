#include "input/read_ahead.hpp"

#include <algorithm>
#include <cstring>
#include <system_error>

namespace callcost::program {

ReadAhead::ReadAhead(DecompressingReader reader) : reader_(std::move(reader)) {}

ReadAhead::~ReadAhead() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        is_stopping_ = true;
    }
    block_freed_.notify_one();
    reader_.file().interrupt();
    thread_.join();
}

Result<std::size_t> ReadAhead::read(std::span<char> buffer) {
    if (!is_started_) start();
    if (!thread_.joinable()) return read_here(buffer);
    if (rest_.empty() && !next_block()) {
        if (failure_) std::rethrow_exception(failure_);
        return end_;
    }
    const std::size_t count = std::min(buffer.size(), rest_.size());
    std::memcpy(buffer.data(), rest_.data(), count);
    rest_ = rest_.subspan(count);
    if (rest_.empty()) consumed_.store(ring_[first_].consumed, std::memory_order_relaxed);
    return count;
}

/// Where no thread can be had, the one that reads does the work.
void ReadAhead::start() {
    is_started_ = true;
    if (!reader_.file().make_interruptible()) return;
    for (Block& block : ring_) block.bytes = std::make_unique_for_overwrite<char[]>(block_size);
    try {
        thread_ = std::thread([this] { decompress_all(); });
    } catch (const std::system_error&) {
    }
}

Result<std::size_t> ReadAhead::read_here(std::span<char> buffer) {
    auto count = reader_.read(buffer);
    consumed_.store(reader_.consumed(), std::memory_order_relaxed);
    return count;
}

void ReadAhead::decompress_all() {
    for (std::size_t last = 0;; last = (last + 1) % block_count) {
        {
            std::unique_lock lock(mutex_);
            block_freed_.wait(lock, [this] { return is_stopping_ || filled_ < block_count; });
            if (is_stopping_) return;
        }
        Block& block = ring_[last];
        Result<std::size_t> count = 0;
        std::exception_ptr failure;
        try {
            count = reader_.read({block.bytes.get(), block_size});
        } catch (...) {  // out of memory
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        if (!count || *count == 0) {
            end_ = std::move(count);
            failure_ = std::move(failure);
            is_at_end_ = true;
            block_filled_.notify_one();
            return;
        }
        block.size = *count;
        block.consumed = reader_.consumed();
        ++filled_;
        block_filled_.notify_one();
    }
}

/// Gives the block back that was read and takes the next; false at the end.
bool ReadAhead::next_block() {
    std::unique_lock lock(mutex_);
    if (holds_block_) {
        holds_block_ = false;
        first_ = (first_ + 1) % block_count;
        --filled_;
        block_freed_.notify_one();
    }
    block_filled_.wait(lock, [this] { return filled_ > 0 || is_at_end_; });
    if (filled_ == 0) {
        consumed_.store(reader_.consumed(), std::memory_order_relaxed);  // what follows the last member, too
        return false;
    }
    holds_block_ = true;
    rest_ = {ring_[first_].bytes.get(), ring_[first_].size};
    return true;
}

}  // namespace callcost::program
