/// What is around an import, in the command and in the page: which format it is before, what to say of it
/// after.
#pragma once

#include <cstdint>
#include <string>

#include "importers/importers.hpp"
#include "text/style.hpp"
#include <callcost/source.hpp>

namespace callcost::engine {

/// Reads enough of a source to detect its format, and puts it back: of text two lines at least, unless its
/// format is known before, or they are too long, or longer than 1 GiB.
[[nodiscard]] std::string peek(Source& source, std::uint64_t longest_line);

/// What a file is, and what it can tell: `Firefox profile, 8 processes, 898 samples; ...`.
[[nodiscard]] std::string summary_of(const ImportNotes& notes, const Style& style);

/// What could not be preserved: `3 values rounded, 1 unreadable line skipped`; may be empty.
[[nodiscard]] std::string oddities_of(const ImportNotes& notes, const Style& style);

}  // namespace callcost::engine
