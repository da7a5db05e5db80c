#include "callcost/callcost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace callcost::test {
namespace {

TEST(Version, is_three_numbers) {
    EXPECT_THAT(std::string(version()), testing::MatchesRegex("[0-9]+[.][0-9]+[.][0-9]+"));
}

}  // namespace
}  // namespace callcost::test
