// What files that are no profiles are: beginnings of real files, tests/imports/others.
#include "importers/known_formats.hpp"

#include <filesystem>
#include <sstream>

#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::Error;
using callcost::ErrorCode;
using callcost::engine::detect;
using callcost::engine::ImportFormat;
using callcost::test::import_bytes;

Error named(std::string_view bytes, std::string_view file = "x") {
    Error error{.code = ErrorCode::not_a_profile, .line = 3, .column = 1, .detail = {}};
    callcost::engine::name_file_kind(error, bytes, file);
    return error;
}

std::map<std::string, std::string> expected_kinds() {
    std::map<std::string, std::string> kinds;
    std::istringstream table(import_bytes("others/EXPECTED.tsv"));
    for (std::string line; std::getline(table, line);) {
        const auto tab = line.find('\t');
        kinds[line.substr(0, tab)] = line.substr(tab + 1);
    }
    return kinds;
}

TEST(KnownFormats, files_that_are_no_profiles_are_not_claimed_and_named) {
    const auto kinds = expected_kinds();
    EXPECT_GT(kinds.size(), 50U);
    for (const auto& [file, kind] : kinds) {
        const std::string bytes = import_bytes("others/" + file);
        EXPECT_EQ(detect(bytes), std::nullopt) << file;
        const std::string message = named(bytes).message();
        if (kind.empty())
            EXPECT_EQ(named(bytes).detail, "") << file;
        else
            EXPECT_TRUE(message == "this is " + kind + ", not a profile" ||
                        message == "this is " + kind + ", which is not supported")
                << file << ": " << message;
    }
}

TEST(KnownFormats, profiles_that_flamegraph_folds_say_how) {
    for (const auto& [bytes, kind] : std::map<std::string, std::string>{
             {"\n  libc.so`read+0x1a\n  app`main+0x20\n  0x4005d0\n   12\n\n", "stacks of DTrace"},
             {"Running Time\tSelf (ms)\t\tSymbol Name\n1.0ms 1.0%\t0.0\t \tmain\n",
              "a call tree of Instruments"},
             {"Weight\tSelf Weight\t\tSymbol Name\n1.00 s 100.0%\t0 s\t \tmain\n",
              "a call tree of Instruments"},
             {"Function Stack,CPU Time:Total,CPU Time:Self\nTotal,100,0\n", "a report of VTune"},
             {"Function,CPU Time:Self,Module\nmain,1.5,app\n", "a report of VTune"}}) {
        EXPECT_EQ(detect(bytes), std::nullopt) << bytes;
        EXPECT_EQ(named(bytes).message(), "this is " + kind + ", which is not supported") << bytes;
        EXPECT_NE(named(bytes).hint().find("stackcollapse"), std::string_view::npos) << bytes;
    }
    EXPECT_EQ(named("  indented`text\n  of people\n").detail, "");
}

TEST(KnownFormats, all_files_of_others_are_expected) {
    const auto kinds = expected_kinds();
    for (const auto& entry :
         std::filesystem::directory_iterator(CALLCOST_TEST_PROFILES "/../imports/others")) {
        const std::string name = entry.path().filename().string();
        EXPECT_TRUE(name == "EXPECTED.tsv" || kinds.contains(name)) << name;
    }
}

TEST(KnownFormats, all_imports_have_the_format_of_their_name) {
    const std::map<std::string, ImportFormat> formats{{".pb", ImportFormat::pprof},
                                                      {".folded", ImportFormat::folded},
                                                      {".txt", ImportFormat::perf_script},
                                                      {".cpuprofile", ImportFormat::cpuprofile},
                                                      {".speedscope.json", ImportFormat::speedscope},
                                                      {".firefox.json", ImportFormat::firefox},
                                                      {".heapprofile", ImportFormat::heapprofile},
                                                      {".dhat.json", ImportFormat::dhat},
                                                      {".massif", ImportFormat::massif},
                                                      {".trace.json", ImportFormat::chrome_trace},

                                                      {".pstats", ImportFormat::pstats},

                                                      {".gperftools", ImportFormat::gperftools},
                                                      {".jemalloc", ImportFormat::jemalloc},
                                                      {".go-text", ImportFormat::go_text},
                                                      {".stackprof", ImportFormat::stackprof}};
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(CALLCOST_TEST_PROFILES "/../imports")) {
        const std::string name = entry.path().filename().string();
        const auto format = std::find_if(formats.begin(), formats.end(),
                                         [&](const auto& one) { return name.ends_with(one.first); });
        if (format == formats.end()) continue;
        EXPECT_EQ(detect(import_bytes(name)), format->second) << entry.path();
        ++files;
    }
    EXPECT_EQ(files, 43U);
}

TEST(KnownFormats, the_hint_has_the_name_of_the_file) {
    EXPECT_EQ(named("PERFILE2", "a/perf.data").hint(),
              "perf script -i a/perf.data > a/perf.data.txt, then callcost a/perf.data.txt");
    EXPECT_EQ(named("PERFILE2", "-").hint(), "perf script -i FILE > FILE.txt, then callcost FILE.txt");
    EXPECT_EQ(named("2ELIFREP").message(),
              "this is a perf.data file of another processor, which is not supported");
    EXPECT_EQ(named("PERFILE2", "my file").hint(),
              "perf script -i 'my file' > 'my file'.txt, then callcost 'my file'.txt");
    EXPECT_EQ(named("\177ELF", "loop").hint(), "'callcost record ./loop' records a profile of a program");
    EXPECT_EQ(named("\177ELF", "/bin/FILE").hint(),
              "'callcost record /bin/FILE' records a profile of a program");
    EXPECT_EQ(named("\177ELF", "my loop").hint(),
              "callcost record ./'my loop' records a profile of a program");
}

TEST(KnownFormats, a_core_file_is_no_program) {
    using std::string_view_literals::operator""sv;
    EXPECT_EQ(named("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0"sv).message(),
              "this is a program or a library, not a profile");
    EXPECT_EQ(named("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0"sv).message(), "this is a core file, not a profile");
    EXPECT_EQ(named("\177ELF\2\2\1\0\0\0\0\0\0\0\0\0\0\4"sv).message(), "this is a core file, not a profile");
}

TEST(KnownFormats, archives_and_pictures_are_named) {
    EXPECT_EQ(named("PK\3\4").message(), "this is a zip archive, not a profile");
    EXPECT_EQ(named("\x89PNG\r\n").message(), "this is a PNG picture, not a profile");
    EXPECT_EQ(named("%PDF-1.7").message(), "this is a PDF document, not a profile");
    EXPECT_EQ(named(std::string(257, 'a') + "ustar  ").message(), "this is a tar archive, not a profile");
    EXPECT_EQ(named("<!DOCTYPE html>\n").message(), "this is an HTML page, not a profile");
    EXPECT_EQ(named("<?xml version=\"1.0\"?>\n<svg width=\"1\">").message(),
              "this is an SVG picture, not a profile");
    EXPECT_EQ(named("#!/bin/sh\n", "run").hint(),
              "'callcost record ./run' records a profile of its functions, or of its interpreter");
    EXPECT_EQ(named("import sys\n\ndef f():\n    pass\n", "orders.py").hint(),
              "'callcost record ./orders.py' records a profile of its functions");
}

TEST(KnownFormats, a_firefox_profile_with_binary_columns_is_named) {
    using std::string_view_literals::operator""sv;
    const auto text = "this is a Firefox profile as JsonSlabs (.jslb), which is not supported";
    EXPECT_EQ(named("\1\0{\"meta\":{\"preprocessedProfileVersion\":70"sv).message(), text);
    EXPECT_EQ(named("\1\0\2"sv, "a.jslb").message(), text);
    EXPECT_NE(named("text", "a.jslb").message(), text);
}

TEST(KnownFormats, an_error_that_has_a_place_or_reason_keeps_it) {
    EXPECT_EQ(named("PERFILE2").line, 0U) << "the line is of no use";
    const Error unknown = named("Dear reader,\n");
    EXPECT_EQ(unknown.line, 3U);
    EXPECT_EQ(unknown.message(), "this is not a profile in the Callgrind or Cachegrind format");
    Error damaged{.code = ErrorCode::not_a_profile, .detail = "invalid JSON"};
    callcost::engine::name_file_kind(damaged, "{\"nodes\":[", "x");
    EXPECT_EQ(damaged.message(), "invalid JSON");
    Error unreadable{.code = ErrorCode::read_failed, .detail = {}};
    callcost::engine::name_file_kind(unreadable, "PERFILE2", "x");
    EXPECT_EQ(unreadable.message(), "read error");
}

}  // namespace
