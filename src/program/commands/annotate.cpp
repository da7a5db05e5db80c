#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "loading/preparation.hpp"
#include "options/valgrind_options.hpp"
#include "reports/annotated_source.hpp"
#include "reports/annotation.hpp"
#include "reports/answer.hpp"
#include "reports/filtering.hpp"
#include "reports/function_list.hpp"
#include "reports/neighbours.hpp"
#include "sources/source_problem.hpp"
#include "text/diagnostics.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {
namespace {

struct AnnotateOptions {
    InputOptions input;
    MeasureOptions measure;
    FilterOptions filters;
    SourceSearchOptions sources;
    OutputOptions output;
    std::optional<SortBy> sort;
    std::optional<std::size_t> limit;  ///< 0: all
    std::optional<double> threshold;   ///< a share from 0 to 1
    std::optional<std::size_t> context;
    std::optional<double> line_threshold;  ///< a share from 0 to 1
    CallTree tree = CallTree::none;
    bool all_files = true;  ///< source files that are not named, too
    bool system_files = false;
};

constexpr std::size_t default_rows = 10;
constexpr std::size_t default_context = 3;
constexpr double default_line_threshold = 0.001;

/// The functions down to the threshold; with --limit, so many.
FunctionsOptions list_options(const PreparedProfile& prepared, const AnnotateOptions& options) {
    FunctionsOptions wanted;
    wanted.measure = prepared.measure;
    wanted.by = options.sort.value_or(SortBy::self);
    wanted.by_magnitude = true;
    if (wanted.by == SortBy::inclusive && !engine::has_inclusive(prepared.graph, prepared.measure))
        wanted.by = SortBy::self;
    if (!options.limit) {
        if (!options.output.csv || options.threshold)
            wanted.coverage = options.threshold.value_or(default_coverage);
    } else if (*options.limit != 0) {
        wanted.limit = *options.limit;
    }
    return wanted;
}

/// Those that --tree asks for, by row of the list; none without it.
tl::expected<std::optional<std::vector<NeighbourLists>>, Exit> tree(const PreparedProfile& prepared,
                                                                    const FunctionList& list,
                                                                    const AnnotateOptions& options,
                                                                    const Console& console) {
    if (options.tree == CallTree::none) return std::nullopt;
    NeighboursOptions wanted;
    wanted.callers = options.tree != CallTree::callees;
    wanted.callees = options.tree != CallTree::callers;
    wanted.sites = options.output.json;
    if (!options.output.json && options.limit != 0) wanted.limit = default_rows;
    auto around = surroundings(prepared, list.rows, wanted);
    if (around) return *std::move(around);
    console.say(Severity::error, around.error().message(), around.error().hint());
    return tl::unexpected(Exit::error);
}

/// What there is to show.
struct Answer {
    const Filtering& filtering;  ///< of the list
    FunctionList list;
    std::optional<std::vector<NeighbourLists>> around;
    Annotation annotation;
};

// --- text -------------------------------------------------------------------------------------------------

/// By what the costs are of which there is one column only, where that has to be said.
std::string by_measure(const PreparedProfile& prepared) {
    if (!shows_others(prepared.measure, prepared.shown)) return {};
    return ", by " + engine::display_name(prepared.measure.name);
}

/// Costs, their shares of the total, and what they are the costs of.
class CostRows {
  public:
    CostRows(const PreparedProfile& prepared, const engine::Style& style)
        : style_(style),
          unit_(prepared.measure.unit),
          shares_(prepared.graph, prepared.measure, style),
          table_(columns(style)) {}

    void add(Cost cost, Cell last, engine::Tone tone = engine::Tone::plain) {
        std::vector<Cell> row;
        row.emplace_back(engine::cost(cost, unit_, style_), tone);
        if (style_.shares) row.emplace_back(shares_.share(cost), tone);
        row.push_back(std::move(last));
        table_.add_row(row);
    }
    /// One for files that have none.
    template <class File>
    void add_rest(std::span<const File> files) {
        if (files.empty()) return;
        Cost cost = 0;
        for (const auto& file : files) cost += file.cost;
        auto text = fmt::format("({})", engine::counted(files.size(), "more file", style_));
        add(cost, {std::move(text), engine::Tone::dim, {"--limit 0 lists all", "--limit 0"}},
            engine::Tone::dim);
    }
    void write(std::string& out) const { table_.write(out, style_); }

  private:
    static std::vector<Column> columns(const engine::Style& style) {
        std::vector<Column> columns(style.shares ? 2 : 1, {"", Align::right});
        columns.push_back({});
        return columns;
    }

    const engine::Style& style_;
    std::string_view unit_;
    CostColumns shares_;
    Table table_;
};

void write_missing(std::string& out, const PreparedProfile& prepared, const Annotation& annotation,
                   const AnnotateOptions& options, const engine::Style& style) {
    if (annotation.missing.empty()) return;
    const auto shown =
        options.limit == 0 ? annotation.missing.size() : std::min(annotation.missing.size(), default_rows);
    const auto title =
        fmt::format("Source files that were not found, with the cost of the {} in them{}",
                    annotation.costs_are_located ? "lines" : "functions", by_measure(prepared));
    CostRows rows(prepared, style);
    for (const auto& missing : std::span(annotation.missing).first(shown)) {
        rows.add(missing.cost, {engine::display_name(prepared.profile().name(missing.file)),
                                engine::Tone::plain,
                                {engine::display_name(reason_text(missing.problem))}});
    }
    rows.add_rest(std::span(annotation.missing).subspan(shown));
    out += fmt::format("\n{}\n", engine::paint(title, engine::Tone::heading, style));
    rows.write(out);
    out += "-I DIR looks in DIR, too; --source-map OLD=NEW says where a directory is now.\n";
}

/// A line each.
void write_system_files(std::string& out, const PreparedProfile& prepared, const Annotation& annotation,
                        const AnnotateOptions& options, const engine::Style& style) {
    const auto& files = annotation.system;
    if (files.empty()) return;
    const auto shown = options.limit == 0 ? files.size() : std::min(files.size(), default_rows);
    const auto title =
        fmt::format("System files, with the cost of the {} in them{}",
                    annotation.costs_are_located ? "lines" : "functions", by_measure(prepared));
    CostRows rows(prepared, style);
    for (const auto& file : std::span(files).first(shown))
        rows.add(file.cost, {engine::display_name(prepared.profile().name(file.file)), engine::Tone::plain});
    rows.add_rest(std::span(files).subspan(shown));
    out += fmt::format("\n{}\n", engine::paint(title, engine::Tone::heading, style));
    rows.write(out);
    out += "--system annotates them, too.\n";
}

/// `hidden`: on lines of annotated files that have no row.
void write_accounting(std::string& out, const PreparedProfile& prepared, const Annotation& annotation,
                      Cost hidden, const engine::Style& style) {
    if (!prepared.measure.additive || !annotation.costs_are_located) return;
    const auto& accounting = annotation.accounting;
    CostRows rows(prepared, style);
    rows.add(accounting.in_texts.lines - hidden, "on the lines shown above");
    if (hidden != 0) rows.add(hidden, "on other lines of these files; --line-threshold 0 shows them");
    if (accounting.in_texts.no_line != 0)
        rows.add(accounting.in_texts.no_line, "in these files, but on no known line");
    if (accounting.in_texts.past_end != 0)
        rows.add(accounting.in_texts.past_end, "in these files, but past their end");
    if (accounting.system != 0) rows.add(accounting.system, "in system files");
    if (accounting.missing != 0) rows.add(accounting.missing, "in source files that were not found");
    if (accounting.unknown_file != 0) rows.add(accounting.unknown_file, "in code of no known source file");
    if (annotation.omitted_files > 0) {
        const auto files = engine::counted(annotation.omitted_files, "other file", style);
        const bool is_chosen = !prepared.not_profiles.empty();
        rows.add(accounting.omitted, "in " + files + (is_chosen ? "" : "; --threshold 100 takes all"));
    }
    const auto title = "Where the cost is" + by_measure(prepared);
    out += fmt::format("\n{}\n", engine::paint(title, engine::Tone::heading, style));
    rows.write(out);
}

SourceView view_of(const AnnotatedFile& file, const Links& links) {
    return {.path = file.text.path(),
            .url = links.url_of(file.text.path()),
            .is_guess = file.text.is_guess(),
            .is_newer = file.is_newer,
            .line_count = file.text.line_count(),
            .line = [&text = file.text](std::uint64_t number) { return text.line(number); }};
}

void write_functions(Output& output, const PreparedProfile& prepared, const Answer& answer,
                     const AnnotateOptions& options, const engine::Style& style) {
    answer.filtering.write_note(output.text(), style);
    output.text() += '\n';
    const std::vector<std::string> advice = {"--limit 0 lists all", "--limit 0"};
    write_function_table(output.text(), prepared.graph, prepared.measure, answer.list,
                         {.advice = answer.filtering ? Filtering::advice() : advice,
                          .kept = answer.filtering.kept(),
                          .by = options.sort.value_or(SortBy::self),
                          .shown = prepared.shown,
                          .around = answer.around ? &*answer.around : nullptr,
                          .after_row = [&output] { output.flush_some(); }},
                         style);
}

/// Of named source files only these are wanted, unless an option is about functions.
bool lists_functions(const PreparedProfile& prepared, const Answer& answer, const AnnotateOptions& options) {
    return prepared.not_profiles.empty() || answer.filtering || options.sort || options.limit ||
           options.tree != CallTree::none;
}

void write_text(Output& output, const PreparedProfile& prepared, const Answer& answer,
                const AnnotateOptions& options, const engine::Style& style) {
    const auto& annotation = answer.annotation;
    write_heading(output.text(), prepared.graph, prepared.measure, style, prepared.shown);
    if (lists_functions(prepared, answer, options)) write_functions(output, prepared, answer, options, style);
    const Links links(style.links);
    const bool is_named = !prepared.not_profiles.empty();  // then all of it is wanted
    const auto share = options.line_threshold.value_or(is_named ? 0 : default_line_threshold);
    const ShownLines shown{
        context_or(options.context, default_context),
        static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(annotation.absolute)))};
    Cost hidden = 0;
    for (const auto& file : annotation.files) {
        hidden += write_annotated_source(output.text(), prepared.graph, annotation.measures, file.lines,
                                         view_of(file, links), shown, style);
        output.flush_some();
    }
    write_system_files(output.text(), prepared, annotation, options, style);
    write_missing(output.text(), prepared, annotation, options, style);
    write_accounting(output.text(), prepared, annotation, hidden, style);
}

// --- JSON -------------------------------------------------------------------------------------------------

void write_missing(engine::JsonWriter& json, const PreparedProfile& prepared, const Annotation& annotation) {
    const auto* key = annotation.costs_are_located ? "self" : "self_of_functions";
    json.key("missing");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& missing : annotation.missing) {
        json.begin_object();
        json.member("file", prepared.profile().name(missing.file));
        write_costs(json, key, {prepared.measure}, [&](const Measure&) { return missing.cost; });
        json.member("reason", engine::if_any(reason_text(missing.problem)));
        json.end_object();
    }
    json.end_array();
}

void write_accounting(engine::JsonWriter& json, const PreparedProfile& prepared,
                      const Annotation& annotation) {
    json.key("located");
    if (!prepared.measure.additive || !annotation.costs_are_located) {
        json.null();
        return;
    }
    const auto& accounting = annotation.accounting;
    json.begin_object();
    json.member("lines", accounting.in_texts.lines);
    json.member("no_line", accounting.in_texts.no_line);
    json.member("past_end", accounting.in_texts.past_end);
    json.member("missing", accounting.missing);
    json.member("unknown_file", accounting.unknown_file);
    json.member("omitted", accounting.omitted);
    json.end_object();
}

void write_json(engine::JsonWriter& json, Output& output, const PreparedProfile& prepared,
                const Answer& answer, const AnnotateOptions& options) {
    const auto& around = answer.around;
    const auto& annotation = answer.annotation;
    const ContextNames contexts(prepared.profile());
    const auto measures = annotation.measures.shown_measures();
    write_measures(json, prepared.graph, prepared.measure, measures);
    answer.filtering.write(json);
    NeighbourWriter neighbours(json, prepared.graph, contexts, prepared.measure, measures,
                               engine::JsonLayout::line);
    const auto kept = answer.filtering.kept();
    function_columns(prepared.graph, contexts, measures, kept)
        .write(json, "functions", nodes_of(answer.list), [&](std::size_t row) {
            if (!around) return;
            const auto& [callers, callees] = (*around)[row];
            if (options.tree != CallTree::callees) neighbours.write("callers", callers);
            if (options.tree != CallTree::callers) neighbours.write("callees", callees);
        });
    write_omitted(json, prepared.graph, answer.list, measures, kept);
    json.key("files");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& file : annotation.files) {
        write_annotated_source(json, prepared.graph, contexts, annotation.measures, file.lines,
                               view_of(file, Links{}));
        output.flush_some();
    }
    json.end_array();
    write_missing(json, prepared, annotation);
    write_accounting(json, prepared, annotation);
}

/// Records are needed for source lines and call sites only. A file that is named alone is a profile.
Detail detail_for(const AnnotateOptions& options) {
    const bool has_lines = options.all_files || options.input.files.size() > 1;
    const bool has_call_sites = options.tree != CallTree::none;
    return !options.output.csv && (has_lines || has_call_sites) ? Detail::full
                                                                : least_detail(options.input.selection);
}

int run_annotate(const AnnotateOptions& options, const Console& console) {
    const auto prepared = prepare(options.input, options.measure, console, detail_for(options));
    if (!prepared) return status(prepared.error());
    if (options.output.csv && !prepared->not_profiles.empty()) {
        console.say(Severity::error, "annotate --csv has functions only, no source lines",
                    "'callcost lines --csv' has lines; --json has the source, too");
        return status(Exit::usage);
    }
    const Filtering filtering(*prepared, options.filters);
    filtering.say_if_empty(console);
    auto wanted = list_options(*prepared, options);
    filtering.apply(wanted);
    auto list = functions(prepared->graph, wanted);
    AnswerForms forms{.schema = "callcost.annotate/1", .text = {}, .json = {}};
    if (options.output.csv) {
        if (options.all_files)
            console.say(Severity::note, "--csv lists functions, not source lines",
                        "'callcost lines --csv' lists lines; --json has both");
        forms.csv = [&](engine::CsvWriter& csv, Output&) {
            const ContextNames contexts(prepared->profile());
            function_columns(prepared->graph, contexts, table_measures(*prepared), filtering.kept())
                .write(csv, nodes_of(list));
        };
        return write_answer(*prepared, options.input, options.output, forms, console);
    }
    auto around = tree(*prepared, list, options, console);
    if (!around) return status(around.error());
    auto annotation = annotate(*prepared,
                               {options.sources, options.output, options.all_files,
                                options.system_files || options.output.json, options.threshold},
                               console);
    if (!annotation) return status(annotation.error());
    const Answer answer{filtering, std::move(list), *std::move(around), *std::move(annotation)};

    forms.text = [&](Output& output) { write_text(output, *prepared, answer, options, console.out); };
    forms.json = [&](engine::JsonWriter& json, Output& output) {
        write_json(json, output, *prepared, answer, options);
    };
    return write_answer(*prepared, options.input, options.output, forms, console);
}

/// `A,B` or `A:50`, as callgrind_annotate has it.
bool is_list_of_events(std::string_view text) {
    const auto colon = text.rfind(':');
    return text.find(',') != std::string_view::npos ||
           (colon != std::string_view::npos && colon + 1 < text.size() &&
            text.find_first_not_of("0123456789.", colon + 1) == std::string_view::npos);
}

/// The key may be an event type, which only the profile knows.
void declare_sort_or_event(CommandLine& line, AnnotateOptions& options) {
    const auto key = std::make_shared<std::string>();
    line.value("--sort", "KEY", "sort by self, inclusive, called or name, or by an event type", *key);
    line.check([key, &options] {
        if (key->empty()) return;
        for (const auto& known : sort_keys) {
            if (known.word != *key) continue;
            options.sort = known.value;
            return;
        }
        auto& event = options.measure.event;
        if (is_list_of_events(*key))
            throw UsageError(fmt::format("--sort takes one event type, not '{}'", *key),
                             "several event types, or percentages, need --style=valgrind");
        if (!event.empty() && event != *key)
            throw UsageError(fmt::format("--sort {} and --event {} contradict each other", *key, event),
                             "--event selects what to measure and sort by; --columns selects what to show");
        event = *key;
        options.measure.event_is_sort_key = true;
    });
}

}  // namespace

Run annotate_command(CommandLine& line) {
    line.describe("[OPTION...] [FILE...] [SOURCE...]",
                  "Show totals, functions, and source lines with their cost, calls and jumps. With SOURCE, "
                  "annotate these source files only, and list functions only with an option about them, such "
                  "as --limit. "
                  "--csv lists functions only; for lines see 'callcost lines --csv'.\n\n--focus, --ignore, "
                  "--show, --hide, --file and --object filter "
                  "the list of functions, not the sources. For PATTERN see 'callcost top --help'.");
    line.examples(
        {{"annotate callgrind.out.4711", "most expensive lines, with their source"},
         {"annotate --tree=both --auto=no callgrind.out.4711", "functions with callers and callees"},
         {"annotate -I src callgrind.out.4711 parser.c", "one source file"}});
    line.common({"--event", "--focus", "--ignore", "--show", "--hide", "--sort", "--inclusive", "--limit",
                 "--threshold", "--columns", "--include", "--source-map", "--auto", "--tree", "--context",
                 "--json", "--csv"});
    const auto options = std::make_shared<AnnotateOptions>();
    options->input.may_name_sources = true;
    line.words(options->input.files);
    declare_input(line, options->input);
    declare_inlined(line, options->input, &options->sources);
    line.heading("Selection");
    declare_event(line, options->measure);
    declare_filters(line, options->filters);
    declare_sort_or_event(line, *options);
    declare_inclusive(line, options->sort);
    declare_limit(line, options->limit, "list at most N functions; 0: all");
    line.percentage("--threshold",
                    "list functions and files that make up this share of the total (default: 99%)",
                    options->threshold);
    declare_columns(line, options->measure);
    declare_sources(line, options->sources, SearchedFiles::all);
    line.yes_or_no("--auto", "annotate the files of listed functions (default: yes)", options->all_files);
    line.choice<CallTree>(
        "--tree", "WHO", "none (default), caller, calling or both: list callers and callees of each function",
        {{"none", CallTree::none},
         {"caller", CallTree::callers},
         {"calling", CallTree::callees},
         {"both", CallTree::both}},
        options->tree);
    line.flag_or_no("--system", "annotate files of the system and the compiler, too (default: no)",
                    options->system_files);
    line.percentage("--line-threshold",
                    "show lines with at least this share of the total, calls included (default: 0.1%)",
                    options->line_threshold);
    line.yes_or_no("--show-percs", "show percentages (default: yes)", options->output.percentages);
    line.number("--context", "show N lines around them (default: 3)", options->context);
    const auto style = std::make_shared<std::string>();
    line.choice<std::string>(
        "--style", "STYLE",
        "callcost (default) or valgrind: use the options and layout of callgrind_annotate",
        {{"callcost", "callcost"}, {"valgrind", "valgrind"}}, *style);
    declare_output(line, options->output);
    line.check([style, options = options.get()] {  // "valgrind" has options of its own
        if (options->output.csv && options->tree != CallTree::none)
            throw UsageError("--tree and --csv cannot be combined", "--json has callers and callees");
    });
    return [options] { return run_annotate(*options, open_console(options->output)); };
}

}  // namespace callcost::program
