/// What the tests about lines share.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include <callcost/lines.hpp>

namespace callcost::test {

template <class T>
T value_of(Result<T> result) {
    EXPECT_TRUE(result.has_value());
    return std::move(result).value_or(T{});
}

inline FileLines lines_of(const CallGraph& graph, std::string_view file,
                          const std::vector<Measure>& measures) {
    const FileId id = file_called(graph.profile(), file);
    auto files = value_of(file_lines(graph, std::vector{id}, measures));
    EXPECT_EQ(files.size(), 1U);
    return files.at(0);
}

// f is in a.c, with code inlined from b.h; g is in b.h.
inline constexpr const char* two_files =
    "positions: instr line\nevents: Ir Dr\n"
    "fl=a.c\nfn=f\n0x10 1 10 1\n0x14 1 5\nfi=b.h\n0x18 7 20 2\nfe=a.c\n0x1c 3 1\n"
    "cfi=b.h\ncfn=g\ncalls=2 0x40 6\n0x20 3 40 4\ncfi=b.h\ncfn=g\ncalls=1 0x40 6\n0x24 3 20 2\n"
    "jcnd=3/4 0x10 1\n0x28 3\njump=5 0x10 1\n0x2c 3\n0x30 0 9\n"
    "fl=b.h\nfn=g\n0x40 6 50 5\n0x44 7 10 1\n";

}  // namespace callcost::test
