/// Findings of `check` as text, JSON, CSV, SARIF and GitHub annotations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/csv.hpp"
#include "text/style.hpp"
#include <callcost/check.hpp>
#include <callcost/error.hpp>

namespace callcost::program {

/// An input and its findings.
struct CheckedFile {
    std::string name;                  ///< as given
    std::vector<std::string> sources;  ///< what could be read of it, as the places number them
    std::vector<Diagnostic> diagnostics;
    FileReport report;
    struct UnreadableFile {
        std::string name;
        Error error;
        std::string line;        ///< the text of error.line, if it is known
        bool has_parts = false;  ///< it is empty because its data are in files beside it (F86)
    };
    std::vector<UnreadableFile> failures;  ///< inputs that could not be read
};

/// Findings by severity; a check is one, a diagnostic as many as it occurred.
struct FindingCounts {
    std::uint64_t errors = 0, warnings = 0, notes = 0;
};
[[nodiscard]] FindingCounts count_findings(const std::vector<CheckedFile>& files);

/// A finding at one place.
struct Finding {
    std::string id;
    Severity severity{};
    std::string file;
    Place place;
    std::string subject;  // a function or part
    std::string text;
    std::string_view hint;
    bool is_expected = false;
    std::uint64_t more = 0;  // further ones of its kind that are not listed
};
/// The worst first, otherwise in the order of diagnostics and checks.
[[nodiscard]] std::vector<Finding> findings_of(const CheckedFile& file);
/// Display name of an input.
[[nodiscard]] std::string_view shown_name(std::string_view name);

void write_check_text(std::string& out, const CheckedFile& file, const engine::Style& style);
void write_check_json(std::string& out, const std::vector<CheckedFile>& files);  ///< callcost.check/1
void write_check_csv(std::string& out, const std::vector<CheckedFile>& files,
                     engine::CsvNames names);                                     ///< findings
void write_check_sarif(std::string& out, const std::vector<CheckedFile>& files);  ///< SARIF 2.1.0
/// Workflow commands of GitHub Actions, one per line.
void write_check_github(std::string& out, const std::vector<CheckedFile>& files);

}  // namespace callcost::program
