#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "answers/function_code.hpp"
#include "commands/commands.hpp"
#include "loading/preparation.hpp"
#include "loading/run_files.hpp"
#include "query/function_hint.hpp"
#include "reports/annotation.hpp"
#include "reports/answer.hpp"
#include "reports/function_list.hpp"
#include "reports/instruction_listing.hpp"
#include "reports/neighbours.hpp"
#include "sources/disassembler.hpp"
#include "sources/source_files.hpp"
#include "text/diagnostics.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {
namespace {

struct AsmOptions {
    InputOptions input;
    MeasureOptions measure;
    SourceSearchOptions sources;
    OutputOptions output;
    Filter pattern;  ///< which functions
    std::optional<SortBy> sort;
    std::optional<std::size_t> limit;  ///< 0: all
    bool is_intel = false;             ///< Intel's syntax
    bool with_bytes = false;           ///< the bytes of instructions
    bool with_lines = false;           ///< source lines between them
    std::optional<std::size_t> context;
};

/// What there is to show.
struct Listing : Matching {
    Listing(const PreparedProfile& prepared, const AsmOptions& options) {
        static_cast<Matching&>(*this) = matching_functions(
            prepared, {options.pattern, options.sort, options.limit, !options.output.is_text()});
        measures = measures_to_show(prepared, options.output);
        view = prepared.view();
        view.after.columns = measures.all;
        Disassembler disassembler(code_search(prepared.profile(), options.sources));
        const auto disassemble = [&](std::string_view object, std::span<const AddressRange> ranges) {
            return disassembler.machine_code(object, ranges,
                                             options.is_intel ? engine::Syntax::intel : engine::Syntax::att);
        };
        for (const auto& row : list.rows)
            functions.emplace_back(view.after, row.node, disassemble,
                                   std::numeric_limits<std::size_t>::max());
    }
    Listing(const Listing&) = delete;
    Listing& operator=(const Listing&) = delete;
    ~Listing() = default;

    LineMeasures measures;
    engine::View view;                            ///< by them
    std::vector<engine::FunctionCode> functions;  ///< by row of the list, in `view`
};

bool has_addresses(const Listing& listing) {
    return std::any_of(listing.functions.begin(), listing.functions.end(), [](const auto& function) {
        return !function.rows().empty() && function.rows().back().address != 0;
    });
}

void say_if_jumps_are_missing(const PreparedProfile& prepared, const Console& console) {
    const auto parts = engine::selected_part_facts(prepared.graph);
    const auto has_none = [](const Part* part) {
        return part->jumps == 0 && part->dialect == Dialect::callgrind;
    };
    if (std::all_of(parts.begin(), parts.end(), has_none))
        console.say(Severity::note, "the profile has no jumps", "'callcost record PROGRAM' records them");
}

/// What there is to say if no function that has machine code of its own matches.
std::string hint_without_match(const PreparedProfile& prepared, const AsmOptions& options) {
    auto selection = options.input.selection;
    selection.inlined = Inlined::fold;
    const auto& profile = prepared.profile();
    const auto functions = call_graph(profile, selection);
    for (std::size_t row = 0; functions && row < functions->size(); ++row) {
        const NodeId node(row);
        if (!engine::any_matches(options.pattern.patterns, *functions, node)) continue;
        const auto host = functions->node_of(profile.host(functions->function(node)));
        return fmt::format("{} is inlined in {}", in_quotes(functions->name(node)),
                           in_quotes(functions->name(host)));
    }
    return engine::function_hint(prepared.graph, options.pattern.texts);
}

// --- text -------------------------------------------------------------------------------------------------

/// The source files of the instructions, each looked for once.
class SourceLines {
  public:
    SourceLines(const Profile& profile, const AsmOptions& options)
        : profile_(profile), finder_(source_search(profile, options.sources)) {}

    std::string_view line(FileId file, std::uint64_t number) {
        const auto& text = text_of(file);
        return text && number != 0 ? text->line(number) : std::string_view();
    }

  private:
    const std::optional<SourceText>& text_of(FileId file) {
        const auto known = texts_.find(file);
        if (known != texts_.end()) return known->second;
        auto found = finder_.find(profile_.name(file));
        return texts_.emplace(file, found ? std::optional(*std::move(found)) : std::nullopt).first->second;
    }

    const Profile& profile_;
    SourceFinder finder_;
    std::map<FileId, std::optional<SourceText>> texts_;
};

void write_text(Output& output, const PreparedProfile& prepared, const Listing& listing,
                const AsmOptions& options, const engine::Style& style) {
    write_heading(output.text(), prepared.graph, prepared.measure, style, prepared.shown);
    SourceLines sources(prepared.profile(), options);
    const Links links(style.links);
    InstructionListingOptions how;
    how.bytes = options.with_bytes;
    how.context = context_or(options.context);
    if (options.with_lines)
        how.source_line = [&](FileId file, std::uint64_t line) { return sources.line(file, line); };
    how.after_row = [&output] { output.flush_some(); };
    how.url_of = [&](FileId file, std::uint64_t line) {
        return links.url_of(std::string(prepared.profile().name(file)), line);
    };
    for (const auto& function : listing.functions) {
        write_instructions(output.text(), prepared.graph, listing.measures, function, how, style);
    }
    if (const auto rest = listing.matches - listing.list.rows.size(); rest > 0) {
        const auto text = fmt::format("\n({} matching)  --limit 0 lists all\n",
                                      engine::counted(rest, "more function", style));
        output.text() += engine::paint(text, engine::Tone::dim, style);
    }
}

// --- JSON, CSV --------------------------------------------------------------------------------------------

void write_json(engine::JsonWriter& json, Output& output, const PreparedProfile& prepared,
                const Listing& listing) {
    const auto& graph = prepared.graph;
    const ContextNames contexts(prepared.profile());
    const auto shown = listing.measures.shown_measures();
    const auto columns = function_columns(graph, contexts, shown);
    write_measures(json, graph, prepared.measure, shown);
    json.member("matches", listing.matches);
    json.key("functions");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& function : listing.functions) {
        json.begin_object(engine::JsonLayout::rows);
        columns.write_members(json, function.node());
        write_instructions(json, graph, contexts, listing.measures, function,
                           [&output] { output.flush_some(); });
        json.end_object();
    }
    json.end_array();
    write_omitted(json, graph, listing.list, shown);
}

void write_csv(engine::CsvWriter& csv, Output& output, const PreparedProfile& prepared,
               const Listing& listing) {
    write_instruction_titles(csv, prepared.graph, listing.measures);
    for (const auto& function : listing.functions)
        write_instructions(csv, prepared.graph, listing.measures, function,
                           [&output] { output.flush_some(); });
}

int run_asm(const AsmOptions& options, const Console& console) {
    const auto prepared = prepare(options.input, options.measure, console, Detail::full);
    if (!prepared) return status(prepared.error());
    const Listing listing(*prepared, options);
    if (listing.matches == 0) {
        console.say(Severity::error, "no function matches the pattern",
                    hint_without_match(*prepared, options));
        return status(Exit::error);
    }
    if (!has_addresses(listing)) {
        const auto& first = listing.functions.front();
        console.say(Severity::error, first.code().problem, first.code().hint);
        return status(Exit::error);
    }

    say_if_jumps_are_missing(*prepared, console);
    const AnswerForms forms = {
        .schema = "callcost.asm/1",
        .text = [&](Output& output) { write_text(output, *prepared, listing, options, console.out); },
        .json = [&](engine::JsonWriter& json,
                    Output& output) { write_json(json, output, *prepared, listing); },
        .csv = [&](engine::CsvWriter& csv, Output& output) { write_csv(csv, output, *prepared, listing); }};
    return write_answer(*prepared, options.input, options.output, forms, console);
}

}  // namespace

Run asm_command(CommandLine& line) {
    line.describe("[OPTION...] PATTERN [FILE...]",
                  "Show the machine code of matching functions with the cost, calls and jumps of each "
                  "instruction.\n\nThe code is disassembled by objdump, so the program must be here, and the "
                  "profile must have addresses, as those of 'callcost record' have. For "
                  "PATTERN see 'callcost peek --help'.");
    line.examples(
        {{"asm multiply callgrind.out.4711", "machine code of functions with this name"},
         {"asm --source multiply callgrind.out.4711", "with source lines between"},
         {"asm --objdump aarch64-linux-gnu-objdump decode callgrind.out.7", "program of another processor"}});
    line.common({"--event", "--columns", "--sort", "--limit", "--intel", "--source", "--context", "--include",
                 "--source-map", "--objdump", "--json", "--csv"});
    const auto options = std::make_shared<AsmOptions>();
    declare_pattern_and_files(line, options->pattern, options->input.files);
    declare_input(line, options->input);
    declare_inlined(line, options->input, &options->sources);
    options->input.selection.inlined = Inlined::in_host;  // there it has its machine code
    line.heading("Selection");
    declare_event(line, options->measure);
    declare_columns(line, options->measure);
    line.refused("--show", "asm has no option '--show'", "--columns selects event types");
    declare_sort(line, options->sort);
    declare_limit(line, options->limit, "show N functions; 0: all (default: 10)");
    line.flag("--intel", "use Intel syntax instead of AT&T syntax", options->is_intel);
    line.flag("--hex", "show the bytes of instructions", options->with_bytes);
    line.flag("--source", "show source lines between instructions", options->with_lines);
    line.number("--context", "show N instructions around those with cost (default: 8)", options->context);
    declare_sources(line, options->sources, SearchedFiles::all);
    declare_disassembler(line, options->sources);
    declare_output(line, options->output);
    return [options] { return run_asm(*options, open_console(options->output)); };
}

}  // namespace callcost::program
