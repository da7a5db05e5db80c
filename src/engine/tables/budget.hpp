/// How much may come of an input. A hostile one makes much of little: what is beyond is refused unless
/// somebody asks for it with --force.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <callcost/error.hpp>

namespace callcost::engine {

struct Budget {
    std::uint64_t bytes = 0;   ///< that any input may become
    std::uint64_t factor = 0;  ///< times its own size: what it may become beyond that

    [[nodiscard]] constexpr bool covers(std::uint64_t input, std::uint64_t became) const {
        return became <= bytes || became / factor <= input;
    }
    /// `what` expands, in the plural: "compressed data".
    [[nodiscard]] Error error(std::string what) const {
        return {.code = ErrorCode::too_large,
                .detail = std::move(what) + " expand more than " + std::to_string(factor) + "-fold beyond " +
                          std::to_string(bytes) + " bytes",
                .advice = "--force lifts this limit"};
    }
};

constexpr Budget no_budget{UINT64_MAX, 1};
/// Of what is decompressed. Profiles rarely expand 100-fold.
constexpr Budget decompression_budget{1'000'000'000, 1'000};
/// Of memory. For stacks that are imported it is a frame for every byte of the file, where programs write one
/// in two to twenty bytes.
constexpr Budget memory_budget{100'000'000, 64};
/// Of text that is written: a line of folded stacks is as long as the stack is deep.
constexpr Budget output_budget{1'000'000'000, 100};

/// How much may be written of what was read.
struct OutputLimit {
    Budget budget = no_budget;
    std::uint64_t read = 0;  ///< bytes, decompressed

    [[nodiscard]] constexpr bool covers(std::uint64_t written) const { return budget.covers(read, written); }
    [[nodiscard]] Error error() const { return budget.error("the files that are read"); }
};

}  // namespace callcost::engine
