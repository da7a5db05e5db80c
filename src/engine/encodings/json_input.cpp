#include "encodings/json_input.hpp"

#include <span>

#include <rapidjson/error/en.h>
#include <rapidjson/internal/dtoa.h>

#include "encodings/import_input.hpp"

namespace callcost::engine {
namespace {

constexpr std::size_t json_block = std::size_t{64} * 1024;
constexpr char end_of_input = '\0';

}  // namespace

JsonNumber operator-(JsonNumber a, JsonNumber b) {
    a.fraction -= b.fraction;
    const bool is_borrowed = a.fraction < 0;
    if (is_borrowed) a.fraction += 1;
    a.whole = static_cast<std::int64_t>(static_cast<std::uint64_t>(a.whole) -
                                        static_cast<std::uint64_t>(b.whole) - (is_borrowed ? 1U : 0U));
    return a;
}

int decimals_of(JsonNumber number) {
    constexpr std::int64_t most = 1'000'000'000'000'000;
    char text[32];
    const char* const end = rapidjson::internal::dtoa(std::abs(number.value()), text);
    auto decimal = parse_decimal({text, static_cast<std::size_t>(end - text)}).value_or(DecimalNumber{});
    while (decimal.decimals > 0 && decimal.digits >= most)
        decimal = with_decimals(decimal, decimal.decimals - 1);
    while (decimal.decimals > 0 && decimal.digits % 10 == 0)
        decimal = with_decimals(decimal, decimal.decimals - 1);
    return decimal.decimals;
}

JsonStream::JsonStream(const Source& source)
    : read_(source.read),
      block_(json_block),
      begin_(block_.data()),
      next_(block_.data()),
      end_(block_.data()) {
    fill();
    if (std::string_view(begin_, static_cast<std::size_t>(end_ - begin_)).starts_with("\xef\xbb\xbf")) {
        next_ += 3;
        if (next_ == end_) fill();
    }
}

void JsonStream::fill() {
    const std::string_view block(begin_, is_at_end_ ? 0 : static_cast<std::size_t>(end_ - begin_));
    for (std::size_t at = block.find('\n'); at != std::string_view::npos; at = block.find('\n', at + 1)) {
        ++line_;
        line_end_ = before_ + at;
    }
    before_ += block.size();
    std::size_t count = 0;
    if (!is_at_end_) {
        const Result<std::size_t> read = read_(std::span(block_));
        if (!read)
            error_ = read.error();
        else if (*read > block_.size())
            error_ = broken_source();
        else
            count = *read;
        if (count == 0 && before_ == 0 && !error_)
            error_ = Error{.code = ErrorCode::empty_file, .detail = {}};
    }
    is_at_end_ = count == 0;
    begin_ = next_ = is_at_end_ ? &end_of_input : block_.data();
    end_ = begin_ + (is_at_end_ ? 1 : count);
}

Error JsonStream::error_at(std::size_t offset, std::string reason) const {
    const std::size_t in_block = offset > before_ && !is_at_end_
                                     ? std::min(offset - before_, static_cast<std::size_t>(end_ - begin_))
                                     : 0;
    const std::string_view before(begin_, in_block);
    const auto last = before.rfind('\n');
    const auto line_end = last == std::string_view::npos ? line_end_ : std::optional(before_ + last);
    const std::size_t line_begin = line_end ? *line_end + 1 : 0;
    return not_in_format("invalid JSON: " + std::move(reason),
                         line_ + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')),
                         (offset > line_begin ? offset - line_begin : 0) + 1, offset);
}

Error nested_too_deep() {
    return not_in_format("invalid JSON for this format: arrays or objects are nested more than 200 deep");
}

Error json_error(const JsonStream& stream, const rapidjson::ParseResult& result) {
    return stream.error_at(result.Offset(), rapidjson::GetParseError_En(result.Code()));
}

}  // namespace callcost::engine
