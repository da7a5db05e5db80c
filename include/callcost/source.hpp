/// @file source.hpp
/// Where the bytes of a profile come from and go to. The library never opens a file: the caller passes a
/// Source, which is a block of memory or a function that yields bytes (a pipe, a decompressor, a download),
/// or a Sink, which takes bytes. For files: file.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "callcost/error.hpp"

namespace callcost {

/// Bytes of the longest line that is read unless other options say so; a longer one is skipped.
inline constexpr std::uint64_t default_longest_line = 16'000'000;

/// The bytes of one file, read once from front to back.
struct Source {
    /// Fills the front of the buffer and returns the number of bytes, 0 at the end. May return fewer bytes
    /// than fit, never more: that is a `read_failed`. An Error ends the input: what came before is kept and
    /// the error becomes a diagnostic. Called from one thread at a time, though not always from the same one.
    using Read = std::function<Result<std::size_t>(std::span<char>)>;

    std::string name;        ///< how diagnostics call it, usually the path
    Read read;               ///< the bytes
    std::uint64_t size = 0;  ///< bytes of the input as `consumed` counts them, for progress; 0 = not known
    /// Bytes of the input behind what `read` has yielded so far; empty: `read`'s own count. Set by
    /// decompressors.
    std::function<std::uint64_t()> consumed;
};

namespace detail {
[[nodiscard]] CALLCOST_API Source from_string(std::string bytes, std::string name);
}

/// A Source over memory, which must outlive it. `name` is for messages.
[[nodiscard]] CALLCOST_API Source from_memory(std::string_view bytes, std::string name = {});
/// A Source that owns its bytes: from_memory(std::move(text)), from_memory(text_of(something)).
template <class String>
requires std::same_as<String, std::string>
[[nodiscard]] Source from_memory(String&& bytes, const std::string& name = {}) {
    return detail::from_string(std::forward<String>(bytes), name);
}
/// Other temporaries that hold bytes would be gone before they are read.
template <class Owner>
requires(!std::is_lvalue_reference_v<Owner> && !std::same_as<Owner, std::string> &&
         !std::is_trivially_copyable_v<Owner> && std::convertible_to<Owner, std::string_view>) Source
    from_memory(Owner&& bytes, std::string name = {})
= delete;

/// Takes the bytes of a file in order, some tens of kilobytes at a time. An Error ends the writing.
using Sink = std::function<Result<void>(std::string_view)>;

/// A Sink that appends to `bytes`, which must outlive it.
[[nodiscard]] CALLCOST_API Sink to_memory(std::string& bytes);

/// Progress of reading. Bytes are those of the Source (compressed ones if it decompresses).
struct Progress {
    std::uint64_t bytes_done = 0;
    std::uint64_t bytes_total = 0;  ///< 0 = not known
    std::uint64_t cost_done = 0;    ///< sum of the first event type over the plain cost lines read so far
    std::uint64_t cost_total = 0;   ///< first numbers of the `summary:` lines so far, added up; 0 = none
};

/// Called after every chunk, or after every round of chunks where several threads read; false stops the work,
/// which then fails with ErrorCode::cancelled.
using OnProgress = std::function<bool(const Progress&)>;

/// Runs all the tasks, in any order and on any threads, and returns when the last one has ended. The tasks of
/// one call share nothing. An exception of a task must leave the call. The library starts no threads: without
/// such a function it uses the caller's thread only.
using RunAll = std::function<void(std::span<const std::function<void()>>)>;

}  // namespace callcost
