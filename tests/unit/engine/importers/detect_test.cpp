#include <filesystem>

#include "importers/import_steps.hpp"
#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::engine::detect;
using callcost::engine::ImportFormat;

TEST(Detect, folded_stacks_have_frames_and_a_number) {
    EXPECT_EQ(detect("main;a;b 12\nmain 3\n"), ImportFormat::folded);
    EXPECT_EQ(detect("main;a;b 12\nmain;a 1\nmain;a;b and something that is cut"), ImportFormat::folded);
    EXPECT_EQ(detect("main;a 1.5 12\r\nmain;b 1e-05 0\r\n"), ImportFormat::folded);
    EXPECT_EQ(detect("main 12\nmain 3\n"), std::nullopt);
    EXPECT_EQ(detect("Dear reader; of chapter 12\nthis is prose\n"), std::nullopt);
    EXPECT_EQ(detect("16 400\n20 100\n"), std::nullopt);
}

TEST(Detect, folded_stacks_share_a_root) {
    EXPECT_EQ(detect("main;a 12"), ImportFormat::folded) << "there is one";
    EXPECT_EQ(detect("main 12\n"), std::nullopt);
    EXPECT_EQ(detect("main;a 12\ntext\n"), std::nullopt);
    EXPECT_EQ(detect("main;a 12\nstart;a 12\n"), std::nullopt);
    EXPECT_EQ(detect("main;a 12\nstart;a 12\nmain;b 1"), ImportFormat::folded);
    EXPECT_EQ(detect("main;a 12\nmain 1"), ImportFormat::folded);
    EXPECT_EQ(detect("main;a 12\nmain"), std::nullopt) << "may be mainly";
}

TEST(Detect, folded_stacks_may_have_comments_and_a_line_that_is_none) {
    EXPECT_EQ(detect("# a comment\n\nmain;a 12\n \nmain;b 1\nwhat is this?\n"), ImportFormat::folded);
    EXPECT_EQ(detect("main;a 12\nmain;b 1\nwhat is this?\nand this?\n"), std::nullopt);
}

TEST(Detect, lines_with_semicolons_are_no_folded_stacks) {
    EXPECT_EQ(detect("a{color:red;margin:0;padding:0 10\na{color:red;z-index: 12\n"), std::nullopt);
    EXPECT_EQ(detect("10.0.0.1 \"GET /a;b=1 HTTP/1.1\" 200 512\n10.0.0.1 \"GET /a;b=2 HTTP/1.1\" 404 153\n"),
              std::nullopt);
    EXPECT_EQ(detect("Nov 26 10:00:00 host app: a;took 12\nNov 26 10:00:00 host app: a;took 15\n"),
              std::nullopt);
    EXPECT_EQ(detect("x = 1; y = 2\nx = 1; z = 3\n"), std::nullopt);
    EXPECT_EQ(detect("main;{{closure}} 2\nmain;operator\"\" _s 3\n"), ImportFormat::folded);
}

TEST(Detect, tables_with_commas_are_no_folded_stacks) {
    EXPECT_EQ(detect("a;b, 12\na;c, 13\n"), std::nullopt);
    EXPECT_EQ(detect("function, self, inclusive\nmain;x, 1, 12\nmain;f, 2, 13\n"), std::nullopt);
    EXPECT_EQ(detect("7,main;x took 12\n7,main;y took 13\n"), std::nullopt) << "a column of numbers";
    EXPECT_EQ(detect("# a comment\n\nmain;x,1.5,y 12\nmain;y,2e3,y 13\n"), std::nullopt);
    EXPECT_EQ(detect("host,stack\nx,x;main took 12\nx,x;read took 13\n"), std::nullopt) << "a heading";
}

TEST(Detect, frames_of_folded_stacks_may_have_commas) {
    EXPECT_EQ(detect("f<int, 4, 5>;g(int, 7) 12\nf<int, 4, 5>;h(int, 7) 13\n"), ImportFormat::folded);
    EXPECT_EQ(detect("main;operator>>;a<b,4> 12\nmain;operator<,7,;a<b,4> 13\n"), ImportFormat::folded);
    EXPECT_EQ(detect("main;read a, b 12\nmain;read a, c 13\n"), ImportFormat::folded);
    EXPECT_EQ(detect("main;read 1,7,2 12\nmain;read 13\n"), ImportFormat::folded) << "in some lines only";
    EXPECT_EQ(detect("main;a 1\nmain;b, 2\nmain;c 3\n"), ImportFormat::folded);
}

TEST(Detect, folded_stacks_need_two_whole_lines) {
    using callcost::engine::is_cut_short;
    const std::string deep(100'000, ';');
    EXPECT_EQ(detect("main;a" + deep), std::nullopt);
    EXPECT_TRUE(is_cut_short("main;a" + deep));
    EXPECT_TRUE(is_cut_short("main;a" + deep + "b 1\nmain;"));
    EXPECT_EQ(detect("main;a" + deep + "b 1\nmain;b 2\n"), ImportFormat::folded);
    EXPECT_FALSE(is_cut_short("main;a" + deep + "b 1\nmain;b 2\n"));
    EXPECT_FALSE(is_cut_short(std::string_view("\x1f\x8b\0", 3))) << "no text";
}

TEST(Detect, of_json_in_one_line_only_the_beginning_is_read) {
    constexpr std::size_t beginning = std::size_t{16} * 1024, longest_line = std::size_t{1} << 20U;
    const std::string blanks(10 * beginning, ' ');
    const auto peeked = [&](std::string_view bytes) {
        callcost::Source source = callcost::from_memory(bytes);
        return callcost::engine::peek(source, longest_line).size();
    };
    EXPECT_EQ(peeked("{\"head\":{\"callFrame\":{},\"selfSize\":0,\"children\":[" + blanks), beginning);
    const std::string late = "{\"shared\":" + blanks + ",\"$schema\":\"speedscope.app/file-format-schema\"}";
    EXPECT_EQ(peeked(late), late.size());
    const std::string folded = "main;a 1\nmain;" + blanks + "b 1\n";
    EXPECT_EQ(peeked(folded), folded.size()) << "its lines may be others than the first";
}

std::string utf16(std::string_view ascii, bool is_big) {
    std::string text = is_big ? "\xfe\xff" : "\xff\xfe";
    for (const char c : ascii) {
        if (is_big) text += '\0';
        text += c;
        if (!is_big) text += '\0';
    }
    return text;
}

TEST(Detect, text_may_be_utf16_or_have_a_byte_order_mark) {
    for (const bool is_big : {false, true}) {
        const std::string text = utf16("main;a 12\r\nmain;b 1\r\n", is_big);
        EXPECT_EQ(detect(text), ImportFormat::folded);
        EXPECT_EQ(detect(text.substr(0, text.size() - 1)), ImportFormat::folded) << "cut in a character";
    }
    EXPECT_TRUE(callcost::engine::is_cut_short(utf16("main;a", false)));
    EXPECT_EQ(detect("\xef\xbb\xbfmain;a 12\nmain;b 1\n"), ImportFormat::folded);
}

TEST(Detect, pprof_may_have_one_very_long_sample) {
    const std::string type = "\x0a\x04\x08\x01\x10\x02";  // one sample type, then a sample of 64 KiB
    EXPECT_EQ(detect(type + "\x12\x80\x80\x04" + std::string(1000, '\x01')), ImportFormat::pprof);
    EXPECT_EQ(detect(type + "\x12\x01\x01"), std::nullopt);
    EXPECT_EQ(detect(type + "\x7f\x80\x80\x04" + std::string(1000, '\x01')), std::nullopt);
}

TEST(Detect, perf_script_has_an_event_and_a_frame) {
    EXPECT_EQ(detect("a 7 1.5: 1 cycles: \n\t 11 f+0x1 (/bin/a)\n"), ImportFormat::perf_script);
    EXPECT_EQ(detect("a 7 1.5: 1 cycles:  11 f+0x1 (/bin/a)\n"), ImportFormat::perf_script);
    EXPECT_EQ(detect("a 7 1.5: 1 cycles: \n"), std::nullopt);
}

TEST(Detect, perf_script_has_times_or_addresses) {
    EXPECT_EQ(detect("a 7 1.5: cycles: \n\tf\n"), ImportFormat::perf_script);
    EXPECT_EQ(detect("a 7 cycles: \n\t 4011ec f+0x1 (/bin/a)\n"), ImportFormat::perf_script);
    EXPECT_EQ(detect("a 7 cycles:  4011ec f+0x1 (/bin/a)\n"), ImportFormat::perf_script);
    EXPECT_EQ(detect("a 7 cycles: \n\tf\n"), std::nullopt);
    EXPECT_EQ(detect("a 7 cycles: \n\t 4011ec\n"), std::nullopt);
    EXPECT_EQ(detect("a 7 cycles:  11 f+0x1 (/bin/a)\n"), std::nullopt);
}

TEST(Detect, perf_script_has_more_stacks_than_empty_ones) {
    const std::string full = "a 7 1.5: cycles: \n\t 4011ec f+0x1 (/bin/a)\n\n",
                      empty = "a 7 1.5: cycles: \n\n";
    EXPECT_EQ(detect(full + empty + full), ImportFormat::perf_script);
    EXPECT_EQ(detect(full + empty), std::nullopt);
    EXPECT_EQ(detect(full + "a 7 1.5: cycles: \n"), ImportFormat::perf_script) << "the last one may be cut";
}

TEST(Detect, logs_and_dumps_are_no_perf_script) {
    EXPECT_EQ(detect("ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)\n"), std::nullopt);
    EXPECT_EQ(detect("10:00:00.123456 IP 10.0.0.1.443 > 10.0.0.2.50000: Flags [P.], length 9\n"
                     "\t0x0000:  4500 0031 0001 0000 4006 66c4 0a00 0001  E..1....@.f.....\n"),
              std::nullopt);
    EXPECT_EQ(detect("HEAP SUMMARY:\n    in use at exit: 0 bytes\n\tbad frame\n"), std::nullopt);
}

TEST(Detect, traces_of_tracegrind_are_claimed_in_every_version) {
    EXPECT_EQ(detect(std::string_view("TGMP\4\0\0\0", 8)), ImportFormat::tracegrind);
    EXPECT_EQ(detect(std::string_view("TGMP\1\0\0\0", 8)), ImportFormat::tracegrind);
    EXPECT_EQ(detect(std::string_view("TGMP\4\0\0", 7)), std::nullopt);
    EXPECT_EQ(detect("TGMP;a;b 1\nTGMP;a;c 2\n"), ImportFormat::folded);
}

TEST(Detect, other_things_are_not_claimed) {
    EXPECT_EQ(detect(""), std::nullopt);
    EXPECT_EQ(detect("\n\n"), std::nullopt);
    EXPECT_EQ(detect(R"({"nodes":[1,2,3]})"), std::nullopt);
    EXPECT_EQ(detect(R"({"shared":{"frames":[]},"profiles":[]})"), std::nullopt);
    EXPECT_EQ(detect(std::string_view("\x7f"
                                      "ELF\0\0\0\0",
                                      8)),
              std::nullopt);
    EXPECT_EQ(detect("events: a;b 1\nfn=main;x 1\n"), std::nullopt);
}

TEST(Detect, no_callgrind_file_is_claimed) {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(CALLCOST_TEST_PROFILES)) {
        if (!entry.is_regular_file()) continue;
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(file), {});
        EXPECT_EQ(detect(bytes), std::nullopt) << entry.path();
        EXPECT_EQ(detect(bytes.substr(0, 4096)), std::nullopt) << entry.path();
        EXPECT_EQ(detect(bytes.substr(0, 100)), std::nullopt) << entry.path();
        ++files;
    }
    EXPECT_GT(files, 20U);
}

TEST(Detect, formats_have_names) {
    for (const ImportFormat format : callcost::engine::import_formats)
        EXPECT_EQ(callcost::engine::import_format(to_string(format)), format);
    EXPECT_EQ(callcost::engine::import_format("callgrind"), std::nullopt);
}

}  // namespace
