#include "encodings/utf16_text.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace callcost::engine {
namespace {

constexpr std::string_view utf8_mark = "\xef\xbb\xbf", little_mark = "\xff\xfe", big_mark = "\xfe\xff";

/// Bytes of a text, in pieces of any size.
class Decoder {
  public:
    void take(std::string_view bytes, std::string& out) {
        if (is_begun_) return add(bytes, out);
        kept_ += bytes;
        if (kept_.size() >= utf8_mark.size()) begin(out);
    }

    void end(std::string& out) {
        if (!is_begun_) begin(out);
        if (high_ != 0) append(replacement, out);
        high_ = 0;
    }

  private:
    enum class Encoding : std::uint8_t { bytes, little, big };
    static constexpr std::uint32_t replacement = 0xfffd;

    void begin(std::string& out) {
        is_begun_ = true;
        std::string_view text = kept_;
        if (text.starts_with(utf8_mark)) text.remove_prefix(utf8_mark.size());
        if (text.starts_with(little_mark)) encoding_ = Encoding::little;
        if (text.starts_with(big_mark)) encoding_ = Encoding::big;
        if (encoding_ != Encoding::bytes) text.remove_prefix(little_mark.size());
        add(text, out);
    }

    void add(std::string_view bytes, std::string& out) {
        if (encoding_ == Encoding::bytes) {
            out += bytes;
            return;
        }
        for (const char c : bytes) {
            const std::uint32_t byte = static_cast<unsigned char>(c);
            has_half_ = !has_half_;
            if (has_half_)
                half_ = byte;
            else
                add_unit(encoding_ == Encoding::little ? half_ + 256 * byte : 256 * half_ + byte, out);
        }
    }

    void add_unit(std::uint32_t unit, std::string& out) {
        const bool is_low = unit >= 0xdc00 && unit < 0xe000;
        if (high_ != 0 && is_low) {
            append(0x10000 + (high_ - 0xd800) * 0x400 + (unit - 0xdc00), out);
            high_ = 0;
            return;
        }
        if (high_ != 0) append(replacement, out);
        high_ = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
        if (high_ == 0) append(is_low ? replacement : unit, out);
    }

    static void append(std::uint32_t character, std::string& out) {
        const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
        const auto add_rest = [&](std::uint32_t shift) { add(0x80 + (character >> shift) % 64); };
        if (character < 0x80) return add(character);
        if (character < 0x800) {
            add(0xc0 + (character >> 6U));
        } else if (character < 0x10000) {
            add(0xe0 + (character >> 12U));
            add_rest(6);
        } else {
            add(0xf0 + (character >> 18U));
            add_rest(12);
            add_rest(6);
        }
        add_rest(0);
    }

    Encoding encoding_ = Encoding::bytes;
    bool is_begun_ = false, has_half_ = false;
    std::uint32_t half_ = 0, high_ = 0;  // the first byte of a unit; the first unit of a pair, or 0
    std::string kept_;                   // until it is clear how it begins
};

}  // namespace

Source as_utf8(const Source& source) {
    struct State {
        Decoder decoder;
        std::string text;
        std::size_t at = 0;
        bool is_at_end = false;
        std::vector<char> block = std::vector<char>(std::size_t{64} * 1024);
    };
    Source decoded = source;
    decoded.read = [read = source.read,
                    state = std::make_shared<State>()](std::span<char> to) -> Result<std::size_t> {
        std::vector<char>& block = state->block;
        while (state->at == state->text.size() && !state->is_at_end) {
            state->text.clear();
            state->at = 0;
            auto count = read(std::span(block));
            if (!count) return count;
            if (*count > block.size())
                return tl::unexpected(Error{.code = ErrorCode::read_failed,
                                            .detail = "the source returned more bytes than requested"});
            state->is_at_end = *count == 0;
            if (state->is_at_end)
                state->decoder.end(state->text);
            else
                state->decoder.take({block.data(), *count}, state->text);
        }
        const std::size_t count = std::min(to.size(), state->text.size() - state->at);
        std::copy_n(state->text.data() + state->at, count, to.data());
        state->at += count;
        return count;
    };
    return decoded;
}

std::string beginning_as_utf8(std::string_view first_bytes) {
    Decoder decoder;
    std::string text;
    decoder.take(first_bytes, text);
    if (first_bytes.size() < utf8_mark.size()) decoder.end(text);
    return text;
}

}  // namespace callcost::engine
