#include "import_model/memory_map.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "encodings/import_input.hpp"

namespace callcost::engine {

bool take_hexadecimal(std::string_view& text, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

void MemoryMap::add_line(std::string_view line) {
    Range range;
    if (!take_hexadecimal(line, range.begin) || !line.starts_with('-')) return;
    line.remove_prefix(1);
    if (!take_hexadecimal(line, range.end) || !line.starts_with(' ')) return;
    std::array<std::string_view, 4> words;  // rights, offset, device, inode
    for (std::string_view& word : words) {
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.empty()) return;
        word = line.substr(0, line.find(' '));
        line.remove_prefix(word.size());
    }
    range.is_code = words[0].find('x') != std::string_view::npos;
    (void)take_hexadecimal(words[1], range.offset);
    range.inode = parse_digits(words[3]).value_or(0);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    range.object = names_.row(line);
    is_sorted_ = is_sorted_ && (ranges_.empty() || ranges_.back().begin <= range.begin);
    ranges_.push_back(range);
}

std::string_view MemoryMap::object_of(std::uint64_t address) {
    const Range* const range = range_of(address);
    return range == nullptr ? std::string_view() : object(*range);
}

const MemoryMap::Range* MemoryMap::range_of(std::uint64_t address) {
    if (!is_sorted_)
        std::stable_sort(ranges_.begin(), ranges_.end(),
                         [](const Range& a, const Range& b) { return a.begin < b.begin; });
    is_sorted_ = true;
    const auto behind =
        std::upper_bound(ranges_.begin(), ranges_.end(), address,
                         [](std::uint64_t wanted, const Range& range) { return wanted < range.begin; });
    if (behind == ranges_.begin()) return nullptr;
    const Range& range = *std::prev(behind);
    return address < range.end ? &range : nullptr;
}

}  // namespace callcost::engine
