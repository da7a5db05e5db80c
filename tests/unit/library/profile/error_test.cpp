#include "callcost/error.hpp"

#include <set>
#include <sstream>
#include <string_view>

#include <gtest/gtest.h>

namespace callcost::test {
namespace {

TEST(ErrorCode, has_a_name_of_its_own) {
    std::set<std::string_view> names;
    for (auto code = ErrorCode::empty_file;; code = static_cast<ErrorCode>(static_cast<int>(code) + 1)) {
        EXPECT_NE(to_string(code), "");
        EXPECT_TRUE(names.insert(to_string(code)).second) << to_string(code);
        if (code == ErrorCode::nothing_selected) break;
    }
    EXPECT_EQ(to_string(ErrorCode::not_a_profile), "not-a-profile");
}

TEST(Error, has_a_message_whatever_its_code) {
    for (int i = 0; i <= static_cast<int>(ErrorCode::nothing_selected); ++i) {
        const Error error{.code = static_cast<ErrorCode>(i)};
        EXPECT_GT(error.message().size(), 8U) << i;
        EXPECT_FALSE(error.message().ends_with('.')) << i;
    }
    EXPECT_EQ((Error{.code = ErrorCode::cannot_open, .detail = "Permission denied"}.message()),
              "cannot be opened: Permission denied");
}

template <class Value>
std::string printed(const Value& value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

TEST(Error, is_printed_with_its_place_as_far_as_that_is_known) {
    Error error{.code = ErrorCode::no_events};
    EXPECT_EQ(printed(error), "error: there is no 'events:' line in the whole file [no-events]");
    error.line = 3;
    EXPECT_TRUE(printed(error).starts_with("line 3: error: ")) << error;
    error.column = 5;
    EXPECT_TRUE(printed(error).starts_with("line 3, column 5: error: ")) << error;
    error.source = "a.out";
    EXPECT_TRUE(printed(error).starts_with("a.out:3:5: error: ")) << error;
    error.line = 0;
    EXPECT_TRUE(printed(error).starts_with("a.out: error: ")) << error;
    error.source = "\x1b[2J\n";
    EXPECT_TRUE(printed(error).starts_with("?[2J?: error: ")) << error;
}

TEST(Diagnostic, has_a_message_whatever_its_id) {
    for (std::size_t i = 0; i < diagnostic_id_count; ++i) {
        const DiagnosticKind& kind = kind_of(static_cast<DiagnosticId>(i));
        EXPECT_GT(kind.message.size(), 9U) << kind.name;
        EXPECT_FALSE(kind.message.ends_with('.')) << kind.name;
    }
}

TEST(Diagnostic, is_printed_with_its_first_place_and_its_count) {
    Diagnostic diagnostic{.id = DiagnosticId::unknown_line, .count = 1, .places = {}};
    EXPECT_EQ(printed(diagnostic), "error: unrecognized line; skipped [unknown-line]");
    diagnostic.count = 7;
    diagnostic.places.resize(2);
    diagnostic.places[0].line = 12;
    EXPECT_EQ(printed(diagnostic), "line 12: error: unrecognized line; skipped [unknown-line] (7 times)");
    EXPECT_EQ(to_string(diagnostic, "a.out"),
              "a.out:12: error: unrecognized line; skipped [unknown-line] (7 times)");
}

}  // namespace
}  // namespace callcost::test
