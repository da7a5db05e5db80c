#include "exporters/pprof.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <protozero/pbf_reader.hpp>

#include "exporters/folded.hpp"
#include "exporters/model_rows.hpp"
#include "exporters/speedscope.hpp"
#include "text/names.hpp"
#include "unit/engine/exporters/conversions.hpp"
#include "unit/library/parser/profile_text.hpp"
#include "unit/program/input/temporary_directory.hpp"

namespace callcost::test {
namespace {

/// The parts of profile.proto that are written.
struct Pprof {
    std::vector<std::string> strings, types, comments;
    std::string default_type;
    std::map<std::uint64_t, std::string> functions;      // by number of the location
    std::map<std::uint64_t, std::int64_t> source_lines;  // by number of the location
    std::vector<std::map<std::pair<std::string, std::int64_t>, std::int64_t>>
        by_line;                                            // as flat, and by line
    std::vector<std::int64_t> totals;                       // by sample type
    std::vector<std::map<std::string, std::int64_t>> flat;  // by sample type, then by function
    std::vector<std::string> mappings;                      // their files
};

Pprof read_pprof(const std::string& message) {
    Pprof pprof;
    std::vector<std::pair<std::int64_t, std::int64_t>> types;
    std::vector<std::int64_t> comments;
    std::int64_t default_type = 0;
    std::map<std::uint64_t, std::int64_t> names;
    std::map<std::uint64_t, std::uint64_t> lines;
    std::vector<std::int64_t> mappings;
    std::vector<std::pair<std::vector<std::uint64_t>, std::vector<std::int64_t>>> samples;
    protozero::pbf_reader reader(message);
    while (reader.next()) {
        switch (reader.tag()) {
            case 1: {
                protozero::pbf_reader type = reader.get_message();
                types.emplace_back();
                while (type.next())
                    (type.tag() == 1 ? types.back().first : types.back().second) = type.get_int64();
                break;
            }
            case 2: {
                protozero::pbf_reader sample = reader.get_message();
                samples.emplace_back();
                while (sample.next()) {
                    if (sample.tag() == 1) {
                        const auto range = sample.get_packed_uint64();
                        samples.back().first.assign(range.begin(), range.end());
                    } else {
                        const auto range = sample.get_packed_int64();
                        samples.back().second.assign(range.begin(), range.end());
                    }
                }
                break;
            }
            case 3: {
                protozero::pbf_reader mapping = reader.get_message();
                mappings.emplace_back();
                while (mapping.next()) {
                    if (mapping.tag() == 5) {
                        mappings.back() = mapping.get_int64();
                    } else {
                        mapping.skip();
                    }
                }
                break;
            }
            case 4: {
                protozero::pbf_reader location = reader.get_message();
                std::uint64_t id = 0;
                while (location.next()) {
                    if (location.tag() == 1) {
                        id = location.get_uint64();
                    } else if (location.tag() == 4) {
                        protozero::pbf_reader line = location.get_message();
                        while (line.next()) {
                            if (line.tag() == 1) {
                                lines[id] = line.get_uint64();
                            } else {
                                pprof.source_lines[id] = line.get_int64();
                            }
                        }
                    } else {
                        location.skip();
                    }
                }
                break;
            }
            case 5: {
                protozero::pbf_reader function = reader.get_message();
                std::uint64_t id = 0;
                while (function.next()) {
                    if (function.tag() == 1) {
                        id = function.get_uint64();
                    } else if (function.tag() == 2) {
                        names[id] = function.get_int64();
                    } else {
                        function.skip();
                    }
                }
                break;
            }
            case 6:
                pprof.strings.push_back(reader.get_string());
                break;
            case 13:
                comments.push_back(reader.get_int64());
                break;
            case 14:
                default_type = reader.get_int64();
                break;
            default:
                reader.skip();
        }
    }
    const auto string = [&](std::int64_t number) {
        return pprof.strings.at(static_cast<std::size_t>(number));
    };
    for (const auto& [type, unit] : types) pprof.types.push_back(string(type) + ' ' + string(unit));
    for (const auto comment : comments) pprof.comments.push_back(string(comment));
    for (const auto file : mappings) pprof.mappings.push_back(string(file));
    pprof.default_type = string(default_type);
    for (const auto& [location, function] : lines) pprof.functions[location] = string(names.at(function));
    pprof.totals.resize(types.size());
    pprof.flat.resize(types.size());
    pprof.by_line.resize(types.size());
    for (const auto& [locations, values] : samples) {
        EXPECT_EQ(values.size(), types.size());
        EXPECT_FALSE(locations.empty());
        for (const auto location : locations) EXPECT_TRUE(lines.contains(location));
        for (std::size_t i = 0; i < values.size(); ++i) {
            pprof.totals[i] = wrapped_sum(pprof.totals[i], values[i]);
            std::int64_t& flat = pprof.flat[i][pprof.functions[locations[0]]];
            flat = wrapped_sum(flat, values[i]);
            std::int64_t& line =
                pprof.by_line[i][{pprof.functions[locations[0]], pprof.source_lines[locations[0]]}];
            line = wrapped_sum(line, values[i]);
        }
    }
    return pprof;
}

std::string pprof_of(const CallGraph& graph, const engine::StackOptions& options) {
    std::string bytes;
    EXPECT_TRUE(engine::write_pprof(graph, options, to_memory(bytes)).has_value());
    return bytes;
}

TEST(Pprof, has_every_event_type_with_its_total_and_the_self_cost_of_every_function) {
    for (const std::string& name : converted_profiles) {
        SCOPED_TRACE(name);
        const Profile profile = profile_file(name);
        const CallGraph graph = graph_of(profile);
        engine::StackOptions options;
        options.measures = additive_measures(graph);
        options.tree.max_frames = 5000;
        const Pprof pprof = read_pprof(pprof_of(graph, options));
        ASSERT_EQ(pprof.types.size(), options.measures.size());
        EXPECT_EQ(pprof.strings[0], "");
        EXPECT_EQ(pprof.comments.size(), 2U);
        EXPECT_EQ(pprof.default_type, options.measures[0].name);
        for (std::size_t i = 0; i < options.measures.size(); ++i) {
            auto wanted = options.tree;
            wanted.measure = options.measures[i];
            const Tree tree = estimate_tree(graph, wanted);
            if (tree.negative != 0) continue;
            const auto factor = engine::unit_of(options.measures[i]).factor;
            EXPECT_EQ(pprof.totals[i], graph.total(options.measures[i]) * factor);
            std::map<std::string, std::int64_t> self;
            const ContextNames contexts(profile);
            for (std::size_t row = 0; row < graph.size(); ++row)
                self[engine::to_utf8(contexts.split(graph.function(NodeId(row))).name)] +=
                    graph.self(NodeId(row), options.measures[i]);
            for (const auto& [function, cost] : self) {
                const auto found = pprof.flat[i].find(function);
                const auto written = found == pprof.flat[i].end() ? 0 : found->second;
                EXPECT_EQ(written, cost * factor) << function;
            }
        }
    }
}

// 5050 functions, each a byte at least.
TEST(Pprof, asks_before_it_writes_deep_stacks) {
    EXPECT_EQ(written_of_deep_stacks(engine::write_pprof, 5049), std::pair(false, std::string()));
    const auto [done, bytes] = written_of_deep_stacks(engine::write_pprof, 5050);
    EXPECT_TRUE(done);
    EXPECT_GT(bytes.size(), 5050U);
    EXPECT_EQ(read_pprof(bytes).totals, std::vector<std::int64_t>{500});
}

TEST(Pprof, has_the_cost_of_every_line_and_the_lines_of_calls) {
    const Profile profile = plain_profile(
        "fl=a.c\nfn=main\n1 10\n2 30\nfi=b.h\n7 5\nfe=a.c\ncfn=f\ncalls=1 20\n3 4\ncfn=f\ncalls=1 20\n4 6\n"
        "fn=f\n20 7\n21 3\n");
    const Pprof pprof = read_pprof(pprof_of(graph_of(profile), {}));
    using Line = std::pair<std::string, std::int64_t>;
    EXPECT_EQ(pprof.by_line[0],
              (std::map<Line, std::int64_t>{
                  {{"f", 20}, 7}, {{"f", 21}, 3}, {{"main", 1}, 10}, {{"main", 2}, 30}, {{"main", 7}, 5}}));
    // f's caller is where most of the calls' cost is.
    std::set<std::int64_t> lines;
    for (const auto& [location, line] : pprof.source_lines)
        if (pprof.functions.at(location) == "main") lines.insert(line);
    EXPECT_EQ(lines, (std::set<std::int64_t>{1, 2, 4, 7}));
    EXPECT_NE(std::find(pprof.strings.begin(), pprof.strings.end(), "b.h"), pprof.strings.end());
}

TEST(Pprof, has_the_cost_of_every_line_of_real_profiles) {
    for (const std::string& name : converted_profiles) {
        SCOPED_TRACE(name);
        const Profile profile = profile_file(name);
        const CallGraph graph = graph_of(profile);
        engine::StackOptions options;
        options.tree.max_frames = 300;
        const Pprof pprof = read_pprof(pprof_of(graph, options));
        const Measure measure = default_measure(graph);
        const ContextNames contexts(profile);
        const Measure measures[] = {measure};
        auto wanted = options.tree;
        const Tree tree = estimate_tree(graph, wanted);
        if (tree.negative != 0) continue;
        std::map<std::pair<std::string, std::int64_t>, std::int64_t> lines;
        engine::PlaceRows places(graph, measures);
        for (std::size_t row = 0; row < graph.size(); ++row)
            for (const auto& line : places.of(NodeId(row), engine::PlaceRows::Kind::lines))
                lines[{engine::to_utf8(contexts.split(graph.function(NodeId(row))).name),
                       static_cast<std::int64_t>(line.line)}] += line.costs[0];
        for (const auto& [line, cost] : lines) {
            const auto found = pprof.by_line[0].find(line);
            const auto written = found == pprof.by_line[0].end() ? 0 : found->second;
            EXPECT_EQ(written, cost * engine::unit_of(measure).factor) << line.first << ':' << line.second;
        }
    }
}

TEST(Pprof, names_the_program_first_or_none) {
    const auto mappings = [](const std::string& text, const std::string& command = {}) {
        engine::StackOptions options;
        options.name = command;
        return read_pprof(pprof_of(graph_of(plain_profile(text)), options)).mappings;
    };
    const std::string libraries = "ob=/lib/a.so\nfn=a\n1 1\nob=/lib/b.so\nfn=b\n1 1\n";
    using Files = std::vector<std::string>;
    EXPECT_EQ(mappings(libraries + "ob=/bin/p\nfn=main\n1 1\n"), (Files{"/bin/p", "/lib/a.so", "/lib/b.so"}));
    EXPECT_EQ(mappings(libraries + "ob=/bin/p\nfn=f\n1 1\n", "./p --all"),
              (Files{"/bin/p", "/lib/a.so", "/lib/b.so"}));
    EXPECT_EQ(mappings("fn=main\n1 1\n" + libraries), (Files{"", "/lib/a.so", "/lib/b.so"}));
    EXPECT_EQ(mappings("fn=main\n1 1\n"), Files{});
}

TEST(Pprof, has_units_that_others_know) {
    const Profile profile = profile_file("xdebug/plain.cachegrind.out");
    const Pprof pprof = read_pprof(pprof_of(graph_of(profile), {}));
    EXPECT_EQ(pprof.types, std::vector<std::string>{"Time_(10ns) nanoseconds"});
    EXPECT_EQ(pprof.totals[0], 10 * graph_of(profile).total(default_measure(profile)));
}

TEST(Pprof, is_the_same_whenever_it_is_written) {
    const Profile profile = profile_file("callgrind/all-events.out");
    const CallGraph graph = graph_of(profile);
    engine::StackOptions options;
    options.measures = additive_measures(graph);
    EXPECT_EQ(pprof_of(graph, options), pprof_of(graph, options));
}

TEST(Pprof, does_not_fail_on_costs_of_any_size) {
    const std::string most = std::to_string(INT64_MAX);
    const Profile profile = plain_profile("fl=a\nfn=x\n1 " + most + "\nob=y\nfn=x\n1 " + most +
                                          "\ncfn=z\ncalls=1 1\n1 " + most + "\nfn=z\n1 -5\n");
    const CallGraph graph = graph_of(profile);
    engine::StackOptions options;
    options.tree.recursion = Recursion::unfold;
    const Pprof pprof = read_pprof(pprof_of(graph, options));
    EXPECT_EQ(pprof.types, std::vector<std::string>{"Ir count"});
    std::string json, folded;
    EXPECT_TRUE(engine::write_speedscope(graph, options, to_memory(json)).has_value());
    EXPECT_TRUE(engine::write_folded(graph, estimate_tree(graph), to_memory(folded)).has_value());
    EXPECT_FALSE(folded.empty());
}

TEST(Pprof, hands_on_errors_of_the_sink) {
    const Profile profile = plain_profile("fn=main\n1 1\n");
    EXPECT_FALSE(engine::write_pprof(graph_of(profile), {}, failing_sink()).has_value());
}

std::string output_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string text;
    std::array<char, 4096> buffer{};
    for (std::size_t size = 1; pipe && size != 0;) {
        size = fread(buffer.data(), 1, buffer.size(), pipe.get());
        text.append(buffer.data(), size);
    }
    return text;
}

/// Differential: Go's own reader finds what was written.
TEST(Pprof, is_read_by_go_tool_pprof) {
    if (output_of("go version 2>/dev/null").empty()) GTEST_SKIP() << "no go here";
    const TemporaryDirectory directory;
    for (const char* name : {"callgrind/paths.out", "callgrind/all-events.out"}) {
        SCOPED_TRACE(name);
        const Profile profile = profile_file(name);
        const CallGraph graph = graph_of(profile);
        engine::StackOptions options;
        options.measures = additive_measures(graph);
        const auto path = directory.path("profile.pb.gz");
        std::ofstream(path, std::ios::binary) << pprof_of(graph, options);
        const Pprof pprof = read_pprof(pprof_of(graph, options));
        for (std::size_t i = 0; i < options.measures.size(); i += 3) {
            if (!options.measures[i].unit.empty()) continue;  // would be shown in larger units
            const auto top =
                output_of("HOME=" + directory.path() +
                          " go tool pprof -top -nodecount=0 -nodefraction=0 -unit=count -sample_index=" +
                          options.measures[i].name + " " + path + " 2>&1");
            const auto total = std::to_string(graph.total(options.measures[i]));
            EXPECT_NE(top.find("100% of " + total + " total"), std::string::npos) << top.substr(0, 600);
            std::istringstream lines(top.substr(std::min(top.find("cum%"), top.size() - 4) + 4));
            std::map<std::string, std::int64_t> flat;
            for (std::string line, cost, share, sum, with_callees, its_share; std::getline(lines, line);) {
                std::istringstream words(line);
                if (!(words >> cost >> share >> sum >> with_callees >> its_share)) continue;
                const auto begin = line.find_first_not_of(' ', static_cast<std::size_t>(words.tellg()));
                if (const auto value = std::stoll(cost); value != 0) flat[line.substr(begin)] = value;
            }
            auto expected = pprof.flat[i];
            std::erase_if(expected, [](const auto& row) { return row.second == 0; });
            EXPECT_EQ(flat, expected);
        }
        const auto comments = output_of("HOME=" + directory.path() + " go tool pprof -comments " + path);
        EXPECT_NE(comments.find("stacks are estimated"), std::string::npos) << comments;
    }
}

}  // namespace
}  // namespace callcost::test
