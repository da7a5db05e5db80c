/// What the scanner remembers from line to line, as far as it can be compared.
#pragma once

#include <bitset>

#include "callcost/profile.hpp"
#include "parser/header_block.hpp"

namespace callcost {

/// The state that reaches from line to line and is not a name. Two scanners that agree in it, one of them
/// just before a line that begins with `fn=`, read the rest alike.
struct ScanState {
    Dialect dialect = Dialect::generic;
    bool foreign_creator = true;  // neither callgrind- nor callcost- (F39)
    Columns columns;
    bool accepted = false;   // it is a profile (F11)
    bool body_seen = false;  // a line of the body has come in this source
    bool fl_seen = false;    // in this part (F49)
    bool has_function = false;
    bool unspecified = false;       // the function is that of an fl= without fn= (F50)
    bool may_lack_newline = false;  // yappi writes none at the end (F1)
    std::bitset<header_keys> seen;  // keys that the part has lines of or inherits (F10, F21)
    [[nodiscard]] bool has(HeaderKey key) const { return seen[static_cast<std::size_t>(key)]; }
    friend bool operator==(const ScanState&, const ScanState&) = default;
};

}  // namespace callcost
