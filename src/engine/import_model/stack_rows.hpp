/// Stacks that differ as the rows of two columns, as they are met: that of the caller, and a frame more.
#pragma once

#include <cstdint>
#include <vector>

#include "tables/row_tables.hpp"

namespace callcost::engine {

class StackRows {
  public:
    /// The columns, which have to stay: rows of callers, or no_row; numbers of frames.
    StackRows(std::vector<std::uint32_t>& callers, std::vector<std::uint32_t>& frames)
        : callers_(callers), frames_(frames) {}

    std::uint32_t row(std::uint32_t caller, std::uint32_t frame) {
        std::uint32_t& last = caller == no_row ? last_root_ : last_callees_[caller];
        if (last != no_row && frames_[last] == frame) return last;
        const std::uint32_t row = rows_.row(key_of(caller, frame));
        last = row;
        if (row == frames_.size()) {
            callers_.push_back(caller);
            frames_.push_back(frame);
            last_callees_.push_back(no_row);
        }
        return row;
    }

  private:
    std::vector<std::uint32_t>& callers_;
    std::vector<std::uint32_t>& frames_;
    KeyRows rows_;                             // (caller, frame)
    std::vector<std::uint32_t> last_callees_;  // by row; no_row: none yet
    std::uint32_t last_root_ = no_row;
};

}  // namespace callcost::engine
