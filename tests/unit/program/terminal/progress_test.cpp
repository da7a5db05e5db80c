#include "terminal/progress.hpp"

#include <gtest/gtest.h>

namespace callcost::program {
namespace {

TEST(Progress, is_a_share_of_the_bytes_if_their_number_is_known) {
    EXPECT_EQ(progress_text({.bytes_done = 450, .bytes_total = 1000, .cost_done = 0, .cost_total = 0}),
              "45% of 1.0 kB");
    EXPECT_EQ(progress_text({.bytes_done = 1200, .bytes_total = 1000, .cost_done = 0, .cost_total = 0}),
              "100% of 1.0 kB")
        << "a file that grew";
}

TEST(Progress, is_a_share_of_the_cost_on_a_pipe) {
    EXPECT_EQ(progress_text({.bytes_done = 5'000'000, .bytes_total = 0, .cost_done = 1, .cost_total = 4}),
              "5.0 MB, 25% of the cost");
    EXPECT_EQ(progress_text({.bytes_done = 5'000'000, .bytes_total = 0, .cost_done = 1, .cost_total = 0}),
              "5.0 MB");
}

TEST(Progress, costs_nothing_where_nobody_looks) {
    Console console;
    EXPECT_FALSE(ProgressReport(console).callback()) << "not a terminal";
    console.err_is_terminal = true;
    console.progress = When::never;
    EXPECT_FALSE(ProgressReport(console).callback());
    console.progress = When::always;
    console.quiet = true;
    EXPECT_FALSE(ProgressReport(console).callback());
}

}  // namespace
}  // namespace callcost::program
