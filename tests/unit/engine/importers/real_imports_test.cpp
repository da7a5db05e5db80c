// Files of tests/imports against the figures of other programs.
#include <algorithm>
#include <sstream>
#include <vector>

#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::Profile;
using callcost::engine::ImportFormat;
using callcost::test::FunctionCost;

struct Case {
    const char* file;
    ImportFormat format;
    const char* notes;
};

/// Formats that name a file for most functions.
bool expected_with_files(ImportFormat format) {
    return format == ImportFormat::cpuprofile || format == ImportFormat::speedscope ||
           format == ImportFormat::firefox || format == ImportFormat::heapprofile ||
           format == ImportFormat::dhat || format == ImportFormat::massif ||
           format == ImportFormat::chrome_trace || format == ImportFormat::pstats ||
           format == ImportFormat::go_text || format == ImportFormat::stackprof;
}

/// Folded stacks, sorted.
std::string paths_text(const callcost::Stacks& stacks, std::uint32_t event) {
    std::vector<std::string> names, lines;
    for (std::uint32_t stack = 0; stack < stacks.size(); ++stack) {
        const std::uint32_t caller = stacks.caller(stack);
        names.push_back((caller == callcost::Stacks::none ? "" : names[caller] + ";") +
                        std::string(stacks.names(stacks.last_function(stack)).name));
        if (const auto cost = stacks.self(stack, event); cost != 0)
            lines.push_back(names.back() + " " + std::to_string(cost) + "\n");
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
}

class RealImports : public testing::TestWithParam<Case> {};

TEST_P(RealImports, give_the_figures_of_other_programs) {
    const std::string name = GetParam().file;
    const std::string bytes = callcost::test::import_bytes(name);
    EXPECT_EQ(callcost::engine::detect(bytes), GetParam().format);
    EXPECT_EQ(callcost::engine::detect(bytes.substr(0, 1500)), GetParam().format);
    callcost::Stacks stacks;
    const auto imported = callcost::test::import(GetParam().format, bytes, {.stacks = &stacks});
    ASSERT_TRUE(imported.has_value()) << imported.error().detail;
    EXPECT_EQ(callcost::test::notes_text(imported->notes), GetParam().notes);
    EXPECT_FALSE(imported->notes.kind.empty());
    const Profile profile = callcost::test::read_without_errors(imported->text);

    std::map<std::string, std::map<std::string, FunctionCost>> expected;
    std::map<std::string, std::uint64_t> counts;
    std::istringstream figures(callcost::test::import_bytes(name + ".tsv"));
    for (std::string line; std::getline(figures, line);) {
        std::istringstream fields(line);
        std::string event, function, self, inclusive;
        std::getline(fields, event, '\t');
        std::getline(fields, function, '\t');
        std::getline(fields, self, '\t');
        std::getline(fields, inclusive, '\t');
        expected[event][function] = {.self = std::stoll(self), .inclusive = std::stoll(inclusive)};
        if (std::string calls; std::getline(fields, calls)) counts[function] = std::stoull(calls);
    }
    EXPECT_EQ(profile.events().size(), expected.size());
    for (const auto& [event, functions] : expected) {
        auto costs = callcost::test::folded_costs(profile, callcost::test::event_of(profile, event),
                                                  expected_with_files(GetParam().format));
        std::erase_if(costs, [](const auto& one) { return one.second == FunctionCost{}; });
        EXPECT_EQ(costs.size(), functions.size()) << event;
        for (const auto& [function, cost] : functions) {
            EXPECT_EQ(costs[function].self, cost.self) << event << ' ' << function;
            EXPECT_EQ(costs[function].inclusive, cost.inclusive) << event << ' ' << function;
        }
    }
    if (counts.empty()) return;
    for (std::size_t row = 0; row < profile.arc_count(); ++row) {
        const callcost::ArcId arc(row);
        EXPECT_FALSE(profile.count(arc).at_least);
        std::string_view callee = profile.name(profile.callee(arc));
        if (callee.ends_with("'2")) callee.remove_suffix(2);
        counts[std::string(callee)] -= profile.count(arc).known;
    }
    for (const auto& [function, left] : counts) EXPECT_EQ(left, 0U) << function;
    EXPECT_EQ(paths_text(stacks, stacks.find_event(profile.events()[0].name)),
              callcost::test::import_bytes(name + ".paths"));
}

INSTANTIATE_TEST_SUITE_P(
    All, RealImports,
    testing::Values(
        Case{"go-cpu.pb", ImportFormat::pprof, ""},
        Case{"go-heap.pb", ImportFormat::pprof, "labels-ignored x29"},
        Case{"node.cpuprofile", ImportFormat::cpuprofile, "time-before-samples x20720"},
        Case{"v8-profiler-next.cpuprofile", ImportFormat::cpuprofile, "time-before-samples x8902"},
        Case{"two-units.speedscope.json", ImportFormat::speedscope, ""},
        Case{"evented-two-threads.speedscope.json", ImportFormat::speedscope, ""},
        Case{"own-cpuprofile.speedscope.json", ImportFormat::speedscope, ""},
        Case{"tracegrind-v3.msgpack.lz4", ImportFormat::tracegrind, "markers-ignored x2, child-processes"},
        Case{"tracegrind-v4.msgpack.lz4", ImportFormat::tracegrind, "markers-ignored x2, child-processes"},
        Case{"tracegrind-v5.msgpack.lz4", ImportFormat::tracegrind, "markers-ignored x2, child-processes"},
        Case{"tracegrind-odd.msgpack.lz4", ImportFormat::tracegrind,
             "no-stack x2, call-without-return x2, return-without-call, trace-cut"},
        Case{"gecko.firefox.json", ImportFormat::firefox, ""},
        Case{"v29-perf.firefox.json", ImportFormat::firefox, ""},
        Case{"v48-perf.firefox.json", ImportFormat::firefox, ""},
        Case{"v57-trace.firefox.json", ImportFormat::firefox, ""},
        Case{"v70-dhat.firefox.json", ImportFormat::firefox, ""},
        Case{"cpu.gperftools", ImportFormat::gperftools, ""},
        Case{"symbols.gperftools", ImportFormat::gperftools, ""},
        Case{"tcmalloc.gperftools", ImportFormat::gperftools, ""},
        Case{"final.jemalloc", ImportFormat::jemalloc, ""}, Case{"heap.go-text", ImportFormat::go_text, ""},
        Case{"block.go-text", ImportFormat::go_text, ""}, Case{"dump.stackprof", ImportFormat::stackprof, ""},
        Case{"json.stackprof", ImportFormat::stackprof, ""},
        Case{"graph-dump.stackprof", ImportFormat::stackprof, "estimated-stacks, costs-estimated x20"},
        Case{"graph-json.stackprof", ImportFormat::stackprof, "estimated-stacks, costs-estimated x7"},
        Case{"perf.txt", ImportFormat::perf_script, ""},
        Case{"perf-srcline.txt", ImportFormat::perf_script, ""},
        Case{"soup.folded", ImportFormat::folded, "annotations-dropped at 7"},
        Case{"soup-diff.folded", ImportFormat::folded, ""}, Case{"decimals.folded", ImportFormat::folded, ""},
        Case{"old-layout.cpuprofile", ImportFormat::cpuprofile, ""},
        Case{"node.heapprofile", ImportFormat::heapprofile, "invalid-reference x3"},
        Case{"v8-profiler-next.heapprofile", ImportFormat::heapprofile, ""},
        Case{"heap.dhat.json", ImportFormat::dhat, ""}, Case{"ad-hoc.dhat.json", ImportFormat::dhat, ""},
        Case{"stacks.massif", ImportFormat::massif, ""}, Case{"pages.massif", ImportFormat::massif, ""},
        Case{"devtools.trace.json", ImportFormat::chrome_trace,
             "markers-ignored x20, asynchronous-ignored x7, time-before-samples x114133"},
        Case{"clang.trace.json", ImportFormat::chrome_trace, "sums-omitted x85"},
        Case{"node.trace.json", ImportFormat::chrome_trace, ""},
        Case{"uftrace.trace.json", ImportFormat::chrome_trace, ""},
        Case{"python27.pstats", ImportFormat::pstats, "estimated-stacks"},
        Case{"python311.pstats", ImportFormat::pstats, "estimated-stacks"},
        Case{"python311-pure.pstats", ImportFormat::pstats, "estimated-stacks, costs-estimated x28"},
        Case{"python313.pstats", ImportFormat::pstats, "estimated-stacks"}),
    [](const auto& one) {
        std::string name = one.param.file;
        for (char& c : name)
            if (c == '.' || c == '-') c = '_';
        return name;
    });

}  // namespace
