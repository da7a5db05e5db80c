#include "recording/perf_map_switch.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "unit/program/input/temporary_directory.hpp"

namespace callcost::program {
namespace {

TEST(PerfMapSwitch, IsForRuntimesAndNotForTheirNames) {
    const test::TemporaryDirectory directory;
    for (const char* name : {"node", "nodejs", "php", "php8.2", "phpunit"}) {
        const auto path = directory.path() + "/" + name;
        std::filesystem::copy_file(std::filesystem::canonical("/bin/sh"), path);
        EXPECT_FALSE(perf_map_switch(inspect_program(path)).has_value()) << name;
    }
}

TEST(PerfMapSwitch, OfARuntime) {
    if (const auto node = inspect_program("node"); node.cannot_run == CannotRun::no && !node.is_script) {
        EXPECT_TRUE(perf_map_switch(node).has_value());
    }
    if (const auto php = inspect_program("php"); php.cannot_run == CannotRun::no && !php.is_script) {
        EXPECT_TRUE(perf_map_switch(php).has_value());
    }
}

}  // namespace
}  // namespace callcost::program
