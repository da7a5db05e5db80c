#include "callcost/error.hpp"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace callcost::test {
namespace {

TEST(ErrorCode, has_a_name_of_its_own) {
    std::set<std::string_view> names;
    for (auto code = ErrorCode::empty_file;; code = static_cast<ErrorCode>(static_cast<int>(code) + 1)) {
        EXPECT_NE(to_string(code), "");
        EXPECT_TRUE(names.insert(to_string(code)).second) << to_string(code);
        if (code == ErrorCode::bad_argument) break;
    }
    EXPECT_EQ(to_string(ErrorCode::not_a_profile), "not-a-profile");
}

}  // namespace
}  // namespace callcost::test
