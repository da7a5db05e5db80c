/// Which row of a list is which row of another version of it: a text diff of rows that are known by their
/// keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace callcost {

/// Rows before and rows after, ascending or not as the function says that yields or takes them.
using RowPairs = std::vector<std::pair<std::size_t, std::size_t>>;

class Alignment {
  public:
    using Keys = std::vector<std::uint32_t>;
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    /// What is tried first: as many rows as can be, where they are few; or those that are the only ones of
    /// their kind on both sides, which are surer landmarks in a text.
    enum class First : std::uint8_t { most, unique };

    Alignment(std::size_t before, std::size_t after) : size_before_(before), found_(after, none) {}

    /// Matches rows of equal keys, all in the same order, between those that are matched already. Keys are
    /// below `kinds`. Takes about linear time: where there is too much to compare, rows are left.
    void match(const Keys& before, const Keys& after, std::size_t kinds, First first);

    /// Rows that were inserted or removed in front of one like their first might as well be a row further
    /// down:
    /// "} f() {" is "f() { }". Moves all as far down as can be, which is right for most languages, as blocks
    /// end alike.
    void slide_down(const Keys& before, const Keys& after);

    /// By row after: the row before, or none; ascending.
    [[nodiscard]] const std::vector<std::size_t>& found() const { return found_; }

  private:
    std::size_t size_before_;
    std::vector<std::size_t> found_;
};

}  // namespace callcost
