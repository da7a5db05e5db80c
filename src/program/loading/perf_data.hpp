/// perf's own files, which only perf reads: their samples as `perf script` prints them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::program {

/// By its first bytes, in either byte order; what `perf record` writes to a pipe begins with them, too.
[[nodiscard]] bool is_perf_data(std::string_view first_bytes);

/// Runs `perf script`, which takes names, inlined functions and source lines from the programs that are
/// there. Nothing where no programs can be run at all. Errors: cannot_open, with what perf says: perf is not
/// there, or refuses the file, such as that of another user; too_large.
[[nodiscard]] std::optional<Result<Source>> perf_script_of(const std::string& file);

}  // namespace callcost::program
