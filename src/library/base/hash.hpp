/// Hashes of numbers that a file may choose. Each table has an unpredictable seed, so none can be
/// made whose keys collide; therefore nothing that is shown may depend on the order of a hash.
#pragma once

#include <cstddef>
#include <cstdint>

namespace callcost {

/// Mixes the bits of a number; a bijection.
[[nodiscard]] inline std::uint64_t mix(std::uint64_t value) {
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93U;
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93U;
    return value ^ (value >> 32);
}

/// A seed for the table there: where something lies in memory is different in every run.
[[nodiscard]] inline std::uint64_t seed_for(const void* table) {
    return mix(reinterpret_cast<std::uintptr_t>(table));
}

/// For standard containers, whose own hash of a number is the number.
class SeededHash {
  public:
    std::size_t operator()(std::uint64_t key) const { return static_cast<std::size_t>(mix(key ^ seed_)); }

  private:
    std::uint64_t seed_ = seed_for(this);
};

}  // namespace callcost
