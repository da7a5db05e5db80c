/// Names of code that a runtime compiled while it ran, from the map that it wrote for perf: lines of
/// `START SIZE NAME`, numbers in hexadecimal digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callcost::program {

/// Longer names are not taken from maps and symbol tables: a profile may use one any number of times.
constexpr std::size_t max_new_name = 4096;

class PerfMap {
  public:
    PerfMap() = default;
    /// Lines that are none of these are left out.
    explicit PerfMap(std::string_view text);

    struct Named {
        std::string_view name;      ///< empty: not known
        bool is_ambiguous = false;  ///< the map has several names for it
    };
    [[nodiscard]] Named at(std::uint64_t address) const;
    [[nodiscard]] bool empty() const { return runs_.empty(); }

  private:
    /// From an address to that of the next run.
    struct Run {
        std::uint64_t address = 0;
        std::uint32_t name = none;  // row of names_
    };
    static constexpr std::uint32_t none = UINT32_MAX, several = UINT32_MAX - 1;

    std::vector<std::string> names_;
    std::vector<Run> runs_;
};

/// The address that is the name of a function without one: `0x` and hexadecimal digits.
[[nodiscard]] std::optional<std::uint64_t> address_as_name(std::string_view name);

/// The function's own name, without its callers.
[[nodiscard]] inline std::string_view own_piece(std::string_view name) {
    return name.substr(0, name.find('\''));
}

/// What stands for a piece of a name; empty: the piece itself.
using Replacement = std::function<std::string_view(std::string_view piece, bool is_caller)>;

/// A name of a profile with the pieces between ' replaced that are to be: the function's, then its callers'.
/// Empty if it is too long.
[[nodiscard]] std::string with_pieces(std::string_view name, const Replacement& replacement,
                                      std::size_t max_size = std::string::npos);

/// New names of a profile: not much longer together than the old ones, which have any number of pieces.
class RoomForNames {
  public:
    /// `bytes` is the size of all names that the profile has, each counted once.
    explicit RoomForNames(std::size_t bytes) : left_((64U << 20U) + 16 * bytes) {}

    /// with_pieces(); empty: the name stays as it is.
    [[nodiscard]] std::string named(std::string_view name, const Replacement& replacement);
    /// Whether a name stayed because there was no room.
    [[nodiscard]] bool is_full() const { return is_full_; }

  private:
    std::size_t left_;
    bool is_full_ = false;
};

/// Functions that had no name, outside of programs and libraries.
struct NamedByMap {
    std::size_t all = 0, named = 0, ambiguous = 0;
    void add(const PerfMap::Named& found) {
        ++all;
        named += found.name.empty() ? 0U : 1U;
        ambiguous += found.is_ambiguous ? 1U : 0U;
    }
};
/// Which pieces of names a map names: code that is in no object. Callers have no object, so they are named
/// unless an object has a function that is called so.
class NamesByMap {
  public:
    NamesByMap(const PerfMap& map, std::set<std::string, std::less<>> object_names)
        : map_(map), object_names_(std::move(object_names)) {}

    /// Empty: it has none. `has_object` is about the function, whose callers these may be.
    [[nodiscard]] std::string_view name_of(std::string_view piece, bool is_caller, bool has_object);
    [[nodiscard]] const NamedByMap& counts() const { return counts_; }

  private:
    const PerfMap& map_;
    std::set<std::string, std::less<>> object_names_, counted_;
    NamedByMap counts_;
};
/// What is said about them; `where` is the map.
[[nodiscard]] std::string message(const NamedByMap& counts, std::string_view where);

/// The text of a map. Nothing if it is no regular file, or too large.
[[nodiscard]] std::optional<std::string> read_perf_map(const std::string& path);

/// A map that a process left.
struct MapOfRun {
    std::string text{};
    std::uint64_t device = 0, number = 0;  ///< which file it was
};
/// Of one in a directory that anyone may write to: nothing, too, if it is a link, not this user's, or older
/// than `begin` (the clock's seconds), so that of another process.
[[nodiscard]] std::optional<MapOfRun> read_perf_map_of_run(const std::string& path, std::int64_t begin);
/// Removes it if it is still the file that was read.
void remove_perf_map_of_run(const std::string& path, const MapOfRun& map);

}  // namespace callcost::program
