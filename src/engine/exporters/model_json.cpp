#include "exporters/model_json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "exporters/model_rows.hpp"
#include "exporters/text_blocks.hpp"
#include "text/json.hpp"
#include "text/profile_facts.hpp"
#include <callcost/lines.hpp>

namespace callcost::engine {
namespace {

/// Texts that rows name by number. Parts inherit theirs, so a file can have one long text very often.
class Texts {
  public:
    std::optional<std::size_t> row_of(std::string_view text) {
        if (text.empty()) return std::nullopt;
        if (text.data() == last_.data() && text.size() == last_.size()) return last_row_;
        const auto [found, is_new] = rows_.try_emplace(text, all_.size());
        if (is_new) all_.push_back(text);
        last_ = text;
        last_row_ = found->second;
        return last_row_;
    }
    [[nodiscard]] const std::vector<std::string_view>& all() const { return all_; }

  private:
    std::vector<std::string_view> all_;
    std::unordered_map<std::string_view, std::size_t> rows_;
    std::string_view last_;  // the same place in memory, mostly
    std::size_t last_row_ = 0;
};

std::string_view dialect_name(Dialect dialect) {
    switch (dialect) {
        case Dialect::callgrind:
            return "callgrind";
        case Dialect::cachegrind:
            return "cachegrind";
        case Dialect::generic:
            break;
    }
    return "generic";
}

class ModelWriter {
  public:
    ModelWriter(const CallGraph& graph, const ModelJsonOptions& options, const Sink& sink)
        : graph_(graph),
          profile_(graph.profile()),
          integers_(options.integers),
          measures_(measures_of_rows(graph, options.measures)),
          contexts_(profile_),
          blocks_(sink),
          json_(blocks_.text()) {}

    Result<void> write(Detail detail) {
        json_.begin_object(JsonLayout::rows);
        json_.member("schema", "callcost.profile/1");
        write_sources();
        write_diagnostics();
        write_events();
        write_parts();
        write_names("objects", profile_.object_count(),
                    [&](std::size_t row) { return profile_.name(ObjectId(row)); });
        write_names("files", profile_.file_count(),
                    [&](std::size_t row) { return profile_.name(FileId(row)); });
        write_functions();
        write_cycles();
        write_arcs();
        if (detail == Detail::full) {
            write_lines();
            write_calls();
            write_jumps();
        }
        json_.end_object();
        blocks_.text() += '\n';
        return blocks_.finish();
    }

  private:
    // --- what tables are made of

    /// A cost, count, line or address.
    template <class Number>
    void number(Number number) {
        if (integers_ == JsonIntegers::numbers) {
            json_.value(number);
        } else {
            json_.value(std::string_view(std::to_string(number)));
        }
    }
    template <class Number>
    void number(const std::optional<Number>& known) {
        known ? number(*known) : json_.null();
    }
    template <class Number>
    void member(std::string_view name, const Number& value) {
        json_.key(name);
        number(value);
    }

    /// False once the sink has failed.
    bool end_row() {
        json_.end_array();
        return blocks_.end_row();
    }

    template <class NameOf>
    void write_names(std::string_view title, std::size_t count, NameOf name_of) {
        json_.key(title);
        json_.begin_array(JsonLayout::rows);
        for (std::size_t row = 0; row < count; ++row) {
            json_.value(name_of(row));
            if (!blocks_.end_row()) break;
        }
        json_.end_array();
    }

    void begin_table(std::string_view title, std::initializer_list<std::string_view> columns,
                     std::initializer_list<std::string_view> costs) {
        json_.key(title);
        json_.begin_object(JsonLayout::rows);
        json_.key("columns");
        json_.begin_array();
        for (const auto column : columns) json_.value(column);
        for (const auto kind : costs) {
            for (const auto& each : measures_) json_.value(std::string(kind) + "_" + each.name);
        }
        json_.end_array();
        json_.key("rows");
        json_.begin_array(JsonLayout::rows);
    }

    void end_table() {
        json_.end_array();
        json_.end_object();
    }

    /// By event type; only what is not 0.
    void write_costs(std::string_view title, const std::optional<Costs>& costs) {
        json_.key(title);
        if (!costs) return json_.null();
        json_.begin_object();
        for (const auto& [event, cost] : costs->cells()) member(profile_.events()[event.value].name, cost);
        json_.end_object();
    }

    // --- the profile as a whole

    void write_sources() {
        json_.key("sources");
        json_.begin_array(JsonLayout::rows);
        for (const auto& source : profile_.sources()) {
            json_.begin_object();
            json_.member("name", source.name);
            member("bytes", source.bytes);
            member("lines", source.lines);
            json_.end_object();
        }
        json_.end_array();
    }

    void write_diagnostics() {
        json_.key("diagnostics");
        json_.begin_array(JsonLayout::rows);
        const auto write = [&](std::span<const Diagnostic> diagnostics) {
            for (const auto& each : diagnostics) {
                json_.begin_object();
                json_.member("id", kind_of(each.id).name);
                json_.member("severity", to_string(kind_of(each.id).severity));
                member("count", each.count);
                json_.end_object();
            }
        };
        write(profile_.diagnostics());
        write(formula_diagnostics(profile_));
        write(analysis_diagnostics(graph_));
        json_.end_array();
    }

    void write_events() {
        json_.member("event", default_measure(graph_).name);
        json_.key("events");
        json_.begin_array(JsonLayout::rows);
        for (const auto& each : measures_) {
            json_.begin_object();
            json_.member("name", each.name);
            json_.member("long_name", if_any(each.long_name));
            write_unit(json_, each.unit);
            json_.member("formula", if_any(each.formula));
            json_.member("additive", each.additive);
            member("total", each.additive ? std::optional(graph_.total(each)) : std::nullopt);
            json_.end_object();
        }
        json_.end_array();
    }

    void write_parts() {
        const auto parts = selected_part_facts(graph_);
        json_.key("positions");
        json_.begin_array();
        for (const auto name : position_names(parts)) json_.value(name);
        json_.end_array();
        Texts creators, commands;
        for (const auto* part : parts) {
            (void)creators.row_of(part->creator);
            (void)commands.row_of(part->command);
        }
        write_names("creators", creators.all().size(), [&](std::size_t row) { return creators.all()[row]; });
        write_names("commands", commands.all().size(), [&](std::size_t row) { return commands.all()[row]; });
        json_.key("parts");
        json_.begin_array(JsonLayout::rows);
        for (const auto* part : parts) {
            write_part(*part, creators.row_of(part->creator), commands.row_of(part->command));
            if (!blocks_.end_row()) break;
        }
        json_.end_array();
    }

    void write_part(const Part& part, std::optional<std::size_t> creator,
                    std::optional<std::size_t> command) {
        json_.begin_object();
        json_.member("source", part.source);
        json_.member("profile", part.profile);
        json_.member("dialect", dialect_name(part.dialect));
        json_.member("creator", creator);
        json_.member("command", command);
        member("pid", part.pid.number);
        member("part", part.part.number);
        member("thread", part.thread.number);
        json_.member("trigger", if_any(part.trigger));
        json_.member("timerange", if_any(part.timerange));
        write_texts("descriptions", part.descriptions);
        json_.key("headers");
        json_.begin_array();
        for (const auto& [name, value] : part.other_headers) {
            json_.begin_array();
            json_.value(name);
            json_.value(value);
            json_.end_array();
        }
        json_.end_array();
        write_costs("self", part.self);
        write_costs("summary", part.summary);
        write_costs("totals", part.totals);
        write_costs("inclusive_sum", part.inclusive_sum);
        member("cost_lines", part.cost_lines);
        member("call_records", part.call_records);
        member("calls", part.call_count);
        json_.member("calls_are_exact", !part.calls_at_least);
        member("jumps", part.jumps);
        json_.end_object();
    }

    void write_texts(std::string_view title, const std::vector<std::string>& texts) {
        json_.key(title);
        json_.begin_array();
        for (const auto& text : texts) json_.value(text);
        json_.end_array();
    }

    // --- the graph

    void write_functions() {
        begin_table("functions",
                    {"function", "context", "file", "object", "called", "called_is_exact", "cycle"},
                    {"self", "inclusive", "inclusive_at_least", "inclusive_at_most"});
        for (std::size_t row = 0; row < graph_.size(); ++row) {
            const NodeId node(row);
            const auto [name, context] = function_name(graph_, contexts_, node);
            const auto function = graph_.function(node);
            const auto called = graph_.call_count(node);
            json_.begin_array();
            json_.value(name);
            json_.value(if_any(context));
            json_.value(profile_.file(function).value);
            json_.value(profile_.object(function).value);
            number(known_calls(graph_, called));
            json_.value(!called.at_least);
            json_.value(cycle_number(graph_.cycle(node)));
            for (const auto& each : measures_) number(graph_.self(node, each));
            for (const auto& each : measures_) number(inclusive_cost(graph_, node, each));
            for (const auto bound : {&BoundedCost::least, &BoundedCost::most})
                for (const auto& each : measures_)
                    number(has_inclusive(graph_, each)
                               ? std::optional(graph_.inclusive_bounds(node, each).*bound)
                               : std::nullopt);
            if (!end_row()) break;
        }
        end_table();
    }

    void write_cycles() {
        begin_table("cycles", {"cycle", "functions", "called", "called_is_exact"}, {"self", "inclusive"});
        for (std::size_t row = 0; row < graph_.cycle_count(); ++row) {
            const CycleId cycle(row);
            const auto called = graph_.call_count(cycle);
            json_.begin_array();
            json_.value(row + 1);
            json_.value(graph_.members(cycle).size());
            number(known_calls(graph_, called));
            json_.value(!called.at_least);
            for (const auto& each : measures_) number(graph_.self(cycle, each));
            for (const auto& each : measures_)
                number(each.additive ? std::optional(graph_.inclusive(cycle, each)) : std::nullopt);
            if (!end_row()) break;
        }
        end_table();
    }

    void write_arcs() {
        begin_table("arcs", {"caller", "callee", "count", "count_is_exact", "recursive", "counted_again"},
                    {"inclusive"});
        for (std::size_t row = 0; row < graph_.arc_count(); ++row) {
            const ArcId arc(row);
            const auto count = graph_.count(arc);
            json_.begin_array();
            json_.value(graph_.caller(arc).value);
            json_.value(graph_.callee(arc).value);
            number(known_calls(graph_, count));
            json_.value(!count.at_least);
            json_.value(graph_.recursive(arc));
            json_.value(graph_.counted_again(arc));
            for (const auto& each : measures_) number(arc_cost(graph_, arc, each));
            if (!end_row()) break;
        }
        end_table();
    }

    // --- the records

    void write_lines() {
        begin_table("lines", {"function", "file", "line", "address"}, {"self"});
        PlaceRows places(graph_, measures_);
        for (std::size_t row = 0; row < graph_.size(); ++row) {
            for (const auto& line : places.of(NodeId(row), PlaceRows::Kind::lines)) {
                json_.begin_array();
                json_.value(row);
                write_place(line);
                for (const auto cost : line.costs) number(cost);
                if (!end_row()) break;
            }
        }
        end_table();
    }

    void write_calls() {
        begin_table("calls", {"caller", "callee", "file", "line", "address", "count", "count_is_exact"},
                    {"inclusive"});
        PlaceRows places(graph_, measures_);
        for (std::size_t row = 0; row < graph_.size(); ++row) {
            if (graph_.callees(NodeId(row)).empty()) continue;
            for (const auto& call : places.of(NodeId(row), PlaceRows::Kind::calls)) {
                json_.begin_array();
                json_.value(row);
                json_.value(call.callee.value);
                write_place(call);
                number(known_calls(graph_, call.count));
                json_.value(!call.count.at_least);
                for (std::size_t i = 0; i < measures_.size(); ++i)
                    number(measures_[i].additive ? std::optional(call.costs[i]) : std::nullopt);
                if (!end_row()) break;
            }
        }
        end_table();
    }

    void write_place(const PlaceRow& place) {
        json_.value(place.file.value);
        number(place.line);
        number(place.address);
    }

    void write_jumps() {
        begin_table("jumps",
                    {"function", "file", "line", "address", "target_function", "target_file", "target_line",
                     "target_address", "conditional", "executed", "followed"},
                    {});
        const bool has_jumps = add_up(selected_part_facts(graph_)).jumps > 0;
        for (std::size_t row = 0; has_jumps && row < graph_.size(); ++row) {
            const auto jumps = callcost::jumps(graph_, NodeId(row));
            if (!jumps) break;  // needs_detail, which was asked before
            for (const auto& jump : *jumps) {
                json_.begin_array();
                json_.value(row);
                write_row(jump);
                if (!end_row()) break;
            }
        }
        end_table();
    }

    void write_row(const JumpSite& jump) {
        json_.value(jump.file.value);
        number(jump.line);
        number(jump.address);
        json_.value(jump.target_function.valid() ? std::optional(jump.target_function.value) : std::nullopt);
        json_.value(jump.target_file.valid() ? std::optional(jump.target_file.value) : std::nullopt);
        number(jump.target_line);
        number(jump.target_address);
        json_.value(jump.conditional);
        number(jump.executed);
        number(jump.followed);
    }

    const CallGraph& graph_;
    const Profile& profile_;
    JsonIntegers integers_;
    std::vector<Measure> measures_;
    ContextNames contexts_;
    TextBlocks blocks_;
    JsonWriter json_;
};

}  // namespace

Result<void> write_model_json(const CallGraph& graph, const ModelJsonOptions& options, const Sink& sink) {
    if (options.detail == Detail::full && graph.profile().detail() != Detail::full)
        return tl::unexpected(Error{.code = ErrorCode::needs_detail, .detail = {}});
    return ModelWriter(graph, options, sink).write(options.detail);
}

}  // namespace callcost::engine
