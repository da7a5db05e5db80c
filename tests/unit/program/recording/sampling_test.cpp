#include "recording/sampling.hpp"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace callcost::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Sampling, IsACommandOfPerf) {
    Recording recording;
    recording.more_perf = {"--call-graph", "dwarf"};
    EXPECT_THAT(perf_command(recording, "/tmp/data", {"./program", "-x"}),
                ElementsAre("perf", "record", "-q", "-g", "--call-graph", "dwarf", "-o", "/tmp/data", "--",
                            "./program", "-x"));
}

TEST(Sampling, SaysWhatTheKernelDoesNotAllow) {
    const auto problem = understand_perf_errors(
        "Error:\nAccess to performance monitoring and observability operations is limited.\nConsider "
        "adjusting "
        "/proc/sys/kernel/perf_event_paranoid setting to open\naccess\n",
        "3\n");
    EXPECT_EQ(problem.message, "the kernel does not let you take samples (kernel.perf_event_paranoid is 3)");
    EXPECT_THAT(problem.hint, HasSubstr("sysctl kernel.perf_event_paranoid=2"));
}

TEST(Sampling, PassesOnWhatItDoesNotUnderstand) {
    EXPECT_EQ(understand_perf_errors("Error:\nThe sys_perf_event_open() syscall returned with 38\nmore\n", "")
                  .message,
              "perf cannot take samples here: The sys_perf_event_open() syscall returned with 38");
    EXPECT_EQ(understand_perf_errors("", "").message, "perf cannot take samples here");
    EXPECT_THAT(understand_perf_errors("WARNING: perf not found for kernel 6.1.0\n", "").message,
                HasSubstr("not installed for this kernel"));
}

bool lacks(const std::string& text) {
    std::istringstream samples(text);
    return lacks_callers(samples);
}

TEST(Sampling, NotesThatMostSamplesHaveNoCallers) {
    const std::string with = "p 1/1 5.0: 250000 cycles:\n\t  114e f (/p)\n\t  115e main (/p)\n\n";
    const std::string without = "p 1/1 5.0: 250000 cycles:\n\t  114e f (/p)\n\t  0 [unknown] ([unknown])\n\n";
    const std::string in_kernel =
        "p 1/1 5.0: 250000 cycles:\n\tffffffff81600175 a ([k])\n\tffffffff81600176 b ([k])\n\t  114e f "
        "(/p)\n\n";
    EXPECT_TRUE(lacks("# cmdline : p\n" + without + with + in_kernel));
    EXPECT_FALSE(lacks("# cmdline : p\n" + without + with)) << "not more than half of them";
    EXPECT_FALSE(lacks(""));
}

}  // namespace
}  // namespace callcost::program
