// What `check` found, for the services that show findings beside the lines of a file.
#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "reports/check_report.hpp"
#include "text/diagnostics.hpp"
#include "text/escaping.hpp"
#include "text/json.hpp"
#include "text/names.hpp"
#include <callcost/callcost.hpp>

namespace callcost::program {

namespace {

std::string rule_of(const Finding& finding) { return finding.id.substr(finding.id.find(' ') + 1); }

}  // namespace

// --- CSV --------------------------------------------------------------------------------------------------

void write_check_csv(std::string& out, const std::vector<CheckedFile>& files, engine::CsvNames names) {
    engine::CsvWriter csv(out, names);
    csv.header({"file", "line", "column", "severity", "id", "subject", "message", "more"});
    for (const auto& file : files) {
        for (const auto& finding : findings_of(file)) {
            csv.text(shown_name(finding.file));
            for (const auto number : {finding.place.line, finding.place.column})
                number > 0 ? csv.number(number) : csv.empty();
            csv.text(to_string(finding.severity));
            csv.text(rule_of(finding));
            csv.text(finding.subject);
            csv.text(finding.text);
            csv.number(finding.more);
            csv.end_row();
        }
    }
}

// --- SARIF ------------------------------------------------------------------------------------------------

namespace {

/// A path as a URI reference: what has a meaning in one is escaped.
std::string uri_of(std::string_view path) {
    std::string uri;
    for (const char c : engine::to_utf8(shown_name(path))) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                              std::string_view("-._~/").find(c) != std::string_view::npos;
        if (is_plain) {
            uri += c;
        } else {
            fmt::format_to(std::back_inserter(uri), "%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return uri;
}

struct SarifRule {
    std::string id;
    std::string_view text, help;
    Severity severity{};
};

/// Every rule of `check`: checks, then diagnostics, then what makes reading fail. Of two diagnostics of one
/// name the first one.
std::vector<SarifRule> sarif_rules() {
    std::vector<SarifRule> rules;
    for (std::size_t i = 0; i < check_count; ++i) {
        Check check;
        check.id = static_cast<CheckId>(i);
        check.verdict = Verdict::broken;
        rules.push_back({std::string(kind_of(check.id).name), engine::wording(check.id).meaning,
                         engine::wording(check.id).advice, severity_of(check)});
    }
    const auto add = [&](SarifRule rule) {
        const bool is_known = std::any_of(rules.begin(), rules.end(),
                                          [&](const SarifRule& known) { return known.id == rule.id; });
        if (!is_known) rules.push_back(std::move(rule));
    };
    for (std::size_t i = 0; i < diagnostic_id_count; ++i) {
        const auto id = static_cast<DiagnosticId>(i);
        add({std::string(kind_of(id).name), kind_of(id).message, kind_of(id).hint, kind_of(id).severity});
    }
    for (const auto code :
         {ErrorCode::empty_file, ErrorCode::not_a_profile, ErrorCode::no_events, ErrorCode::cannot_open,
          ErrorCode::read_failed, ErrorCode::cancelled, ErrorCode::too_large})
        add({std::string(to_string(code)), "the file could not be read as a profile", {}, Severity::error});
    return rules;
}

void write_text_object(engine::JsonWriter& json, std::string_view key, std::string_view text) {
    json.key(key);
    json.begin_object();
    json.member("text", text);
    json.end_object();
}

void write_sarif_rules(engine::JsonWriter& json, const std::vector<SarifRule>& rules) {
    json.key("rules");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& rule : rules) {
        json.begin_object();
        json.member("id", rule.id);
        write_text_object(json, "shortDescription", rule.text);
        if (!rule.help.empty()) write_text_object(json, "help", rule.help);
        json.key("defaultConfiguration");
        json.begin_object();
        json.member("level", to_string(rule.severity));
        json.end_object();
        json.end_object();
    }
    json.end_array();
}

void write_sarif_location(engine::JsonWriter& json, const Finding& finding) {
    json.key("locations");
    json.begin_array();
    json.begin_object();
    json.key("physicalLocation");
    json.begin_object();
    json.key("artifactLocation");
    json.begin_object();
    json.member("uri", uri_of(finding.file));
    json.end_object();
    if (finding.place.line > 0) {
        json.key("region");
        json.begin_object();
        json.member("startLine", finding.place.line);
        if (finding.place.column > 0) json.member("startColumn", finding.place.column);
        json.end_object();
    }
    json.end_object();
    if (!finding.subject.empty()) {
        json.key("logicalLocations");
        json.begin_array();
        json.begin_object();
        json.member("fullyQualifiedName", finding.subject);
        json.end_object();
        json.end_array();
    }
    json.end_object();
    json.end_array();
}

}  // namespace

void write_check_sarif(std::string& out, const std::vector<CheckedFile>& files) {
    const auto rules = sarif_rules();
    engine::JsonWriter json(out);
    json.begin_object(engine::JsonLayout::rows);
    json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json.member("version", "2.1.0");
    json.key("runs");
    json.begin_array(engine::JsonLayout::rows);
    json.begin_object(engine::JsonLayout::rows);
    json.key("tool");
    json.begin_object(engine::JsonLayout::rows);
    json.key("driver");
    json.begin_object(engine::JsonLayout::rows);
    json.member("name", "callcost check");
    json.member("version", version());
    write_sarif_rules(json, rules);
    json.end_object();
    json.end_object();
    json.key("results");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& file : files) {
        for (const auto& finding : findings_of(file)) {
            const auto id = rule_of(finding);
            const auto rule = std::find_if(rules.begin(), rules.end(),
                                           [&](const SarifRule& known) { return known.id == id; });
            json.begin_object();
            json.member("ruleId", id);
            if (rule != rules.end())
                json.member("ruleIndex", static_cast<std::uint64_t>(rule - rules.begin()));
            json.member("level", to_string(finding.severity));
            write_text_object(json, "message", finding.text);
            write_sarif_location(json, finding);
            json.end_object();
        }
    }
    json.end_array();
    json.end_object();
    json.end_array();
    json.end_object();
    out += '\n';
}

// --- GitHub -----------------------------------------------------------------------------------------------

void write_check_github(std::string& out, const std::vector<CheckedFile>& files) {
    constexpr std::array<std::string_view, 3> commands{"notice", "warning", "error"};
    for (const auto& file : files) {
        for (const auto& finding : findings_of(file)) {
            out += fmt::format("::{} file={}", commands.at(static_cast<std::size_t>(finding.severity)),
                               engine::github_property(engine::display_name(shown_name(finding.file))));
            if (finding.place.line > 0) out += fmt::format(",line={}", finding.place.line);
            if (finding.place.line > 0 && finding.place.column > 0)
                out += fmt::format(",col={}", finding.place.column);
            out += fmt::format(",title={}::{}\n", engine::github_property(finding.id),
                               engine::github_message(finding.text));
        }
    }
}

}  // namespace callcost::program
