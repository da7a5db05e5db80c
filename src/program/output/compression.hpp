/// Sinks that compress.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include <callcost/source.hpp>

namespace callcost::program {

enum class GzipLevel : std::uint8_t { fast, normal };

/// Gives `write` a sink that compresses into this one, in the format of gzip without a time or a name.
/// Errors: those of `write`, and of `sink`.
[[nodiscard]] Result<void> gzip(const Sink& sink, const std::function<Result<void>(const Sink&)>& write,
                                GzipLevel level = GzipLevel::normal);

/// The same by the suffix of a path: .gz, .zst; else `write` gets this one.
[[nodiscard]] Result<void> compress_as(std::string_view path, const Sink& sink,
                                       const std::function<Result<void>(const Sink&)>& write);

}  // namespace callcost::program
