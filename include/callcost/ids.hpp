/// @file ids.hpp
/// Typed row numbers. Everything in a Profile is a row of a table; a FileId can never be passed where a
/// FunctionId is meant. Include it when you keep such numbers in structures of your own.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace callcost {

/// A row number in the table that `Tag` names; default-constructed ids are "none".
template <class Tag>
struct Id {
    static constexpr std::uint32_t none = 0xffffffffU;

    std::uint32_t value = none;

    constexpr Id() = default;
    constexpr explicit Id(std::size_t row) : value(static_cast<std::uint32_t>(row)) {}

    [[nodiscard]] constexpr bool valid() const { return value != none; }
    friend constexpr auto operator<=>(const Id&, const Id&) = default;  // NOLINT(modernize-use-nullptr)
};

using EventId = Id<struct EventTag>;        ///< a cost column of the profile
using ObjectId = Id<struct ObjectTag>;      ///< an ELF object or library; row 0 is the unknown one
using FileId = Id<struct FileTag>;          ///< a source file; row 0 is the unknown one
using FunctionId = Id<struct FunctionTag>;  ///< (object, file, name), F71
using NodeId = Id<struct NodeTag>;          ///< a function in a CallGraph, which has numbers of its own
using ArcId = Id<struct ArcTag>;            ///< caller -> callee, aggregated, F74
using PartId = Id<struct PartTag>;          ///< a section of a file with header lines of its own, F81
using CycleId = Id<struct CycleTag>;        ///< a strongly connected component of two or more functions, F76

}  // namespace callcost

template <class Tag>
struct std::hash<callcost::Id<Tag>> {
    std::size_t operator()(callcost::Id<Tag> id) const noexcept {
        return std::hash<std::uint32_t>{}(id.value);
    }
};
