/// What lay where in the memory of a process, as /proc/PID/maps lists it. For profiles of addresses.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tables/row_tables.hpp"

namespace callcost::engine {

class MemoryMap {
  public:
    struct Range {
        std::uint64_t begin = 0, end = 0;
        std::uint64_t offset = 0, inode = 0;  ///< of the file; 0 also if they cannot be read
        std::uint32_t object = 0;
        bool is_code = false;
    };

    /// Takes `begin-end rwxp offset device inode path`; another line is ignored.
    void add_line(std::string_view line);
    /// The file that was mapped there, valid until a line is added; empty if there is none. Of overlapping
    /// ranges the one that begins last.
    [[nodiscard]] std::string_view object_of(std::uint64_t address);
    /// The range itself, valid until a line is added.
    [[nodiscard]] const Range* range_of(std::uint64_t address);
    [[nodiscard]] std::string_view object(const Range& range) const { return names_[range.object]; }
    /// The first one, which is the program.
    [[nodiscard]] std::string_view first_object() const {
        return names_.size() == 1 ? std::string_view() : names_[1];
    }

  private:
    NameRows names_;
    std::vector<Range> ranges_;
    bool is_sorted_ = true;
};

/// A hexadecimal number at the beginning of the text, of which it is taken off. False if there is none.
[[nodiscard]] bool take_hexadecimal(std::string_view& text, std::uint64_t& number);

}  // namespace callcost::engine
