/// What the writers are tested with.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "exporters/stacks.hpp"
#include "unit/library/call_graph/questions.hpp"

namespace callcost::test {

/// Profiles of several kinds: trees that are certain and trees that are not, recursion, rounding, several
/// event types, a name that is no UTF-8, one without calls.
inline const std::vector<std::string> converted_profiles = {"callgrind/paths.out",
                                                            "callgrind/all-events.out",
                                                            "callgrind/names-latin1-utf8-long.out",
                                                            "xdebug/plain.cachegrind.out",
                                                            "callgrind/sepcallers1-seprecs3.out",
                                                            "cachegrind/branch.out",
                                                            "stackprof/cpu.callgrind",
                                                            "hostile/html-names.out",
                                                            "yappi/cpu.callgrind"};

/// A sink that keeps everything; `error` makes it fail.
inline Sink failing_sink() {
    return [](std::string_view) -> Result<void> {
        return tl::unexpected(Error{.code = ErrorCode::read_failed, .detail = "no space left"});
    };
}

inline std::vector<Measure> additive_measures(const CallGraph& graph) {
    engine::StackOptions options;
    for (std::size_t event = 0; event < graph.profile().events().size(); ++event)
        options.measures.push_back(measure_of(graph.profile(), graph.profile().events()[event].name));
    return engine::measures_of(graph, options);
}

/// Stacks of f, f;f and so on, each of which cost 5.
inline StacksOfSources stacks_of_depth(const CallGraph& graph, std::uint32_t depth) {
    Stacks stacks;
    const auto event = stacks.event(default_measure(graph).name);
    auto row = Stacks::none;
    for (std::uint32_t i = 0; i < depth; ++i) {
        row = stacks.stack(row, stacks.function("f"));
        stacks.add(row, event, 5);
    }
    return {std::make_shared<const Stacks>(std::move(stacks))};
}

/// What a writer says and has written of stacks of 1 to 100 functions if it may write so many bytes.
template <class Write>
std::pair<bool, std::string> written_of_deep_stacks(const Write& write, std::uint64_t max_bytes) {
    const Profile profile = plain_profile("fn=f\n1 500\n");
    const CallGraph graph = graph_of(profile);
    engine::StackOptions options;
    options.recorded = engine::recorded_for(graph, stacks_of_depth(graph, 100), {default_measure(graph)});
    EXPECT_TRUE(options.recorded.has_value());
    options.may_take = [&](std::uint64_t bytes) -> Result<void> {
        if (bytes <= max_bytes) return {};
        return tl::unexpected(Error{.code = ErrorCode::too_large, .detail = {}});
    };
    std::string bytes;
    const auto done = write(graph, options, to_memory(bytes));
    EXPECT_EQ(done ? ErrorCode() : done.error().code, done ? ErrorCode() : ErrorCode::too_large);
    return {done.has_value(), std::move(bytes)};
}

}  // namespace callcost::test
