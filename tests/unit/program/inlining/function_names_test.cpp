#include "inlining/function_names.hpp"

#include <cstddef>
#include <string>
#include <string_view>

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

TEST(ReadableName, is_also_that_of_newer_names_of_rust) {
    EXPECT_EQ(readable_name("_RNvCs1234_7mycrate3foo"), "mycrate::foo");
    EXPECT_EQ(readable_name("_RNvMs7_NtCsgEmfK2I1SDS_4core3numy8div_ceil"), "<u64>::div_ceil");
    EXPECT_EQ(readable_name("_RINvNtCsgEmfK2I1SDS_4core3cmp3minjECs6GmmlP4bgsG_1r"),
              "core::cmp::min::<usize>");
    EXPECT_EQ(readable_name("_RNvXsW_NtNtCsgEmfK2I1SDS_4core3fmt3nummNtB7_5Debug3fmt"),
              "<u32 as core::fmt::Debug>::fmt");
    EXPECT_EQ(
        readable_name("_RNvYFEuINtNtNtCsgEmfK2I1SDS_4core3ops8function6FnOnceuE9call_onceCs6GmmlP4bgsG_1r"),
        "<fn() as core::ops::function::FnOnce<()>>::call_once");
    EXPECT_EQ(readable_name("_RNCNCNCNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal00s_0B9_"),
              "std::rt::lang_start_internal::{closure#0}::{closure#0}::{closure#1}");
    EXPECT_EQ(readable_name("_RINvC1a1fKj4_Kb1_Kan2_Kc41_RL_hQtAhj3_DNtC1a1TEL_FG_RL0_hEuE"),
              "a::f::<4, true, -2, 'A', &u8, &mut u16, [u8; 3], dyn a::T, for<'a> fn(&'a u8)>");
    for (const auto* const odd : {"_R", "_RN", "_RNvB_1a", "_RNvC1a99b", "_RIC1aB_E", "_RC1aC1bC1c"})
        EXPECT_EQ(readable_name(odd), odd);
    EXPECT_EQ(readable_name("_R" + std::string(100'000, 'M')).size(), 100'002U);
    // Each type has the one before twice.
    const auto reference = [](std::size_t place) {
        constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        std::string text = "_";
        for (std::size_t rest = place - 1; text.size() == 1 || rest > 0; rest /= 62)
            text.insert(0, 1, digits[rest % 62]);
        return 'B' + text;
    };
    std::string large = "INvC1a1fTuuE";
    std::size_t before = large.find('T');
    for (int i = 0; i < 40; ++i) {
        const auto place = large.size();
        large += 'T' + reference(before) + reference(before) + 'E';
        before = place;
        const auto name = readable_name("_R" + large + 'E');
        EXPECT_EQ(name.starts_with("a::f::<((), ()), "), i < 11) << i;
    }
}

}  // namespace
