/// Collects diagnostics while reading: a count and the first ten places of each.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "callcost/error.hpp"

namespace callcost {

/// A line of the input, where diagnostics may point into it.
struct LineView {
    std::string_view text;     ///< without its line end
    std::uint64_t number = 0;  ///< from 1 (within a chunk or a file); 0: no line
    std::uint64_t offset = 0;  ///< of its first byte
};

/// The place of a byte of the line, or of the line as a whole if `where` is null, of source 0.
[[nodiscard]] Place place_of(const LineView& line, const char* where);

class DiagnosticLog {
  public:
    static constexpr std::size_t places_kept = 10;

    /// Notes something at a byte of the line (`where` points into line.text), or on the line as a whole if
    /// null.
    void add(DiagnosticId id, const LineView& line, const char* where = nullptr, std::uint64_t count = 1);
    /// Notes something that has no place.
    void add_count(DiagnosticId id, std::uint64_t count) {
        entries_[index(id)].count += count;
        used_ = true;
    }

    /// Takes over what another log has, which came later in the input: its line numbers and offsets are
    /// relative.
    void append(DiagnosticLog& later, std::uint32_t source, std::uint64_t first_line,
                std::uint64_t first_offset);
    /// The diagnostics in the order of DiagnosticId; those of Severity::error therefore first.
    [[nodiscard]] std::vector<Diagnostic> take();
    /// Takes back what was noted under an id.
    void drop(DiagnosticId id) { entries_[index(id)] = {}; }
    void clear();

  private:
    struct Entry {
        std::uint64_t count = 0;
        std::vector<Place> places;  // in the order of the input, whatever order they came in
        [[nodiscard]] bool wants(std::uint32_t source, std::uint64_t line, std::uint64_t column) const;
        void keep(Place place);
    };
    static std::size_t index(DiagnosticId id) { return static_cast<std::size_t>(id); }
    std::array<Entry, diagnostic_id_count> entries_;
    bool used_ = false;
};

}  // namespace callcost
