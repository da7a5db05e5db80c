#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/output.hpp"
#include "cli/preparation.hpp"
#include "commands/commands.hpp"
#include "commands/neighbours.hpp"
#include "render/csv.hpp"
#include "render/diagnostics.hpp"
#include "render/names.hpp"
#include "render/numbers.hpp"
#include "render/profile_facts.hpp"
#include "views/function_list.hpp"

namespace callcost::cli {
namespace {

// --- text -------------------------------------------------------------------------------------------------

class PeekText {
  public:
    PeekText(std::string& out, const Prepared& prepared, const Peek& peek, const Options& options,
             const render::Style& style)
        : out_(out),
          graph_(prepared.graph),
          measure_(prepared.measure),
          peek_(peek),
          style_(style),
          columns_(graph_, measure_, style),
          links_(style.links),
          has_costs_(render::has_inclusive(graph_, measure_)),
          most_sites_(limit_or(options, 3)) {}

    void write() {
        render::write_heading(out_, graph_, measure_, style_);
        for (const auto& function : peek_.functions) write_function(function);
        if (const auto rest = peek_.matches - peek_.functions.size(); rest > 0) {
            const auto text = fmt::format("\n({} matching)  --limit 0 lists all\n",
                                          render::counted(rest, "more function", style_));
            out_ += render::paint(text, render::Tone::dim, style_);
        }
        write_explanations();
    }

  private:
    using Row = std::vector<render::Cell>;

    Row cells(std::int64_t cost, bool has_share, const CallCount& count, render::Cell last,
              render::Tone tone = render::Tone::plain) const {
        Row row;
        if (has_costs_) {
            row.emplace_back(render::cost(cost, style_), tone);
            row.emplace_back(has_share ? columns_.share(cost) : "", tone);
        }
        row.emplace_back(render::calls(count, style_), tone);
        if (has_costs_) row.emplace_back(render::per_call(cost, count, style_), tone);
        row.push_back(std::move(last));
        return row;
    }

    /// All there is without calls.
    void write_lone_function(const FunctionRow& row) {
        render::Table table({{"self", render::Align::right}, {"self%", render::Align::right}, {"function"}});
        table.add_row({render::cost(row.self, style_),
                       columns_.share(row.self),
                       {render::display_name(graph_.name(row.node)), render::Tone::strong,
                        render::location_texts(graph_, row.node)}});
        out_ += '\n';
        table.write(out_, style_);
    }

    void write_function(const Peeked& function) {
        if (!render::has_calls(graph_)) return write_lone_function(function.row);
        std::vector<render::Column> columns;
        if (has_costs_) columns = {{"inclusive", render::Align::right}, {"incl%", render::Align::right}};
        columns.push_back({"calls", render::Align::right});
        if (has_costs_) columns.push_back({"per call", render::Align::right});
        columns.push_back({"function"});
        render::Table table(std::move(columns));

        for (const auto& caller : function.callers.shown) add_neighbour(table, caller, "<-");
        add_omitted(table, function.callers, "more caller");
        add_entered(table, function.row);
        add_itself(table, function.row);
        add_self(table, function.row);
        for (const auto& callee : function.callees.shown) add_neighbour(table, callee, "->");
        add_omitted(table, function.callees, "more callee");
        out_ += '\n';
        table.write(out_, style_);
    }

    /// The function between its callers and its callees.
    void add_itself(render::Table& table, const FunctionRow& row) {
        auto name = render::display_name(graph_.name(row.node));
        if (const auto cycle = render::cycle_number(graph_.cycle(row.node))) {
            name += fmt::format(" (cycle {})", *cycle);
            has_cycles_ = true;
        }
        table.add_row(cells(row.inclusive, true, graph_.called(row.node),
                            {std::move(name), render::Tone::strong, render::location_texts(graph_, row.node)},
                            render::Tone::strong));
    }

    void add_self(render::Table& table, const FunctionRow& row) const {
        if (has_costs_) {
            table.add_row(
                {render::cost(row.self, style_), columns_.share(row.self), "", "", "  its self cost"});
        } else {
            const auto share = columns_.share(row.self);
            table.add_row({"", fmt::format("  {} self cost{}", render::cost(row.self, style_),
                                           share.empty() ? share : ", " + share)});
        }
    }

    /// What its recorded callers did not pay for: it was entered otherwise.
    void add_entered(render::Table& table, const FunctionRow& row) const {
        if (!has_costs_ || graph_.cycle(row.node).valid()) return;
        const auto rest = conservation(graph_, row.node, measure_).imbalance();
        if (rest <= 0) return;
        table.add_row({{render::cost(rest, style_), render::Tone::dim},
                       {columns_.share(rest), render::Tone::dim},
                       "",
                       "",
                       {"  <- (no recorded caller)", render::Tone::dim}});
    }

    void add_neighbour(render::Table& table, const Neighbour& neighbour, std::string_view arrow) {
        auto name = fmt::format("  {} {}", arrow, render::display_name(graph_.name(neighbour.node)));
        const bool is_recursive = graph_.recursive(neighbour.arc);
        if (graph_.caller(neighbour.arc) == graph_.callee(neighbour.arc)) {
            name += " (recursive)";
            has_recursion_ = true;
        } else if (is_recursive) {
            name += fmt::format(" (cycle {})", *render::cycle_number(graph_.cycle(neighbour.node)));
            has_cycles_ = true;
        }
        table.add_row(
            cells(graph_.cost(neighbour.arc, measure_), !is_recursive, graph_.count(neighbour.arc),
                  {std::move(name), render::Tone::plain, render::location_texts(graph_, neighbour.node)}));
        add_sites(table, neighbour);
    }

    void add_sites(render::Table& table, const Neighbour& neighbour) const {
        const auto shown = std::min(neighbour.sites.size(), most_sites_);
        const bool is_alone = neighbour.sites.size() == 1;
        for (const auto& site : std::span(neighbour.sites).first(shown)) {
            auto text = "       at " + place_text(site);
            render::Cell place(std::move(text), render::Tone::dim);
            place.url = links_.url_of(std::string(graph_.profile().name(site.file)), site.line);
            if (is_alone) {
                Row row(has_costs_ ? 4 : 1, "");
                row.push_back(std::move(place));
                table.add_row(std::move(row));
            } else {
                table.add_row(cells(site.cost, false, site.count, std::move(place), render::Tone::dim));
            }
        }
        if (const auto rest = neighbour.sites.size() - shown; rest > 0) {
            Row row(has_costs_ ? 4 : 1, "");
            row.emplace_back(fmt::format("       ({})", render::counted(rest, "more place", style_)),
                             render::Tone::dim, std::vector<std::string>{"--limit 0 lists all", "--limit 0"});
            table.add_row(std::move(row));
        }
    }

    [[nodiscard]] std::string place_text(const CallSite& site) const {
        const auto file = graph_.profile().name(site.file);
        if (file == "???") return fmt::format("address 0x{:x}", site.address);
        auto text = render::display_name(file);
        text += site.line == 0 ? " (line not known)" : fmt::format(":{}", site.line);
        if (site.address != 0) text += fmt::format(" (0x{:x})", site.address);
        return text;
    }

    void add_omitted(render::Table& table, const Neighbours& neighbours, std::string_view noun) const {
        if (neighbours.omitted == 0) return;
        table.add_row(cells(neighbours.omitted_cost, !neighbours.omitted_recursive, neighbours.omitted_count,
                            {fmt::format("  ({})", render::counted(neighbours.omitted, noun, style_)),
                             render::Tone::dim,
                             {"--limit 0 lists all", "--limit 0"}},
                            render::Tone::dim));
    }

    void write_explanations() {
        if (!has_costs_) return;
        std::string text;
        if (has_recursion_) {
            text +=
                "(recursive): calls itself. The cost of such calls is in that of the outermost one already, "
                "so it has no share and is in no sum. ";
        }
        if (has_cycles_) {
            text +=
                "(cycle N): both call each other, directly or over others. The cost of calls inside a cycle "
                "holds parts several times, so it has no share and is in no sum; the inclusive cost of a "
                "member is its own and that of its calls that leave the cycle. 'callcost top' lists cycles. ";
        }
        if (text.empty()) return;
        text.pop_back();
        out_ +=
            fmt::format("\n{}\n", render::paint(render::wrapped(text, 0, style_), render::Tone::dim, style_));
    }

    std::string& out_;
    const CallGraph& graph_;
    const Measure& measure_;
    const Peek& peek_;
    const render::Style& style_;
    render::CostColumns columns_;
    Links links_;
    bool has_costs_;
    std::size_t most_sites_;
    bool has_recursion_ = false;
    bool has_cycles_ = false;
};

// --- JSON -------------------------------------------------------------------------------------------------

class PeekJson {
  public:
    PeekJson(std::string& out, const Prepared& prepared, const Peek& peek)
        : json_(out),
          graph_(prepared.graph),
          measure_(prepared.measure),
          measures_(machine_measures(prepared)),
          contexts_(prepared.profile()),
          peek_(peek) {}

    void write() {
        json_.begin_object(render::JsonLayout::rows);
        json_.member("schema", "callcost.peek/1");
        render::write_measures(json_, graph_, measure_, measures_);
        json_.member("matches", peek_.matches);
        json_.key("functions");
        json_.begin_array(render::JsonLayout::rows);
        for (const auto& function : peek_.functions) write_function(function);
        json_.end_array();
        render::write_omitted(json_, graph_, peek_.list, measures_);
        json_.end_object();
    }

  private:
    void write_function(const Peeked& function) {
        const auto node = function.row.node;
        json_.begin_object(render::JsonLayout::rows);
        render::write_function_members(json_, graph_, contexts_, node, measures_);
        json_.key("per_call");
        json_.decimal(per_call(function.row.inclusive, graph_.called(node)));
        write_neighbours("callers", function.callers);
        write_neighbours("callees", function.callees);
        json_.end_object();
    }

    void write_neighbours(std::string_view name, const Neighbours& neighbours) {
        json_.key(name);
        json_.begin_array(render::JsonLayout::rows);
        for (const auto& neighbour : neighbours.shown) write_neighbour(neighbour);
        json_.end_array();
        json_.key(fmt::format("omitted_{}", name));
        json_.begin_object();
        json_.member("rows", neighbours.omitted);
        json_.member("count", render::known_calls(graph_, neighbours.omitted_count));
        write_inclusive(neighbours.omitted_cost);
        json_.end_object();
    }

    void write_neighbour(const Neighbour& neighbour) {
        const auto count = graph_.count(neighbour.arc);
        json_.begin_object();
        render::write_function_identity(json_, graph_, contexts_, neighbour.node);
        json_.member("count", render::known_calls(graph_, count));
        json_.member("count_is_exact", !count.at_least);
        render::write_costs(json_, "inclusive", measures_, [&](const Measure& measure) {
            return measure.additive ? std::optional(graph_.cost(neighbour.arc, measure)) : std::nullopt;
        });
        json_.key("per_call");
        json_.decimal(per_call(graph_.cost(neighbour.arc, measure_), count));
        json_.member("recursive", graph_.recursive(neighbour.arc));
        json_.member("cycle", graph_.recursive(neighbour.arc)
                                  ? render::cycle_number(graph_.cycle(neighbour.node))
                                  : std::nullopt);
        json_.key("sites");
        json_.begin_array();
        for (const auto& site : neighbour.sites) write_site(site);
        json_.end_array();
        json_.end_object();
    }

    void write_site(const CallSite& site) {
        json_.begin_object();
        json_.member("file", graph_.profile().name(site.file));
        json_.member("line", site.line);
        json_.member("address", site.address);
        json_.member("count", render::known_calls(graph_, site.count));
        write_inclusive(site.cost);
        json_.end_object();
    }

    void write_inclusive(std::int64_t cost) {
        render::write_costs(json_, "inclusive", {measure_}, [&](const Measure& measure) {
            return measure.additive ? std::optional(cost) : std::nullopt;
        });
    }

    [[nodiscard]] std::string per_call(std::int64_t cost, const CallCount& count) const {
        return render::has_inclusive(graph_, measure_) ? render::per_call(cost, count, {}) : std::string();
    }

    render::JsonWriter json_;
    const CallGraph& graph_;
    const Measure& measure_;
    std::vector<Measure> measures_;
    ContextNames contexts_;
    const Peek& peek_;
};

// --- CSV --------------------------------------------------------------------------------------------------

/// A row per caller and callee, and one per place where the calls are made.
void write_csv(std::string& out, const Prepared& prepared, const Peek& peek, const Options& options) {
    const auto& graph = prepared.graph;
    const auto& event = prepared.measure;
    const bool has_costs = render::has_inclusive(graph, event);
    render::CsvWriter csv(out, csv_names(options));
    std::vector<std::string> titles = {"function",       "file",       "object",       "relation",
                                       "other_function", "other_file", "other_object", "recursive",
                                       "site_file",      "site_line",  "calls"};
    render::add_titles(titles, "inclusive", {event});
    titles.emplace_back("per_call");
    csv.header(titles);

    const auto names = [&](NodeId node) {
        csv.text(graph.name(node));
        csv.text(graph.file(node));
        csv.text(graph.object(node));
    };
    const auto costs = [&](std::int64_t cost, const CallCount& count) {
        csv.number(render::known_calls(graph, count));
        csv.number(has_costs ? std::optional(cost) : std::nullopt);
        csv.decimal(has_costs ? render::per_call(cost, count, {}) : std::string());
        csv.end_row();
    };
    const auto write = [&](NodeId node, std::string_view relation, const Neighbours& neighbours) {
        const auto begin_row = [&](const Neighbour& neighbour, bool is_site) {
            names(node);
            csv.text(fmt::format("{}{}", relation, is_site ? " site" : ""));
            names(neighbour.node);
            csv.text(graph.recursive(neighbour.arc) ? "yes" : "no");
        };
        for (const auto& neighbour : neighbours.shown) {
            begin_row(neighbour, false);
            csv.empty();
            csv.empty();
            costs(graph.cost(neighbour.arc, event), graph.count(neighbour.arc));
            for (const auto& site : neighbour.sites) {
                begin_row(neighbour, true);
                csv.text(graph.profile().name(site.file));
                csv.number(site.line);
                costs(site.cost, site.count);
            }
        }
    };
    for (const auto& function : peek.functions) {
        const auto node = function.row.node;
        write(node, "caller", function.callers);
        names(node);
        csv.text("function");
        for (int i = 0; i < 6; ++i) csv.empty();
        costs(function.row.inclusive, graph.called(node));
        write(node, "callee", function.callees);
    }
}

}  // namespace

int run_peek(const Options& options, const Console& console) {
    const auto prepared = prepare(options, console, Detail::full);
    if (!prepared) return status(prepared.error());
    const auto peek = peek_at(*prepared, options);
    if (!peek) {
        console.say(Severity::error, render::error_text(peek.error()).message);
        return status(Exit::error);
    }
    if (peek->matches == 0) {
        console.say(Severity::error, "no function matches the pattern",
                    "it is looked for in names as they are, large and small letters being different");
        return status(Exit::error);
    }

    Output output(console, options);
    if (options.json) {
        PeekJson(output.text(), *prepared, *peek).write();
        output.text() += '\n';
    } else if (options.csv) {
        write_csv(output.text(), *prepared, *peek, options);
    } else {
        PeekText(output.text(), *prepared, *peek, options, console.out).write();
    }
    return status(output.finish() ? prepared->exit : Exit::error);
}

}  // namespace callcost::cli
