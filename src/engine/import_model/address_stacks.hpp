/// Stacks of addresses, kept until the end of the file, which says what lies there. For importers of profiles
/// as gperftools, jemalloc and Go write them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/import_input.hpp"
#include "encodings/import_notes.hpp"
#include "import_model/import_options.hpp"
#include "import_model/imported_stacks.hpp"
#include "import_model/memory_map.hpp"
#include "tables/row_tables.hpp"
#include <callcost/error.hpp>

namespace callcost::engine {

class AddressStacks {
  public:
    static constexpr std::size_t max_values = 4;
    using Values = std::array<std::int64_t, max_values>;

    /// A value of every stack as an event type; the last one is shown first.
    struct Column {
        std::size_t value = 0;
        std::string_view name, long_name;
    };

    AddressStacks(const ImportOptions& options, ImportNotes& notes) : options_(options), notes_(notes) {}

    /// The stack at hand, from the leaf on. One that is not ended is left by the next.
    void begin();
    /// Callers are where the call returns to, one instruction behind it at most; `is_exact`: the leaf is not.
    void add_address(std::uint64_t address, bool is_exact = false);
    /// A frame that has a name; those of addresses do not count then.
    void add_frame(std::string_view name, std::string_view file, std::uint64_t line);
    /// One that has no frames is counted, and omitted.
    void end(const Values& values);

    void add_symbol(std::uint64_t address, std::string_view name);
    [[nodiscard]] bool has_symbols() const { return !symbol_names_.empty(); }
    [[nodiscard]] MemoryMap& map() { return map_; }
    [[nodiscard]] bool has_other_allocations() const { return has_other_allocations_; }

    /// Writes all, after so many bytes of input. Errors: those of StackProfile; too_large; not_a_profile if
    /// there was no stack.
    [[nodiscard]] Result<void> write(std::span<const Column> columns, std::string_view command,
                                     std::uint64_t input_bytes, const Sink& sink);
    /// How many functions are addresses: known when all is written.
    [[nodiscard]] std::size_t unnamed() const { return unnamed_.size(); }
    /// How many addresses ImportOptions::find_names had names for.
    [[nodiscard]] std::size_t named() const { return named_; }
    /// Files that it had none of, as they are newer than the profile.
    [[nodiscard]] const std::vector<std::string>& newer() const { return newer_; }

  private:
    struct Kept {
        std::size_t frames = 0;
        Values values{};
    };

    [[nodiscard]] std::uint32_t symbol_of(std::uint64_t address) const;
    [[nodiscard]] std::uint64_t address_of(std::uint32_t row) const;
    void find_names();
    [[nodiscard]] StackFrame frame_of(std::uint32_t row);

    const ImportOptions& options_;
    ImportNotes& notes_;
    StackProfile profile_{options_.stacks};
    MemoryMap map_;
    KeyRows symbols_;  // by address
    std::vector<std::string> symbol_names_;
    KeyRows places_;                               // of instructions, or the byte before a return address
    std::vector<bool> are_exact_;                  // by place
    NamesOfAddresses found_;                       // rows by place, or none at all
    std::vector<StackFrame> frames_of_addresses_;  // no function: not asked for yet
    KeyRows unnamed_;                              // addresses
    std::size_t named_ = 0;
    std::vector<std::string> newer_;
    std::vector<StackFrame> kept_frames_;  // of an address: no function, and a row of places_
    std::vector<Kept> kept_;
    std::size_t first_frame_ = 0;  // of the stack at hand
    bool has_names_ = false, is_cut_ = false;
    bool has_other_allocations_ = false;
};

}  // namespace callcost::engine
