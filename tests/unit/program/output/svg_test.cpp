#include "output/svg.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/engine/exporters/written.hpp"
#include "unit/library/call_graph/questions.hpp"
#include "unit/program/input/temporary_directory.hpp"

namespace callcost::program {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

/// A program in place of `dot`: a shell script.
class Svg : public testing::Test {
  protected:
    SvgOptions options_with(const std::string& script) {
        const auto path = directory_.path("layout");
        std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        SvgOptions options;
        options.program = path;
        return options;
    }

    Error error_of(const SvgOptions& options) {
        const auto written = write_svg(graph_, options, test::failing_sink(0));
        EXPECT_FALSE(written.has_value());
        return written ? Error{} : written.error();
    }

    CallGraph graph_ = test::graph_of(test::profile_of(test::small_profile));
    test::TemporaryDirectory directory_;
};

TEST_F(Svg, is_what_the_program_makes_of_the_dot_text) {
    const auto options = options_with("[ \"$*\" = -Tsvg ] && cat");
    EXPECT_EQ(test::written_by([&](const Sink& sink) { return write_svg(graph_, options, sink); }),
              test::written_by([&](const Sink& sink) { return engine::write_dot(graph_, {}, sink); }));
}

TEST_F(Svg, is_a_picture) {
    if (std::system("dot -V >/dev/null 2>&1") != 0)
        GTEST_SKIP() << "Graphviz is not installed";  // NOLINT(cert-env33-c)
    const auto text = test::written_by([&](const Sink& sink) { return write_svg(graph_, {}, sink); });
    EXPECT_THAT(text, HasSubstr("<svg"));
    EXPECT_THAT(text, EndsWith("</svg>\n"));
}

TEST_F(Svg, needs_the_program) {
    SvgOptions options;
    options.program = "no-such-program-to-lay-out-graphs";
    const auto error = error_of(options);
    EXPECT_EQ(error.code, ErrorCode::cannot_open);
    EXPECT_EQ(error.detail, "no-such-program-to-lay-out-graphs: No such file or directory");
}

TEST_F(Svg, says_what_the_program_says_when_it_fails) {
    auto error = error_of(options_with("echo '<svg/>'; echo syntax error >&2; exit 1"));
    EXPECT_EQ(error.code, ErrorCode::read_failed);
    EXPECT_THAT(error.detail, EndsWith("layout: syntax error"));
    error = error_of(options_with("kill -9 $$"));
    EXPECT_THAT(error.detail, EndsWith("layout: killed by signal 9"));
    error = error_of(options_with("cat >/dev/null"));
    EXPECT_THAT(error.detail, EndsWith("layout: no output"));
}

TEST_F(Svg, does_not_wait_for_ever) {
    auto options = options_with("exec sleep 100");
    options.patience = std::chrono::seconds(1);
    EXPECT_THAT(error_of(options).detail, EndsWith("timed out"));
}

TEST_F(Svg, has_an_upper_size) {
    auto options = options_with("cat >/dev/null; exec yes");
    options.max_bytes = 1'000'000;
    EXPECT_EQ(error_of(options).code, ErrorCode::too_large);
}

/// Neither side reads before it has written: more than any pipe holds.
TEST_F(Svg, reads_and_writes_at_once) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "fn=function_with_a_long_name_" + std::to_string(i) + "\n1 1\n";
    graph_ = test::graph_of(test::plain_profile(text));
    auto options = options_with("yes | head -c 3000000; echo; yes warning | head -c 3000000 >&2; cat");
    options.dot.pruning = {.max_nodes = 5000, .node_fraction = 0, .edge_fraction = 0};
    const auto svg = test::written_by([&](const Sink& sink) { return write_svg(graph_, options, sink); });
    EXPECT_GT(svg.size(), 3'900'000U);
    EXPECT_THAT(svg, EndsWith("}\n"));
    // A program that takes nothing may still succeed.
    options.program = options_with("echo '<svg/>'").program;
    EXPECT_EQ(test::written_by([&](const Sink& sink) { return write_svg(graph_, options, sink); }),
              "<svg/>\n");
}

}  // namespace
}  // namespace callcost::program
