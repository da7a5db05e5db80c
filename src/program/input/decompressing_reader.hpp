/// A compressed file read as what it unpacks to: all its members, and what can be had of a damaged one (F85).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "input/decompress.hpp"
#include "input/file_reader.hpp"
#include "tables/budget.hpp"
#include <callcost/error.hpp>

namespace callcost::program {

class DecompressingReader {
  public:
    DecompressingReader(FileReader file, Compression compression,
                        engine::Budget budget = engine::decompression_budget);

    /// Fills the buffer, unless the end or a problem comes first; 0 at the end. What decodes is yielded
    /// before the Error: truncated_compression, too_large, read_failed, cancelled. Called again, it says the
    /// same again.
    Result<std::size_t> read(std::span<char> buffer);

    /// Compressed bytes behind what read() has yielded.
    [[nodiscard]] std::uint64_t consumed() const { return consumed_; }

    [[nodiscard]] FileReader& file() { return file_; }

  private:
    void decode_some(std::span<char>& room);
    void begin_next_member();
    void fetch();
    void drop(std::size_t count);
    void fail(const char* problem);

    FileReader file_;
    Compression compression_;
    engine::Budget budget_;
    std::unique_ptr<Decoder> decoder_;
    std::unique_ptr<char[]> buffer_;
    std::span<const char> in_;  // part of buffer_: read and not yet decoded
    bool is_file_at_end_ = false;
    bool is_between_members_ = false;
    bool is_done_ = false;
    std::optional<Error> problem_;
    std::uint64_t consumed_ = 0;
    std::uint64_t produced_ = 0;
};

}  // namespace callcost::program
