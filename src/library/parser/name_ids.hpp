/// Names and their ids while a profile is read (docs/format.md 4.3): from a NameRef to the row of a name
/// table.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.hpp"
#include "base/name_table.hpp"
#include "parser/diagnostic_log.hpp"
#include "parser/scanner_types.hpp"

namespace callcost {

/// The ids of one table and the rows they stand for. Ids are keys, often sparse and sometimes huge: small
/// ones have pages, the others a hash map.
class NameIdTable {
  public:
    static constexpr std::uint32_t none = UINT32_MAX;

    /// The row, or none.
    [[nodiscard]] std::uint32_t find(std::uint64_t id) const {
        if (const Page* page = page_of(id)) return page->rows[id & (page_size - 1)];
        if (id < paged_ids) return none;
        const auto entry = others_.find(id);
        return entry == others_.end() ? none : entry->second.row;
    }
    void prefetch(std::uint64_t id) const {
        if (const Page* page = page_of(id)) __builtin_prefetch(&page->rows[id & (page_size - 1)]);
    }
    void prefetch_for_set(std::uint64_t id) const {
        if (const Page* page = page_of(id)) __builtin_prefetch(&page->part);
    }
    /// Gives the id a row; tells whether it had been given one in the same part before.
    bool set(std::uint64_t id, std::uint32_t row, std::uint32_t part);
    void clear();

  private:
    static constexpr unsigned page_bits = 8;
    static constexpr std::size_t page_size = std::size_t{1} << page_bits;
    static constexpr std::uint64_t paged_ids = std::uint64_t{1} << 24U;
    struct Page {
        Page() { rows.fill(none); }
        std::array<std::uint32_t, page_size> rows;
        std::bitset<page_size> set;  // in this part:
        std::uint32_t part = none;
    };
    [[nodiscard]] const Page* page_of(std::uint64_t id) const {
        const std::uint64_t page = id >> page_bits;
        return page < pages_.size() ? pages_[static_cast<std::size_t>(page)].get() : nullptr;
    }
    struct Other {
        std::uint32_t row = none;
        std::uint32_t part = none;
    };
    std::vector<std::unique_ptr<Page>> pages_;
    std::vector<std::size_t> used_;
    using Others = std::unordered_map<std::uint64_t, Other, SeededHash>;
    Others others_;
};

/// Gives names their rows. A name that is used before its id is defined (F32) gets a row of its own, which
/// may later turn out to be an alias of another row.
class NameResolver {
  public:
    NameResolver(NameTable& objects, NameTable& files, NameTable& functions)
        : tables_{&objects, &files, &functions} {}

    /// The rows of names, in order. `text` is the chunk, for places in diagnostics; `part` the number of the
    /// part they occur in.
    void resolve(std::span<const NameRef> names, std::uint32_t* rows, std::string_view text,
                 std::uint32_t part, DiagnosticLog& log);

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

    /// How many names and placeholders there are.
    struct Mark {
        std::array<std::size_t, 3> names{};
        std::size_t aliases = 0;
    };
    [[nodiscard]] Mark mark() const;
    /// Forgets the names that came since; they must not be in use.
    void drop(const Mark& mark);

    void add_input(std::size_t bytes) { nested_budget_ += std::uint64_t{4} * bytes; }

  private:
    static std::size_t index(NameKind kind) { return static_cast<std::size_t>(kind); }
    std::uint32_t resolve_one(const NameRef& name, std::uint32_t hash, std::string_view text,
                              std::uint32_t part, DiagnosticLog& log);
    std::uint32_t intern(const NameRef& name, std::string_view spelled, std::uint32_t hash,
                         std::string_view text, DiagnosticLog& log);
    std::uint32_t placeholder(NameKind kind, std::uint64_t id);
    std::optional<std::string> expand(std::string_view nested, const LineView& line, DiagnosticLog& log);

    std::array<NameTable*, 3> tables_;
    std::vector<std::uint32_t> hashes_;
    std::array<NameIdTable, 3> ids_;
    std::vector<Alias> aliases_;
    using Open = std::unordered_map<std::uint32_t, std::size_t>;
    std::array<Open, 3> open_;  // placeholder row → alias
    // The length of nested names can double with every line. What all of them may take is in proportion to
    // the input.
    std::uint64_t nested_budget_ = std::uint64_t{16} << 20U;
};

}  // namespace callcost
