#include "importers/perf_lines.hpp"
#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::engine::ImportFormat;
using callcost::engine::ImportOptions;
using callcost::engine::ProcessRoot;
using callcost::test::records_text;

callcost::Profile perf_profile(std::string_view text, const ImportOptions& options = {},
                               const char* notes = "") {
    const auto imported = callcost::test::import(ImportFormat::perf_script, text, options);
    EXPECT_TRUE(imported.has_value());
    EXPECT_EQ(callcost::test::notes_text(imported->notes), notes);
    return callcost::test::read_without_errors(imported->text);
}

std::string event_text(std::string_view line) {
    const auto event = callcost::engine::parse_perf_event(line);
    if (!event) return "none";
    std::string text = std::string(event->process) + '|' + std::string(event->name) + '|';
    if (event->period) text += std::to_string(*event->period);
    return text + '|' + std::string(event->frame);
}

TEST(PerfLines, events_are_found_whatever_fields_there_are) {
    EXPECT_EQ(event_text("inl 16169 39153.100331:    2000000 cpu-clock:ppp: "), "inl|cpu-clock:ppp|2000000|");
    EXPECT_EQ(event_text("swapper     0 [000]  1234.567800: cycles: "), "swapper|cycles||");
    EXPECT_EQ(event_text("java 12345/12346 [003] 241.123456:          1 cycles:u:"), "java|cycles:u|1|");
    EXPECT_EQ(event_text("             inl 16169 cpu-clock:ppp: "), "inl|cpu-clock:ppp||");
    EXPECT_EQ(event_text("Web Content 2 1234 [001] 5.5: 7 cycles:"), "Web Content 2|cycles|7|");
    EXPECT_EQ(event_text("Web Content 1234 7 cycles:"), "Web Content|cycles|7|");
    EXPECT_EQ(event_text("kworker/0:1-ev 7 [000] 1.5: sched:sched_switch: prev_comm=a b:"),
              "kworker/0:1-ev|sched:sched_switch||");
    EXPECT_EQ(event_text("inl -1 1.5: cycles:"), "inl|cycles||");
    EXPECT_EQ(
        event_text("inl 16190 39155.697005:  2000000 cpu-clock:ppp:      56062cd571ec rec+0x5c (/tmp/inl)"),
        "inl|cpu-clock:ppp|2000000|56062cd571ec rec+0x5c (/tmp/inl)");
    EXPECT_EQ(event_text("inl 1 1.5: PERF_RECORD_MMAP2 1/1: [0x1(0x2) @ 0]"), "none");
    EXPECT_EQ(event_text("no event at all"), "none");
}

TEST(PerfLines, frames_have_a_symbol_and_an_object) {
    const auto text = [](std::string_view line) {
        const auto frame = callcost::engine::parse_perf_frame(line);
        return std::string(frame.name) + '|' + std::string(frame.object) +
               (frame.is_inlined ? "|inlined" : "");
    };
    EXPECT_EQ(text("\t            11ec rec+0x5c (/tmp/inl)"), "rec|/tmp/inl");
    EXPECT_EQ(text("\t   11ec foo(int, char (*)(int))+0x5c (/tmp/my (old)/inl)"),
              "foo(int, char (*)(int))|/tmp/my (old)/inl");
    EXPECT_EQ(text("\t   11ec foo(int)"), "foo(int)|");
    EXPECT_EQ(text("\t   0 [unknown] ([unknown])"), "[unknown]|");
    EXPECT_EQ(text("\t   5 [unknown] (/usr/lib/libc.so.6)"), "[unknown]|/usr/lib/libc.so.6");
    EXPECT_EQ(text("\t   5 (/usr/lib/libc.so.6)"), "[unknown]|/usr/lib/libc.so.6");
    EXPECT_EQ(text("\t   5 work (inlined)"), "work||inlined");
    EXPECT_EQ(text("\trec"), "rec|");
    EXPECT_EQ(text("\t   7f5 a+b+0x (x)"), "a+b+0x|x");
    EXPECT_EQ(text("\t   7f5 gone (/tmp/x (deleted))"), "gone|/tmp/x (deleted)");
}

TEST(PerfLines, source_lines_stand_behind_two_blanks) {
    const auto text = [](std::string_view line) {
        const auto place = callcost::engine::perf_source_line(line);
        return place ? std::string(place->file) + '|' + std::to_string(place->line) +
                           (place->is_inlined ? "|inlined" : "")
                     : "none";
    };
    EXPECT_EQ(text("  inl.c:2"), "inl.c|2");
    EXPECT_EQ(text("  /a b/inl.c:2 (discriminator 3)"), "/a b/inl.c|2");
    EXPECT_EQ(text("  ??:0"), "|0");
    EXPECT_EQ(text("  libc.so.6[27249]"), "|0");
    EXPECT_EQ(text("  inl.c:2 (inlined)"), "inl.c|2|inlined");
    EXPECT_EQ(text("  libc.so.6[27249] (inlined)"), "|0|inlined");
    EXPECT_EQ(text("   deeper:2"), "none");
    EXPECT_EQ(text("  comm 12 cycles:"), "none");
}

constexpr std::string_view two_events =
    "soup 7 1.1: 100 cycles:pp: \n"
    "\t 11 chop+0x1 (/bin/soup)\n"
    "\t 12 main+0x2 (/bin/soup)\n"
    "\n"
    "soup 7 1.2: 9 page-faults: \n"
    "\t 13 main+0x3 (/bin/soup)\n"
    "soup 7 1.3: 50 cycles:p: \n"
    "\t 12 main+0x2 (/bin/soup)\n";

TEST(ImportPerfScript, events_are_event_types) {
    const auto profile = perf_profile(two_events);
    ASSERT_EQ(profile.events().size(), 2U);
    EXPECT_EQ(profile.events()[0].name, "cycles");
    EXPECT_EQ(profile.events()[1].name, "page_faults");
    EXPECT_EQ(profile.events()[1].long_name, "page-faults");
    EXPECT_EQ(records_text(profile), "chop:0 100\nmain:0 -> chop 100\nmain:0 50 9\n");
}

TEST(ImportPerfScript, the_most_frequent_event_comes_first) {
    const auto profile = perf_profile(
        "s 7 1.1: 900 faults: \n\t 1 f (x)\n\ns 7 1.1: 3 cycles:u: \n\t 1 f (x)\n\ns 7 1.1: 3 cycles:u: \n\t "
        "1 f (x)\n");
    EXPECT_EQ(profile.events()[0].name, "cycles_u");
    EXPECT_EQ(profile.events()[0].long_name, "cycles:u");
    EXPECT_EQ(profile.events()[1].name, "faults");
    EXPECT_EQ(profile.events()[1].long_name, "");
    EXPECT_EQ(records_text(profile), "f:0 6 900\n");
}

TEST(ImportPerfScript, clocks_count_nanoseconds) {
    for (const std::string_view event : {"cpu-clock:ppp", "task-clock:u", "cpu-clock"}) {
        const auto imported = callcost::test::import(
            ImportFormat::perf_script, "a 1 2.0: 250000 " + std::string(event) + ":\n\t12 f+0x1 (/bin/a)\n");
        ASSERT_TRUE(imported.has_value());
        EXPECT_EQ(callcost::test::read_without_errors(imported->text).events()[0].unit, "ns") << event;
    }
    EXPECT_EQ(perf_profile("a 1 2.0: cpu-clock:\n\t12 f+0x1 (/bin/a)\n").events()[0].unit, "");
}

TEST(ImportPerfScript, a_process_can_be_the_root) {
    const auto profile = perf_profile(two_events, {.process_root = ProcessRoot::name});
    EXPECT_EQ(records_text(profile), "chop:0 100\nmain:0 -> chop 100\nmain:0 50 9\nsoup:0 -> main 150 9\n");
}

TEST(ImportPerfScript, inlined_functions_are_in_the_object_of_the_one_around) {
    const auto profile = perf_profile(
        "s 7 1.1: 1 cycles: \n\t 11 work (inlined)\n  w.h:7\n\t 11 main+0x1 (/bin/s)\n  m.c:3\n\n");
    EXPECT_EQ(records_text(profile), "main:3 -> work 1\nwork:7 1\n");
    for (std::size_t row = 0; row < profile.function_count(); ++row)
        EXPECT_EQ(profile.name(profile.object(callcost::FunctionId(row))), "/bin/s");
    EXPECT_EQ(profile.file_count(), 3U);
}

// With source lines perf prints it behind them, with the offset and without the object.
TEST(ImportPerfScript, a_source_line_says_that_a_function_is_inlined) {
    const auto profile = perf_profile(
        "s 7 1.1: 1 cycles: \n\t 11 work+0x1\n  w.h:7 (inlined)\n\t 11 main+0x1 (/bin/s)\n  m.c:3\n\n");
    EXPECT_EQ(records_text(profile), "main:3 -> work 1\nwork:7 1\n");
    ASSERT_EQ(profile.function_count(), 2U);
    for (std::size_t row = 0; row < profile.function_count(); ++row)
        EXPECT_EQ(profile.name(profile.object(callcost::FunctionId(row))), "/bin/s");
}

TEST(ImportPerfScript, frames_without_events_are_samples) {
    const auto profile = perf_profile("\n\t 11 f\n\t 12 main\n\n\t 12 main\n");
    EXPECT_EQ(profile.events()[0].name, "samples");
    EXPECT_EQ(records_text(profile), "f:0 1\nmain:0 -> f 1\nmain:0 1\n");
}

TEST(ImportPerfScript, a_sample_without_a_stack_is_kept) {
    const auto profile = perf_profile("s 7 1.1: 3 cycles: \n\ns 7 1.1: 4 cycles: \n", {}, "no-stack x2 at 2");
    EXPECT_EQ(records_text(profile), "(no stack):0 7\n");
}

TEST(ImportPerfScript, other_lines_are_skipped_and_noted) {
    (void)perf_profile("s 7 1.1: PERF_RECORD_COMM: x:7/7\nlost in space\ns 7 1.1: 3 cycles: \n\t 1 f (x)\n",
                       {}, "unreadable-line at 2");
}

TEST(ImportPerfScript, the_command_is_that_of_the_profiled_program) {
    const auto command = [](const std::string& header) -> std::string {
        const auto profile =
            perf_profile("# ========\n# cmdline : " + header + " \n#\ns 7 1.1: 3 c: \n\t 1 f (x)\n");
        return std::string(profile.parts()[0].command);
    };
    EXPECT_EQ(command("/usr/bin/perf record ./soup"), "./soup");
    EXPECT_EQ(command("perf_6.1 record -q -F 499 -ge cpu-clock:u,page-faults -o p.data ./soup -F 2"),
              "./soup -F 2");
    EXPECT_EQ(command("perf record -F99 --call-graph dwarf,2048 --freq=99 --no-inherit -z -- ./soup  -- x"),
              "./soup  -- x");
    EXPECT_EQ(command("./soup perf record x"), "./soup perf record x") << "of the header of another tool";
    EXPECT_EQ(command("perf_soup record x"), "perf_soup record x");
    for (const std::string options :
         {"-a", "-ga", "-p 7", "--pid=7", "-C 0", "--cpu 0", "-G x", "--new-option 7", "-E", "-",
          "-e {cycles, cache-misses}", "-e cycles, faults"})
        EXPECT_EQ(command("perf record " + options + " -- sleep 1").find("sleep"), std::string::npos)
            << options;
    for (const char* header :
         {"perf", "perf record", "perf record -g", "perf mem record ./soup", "perf record --"})
        EXPECT_EQ(command(header), "") << header;
}

TEST(ImportPerfScript, a_text_without_samples_is_an_error) {
    const auto prose = callcost::test::import(ImportFormat::perf_script, "Dear reader,\n");
    ASSERT_FALSE(prose.has_value());
    EXPECT_EQ(prose.error().code, callcost::ErrorCode::not_a_profile);
}

TEST(ImportPerfScript, more_events_than_can_be_held_are_noted) {
    std::string text;
    for (int i = 0; i < 70; ++i) text += "s 7 1.1: 3 e" + std::to_string(i) + ": \n\t 1 f (x)\n\n";
    const auto imported = callcost::test::import(ImportFormat::perf_script, text);
    ASSERT_TRUE(imported.has_value());
    EXPECT_EQ(callcost::test::notes_text(imported->notes), "events-dropped x6 at 195");
}

}  // namespace
