#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "commands/facts_commands.hpp"
#include "loading/inputs.hpp"
#include "loading/preparation.hpp"
#include "reports/check_report.hpp"
#include "terminal/output.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/check.hpp>

namespace callcost::program {
namespace {

CheckedFile check_file(const std::vector<std::string>& files, const Options& options,
                       const Console& console) {
    auto examined = examine(files, options, console);
    CheckedFile checked;
    checked.name = files.front();
    for (auto& failure : examined.failures)
        checked.failures.push_back(
            {std::move(failure.file), failure.error, std::move(failure.line), failure.has_parts});
    if (!examined.profile) return checked;
    for (const auto& source : examined.profile->sources()) checked.sources.push_back(source.name);
    const auto graph = call_graph(*examined.profile);
    if (!graph) return checked;  // nothing is selected, so nothing can fail
    checked.diagnostics = all_diagnostics(*graph, Measures(*examined.profile));
    checked.report = check_profile(*graph, checked.diagnostics, examined.spellings);
    return checked;
}

bool has_strict_one(const std::vector<CheckedFile>& files, const Strict& strict) {
    return std::any_of(files.begin(), files.end(), [&](const CheckedFile& file) {
        const auto is_strict_check = [&](CheckId id) {
            const auto index = static_cast<std::size_t>(id);
            return index < file.report.checks.size() && file.report.checks[index].count > 0;
        };
        if (std::any_of(strict.checks.begin(), strict.checks.end(), is_strict_check)) return true;
        return std::any_of(file.diagnostics.begin(), file.diagnostics.end(), [&](const Diagnostic& found) {
            return std::find(strict.ids.begin(), strict.ids.end(), found.id) != strict.ids.end();
        });
    });
}

Exit verdict_on(const std::vector<CheckedFile>& files, const Strict& strict) {
    const auto counts = count_findings(files);
    const bool is_bad =
        counts.errors > 0 || (strict.everything && counts.warnings > 0) || has_strict_one(files, strict);
    return is_bad ? Exit::error : Exit::ok;
}

void write_all(Output& output, const std::vector<CheckedFile>& files, const Options& options,
               const Console& console) {
    switch (options.check_format) {
        case CheckFormat::text:
            for (const auto& file : files) write_check_text(output.text(), file, console.out);
            break;
        case CheckFormat::json:
            return write_check_json(output.text(), files);
        case CheckFormat::csv:
            return write_check_csv(output.text(), files, csv_names(options));
        case CheckFormat::sarif:
            return write_check_sarif(output.text(), files);
        case CheckFormat::github:
            return write_check_github(output.text(), files);
    }
}

}  // namespace

int run_check(const Options& options, const Console& console) {
    const auto sets = file_sets(options, console);
    if (sets.empty()) return status(Exit::error);
    std::vector<CheckedFile> files;
    files.reserve(sets.size());
    for (const auto& set : sets) files.push_back(check_file(set, options, console));

    Output output(console, options);
    write_all(output, files, options, console);
    return status(output.finish() ? verdict_on(files, options.strict) : Exit::error);
}

}  // namespace callcost::program
