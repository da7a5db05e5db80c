/// The records of a function block as bytes. A plain cost line of a real profile takes one to three of them;
/// the whole is a fifth of the text. Written by RecordPacker, read by RecordCursor (callcost/profile.hpp).
///
/// A record begins with an operation byte:
///   1aaaallc  plain cost line. aaaa: address difference 0-14, 15 = zigzag varint follows. ll: line
///   difference
///             0, 1, 2 or (3) zigzag varint follows. c: the costs are those of the plain line before, else
///             they follow
///   0ffffooo  ooo: another operation (PackedOp), ffff: its flags (packed_flag)
/// Differences are to the record before, whatever its kind; a block begins at address 0, line 0.
/// Costs: one column: zigzag varint. Up to 64: varint bit set of those that are not 0, then these. More:
/// their number, then all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/varint.hpp"
#include "callcost/event_type.hpp"

namespace callcost {

enum class PackedOp : unsigned char {
    end = 0,
    call = 1,       // [place] arc:u32 count [target] costs
    jump = 2,       // [place] executed [followed] [target] [target file:u32, JumpTarget row or no_row:u32]
    file = 3,       // file:u32
    minus_one = 4,  // the next record's line was written as -1 (F39)
};

namespace packed_flag {
constexpr unsigned place = 1;             // address and line differences
constexpr unsigned target = 2;            // address and line differences to the record's own place
constexpr unsigned conditional = 4;       // jump
constexpr unsigned target_minus_one = 4;  // call: the target's line was written as -1 (F39)
constexpr unsigned elsewhere = 8;         // jump: into another file or function
}  // namespace packed_flag

/// A place in the program as one pair.
struct PackedPlace {
    std::uint64_t address = 0;
    std::uint64_t line = 0;
};

/// Appends records to a buffer that it reuses. File, arc and jump target numbers are written as given, in
/// four bytes at an offset that is returned, so that they can be filled in later.
class RecordPacker {
  public:
    void clear() { at_ = buffer_.get(); }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(at_ - buffer_.get()); }
    [[nodiscard]] unsigned char* data() { return buffer_.get(); }

    /// Starts a block of a part with this many cost columns; returns its offset.
    std::uint32_t begin_block(std::size_t columns) {
        columns_ = columns;
        address_ = line_ = 0;
        last_costs_ = 0;
        last_size_ = 0;
        return size();
    }
    void end_block() {
        reserve(1);
        *at_++ = op(PackedOp::end, 0);
    }

    void cost(PackedPlace place, std::span<const Cost> costs) {
        if (columns_ == 1) return cost(place, costs.empty() ? Cost() : costs[0]);
        reserve(32 + costs.size() * 10);
        const bool same = same_row(costs);
        put_step(place, same);
        if (!same) put_row(costs);
    }
    /// The same for a block of one column.
    void cost(PackedPlace place, Cost cost) {
        reserve(42);
        const bool same = cost == last_costs_;
        last_costs_ = cost;
        put_step(place, same);
        if (!same) at_ = put_varint(at_, zigzag(cost));
    }

    std::uint32_t file(std::uint32_t number) {
        reserve(8);
        *at_++ = op(PackedOp::file, 0);
        return put_number(number);
    }

    void minus_one() {
        reserve(1);
        *at_++ = op(PackedOp::minus_one, 0);
    }

    /// `place` and `target` may be null. Returns the offset of the arc number.
    std::uint32_t call(const PackedPlace* place, std::uint32_t arc, std::uint64_t count,
                       const PackedPlace* target, bool target_minus_one, std::span<const Cost> costs) {
        reserve(80 + costs.size() * 10);
        *at_++ = op(PackedOp::call,
                    flags(place, target) | (target_minus_one ? packed_flag::target_minus_one : 0U));
        put_place(place);
        const std::uint32_t offset = put_number(arc);
        at_ = put_varint(at_, count);
        put_target(target);
        put_costs(costs);
        return offset;
    }

    struct Jump {
        bool conditional = false;
        std::uint64_t executed = 0;
        std::uint64_t followed = 0;
        bool elsewhere = false;  // then target_file and target_function are written
        std::uint32_t target_file = 0;
        std::uint32_t target_function = 0;
    };
    /// Returns the offset of the target file's number, if there is one; the target function's follows it.
    std::uint32_t jump(const PackedPlace* place, const Jump& jump, const PackedPlace* target) {
        reserve(80);
        *at_++ =
            op(PackedOp::jump, flags(place, target) | (jump.conditional ? packed_flag::conditional : 0U) |
                                   (jump.elsewhere ? packed_flag::elsewhere : 0U));
        put_place(place);
        at_ = put_varint(at_, jump.executed);
        if (jump.conditional) at_ = put_varint(at_, jump.followed);
        put_target(target);
        std::uint32_t offset = 0;
        if (jump.elsewhere) {
            offset = put_number(jump.target_file);
            put_number(jump.target_function);
        }
        return offset;
    }

  private:
    static unsigned char op(PackedOp code, unsigned flags) {
        return static_cast<unsigned char>(static_cast<unsigned>(code) | flags << 3U);
    }
    static unsigned flags(const PackedPlace* place, const PackedPlace* target) {
        return (place != nullptr ? packed_flag::place : 0U) | (target != nullptr ? packed_flag::target : 0U);
    }

    void reserve(std::size_t bytes) {
        if (static_cast<std::size_t>(limit_ - at_) < bytes) grow(bytes);
    }
    void grow(std::size_t bytes);

    /// The operation byte of a plain cost line, and the differences that do not fit in it.
    void put_step(PackedPlace place, bool same) {
        const std::uint64_t address_step = place.address - address_;
        const std::uint64_t line_step = place.line - line_;
        address_ = place.address;
        line_ = place.line;
        const bool small_address = address_step < 15;
        const bool small_line = line_step < 3;
        *at_++ = static_cast<unsigned char>(0x80U | (small_address ? address_step << 3U : 15U << 3U) |
                                            (small_line ? line_step << 1U : 3U << 1U) | (same ? 1U : 0U));
        if (!small_address) at_ = put_varint(at_, zigzag(static_cast<std::int64_t>(address_step)));
        if (!small_line) at_ = put_varint(at_, zigzag(static_cast<std::int64_t>(line_step)));
    }
    bool same_row(std::span<const Cost> costs);

    void put_costs(std::span<const Cost> costs) {
        if (columns_ == 1) {
            at_ = put_varint(at_, zigzag(costs.empty() ? Cost() : costs[0]));
        } else {
            put_row(costs);
        }
    }
    void put_row(std::span<const Cost> costs);

    std::uint32_t put_number(std::uint32_t number) {
        const std::uint32_t offset = size();
        at_ = put_u32(at_, number);
        return offset;
    }
    void put_place(const PackedPlace* place) {
        if (place == nullptr) return;
        at_ = put_varint(at_, zigzag(static_cast<std::int64_t>(place->address - address_)));
        at_ = put_varint(at_, zigzag(static_cast<std::int64_t>(place->line - line_)));
        address_ = place->address;
        line_ = place->line;
    }
    void put_target(const PackedPlace* target) {
        if (target == nullptr) return;
        at_ = put_varint(at_, zigzag(static_cast<std::int64_t>(target->address - address_)));
        at_ = put_varint(at_, zigzag(static_cast<std::int64_t>(target->line - line_)));
    }

    std::unique_ptr<unsigned char[]> buffer_;
    unsigned char* at_ = nullptr;
    unsigned char* limit_ = nullptr;
    std::size_t columns_ = 1;
    std::uint64_t address_ = 0, line_ = 0;
    Cost last_costs_ = 0;         // one column
    std::vector<Cost> last_row_;  // more columns
    std::size_t last_size_ = 0;   // of last_row_ that counts
};

}  // namespace callcost
