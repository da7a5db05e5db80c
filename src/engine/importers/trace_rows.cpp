#include "importers/trace_rows.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "encodings/lz4_block.hpp"

namespace callcost::engine {
namespace {

constexpr std::string_view magic = "TGMP";
constexpr std::uint32_t first_version = 3, with_counter_arrays = 4, with_table = 5, last_version = 5;
constexpr std::uint32_t table_flag = 0x8000'0000;  // of a chunk's size
constexpr std::size_t number_size = 4;
constexpr std::uint64_t common_columns = 3;  // of all rows
constexpr std::uint64_t call_columns = 7;    // before the counters

std::uint32_t little_endian(std::string_view bytes) {
    std::uint32_t number = 0;
    for (std::size_t i = number_size; i-- > 0;) number = number << 8U | static_cast<std::uint8_t>(bytes[i]);
    return number;
}

/// How many values a value has in it.
std::uint64_t values_in(const PackedValue& value) {
    if (value.kind == PackedKind::array) return value.number;
    return value.kind == PackedKind::map ? 2 * value.number : 0;
}

/// What follows a key of a map.
std::optional<MessagePackReader> find(MessagePackReader values, std::string_view wanted) {
    const auto pairs = values.next(PackedKind::map);
    for (std::uint64_t left = pairs ? pairs->number : 0; left > 0; --left) {
        const auto key = values.next();
        if (!key) return std::nullopt;
        if (key->kind == PackedKind::text && key->text == wanted) return values;
        if (!values.skip(values_in(*key) + 1)) return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

tl::unexpected<Error> TraceReader::damaged(std::string detail) const {
    return tl::unexpected(not_in_format(std::move(detail), 0, 0, offset_));
}

bool TraceReader::has_table() const { return version_ >= with_table; }

Result<void> TraceReader::read_head() {
    if (auto done = input_.take(magic.size() + number_size, packed_); !done) return done;
    if (packed_.empty()) return tl::unexpected(Error{.code = ErrorCode::empty_file, .detail = {}});
    if (!packed_.starts_with(magic) || packed_.size() < magic.size() + number_size)
        return damaged("a trace of tracegrind begins with TGMP and a version");
    version_ = little_endian(std::string_view(packed_).substr(magic.size()));
    if (version_ < first_version || version_ > last_version) {
        Error unknown = not_in_format("version " + std::to_string(version_) +
                                      " of tracegrind's format is not known: 3, 4 and 5 are read");
        unknown.advice = "'callcost info --formats' lists all formats that are read";
        return tl::unexpected(std::move(unknown));
    }
    constexpr std::size_t max_schema = std::size_t{1} << 20U;
    if (auto done = read_chunk(max_schema); !done) return done;
    if (read_schema()) return {};
    return damaged(is_cut_ ? "the trace ends before it names its counters"
                           : "the first chunk does not name the counters");
}

void TraceReader::end(bool is_cut) {
    is_at_end_ = true;
    is_cut_ = is_cut;
}

Result<void> TraceReader::read_chunk(std::size_t max_size) {
    const std::uint64_t offset = input_.bytes();
    values_ = MessagePackReader({});
    if (auto done = input_.take(2 * number_size, packed_); !done) return done;
    if (packed_.size() < 2 * number_size) {
        end(true);
        return {};
    }
    const std::uint32_t stated = little_endian(packed_);
    const std::size_t packed_size = little_endian(std::string_view(packed_).substr(number_size));
    if (stated == 0 && packed_size == 0) {
        end(false);
        return {};
    }
    offset_ = offset;
    if (has_read_table_) return damaged("something follows the table of names");
    has_read_table_ = has_table() && (stated & table_flag) != 0;
    const std::size_t size = has_read_table_ ? stated & ~table_flag : stated;
    constexpr std::size_t overhead = 16;  // of what cannot be packed, with a byte for every 255
    if (size > max_size || packed_size > size + size / 255 + overhead)
        return damaged("a chunk is larger than it can be");
    if (auto done = input_.take(packed_size, packed_); !done) return done;
    const bool is_whole = packed_.size() == packed_size;
    const std::size_t room = std::min(size, most_in_lz4_block(packed_.size()));
    if (is_whole && room < size) return damaged("a chunk is smaller than it can be");
    if (!budget_.covers(input_.bytes(), room)) return tl::unexpected(budget_.error("the chunks"));
    if (content_.size() < room) content_.resize(room);
    const auto unpacked = unpack_lz4_block(packed_, std::span(content_).first(room));
    if (!unpacked || (is_whole && *unpacked < size)) return damaged("a chunk is not a block of LZ4");
    if (!is_whole) end(true);
    (has_read_table_ ? table_ : values_) = MessagePackReader({content_.data(), *unpacked});
    return {};
}

bool TraceReader::read_schema() {
    const bool has_list = version_ >= with_counter_arrays;
    auto names = find(values_, has_list ? "counters" : "event_schemas");
    if (names && !has_list) names = find(*names, "1");  // the columns of a call
    const auto list = names ? names->next(PackedKind::array) : std::nullopt;
    const std::uint64_t others = has_list ? 0 : call_columns;
    if (!list || list->number <= others || !names->skip(others)) return false;
    counter_count_ = list->number - others;
    const auto units = find(values_, "counter_units");
    while (counters_.size() < std::min<std::uint64_t>(counter_count_, max_counters)) {
        const auto name = names->next(PackedKind::text);
        if (!name) return false;
        auto unit = units ? find(*units, name->text) : std::nullopt;
        const auto text = unit ? unit->next(PackedKind::text) : std::nullopt;
        counters_.push_back({.name = std::string(name->text), .unit = std::string(text ? text->text : "")});
    }
    values_ = MessagePackReader({});
    return true;
}

Result<const TraceRow*> TraceReader::next() {
    while (values_.is_at_end()) {
        if (is_at_end_) return nullptr;
        if (auto done = read_chunk(SIZE_MAX); !done) return tl::unexpected(done.error());
    }
    if (read_row()) return &row_;
    if (!is_at_end_) return damaged("a chunk holds something else than rows");
    values_ = MessagePackReader({});  // cut off within a row
    return nullptr;
}

bool TraceReader::read_row() {
    const auto columns = values_.next(PackedKind::array);
    const auto sequence = values_.next(PackedKind::integer), thread = values_.next(PackedKind::integer),
               event = values_.next(PackedKind::integer);
    if (!columns || !sequence || !thread || !event || columns->number < common_columns) return false;
    row_.thread = thread->number;
    row_.event = static_cast<TraceRow::Event>(
        std::min(event->number, static_cast<std::uint64_t>(TraceRow::Event::other)));
    return row_.is_call() || row_.is_back() ? read_call(columns->number)
                                            : values_.skip(columns->number - common_columns);
}

bool TraceReader::read_call(std::uint64_t columns) {
    if (columns < call_columns || !read_name(row_.function) || !read_name(row_.object) ||
        !read_name(row_.file))
        return false;
    const auto line = values_.next(PackedKind::integer);
    if (!line) return false;
    row_.line = line->number;
    const std::uint64_t others = columns - call_columns;
    if (version_ < with_counter_arrays) return read_costs(others);
    const auto costs = values_.next(PackedKind::array);
    return costs && others > 0 && read_costs(costs->number) && values_.skip(others - 1);
}

bool TraceReader::read_name(TraceName& name) {
    const auto value = values_.next(has_table() ? PackedKind::integer : PackedKind::text);
    if (!value) return false;
    name = {.text = value->text, .number = value->number};
    return true;
}

bool TraceReader::read_costs(std::uint64_t count) {
    row_.costs.assign(counters_.size(), 0);
    row_.has_all_costs = count == counter_count_;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto cost = values_.next(PackedKind::integer);
        if (!cost) return false;
        if (i < row_.costs.size()) row_.costs[static_cast<std::size_t>(i)] = cost->number;
    }
    return true;
}

Result<void> TraceReader::for_each_name(
    const std::function<void(std::uint64_t number, std::string_view name)>& take) const {
    if (!has_read_table_) return {};
    MessagePackReader values = table_;
    const auto names = values.next(PackedKind::array);
    std::uint64_t number = 0;
    for (; names && number < names->number; ++number) {
        const auto name = values.next(PackedKind::text);
        if (!name) break;
        take(number, name->text);
    }
    if ((names && number == names->number) || is_cut_) return {};
    return damaged("the table of names is not an array of text");
}

}  // namespace callcost::engine
