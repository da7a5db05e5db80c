#include "encodings/import_input.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>

namespace callcost::engine {
namespace {

constexpr std::size_t block_size = std::size_t{64} * 1024;

std::string_view without_carriage_return(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

}  // namespace

Error broken_source() {
    return {.code = ErrorCode::read_failed, .detail = "the source returned more bytes than requested"};
}

Result<std::string> read_all(const Source& source) {
    std::string bytes;
    std::vector<char> block(block_size);
    for (;;) {
        const Result<std::size_t> count = source.read(std::span(block));
        if (!count) return tl::unexpected(count.error());
        if (*count > block.size()) return tl::unexpected(broken_source());
        if (*count == 0) break;
        bytes.append(block.data(), *count);
    }
    if (bytes.empty()) return tl::unexpected(Error{.code = ErrorCode::empty_file, .detail = {}});
    return bytes;
}

ByteReader::ByteReader(const Source& source) : read_(source.read), block_(block_size) {}

Result<void> ByteReader::take(std::size_t count, std::string& to) {
    to.clear();
    while (to.size() < count) {
        if (left_.empty()) {
            const Result<std::size_t> size = read_(std::span(block_));
            if (!size) return tl::unexpected(size.error());
            if (*size > block_.size()) return tl::unexpected(broken_source());
            if (*size == 0) break;
            left_ = {block_.data(), *size};
        }
        const std::string_view more = left_.substr(0, count - to.size());
        to += more;
        left_.remove_prefix(more.size());
    }
    bytes_ += to.size();
    return {};
}

LineReader::LineReader(const Source& source, std::uint64_t longest, ImportNotes& notes)
    : read_(source.read), longest_(longest), notes_(notes), block_(block_size) {}

/// Behind bytes at the beginning of the block that are kept.
bool LineReader::fill(std::size_t kept) {
    if (is_at_end_) return false;
    const std::span<char> room = std::span(block_).subspan(kept);
    const Result<std::size_t> count = read_(room);
    if (!count) error_ = count.error();
    if (count && *count > room.size()) error_ = broken_source();
    is_at_end_ = error_ || *count == 0;
    if (is_at_end_) return false;
    left_ = {block_.data(), kept + *count};
    bytes_ += *count;
    return true;
}

std::string_view LineReader::peek(std::size_t count) {
    if (left_.size() < count) {
        std::copy(left_.begin(), left_.end(), block_.begin());
        left_ = {block_.data(), left_.size()};
        while (left_.size() < count && fill(left_.size())) {
        }
    }
    return left_.substr(0, count);
}

void LineReader::take(std::size_t count, std::string& to) {
    to.clear();
    while (to.size() < count && (!left_.empty() || fill())) {
        const std::string_view more = left_.substr(0, count - to.size());
        to += more;
        left_.remove_prefix(more.size());
    }
}

/// What is beyond the limit only shows that it is.
void LineReader::append(std::string_view bytes) {
    const std::uint64_t room = longest_ + 1 - line_.size();
    line_ += room < bytes.size() ? bytes.substr(0, static_cast<std::size_t>(room)) : bytes;
}

bool LineReader::is_skipped(std::size_t size) {
    ++number_;
    if (size <= longest_) return false;
    note(notes_, ImportOddity::line_too_long, number_);
    line_.clear();
    return true;
}

std::optional<std::string_view> LineReader::next() {
    if (error_) return std::nullopt;
    line_.clear();
    for (;;) {
        const std::size_t end = left_.find('\n');
        if (end != std::string_view::npos) {
            const std::string_view rest = left_.substr(0, end);
            left_.remove_prefix(end + 1);
            const bool is_whole = line_.empty();
            if (!is_whole) append(rest);
            const std::string_view line = is_whole ? rest : line_;
            if (!is_skipped(line.size())) return without_carriage_return(line);
            continue;
        }
        append(left_);
        left_ = {};
        if (fill()) continue;
        if (error_ || line_.empty() || is_skipped(line_.size())) return std::nullopt;
        ends_within_line_ = true;
        return without_carriage_return(line_);
    }
}

void note(ImportNotes& notes, ImportOddity what, std::uint64_t line, std::uint64_t count) {
    const auto known = std::find_if(notes.notes.begin(), notes.notes.end(),
                                    [&](const ImportNote& one) { return one.what == what; });
    if (known == notes.notes.end())
        notes.notes.push_back({.what = what, .count = count, .first_line = line});
    else
        known->count += count;
}

Error not_in_format(std::string detail, std::uint64_t line, std::uint64_t column, std::uint64_t offset) {
    return {.code = ErrorCode::not_a_profile,
            .line = line,
            .column = column,
            .offset = offset,
            .detail = std::move(detail),
            .advice =
                "'callcost info --formats' lists the formats; a file that was cut off must be recorded "
                "again"};
}

std::string_view cut_text(std::string_view text, std::size_t longest) {
    if (text.size() <= longest) return text;
    while (longest > 0 && (static_cast<unsigned char>(text[longest]) & 0xc0U) == 0x80) --longest;
    return text.substr(0, longest);
}

std::optional<std::uint64_t> parse_digits(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<DecimalNumber> parse_decimal(std::string_view text) {
    const bool is_negative = text.starts_with('-');
    if (is_negative) text.remove_prefix(1);
    if (const auto whole = parse_digits(text); whole && *whole < INT64_MAX) {  // the usual case
        const auto digits = static_cast<std::int64_t>(*whole);
        return DecimalNumber{.digits = is_negative ? -digits : digits};
    }
    std::int64_t exponent = 0;
    if (const std::size_t mark = text.find_first_of("eE"); mark != std::string_view::npos) {
        std::string_view power = text.substr(mark + 1);
        const bool is_fraction = power.starts_with('-');
        if (is_fraction || power.starts_with('+')) power.remove_prefix(1);
        const auto size = parse_digits(power);
        if (!size || *size > 400) return std::nullopt;  // beyond what any number of 64 bits is written with
        exponent = is_fraction ? -static_cast<std::int64_t>(*size) : static_cast<std::int64_t>(*size);
        text = text.substr(0, mark);
    }
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string digits(text.substr(0, point));
    if (digits.empty() || text.size() == point + 1) return std::nullopt;
    if (point < text.size()) digits += text.substr(point + 1);
    if (!std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;

    std::int64_t decimals =
        static_cast<std::int64_t>(digits.size() - std::min(point, digits.size())) - exponent;
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    for (; decimals > 0 && digits.ends_with('0'); --decimals) digits.pop_back();
    if (digits.empty()) return DecimalNumber{};
    if (decimals < 0) digits.append(static_cast<std::size_t>(-decimals), '0');
    decimals = std::max<std::int64_t>(decimals, 0);

    DecimalNumber number;
    char last = '0';  // of the digits that there is no room for
    while (decimals > 0 && !digits.empty() &&
           (decimals > DecimalNumber::max_decimals || digits.size() > DecimalNumber::max_decimals)) {
        number.is_rounded = true;
        last = digits.back();
        digits.pop_back();
        --decimals;
    }
    if (digits.empty()) {  // what was dropped is next to nothing
        number.is_rounded = true;
        return number;
    }
    const auto size = parse_digits(digits);
    if (!size || *size >= INT64_MAX) return std::nullopt;
    number.digits = static_cast<std::int64_t>(*size) + (last >= '5' ? 1 : 0);
    if (is_negative) number.digits = -number.digits;
    number.decimals = static_cast<int>(decimals);
    return number;
}

DecimalNumber with_decimals(DecimalNumber number, int decimals) {
    for (; number.decimals < decimals; ++number.decimals) number.digits *= 10;
    if (number.decimals == decimals) return number;
    std::int64_t unit = 1;
    for (; number.decimals > decimals; --number.decimals) unit *= 10;
    const std::int64_t rest = number.digits % unit;
    number.digits /= unit;
    if (rest >= unit / 2) ++number.digits;
    if (rest <= -(unit / 2)) --number.digits;
    number.is_rounded = number.is_rounded || rest != 0;
    return number;
}

std::string CostScale::name(std::string_view event) const {
    return (prefix.empty() ? "" : std::string(prefix) + "_") + std::string(event);
}

std::string CostScale::long_name(std::string_view event) const {
    return factor == 1 ? "" : std::string(event) + ", in 1/" + std::to_string(factor);
}

CostScale cost_scale(int decimals, double sum) {
    /// Three decimals, six, ...
    constexpr std::array<std::string_view, 7> prefixes{"", "milli", "micro", "nano", "pico", "femto", "atto"};
    constexpr int decimals_per_prefix = 3;
    constexpr double max_cost = 9e18;  // some room for what sums of doubles leave out
    if (decimals <= 0) return {};
    std::size_t row =
        std::min(static_cast<std::size_t>((decimals - 1) / decimals_per_prefix) + 1, prefixes.size() - 1);
    const auto all = [&] { return static_cast<int>(row) * decimals_per_prefix; };
    while (row > 0 && sum * std::pow(10.0, all()) > max_cost) --row;
    return {.decimals = all(), .factor = with_decimals({.digits = 1}, all()).digits, .prefix = prefixes[row]};
}

}  // namespace callcost::engine
