#include "recording/recording_status.hpp"

#include <gtest/gtest.h>

namespace callcost::program {
namespace {

using namespace std::chrono_literals;

TEST(RecordingStatus, SaysHowLongItTakes) {
    EXPECT_EQ(status_text(0s, 1), "recording: 0:00");
    EXPECT_EQ(status_text(62s, 3), "recording: 1:02, 3 processes");
    EXPECT_EQ(status_text(3'725s, 0), "recording: 1:02:05");
}

TEST(RecordingStatus, IsNotShownWhereTheProgramWrites) {
    Console console;
    console.err_is_terminal = true;
    EXPECT_FALSE(RecordingStatus(console).is_shown());
    console.err_is_terminal = false;
    console.out_is_terminal = true;
    EXPECT_FALSE(RecordingStatus(console).is_shown());
    console.out_is_terminal = false;
    console.quiet = true;
    EXPECT_FALSE(RecordingStatus(console).is_shown());
}

}  // namespace
}  // namespace callcost::program
