#include "importers/import_input.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

namespace callcost::engine {
namespace {

constexpr std::size_t block_size = std::size_t{64} * 1024;

std::string_view without_carriage_return(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

Error broken_source() {
    return {.code = ErrorCode::read_failed, .detail = "the source returned more bytes than requested"};
}

}  // namespace

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

LineReader::LineReader(const Source& source, std::uint64_t longest, ImportNotes& notes)
    : read_(source.read), longest_(longest), notes_(notes), block_(block_size) {}

bool LineReader::fill() {
    if (is_at_end_) return false;
    const Result<std::size_t> count = read_(std::span(block_));
    if (!count) error_ = count.error();
    if (count && *count > block_.size()) error_ = broken_source();
    is_at_end_ = error_ || *count == 0;
    if (is_at_end_) return false;
    left_ = {block_.data(), *count};
    bytes_ += *count;
    return true;
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
            .advice = "'callcost convert --from' says which format a file is in"};
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
    const std::size_t point = text.find('.');
    const std::string_view decimals = point == std::string_view::npos ? "0" : text.substr(point + 1);
    if (decimals.empty() || !std::all_of(decimals.begin(), decimals.end(), is_digit)) return std::nullopt;
    const auto whole = parse_digits(text.substr(0, point));
    if (!whole || *whole >= INT64_MAX) return std::nullopt;
    const auto size = static_cast<std::int64_t>(*whole + (decimals[0] >= '5' ? 1 : 0));
    const bool is_rounded = decimals.find_first_not_of('0') != std::string_view::npos;
    return DecimalNumber{.value = is_negative ? -size : size, .is_rounded = is_rounded};
}

}  // namespace callcost::engine
