#include "importers/memory_map.hpp"

#include <algorithm>
#include <charconv>

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
    constexpr int words_before_path = 4;  // rights, offset, device, inode
    for (int word = 0; word < words_before_path; ++word) {
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.empty()) return;
        line.remove_prefix(std::min(line.find(' '), line.size()));
    }
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    range.object = names_.row(line);
    is_sorted_ = is_sorted_ && (ranges_.empty() || ranges_.back().begin <= range.begin);
    ranges_.push_back(range);
}

std::string_view MemoryMap::object_of(std::uint64_t address) {
    if (!is_sorted_)
        std::stable_sort(ranges_.begin(), ranges_.end(),
                         [](const Range& a, const Range& b) { return a.begin < b.begin; });
    is_sorted_ = true;
    const auto behind =
        std::upper_bound(ranges_.begin(), ranges_.end(), address,
                         [](std::uint64_t wanted, const Range& range) { return wanted < range.begin; });
    if (behind == ranges_.begin()) return {};
    const Range& range = *std::prev(behind);
    return address < range.end ? std::string_view(names_[range.object]) : std::string_view();
}

}  // namespace callcost::engine
