#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "loading/preparation.hpp"
#include "query/function_hint.hpp"
#include "query/view.hpp"
#include "reports/answer.hpp"
#include "reports/function_list.hpp"
#include "reports/group_list.hpp"
#include "reports/neighbours.hpp"
#include "text/diagnostics.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"
#include <callcost/groups.hpp>

namespace callcost::program {
namespace {

struct PeekOptions {
    InputOptions input;
    MeasureOptions measure;
    OutputOptions output;
    Filter pattern;  ///< which functions
    std::optional<GroupBy> group;
    std::optional<SortBy> sort;
    std::optional<std::size_t> limit;  ///< 0: all
};

// --- text -------------------------------------------------------------------------------------------------

class PeekText {
  public:
    PeekText(std::string& out, const PreparedProfile& prepared, const Peek& peek, const PeekOptions& options,
             const engine::Style& style)
        : out_(out),
          graph_(prepared.graph),
          measure_(prepared.measure),
          peek_(peek),
          style_(style),
          columns_(graph_, measure_, style),
          names_(graph_, style),
          links_(style.links),
          has_costs_(engine::has_inclusive(graph_, measure_)),
          max_sites_(limit_or(options.limit, options.output, 3)) {}

    void write() {
        write_heading(out_, graph_, measure_, style_);
        const auto& rows = peek_.list.rows;
        for (std::size_t i = 0; i < rows.size(); ++i) write_function(rows[i], peek_.around[i]);
        if (const auto rest = peek_.matches - rows.size(); rest > 0) {
            const auto text = fmt::format("\n({} matching)  --limit 0 lists all\n",
                                          engine::counted(rest, "more function", style_));
            out_ += engine::paint(text, engine::Tone::dim, style_);
        }
        if (has_estimates_) write_note_on_estimates(out_, style_, true);
        if (has_costs_) names_.write_explanations(out_);
    }

  private:
    using Row = std::vector<Cell>;

    Row cells(Cost cost, bool has_share, const CallCount& count, Cell last,
              engine::Tone tone = engine::Tone::plain, std::string_view mark = {}) const {
        Row row;
        if (has_costs_) {
            row.emplace_back(std::string(mark) + engine::cost(cost, measure_.unit, style_), tone);
            row.emplace_back(has_share ? std::string(mark) + columns_.share(cost) : "", tone);
        }
        row.emplace_back(engine::calls(count, style_), tone);
        if (has_costs_) row.emplace_back(engine::per_call(cost, count, measure_.unit, style_), tone);
        row.push_back(std::move(last));
        return row;
    }

    /// All there is without calls.
    void write_lone_function(const FunctionRow& row) {
        Table table({{"self", Align::right}, {"self%", Align::right}, {"function"}});
        table.add_row({engine::cost(row.self, measure_.unit, style_),
                       columns_.share(row.self),
                       {NameText{.name = engine::display_name(graph_.name(row.node))}, engine::Tone::strong,
                        location_texts(graph_, row.node, style_)}});
        out_ += '\n';
        table.write(out_, style_);
    }

    void write_function(const FunctionRow& row, const NeighbourLists& around) {
        if (!engine::has_calls(graph_)) return write_lone_function(row);
        std::vector<Column> columns;
        if (has_costs_) columns = {{"inclusive", Align::right}, {"incl%", Align::right}};
        columns.push_back({"calls", Align::right});
        if (has_costs_) columns.push_back({"per call", Align::right});
        columns.push_back({"function"});
        Table table(std::move(columns));

        add_neighbours(table, around.callers, "<-");
        add_omitted(table, around.callers, "more caller");
        add_entered(table, row);
        add_itself(table, row);
        add_self(table, row);
        add_neighbours(table, around.callees, "->");
        add_omitted(table, around.callees, "more callee");
        add_beyond(table, graph_.unrecorded_callees(row.node, measure_), "(callees not recorded)");
        add_beyond(table, graph_.unattributed(row.node, measure_), "(unattributed)");
        out_ += '\n';
        table.write(out_, style_);
    }

    /// The function between its callers and its callees.
    void add_itself(Table& table, const FunctionRow& row) {
        const BoundedCost bounds = graph_.inclusive_bounds(row.node, measure_);
        auto itself =
            cells(row.inclusive, true, graph_.call_count(row.node),
                  {names_.function(row.node), engine::Tone::strong, location_texts(graph_, row.node, style_)},
                  engine::Tone::strong, bounds.is_exact() ? std::string_view() : about);
        if (has_costs_ && engine::has_nested_calls(graph_, row.node, measure_))
            itself[itself.size() - 2] = "";
        table.add_row(itself);
        if (!has_costs_ || bounds.is_exact()) return;
        has_estimates_ = true;
        table.add_row({"",
                       bounds_text(bounds.least, bounds.most, graph_, measure_, style_),
                       "",
                       "",
                       {"  bounds of its inclusive cost", engine::Tone::dim}});
    }

    void add_self(Table& table, const FunctionRow& row) const {
        if (has_costs_) {
            table.add_row({engine::cost(row.self, measure_.unit, style_), columns_.share(row.self), "", "",
                           "  its self cost"});
        } else {
            const auto share = columns_.share(row.self);
            table.add_row({"", fmt::format("  {} self cost{}", engine::cost(row.self, measure_.unit, style_),
                                           share.empty() ? share : ", " + share)});
        }
    }

    /// What its recorded callers did not pay for: it was entered otherwise.
    void add_entered(Table& table, const FunctionRow& row) const {
        if (!has_costs_ || graph_.cycle(row.node).valid()) return;
        const auto rest = conservation(graph_, row.node, measure_).imbalance();
        if (rest <= 0) return;
        table.add_row({{engine::cost(rest, measure_.unit, style_), engine::Tone::dim},
                       {columns_.share(rest), engine::Tone::dim},
                       "",
                       "",
                       {"  <- (no recorded caller)", engine::Tone::dim}});
    }

    /// What its callers paid for beyond what is recorded of it.
    void add_beyond(Table& table, Cost rest, std::string_view where) const {
        if (!has_costs_ || rest == 0) return;
        table.add_row({{engine::cost(rest, measure_.unit, style_), engine::Tone::dim},
                       {columns_.share(rest), engine::Tone::dim},
                       "",
                       "",
                       {fmt::format("  -> {}", where), engine::Tone::dim}});
    }

    void add_neighbours(Table& table, const NeighbourList& neighbours, std::string_view arrow) {
        for (std::size_t i = 0; i < neighbours.shown.size(); ++i) {
            const auto& neighbour = neighbours.shown[i];
            auto row = cells(graph_.cost(neighbour.arc, measure_), !graph_.counted_again(neighbour.arc),
                             graph_.count(neighbour.arc), names_.neighbour(neighbour, arrow));
            if (graph_.inlined(neighbour.arc)) row[has_costs_ ? 2 : 0] = "";  // no calls
            table.add_row(row);
            add_sites(table, neighbours.sites[i]);
        }
    }

    void add_sites(Table& table, std::span<const CallSite> sites) const {
        const auto shown = std::min(sites.size(), max_sites_);
        const bool is_alone = sites.size() == 1;
        if (is_alone && !is_known(sites.front())) return;
        for (const auto& site : sites.first(shown)) {
            auto text = "       at " + place_text(site);
            Cell place(std::move(text), engine::Tone::dim);
            place.url = links_.url_of(std::string(graph_.profile().name(site.file)), site.line);
            if (is_alone) {
                Row row(has_costs_ ? 4 : 1, "");
                row.push_back(std::move(place));
                table.add_row(row);
            } else {
                table.add_row(cells(site.cost, false, site.count, std::move(place), engine::Tone::dim));
            }
        }
        if (const auto rest = sites.size() - shown; rest > 0) {
            Row row(has_costs_ ? 4 : 1, "");
            row.emplace_back(fmt::format("       ({})", engine::counted(rest, "more place", style_)),
                             engine::Tone::dim, std::vector<std::string>{"--limit 0 lists all", "--limit 0"});
            table.add_row(row);
        }
    }

    /// Whether a place says more than that there is one.
    [[nodiscard]] bool is_known(const CallSite& site) const {
        return site.address != 0 || site.line != 0 || graph_.profile().name(site.file) != "???";
    }

    [[nodiscard]] std::string place_text(const CallSite& site) const {
        const auto file = graph_.profile().name(site.file);
        if (!is_known(site)) return "an unknown place";
        if (file == "???" && site.line == 0) return fmt::format("address 0x{:x}", site.address);
        auto text = engine::display_name(file);
        text += site.line == 0 ? " (line not known)" : fmt::format(":{}", site.line);
        if (site.address != 0) text += fmt::format(" (0x{:x})", site.address);
        return text;
    }

    void add_omitted(Table& table, const NeighbourList& neighbours, std::string_view noun) const {
        const auto& rest = neighbours.rest;
        if (rest.rows == 0) return;
        table.add_row(cells(rest.cost.after, !rest.counted_again, rest.count,
                            omitted_neighbours(neighbours, noun, style_), engine::Tone::dim));
    }

    std::string& out_;
    const CallGraph& graph_;
    const Measure& measure_;
    const Peek& peek_;
    const engine::Style& style_;
    CostColumns columns_;
    NeighbourNames names_;
    Links links_;
    bool has_costs_;
    bool has_estimates_ = false;
    std::size_t max_sites_;
};

// --- JSON -------------------------------------------------------------------------------------------------

class PeekJson {
  public:
    PeekJson(engine::JsonWriter& json, const PreparedProfile& prepared, const Peek& peek)
        : json_(json),
          graph_(prepared.graph),
          measure_(prepared.measure),
          measures_(machine_measures(prepared)),
          contexts_(prepared.profile()),
          columns_(function_columns(graph_, contexts_, measures_)),
          peek_(peek),
          neighbours_(json_, graph_, contexts_, measure_, measures_, engine::JsonLayout::rows) {}

    void write() {
        write_measures(json_, graph_, measure_, measures_);
        json_.member("matches", peek_.matches);
        json_.key("functions");
        json_.begin_array(engine::JsonLayout::rows);
        for (std::size_t i = 0; i < peek_.around.size(); ++i)
            write_function(peek_.list.rows[i], peek_.around[i]);
        json_.end_array();
        write_omitted(json_, graph_, peek_.list, measures_);
    }

  private:
    void write_function(const FunctionRow& row, const NeighbourLists& around) {
        json_.begin_object(engine::JsonLayout::rows);
        columns_.write_members(json_, row.node);
        const bool has_average = !engine::has_nested_calls(graph_, row.node, measure_);
        neighbours_.write_per_call(row.inclusive, has_average ? graph_.call_count(row.node) : CallCount{});
        neighbours_.write("callers", around.callers);
        neighbours_.write("callees", around.callees);
        json_.end_object();
    }

    engine::JsonWriter& json_;
    const CallGraph& graph_;
    const Measure& measure_;
    std::vector<Measure> measures_;
    ContextNames contexts_;
    engine::RowColumns<NodeId> columns_;
    const Peek& peek_;
    NeighbourWriter neighbours_;
};

// --- CSV --------------------------------------------------------------------------------------------------

/// A row per caller and callee, and one per place where the calls are made.
void write_csv(engine::CsvWriter& csv, const PreparedProfile& prepared, const Peek& peek) {
    const auto& graph = prepared.graph;
    const auto& event = prepared.measure;
    const bool has_costs = engine::has_inclusive(graph, event);
    std::vector<std::string> titles = {"function",       "file",       "object",       "relation",
                                       "other_function", "other_file", "other_object", "recursive",
                                       "site_file",      "site_line",  "calls",        "calls_are_exact"};
    engine::add_titles(titles, "inclusive", {event});
    titles.emplace_back("per_call");
    const bool has_inlined = graph.profile().has_inlined();
    if (has_inlined) titles.emplace_back("inlined");
    csv.header(titles);

    const auto names = [&](NodeId node) {
        csv.text(graph.name(node));
        csv.text(graph.file(node));
        csv.text(graph.object(node));
    };
    const auto end_row = [&](bool is_inlined) {
        if (has_inlined) csv.text(is_inlined ? "yes" : "no");
        csv.end_row();
    };
    const auto costs = [&](Cost cost, const CallCount& count) {
        csv.number(known_calls(graph, count));
        csv.text(count.at_least ? "no" : "yes");
        csv.number(has_costs ? std::optional(cost) : std::nullopt);
        csv.decimal(has_costs ? engine::per_call(cost, count, {}) : std::string());
    };
    const auto write = [&](NodeId node, std::string_view relation, const NeighbourList& neighbours) {
        const auto begin_row = [&](const engine::Neighbour& neighbour, bool is_site) {
            names(node);
            csv.text(fmt::format("{}{}", relation, is_site ? " site" : ""));
            names(neighbour.other.node);
            csv.text(graph.recursive(neighbour.arc) ? "yes" : "no");
        };
        for (std::size_t i = 0; i < neighbours.shown.size(); ++i) {
            const auto& neighbour = neighbours.shown[i];
            begin_row(neighbour, false);
            csv.empty();
            csv.empty();
            costs(graph.cost(neighbour.arc, event), graph.count(neighbour.arc));
            end_row(graph.inlined(neighbour.arc));
            for (const auto& site : neighbours.sites[i]) {
                begin_row(neighbour, true);
                csv.text(graph.profile().name(site.file));
                csv.number(site.line);
                costs(site.cost, site.count);
                end_row(graph.inlined(neighbour.arc));
            }
        }
    };
    for (std::size_t i = 0; i < peek.around.size(); ++i) {
        const auto node = peek.list.rows[i].node;
        write(node, "caller", peek.around[i].callers);
        names(node);
        csv.text("function");
        for (int empty = 0; empty < 6; ++empty) csv.empty();
        costs(peek.list.rows[i].inclusive, graph.call_count(node));
        end_row(false);
        write(node, "callee", peek.around[i].callees);
    }
}

int run_peek(const PeekOptions& options, const Console& console) {
    auto prepared = prepare(options.input, options.measure, console, Detail::full);
    if (!prepared) return status(prepared.error());
    if (options.group)
        prepared->graph = engine::groups_of(prepared->graph, *options.group, nullptr).view.graph;
    const auto peek =
        peek_at(*prepared, {options.pattern, options.sort, options.limit, !options.output.is_text()});
    if (!peek) {
        console.say(Severity::error, peek.error().message());
        return status(Exit::error);
    }
    if (peek->matches == 0) {
        console.say(Severity::error, "no function matches the pattern",
                    engine::function_hint(prepared->graph, options.pattern.texts));
        return status(Exit::error);
    }

    const AnswerForms forms = {
        .schema = "callcost.peek/1",
        .text =
            [&](Output& output) { PeekText(output.text(), *prepared, *peek, options, console.out).write(); },
        .json =
            [&](engine::JsonWriter& json, Output&) {
                if (options.group) json.member("group", to_string(*options.group));
                PeekJson(json, *prepared, *peek).write();
            },
        .csv = [&](engine::CsvWriter& csv, Output&) { write_csv(csv, *prepared, *peek); }};
    return write_answer(*prepared, options.input, options.output, forms, console);
}

}  // namespace

Run peek_command(CommandLine& line) {
    line.describe(
        "[OPTION...] PATTERN [FILE...]",
        "Show matching functions with their callers and callees: call counts, inclusive cost, cost per call "
        "and call sites.\n\nPATTERN is part of a function name, or a regular expression (RE2) between "
        "slashes, such as '/^main$/'. file:PATTERN and object:PATTERN match names of files and objects.");
    line.examples({{"peek malloc callgrind.out.4711", "who calls it, and what it calls"},
                   {"peek /^parse_/ callgrind.out.4711", "functions that match an expression"},
                   {"peek --event Dr malloc callgrind.out.4711", "by another event type"}});
    line.common({"--event", "--group", "--sort", "--limit", "--json", "--csv"});
    const auto options = std::make_shared<PeekOptions>();
    declare_pattern_and_files(line, options->pattern, options->input.files);
    declare_input(line, options->input);
    declare_inlined(line, options->input);
    line.heading("Selection");
    declare_event(line, options->measure);
    declare_level(line, options->group);
    declare_sort(line, options->sort);
    declare_limit(line, options->limit,
                  "show N functions, and N callers, callees and call sites of each; 0: all (default: 10)");
    declare_output(line, options->output);
    return [options] { return run_peek(*options, open_console(options->output)); };
}

}  // namespace callcost::program
