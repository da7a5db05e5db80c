/// Tables that number what a reader of a file meets: names and pairs of numbers become rows, in the order in
/// which they came. The input chooses the keys, so both hash with an unpredictable seed for each table;
/// nothing depends on the order of a hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace callcost::engine {

/// No row.
constexpr std::uint32_t no_row = UINT32_MAX;

/// Two row numbers as one key.
[[nodiscard]] constexpr std::uint64_t key_of(std::uint32_t first, std::uint32_t second) {
    return static_cast<std::uint64_t>(first) << 32U | second;
}
[[nodiscard]] constexpr std::uint32_t first_of(std::uint64_t key) {
    return static_cast<std::uint32_t>(key >> 32U);
}
[[nodiscard]] constexpr std::uint32_t second_of(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

/// The places of rows by hash: open addressing, a row + 1 in every slot, 0 = empty.
class RowIndex {
  public:
    [[nodiscard]] std::uint64_t seed() const { return seed_; }
    /// The first slot to look at; `next` gives the others until an empty one ends the search.
    [[nodiscard]] std::size_t slot(std::uint64_t hash) const {
        return static_cast<std::size_t>(hash) & (slots_.size() - 1);
    }
    [[nodiscard]] std::size_t next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
    [[nodiscard]] std::uint32_t operator[](std::size_t slot) const { return slots_[slot] - 1; }  // or no_row
    void put(std::size_t slot, std::uint32_t row) { slots_[slot] = row + 1; }
    [[nodiscard]] bool is_crowded(std::size_t rows) const { return rows * 2 > slots_.size(); }
    void grow() { slots_.assign(slots_.size() * 2, 0); }

  private:
    std::uint64_t seed_ = new_seed();
    std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64, 0);

    static std::uint64_t new_seed();
};

/// Numbers, each known by its row.
class KeyRows {
  public:
    /// The row of the key, which is new if it equals the size before.
    std::uint32_t row(std::uint64_t key);
    /// The row of the key, or no_row.
    [[nodiscard]] std::uint32_t find(std::uint64_t key) const {
        const std::uint64_t row = key - 1;  // of numbers that count from 1
        if (row < keys_.size() && keys_[static_cast<std::size_t>(row)] == key)
            return static_cast<std::uint32_t>(row);
        return search(key);
    }

    [[nodiscard]] std::size_t size() const { return keys_.size(); }
    [[nodiscard]] std::uint64_t operator[](std::size_t row) const { return keys_[row]; }

  private:
    [[nodiscard]] std::uint64_t hash(std::uint64_t key) const;
    [[nodiscard]] std::uint32_t search(std::uint64_t key) const;

    RowIndex index_;
    std::vector<std::uint64_t> keys_;
};

/// Byte strings, each kept once and known by its row. Row 0 is the empty one.
class NameRows {
  public:
    NameRows() { row({}); }

    std::uint32_t row(std::string_view name);

    [[nodiscard]] std::size_t size() const { return names_.size(); }
    [[nodiscard]] const std::string& operator[](std::size_t row) const { return names_[row]; }

  private:
    RowIndex index_;
    std::deque<std::string> names_;
    std::vector<std::uint64_t> hashes_;
};

}  // namespace callcost::engine
