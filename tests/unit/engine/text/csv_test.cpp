#include "text/csv.hpp"

#include <gtest/gtest.h>

namespace callcost::engine {
namespace {

std::string field(std::string_view text, CsvNames names = CsvNames::guarded) {
    std::string out;
    CsvWriter csv(out, names);
    csv.text(text);
    return out;
}

TEST(Csv, has_commas_between_fields_and_cr_lf_after_rows) {
    std::string out;
    CsvWriter csv(out, CsvNames::guarded);
    csv.header({"function", "self"});
    csv.text("f");
    csv.number(-5);
    csv.end_row();
    csv.empty();
    csv.number(std::optional<std::int64_t>());
    csv.end_row();
    EXPECT_EQ(out, "function,self\r\nf,-5\r\n,\r\n");
}

TEST(Csv, quotes_what_holds_commas_or_quotes) {
    EXPECT_EQ(field("f(int, char)"), "\"f(int, char)\"");
    EXPECT_EQ(field("operator\"\"_x"), "\"operator\"\"\"\"_x\"");
}

TEST(Csv, keeps_names_from_being_formulas_unless_they_shall_be_exact) {
    EXPECT_EQ(field("=1+2"), "'=1+2");
    EXPECT_EQ(field("-[Sheet open]"), "'-[Sheet open]");
    EXPECT_EQ(field("@SUM(A1,A2)"), "\"'@SUM(A1,A2)\"");
    EXPECT_EQ(field("-[Sheet open]", CsvNames::exact), "-[Sheet open]");
}

TEST(Csv, has_utf_8_without_control_characters) {
    EXPECT_EQ(field("caf\xe9"), "caf\xc3\xa9") << "Latin-1 (F2)";
    EXPECT_EQ(field("a\tb\nc\r"), "a\\tb\\nc\\r");
}

TEST(Csv, has_tabs_and_plain_line_ends_as_tsv) {
    std::string out;
    CsvWriter csv(out, CsvNames::guarded, CsvFields::tabs);
    csv.header({"function", "self"});
    csv.text("f(int, char)");
    csv.number(-5);
    csv.end_row();
    csv.text("\"a\tb");
    csv.empty();
    csv.end_row();
    EXPECT_EQ(out, "function\tself\nf(int, char)\t-5\n\"\"\"a\\tb\"\t\n");
}

}  // namespace
}  // namespace callcost::engine
