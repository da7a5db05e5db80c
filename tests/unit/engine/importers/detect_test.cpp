#include <filesystem>

#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::engine::detect;
using callcost::engine::ImportFormat;

TEST(Detect, folded_stacks_have_frames_and_a_number) {
    EXPECT_EQ(detect("main;a;b 12\nmain 3\n"), ImportFormat::folded);
    EXPECT_EQ(detect("main;a;b 12\nmain;a;b and something that is cut"), ImportFormat::folded);
    EXPECT_EQ(detect("main;a 12"), ImportFormat::folded);
    EXPECT_EQ(detect("main;a 1.5 12\r\n"), ImportFormat::folded);
    EXPECT_EQ(detect("main 12\n"), std::nullopt);
    EXPECT_EQ(detect("Dear reader; of chapter 12\nthis is prose\n"), std::nullopt);
    EXPECT_EQ(detect("16 400\n20 100\n"), std::nullopt);
}

TEST(Detect, folded_stacks_need_a_whole_line) {
    using callcost::engine::is_first_line_cut;
    const std::string deep(100'000, ';');
    EXPECT_EQ(detect("main;a" + deep), std::nullopt);
    EXPECT_TRUE(is_first_line_cut("main;a" + deep));
    EXPECT_EQ(detect("main;a" + deep + "b 1\n"), ImportFormat::folded);
    EXPECT_FALSE(is_first_line_cut("main;a" + deep + "b 1\n"));
    EXPECT_FALSE(is_first_line_cut(std::string_view("\x1f\x8b\0", 3))) << "no text";
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
    for (const ImportFormat format :
         {ImportFormat::pprof, ImportFormat::folded, ImportFormat::perf_script, ImportFormat::cpuprofile})
        EXPECT_EQ(callcost::engine::import_format(to_string(format)), format);
    EXPECT_EQ(callcost::engine::import_format("callgrind"), std::nullopt);
}

}  // namespace
