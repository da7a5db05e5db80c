/// The names of a chunk as written, by slot; the slots a chunk begins with stand for what was in force before
/// it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "parser/scanner_types.hpp"

namespace callcost {

/// The slots a chunk begins with: the unknown name, then the current names at the end of the chunk before.
constexpr NameSlot carried_slot(Current which) { return 1 + static_cast<NameSlot>(which); }
constexpr NameSlot first_own_slot = 1 + static_cast<NameSlot>(current_count);

/// All slots carried, as a chunk begins.
constexpr CurrentNames all_carried() {
    CurrentNames names{};
    for (std::size_t i = 0; i < current_count; ++i) names[i] = carried_slot(static_cast<Current>(i));
    return names;
}

class ChunkNames {
  public:
    void clear() {
        names_.clear();
        forget_ids();
    }
    /// Ids mean something else from now on.
    void forget_ids() { ++epoch_; }

    NameSlot add(const NameRef& name) {
        const NameSlot slot = first_own_slot + static_cast<NameSlot>(names_.size());
        names_.push_back(name);
        if (name.id_text.word != 0) {
            const std::uint64_t key = key_of(name.kind, name.id_text);
            known_[entry_of(key)] = {key, slot, epoch_};
        }
        return slot;
    }
    /// The same id again means the same slot until it is defined anew. A look here saves one into tables that
    /// fit no cache.
    [[nodiscard]] NameSlot known(NameKind kind, IdText id) const {
        const std::uint64_t key = key_of(kind, id);
        const Known& known = known_[entry_of(key)];
        return known.key == key && known.epoch == epoch_ ? known.slot : unset_slot;
    }

    [[nodiscard]] const std::vector<NameRef>& names() const { return names_; }
    /// The name of a slot; null for a carried one.
    [[nodiscard]] const NameRef* at(NameSlot slot) const {
        return slot < first_own_slot ? nullptr : &names_[slot - first_own_slot];
    }

  private:
    /// The last byte of the word is 0 or the LF, so that the kind has the highest bits for itself.
    [[nodiscard]] static std::uint64_t key_of(NameKind kind, IdText id) {
        return id.word | static_cast<std::uint64_t>(kind) << 62U;
    }
    [[nodiscard]] static std::size_t entry_of(std::uint64_t key) {
        return static_cast<std::size_t>(key * 0x9fb21c651e98df25U >> (64U - entry_bits));
    }

    static constexpr unsigned entry_bits = 10;
    static constexpr std::size_t entries = std::size_t{1} << entry_bits;
    struct Known {
        std::uint64_t key = 0;
        NameSlot slot = 0;
        std::uint32_t epoch = 0;
    };
    std::vector<NameRef> names_;
    std::array<Known, entries> known_{};
    std::uint32_t epoch_ = 1;
};

/// The rows of the slots of a chunk, and what the next one is to carry.
class SlotRows {
  public:
    void begin_source() {
        carried_.fill(0);
        names_.fill(unset_slot);
    }
    void begin_chunk(const ChunkNames& chunk) {
        rows_.resize(first_own_slot + chunk.names().size());
        rows_[unknown_slot] = 0;
        for (std::size_t i = 0; i < current_count; ++i)
            rows_[carried_slot(static_cast<Current>(i))] = carried_[i];
    }
    void end_chunk(const CurrentNames& names) {
        for (std::size_t i = 0; i < current_count; ++i) {
            carried_[i] = names[i] == unset_slot ? 0 : rows_[names[i]];
            names_[i] = names[i] == unset_slot ? unset_slot : carried_slot(static_cast<Current>(i));
        }
    }
    /// The names the next chunk begins with.
    [[nodiscard]] const CurrentNames& carried() const { return names_; }

    [[nodiscard]] std::uint32_t operator[](NameSlot slot) const { return rows_[slot]; }
    [[nodiscard]] std::uint32_t* own() { return rows_.data() + first_own_slot; }
    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] std::span<const std::uint32_t> all() const { return rows_; }

  private:
    std::array<std::uint32_t, current_count> carried_{};
    CurrentNames names_{};
    std::vector<std::uint32_t> rows_;
};

}  // namespace callcost
