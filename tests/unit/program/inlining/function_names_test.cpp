#include "inlining/function_names.hpp"

#include <gtest/gtest.h>

namespace {

using callcost::program::readable_name;

TEST(ReadableName, is_what_valgrind_writes) {
    EXPECT_EQ(readable_name("main"), "main");
    EXPECT_EQ(readable_name("_ZN4text3sumEj"), "text::sum(unsigned int)");
    EXPECT_EQ(readable_name("_ZN1a1b17h0123456789abcdefE"), "a::b");
    EXPECT_EQ(readable_name("_ZN1a1b17h0000000000000000E"), "a::b::h0000000000000000");
    EXPECT_EQ(
        readable_name("_ZN50_$LT$T$u20$as$u20$core..convert..Into$LT$U$GT$$GT$4into17h0123456789abcdefE"),
        "<T as core::convert::Into<U>>::into");
    EXPECT_EQ(
        readable_name(
            "_ZN4core3ops8function6FnOnce40call_once$u7b$$u7b$vtable.shim$u7d$$u7d$17h0123456789abcdefE"),
        "core::ops::function::FnOnce::call_once{{vtable.shim}}");
    EXPECT_EQ(readable_name("_ZN3a$X17h0123456789abcdefE"), "a$X");
    for (const auto* const odd :
         {"_ZN", "_ZN17h0123456789abcdef", "_ZN99999999999999999999a", "_ZN5abE", "_ZNE"})
        EXPECT_EQ(readable_name(odd), odd);
}

}  // namespace
