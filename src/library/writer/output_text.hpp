/// Text on its way to a Sink: handed over in blocks, so that a line costs no call.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "callcost/error.hpp"
#include "callcost/source.hpp"

namespace callcost {

/// The longest number, with its sign or `0x`.
constexpr std::size_t max_digits = 22;

/// At a place with room for it; what comes back is the place behind it.
inline char* put_number(char* at, std::uint64_t number) {
    if (number >= 10) return std::to_chars(at, at + max_digits, number).ptr;
    *at = static_cast<char>('0' + number);  // most are
    return at + 1;
}
inline char* put_signed(char* at, std::int64_t number) {
    return number >= 0 ? put_number(at, static_cast<std::uint64_t>(number))
                       : std::to_chars(at, at + max_digits, number).ptr;
}
inline char* put_hex(char* at, std::uint64_t number) {
    *at++ = '0';
    *at++ = 'x';
    return std::to_chars(at, at + max_digits, number, 16).ptr;
}

class OutputText {
  public:
    explicit OutputText(Sink sink) : sink_(std::move(sink)), text_(block + 4096) {}

    void add(char c) {
        *room_for(1) = c;
        ++size_;
    }
    void add(std::string_view text) {
        std::memcpy(room_for(text.size()), text.data(), text.size());
        size_ += text.size();
    }
    void add_number(std::uint64_t number) { end_at(put_number(room_for(max_digits), number)); }
    void add_signed(std::int64_t number) { end_at(put_signed(room_for(max_digits), number)); }
    void add_hex(std::uint64_t number) { end_at(put_hex(room_for(max_digits), number)); }

    /// The end of the text, with room for so many bytes to be put there; end_at says how many were.
    char* room_for(std::size_t more) {
        if (text_.size() - size_ < more) text_.resize(2 * text_.size() + more);
        return text_.data() + size_;
    }
    void end_at(const char* end) { size_ = static_cast<std::size_t>(end - text_.data()); }

    /// To be called between lines. The first Error of the Sink is the last thing it is asked.
    Result<void> pass_on(bool everything = false) {
        if (size_ < (everything ? 1 : block)) return {};
        return sink_({text_.data(), std::exchange(size_, 0)});
    }

  private:
    static constexpr std::size_t block = std::size_t{64} * 1024;

    Sink sink_;
    std::vector<char> text_;  // of which the first size_ are used
    std::size_t size_ = 0;
};

}  // namespace callcost
