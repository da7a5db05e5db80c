#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "loading/preparation.hpp"
#include "names/short_names.hpp"
#include "reports/answer.hpp"
#include "reports/filtering.hpp"
#include "reports/function_list.hpp"
#include "sources/last_lines.hpp"
#include "sources/source_files.hpp"
#include "text/diagnostics.hpp"
#include "text/escaping.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"
#include "text/system_files.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {
namespace {

struct HotLinesOptions {
    InputOptions input;
    MeasureOptions measure;
    FilterOptions filters;
    SourceSearchOptions sources;  ///< where editors and hyperlinks find the files
    OutputOptions output;
    std::optional<std::size_t> limit;  ///< 0: all
    std::optional<double> threshold;   ///< a share from 0 to 1
};

constexpr std::size_t default_lines = 25;
constexpr FileId no_file{0U};

std::string place_text(const Profile& profile, const HotLine& line) {
    if (line.file == no_file) return "(no line)";
    auto text = engine::display_name(profile.name(line.file));
    return text + (line.line == 0 ? " (no line)" : fmt::format(":{}", line.line));
}

/// Without outer directories, if they would leave no room for what follows.
std::string without_directories(const std::string& place, std::size_t width_of_others,
                                const engine::Style& style) {
    constexpr std::size_t costs = 24;
    const auto taken = std::min(costs + width_of_others, style.width);
    const auto most = std::max(style.width - taken, style.width * 2 / 5);
    constexpr std::string_view separators = "/\\";
    const auto last = place.find_last_of(separators);
    if (style.width == 0 || last == std::string::npos || engine::display_width(place) <= most) return place;
    const std::string ellipsis(style.ellipsis());
    for (auto slash = place.find_first_of(separators, 1); slash < last;
         slash = place.find_first_of(separators, slash + 1))
        if (auto shorter = ellipsis + place.substr(slash); engine::display_width(shorter) <= most)
            return shorter;
    return ellipsis + place.substr(last);
}

bool has_more(const HotLine& line) {
    return !line.with_calls.empty() && line.with_calls.front() != line.self.front();
}
bool is_estimated(const HotLine& line) { return line.least.front() != line.most.front(); }

/// The text of lines, of the files that are found. Few files have the lines that are listed.
class LineTexts {
  public:
    LineTexts(const Profile& profile, SourceFinder& finder)
        : profile_(profile), finder_(finder), last_lines_(profile) {}

    std::string of(const HotLine& line, const engine::Style& style) {
        constexpr std::size_t most = 72;  // columns
        if (line.file == no_file || line.line == 0) return {};
        auto known = files_.find(line.file);
        if (known == files_.end()) {
            const auto name = profile_.name(line.file);
            auto text = finder_.find(name, last_lines_.of(name));
            known = files_.emplace(line.file, text ? std::optional(*std::move(text)) : std::nullopt).first;
        }
        if (!known->second) return {};
        const auto text = engine::display_line(known->second->line(line.line));
        const auto begin = std::min(text.find_first_not_of(' '), text.size());
        return engine::cut_end(std::string_view(text).substr(begin), most, style);
    }

  private:
    const Profile& profile_;
    SourceFinder& finder_;
    LastLines last_lines_;
    std::map<FileId, std::optional<SourceText>> files_;
};

/// The longest first.
std::vector<std::string> function_texts(const CallGraph& graph, const HotLine& line,
                                        const engine::Style& style) {
    const auto name = engine::display_name(graph.name(line.function));
    const auto others = line.functions > 1
                            ? fmt::format(" and {}", engine::counted(line.functions - 1, "other", style))
                            : std::string();
    std::vector<std::string> texts = {name + others};
    for (const std::size_t width : {80U, 60U, 40U, 30U})
        texts.push_back(engine::short_name(name, width, style) + others);
    const auto few = line.functions > 1 ? fmt::format(" +{}", line.functions - 1) : std::string();
    for (const std::size_t width : {30U, 25U, 22U, 20U, 18U, 16U, 14U, 12U, 10U, 8U})
        texts.push_back(engine::short_name(name, width, style) + few);
    return texts;
}

void write_text(std::string& out, const PreparedProfile& prepared, const LineList& list,
                const Filtering& filtering, const HotLinesOptions& options, const engine::Style& style) {
    const auto& graph = prepared.graph;
    write_heading(out, graph, prepared.measure, style);
    const bool has_bounds = std::any_of(list.rows.begin(), list.rows.end(), is_estimated);
    filtering.write_note(out, style,
                         has_bounds ? Filtering::Estimates::of_others : Filtering::Estimates::of_functions);
    out += '\n';
    const CostColumns columns(graph, prepared.measure, style);
    std::vector<Column> titles = {{"self", Align::right}, {"self%", Align::right}};
    if (has_bounds) titles.push_back({"bounds", Align::right});
    const bool has_calls =
        std::any_of(list.rows.begin(), list.rows.end(), [](const HotLine& line) { return has_more(line); });
    if (has_calls) titles.push_back({"incl%", Align::right});
    titles.push_back({"line"});
    Table table(std::move(titles));
    const auto base = percentage_base(graph, prepared.measure);
    const Links links(style.links);
    SourceFinder finder(source_search(prepared.profile(), options.sources));
    LineTexts texts(prepared.profile(), finder);
    for (const auto& line : list.rows) {
        const auto self = line.self.front();
        const auto tone = is_hot(self, base) ? engine::Tone::hot : engine::Tone::plain;
        const std::string mark(is_estimated(line) ? about : "");
        auto details = function_texts(graph, line, style);
        if (const auto text = texts.of(line, style); !text.empty()) {
            for (auto& detail : details) detail = fmt::format("{}  {}", text, detail);
            details.push_back(text);
        }
        const auto details_width = engine::display_width(details.front());
        Cell place = {without_directories(place_text(prepared.profile(), line), details_width, style),
                      engine::Tone::plain, std::move(details)};
        if (style.links)
            place.url = links.url_of(finder.path_here(prepared.profile().name(line.file)), line.line);
        std::vector<Cell> cells = {{mark + engine::cost(self, prepared.measure.unit, style), tone},
                                   {mark + columns.share(self), tone}};
        if (has_bounds)
            cells.emplace_back(
                bounds_text(line.least.front(), line.most.front(), graph, prepared.measure, style),
                engine::Tone::dim);
        if (has_calls)
            cells.emplace_back(line.with_calls.empty() ? std::string()
                                                       : columns.share(line.with_calls.front()));
        cells.push_back(std::move(place));
        table.add_row(cells);
    }
    if (filtering || list.omitted_rows > 0) {
        const auto rest = list.omitted_self.front();
        const std::string all = options.threshold ? "--limit 0 --threshold 0" : "--limit 0";
        const std::vector<std::string> advice = {all + " lists all", all};
        std::vector<Cell> cells = {
            {prepared.measure.additive ? engine::cost(rest, prepared.measure.unit, style) : "",
             engine::Tone::dim},
            {columns.share(rest), engine::Tone::dim}};
        if (has_bounds) cells.emplace_back("");
        if (has_calls) cells.emplace_back("");
        cells.emplace_back(fmt::format("({}{})", engine::counted(list.omitted_rows, "more line", style),
                                       filtering ? " and the functions left out" : ""),
                           engine::Tone::dim, filtering ? Filtering::advice() : advice);
        table.add_row(cells);
    }
    if (table.empty()) {
        out += "no lines with cost\n";
    } else {
        table.write(out, style);
    }
}

engine::RowColumns<HotLine> columns_of(const PreparedProfile& prepared, const ContextNames& contexts,
                                       const std::vector<Measure>& measures, const Filtering& filtering) {
    engine::RowColumns<HotLine> columns;
    const auto& graph = prepared.graph;
    const bool has_calls = !filtering && engine::has_calls(graph);
    const auto place = [&measures](const Measure& each) {
        return static_cast<std::size_t>(&each - measures.data());
    };
    columns.add("source_file",
                [&graph](const HotLine& line) { return std::optional(graph.profile().name(line.file)); });
    columns.add("line", [](const HotLine& line) { return line.line; });
    if (filtering) {
        columns.add_bounded("self", measures, [place](const HotLine& line, const Measure& each) {
            const auto i = place(each);
            return BoundedCost{line.self[i], line.least[i], line.most[i]};
        });
    } else {
        columns.add_costs("self", measures, [place](const HotLine& line, const Measure& each) {
            return line.self[place(each)];
        });
    }
    if (has_calls)
        columns.add_costs("with_calls", measures, [place](const HotLine& line, const Measure& each) {
            return line.with_calls.empty() ? std::nullopt : std::optional(line.with_calls[place(each)]);
        });
    columns.add("functions", [](const HotLine& line) { return line.functions; });
    add_identity(columns, graph, contexts, [](const HotLine& line) { return line.function; });
    return columns;
}

void write_rows(engine::JsonWriter& json, const PreparedProfile& prepared, const LineList& list,
                const Filtering& filtering, const std::vector<Measure>& measures) {
    const ContextNames contexts(prepared.profile());
    write_measures(json, prepared.graph, prepared.measure, measures);
    filtering.write(json);
    columns_of(prepared, contexts, measures, filtering).write(json, "rows", list.rows);
    json.key("omitted");
    json.begin_object();
    json.member("rows", list.omitted_rows);
    auto omitted = list.omitted_self.begin();
    write_costs(json, "self", measures, [&](const Measure& measure) {
        const auto cost = *omitted++;
        return measure.additive ? std::optional(cost) : std::nullopt;
    });
    json.end_object();
}

void write_rows(engine::CsvWriter& csv, const PreparedProfile& prepared, const LineList& list,
                const Filtering& filtering, const std::vector<Measure>& measures) {
    const ContextNames contexts(prepared.profile());
    columns_of(prepared, contexts, measures, filtering).write(csv, list.rows);
}

/// The lines that have a place, as many as are wanted, and where the rest of the cost is.
void write_quickfix(std::string& out, const PreparedProfile& prepared, const LineList& list,
                    const Filtering& filtering, const HotLinesOptions& options) {
    const auto& graph = prepared.graph;
    const auto limit = limit_or(options.limit, options.output, default_lines);
    const auto event = engine::display_name(prepared.measure.name);
    const auto text = [&, columns = CostColumns(graph, prepared.measure, {})](Cost self) {
        return prepared.measure.additive ? fmt::format("{} {}", columns.share(self), event) : event;
    };
    SourceFinder finder(source_search(prepared.profile(), options.sources));
    std::size_t rows = 0, more = list.omitted_rows;
    Cost listed = 0, of_more = list.omitted_self.front(), unknown = 0;
    auto lines = list.rows;  // the most expensive ones are not those of the program
    std::stable_sort(lines.begin(), lines.end(),
                     [](const HotLine& a, const HotLine& b) { return a.self.front() > b.self.front(); });
    for (const HotLine& line : lines) {
        const auto self = line.self.front();
        const auto path = line.file == no_file || line.line == 0 || rows == limit
                              ? std::string()
                              : finder.path_here(prepared.profile().name(line.file));
        if (!path.empty()) {
            ++rows;
            listed += self;
            out +=
                engine::place_message(path, line.line,
                                      fmt::format("{}{} ({}): {}", is_estimated(line) ? about : "",
                                                  text(self), self, function_texts(graph, line, {}).front()));
        } else if (rows == limit) {
            ++more;
            of_more += self;
        } else {
            unknown += self;
        }
    }
    if (rows == 0 && more == 0 && unknown == 0) {
        out += "no lines with cost\n";
        return;
    }
    out += fmt::format("{} in {}", text(listed), engine::counted(rows, "line", {}));
    if (more > 0 || filtering)
        out +=
            fmt::format(", {} in {}{} ({} lists all)", text(of_more), engine::counted(more, "more line", {}),
                        filtering ? " and the functions left out" : "",
                        options.threshold ? "--limit 0 --threshold 0" : "--limit 0");
    if (unknown != 0) out += fmt::format(", {} in no known source line", text(unknown));
    const auto is_problem = [](const Diagnostic& diagnostic) {
        return kind_of(diagnostic.id).severity != Severity::note;
    };
    if (std::any_of(prepared.diagnostics.begin(), prepared.diagnostics.end(), is_problem))
        out += "; 'callcost info' lists problems of the profile";
    out += '\n';
}

int run_lines(const HotLinesOptions& options, const Console& console) {
    const auto prepared = prepare(options.input, options.measure, console, Detail::full);
    if (!prepared) return status(prepared.error());
    const auto measures = measured_first(*prepared, options.output);
    const Filtering filtering(*prepared, options.filters);
    filtering.say_if_empty(console);
    LinesOptions wanted;
    wanted.measures = measures;
    filtering.apply(wanted);
    if (!options.output.quickfix) wanted.limit = limit_or(options.limit, options.output, default_lines);
    wanted.threshold = options.threshold.value_or(0);
    const auto& profile = prepared->profile();
    wanted.is_system_file = [&](FileId file) { return engine::is_system_file(profile.name(file)); };
    wanted.is_system_object = [&](ObjectId object) { return engine::is_system_object(profile.name(object)); };
    wanted.with_calls = wanted.kept.empty() && engine::has_calls(prepared->graph);
    const auto list = lines_by_cost(prepared->graph, wanted);
    if (!list) {
        console.say(Severity::error, list.error().message());
        return status(Exit::error);
    }

    const AnswerForms forms = {
        .schema = "callcost.lines/1",
        .text =
            [&](Output& output) {
                if (options.output.quickfix) {
                    write_quickfix(output.text(), *prepared, *list, filtering, options);
                } else {
                    write_text(output.text(), *prepared, *list, filtering, options, console.out);
                }
            },
        .json = [&](engine::JsonWriter& json,
                    Output&) { write_rows(json, *prepared, *list, filtering, measures); },
        .csv = [&](engine::CsvWriter& csv,
                   Output&) { write_rows(csv, *prepared, *list, filtering, measures); }};
    return write_answer(*prepared, options.input, options.output, forms, console);
}

}  // namespace

Run lines_command(CommandLine& line) {
    line.describe(
        "[OPTION...] [FILE...]",
        "List the source lines with the highest self cost, over all functions: those of the program "
        "first, then those of the system. Code of the system that is inlined counts on the line it "
        "was inlined at. For PATTERN see 'callcost top --help'.");
    line.examples({{"lines callgrind.out.4711", "most expensive source lines"},
                   {"lines --show object:libparser callgrind.out.4711", "of one library"},
                   {"lines --quickfix callgrind.out.4711", "for an editor"}});
    line.common({"--event", "--focus", "--ignore", "--show", "--hide", "--limit", "--threshold", "--include",
                 "--source-map", "--json", "--csv", "--quickfix"});
    const auto options = std::make_shared<HotLinesOptions>();
    line.words(options->input.files);
    declare_input(line, options->input);
    declare_inlined(line, options->input, &options->sources);
    line.heading("Selection");
    declare_event(line, options->measure);
    declare_filters(line, options->filters);
    declare_limit(line, options->limit, "show N rows; 0: all (default: 25)");
    line.percentage("--threshold", "omit rows below this share of the total", options->threshold);
    declare_sources(line, options->sources, SearchedFiles::all);
    declare_output(line, options->output, {.quickfix = true});
    return [options] { return run_lines(*options, open_console(options->output)); };
}

}  // namespace callcost::program
