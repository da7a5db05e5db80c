#include "base/name_table.hpp"

#include <cstring>
#include <utility>

namespace callcost {

namespace {

constexpr std::size_t page_size = std::size_t{64} * 1024;

std::uint64_t load64(const char* bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

}  // namespace

std::uint64_t hash_bytes(std::string_view text, std::uint64_t seed) {
    constexpr std::uint64_t factor = 0x9fb21c651e98df25U;
    std::uint64_t hash = seed + text.size() * factor;
    const char* at = text.data();
    std::size_t left = text.size();
    for (; left >= 8; at += 8, left -= 8) {
        hash = (hash ^ load64(at)) * factor;
        hash ^= hash >> 29;
    }
    if (left != 0) {
        std::uint64_t rest = 0;
        std::memcpy(&rest, at, left);
        hash = (hash ^ rest) * factor;
    }
    return mix(hash);
}

NameTable::NameTable(std::string_view first) : seed_(seed_for(this)), index_(64) { intern(first); }

const char* NameTable::keep(std::string_view text) {
    if (text.size() > page_size / 4) {  // a page of its own
        pages_.emplace_back(new char[text.size()]);
        std::memcpy(pages_.back().get(), text.data(), text.size());
        return pages_.back().get();
    }
    if (text.size() > page_left_ || page_ == nullptr) {
        pages_.emplace_back(new char[page_size]);
        page_ = pages_.back().get();
        page_left_ = page_size;
    }
    char* const copy = page_;
    if (!text.empty()) std::memcpy(copy, text.data(), text.size());
    page_ += text.size();
    page_left_ -= text.size();
    return copy;
}

void NameTable::rehash() {
    const std::vector<Entry> old = std::exchange(index_, std::vector<Entry>(index_.size() * 2));
    const std::size_t mask = index_.size() - 1;
    for (const Entry& entry : old) {
        if (entry.row_plus_one == 0) continue;
        std::size_t slot = entry.hash & mask;
        while (index_[slot].row_plus_one != 0) slot = (slot + 1) & mask;
        index_[slot] = entry;
    }
}

std::size_t NameTable::slot_of(std::string_view text, std::uint32_t hash) const {
    const std::size_t mask = index_.size() - 1;
    std::size_t slot = hash & mask;
    for (; index_[slot].row_plus_one != 0; slot = (slot + 1) & mask)
        if (index_[slot].hash == hash && (*this)[index_[slot].row_plus_one - 1] == text) break;
    return slot;
}

std::uint32_t NameTable::intern(std::string_view text, std::uint32_t hash) {
    Entry& entry = index_[slot_of(text, hash)];
    if (entry.row_plus_one != 0) return entry.row_plus_one - 1;
    const std::size_t row =
        rows_.push_back({keep(text), static_cast<std::uint32_t>(text.size()) & 0x7fffffffU, 1, hash});
    entry = {static_cast<std::uint32_t>(row + 1), hash};
    if (rows_.size() * 4 > index_.size() * 3) rehash();
    return static_cast<std::uint32_t>(row);
}

std::uint32_t NameTable::add(std::string_view text) {
    return static_cast<std::uint32_t>(
        rows_.push_back({keep(text), static_cast<std::uint32_t>(text.size()) & 0x7fffffffU, 0, 0}));
}

void NameTable::truncate(std::size_t size) {
    // The last row to come into the index may leave a hole in it: no other row was put behind it.
    const std::size_t mask = index_.size() - 1;
    for (std::size_t row = rows_.size(); row-- > size;) {
        if (rows_[row].indexed == 0) continue;
        std::size_t slot = rows_[row].hash & mask;
        while (index_[slot].row_plus_one != row + 1) slot = (slot + 1) & mask;
        index_[slot] = {};
    }
    rows_.truncate(size);
}

std::uint32_t NameTable::find(std::string_view text) const {
    return index_[slot_of(text, hash(text))].row_plus_one - 1;  // 0 - 1 if there is none
}

}  // namespace callcost
