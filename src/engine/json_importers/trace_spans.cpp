#include "json_importers/trace_spans.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include <protozero/varint.hpp>

namespace callcost::engine {
namespace {

constexpr std::int64_t open_end = INT64_MAX;

void put(std::string& bytes, std::uint64_t number) {
    std::array<char, protozero::max_varint_length> text{};
    const auto size = protozero::write_varint(text.data(), number);
    bytes.append(text.data(), static_cast<std::size_t>(size));
}

/// A begin or an end.
struct Bound {
    std::int64_t time = 0;
    std::uint32_t name = 0, order = 0;
    bool is_end = false;
};

/// Puts ends to the begins that were last in their thread.
class BoundMatcher {
  public:
    explicit BoundMatcher(PackedSpans::Unpacked& to) : to_(to) {}

    void take(const Bound& bound) {
        if (!bound.is_end) {
            open_.push_back(to_.spans.size());
            to_.spans.push_back(
                {.begin = bound.time, .end = open_end, .name = bound.name, .order = bound.order});
            return;
        }
        if (open_.empty()) {
            ++to_.unbegun;
            return;
        }
        TraceSpan& span = to_.spans[open_.back()];
        open_.pop_back();
        span.end = bound.time;
        if (bound.name != 0 && bound.name != span.name) ++to_.of_other_name;
    }

    void finish() {
        to_.unended = open_.size();
        if (!open_.empty())
            std::erase_if(to_.spans, [](const TraceSpan& span) { return span.end == open_end; });
    }

  private:
    PackedSpans::Unpacked& to_;
    std::vector<std::size_t> open_;
};

bool is_before(const TraceSpan& a, const TraceSpan& b) {
    return std::tie(a.begin, b.end, a.order) < std::tie(b.begin, a.end, b.order);
}

}  // namespace

void PackedSpans::add(Kind kind, std::uint32_t name, std::int64_t time, std::int64_t length) {
    put(bytes_, std::uint64_t{name} << 2U | static_cast<std::uint64_t>(kind));
    put(bytes_, protozero::encode_zigzag64(time - last_));
    last_ = time;
    if (kind == Kind::whole) return put(bytes_, static_cast<std::uint64_t>(length));
    if (time < last_bound_) are_bounds_sorted_ = false;
    last_bound_ = time;
}

PackedSpans::Unpacked PackedSpans::unpack() const {
    Unpacked unpacked;
    BoundMatcher matcher(unpacked);
    std::vector<Bound> bounds;  // if they have to be sorted
    const char* at = bytes_.data();
    const char* const end = at + bytes_.size();
    std::int64_t time = 0;
    for (std::uint32_t order = 0; at != end; ++order) {
        const std::uint64_t head = protozero::decode_varint(&at, end);
        const auto name = static_cast<std::uint32_t>(head >> 2U);
        const auto kind = static_cast<Kind>(head & 3U);
        time += protozero::decode_zigzag64(protozero::decode_varint(&at, end));
        if (kind == Kind::whole) {
            const auto length = static_cast<std::int64_t>(protozero::decode_varint(&at, end));
            unpacked.spans.push_back({.begin = time, .end = time + length, .name = name, .order = order});
            continue;
        }
        const Bound bound{.time = time, .name = name, .order = order, .is_end = kind == Kind::end};
        if (are_bounds_sorted_)
            matcher.take(bound);
        else
            bounds.push_back(bound);
    }
    std::stable_sort(bounds.begin(), bounds.end(),
                     [](const Bound& a, const Bound& b) { return a.time < b.time; });
    for (const Bound& bound : bounds) matcher.take(bound);
    matcher.finish();
    if (!std::is_sorted(unpacked.spans.begin(), unpacked.spans.end(), is_before))
        std::sort(unpacked.spans.begin(), unpacked.spans.end(), is_before);
    return unpacked;
}

}  // namespace callcost::engine
