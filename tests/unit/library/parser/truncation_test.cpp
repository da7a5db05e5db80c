// F10: a file cut anywhere can be read, or is refused for a reason.
#include <gtest/gtest.h>

#include "unit/library/parser/corpus.hpp"
#include "unit/library/parser/profile_text.hpp"

namespace callcost::test {
namespace {

std::uint64_t cost_lines(const Profile& profile) {
    std::uint64_t lines = 0;
    for (const Part& part : profile.parts()) lines += part.cost_lines;
    return lines;
}

/// Bytes up to the end of the first `events:` line.
std::size_t end_of_events(const std::string& bytes) {
    const std::size_t line = bytes.starts_with("events:") ? 0 : bytes.find("\nevents:") + 1;
    return bytes.find('\n', line) + 1;
}

/// Cuts behind every `step`-th byte.
void expect_readable_however_cut(const std::string& path, std::size_t step) {
    SCOPED_TRACE(path);
    const std::string bytes = profile_bytes(path);
    const std::uint64_t whole = cost_lines(read(bytes));
    const std::size_t enough = end_of_events(bytes);
    ASSERT_GT(enough, 1U);
    std::uint64_t before = 0;
    for (std::size_t size = 0; size < bytes.size(); size += step) {
        const auto cut = read_profile(from_memory(std::string_view(bytes).substr(0, size)));
        if (size >= enough) {
            ASSERT_TRUE(cut) << size;
        }
        if (!cut) {
            const ErrorCode code = cut.error().code;
            EXPECT_TRUE(code == ErrorCode::empty_file || code == ErrorCode::not_a_profile ||
                        code == ErrorCode::no_events)
                << size;
            continue;
        }
        const std::uint64_t lines = cost_lines(*cut);
        ASSERT_LE(lines, whole) << size;
        ASSERT_GE(lines + 1, before) << size;  // a line cut short may turn into something else
        before = lines;
    }
}

TEST(Truncation, small_files_may_end_at_any_byte) {
    for (const char* path :
         {"gdb-callgrind/top.callgrind", "phpspy/sample.cg", "remake/process-2.callgrind",
          "perfgrind/callgraph-symbol.grind", "kcachegrind-converters/dprof2calltree.callgrind",
          "callgrind/toggle-collect.out", "xdebug/cli-r.cachegrind.out",
          "go-pprof/heap-alloc-space.callgrind", "valgrind-xtree/leak.kcg", "erlang/erlgrind-fprof.cgrind",
          "ruby-prof/wall-2-thread.callgrind"})
        expect_readable_however_cut(path, is_sanitized ? 5 : 1);
}

TEST(Truncation, larger_files_may_end_at_many_bytes) {
    constexpr std::size_t fewer = is_sanitized ? 8 : 1;
    expect_readable_however_cut("yappi/wall.callgrind", 7 * fewer);
    expect_readable_however_cut("callgrind/threads-separate.out-02", 7 * fewer);
    expect_readable_however_cut("cachegrind/diff.out", 31 * fewer);
    expect_readable_however_cut("xdebug/append-two-runs.cachegrind.out", 1021 * fewer);
    expect_readable_however_cut("callgrind/instr-jumps.out", 1021 * fewer);
    expect_readable_however_cut("callgrind/every-bb-combined.out", 331 * fewer);
}

}  // namespace
}  // namespace callcost::test
