/// Baselines: summaries of profiles with functions and arcs, without lines, parts and contexts. A baseline is
/// itself a compressed profile that any reader accepts; `desc:` lines hold its metadata.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/call_graph.hpp>
#include <callcost/source.hpp>

namespace callcost::program {

/// Format version 1. Later versions are not read.
struct BaselineFacts {
    std::string saved;    ///< in UTC, `2026-11-22T06:00:00Z`
    std::string note;     ///< empty: none
    std::string creator;  ///< of the profile
};

/// The graph should be one of Contexts::levels: levels of recursion tell what functions cost (F76), callers
/// in names would only make it large. Event types that do not add up are omitted. Errors: those of the sink;
/// bad_argument if nothing adds up.
[[nodiscard]] Result<void> write_baseline(const CallGraph& graph, const BaselineFacts& facts,
                                          const Sink& sink);

/// A file of the directory.
struct Baseline {
    std::string name;
    BaselineFacts facts;
    CallGraph graph;
    bool is_cut = false;  ///< the file is truncated
};

/// Where a baseline is. Error: what is wrong with the name.
[[nodiscard]] tl::expected<std::filesystem::path, std::string> path_of(const std::string& directory,
                                                                       std::string_view name);

/// Error: what is wrong, in words.
[[nodiscard]] tl::expected<Baseline, std::string> read_baseline(const std::filesystem::path& path);

struct Baselines {
    std::vector<Baseline> all;          ///< by the time they were saved, then by name
    std::vector<std::string> problems;  ///< files that cannot be read, in words
};
/// Error: why the directory cannot be read.
[[nodiscard]] tl::expected<Baselines, std::string> read_baselines(const std::string& directory);

}  // namespace callcost::program
