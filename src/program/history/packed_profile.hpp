/// Profiles as a store keeps them: compressed by zstd, maybe against a similar one, whose text then costs
/// next to nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "history/store.hpp"

struct ZSTD_CCtx_s;

namespace callcost::program {

/// Bytes of the largest profile that a store takes.
inline constexpr std::uint64_t largest_stored_profile = 1'000'000'000;

/// Keeps its memory from one profile to the next.
class Packer {
  public:
    /// `base` is empty, or a profile to compress against. The result is valid until the next call.
    [[nodiscard]] Stored<std::string_view> pack(std::string_view profile, std::string_view base);

  private:
    struct Free {
        void operator()(ZSTD_CCtx_s* context) const;
    };
    std::unique_ptr<ZSTD_CCtx_s, Free> context_;
    std::vector<char> buffer_;
};

/// Of pack() with the same base.
[[nodiscard]] Stored<std::string> unpacked(std::string_view packed, std::string_view base);

}  // namespace callcost::program
