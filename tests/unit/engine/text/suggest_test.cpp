#include "text/suggest.hpp"

#include <gtest/gtest.h>

namespace callcost::engine {
namespace {

std::optional<std::string> nearest_event(std::string_view word) {
    const std::vector<std::string_view> events = {"Ir", "Dr", "Dw", "I1mr", "D1mr", "sysTime"};
    return nearest(word, events);
}

TEST(Suggestions, a_slip_of_the_finger_is_understood) {
    EXPECT_EQ(nearest_event("sysTmie"), "sysTime") << "swapped";
    EXPECT_EQ(nearest_event("sysTme"), "sysTime") << "left out";
    EXPECT_EQ(nearest_event("sysTimee"), "sysTime") << "added";
    EXPECT_EQ(nearest_event("sysDime"), "sysTime") << "changed";
    EXPECT_EQ(nearest_event("I1m"), "I1mr");
}

TEST(Suggestions, capitals_do_not_count) {
    EXPECT_EQ(nearest_event("ir"), "Ir");
    EXPECT_EQ(nearest_event("SYSTIME"), "sysTime");
}

TEST(Suggestions, something_else_is_not_a_typing_error) {
    EXPECT_EQ(nearest_event("branches"), std::nullopt);
    EXPECT_EQ(nearest("x", std::vector<std::string_view>{}), std::nullopt);
}

TEST(Suggestions, the_beginning_of_a_word_is_understood) {
    EXPECT_EQ(nearest_event("sys"), "sysTime");
    EXPECT_EQ(nearest_event("sy"), std::nullopt) << "too short to mean anything";
}

TEST(Suggestions, of_equally_near_ones_the_first_is_taken) { EXPECT_EQ(nearest_event("Dx"), "Dr"); }

TEST(Suggestions, are_a_question) {
    const std::vector<std::string_view> words = {"annotate"};
    EXPECT_EQ(did_you_mean("anotate", words), "did you mean 'annotate'?");
    EXPECT_EQ(did_you_mean("zzz", words), "");
}

}  // namespace
}  // namespace callcost::engine
