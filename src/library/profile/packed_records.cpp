#include "profile/packed_records.hpp"

#include <cstring>

namespace callcost {

void RecordPacker::grow(std::size_t bytes) {
    const std::size_t used = size();
    const auto capacity = std::max<std::size_t>({2 * used, used + bytes, 4096});
    std::unique_ptr<unsigned char[]> larger(new unsigned char[capacity]);
    if (used != 0) std::memcpy(larger.get(), buffer_.get(), used);
    buffer_ = std::move(larger);
    at_ = buffer_.get() + used;
    limit_ = buffer_.get() + capacity;
}

bool RecordPacker::same_row(std::span<const Cost> costs) {
    while (!costs.empty() && costs.back() == 0) costs = costs.first(costs.size() - 1);
    const bool same = costs.size() == last_size_ && std::equal(costs.begin(), costs.end(), last_row_.begin());
    if (!same) {
        if (last_row_.size() < costs.size()) last_row_.resize(costs.size());
        std::copy(costs.begin(), costs.end(), last_row_.begin());
        last_size_ = costs.size();
    }
    return same;
}

void RecordPacker::put_row(std::span<const Cost> costs) {
    while (!costs.empty() && costs.back() == 0) costs = costs.first(costs.size() - 1);
    if (columns_ > 64) {
        at_ = put_varint(at_, costs.size());
        for (const Cost cost : costs) at_ = put_varint(at_, zigzag(cost));
        return;
    }
    std::uint64_t present = 0;
    for (std::size_t i = 0; i < costs.size(); ++i)
        if (costs[i] != 0) present |= std::uint64_t{1} << i;
    at_ = put_varint(at_, present);
    for (const Cost cost : costs)
        if (cost != 0) at_ = put_varint(at_, zigzag(cost));
}

}  // namespace callcost
