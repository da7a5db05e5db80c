#include "profile/call_trace.hpp"

#include <algorithm>
#include <bit>

#include "base/varint.hpp"
#include "profile/profile_data.hpp"

namespace callcost {

namespace {

constexpr std::size_t max_digits = 10;

/// The lowest seven bits come last, so that the number is read from its end.
inline unsigned char* put(unsigned char* to, std::uint64_t number) {
    if (number < 0x80) {
        *to = static_cast<unsigned char>(number);
        return to + 1;
    }
    if (number < 0x4000) {
        to[0] = static_cast<unsigned char>(number >> 7U);
        to[1] = static_cast<unsigned char>(number | 0x80U);
        return to + 2;
    }
    unsigned char* const end = to + (static_cast<std::size_t>(std::bit_width(number)) + 6) / 7;
    for (to = end - 1; number >= 0x80; number >>= 7U) *to-- = static_cast<unsigned char>(number | 0x80U);
    *to = static_cast<unsigned char>(number);
    return end;
}

}  // namespace

void CallTrace::add(std::uint32_t function, std::uint64_t callees, std::span<const std::int64_t> self) {
    std::size_t costs = self.size();
    while (costs > 0 && self[costs - 1] == 0) --costs;
    const std::size_t most = (costs + 3) * max_digits;
    if (bytes_.size() - size_ < most) bytes_.resize(2 * bytes_.size() + most);
    unsigned char* to = bytes_.data() + size_;
    for (std::size_t i = costs; i-- > 0;) to = put(to, zigzag(self[i]));
    if (costs >= 3) to = put(to, costs);
    to = put(to, callees << 2U | std::min<std::size_t>(costs, 3));
    to = put(to, function);
    size_ = static_cast<std::size_t>(to - bytes_.data());
    ++calls_;
}

void CallTrace::finish() {
    bytes_.resize(size_);
    bytes_.shrink_to_fit();
    std::sort(jumps_.begin(), jumps_.end());
}

std::uint64_t CallTrace::Cursor::number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const unsigned char byte = trace_.bytes_[--at_];
        value |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80) return value;
    }
}

bool CallTrace::Cursor::next() {
    if (!trace_.jumps_.empty()) {
        const auto jump = std::lower_bound(trace_.jumps_.begin(), trace_.jumps_.end(),
                                           std::pair(static_cast<std::uint32_t>(at_), 0U));
        if (jump != trace_.jumps_.end() && jump->first == at_) at_ = jump->second;
    }
    if (at_ == 0) return false;
    function_ = static_cast<std::uint32_t>(number());
    const std::uint64_t callees_and_costs = number();
    callees_ = callees_and_costs >> 2U;
    std::uint64_t costs = callees_and_costs & 3U;
    if (costs == 3) costs = number();
    self_.clear();
    for (std::uint64_t i = 0; i < costs; ++i) self_.emplace_back(unzigzag(number()));
    return true;
}

bool are_traced(const Profile& profile, std::span<const PartId> parts) {
    const ProfileData& data = ProfileAccess::data(profile);
    return std::all_of(parts.begin(), parts.end(), [&](PartId id) {
        const Part& part = data.parts[id.value];
        return data.trace(id) != nullptr || (part.cost_lines == 0 && part.call_records == 0);
    });
}

std::optional<std::vector<Cost>> outermost_costs(const Profile& profile, std::span<const PartId> parts,
                                                 std::span<const std::uint32_t> row_of, std::size_t rows,
                                                 std::span<const EventId> events) {
    if (!are_traced(profile, parts)) return std::nullopt;
    const ProfileData& data = ProfileAccess::data(profile);
    std::vector<Cost> costs(rows * events.size()), sum(events.size());
    std::vector<std::uint32_t> open(rows, 0), path;
    const auto add = [&](std::size_t row, std::int64_t sign) {
        for (std::size_t i = 0; i < events.size(); ++i) costs[row * events.size() + i] += sum[i] * sign;
    };
    for (const PartId id : parts) {
        const CallTrace* const trace = data.trace(id);
        if (trace == nullptr) continue;
        const std::span<const EventId> columns = data.parts[id.value].events;
        std::vector<std::pair<std::size_t, std::size_t>> wanted;  // column, event
        for (std::size_t column = 0; column < columns.size(); ++column)
            for (std::size_t i = 0; i < events.size(); ++i)
                if (columns[column] == events[i]) wanted.emplace_back(column, i);
        for_each_call(
            *trace,
            [&](const CallTrace::Cursor& call) {
                const std::uint32_t row = row_of[data.traced(call.function())];
                path.push_back(row);
                if (row < rows && open[row]++ == 0) add(row, -1);
                for (const auto& [column, event] : wanted)
                    if (column < call.self().size()) sum[event] += call.self()[column];
            },
            [&] {
                const std::uint32_t row = path.back();
                path.pop_back();
                if (row < rows && --open[row] == 0) add(row, 1);
            });
    }
    return costs;
}

}  // namespace callcost
