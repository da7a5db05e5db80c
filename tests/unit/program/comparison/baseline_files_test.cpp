// A baseline says of functions and arcs what the profile says.
#include "comparison/baseline_files.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "unit/library/parser/corpus.hpp"
#include "unit/library/parser/profile_text.hpp"
#include <callcost/callcost.hpp>

namespace callcost::program {
namespace {

namespace fs = std::filesystem;
using test::read;
using testing::ElementsAre;
using testing::HasSubstr;

class Directory {
  public:
    Directory() {
        std::string name = (fs::temp_directory_path() / "callcost-XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;
    ~Directory() { fs::remove_all(path_); }

    [[nodiscard]] const std::string& path() const { return path_; }
    void save(const std::string& name, const CallGraph& graph, const BaselineFacts& facts) const {
        std::string bytes;
        ASSERT_TRUE(write_baseline(graph, facts, to_memory(bytes)).has_value());
        std::ofstream(*path_of(path_, name), std::ios::binary) << bytes;
    }

  private:
    std::string path_;
};

CallGraph graph_of(const std::string& text) {
    return *call_graph(read("events: Ir\n" + text), {.contexts = Contexts::fold});
}

TEST(Baselines, are_what_the_profile_was) {
    const Directory directory;
    for (const std::string& path : test::real_profiles()) {
        SCOPED_TRACE(path);
        const Profile profile = read(test::profile_bytes(path));
        const auto graph = *call_graph(profile),
                   levels = *call_graph(profile, {.contexts = Contexts::levels});
        std::string bytes;
        BaselineFacts facts;
        facts.creator = graph.profile().parts().empty() ? "" : graph.profile().parts()[0].creator;
        if (!write_baseline(levels, facts, to_memory(bytes))) continue;  // nothing adds up
        std::ofstream(*path_of(directory.path(), "one"), std::ios::binary) << bytes;
        const auto baseline = read_baseline(*path_of(directory.path(), "one"));
        ASSERT_TRUE(baseline.has_value());
        const auto difference = diff(baseline->graph, graph);
        if (!difference) continue;
        EXPECT_EQ(difference->total().delta(), 0);
        for (const FunctionMatch& function : difference->functions()) {
            EXPECT_EQ(function.tier, MatchTier::exact) << difference->name(function);
            EXPECT_EQ(difference->self(function).delta(), 0) << difference->name(function);
            // A baseline has no single calls, as Xdebug's files do: what these tell exactly it may only
            // bound, and its sums were rounded.
            const auto [saved, whole] = difference->inclusive_bounds(function);
            const Cost slack = facts.creator.starts_with("xdebug")
                                   ? Cost(graph.total(default_measure(graph)) / 1000)
                                   : Cost(0);
            EXPECT_LE(saved.least, whole.most + slack) << difference->name(function);
            EXPECT_GE(saved.most, whole.least - slack) << difference->name(function);
            if (saved.is_exact() == whole.is_exact() && slack == 0) {
                EXPECT_EQ(saved, whole) << difference->name(function);
            }
            const auto [before, after] = difference->call_count(function);
            EXPECT_EQ(before, after) << difference->name(function);
        }
        for (const ArcMatch& arc : difference->arcs()) EXPECT_EQ(difference->cost(arc).delta(), 0);
    }
}

TEST(Baselines, keep_what_they_are_told) {
    const Directory directory;
    directory.save("b", graph_of("fl=a.c\nfn=f\n1 5\n"),
                   {"2026-01-02T00:00:00Z", "a\nb", "callgrind-3.19.0"});
    directory.save("a", graph_of("fl=a.c\nfn=f\n1 5\n"), {"2026-01-03T00:00:00Z", "", ""});
    const auto found = read_baselines(directory.path());
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->all.size(), 2U);
    EXPECT_EQ(found->all[0].name, "b") << "the older one first";
    EXPECT_EQ(found->all[0].facts.note, "a\\nb") << "one line";
    EXPECT_EQ(found->all[0].facts.creator, "callgrind-3.19.0");
}

TEST(Baselines, that_are_none_are_said) {
    const Directory directory;
    directory.save("good", graph_of("fl=a.c\nfn=f\n1 5\n"), {"2026-01-02T00:00:00Z", "", ""});
    std::string bytes;
    ASSERT_TRUE(write_baseline(graph_of("fl=a.c\nfn=f\n1 5\n"), {}, to_memory(bytes)).has_value());
    std::ofstream(directory.path() + "/cut.callgrind.gz", std::ios::binary)
        << bytes.substr(0, bytes.size() / 2);
    std::ofstream(directory.path() + "/plain.callgrind.gz") << "events: Ir\nfn=f\n1 5\n";
    std::ofstream(directory.path() + "/later.callgrind.gz")
        << "desc: callcost-baseline: 2\nevents: Ir\nfn=f\n1 5\n";
    std::ofstream(directory.path() + "/other.txt") << "no baseline by its name";
    ASSERT_EQ(mkfifo((directory.path() + "/pipe.callgrind.gz").c_str(), 0600), 0);
    const auto found = read_baselines(directory.path());
    ASSERT_TRUE(found.has_value());
    EXPECT_THAT(found->problems, ElementsAre(HasSubstr("cut.callgrind.gz"), HasSubstr("baseline version 2"),
                                             HasSubstr("plain.callgrind.gz: not a baseline")));
    EXPECT_FALSE(read_baselines(directory.path() + "/nowhere").has_value());
}

TEST(Baselines, have_names_that_stay_in_their_directory) {
    EXPECT_EQ(path_of("d", "main")->string(), "d/main.callgrind.gz");
    EXPECT_TRUE(path_of("d", "v1.2 rc").has_value());
    for (const std::string_view name : {"", "..", "../x", "a/b", ".hidden", "-n", "a\nb"})
        EXPECT_FALSE(path_of("d", name).has_value()) << name;
}

}  // namespace
}  // namespace callcost::program
