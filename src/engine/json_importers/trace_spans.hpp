/// What a thread of a Chrome trace did, packed while the file is read: some bytes an event.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace callcost::engine {

struct TraceSpan {
    std::int64_t begin = 0, end = 0;  ///< nanoseconds
    std::uint32_t name = 0;
    std::uint32_t order = 0;  ///< in the file
};

class PackedSpans {
  public:
    enum class Kind : std::uint8_t { begin, end, whole };

    /// Times are from -2^62 to 2^62; `length` is that of whole spans, not below 0.
    void add(Kind kind, std::uint32_t name, std::int64_t time, std::int64_t length = 0);
    [[nodiscard]] bool empty() const { return bytes_.empty(); }

    struct Unpacked {
        std::vector<TraceSpan> spans;     ///< by begin; the longer one first, then that which comes first
        std::uint64_t unended = 0;        ///< begins without an end, which are not among them
        std::uint64_t unbegun = 0;        ///< ends without a begin
        std::uint64_t of_other_name = 0;  ///< ends of another name than what they end: the last that began
    };
    [[nodiscard]] Unpacked unpack() const;

  private:
    std::string bytes_;
    std::int64_t last_ = 0, last_bound_ = INT64_MIN;
    bool are_bounds_sorted_ = true;  // begins and ends
};

}  // namespace callcost::engine
