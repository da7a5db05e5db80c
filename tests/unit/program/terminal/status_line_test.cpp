#include "terminal/status_line.hpp"

#include <array>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace callcost::program {
namespace {

std::string written_by(const auto& action) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return "no pipe";
    action(ends[1]);
    ::close(ends[1]);
    std::array<char, 200> text{};
    const auto size = ::read(ends[0], text.data(), text.size());
    ::close(ends[0]);
    return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

TEST(StatusLine, replaces_its_text_and_is_erased_in_the_end) {
    EXPECT_EQ(written_by([](int terminal) {
                  StatusLine line(terminal);
                  line.show("one");
                  line.show("two");
              }),
              "\r\x1b[Kone\r\x1b[Ktwo\r\x1b[K");
}

TEST(StatusLine, erases_nothing_that_was_not_shown) {
    EXPECT_EQ(written_by([](int terminal) { StatusLine(terminal).erase(); }), "");
}

}  // namespace
}  // namespace callcost::program
