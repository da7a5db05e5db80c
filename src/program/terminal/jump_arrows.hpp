/// Jumps as arrows to the left of a listing, nested as far as that goes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "text/style.hpp"

namespace callcost::program {

/// A jump from one row of a listing to another.
struct Arrow {
    std::size_t from = 0, to = 0;
    bool conditional = false;  ///< drawn with a broken line
};

/// Arrows to one row share their line, and so do those from one row. Short ones are next to the rows, those
/// around them further away. An arrow from a row to itself is not drawn, nor are the longest ones if there
/// are too many side by side.
class JumpArrows {
  public:
    JumpArrows() = default;
    explicit JumpArrows(std::span<const Arrow> arrows);

    /// Columns that they take; 0 if there are none.
    [[nodiscard]] std::size_t width() const;
    [[nodiscard]] std::size_t omitted() const { return omitted_; }

    /// What stands before a row, `width()` columns.
    [[nodiscard]] std::string at(std::size_t row, const engine::Style& style) const;
    /// The same for a line between a row and the next.
    [[nodiscard]] std::string below(std::size_t row, const engine::Style& style) const;

  private:
    /// Arrows that share their line. Those of a lane have no row in common.
    struct Trunk {
        struct End {
            std::size_t row = 0;
            bool is_target = false;
            bool operator<(const End& b) const { return row < b.row; }
        };
        std::vector<End> ends;  // by row, each once
        bool conditional = false;

        [[nodiscard]] std::size_t top() const { return ends.front().row; }
        [[nodiscard]] std::size_t bottom() const { return ends.back().row; }
        [[nodiscard]] const End* end_at(std::size_t row) const;
    };

    [[nodiscard]] static std::vector<Trunk> trunks_of(std::span<const Arrow> arrows);
    [[nodiscard]] const Trunk* find(std::size_t lane, std::size_t row) const;

    std::vector<std::vector<Trunk>> lanes_;  // the first is the innermost; by row
    std::size_t omitted_ = 0;
};

}  // namespace callcost::program
