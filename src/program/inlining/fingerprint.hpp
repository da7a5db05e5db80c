/// What is asked about an object in short, so that the answer can be kept under it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace callcost::program {

/// Of numbers and texts, in this order: 128 bits that are the same in every run. Against chance only.
class Fingerprint {
  public:
    void add(std::uint64_t number) {
        first_ = (first_ ^ number) * 0x9e3779b97f4a7c15U;
        first_ ^= first_ >> 29U;
        second_ = (second_ + number) * 0xd6e8feb86659fd93U;
        second_ ^= second_ >> 32U;
    }
    void add(std::string_view text) {
        add(text.size());
        for (; text.size() >= 8; text.remove_prefix(8)) {
            std::uint64_t word = 0;
            std::memcpy(&word, text.data(), sizeof word);
            add(word);
        }
        for (const char c : text) add(static_cast<unsigned char>(c));
    }

    /// A number for another fingerprint.
    [[nodiscard]] std::uint64_t number() const { return first_ ^ second_; }
    /// As hexadecimal digits.
    [[nodiscard]] std::string text() const {
        std::string digits;
        for (const auto half : {first_, second_})
            for (unsigned shift = 64; shift > 0; shift -= 4)
                digits += "0123456789abcdef"[half >> (shift - 4U) & 0xfU];
        return digits;
    }

  private:
    std::uint64_t first_ = 1, second_ = 2;
};

}  // namespace callcost::program
