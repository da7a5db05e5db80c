/// The source lines of a function in two profiles, side by side: which line is which, and what each cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"
#include <callcost/diff.hpp>

namespace callcost::engine {

struct LinePair {
    enum class Kind : std::uint8_t {
        same,     ///< the same text or, where the texts are not known, matched by order and cost
        changed,  ///< another text at the same place
        removed,  ///< only before
        added,    ///< only after
        moved,    ///< the same text, elsewhere
        omitted,  ///< stands for `omitted` pairs without a change
    };
    Kind kind = Kind::same;
    std::uint64_t before = 0, after = 0;      ///< 0: there is none, or it is not known (F79)
    std::string text_before{}, text_after{};  ///< if they are known; cut
    Change self{};
    std::size_t omitted = 0;
};

struct ComparedFile {
    std::string_view name;         ///< after; before if it is only there
    std::string_view name_before;  ///< if it is called otherwise there; else empty
    bool is_by_text = false;       ///< both texts are known: pairs are in order of the texts
    Change self{};
    std::vector<LinePair> pairs{};
    std::size_t omitted_pairs = 0;  ///< beyond the limit
};

struct SideBySide {
    std::vector<ComparedFile> files{};  ///< the largest changes first
    std::string problem{}, hint{};      ///< why not all texts are known; messages
};

/// With texts from the host, unless a file is newer than its profile: it is not what was measured. `context`:
/// pairs without a change around those that have one. At most `limit` pairs in all. Error: needs_detail.
[[nodiscard]] Result<SideBySide> side_by_side(const Diff& diff, const FunctionMatch& function,
                                              const Host& host, std::size_t context, std::size_t limit);

}  // namespace callcost::engine
