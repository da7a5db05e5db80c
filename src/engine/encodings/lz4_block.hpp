/// Blocks of LZ4 unpacked. For importers; why not by liblz4: docs/decisions/0028-own-lz4-blocks.md.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace callcost::engine {

/// What a block of so many bytes unpacks to at most.
[[nodiscard]] constexpr std::size_t most_in_lz4_block(std::size_t packed) { return packed * 255; }

/// How many bytes a block became in `to`: of one that is cut, those before the cut. Nothing if it is damaged,
/// or becomes more than there is room for.
[[nodiscard]] std::optional<std::size_t> unpack_lz4_block(std::string_view packed, std::span<char> to);

}  // namespace callcost::engine
