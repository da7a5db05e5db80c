/// The machine words of a CPU profile of gperftools: of 32 or 64 bits, in either order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace callcost::engine {

/// How many bytes tell how words are written.
constexpr std::size_t bytes_that_tell_words = 40;

class GperftoolsWords {
  public:
    GperftoolsWords(std::size_t size, bool is_big_endian) : size_(size), is_big_endian_(is_big_endian) {}

    [[nodiscard]] std::size_t size() const { return size_; }  ///< bytes of a word
    [[nodiscard]] std::size_t header_bytes() const { return header_words * size_; }
    /// A word of which all bytes are there.
    [[nodiscard]] std::uint64_t word(std::string_view bytes, std::size_t index) const {
        std::uint64_t number = 0;
        for (std::size_t i = 0; i < size_; ++i) {
            const std::size_t at = index * size_ + (is_big_endian_ ? i : size_ - 1 - i);
            number = number << 8U | static_cast<unsigned char>(bytes[at]);
        }
        return number;
    }

  private:
    static constexpr std::size_t header_words = 5;

    std::size_t size_;
    bool is_big_endian_;
};

/// By the header: 0; how many words of it follow, which is 3; version 0; microseconds from one sample to the
/// next; 0. Nothing if it is none.
[[nodiscard]] inline std::optional<GperftoolsWords> gperftools_words(std::string_view bytes) {
    constexpr std::uint64_t longest_period = 1'000'000'000;
    for (const std::size_t size : {std::size_t{8}, std::size_t{4}})
        for (const bool is_big_endian : {false, true}) {
            const GperftoolsWords words(size, is_big_endian);
            if (bytes.size() >= words.header_bytes() && words.word(bytes, 0) == 0 &&
                words.word(bytes, 1) == 3 && words.word(bytes, 2) == 0 && words.word(bytes, 3) != 0 &&
                words.word(bytes, 3) <= longest_period && words.word(bytes, 4) == 0)
                return words;
        }
    return std::nullopt;
}

}  // namespace callcost::engine
