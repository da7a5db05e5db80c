// https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md: bytes as they are (literals) take turns with
// copies of bytes before (matches).
#include "encodings/lz4_block.hpp"

#include <algorithm>
#include <cstdint>

namespace callcost::engine {
namespace {

class Block {
  public:
    explicit Block(std::string_view packed) : left_(packed) {}

    [[nodiscard]] bool is_at_end() const { return left_.empty(); }
    std::uint8_t byte() {
        const auto first = static_cast<std::uint8_t>(left_.front());
        left_.remove_prefix(1);
        return first;
    }
    /// As many as there are.
    std::string_view bytes(std::size_t size) {
        const std::string_view taken = left_.substr(0, size);
        left_.remove_prefix(taken.size());
        return taken;
    }
    /// Half a byte; if that is full, bytes are added until one is not.
    std::size_t length(unsigned half) {
        std::size_t sum = half;
        if (half != 15) return sum;
        while (!is_at_end()) {
            const std::uint8_t more = byte();
            sum += more;
            if (more != 255) break;
        }
        return sum;
    }

  private:
    std::string_view left_;
};

}  // namespace

std::optional<std::size_t> unpack_lz4_block(std::string_view packed, std::span<char> to) {
    constexpr std::size_t shortest_match = 4;
    Block block(packed);
    std::size_t done = 0;
    while (!block.is_at_end()) {
        const unsigned lengths = block.byte();
        const std::string_view literals = block.bytes(block.length(lengths >> 4U));
        if (literals.size() > to.size() - done) return std::nullopt;
        std::copy(literals.begin(), literals.end(), to.begin() + static_cast<std::ptrdiff_t>(done));
        done += literals.size();
        const std::string_view offset = block.bytes(2);
        if (offset.size() < 2) break;  // the last ones have no match behind them
        const std::size_t distance = static_cast<std::uint8_t>(offset[0]) |
                                     static_cast<std::size_t>(static_cast<std::uint8_t>(offset[1])) << 8U;
        const std::size_t size = block.length(lengths & 15U) + shortest_match;
        if (distance == 0 || distance > done || size > to.size() - done) return std::nullopt;
        const std::size_t begin = done - distance, end = done + size;
        while (done < end) {  // a match may go on into itself
            const std::size_t piece = std::min(done - begin, end - done);
            std::copy_n(to.data() + begin, piece, to.data() + done);
            done += piece;
        }
    }
    return done;
}

}  // namespace callcost::engine
