/// A Chrome trace as tables: what its threads did, and the samples of V8 in it. For its importer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json_importers/trace_spans.hpp"
#include "json_importers/v8_json.hpp"
#include "tables/row_tables.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

/// Numbers or text, as processes, threads and profiles have them; no_row: none.
class TraceIds {
  public:
    [[nodiscard]] std::uint32_t of(std::int64_t number) {
        return 2 * numbers_.row(static_cast<std::uint64_t>(number));
    }
    [[nodiscard]] std::uint32_t of(std::string_view text);
    [[nodiscard]] std::optional<std::uint64_t> number(std::uint32_t id) const;
    [[nodiscard]] std::string_view text(std::uint32_t id) const;  ///< empty: it is none

  private:
    KeyRows numbers_;
    NameRows texts_;
};

struct ChromeTraceThread {
    std::uint32_t process = no_row, id = no_row;  ///< ids
    std::uint32_t name = 0;                       ///< row of ChromeTraceJson::names
    PackedSpans spans;
};

/// Its lines are those of functions; where samples were is in `lines`.
struct ChromeTraceProfile {
    std::uint32_t thread = no_row;  ///< row of ChromeTraceJson::threads
    V8Json json;
    std::vector<std::int64_t> lines;  ///< by sample, below 1: unknown; there may be fewer
};

struct ChromeTraceJson {
    NameRows names;
    TraceIds ids;
    std::vector<ChromeTraceThread> threads;
    KeyRows processes;                         ///< ids
    std::vector<std::uint32_t> process_names;  ///< by row of processes: rows of names
    std::vector<ChromeTraceProfile> profiles;
    std::uint64_t marks = 0;         ///< events that take no time
    std::uint64_t asynchronous = 0;  ///< operations that are not of one thread
    std::uint64_t sums = 0;          ///< spans of clang that are sums of others
    /// The array of events is not closed, as the format permits, or the file is cut, in an event or behind
    /// them.
    bool is_cut = false;
    std::uint64_t bytes = 0;  ///< of the file
};

/// Errors: of the source; empty_file; not_a_profile, with line and column where it is no JSON.
[[nodiscard]] Result<ChromeTraceJson> read_chrome_trace_json(const Source& source);

}  // namespace callcost::engine
