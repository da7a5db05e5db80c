/// Cuts the bytes of a Source into chunks of whole lines for the scanner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "callcost/source.hpp"
#include "parser/diagnostic_log.hpp"

namespace callcost {

/// No line is longer, whatever is asked for (F67).
constexpr std::uint64_t longest_line_ever = std::uint64_t{1} << 31U;

/// Whole lines, each with its LF, and then some bytes that may be read but mean nothing. The buffer is used
/// again.
struct TextChunk {
    std::unique_ptr<char[]> buffer;
    std::size_t capacity = 0;
    std::size_t size = 0;
    std::uint64_t offset = 0;  ///< of the first byte in the input
    bool begins_function =
        false;         ///< the first line begins with `fn=`, so that it can be read without what was before
    bool cut = false;  ///< the last line had no LF of its own; so it is the last of the input
    bool too_long = false;  ///< the begin of a line that was too long to be kept whole
    bool bom = false;       ///< a UTF-8 byte order mark stood before it
    [[nodiscard]] const char* begin() const { return buffer.get(); }
    [[nodiscard]] const char* end() const { return buffer.get() + size; }
    /// The last line, without its line end.
    [[nodiscard]] std::string_view last_line() const;
};

class TextChunks {
  public:
    TextChunks(const Source& source, std::size_t chunk_size, std::uint64_t longest_line)
        : source_(source),
          longest_line_(
              static_cast<std::size_t>(std::clamp<std::uint64_t>(longest_line, 4096, longest_line_ever))),
          chunk_size_(std::min(chunk_size, longest_line_)) {}

    /// False at the end of the input.
    bool next(TextChunk& chunk);
    /// All that next() has given is scanned, and shows that this is a profile. Before, the input ends with a
    /// line that goes on beyond detection_limit.
    void accept() { undecided_ = false; }

    [[nodiscard]] std::uint64_t bytes() const { return offset_; }               ///< handed out so far
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }  ///< why the input ended early
    [[nodiscard]] bool rejected() const { return rejected_; }  ///< it ended before it showed what it is (F11)

  private:
    std::size_t read(std::span<char> to);
    void reserve(TextChunk& chunk, std::size_t capacity) const;
    bool fill(TextChunk& chunk, std::size_t size);
    void skip_line(TextChunk& chunk);
    [[nodiscard]] std::size_t long_line(const TextChunk& chunk) const;
    bool reject_line(std::string_view begun);

    const Source& source_;
    std::size_t longest_line_;
    std::size_t chunk_size_;
    std::uint64_t offset_ = 0;
    std::string carry_;  // the begun line after the last chunk
    bool at_end_ = false;
    bool first_ = true;
    bool undecided_ = true, rejected_ = false;  // F11
    std::optional<Error> error_;
};

}  // namespace callcost
