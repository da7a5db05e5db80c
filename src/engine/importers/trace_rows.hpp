/// The rows of tracegrind's traces, chunk by chunk. For their importer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/import_input.hpp"
#include "encodings/message_pack.hpp"
#include "tables/budget.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

/// A text, or its number in the table of version 5.
struct TraceName {
    std::string_view text{};
    std::uint64_t number = 0;
};

struct TraceRow {
    enum class Event : std::uint8_t {
        marker,
        call,
        back,
        inlined_call,
        inlined_back,
        fork,
        new_thread,
        other
    };
    Event event{};
    std::uint64_t thread = 0;
    /// Of a call or the way back from it, as all below.
    TraceName function, object, file;
    std::uint64_t line = 0;  ///< of the function; 0 = unknown
    /// What the thread cost since its last row, by counter.
    std::vector<std::uint64_t> costs{};
    bool has_all_costs = true;  ///< no more and no less than there are counters

    [[nodiscard]] bool is_call() const { return event == Event::call || event == Event::inlined_call; }
    [[nodiscard]] bool is_back() const { return event == Event::back || event == Event::inlined_back; }
};

struct TraceCounter {
    std::string name, unit;  ///< the unit may be empty
};

class TraceReader {
  public:
    static constexpr std::size_t max_counters = 64;

    /// `budget` is kept.
    TraceReader(const Source& source, const Budget& budget) : input_(source), budget_(budget) {}

    /// Before all else. Errors: as the importer's.
    [[nodiscard]] Result<void> read_head();
    [[nodiscard]] const std::vector<TraceCounter>& counters() const { return counters_; }
    /// How many there were too many.
    [[nodiscard]] std::uint64_t omitted_counters() const { return counter_count_ - counters_.size(); }
    /// Names are numbers.
    [[nodiscard]] bool has_table() const;

    /// The next row, valid until the one after it, or null at the end.
    [[nodiscard]] Result<const TraceRow*> next();
    /// After all rows: what has a number in the table; nothing if it is missing.
    [[nodiscard]] Result<void> for_each_name(
        const std::function<void(std::uint64_t number, std::string_view name)>& take) const;
    /// The trace ends before its end; what is there was read.
    [[nodiscard]] bool is_cut() const { return is_cut_; }
    [[nodiscard]] std::uint64_t bytes() const { return input_.bytes(); }  ///< of the file

  private:
    [[nodiscard]] tl::unexpected<Error> damaged(std::string detail) const;
    [[nodiscard]] Result<void> read_chunk(std::size_t max_size);
    void end(bool is_cut);
    [[nodiscard]] bool read_schema();
    [[nodiscard]] bool read_row();
    [[nodiscard]] bool read_call(std::uint64_t columns);
    [[nodiscard]] bool read_name(TraceName& name);
    [[nodiscard]] bool read_costs(std::uint64_t count);

    ByteReader input_;
    const Budget& budget_;
    std::uint32_t version_ = 0;
    std::vector<TraceCounter> counters_;
    std::uint64_t counter_count_ = 0;

    std::uint64_t offset_ = 0;   // of the chunk in the file
    std::string packed_;         // the chunk, or the numbers before it
    std::vector<char> content_;  // of the chunk, with room for larger ones
    MessagePackReader values_{{}}, table_{{}};
    bool has_read_table_ = false, is_at_end_ = false, is_cut_ = false;
    TraceRow row_;
};

}  // namespace callcost::engine
