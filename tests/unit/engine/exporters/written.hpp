/// What the exporters write, as text.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <callcost/source.hpp>

namespace callcost::test {

/// What `write(sink)` passes to its sink; it must succeed, in blocks of some size.
template <class Write>
std::string written_by(Write write) {
    std::string text;
    const Sink sink = [&](std::string_view block) -> Result<void> {
        EXPECT_FALSE(block.empty());
        text += block;
        return {};
    };
    const Result<void> result = write(sink);
    EXPECT_TRUE(result.has_value()) << result.error().detail;
    return text;
}

/// A sink that fails after so many blocks, and must not be called again.
inline Sink failing_sink(int blocks) {
    return [blocks, has_failed = false](std::string_view) mutable -> Result<void> {
        EXPECT_FALSE(has_failed) << "a sink was called after it had failed";
        if (blocks-- > 0) return {};
        has_failed = true;
        return tl::unexpected(Error{.code = ErrorCode::read_failed, .detail = "disk full"});
    };
}

/// main calls f twice, and g, which calls f; f calls itself.
constexpr std::string_view small_profile =
    "cmd: ./small\npositions: instr line\nevents: Ir Dr\nob=a.out\nfl=a.c\nfn=main\n0x10 1 5 1\n0x10 1 "
    "1\n0x20 2 7\n"
    "cfn=f\ncalls=2 0x100 10\n0x30 3 40 4\ncob=lib.so\ncfi=g.c\ncfn=g\ncalls=1 0x200 20\n0x40 4 60 6\n"
    "jcnd=3/9 0x10 1\n0x40 4\n\n"
    "fn=f\n0x100 10 50 5\ncfn=f\ncalls=3 0x100 10\n0x110 11 30 3\n\n"
    "ob=lib.so\nfl=g.c\nfn=g\n0x200 20 30 3\nfi=g.h\n0x210 7 20\nfe=g.c\ncob=a.out\ncfi=a.c\ncfn=f\ncalls=1 "
    "0x100 10\n"
    "0x220 22 10 1\n";

}  // namespace callcost::test
