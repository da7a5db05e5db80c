/// A source that yields its bytes in pieces whose sizes depend on the bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "callcost/source.hpp"

namespace callcost::fuzz {

/// A small generator of numbers that look random.
class Numbers {
  public:
    explicit Numbers(std::string_view seed) {
        for (const char c : seed) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    std::uint64_t next() {
        state_ ^= state_ << 13U;
        state_ ^= state_ >> 7U;
        state_ ^= state_ << 17U;
        return state_;
    }

  private:
    std::uint64_t state_ = 0xcbf29ce484222325U;
};

inline Source in_blocks(std::string_view bytes) {
    Source source = from_memory(bytes, "fuzz");
    source.read = [read = source.read, sizes = Numbers(bytes)](std::span<char> to) mutable {
        const std::uint64_t size = sizes.next() % 8 == 0 ? 1 : 1 + sizes.next() % 300;
        return read(to.first(std::min<std::size_t>(to.size(), size)));
    };
    return source;
}

}  // namespace callcost::fuzz
