/// Short ways to read a profile and to ask it something, for tests of the analyses.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <callcost/call_graph.hpp>
#include <callcost/read.hpp>

namespace callcost::test {

/// A profile whose text is what would stand in a file.
inline Profile profile_of(std::string_view text, Detail detail = Detail::full) {
    ReadOptions options;
    options.detail = detail;
    auto profile = read_profile(from_memory(text, "test"), options);
    EXPECT_TRUE(profile.has_value());
    return std::move(*profile);
}

/// The same with the header of a plain file of one event type, `Ir`.
inline Profile plain_profile(const std::string& body) { return profile_of("events: Ir\n" + body); }

inline std::string bytes_of(const std::string& name) {
    std::ifstream file(std::string(CALLCOST_TEST_PROFILES "/") + name, std::ios::binary);
    EXPECT_TRUE(file.is_open()) << name;
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A file of tests/profiles.
inline Profile profile_file(const std::string& name, Detail detail = Detail::full) {
    return profile_of(bytes_of(name), detail);
}

/// Several of them added up.
inline Profile profile_files(const std::vector<std::string>& names) {
    ProfileReader reader;
    for (const std::string& name : names)
        EXPECT_TRUE(reader.add(from_memory(bytes_of(name), name)).has_value());
    return std::move(reader).finish();
}

inline CallGraph graph_of(const Profile& profile, const Selection& selection = {}) {
    auto graph = call_graph(profile, selection);
    EXPECT_TRUE(graph.has_value());
    return std::move(*graph);
}

inline Measure measure_of(const Profile& profile, std::string_view name = "Ir") {
    auto measure = find_measure(profile, name);
    EXPECT_TRUE(measure.has_value()) << name;
    return measure.value_or(Measure{});
}

/// The only function of this name.
inline NodeId node_called(const CallGraph& graph, std::string_view name) {
    NodeId found;
    for (std::size_t row = 0; row < graph.size(); ++row) {
        if (graph.name(NodeId(row)) != name) continue;
        EXPECT_FALSE(found.valid()) << "two functions are called " << name;
        found = NodeId(row);
    }
    EXPECT_TRUE(found.valid()) << "no function is called " << name;
    return found;
}

inline FileId file_called(const Profile& profile, std::string_view name) {
    for (std::size_t row = 0; row < profile.file_count(); ++row)
        if (profile.name(FileId(row)) == name) return FileId(row);
    ADD_FAILURE() << "no file is called " << name;
    return FileId(0);
}

/// The arc between two functions.
inline ArcId arc_between(const CallGraph& graph, std::string_view caller, std::string_view callee) {
    for (const ArcId arc : graph.callees(node_called(graph, caller)))
        if (graph.name(graph.callee(arc)) == callee) return arc;
    ADD_FAILURE() << "no arc from " << caller << " to " << callee;
    return {};
}

/// Self cost of all functions together.
inline std::int64_t sum_of_self(const CallGraph& graph, const Measure& measure) {
    std::int64_t sum = 0;
    for (std::size_t row = 0; row < graph.size(); ++row) sum += graph.self(NodeId(row), measure);
    return sum;
}

}  // namespace callcost::test
