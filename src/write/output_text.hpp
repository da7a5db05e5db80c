/// Text on its way to a Sink: handed over in blocks, so that a line costs no call.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "callcost/error.hpp"
#include "callcost/source.hpp"

namespace callcost {

class OutputText {
  public:
    explicit OutputText(Sink sink) : sink_(std::move(sink)) { text_.reserve(block + 4096); }

    void add(char c) { text_ += c; }
    void add(std::string_view text) { text_ += text; }
    void add_number(std::uint64_t number) { add_digits(number, 10); }
    void add_signed(std::int64_t number) { add_digits(number, 10); }
    void add_hex(std::uint64_t number) {
        text_ += "0x";
        add_digits(number, 16);
    }

    /// To be called between lines. The first Error of the Sink is the last thing it is asked.
    Result<void> pass_on(bool everything = false) {
        if (text_.size() < (everything ? 1 : block)) return {};
        Result<void> done = sink_(text_);
        text_.clear();
        return done;
    }

  private:
    static constexpr std::size_t block = std::size_t{64} * 1024;

    template <class Number>
    void add_digits(Number number, int base) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, number, base).ptr;
        text_.append(digits, static_cast<std::size_t>(end - digits));
    }

    Sink sink_;
    std::string text_;
};

}  // namespace callcost
