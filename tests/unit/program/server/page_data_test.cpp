#include "server/page_data.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using callcost::engine::Build;
using callcost::program::packed;
using callcost::program::PageData;
using callcost::program::PageTemplate;
using callcost::program::size_in_page;
using callcost::program::SourceBlock;
using testing::HasSubstr;
using testing::Not;

const char* const page =
    "<!doctype html>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src "
    "data:\">\n"
    "  <!-- callcost:data -->\n<p>end</p>\n";

std::string written(const PageData& data) {
    std::string text;
    EXPECT_TRUE(PageTemplate(page).write(data, callcost::to_memory(text)));
    return text;
}

TEST(PageTemplate, leaves_the_importer_out_of_reports) {
    const PageTemplate with_importer(
        "<p>begin</p>\n    <script id=\"engine\">QUJD</script>\n    <script id=\"importer\">REVG</script>\n"
        "<!-- callcost:data -->\n");
    std::string report;
    EXPECT_TRUE(with_importer.write({}, callcost::to_memory(report)));
    EXPECT_THAT(report, HasSubstr("<script id=\"engine\">QUJD</script>\n<script"));
    EXPECT_THAT(report, Not(HasSubstr("REVG")));
    EXPECT_THAT(with_importer.for_server("{}"), HasSubstr("REVG"));
}

TEST(PageTemplate, puts_data_into_their_place) {
    PageData data;
    data.profiles.push_back({"callgrind.out.1", Build::after, {"[]", "{}"}, "QUJD"});
    data.profiles.push_back({"callgrind.out.0", Build::before, {"[1]", R"({"errors":1})"}, "REVG"});
    data.sources.push_back({"a.c", "/src/a.c", false, true, "R0hJ"});
    EXPECT_EQ(
        written(data),
        "<!doctype html>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "img-src data:\">\n  "
        "<script type=\"application/json\" id=\"callcost-manifest\">"
        R"({"profiles":[{"name":"callgrind.out.1","side":"after","block":"p0","files":[],"diagnostics":{}},)"
        R"({"name":"callgrind.out.0","side":"before","block":"p1","files":[1],"diagnostics":{"errors":1}}],)"
        R"("sources":[{"name":"a.c","path":"/src/a.c","is_guess":true,"block":"s0"}]})"
        "</script>\n"
        "<script type=\"application/octet-stream;base64\" id=\"p0\">QUJD</script>\n"
        "<script type=\"application/octet-stream;base64\" id=\"p1\">REVG</script>\n"
        "<script type=\"application/octet-stream;base64\" id=\"s0\">R0hJ</script>\n"
        "\n<p>end</p>\n");
    EXPECT_EQ(PageTemplate(page).size_with(data), written(data).size());
}

TEST(PageTemplate, has_machine_code_beside_the_profile) {
    PageData data;
    data.profiles.push_back({"a", Build::after, {"[]", "{}"}, "QUJD", "", "Q09ERQ=="});
    const auto text = written(data);
    EXPECT_THAT(text, HasSubstr(R"("block":"p0","code":"c0","files")"));
    EXPECT_THAT(text, HasSubstr("id=\"c0\">Q09ERQ==</script>"));
}

TEST(PageTemplate, is_not_broken_out_of_by_names) {
    PageData data;
    data.profiles.push_back(
        {"</script><script>alert(1)//", Build::after, {"[]", R"({"rows":["<!--"]})"}, ""});
    data.sources.push_back({"<!--", "</SCRIPT >\xff\xfe", true, false, ""});
    const auto text = written(data);
    EXPECT_THAT(text, HasSubstr(R"("name":"\u003c/script>\u003cscript>alert(1)//")"));
    EXPECT_THAT(text, HasSubstr(R"("name":"\u003c!--","path":"\u003c/SCRIPT >)"));
    EXPECT_THAT(text, Not(HasSubstr("<!--")));
    EXPECT_THAT(text, Not(HasSubstr("</SCRIPT")));
}

TEST(PageTemplate, for_the_server_says_so) {
    const auto text = PageTemplate(page).for_server(R"({"server": true})");
    EXPECT_THAT(text, HasSubstr("id=\"callcost-manifest\">{\"server\": true}</script>\n\n<p>end</p>"));
}

TEST(PageTemplate, knows_what_the_page_may_do) {
    EXPECT_EQ(PageTemplate(page).policy(), "default-src 'none'; img-src data:");
    EXPECT_EQ(PageTemplate("<p>nothing</p>").policy(), "");
}

TEST(SizeInPage, is_what_a_source_file_adds) {
    SourceBlock source{"<a>\n.c", "/src/<a>.c", true, true, std::string(1000, 'A')};
    PageData data;
    data.sources.assign(3, source);
    const auto before = written(data).size();
    data.sources.push_back(source);
    const auto added = written(data).size() - before;
    EXPECT_LE(added, size_in_page(source));
    EXPECT_GE(added + 20, size_in_page(source));
}

TEST(Packed, is_the_same_for_the_same_bytes) {
    EXPECT_EQ(packed("abc"), packed("abc"));
    EXPECT_EQ(packed(""), "H4sIAAAAAAAAAwMAAAAAAAAAAAA=");
    EXPECT_EQ(packed("a").size() % 4, 0U);
    EXPECT_EQ(packed(std::string(1'000'000, 'a'))
                  .find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="),
              std::string::npos);
}

}  // namespace
