/// Packed records as chunks of a profile, and what jumps in them refer to.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "profile/packed_records.hpp"
#include "profile/profile_data.hpp"

namespace callcost {

constexpr std::uint32_t chunk_bytes = 1U << 20U;

/// Moves what is packed into a chunk.
inline void keep_packed(RecordPacker& packer, ProfileData& data) {
    if (packer.size() == 0) return;
    std::unique_ptr<unsigned char[]> packed(new unsigned char[packer.size()]);
    std::memcpy(packed.get(), packer.data(), packer.size());
    data.chunks.push_back(std::move(packed));
    packer.clear();
}

/// Rows of ProfileData::jump_targets.
class JumpTargets {
  public:
    std::uint32_t row_of(FunctionId function, FileId file, ProfileData& data) {
        const auto [entry, is_new] = rows_.try_emplace(std::pair(function, file),
                                                       static_cast<std::uint32_t>(data.jump_targets.size()));
        if (is_new) data.jump_targets.push_back({ObjectId(0U), file, 0, function});
        return entry->second;
    }

  private:
    std::map<std::pair<FunctionId, FileId>, std::uint32_t> rows_;
};

}  // namespace callcost
