/// Decoders of the four compressed formats (F85) behind a common interface. For open_source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace callcost::program {

enum class Compression : std::uint8_t { none, gzip, bzip2, xz, zstd };

/// By content, never by name. Six bytes are enough.
[[nodiscard]] Compression detect_compression(std::string_view first_bytes);

/// Whether `bytes` are less than the mark by which detect_compression knows this format, but begin like it.
[[nodiscard]] bool is_cut_mark(Compression compression, std::string_view bytes);

/// Result of one call of Decoder::decode.
struct Step {
    enum class State : std::uint8_t {
        more,        ///< goes on with more input or more room for output
        member_end,  ///< a complete compressed stream has ended; restart() before the next
        damaged,     ///< nothing more can be decoded; `problem` says why
    };
    std::size_t consumed = 0;
    std::size_t produced = 0;
    State state = State::more;
    const char* problem = "";
};

/// Decodes one member (a gzip member, a zstd frame, ...) after the other.
class Decoder {
  public:
    Decoder() = default;
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    virtual ~Decoder() = default;

    /// Decodes from the front of `in` to the front of `out`, which is not empty. With an empty `in` it yields
    /// what is still inside. What it produced is good even if the state is `damaged`.
    virtual Step decode(std::span<const char> in, std::span<char> out) = 0;
    /// The next byte begins a new member.
    virtual void restart() = 0;
};

/// Null for Compression::none.
[[nodiscard]] std::unique_ptr<Decoder> make_decoder(Compression compression);

}  // namespace callcost::program
