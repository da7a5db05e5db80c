/// Text in UTF-16 with a byte order mark, as some shells of Windows write it, for importers that read UTF-8.
#pragma once

#include <string>
#include <string_view>

#include <callcost/source.hpp>

namespace callcost::engine {

/// The text as UTF-8 without byte order mark, if it begins with one; else as it is.
[[nodiscard]] Source as_utf8(const Source& source);
/// The same of the first bytes of a text: without a character that is cut at their end.
[[nodiscard]] std::string beginning_as_utf8(std::string_view first_bytes);

}  // namespace callcost::engine
