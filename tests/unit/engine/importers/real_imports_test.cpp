// Files of tests/imports against the figures of other programs.
#include <sstream>

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
    return format == ImportFormat::cpuprofile || format == ImportFormat::speedscope;
}

class RealImports : public testing::TestWithParam<Case> {};

TEST_P(RealImports, give_the_figures_of_other_programs) {
    const std::string name = GetParam().file;
    const std::string bytes = callcost::test::import_bytes(name);
    EXPECT_EQ(callcost::engine::detect(bytes), GetParam().format);
    EXPECT_EQ(callcost::engine::detect(bytes.substr(0, 1500)), GetParam().format);
    const auto imported = callcost::test::import(GetParam().format, bytes);
    ASSERT_TRUE(imported.has_value()) << imported.error().detail;
    EXPECT_EQ(callcost::test::notes_text(imported->notes), GetParam().notes);
    const Profile profile = callcost::test::read_without_errors(imported->text);

    std::map<std::string, std::map<std::string, FunctionCost>> expected;
    std::istringstream figures(callcost::test::import_bytes(name + ".tsv"));
    for (std::string line; std::getline(figures, line);) {
        std::istringstream fields(line);
        std::string event, function, self, inclusive;
        std::getline(fields, event, '\t');
        std::getline(fields, function, '\t');
        std::getline(fields, self, '\t');
        std::getline(fields, inclusive, '\t');
        expected[event][function] = {.self = std::stoll(self), .inclusive = std::stoll(inclusive)};
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
}

INSTANTIATE_TEST_SUITE_P(
    All, RealImports,
    testing::Values(Case{"go-cpu.pb", ImportFormat::pprof, ""},
                    Case{"go-heap.pb", ImportFormat::pprof, "labels-ignored x29"},
                    Case{"node.cpuprofile", ImportFormat::cpuprofile, "time-before-samples x20720"},
                    Case{"v8-profiler-next.cpuprofile", ImportFormat::cpuprofile,
                         "time-before-samples x8902"},
                    Case{"two-units.speedscope.json", ImportFormat::speedscope, ""},
                    Case{"evented-two-threads.speedscope.json", ImportFormat::speedscope, ""},
                    Case{"own-cpuprofile.speedscope.json", ImportFormat::speedscope, ""},
                    Case{"perf.txt", ImportFormat::perf_script, ""},
                    Case{"perf-srcline.txt", ImportFormat::perf_script, ""},
                    Case{"soup.folded", ImportFormat::folded, "annotations-dropped at 7"},
                    Case{"soup-diff.folded", ImportFormat::folded, ""},
                    Case{"decimals.folded", ImportFormat::folded, ""}),
    [](const auto& one) {
        std::string name = one.param.file;
        for (char& c : name)
            if (c == '.' || c == '-') c = '_';
        return name;
    });

}  // namespace
