// Bytes that are written whole and then read once.
#include "input/byte_queue.hpp"

#include <gtest/gtest.h>

#include "unit/program/input/read_all.hpp"

namespace callcost::program {
namespace {

TEST(ByteQueue, yields_what_was_written_in_order) {
    ByteQueue queue;
    std::string expected;
    const auto sink = queue.sink();
    ASSERT_TRUE(sink("").has_value());
    ASSERT_TRUE(sink(std::string(2'000'000, '-')).has_value());
    expected.assign(2'000'000, '-');
    for (int i = 0; i < 3000; ++i) {  // blocks, and a piece that is larger than one
        const std::string piece(i == 1000 ? 3'000'000U : 1000U, static_cast<char>('a' + i % 26));
        ASSERT_TRUE(sink(piece).has_value());
        expected += piece;
    }
    const auto source = queue.source("imported");
    EXPECT_EQ(source.name, "imported");
    EXPECT_EQ(source.size, expected.size());
    EXPECT_TRUE(test::read_all(source, 70'001).text == expected);
}

TEST(ByteQueue, may_be_empty_and_gone) { EXPECT_EQ(test::read_all(ByteQueue().source("nothing")).text, ""); }

}  // namespace
}  // namespace callcost::program
