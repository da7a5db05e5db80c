/// How the time for a text grows with its size; nothing here depends on how fast the machine is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <malloc.h>

#include "unit/library/parser/profile_text.hpp"
#include "unit/library/parser/sanitized.hpp"

namespace callcost::test {

/// Processor time of the best of three, in seconds. What is too short to be measured counts a millisecond.
/// Memory is kept from one to the next: what the system takes to give it grows with its size as it likes.
/// Under sanitizers always a second: their own time is no measure of the work.
template <class Work>
double seconds_of(const Work& work) {
    if (is_sanitized) {
        work();
        return 1;
    }
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        const std::clock_t begin = std::clock();
        work();
        best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return std::max(best, 0.001);
}

struct NoHandler {};

/// Four times the input may take ten times as long: caches explain that, a quadratic search takes sixteen.
/// Where a cache begins to be too small it may take longer, so there is a second try with four times as much.
template <class Make, class Read>
void expect_linear_reading(const Make& make, std::size_t n, const Read& read_text) {
    if (is_sanitized) {
        EXPECT_TRUE(read_text(make(n)));
        return;
    }
    const auto seconds = [&](std::size_t size) {
        const std::string text = make(size);
        return seconds_of([&] { EXPECT_TRUE(read_text(text)); });
    };
    const double small = seconds(n), large = seconds(4 * n);
    if (large < 10 * small) return;
    EXPECT_LT(seconds(16 * n), 10 * large) << "and before " << large << " after " << small;
}

/// The same for a profile and for its events.
template <class Make>
void expect_linear(const Make& make, std::size_t n) {
    {
        SCOPED_TRACE("read_profile");
        expect_linear_reading(
            make, n, [](const std::string& text) { return read_profile(from_memory(text)).has_value(); });
    }
    SCOPED_TRACE("parse");
    expect_linear_reading(
        make, n, [](const std::string& text) { return parse(from_memory(text), NoHandler{}).has_value(); });
}

}  // namespace callcost::test
