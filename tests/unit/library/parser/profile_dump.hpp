/// All that a Profile says as one text that can be compared, and ways to run tasks that must not change it.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <thread>

#include "callcost/profile.hpp"
#include "callcost/source.hpp"
#include "unit/library/parser/profile_text.hpp"

namespace callcost::test {

std::string diagnostics_dump(std::span<const Diagnostic> diagnostics);
std::string part_dump(const Profile& profile, const Part& part);

/// Everything the model says about costs, without the records.
std::string columns_dump(const Profile& profile);

/// The same with the records, and the part of each.
std::string model_dump(const Profile& profile);

/// Everything public of a profile.
std::string dump(const Profile& profile);

/// The first lines in which two dumps differ; empty if they are equal.
std::string first_difference(const std::string& got, const std::string& expected);

/// Two threads take the tasks in turn.
inline RunAll on_two_threads() {
    return [](std::span<const std::function<void()>> tasks) {
        std::atomic<std::size_t> next{0};
        const auto work = [&] {
            for (std::size_t i = next++; i < tasks.size(); i = next++) tasks[i]();
        };
        std::thread other(work);
        work();
        other.join();
    };
}

/// One thread takes the last task first.
inline RunAll backwards() {
    return [](std::span<const std::function<void()>> tasks) {
        for (std::size_t i = tasks.size(); i-- != 0;) tasks[i]();
    };
}

}  // namespace callcost::test
