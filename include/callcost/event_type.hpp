/// @file event_type.hpp
/// Event types: the raw cost columns of a profile, the derived ones its formulas define, and the built-in
/// ones every viewer of the format offers. Include it to let users choose a measure. It also defines costs
/// and typed row numbers: everything in a Profile is a row of a table, and a FileId cannot be passed as a
/// FunctionId.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "callcost/error.hpp"

namespace callcost {

class Profile;

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

/// What was spent, in the unit of its event type (EventType::unit). A 64-bit two's complement number of which
/// sums, differences and multiples wrap modulo 2^64 (F44, F82), where those of std::int64_t would be
/// undefined. It converts to and from std::int64_t implicitly, so it prints, compares and divides like one;
/// convert to Cost before adding where sums have to wrap.
class Cost {
  public:
    constexpr Cost() = default;  ///< 0
    /// Explicit from std::uint64_t: values above INT64_MAX become negative.
    template <std::integral Number>
    constexpr explicit(std::is_unsigned_v<Number> && sizeof(Number) == sizeof(std::uint64_t))
        Cost(Number number)  // NOLINT(google-explicit-constructor)
        : value_(static_cast<std::int64_t>(number)) {}
    constexpr operator std::int64_t() const { return value_; }  // NOLINT(google-explicit-constructor)

    /// The absolute value, also of INT64_MIN.
    [[nodiscard]] constexpr std::uint64_t magnitude() const { return value_ < 0 ? 0 - bits() : bits(); }

    constexpr Cost& operator+=(Cost other) { return *this = Cost(bits() + other.bits()); }
    constexpr Cost& operator-=(Cost other) { return *this = Cost(bits() - other.bits()); }
    friend constexpr Cost operator-(Cost cost) { return Cost(0 - cost.bits()); }

    friend constexpr Cost operator+(Cost a, Cost b) { return a += b; }
    friend constexpr Cost operator+(Cost a, std::integral auto b) { return a += Cost(b); }
    friend constexpr Cost operator+(std::integral auto a, Cost b) { return b += Cost(a); }
    friend constexpr Cost operator-(Cost a, Cost b) { return a -= b; }
    friend constexpr Cost operator-(Cost a, std::integral auto b) { return a -= Cost(b); }
    friend constexpr Cost operator-(std::integral auto a, Cost b) { return Cost(a) -= b; }
    friend constexpr Cost operator*(Cost a, std::integral auto factor) {
        return Cost(a.bits() * Cost(factor).bits());
    }
    friend constexpr Cost operator*(std::integral auto factor, Cost a) { return a * factor; }
    friend constexpr Cost operator*(Cost, Cost) = delete;  ///< is no cost

  private:
    [[nodiscard]] constexpr std::uint64_t bits() const { return static_cast<std::uint64_t>(value_); }

    std::int64_t value_ = 0;
};

/// How values of one column combine (F78). Only `sum` columns have inclusive costs, totals and percentages.
enum class Aggregation : std::uint8_t { sum, ratio, minimum, maximum, snapshot, inclusive_as_self };

/// A raw cost column: one name of an `events:` line.
struct EventType {
    std::string name{};
    std::string long_name{};  ///< from `event:` or the built-in table; empty if unknown
    std::string unit{};       ///< "ns", "bytes", ...; empty: a plain count (F68)
    Aggregation aggregation = Aggregation::sum;
};

/// `event: NAME = FORMULA` as written in the file (F69), not checked yet.
struct EventFormula {
    std::string name;
    std::string formula;
    std::string long_name;
    Place place;
};

/// A raw event type, or a sum of raw ones with integer factors. Its value is the sum of factor times raw
/// cost, modulo 2^64.
struct Measure {
    std::string name;
    std::string long_name;
    std::string unit;
    std::string formula;   ///< empty for a raw event type
    bool additive = true;  ///< false: no totals, no percentages, no inclusive cost (F78)
    std::vector<std::pair<EventId, std::int64_t>> terms;
};

/// A parameter: one measure or several, of which the first sorts. A view: it must not outlive them.
class MeasureSpan : public std::span<const Measure> {
  public:
    using std::span<const Measure>::span;  // NOLINT(modernize-use-equals-default): no constructor of its own
    constexpr MeasureSpan() = default;
    MeasureSpan(const Measure& one) : span(&one, 1) {}                // NOLINT(google-explicit-constructor)
    MeasureSpan(std::span<const Measure> several) : span(several) {}  // NOLINT(google-explicit-constructor)
};

/// The measures of a profile. Parses its formulas once; copies are cheap.
class CALLCOST_API Measures {
  public:
    explicit Measures(const Profile& profile);

    /// The raw event types in column order, then the formulas of the file, then the built-in ones of F69 of
    /// which at least one input exists, but for those that repeat an event type (`CEst = Ir`). A raw column
    /// hides a derived type of the same name. Formulas that cannot be used are left out; diagnostics() says
    /// why.
    [[nodiscard]] std::vector<Measure> all() const;

    /// The measure with this name or alias (`I2mr` = `ILmr`, F68), or the meaning of a formula over such
    /// names (`Ir + 10 Bcm`). Errors: bad_formula (column counts from 1 in `text`), formula_cycle,
    /// unknown_event (its name in `detail`, the available ones in the hint).
    [[nodiscard]] Result<Measure> find(std::string_view text) const;

    /// `bad-formula`, `formula-cycle` and `unknown-event-in-formula` of the formulas of the file, with their
    /// places.
    [[nodiscard]] std::vector<Diagnostic> diagnostics() const;

  private:
    struct Known;
    std::shared_ptr<const Known> known_;
};

/// The same for a single question.
[[nodiscard]] CALLCOST_API std::vector<Measure> measures(const Profile& profile);
[[nodiscard]] CALLCOST_API Result<Measure> find_measure(const Profile& profile, std::string_view text);
[[nodiscard]] CALLCOST_API std::vector<Diagnostic> formula_diagnostics(const Profile& profile);

/// The measure to use by default: the first additive raw event type with a non-zero total, else the first
/// additive one, else the first one; without terms (everything is 0) if there is none.
[[nodiscard]] CALLCOST_API Measure default_measure(const Profile& profile);

}  // namespace callcost

template <class Tag>
struct std::hash<callcost::Id<Tag>> {
    std::size_t operator()(callcost::Id<Tag> id) const noexcept {
        return std::hash<std::uint32_t>{}(id.value);
    }
};
