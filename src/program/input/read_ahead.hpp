/// Decompression on a separate thread: zlib takes as long as all later processing.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <thread>

#include "input/decompressing_reader.hpp"
#include <callcost/error.hpp>

namespace callcost::program {

/// Hands the blocks that a thread decompresses to the one that reads. The thread starts with the first read()
/// and ends with the data, or when this object goes, which waits neither for a full ring nor for a silent
/// pipe.
class ReadAhead {
  public:
    explicit ReadAhead(DecompressingReader reader);
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;
    ~ReadAhead();

    /// As DecompressingReader::read, but may fill less than the buffer.
    Result<std::size_t> read(std::span<char> buffer);

    /// Compressed bytes behind what read() has yielded, to within a block. Any thread may ask.
    [[nodiscard]] std::uint64_t consumed() const { return consumed_.load(std::memory_order_relaxed); }

  private:
    struct Block {
        std::unique_ptr<char[]> bytes;
        std::size_t size = 0;
        std::uint64_t consumed = 0;  // compressed bytes up to the block's end
    };
    static constexpr std::size_t block_size = std::size_t{256} * 1024;  // stays in a core's cache on its way
    static constexpr std::size_t block_count = 4;

    void start();
    void decompress_all();
    bool next_block();
    Result<std::size_t> read_here(std::span<char> buffer);

    DecompressingReader reader_;  // belongs to the thread while that runs
    std::array<Block, block_count> ring_;

    std::mutex mutex_;
    std::condition_variable block_filled_;
    std::condition_variable block_freed_;
    std::size_t filled_ = 0;       // guarded by mutex_: blocks that are full, from first_ on
    bool is_at_end_ = false;       // guarded by mutex_: no block will follow
    bool is_stopping_ = false;     // guarded by mutex_
    Result<std::size_t> end_ = 0;  // guarded by mutex_: what read() says at the end
    std::exception_ptr failure_;   // guarded by mutex_: what it throws at the end instead

    // Of the reading side.
    std::size_t first_ = 0;       // the block being read
    std::span<const char> rest_;  // what it still holds
    bool holds_block_ = false;
    std::atomic<std::uint64_t> consumed_ = 0;
    bool is_started_ = false;
    std::thread thread_;
};

}  // namespace callcost::program
