#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clickhouse/row_binary.hpp"
#include "clickhouse/server_address.hpp"
#include "clickhouse/server_failure.hpp"
#include "clickhouse/sip_hash.hpp"
#include "unit/program/input/temporary_directory.hpp"

namespace callcost::program {
namespace {

using testing::HasSubstr;

std::string described(const std::string& text) {
    const auto address = parse_server_address(text);
    if (!address) return "error: " + address.error();
    return (address->is_encrypted ? "https " : "http ") + address->user + " " + address->server() + " " +
           address->database;
}

TEST(ServerAddress, has_defaults) {
    EXPECT_EQ(described("clickhouse://localhost"), "http default localhost:8123 callcost");
    EXPECT_EQ(described("clickhouses://db.example.org/"), "https default db.example.org:8443 callcost");
    EXPECT_EQ(described("clickhouse://me@10.0.0.1:9000/perf_2"), "http me 10.0.0.1:9000 perf_2");
    EXPECT_EQ(described("clickhouse://ci-user@[::1]:8123/x"), "http ci-user [::1]:8123 x");
    EXPECT_EQ(described("clickhouse://[fe80::1]"), "http default [fe80::1]:8123 callcost");
}

TEST(ServerAddress, refuses_passwords_without_repeating_them) {
    for (const char* text : {"clickhouse://me:secret@host", "clickhouse://me:se/cret@host/x",
                             "clickhouse://:secret@host", "clickhouse://me:secret@secret@host:1/x"})
        EXPECT_EQ(described(text), "error: it holds a password") << text;
}

TEST(ServerAddress, takes_no_name_that_could_be_something_else) {
    for (const char* text :
         {"clickhouse://", "clickhouse:///x", "clickhouse://host:port/x", "clickhouse://host/a-b",
          "clickhouse://host/a`b", "clickhouse://host/a/b", "clickhouse://host?user=me",
          "clickhouse://ho st/", "clickhouse://@host", "clickhouse://a b@host", "clickhouse://host:12]/x"})
        EXPECT_THAT(described(text), HasSubstr("error: it")) << text;
}

class Password : public testing::Test {
  protected:
    Password() { forget(); }
    ~Password() override { forget(); }

    static void forget() {
        unsetenv("CALLCOST_STORE_PASSWORD");
        unsetenv("CALLCOST_STORE_PASSWORD_FILE");
    }
};

TEST_F(Password, is_of_the_environment_or_a_file) {
    EXPECT_EQ(server_password(), "");
    const test::TemporaryDirectory directory;
    const auto path = directory.path() + "/password";
    std::ofstream(path) << "of a file\r\nsecond line\n";
    setenv("CALLCOST_STORE_PASSWORD_FILE", path.c_str(), 1);
    EXPECT_EQ(server_password(), "of a file");
    setenv("CALLCOST_STORE_PASSWORD", "given", 1);
    EXPECT_EQ(server_password(), "given");
    unsetenv("CALLCOST_STORE_PASSWORD");
    setenv("CALLCOST_STORE_PASSWORD_FILE", (path + "s").c_str(), 1);
    EXPECT_THAT(server_password().error(), HasSubstr("No such file"));
    std::ofstream(path + "empty").close();
    setenv("CALLCOST_STORE_PASSWORD_FILE", (path + "empty").c_str(), 1);
    EXPECT_EQ(server_password(), "");
}

TEST(SipHash, is_that_of_ClickHouse) {
    EXPECT_EQ(sip_hash("parse"), 3939835406642990243U);  // SELECT sipHash64('parse')
    EXPECT_EQ(sip_hash({"a\0b", 3}), 17697845757930174394U);
    EXPECT_EQ(sip_hash(""), 2202906307356721367U);
    EXPECT_NE(sip_hash("12345678"), sip_hash({"12345678\0", 9}));
}

TEST(RowBinary, gives_back_what_was_written) {
    const std::string bytes("\xff\0'\\\n", 5), long_text(300, 'x');
    RowWriter row;
    row.byte(true).number32(7).number(std::uint64_t{1} << 63U).number(std::int64_t{-1});
    row.text(bytes).text("").text(long_text).size(2);
    EXPECT_EQ(row.bytes().substr(0, 6), std::string("\1\7\0\0\0\0", 6));
    RowReader read(row.bytes());
    EXPECT_TRUE(read.byte());
    EXPECT_EQ(read.number32(), 7U);
    EXPECT_EQ(read.number(), std::uint64_t{1} << 63U);
    EXPECT_EQ(read.signed_number(), -1);
    EXPECT_EQ(read.text(), bytes);
    EXPECT_EQ(read.text(), "");
    EXPECT_EQ(read.text(), long_text);
    EXPECT_FALSE(read.at_end());
    EXPECT_EQ(read.size(), 2U);
    EXPECT_TRUE(read.at_end());
}

TEST(RowBinary, ends_too_early) {
    const std::string cut = "\xac\x02xyz";  // 300 bytes
    EXPECT_THROW(RowReader(cut).text(), ServerFailure);
    EXPECT_THROW(RowReader(cut).number(), ServerFailure);
    EXPECT_THROW(RowReader("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff").text(), ServerFailure);
    EXPECT_THROW(RowReader("").byte(), ServerFailure);
}

}  // namespace
}  // namespace callcost::program
