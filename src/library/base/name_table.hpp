/// Byte strings, each kept once and known by its row number. Rows never move; row 0 is given by the
/// constructor.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/paged_vector.hpp"

namespace callcost {

/// A fast hash of a byte string. The seed differs from run to run, so that no file can be made whose names
/// collide.
[[nodiscard]] std::uint64_t hash_bytes(std::string_view text, std::uint64_t seed);

class NameTable {
  public:
    explicit NameTable(std::string_view first);

    /// The row of `text`, which is copied if it is new.
    std::uint32_t intern(std::string_view text) { return intern(text, hash(text)); }
    /// The same in two steps, so that the look-ups of many names can be begun before the first one ends.
    [[nodiscard]] std::uint32_t hash(std::string_view text) const {
        return static_cast<std::uint32_t>(hash_bytes(text, seed_));
    }
    void prefetch(std::uint32_t hash) const { __builtin_prefetch(&index_[hash & (index_.size() - 1)]); }
    std::uint32_t intern(std::string_view text, std::uint32_t hash);
    /// A row of its own for `text`, which intern and find do not know.
    std::uint32_t add(std::string_view text);
    /// Forgets the rows from `size` on, which nobody may know any more.
    void truncate(std::size_t size);
    /// The row of `text`, or UINT32_MAX.
    [[nodiscard]] std::uint32_t find(std::string_view text) const;

    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] std::string_view operator[](std::size_t row) const {
        return {rows_[row].text, rows_[row].length};
    }

  private:
    struct Row {
        const char* text;
        std::uint32_t length : 31;
        std::uint32_t indexed : 1;
        std::uint32_t hash;
    };
    const char* keep(std::string_view text);
    /// Where the text is in the index, or would be.
    [[nodiscard]] std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
    void rehash();

    std::uint64_t seed_;
    PagedVector<Row> rows_;
    struct Entry {
        std::uint32_t row_plus_one = 0;  // 0: empty
        std::uint32_t hash = 0;          // of the row, so that most others need no look at theirs
    };
    std::vector<Entry> index_;  // open addressing
    std::vector<std::unique_ptr<char[]>> pages_;
    char* page_ = nullptr;
    std::size_t page_left_ = 0;
};

}  // namespace callcost
