/// Makes one Profile of others: names are mapped, equal records added up, and everything is put in order, so
/// that equal meanings become equal profiles (W16).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "callcost/profile.hpp"
#include "merge/united_events.hpp"

namespace callcost {

/// A function by what identifies it (F71).
struct FunctionKey {
    std::string object, file, name;
};

/// A cost line or a call that the profile does not have.
struct AddedRecord {
    FunctionId function;
    FunctionId callee{};  ///< none: self cost
    FileId file{};        ///< of the line; none: that of the function
    std::uint64_t address = 0, line = 0;
    std::uint64_t count = 0;        ///< of calls; 0: unknown
    std::span<const Cost> costs{};  ///< by the events of the first part
};

/// A profile, and what becomes of it. Empty functions change nothing.
struct RebuildInput {
    const Profile* profile = nullptr;
    std::vector<bool> parts{};  ///< those that count, by PartId; empty: all
    std::function<FunctionKey(FunctionId)> function{};
    std::function<std::string(FileId)> file{};    ///< of a line
    std::function<bool(FunctionId)> where{};      ///< only their records
    bool lines = true;                            ///< false: records lose their places, and jumps go
    bool addresses = true;                        ///< false: what differs in them only is added up
    std::uint64_t* addresses_left_out = nullptr;  ///< counts the records that had one then
    /// Records of this function lose their places, and its calls of functions that become the same are left
    /// out.
    std::function<bool(FunctionId)> without_places{};
    std::function<bool(FunctionId, const Record&)> leave_out{};  ///< single records
    std::span<const AddedRecord> added{};                        ///< by function
    std::string description{};                                   ///< a further `desc:` line
};

/// A choice of parts as RebuildInput wants it.
[[nodiscard]] std::vector<bool> choice_of(std::span<const PartId> parts, const Profile& profile);

/// The sum of the inputs: one part. Columns that do not add up (F78) keep their minimum or maximum. Errors:
/// needs_detail; too_large as unite_events.
[[nodiscard]] Result<Profile> rebuild(std::span<const RebuildInput> inputs,
                                      OddColumns odd_columns = OddColumns::keep);

}  // namespace callcost
