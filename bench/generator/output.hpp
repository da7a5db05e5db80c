// What all kinds of generated profiles share: random numbers that are the same on every machine, text written
// in large blocks, and the figures counted on the way.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace generator {

using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

// The output function of splitmix64.
inline uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

struct Random {
    uint64_t state;
    uint64_t next() { return mix(state += 0x9e3779b97f4a7c15); }
    uint64_t below(uint64_t bound) { return (next() >> 32) * bound >> 32; }  // bound < 2^32
};

// A measured distribution: its 16-quantiles, with straight lines between them. Takes 12 bits.
using Quantiles = std::array<uint32_t, 17>;

inline uint64_t draw(const Quantiles& table, uint64_t bits) {
    const uint64_t low = table[bits & 15], high = table[(bits & 15) + 1];
    return low + ((high - low + 1) * (bits >> 4 & 255) >> 8);
}

// What was written, named as in `callcost info --json`.
struct Counts {
    uint64_t parts = 1, functions = 0, arcs = 0, call_records = 0, call_count = 0, cost_lines = 0, jumps = 0;
    std::vector<std::string> events = {"Ir"};
    std::vector<uint64_t> self = {0}, inclusive_sum = {0};
};

class Output {
  public:
    explicit Output(std::FILE* file) : file_(file) {}

    // Room for `slack` bytes. What was written there is told with `advance`.
    char* room() {
        if (end_ > buffer_.data() + buffer_.size() - slack) flush();
        return end_;
    }
    void advance(char* end) { end_ = end; }

    // Any length, with a line end.
    void line(std::string_view text) {
        if (text.size() + 1 > slack) {
            flush();
            write(text);
            text = {};
        }
        char* const end = std::copy(text.begin(), text.end(), room());
        *end = '\n';
        advance(end + 1);
    }

    void flush() {
        write({buffer_.data(), static_cast<std::size_t>(end_ - buffer_.data())});
        end_ = buffer_.data();
    }

    uint64_t bytes() const { return bytes_ + static_cast<uint64_t>(end_ - buffer_.data()); }
    uint64_t lines() const { return lines_; }  // after `flush`

    static constexpr std::size_t slack = 4096;

  private:
    void write(std::string_view text) {
        bytes_ += text.size();
        lines_ += static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n'));
        if (std::fwrite(text.data(), 1, text.size(), file_) == text.size()) return;
        std::perror("generate_profile");
        std::exit(1);
    }

    std::FILE* file_;
    std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 18);
    char* end_ = buffer_.data();
    uint64_t bytes_ = 0, lines_ = 0;
};

struct Hex {
    uint64_t value;
};

// Puts together one or a few lines, up to `Output::slack` bytes: Text(out) << "calls=" << 3 << "\n".
class Text {
  public:
    explicit Text(Output& out) : out_(out), end_(out.room()) {}
    Text(const Text&) = delete;
    Text& operator=(const Text&) = delete;
    ~Text() { out_.advance(end_); }

    template <std::size_t Size>
    Text& operator<<(const char (&literal)[Size]) {
        std::memcpy(end_, literal, Size - 1);  // a length known to the compiler: no call
        end_ += Size - 1;
        return *this;
    }
    Text& operator<<(std::string_view text) {
        std::memcpy(end_, text.data(), text.size());
        end_ += text.size();
        return *this;
    }
    Text& operator<<(uint64_t value) {
        end_ = std::to_chars(end_, end_ + 20, value).ptr;
        return *this;
    }
    Text& operator<<(Hex number) {
        *this << "0x";
        end_ = std::to_chars(end_, end_ + 16, number.value, 16).ptr;
        return *this;
    }
    // Copies all of `bytes` and keeps `size` of them: faster than copying a few.
    template <std::size_t Size>
    void copy(const std::array<char, Size>& bytes, std::size_t size) {
        std::memcpy(end_, bytes.data(), Size);
        end_ += size;
    }

  private:
    Output& out_;
    char* end_;
};

}  // namespace generator
