// For services: test reports, annotations, metrics.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "comparison/breach_place.hpp"
#include "comparison/reports.hpp"
#include "sources/recorded_path.hpp"
#include "text/escaping.hpp"
#include "text/json.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {
namespace {

std::string plain(Cost value) { return std::to_string(value); }

std::string change_text(const Change& change) {
    const auto share = relative(change);
    return fmt::format("{} -> {}, {}{}", change.before, change.after, engine::difference(change.delta(), {}),
                       share.empty() ? "" : " (" + share + ")");
}

std::string costs_text(const Diff& diff, const RuleBreach& breach) {
    return fmt::format("{}{} {}", breach.function ? function_name(diff, *breach.function) + ": " : "",
                       engine::display_name(breach.what), change_text(breach.change));
}

std::string breach_text(const Comparison& comparison, const RuleBreach& breach) {
    return costs_text(comparison.diff, breach) + place_text(comparison, breach);
}

std::string headline(const Comparison& comparison) {
    return fmt::format("{}: {} {}", verdict(comparison),
                       engine::display_name(comparison.diff.measure_after().name),
                       change_text(comparison.diff.total()));
}

}  // namespace

// --- JUnit ------------------------------------------------------------------------------------------------

void write_junit(std::string& out, const Comparison& comparison) {
    constexpr std::size_t max_rows = 10;
    const auto name = engine::xml_text(engine::display_name(comparison.name));
    const auto is_failure = [](const RuleResult& result) {
        return !result.rule.is_about_improvement && !result.breaches.empty();
    };
    const auto failures = std::count_if(comparison.rules.begin(), comparison.rules.end(), is_failure);
    const auto tests = std::max<std::size_t>(comparison.rules.size(), 1);
    out += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    out += fmt::format("<testsuites tests=\"{}\" failures=\"{}\">\n", tests, failures);
    out += fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">\n",
                       name, tests, failures);
    if (comparison.rules.empty())
        out += fmt::format("<testcase classname=\"{}\" name=\"comparison\"/>\n", name);
    for (const RuleResult& result : comparison.rules) {
        out += fmt::format("<testcase classname=\"{}\" name=\"{}\"", name,
                           engine::xml_text(engine::display_name(result.rule.text)));
        if (!is_failure(result)) {
            out += "/>\n";
            continue;
        }
        out += fmt::format(">\n<failure message=\"{}\">",
                           engine::xml_text(breach_text(comparison, result.breaches[0])));
        const auto shown = std::min(result.breaches.size(), max_rows);
        for (std::size_t i = 0; i < shown; ++i)
            out += engine::xml_text(breach_text(comparison, result.breaches[i])) + '\n';
        if (shown < result.breaches.size())
            out += fmt::format("and {} more\n", result.breaches.size() - shown);
        out += "</failure>\n</testcase>\n";
    }
    out += fmt::format("<system-out>{}", engine::xml_text(headline(comparison)));
    for (const RuleResult& result : comparison.rules)
        for (const AcceptedBreach& acknowledged : result.acknowledged)
            out += engine::xml_text(fmt::format("\naccepted until {}: {}", acknowledged.until,
                                                breach_text(comparison, acknowledged.breach)));
    for (const auto& note : comparison.notes) out += '\n' + engine::xml_text(engine::display_name(note));
    out += "</system-out>\n";
    out += "</testsuite>\n</testsuites>\n";
}

// --- GitHub -----------------------------------------------------------------------------------------------

namespace {

/// GitHub shows no more annotations of a kind for a step.
constexpr std::size_t max_annotations = 10;

/// The path from the workspace, with slashes; empty if it is elsewhere.
std::string in_workspace(std::string_view path, std::string_view workspace) {
    constexpr std::string_view separators = "/\\";
    while (!workspace.empty() && separators.find(workspace.back()) != std::string_view::npos)
        workspace.remove_suffix(1);
    if (const auto rest = rest_below(workspace, path); rest && !workspace.empty())
        return rest->empty() ? std::string() : with_slashes(path).substr(path.size() - rest->size() + 1);
    const auto relative = with_slashes(path);  // which may be a library's
    std::error_code ignored;
    const bool is_there = !relative.starts_with('/') &&
                          std::filesystem::exists(std::filesystem::path(workspace) / relative, ignored);
    return is_there ? relative : std::string();
}

/// What an annotation is put at; nothing where that is not in the workspace.
struct AnnotatedPlace {
    std::string properties;
    bool has_line = false;
};

AnnotatedPlace place_of(const Comparison& comparison, const RuleBreach& breach, std::string_view workspace) {
    const auto function = blamed_function(breach);
    if (!function) return {};
    const auto property = [](std::string_view path) {
        return engine::github_property(engine::display_name(path));
    };
    const auto is_there = [&](std::string_view file) { return !in_workspace(file, workspace).empty(); };
    if (const auto place = breach_line(comparison, breach, is_there))
        return {fmt::format("file={},line={},", property(in_workspace(place->file, workspace)), place->line),
                true};
    const auto file = in_workspace(comparison.diff.file(comparison.diff.function(*function)), workspace);
    if (file.empty() || file == "???") return {};
    return {fmt::format("file={},", property(file)), false};
}

}  // namespace

void write_github(std::string& out, const Comparison& comparison, std::string_view workspace) {
    if (!comparison.is_unchanged() || !comparison.rules.empty())
        out += fmt::format("::notice title={}::{}\n",
                           engine::github_property(engine::display_name(comparison.name)),
                           engine::github_message(headline(comparison)));
    std::size_t count = 0;
    std::set<std::pair<std::optional<MatchId>, std::string>> said;
    for (const RuleResult& result : comparison.rules) {
        if (result.rule.is_about_improvement) continue;
        for (const RuleBreach& breach : result.breaches) {
            if (count == max_annotations) return;
            if (!said.emplace(breach.function, breach.what).second) continue;
            ++count;
            const auto place = place_of(comparison, breach, workspace);
            out += fmt::format(
                "::error {}title={}::{}\n", place.properties,
                engine::github_property(fmt::format("{}: {}", engine::display_name(comparison.name),
                                                    engine::display_name(result.rule.text))),
                engine::github_message(
                    costs_text(comparison.diff, breach) +
                    (place.has_line ? blame_text(comparison, breach) : place_text(comparison, breach))));
        }
    }
}

// --- editors ----------------------------------------------------------------------------------------------

namespace {

/// The first line of a function that has a cost, in the file it is defined in; 0: not known.
std::uint64_t first_line(const Diff& diff, const FunctionMatch& function) {
    std::uint64_t first = 0;
    for (const NodeId node : function.after) {
        const auto files = function_lines(diff.after(), node, std::span(&diff.measure_after(), 1));
        if (!files) continue;
        for (const FileLines& file : *files) {
            if (diff.after().profile().name(file.file) != diff.file(function)) continue;
            for (const LineCost& line : file.lines)
                if (line.line != 0 && (first == 0 || line.line < first)) first = line.line;
        }
    }
    return first;
}

/// `+12.34% of all Ir (12 -> 34): f`, with what is to be said of the line behind the costs.
std::string place_text(const Diff& diff, MatchId function, const Change& change, std::string_view remark) {
    const auto total = diff.total().before;
    return fmt::format("{}{} of all {} ({} -> {}{}): {}", change.delta() > 0 ? "+" : "",
                       engine::percent(change.delta(), total), diff.measure_after().name, change.before,
                       change.after, remark, function_name(diff, function));
}

std::string remark_on(const LineChange& line) {
    std::string remark;
    if (line.before == 0) {
        remark = ", new";
    } else if (!line.file_before.empty() || line.before != line.after) {
        remark = fmt::format(", was line {}", line.before);
        if (!line.file_before.empty()) remark += fmt::format(" of {}", line.file_before);
    }
    return remark + (line.by == LineChange::By::guess ? ", guessed" : "");
}

}  // namespace

void write_quickfix(std::string& out, const Comparison& comparison, std::size_t limit,
                    const std::function<std::string(std::string_view)>& path_of) {
    const Diff& diff = comparison.diff;
    std::size_t rows = 0, more = 0, unknown = 0;
    const auto add = [&](std::string_view file, std::uint64_t line, const auto& text) {
        if (rows == limit) {
            ++more;
        } else if (const auto path = line == 0 ? std::string() : path_of(file); path.empty()) {
            ++unknown;
        } else {
            ++rows;
            out += engine::place_message(path, line, text());
        }
    };
    const bool has_lines = !comparison.lines.empty();
    for (const auto& [id, line] : comparison.lines)
        add(line.file, line.after,
            [&, id = id, &line = line] { return place_text(diff, id, line.self, remark_on(line)); });
    for (const MatchId id : has_lines ? std::vector<MatchId>() : comparison.self)
        add(diff.file(diff.function(id)), first_line(diff, diff.function(id)),
            [&] { return place_text(diff, id, comparison.filtered.self_change(id), {}); });
    out += headline(comparison);
    const auto noun = has_lines ? "line" : "function";
    if (more > 0)
        out += fmt::format(", {} (--limit 0 lists all)",
                           engine::counted(more, fmt::format("more {}", noun), {}));
    if (unknown > 0) out += fmt::format(", {} not in the new sources", engine::counted(unknown, noun, {}));
    out += '\n';
}

// --- metrics ----------------------------------------------------------------------------------------------

namespace {

/// The functions that cost most after.
std::vector<MatchId> costliest(const engine::FilteredDifference& filtered, std::size_t limit) {
    std::vector<std::pair<Cost, MatchId>> ranked;
    for (const FunctionMatch& function : filtered.diff().functions())
        if (const auto self = filtered.self_change(function.id).after;
            self > 0 && filtered.lists(function.id))
            ranked.emplace_back(self, function.id);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    if (ranked.size() > limit) ranked.resize(limit);
    std::vector<MatchId> ids;
    ids.reserve(ranked.size());
    for (const auto& [self, id] : ranked) ids.push_back(id);
    return ids;
}

std::string label(std::string_view bytes) { return engine::openmetrics_label(engine::display_name(bytes)); }

}  // namespace

void write_openmetrics(std::string& out, const Comparison& comparison, std::size_t limit) {
    const Diff& diff = comparison.diff;
    const auto name = label(comparison.name);
    out += "# TYPE callcost_total gauge\n# HELP callcost_total Cost of the whole profile.\n";
    for (const EventChange& event : comparison.totals)
        out += fmt::format("callcost_total{{comparison=\"{}\",event=\"{}\"}} {}\n", name, label(event.event),
                           plain(event.total.after));
    out += "# TYPE callcost_change gauge\n# HELP callcost_change Change of the total.\n";
    for (const EventChange& event : comparison.totals)
        out += fmt::format("callcost_change{{comparison=\"{}\",event=\"{}\"}} {}\n", name, label(event.event),
                           plain(event.total.delta()));
    out += "# TYPE callcost_self gauge\n# HELP callcost_self Self cost of the most expensive functions.\n";
    std::set<std::string> said;  // a name of labels may occur once
    for (const auto id : costliest(comparison.filtered, limit)) {
        const FunctionMatch& function = diff.function(id);
        auto labels = fmt::format("comparison=\"{}\",event=\"{}\",function=\"{}\",file=\"{}\",object=\"{}\"",
                                  name, label(diff.measure_after().name), label(diff.name(function)),
                                  label(diff.file(function)), label(diff.object(function)));
        if (!said.insert(labels).second) continue;
        out +=
            fmt::format("callcost_self{{{}}} {}\n", labels, plain(comparison.filtered.self_change(id).after));
    }
    out += "# EOF\n";
}

void write_benchmark_action(std::string& out, const Comparison& comparison, std::size_t limit) {
    const Diff& diff = comparison.diff;
    engine::JsonWriter json(out);
    const auto write = [&](const std::string& name, std::string_view unit, const Change& change) {
        json.begin_object();
        json.member("name", name);
        json.member("unit", unit);
        json.member("value", change.after);
        json.member("extra", "before: " + plain(change.before));
        json.end_object();
    };
    const auto unit_of = [&](std::string_view event) {
        const auto found = std::find_if(comparison.totals.begin(), comparison.totals.end(),
                                        [&](const EventChange& total) { return total.event == event; });
        return found == comparison.totals.end() || found->unit.empty() ? event
                                                                       : std::string_view(found->unit);
    };
    json.begin_array(engine::JsonLayout::rows);
    for (const EventChange& event : comparison.totals)
        write(fmt::format("{}: total {}", comparison.name, event.event), unit_of(event.event), event.total);
    const auto ids = costliest(comparison.filtered, limit);
    std::map<std::string_view, std::size_t> namesakes;
    for (const auto id : ids) ++namesakes[diff.name(diff.function(id))];
    for (const auto id : ids) {
        const FunctionMatch& function = diff.function(id);
        auto name = fmt::format("{}: {}", comparison.name, engine::display_name(diff.name(function)));
        if (namesakes[diff.name(function)] > 1)  // a series is known by its name
            name += fmt::format(" [{} {}]", engine::display_name(diff.file(function)),
                                engine::display_name(diff.object(function)));
        write(name, unit_of(diff.measure_after().name), comparison.filtered.self_change(id));
    }
    json.end_array();
    out += '\n';
}

}  // namespace callcost::program
