/// A sink that compresses.
#pragma once

#include <cstdint>
#include <functional>

#include <callcost/source.hpp>

namespace callcost::program {

enum class GzipLevel : std::uint8_t { fast, usual };

/// Gives `write` a sink that compresses into this one, in the format of gzip without a time or a name.
/// Errors: those of `write`, and of `sink`.
[[nodiscard]] Result<void> gzip(const Sink& sink, const std::function<Result<void>(const Sink&)>& write,
                                GzipLevel level = GzipLevel::usual);

}  // namespace callcost::program
