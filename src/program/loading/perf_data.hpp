/// perf's own files, which only perf reads: their samples as `perf script` prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::program {

/// By its first bytes, in either byte order; what `perf record` writes to a pipe begins with them, too.
[[nodiscard]] bool is_perf_data(std::string_view first_bytes);

/// perf has to open the file itself, and does not unpack it: says how to.
[[nodiscard]] Error refusal_of_compressed_perf_data(const std::string& file);

/// Why perf cannot read a file, as far as its header and its size tell: it was cut, or perf was killed.
[[nodiscard]] std::optional<Error> damage_of_perf_data(std::string_view first_bytes, std::uint64_t file_size);

/// Runs `perf script`, which takes names, inlined functions and source lines from the programs that are
/// there. Nothing where no programs can be run at all. Errors: cannot_open: perf is not there, or the file is
/// damaged, or what perf says, such as of a file of another user; too_large.
[[nodiscard]] std::optional<Result<Source>> perf_script_of(const std::string& file,
                                                           std::string_view first_bytes);

}  // namespace callcost::program
