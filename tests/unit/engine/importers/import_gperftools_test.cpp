#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::ErrorCode;
using callcost::engine::detect;
using callcost::engine::ImportFormat;
using callcost::test::event_of;
using callcost::test::import;
using callcost::test::notes_text;
using callcost::test::read_without_errors;
using callcost::test::records_text;

using Words = std::vector<std::uint64_t>;

std::string in_words(const Words& words, std::size_t size, bool is_big_endian) {
    std::string bytes;
    for (const std::uint64_t word : words)
        for (std::size_t i = 0; i < size; ++i)
            bytes += static_cast<char>(word >> (8 * (is_big_endian ? size - 1 - i : i)));
    return bytes;
}

/// Samples behind a header of 10 ms.
std::string cpu_profile(const Words& samples, std::size_t size = 8, bool is_big_endian = false) {
    Words words{0, 3, 0, 10'000, 0};
    words.insert(words.end(), samples.begin(), samples.end());
    return in_words(words, size, is_big_endian);
}

const Words two_samples{2, 2, 0x2010, 0x1020, 1, 1, 0x1020, 0, 1, 0};
constexpr std::string_view mapped =
    "00001000-00002000 r-xp 00000000 08:01 17      /bin/a b\n00002000-00003000 r-xp 00000000 08:01 18 "
    "/lib/c.so\nbuild=1\n";

std::string records(ImportFormat format, std::string_view bytes, const char* notes = "") {
    const auto imported = import(format, bytes);
    EXPECT_TRUE(imported.has_value()) << imported.error().message();
    if (!imported) return "";
    EXPECT_EQ(notes_text(imported->notes), notes);
    return records_text(read_without_errors(imported->text));
}

callcost::engine::ImportNotes notes_of(ImportFormat format, std::string_view bytes) {
    const auto imported = import(format, bytes);
    EXPECT_TRUE(imported.has_value()) << imported.error().message();
    return imported ? imported->notes : callcost::engine::ImportNotes{};
}

std::string refusal(ImportFormat format, std::string_view bytes) {
    const auto imported = import(format, bytes);
    EXPECT_FALSE(imported.has_value());
    if (imported) return "";
    EXPECT_EQ(imported.error().code, ErrorCode::not_a_profile);
    return imported.error().message();
}

TEST(ImportGperftools, words_are_of_32_or_64_bits_in_either_order) {
    for (const std::size_t size : {std::size_t{4}, std::size_t{8}})
        for (const bool is_big_endian : {false, true}) {
            const std::string bytes = cpu_profile(two_samples, size, is_big_endian) + std::string(mapped);
            EXPECT_EQ(detect(bytes), ImportFormat::gperftools);
            EXPECT_EQ(records(ImportFormat::gperftools, bytes),
                      "0x1020:0 -> 0x2010 20000000 2\n0x1020:0 10000000 1\n0x2010:0 20000000 2\n");
        }
}

TEST(ImportGperftools, objects_are_of_the_memory_map) {
    const auto imported = import(ImportFormat::gperftools, cpu_profile(two_samples) + std::string(mapped));
    ASSERT_TRUE(imported.has_value());
    const auto profile = read_without_errors(imported->text);
    ASSERT_EQ(profile.function_count(), 2U);
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const callcost::FunctionId id(row);
        EXPECT_EQ(profile.name(profile.object(id)), profile.name(id) == "0x1020" ? "/bin/a b" : "/lib/c.so");
    }
    EXPECT_EQ(imported->notes.kind, "gperftools CPU profile");
    EXPECT_EQ(
        imported->notes.limits,
        "a sample every 10 ms; 2 functions are addresses; 'google-pprof --raw PROGRAM FILE > OUT' writes a "
        "file with names");
    EXPECT_EQ(imported->notes.counted, "stack");
}

TEST(ImportGperftools, a_return_address_belongs_to_the_call_before_it) {
    const auto imported =
        import(ImportFormat::gperftools,
               cpu_profile({1, 2, 0x1010, 0x2000, 1, 1, 0x2000, 0, 1, 0}) + std::string(mapped));
    ASSERT_TRUE(imported.has_value());
    const auto profile = read_without_errors(imported->text);
    std::string all;
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const callcost::FunctionId id(row);
        all += std::string(profile.name(profile.object(id))) + ' ' + std::string(profile.name(id)) + '\n';
    }
    EXPECT_EQ(all, "/bin/a b 0x1010\n/bin/a b 0x2000\n/lib/c.so 0x2000\n");
}

TEST(ImportGperftools, a_leaf_that_is_there_twice_is_one) {
    EXPECT_EQ(records(ImportFormat::gperftools, cpu_profile({1, 3, 7, 7, 9, 0, 1, 0})),
              "0x7:0 10000000 1\n0x9:0 -> 0x7 10000000 1\n");
    EXPECT_EQ(records(ImportFormat::gperftools, cpu_profile({1, 4, 7, 7, 7, 9, 0, 1, 0})),
              "0x7'2:0 10000000 1\n0x7:0 -> 0x7'2 10000000 1\n0x9:0 -> 0x7 10000000 1\n");
}

TEST(ImportGperftools, symbols_in_front_name_addresses_and_what_is_before_them) {
    const std::string bytes =
        "--- symbol\nbinary=./stew\n0x0000000000002010 leaf(int)\n0x101f main\n---\n"
        "--- profile\n" +
        cpu_profile({2, 2, 0x2010, 0x1020});
    EXPECT_EQ(detect(bytes), ImportFormat::gperftools);
    EXPECT_EQ(records(ImportFormat::gperftools, bytes),
              "leaf(int):0 20000000 2\nmain:0 -> leaf(int) 20000000 2\n");
    EXPECT_EQ(notes_of(ImportFormat::gperftools, bytes).limits, "a sample every 10 ms");
    EXPECT_EQ(records(ImportFormat::gperftools,
                      "--- symbol\n0x2010 leaf\n---\n--- heap\nheap profile: 1: 8 [1: 8] @ "
                      "heapprofile\n1: 8 [1: 8] @ 0x2010\n"),
              "leaf:0 8 1\n");
}

TEST(ImportGperftools, addresses_in_names_are_left_out) {
    EXPECT_EQ(
        records(ImportFormat::gperftools,
                "--- symbol\n0x10 f<int>(int)<00000000000012ab>\n0x20 g<00000000000030a4>--h<int>\n"
                "0x30 <00000000000030a4>\n0x40 k<00000000000030a4>(int)\n---\n--- heap\n"
                "heap profile: 4: 8 [4: 8] @ heapprofile\n1: 1 [1: 1] @ 0x10\n1: 2 [1: 2] @ 0x20\n"
                "1: 3 [1: 3] @ 0x30\n1: 2 [1: 2] @ 0x40\n"),
        "<00000000000030a4>:0 3 1\nf<int>(int):0 1 1\ng--h<int>:0 2 1\nk<00000000000030a4>(int):0 2 1\n");
}

TEST(ImportGperftools, a_profile_that_was_cut_is_read_as_far_as_it_goes) {
    const std::string whole = cpu_profile(two_samples);
    EXPECT_EQ(records(ImportFormat::gperftools, whole.substr(0, 40 + 32 + 20), "trace-cut"),
              "0x1020:0 -> 0x2010 20000000 2\n0x2010:0 20000000 2\n");
    EXPECT_EQ(refusal(ImportFormat::gperftools, whole.substr(0, 40)), "the profile has no stacks");
    EXPECT_EQ(refusal(ImportFormat::gperftools, whole.substr(0, 39)),
              "neither a profile of gperftools or jemalloc nor Go's text");
}

TEST(ImportGperftools, a_heap_without_all_that_its_heading_states_was_cut) {
    const std::string text = "heap profile: 3: 40 [5: 100] @ heapprofile\n2: 30 [3: 80] @ 0x2010\n";
    EXPECT_EQ(records(ImportFormat::gperftools, text, "trace-cut"), "0x2010:0 30 80 3 2\n");
    EXPECT_EQ(records(ImportFormat::gperftools, text + "1: 10 [1: 10] @ 0x2010\n", "trace-cut"),
              "0x2010:0 40 90 4 3\n")
        << "of what was freed";
    EXPECT_EQ(records(ImportFormat::gperftools, text + "1: 10 [2: 20] @ 0x2010\n"), "0x2010:0 40 100 5 3\n");
    EXPECT_EQ(records(ImportFormat::gperftools, text + "\nMAPPED_LIBRARIES:\n"), "0x2010:0 30 80 3 2\n")
        << "what comes behind the stacks is there";
    EXPECT_EQ(notes_text(notes_of(ImportFormat::gperftools, text + "\nMAPPED_LIBRARIES:\n0040")), "trace-cut")
        << "within a line";
    const std::string routines = "goroutine profile: total 3\n2 @ 0x10\n#\t0x10\tmain.f+0x1\ta.go:3\n";
    EXPECT_EQ(notes_text(notes_of(ImportFormat::go_text, routines)), "trace-cut");
    EXPECT_EQ(
        notes_text(notes_of(ImportFormat::go_text, routines + "\n1 @ 0x10\n#\t0x10\tmain.f+0x1\ta.go:3\n")),
        "");
}

TEST(ImportGperftools, names_without_samples_behind_them_to_the_end_may_be_cut_within_one) {
    const std::string symbols = "--- symbol\n0x2010 leaf\n---\n--- profile\n";
    const std::string bytes = symbols + cpu_profile({2, 1, 0x2010, 1, 1, 0x2010});
    EXPECT_EQ(records(ImportFormat::gperftools, bytes.substr(0, bytes.size() - 4), "trace-cut"),
              "leaf:0 20000000 2\n");
}

TEST(ImportGperftools, a_sample_that_says_it_has_more_frames_than_any_is_refused) {
    EXPECT_EQ(refusal(ImportFormat::gperftools, cpu_profile({1, 1, 7, 1, UINT64_MAX / 8, 9})),
              "sample 2 says that it has 2305843009213693951 frames");
    EXPECT_EQ(refusal(ImportFormat::gperftools, cpu_profile({1, 100'001})),
              "sample 1 says that it has 100001 frames");
}

TEST(ImportGperftools, samples_without_frames_are_omitted) {
    EXPECT_EQ(records(ImportFormat::gperftools, cpu_profile({4, 0, 1, 1, 7, 0, 1, 0}), "without-stack"),
              "0x7:0 10000000 1\n");
}

TEST(ImportGperftools, heaps_have_what_is_in_use_and_what_was_allocated) {
    constexpr std::string_view text =
        "heap profile:      3:       40 [     5:      100] @ heapprofile\n"
        "     2:       30 [     3:       80] @ 0x00002010 0x00001020\n"
        "     1:       10 [     2:       20] @ 0x00002010\n"
        "\nMAPPED_LIBRARIES:\n00001000-00003000 r-xp 00000000 08:01 17 /bin/a\n";
    EXPECT_EQ(detect(text), ImportFormat::gperftools);
    EXPECT_EQ(records(ImportFormat::gperftools, text), "0x1020:0 -> 0x2010 30 80 3 2\n0x2010:0 40 100 5 3\n");
    const auto profile = read_without_errors(import(ImportFormat::gperftools, text)->text);
    EXPECT_EQ(profile.events()[0].name, "inuse_space");
    EXPECT_EQ(profile.events()[1].name, "alloc_space");
    EXPECT_EQ(profile.total(event_of(profile, "alloc_space")), 100);
}

TEST(ImportGperftools, allocations_that_are_all_in_use_are_not_listed_twice) {
    EXPECT_EQ(records(ImportFormat::gperftools,
                      "heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x7\n-1: -3 [0: 0] @ 0x8\n"),
              "0x7:0 8 1\n0x8:0 -3 -1\n");
    EXPECT_EQ(records(ImportFormat::gperftools, "heap profile: 1: 8 [1: 8] @ growthz\n1: 8 [1: 8] @ 0x7\n"),
              "0x7:0 8 1\n");
}

TEST(ImportGperftools, samples_of_a_heap_are_scaled_to_what_they_stand_for) {
    // 1 / (1 - exp(-1)) = 1.58
    constexpr std::string_view text =
        "heap profile: 1: 1000 [1: 1000] @ heap_v2/1000\n10: 10000 [10: 10000] @ 0x7\n";
    EXPECT_EQ(records(ImportFormat::gperftools, text), "0x7:0 15819 15\n");
    EXPECT_TRUE(
        notes_of(ImportFormat::gperftools, text).limits.starts_with("sampled every 1000 bytes: scaled; "));
    // Go gives twice its rate.
    EXPECT_EQ(records(ImportFormat::go_text,
                      "heap profile: 1: 8 [1: 8] @ heap/2000\n10: 10000 [10: 10000] @ 0x7\n"),
              "0x7:0 15819 15\n");
    EXPECT_EQ(
        records(ImportFormat::go_text, "heap profile: 1: 8 [1: 8] @ heap/2\n10: 10000 [10: 10000] @ 0x7\n"),
        "0x7:0 10000 10\n");
}

TEST(ImportGperftools, jemalloc_has_a_line_for_all_threads) {
    constexpr std::string_view text =
        "heap_v2/524288\n  t*: 3: 300 [0: 0]\n  t0: 3: 300 [0: 0]\n@ 0x2010 0x1020\n  t*: 2: 200000000 [0: "
        "0]\n"
        "  t0: 1: 100000000 [0: 0] main\n  t1: 1: 100000000 [0: 0]\n@ 0x1020\n  t*: 1: 100000000 [0: 0]\n\n"
        "MAPPED_LIBRARIES:\n1000-2000 r-xp 00000000 fe:00 1 /bin/a\n";
    EXPECT_EQ(detect(text), ImportFormat::jemalloc);
    EXPECT_EQ(records(ImportFormat::jemalloc, text),
              "0x1020:0 -> 0x2010 200000000 2\n0x1020:0 100000000 1\n0x2010:0 200000000 2\n");
    EXPECT_EQ(notes_of(ImportFormat::jemalloc, text).limits,
              "sampled every 512 KiB: scaled; 2 functions are addresses; for names put the program and its "
              "libraries, with symbols, where they were");
}

TEST(ImportGperftools, frames_of_go_have_names_files_and_lines) {
    constexpr std::string_view text =
        "goroutine profile: total 3\n2 @ 0x10 0x20\n# labels: {\"a\":\"b\"}\n"
        "#\t0xf\tmain.(*pot).stir+0x1\t/src/soup.go:25\n"
        "#\t0x1f\tmain.main+0x2\t\t/src/soup.go:48\n\n1 @ 0x30\n\n";
    EXPECT_EQ(detect(text), ImportFormat::go_text);
    EXPECT_EQ(records(ImportFormat::go_text, text, "labels-ignored"),
              "0x30:0 1\nmain.(*pot).stir:25 2\nmain.main:48 -> main.(*pot).stir 2\n");
    EXPECT_EQ(notes_of(ImportFormat::go_text, text).limits, "1 function is an address");
    EXPECT_EQ(records(ImportFormat::go_text, "threadcreate profile: total 1\n1 @\n#\t0x0\n\n1 @ 0x7\n",
                      "without-stack"),
              "0x7:0 1\n");
}

TEST(ImportGperftools, contention_is_counted_and_its_cycles_are_nanoseconds) {
    constexpr std::string_view settings =
        "cycles/second = 2000000000\nsampling period = 10\nms since reset = 5\n";
    const std::string text = "--- mutex:\n" + std::string(settings) + "300 2 @ 0x7\n";
    EXPECT_EQ(detect(text), ImportFormat::go_text);
    EXPECT_EQ(records(ImportFormat::go_text, text), "0x7:0 1500 20\n");
    EXPECT_EQ(records(ImportFormat::go_text, "--- contention:\n300 2 @ 0x7\n"), "0x7:0 300 2\n");
}

TEST(ImportGperftools, lines_that_say_nothing_are_skipped) {
    EXPECT_EQ(records(ImportFormat::gperftools,
                      "heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x7 what\n1: 8 @ 0x8\n"
                      "99999999999999999999: 8 [1: 8] @ 0x9\n",
                      "unreadable-line x3 at 2"),
              "0x7:0 8 1\n");
}

TEST(ImportGperftools, other_texts_are_refused_and_not_claimed) {
    for (const std::string_view text :
         {"x", "heap profile of my program\n1: 2\n", "heap_v2/\n", "goroutine 1 [running]:\nmain.main()\n",
          "55d6ad0ef000-55d6ad0f0000 r--p 00000000 00:00 1 /bin/a\n"}) {
        EXPECT_EQ(detect(text), std::nullopt) << text;
        for (const ImportFormat format :
             {ImportFormat::gperftools, ImportFormat::jemalloc, ImportFormat::go_text})
            EXPECT_NE(refusal(format, text), "") << text;
    }
    EXPECT_EQ(detect(std::string(400, '\0')), std::nullopt);
    EXPECT_EQ(import(ImportFormat::gperftools, "").error().code, ErrorCode::empty_file);
}

TEST(ImportGperftools, deep_stacks_are_cut_and_take_linear_time) {
    std::string text = "heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @";
    for (int i = 0; i < 100'001; ++i) text += " 0x7";
    EXPECT_EQ(records(ImportFormat::gperftools, text + "\n", "stack-cut"),
              "0x7'2:0 -> 0x7'2 8 1\n0x7'2:0 8 1\n0x7:0 -> 0x7'2 8 1\n");
    callcost::test::expect_linear_import(ImportFormat::gperftools, [](std::size_t depth) {
        std::string stack = "heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @";
        for (std::size_t i = 0; i < depth; ++i) stack += " " + std::to_string(i);
        return stack + "\n";
    });
}

}  // namespace
