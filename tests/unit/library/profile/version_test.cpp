#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "callcost/callcost.hpp"

namespace callcost::test {
namespace {

TEST(Version, is_three_numbers) {
    EXPECT_THAT(std::string(version()), testing::MatchesRegex("[0-9]+[.][0-9]+[.][0-9]+"));
}

}  // namespace
}  // namespace callcost::test
