#include "tables/row_tables.hpp"

#include <cstring>
#include <memory>

namespace callcost::engine {
namespace {

/// Mixes the bits of a number; a bijection.
std::uint64_t mix(std::uint64_t value) {
    value ^= value >> 32U;
    value *= 0xd6e8feb86659fd93U;
    value ^= value >> 32U;
    value *= 0xd6e8feb86659fd93U;
    return value ^ (value >> 32U);
}

std::uint64_t hash_of(std::string_view text, std::uint64_t seed) {
    std::uint64_t hash = seed ^ mix(text.size());
    for (; text.size() >= 8; text.remove_prefix(8)) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data(), sizeof word);
        hash = mix(hash ^ word);
    }
    std::uint64_t rest = 0;
    if (!text.empty()) std::memcpy(&rest, text.data(), text.size());
    return mix(hash ^ rest);
}

}  // namespace

std::uint64_t RowIndex::new_seed() {
    // Where something lies in memory is different in every run.
    static const auto place = std::make_unique<char>();
    return mix(reinterpret_cast<std::uintptr_t>(place.get()));
}

std::uint64_t KeyRows::hash(std::uint64_t key) const { return mix(key ^ index_.seed()); }

std::uint32_t KeyRows::search(std::uint64_t key) const {
    std::size_t slot = index_.slot(hash(key));
    for (; index_[slot] != no_row; slot = index_.next(slot))
        if (keys_[index_[slot]] == key) break;
    return index_[slot];
}

std::uint32_t KeyRows::row(std::uint64_t key) {
    std::size_t slot = index_.slot(hash(key));
    for (; index_[slot] != no_row; slot = index_.next(slot))
        if (keys_[index_[slot]] == key) return index_[slot];
    const auto row = static_cast<std::uint32_t>(keys_.size());
    keys_.push_back(key);
    index_.put(slot, row);
    if (index_.is_crowded(keys_.size())) {
        index_.grow();
        for (std::uint32_t again = 0; again < keys_.size(); ++again) {
            std::size_t free = index_.slot(hash(keys_[again]));
            while (index_[free] != no_row) free = index_.next(free);
            index_.put(free, again);
        }
    }
    return row;
}

std::uint32_t NameRows::row(std::string_view name) {
    const std::uint64_t hash = hash_of(name, index_.seed());
    std::size_t slot = index_.slot(hash);
    for (; index_[slot] != no_row; slot = index_.next(slot))
        if (hashes_[index_[slot]] == hash && names_[index_[slot]] == name) return index_[slot];
    const auto row = static_cast<std::uint32_t>(names_.size());
    names_.emplace_back(name);
    hashes_.push_back(hash);
    index_.put(slot, row);
    if (index_.is_crowded(names_.size())) {
        index_.grow();
        for (std::uint32_t again = 0; again < hashes_.size(); ++again) {
            std::size_t free = index_.slot(hashes_[again]);
            while (index_[free] != no_row) free = index_.next(free);
            index_.put(free, again);
        }
    }
    return row;
}

}  // namespace callcost::engine
