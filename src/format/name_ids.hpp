/// Names and their ids while a profile is read (docs/format.md 4.3): from a NameRef to the row of a name
/// table.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/name_table.hpp"
#include "format/diagnostic_log.hpp"
#include "format/scanner_types.hpp"

namespace callcost {

/// What an id stands for.
struct NameId {
    std::uint32_t row = UINT32_MAX;       ///< UINT32_MAX: nothing yet
    std::uint32_t part = UINT32_MAX;      ///< where it was defined; UINT32_MAX: used, but not defined yet
    std::uint32_t recorded = UINT32_MAX;  ///< function ids: the one function that has records under it (F61)
    static constexpr std::uint32_t several = UINT32_MAX - 1;
};

/// The ids of one table. They are keys, often sparse and sometimes huge: small ones have pages, the others a
/// hash map.
class NameIdTable {
  public:
    NameId& operator[](std::uint64_t id) {
        if (id >= paged_ids) return others_[id];
        const std::size_t page = id >> page_bits;
        if (page >= pages_.size()) pages_.resize(page + 1);
        if (pages_[page] == nullptr) {
            pages_[page] = std::make_unique<Page>();
            used_.push_back(page);
        }
        return (*pages_[page])[id & (page_size - 1)];
    }
    void clear() {
        for (const std::size_t page : used_) pages_[page].reset();
        used_.clear();
        others_.clear();
    }

  private:
    static constexpr unsigned page_bits = 8;
    static constexpr std::size_t page_size = std::size_t{1} << page_bits;
    static constexpr std::uint64_t paged_ids = std::uint64_t{1} << 24U;
    using Page = std::array<NameId, page_size>;
    std::vector<std::unique_ptr<Page>> pages_;
    std::vector<std::size_t> used_;
    std::unordered_map<std::uint64_t, NameId> others_;
};

/// Gives names their rows. A name that is used before its id is defined (F32) gets a row of its own, which
/// may later turn out to be an alias of another row.
class NameResolver {
  public:
    NameResolver(NameTable& objects, NameTable& files, NameTable& functions)
        : tables_{&objects, &files, &functions} {}

    /// The row of a name. `text` is the chunk, for places in diagnostics; `part` the number of the part it
    /// occurs in.
    std::uint32_t resolve(const NameRef& name, std::string_view text, std::uint32_t part,
                          DiagnosticLog& log) {
        if (name.has_id && name.text.empty()) {
            const NameId& id = ids_[index(name.kind)][name.id];
            if (id.row != UINT32_MAX && id.part != UINT32_MAX) return id.row;
        }
        return resolve_slowly(name, text, part, log);
    }

    /// The function id, to note or ask which functions it was used for.
    NameId& function_id(std::uint64_t id) { return ids_[index(NameKind::function)][id]; }

    /// The ids of another profile begin.
    void clear();

    struct Alias {
        NameKind kind;
        std::uint32_t row;   ///< a placeholder "(N)"
        std::uint32_t name;  ///< the row it stands for
    };
    /// Every placeholder that was made, with what it stands for: the later definition, or else the row of the
    /// text "(N)".
    [[nodiscard]] std::vector<Alias> take_aliases();

    void add_input(std::size_t bytes) { nested_budget_ += 32 * bytes; }

  private:
    static std::size_t index(NameKind kind) { return static_cast<std::size_t>(kind); }
    std::uint32_t resolve_slowly(const NameRef& name, std::string_view text, std::uint32_t part,
                                 DiagnosticLog& log);
    std::uint32_t intern(NameKind kind, std::string_view name, const LineView& line, const char* place,
                         DiagnosticLog& log);
    std::uint32_t placeholder(NameKind kind, std::uint64_t id);
    std::string expand(std::string_view nested, const LineView& line, DiagnosticLog& log);

    std::array<NameTable*, 3> tables_;
    std::array<NameIdTable, 3> ids_;
    std::vector<Alias> aliases_;
    std::unordered_map<std::uint32_t, std::size_t> open_[3];  // placeholder row → alias
    // Nested names can double with every line; what they may take is in proportion to the input.
    std::size_t nested_budget_ = std::size_t{64} << 20U;
};

}  // namespace callcost
