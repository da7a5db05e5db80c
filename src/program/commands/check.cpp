#include <algorithm>
#include <utility>
#include <vector>

#include "commands/commands.hpp"
#include "loading/inputs.hpp"
#include "loading/preparation.hpp"
#include "loading/run_files.hpp"
#include "reports/check_report.hpp"
#include "terminal/output.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/check.hpp>

namespace callcost::program {
namespace {

/// What findings are written as.
enum class CheckFormat : std::uint8_t { text, json, csv, sarif, github };

struct CheckOptions {
    InputOptions input;
    OutputOptions output;
    CheckFormat format = CheckFormat::text;
};

CheckedFile check_file(const std::vector<std::string>& files, const CheckOptions& options,
                       const Console& console) {
    auto examined = examine(files, options.input, console);
    CheckedFile checked;
    checked.name = files.front();
    for (auto& failure : examined.failures)
        checked.failures.push_back(
            {std::move(failure.file), failure.error, std::move(failure.line), failure.has_parts});
    if (!examined.profile) return checked;
    for (const auto& source : examined.profile->sources()) checked.sources.push_back(source.name);
    const auto graph = call_graph(*examined.profile, {.contexts = Contexts::keep});
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

void write_all(Output& output, const std::vector<CheckedFile>& files, const CheckOptions& options,
               const Console& console) {
    switch (options.format) {
        case CheckFormat::text:
            for (const auto& file : files) write_check_text(output.text(), file, console.out);
            break;
        case CheckFormat::json:
            return write_check_json(output.text(), files);
        case CheckFormat::csv:
            return write_check_csv(output.text(), files, csv_names(options.output));
        case CheckFormat::sarif:
            return write_check_sarif(output.text(), files);
        case CheckFormat::github:
            return write_check_github(output.text(), files);
    }
}

int run_check(const CheckOptions& options, const Console& console) {
    const auto sets = file_sets(options.input, console);
    if (sets.empty()) return status(Exit::error);
    std::vector<CheckedFile> files;
    files.reserve(sets.size());
    for (const auto& set : sets) files.push_back(check_file(set, options, console));

    Output output(console);
    write_all(output, files, options, console);
    return status(output.finish() ? verdict_on(files, options.input.strict) : Exit::error);
}

void declare_format(CommandLine& line, CheckOptions& options) {
    line.heading("Output");
    const auto is_given = std::make_shared<bool>(false);
    line.value("--format", "FORMAT", "text (default), json, csv, sarif or github",
               [&options, is_given](const std::string& text) {
                   if (text.empty()) return;
                   *is_given = true;
                   options.format = CommandLine::chosen<CheckFormat>("--format", text,
                                                                     {{"text", CheckFormat::text},
                                                                      {"json", CheckFormat::json},
                                                                      {"csv", CheckFormat::csv},
                                                                      {"sarif", CheckFormat::sarif},
                                                                      {"github", CheckFormat::github}});
               });
    line.check([&options, is_given] {
        if (*is_given && !options.output.is_text())
            throw UsageError("--format cannot be combined with --json or --csv", "such as --format=json");
    });
}

}  // namespace

Run check_command(CommandLine& line) {
    line.describe("[OPTION...] [FILE...]",
                  "Check files: diagnostics, consistency of the figures, and whether other readers read them "
                  "correctly. Exits with status 1 if there is an error.");
    line.examples({{"check callgrind.out.4711", "what is wrong, and which readers show it wrong"},
                   {"check --strict --format=github out.callgrind", "fail in CI"},
                   {"check --json callgrind.out.4711", "for a program"}});
    line.common({"--with-parts", "--strict", "--format", "--json", "--csv", "--quiet"});
    const auto options = std::make_shared<CheckOptions>();
    line.words(options->input.files);
    declare_input(line, options->input, InputKind::checked);
    declare_format(line, *options);
    declare_output(line, options->output, {.links = false, .limit = false});
    line.check([options = options.get()] {
        if (options->output.json) options->format = CheckFormat::json;
        if (options->output.csv) options->format = CheckFormat::csv;
        options->output.json = options->format == CheckFormat::json;
        options->output.csv = options->format == CheckFormat::csv;
    });
    return [options] { return run_check(*options, open_console(options->output)); };
}

}  // namespace callcost::program
