/// @file error.hpp
/// How callcost reports failure: a value, never an exception and never a message on a stream. Every function
/// of the library that can fail returns a Result; the words are composed where a person reads them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

/// What a program may use. Everything else is hidden where the library is a shared one.
#if defined(__GNUC__)
#define CALLCOST_API __attribute__((visibility("default")))
#else
#define CALLCOST_API
#endif

namespace callcost {

/// What made an operation fail as a whole. Oddities that leave something readable are Diagnostics instead.
enum class ErrorCode : std::uint8_t {
    empty_file,             ///< 0 bytes, or only blanks and comments (F9)
    not_a_profile,          ///< the bytes are not in the Callgrind or Cachegrind format (F11)
    no_events,              ///< no `events:` line in the whole input (F14)
    cannot_open,            ///< the source could not be opened; `detail` is the system's reason
    read_failed,            ///< the source broke off; `detail` is the system's reason
    truncated_compression,  ///< a compressed stream is cut or damaged; what was decoded came before (F85)
    cancelled,              ///< the progress callback asked to stop
    too_large,              ///< more than 2^32 functions, arcs or function blocks
    needs_detail,           ///< the analysis needs a profile that was read with Detail::full
    bad_formula,            ///< a formula that cannot be parsed; `column` is the place (F69)
    formula_cycle,          ///< a derived event type that is defined by itself (F69)
    bad_argument,           ///< an option that makes no sense for this profile; `detail` says which
};

/// Its name, such as `not-a-profile`: stable, for logs and for programs; the command has sentences.
[[nodiscard]] CALLCOST_API std::string_view to_string(ErrorCode code);

/// Where and why. `line` and `column` count from 1, 0 means "no place"; `offset` counts bytes after
/// decompression.
struct Error {
    ErrorCode code = ErrorCode::read_failed;
    std::uint64_t line = 0;
    std::uint64_t column = 0;
    std::uint64_t offset = 0;
    std::string detail;  ///< a name, a path or the operating system's reason; may hold any bytes
};

/// The value or the Error.
template <class T>
using Result = tl::expected<T, Error>;

}  // namespace callcost
