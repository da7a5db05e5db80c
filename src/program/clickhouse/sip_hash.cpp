#include "clickhouse/sip_hash.hpp"

#include <bit>
#include <cstddef>

namespace callcost::program {
namespace {

struct State {
    std::uint64_t a = 0x736f6d6570736575, b = 0x646f72616e646f6d, c = 0x6c7967656e657261,
                  d = 0x7465646279746573;

    void round() {
        a += b;
        b = std::rotl(b, 13) ^ a;
        a = std::rotl(a, 32);
        c += d;
        d = std::rotl(d, 16) ^ c;
        a += d;
        d = std::rotl(d, 21) ^ a;
        c += b;
        b = std::rotl(b, 17) ^ c;
        c = std::rotl(c, 32);
    }
    void add(std::uint64_t word) {
        d ^= word;
        round();
        round();
        a ^= word;
    }
};

/// Of at most eight bytes, the lowest first.
std::uint64_t word_of(std::string_view bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return word;
}

}  // namespace

std::uint64_t sip_hash(std::string_view bytes) {
    State state;
    const std::uint64_t size = bytes.size();
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) state.add(word_of(bytes.substr(0, 8)));
    state.add(size << 56U | word_of(bytes));
    state.c ^= 0xff;
    for (int i = 0; i < 4; ++i) state.round();
    return state.a ^ state.b ^ state.c ^ state.d;
}

}  // namespace callcost::program
