/// Report formats of a comparison: text, Markdown, JSON, CSV, and formats of CI services.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "comparison/comparison.hpp"
#include "text/csv.hpp"
#include "text/style.hpp"
#include <callcost/source.hpp>

namespace callcost::program {

/// The verdict, changes of self and inclusive cost with their causes, then functions that are new, removed,
/// renamed or inlined; with rules the verdict again; or the verdict at the end. `limit`: rows of each list.
void write_text(std::string& out, const Comparison& comparison, std::size_t limit, VerdictAt verdict,
                const engine::Style& style);

/// `callcost.diff/1`: all that changed.
void write_json(std::string& out, const Comparison& comparison);

/// A row for each total, object, file, function, call arc and source line that changed.
void write_csv(std::string& out, const Comparison& comparison, engine::CsvNames names);

/// Markdown for a pull request. Begins with a hidden marker, `<!-- callcost-report:NAME -->`, by which a
/// later run finds the comment. Lists are truncated at `max_bytes`.
void write_markdown(std::string& out, const Comparison& comparison, std::size_t limit, std::size_t max_bytes);
/// Limit of a GitHub comment; a step summary may have 1 MiB.
constexpr std::size_t max_comment_bytes = 65'536, max_summary_bytes = 1'000'000;

/// A test case for each rule; one for the comparison if there is none.
void write_junit(std::string& out, const Comparison& comparison);

/// Workflow commands of GitHub: a notice with the verdict and, for breaches of rules, at most ten errors at
/// the source lines with the largest increase. `workspace`: the directory that paths are relative to.
void write_github(std::string& out, const Comparison& comparison, std::string_view workspace);

/// For lists of editors: a place per source line that changed or, without lines, per function, and the
/// verdict at the end. `path_of`: where a file of the new profile is, by its recorded name; empty: not known.
void write_quickfix(std::string& out, const Comparison& comparison, std::size_t limit,
                    const std::function<std::string(std::string_view)>& path_of);

/// OpenMetrics text, as GitLab's metrics reports have it.
void write_openmetrics(std::string& out, const Comparison& comparison, std::size_t limit);

/// What benchmark-action/github-action-benchmark takes as `customSmallerIsBetter`.
void write_benchmark_action(std::string& out, const Comparison& comparison, std::size_t limit);

/// Collapsed stacks with two costs each, before and after: for difference flame graphs. Stacks are estimated
/// (callcost/tree.hpp); names are those after.
[[nodiscard]] Result<void> write_folded(const Comparison& comparison, const Sink& sink);

}  // namespace callcost::program
