#include "import_model/address_stacks.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace callcost::engine {
namespace {

/// Far more than programs record.
constexpr std::size_t most_frames = 100'000;

std::string hexadecimal(std::uint64_t address) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), address, 16).ptr;
    return "0x" + std::string(digits.data(), end);
}

}  // namespace

void AddressStacks::begin() {
    kept_frames_.resize(first_frame_);
    has_names_ = is_cut_ = false;
}

void AddressStacks::add_address(std::uint64_t address, bool is_exact) {
    if (has_names_) return;
    if (kept_frames_.size() - first_frame_ == most_frames) {
        is_cut_ = true;
        return;
    }
    const std::uint32_t row = places_.row(is_exact ? address : address - 1);
    if (row == are_exact_.size()) are_exact_.push_back(is_exact);
    kept_frames_.push_back({.function = no_row, .place = row});
}

void AddressStacks::add_frame(std::string_view name, std::string_view file, std::uint64_t line) {
    if (!has_names_) kept_frames_.resize(first_frame_);
    if (!has_names_) is_cut_ = false;
    has_names_ = true;
    if (kept_frames_.size() - first_frame_ == most_frames) {
        is_cut_ = true;
        return;
    }
    kept_frames_.push_back(
        {.function = profile_.function({}, file, name), .place = profile_.place({}, line)});
}

void AddressStacks::end(const Values& values) {
    ++notes_.samples;
    if (is_cut_) note(notes_, ImportOddity::stack_cut);
    const std::size_t frames = kept_frames_.size() - first_frame_;
    if (frames == 0) return note(notes_, ImportOddity::without_stack);
    has_other_allocations_ = has_other_allocations_ || ((values[2] != 0 || values[3] != 0) &&
                                                        (values[0] != values[2] || values[1] != values[3]));
    kept_.push_back({.frames = frames, .values = values});
    first_frame_ = kept_frames_.size();
    begin();
}

void AddressStacks::add_symbol(std::uint64_t address, std::string_view name) {
    if (symbols_.row(address) == symbol_names_.size()) symbol_names_.emplace_back(name);
}

/// Symbols of callers may be listed one byte before, where the call is.
std::uint32_t AddressStacks::symbol_of(std::uint64_t address) const {
    const std::uint32_t symbol = symbols_.find(address);
    return symbol == no_row ? symbols_.find(address - 1) : symbol;
}

std::uint64_t AddressStacks::address_of(std::uint32_t row) const {
    return places_[row] + (are_exact_[row] ? 0 : 1);
}

void AddressStacks::find_names() {
    if (!options_.find_names) return;
    std::vector<MappedCode> codes;
    KeyRows begins;  // of codes
    std::vector<AddressInCode> asked;
    std::vector<std::uint32_t> rows;  // of places_
    for (std::uint32_t row = 0; row < places_.size(); ++row) {
        const std::uint64_t place = places_[row];
        const MemoryMap::Range* const range = map_.range_of(place);
        if (range == nullptr || !range->is_code || !map_.object(*range).starts_with('/') ||
            symbol_of(address_of(row)) != no_row)
            continue;
        const std::uint32_t code = begins.row(range->begin);
        if (code == codes.size())
            codes.push_back({.file = map_.object(*range),
                             .offset = range->offset,
                             .size = range->end - range->begin,
                             .inode = range->inode});
        asked.push_back({.code = code, .offset = place - range->begin + range->offset});
        rows.push_back(row);
    }
    if (asked.empty()) return;
    NamesOfAddresses answer = options_.find_names(codes, asked);
    newer_ = std::move(answer.newer);
    if (answer.rows.size() != asked.size()) return;
    found_.names = std::move(answer.names);
    found_.rows.assign(places_.size(), NamesOfAddresses::none);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        found_.rows[rows[i]] = answer.rows[i];
        if (answer.rows[i] != NamesOfAddresses::none) ++named_;
    }
}

StackFrame AddressStacks::frame_of(std::uint32_t row) {
    StackFrame& frame = frames_of_addresses_[row];
    if (frame.function != no_row) return frame;
    const std::uint64_t address = address_of(row);
    const std::uint32_t symbol = symbol_of(address);
    const std::uint32_t found = found_.rows.empty() ? NamesOfAddresses::none : found_.rows[row];
    std::string name;
    if (symbol != no_row) {
        name = symbol_names_[symbol];
    } else if (found != NamesOfAddresses::none) {
        name = found_.names[found];
    } else {
        (void)unnamed_.row(address);
        name = hexadecimal(address);
    }
    frame.function = profile_.function(map_.object_of(places_[row]), {}, name);
    return frame;
}

Result<void> AddressStacks::write(std::span<const Column> columns, std::string_view command,
                                  std::uint64_t input_bytes, const Sink& sink) {
    if (kept_.empty()) return tl::unexpected(not_in_format("the profile has no stacks"));
    find_names();
    frames_of_addresses_.assign(places_.size(), {.function = no_row});
    for (const Column& column : columns) (void)profile_.event(column.name, column.long_name);
    std::size_t first = 0;
    for (const Kept& kept : kept_) {
        const auto frames = std::span(kept_frames_).subspan(first, kept.frames);
        first += kept.frames;
        for (StackFrame& frame : frames)
            if (frame.function == no_row) frame = frame_of(frame.place);
        std::reverse(frames.begin(), frames.end());
        profile_.set_stack(frames);
        for (std::uint32_t event = 0; event < columns.size(); ++event)
            profile_.add({.event = event, .cost = kept.values[columns[event].value]});
        if (!options_.budget.covers(input_bytes, profile_.max_bytes()))
            return tl::unexpected(options_.budget.error("the stacks"));
    }
    return profile_.write({.command = command,
                           .first_event = static_cast<std::uint32_t>(columns.size() - 1),
                           .unknown_count_as_one = options_.unknown_count_as_one},
                          sink);
}

}  // namespace callcost::engine
