/// What a file is that is no profile for any reader here, and what to do with it: for the words of its
/// refusal, which the command and the page share.
#pragma once

#include <cstddef>
#include <string_view>

#include <callcost/error.hpp>

namespace callcost::engine {

/// So many are looked at.
constexpr std::size_t bytes_that_name_a_file = std::size_t{16} * 1024;

/// Names the file in its error, by its first bytes after decompression, if the error is that it is not a
/// profile and does not say more yet. `file` is what the hint calls it, if it needs no quoting in a shell;
/// else "FILE".
void name_file_kind(Error& error, std::string_view first_bytes, std::string_view file);

}  // namespace callcost::engine
