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
    void add_number(std::uint64_t number) {
        if (number < 10) return add(static_cast<char>('0' + number));  // most are
        add_digits(number, 10);
    }
    void add_signed(std::int64_t number) {
        if (number >= 0) return add_number(static_cast<std::uint64_t>(number));
        add_digits(number, 10);
    }
    void add_hex(std::uint64_t number) {
        add("0x");
        add_digits(number, 16);
    }

    /// To be called between lines. The first Error of the Sink is the last thing it is asked.
    Result<void> pass_on(bool everything = false) {
        if (size_ < (everything ? 1 : block)) return {};
        return sink_({text_.data(), std::exchange(size_, 0)});
    }

  private:
    static constexpr std::size_t block = std::size_t{64} * 1024;

    char* room_for(std::size_t more) {
        if (text_.size() - size_ < more) text_.resize(2 * text_.size() + more);
        return text_.data() + size_;
    }
    template <class Number>
    void add_digits(Number number, int base) {
        constexpr std::size_t most_digits = 20;
        char* const begin = room_for(most_digits);
        size_ +=
            static_cast<std::size_t>(std::to_chars(begin, begin + most_digits, number, base).ptr - begin);
    }

    Sink sink_;
    std::vector<char> text_;  // of which the first size_ are used
    std::size_t size_ = 0;
};

}  // namespace callcost
