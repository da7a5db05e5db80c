/// Functions that turn out to be the same: of equal object, file and name (F71).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/hash.hpp"
#include "profile/profile_data.hpp"

namespace callcost {

/// A function as F71 knows it.
struct FunctionIdentity {
    std::uint32_t object = 0, file = 0, name = 0;
    friend bool operator==(const FunctionIdentity&, const FunctionIdentity&) = default;
};
struct FunctionIdentityHash {
    std::uint64_t seed = seed_for(this);
    std::size_t operator()(const FunctionIdentity& id) const {
        return static_cast<std::size_t>(
            mix((std::uint64_t{id.object} << 32U | id.file) + mix(id.name + seed)));
    }
};
using FunctionIndex = std::unordered_map<FunctionIdentity, std::uint32_t, FunctionIdentityHash>;

inline FunctionIdentity identity_of(const FunctionData& function) {
    return {function.object.value, function.file.value, function.name};
}

/// For every function the row that it is the same as; most are themselves.
class SameFunctions {
  public:
    explicit SameFunctions(std::size_t functions) : same_as_(functions) {
        for (std::size_t i = 0; i < functions; ++i) same_as_[i] = static_cast<std::uint32_t>(i);
    }
    /// Links are never longer than the number of functions, and every look-up shortens them.
    std::uint32_t root(std::uint32_t row) {
        while (same_as_[row] != row) row = same_as_[row] = same_as_[same_as_[row]];
        return row;
    }
    void merge(std::uint32_t row, std::uint32_t into) {
        row = root(row);
        into = root(into);
        if (row == into) return;
        same_as_[row] = into;
        any_ = true;
    }
    [[nodiscard]] bool any() const { return any_; }

  private:
    std::vector<std::uint32_t> same_as_;
    bool any_ = false;
};

/// By function the one that it is inlined in, no_row for others; empty: none is inlined.
using Hosts = std::vector<std::uint32_t>;
[[nodiscard]] inline bool is_inlined(const Hosts& hosts, std::uint32_t row) {
    return !hosts.empty() && hosts[row] != no_row;
}

/// Those whose names are equal; inlined ones only in the same function.
void find_same_functions(ProfileData& data, const Hosts& hosts, SameFunctions& mergers);

/// Leaves merged functions and arcs out and numbers the others anew, in the same order, inlined ones last.
/// Returns the new numbers. Without `blocks_merge`, only functions without blocks are merged.
std::vector<std::uint32_t> unite_functions(ProfileData& data, const Hosts& hosts, SameFunctions& mergers,
                                           bool blocks_merge);

}  // namespace callcost
