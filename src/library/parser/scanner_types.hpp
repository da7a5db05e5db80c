/// What the scanner hands to its sink.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/words.hpp"
#include "callcost/event_type.hpp"
#include "profile/packed_records.hpp"

namespace callcost {

enum class NameKind : std::uint8_t { object, file, function };

/// An id as most uses spell it, "7)" and a LF for "(7)", in one word, so that it is compared without being
/// read. Its last byte is 0 or the LF.
struct IdText {
    std::uint64_t word = 0;  // 0: of more than six digits; those are looked up each time

    [[nodiscard]] static IdText of(std::uint64_t id) {
        if (id > 999'999) return {};
        std::uint64_t word = std::uint64_t{')'} | std::uint64_t{'\n'} << 8U;
        do {
            word = word << 8U | (std::uint64_t{'0'} + id % 10);
        } while ((id /= 10) != 0);
        return {word};
    }
    /// The same of an id that is written at `text` with so many digits.
    [[nodiscard]] static IdText of(std::uint64_t id, const char* text, std::ptrdiff_t digits) {
        if (digits > 6 || *text == '0') return of(id);
        const auto size = static_cast<unsigned>(8 * digits);
        const std::uint64_t end = std::uint64_t{')'} | std::uint64_t{'\n'} << 8U;
        return {(word_at(text) & ((std::uint64_t{1} << size) - 1)) | end << size};
    }
};

/// A name as a line gives it: `(7) foo` defines, `(7)` uses, anything else is the name itself (F29-F34).
struct NameRef {
    std::string_view text;  // the name; empty when an id is only used
    const char* place =
        nullptr;  // where the value begins in the chunk's text; null for names the scanner makes up
    std::uint64_t id = 0;
    IdText id_text;          // of the id, if it has one
    std::uint32_t line = 0;  // in the chunk
    NameKind kind = NameKind::object;
    bool has_id = false;
    bool nested = false;  // the text is made of other functions' ids (F36)
};

/// A name as the sink numbers it: the meaning is the sink's, but for these two.
using NameSlot = std::uint32_t;
constexpr NameSlot unknown_slot = 0;
constexpr NameSlot unset_slot = UINT32_MAX;

/// The names in force between two lines.
enum class Current : std::uint8_t {
    object,         // ob=
    fl,             // fl=
    file,           // of the next record
    basefile,       // F51
    called_object,  // cob=
    called_file,    // cfi=
    called_function,
    jump_file,  // jfi=
    jump_function,
    function_object,  // of the function in force, as they were at its fn=
    function_file,
    function,
    inlined,       // cfni=
    inlined_file,  // of the record after it
    number_of_names
};
constexpr auto current_count = static_cast<std::size_t>(Current::number_of_names);
using CurrentNames = std::array<NameSlot, current_count>;

/// Where a line begins in the chunk.
struct LineStart {
    std::uint32_t line = 0;  // from 1; 0: no line
    std::uint32_t offset = 0;
};

struct ScannedCost {
    PackedPlace place;
    NameSlot file = unknown_slot;
    std::span<const Cost> costs;
    bool minus_one = false;                  // the line was written as -1 (F39)
    std::span<const std::uint64_t> columns;  // all position columns, if there are others than instr and line
};

/// The target of a `calls=` or jump line.
struct ScannedTarget {
    PackedPlace place;
    std::size_t columns = 0;        // that were written
    const char* surplus = nullptr;  // the first number that belongs to no column
    bool minus_one = false;         // the line was written as -1 (F39)
};

struct ScannedCall : ScannedCost {
    bool has_place = false;
    bool has_target = false;
    bool target_minus_one = false;  // the target's line was written as -1 (F39)
    bool counted = true;      // false: a cost line after a cfn= without calls= (F56), which is no call record
    std::uint64_t count = 0;  // 0 = unknown (F57)
    PackedPlace target;
    NameSlot called_object = unknown_slot;
    NameSlot called_file = unknown_slot;
    NameSlot called_function = unknown_slot;
};

struct ScannedJump : ScannedCost {
    bool has_place = false;
    bool has_target = false;
    bool conditional = false;
    std::uint64_t executed = 0;
    std::uint64_t followed = 0;
    PackedPlace target;
    NameSlot target_file = unknown_slot;
    NameSlot target_function = unset_slot;  // unset: the function in force
};

/// The cost that plain lines had last, with its text and LF, if they fit in a word: mostly the next one's,
/// too.
struct CostText {
    std::uint64_t text = 1, mask = 0;  // equal to none
    std::size_t size = 0;
    Cost cost = 0;
};

/// Whether lines written as -1 are differences or mean "no line" is known at the end of a file only (F39).
struct MinusOneLines {
    std::uint64_t minus_one = 0;  // records with line token "-1" of a creator that may mean "none"
    bool other_relative = false;  // any other relative line token
    void add(const MinusOneLines& more) {
        minus_one += more.minus_one;
        other_relative = other_relative || more.other_relative;
    }
    [[nodiscard]] bool mean_no_line() const { return minus_one != 0 && !other_relative; }
};

}  // namespace callcost
