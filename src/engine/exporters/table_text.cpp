#include "exporters/table_text.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "exporters/model_rows.hpp"
#include "exporters/text_blocks.hpp"
#include "text/profile_facts.hpp"

namespace callcost::engine {
namespace {

class TableWriter {
  public:
    TableWriter(const CallGraph& graph, const TableOptions& options, const Sink& sink)
        : graph_(graph),
          measures_(measures_of_rows(graph, options.measures)),
          contexts_(graph.profile()),
          blocks_(sink),
          csv_(blocks_.text(), options.names, options.fields) {}

    Result<void> write(TableRows rows) {
        write_header(rows);
        for (const auto& row : functions_in_order()) {
            if (rows == TableRows::functions) write_function(row.node);
            if (rows == TableRows::arcs) write_arcs(row.node);
            if (rows == TableRows::lines) write_lines(row.node);
            if (has_failed_) break;
        }
        return blocks_.finish();
    }

  private:
    void write_header(TableRows rows) {
        std::vector<std::string> titles;
        const auto add_costs = [&](std::string_view prefix) { add_titles(titles, prefix, measures_); };
        switch (rows) {
            case TableRows::functions:
                titles = {"function", "file", "object", "context", "called", "called_is_exact", "cycle"};
                add_costs("self");
                add_costs("inclusive");
                titles.emplace_back("inclusive_is_exact");
                break;
            case TableRows::arcs:
                titles = {"caller", "caller_file",    "caller_object", "caller_context",
                          "callee", "callee_file",    "callee_object", "callee_context",
                          "count",  "count_is_exact", "recursive"};
                add_costs("inclusive");
                break;
            case TableRows::lines:
                titles = {"function", "file", "object", "context", "source_file", "line", "address"};
                add_costs("self");
                break;
        }
        csv_.header(titles);
    }

    [[nodiscard]] std::vector<FunctionRow> functions_in_order() const {
        FunctionsOptions options;
        if (!measures_.empty()) options.measure = measures_.front();
        return functions(graph_, options).rows;
    }

    void write_function(NodeId node) {
        write_identity(node);
        const auto called = graph_.call_count(node);
        csv_.number(known_calls(graph_, called));
        csv_.text(called.at_least ? "no" : "yes");
        csv_.number(cycle_number(graph_.cycle(node)));
        for (const auto& each : measures_) csv_.number(graph_.self(node, each));
        for (const auto& each : measures_) csv_.number(inclusive_cost(graph_, node, each));
        csv_.text(std::all_of(measures_.begin(), measures_.end(),
                              [&](const Measure& each) {
                                  return !has_inclusive(graph_, each) ||
                                         graph_.inclusive_bounds(node, each).is_exact();
                              })
                      ? "yes"
                      : "no");
        end_row();
    }

    void write_arcs(NodeId node) {
        for (const auto arc : arcs_in_order(node)) {
            write_identity(node);
            write_identity(graph_.callee(arc));
            csv_.number(known_calls(graph_, graph_.count(arc)));
            csv_.text(graph_.count(arc).at_least ? "no" : "yes");
            csv_.text(graph_.recursive(arc) ? "yes" : "no");
            for (const auto& each : measures_) csv_.number(arc_cost(graph_, arc, each));
            end_row();
        }
    }

    [[nodiscard]] std::vector<ArcId> arcs_in_order(NodeId caller) const {
        struct Row {
            Cost cost;
            NodeId callee;
            ArcId arc;
        };
        std::vector<Row> rows;
        for (const auto arc : graph_.callees(caller))
            rows.push_back(
                {measures_.empty() ? Cost() : graph_.cost(arc, measures_.front()), graph_.callee(arc), arc});
        std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
            return a.cost != b.cost ? a.cost > b.cost
                                    : std::pair(names_of(graph_, a.callee), a.callee) <
                                          std::pair(names_of(graph_, b.callee), b.callee);
        });
        std::vector<ArcId> arcs;
        arcs.reserve(rows.size());
        for (const auto& row : rows) arcs.push_back(row.arc);
        return arcs;
    }

    void write_lines(NodeId node) {
        if (!places_) places_.emplace(graph_, measures_);
        for (const auto& row : places_->of(node, PlaceRows::Kind::lines)) {
            write_identity(node);
            csv_.text(graph_.profile().name(row.file));
            csv_.number(if_known(row.line));
            csv_.number(if_known(row.address));
            for (const auto cost : row.costs) csv_.number(cost);
            end_row();
        }
    }

    void write_identity(NodeId node) {
        const auto [name, context] = function_name(graph_, contexts_, node);
        csv_.text(name);
        csv_.text(graph_.file(node));
        csv_.text(graph_.object(node));
        csv_.text(context);
    }

    static std::optional<std::uint64_t> if_known(std::uint64_t number) {
        return number == 0 ? std::nullopt : std::optional(number);
    }

    void end_row() {
        csv_.end_row();
        has_failed_ = !blocks_.end_row();
    }

    const CallGraph& graph_;
    std::vector<Measure> measures_;
    ContextNames contexts_;
    TextBlocks blocks_;
    CsvWriter csv_;
    std::optional<PlaceRows> places_;
    bool has_failed_ = false;
};

}  // namespace

Result<void> write_table(const CallGraph& graph, const TableOptions& options, const Sink& sink) {
    if (options.rows == TableRows::lines && graph.profile().detail() != Detail::full)
        return tl::unexpected(Error{.code = ErrorCode::needs_detail, .detail = {}});
    return TableWriter(graph, options, sink).write(options.rows);
}

}  // namespace callcost::engine
