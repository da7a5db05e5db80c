#include "reports/part_list.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/function_list.hpp"
#include "terminal/text_table.hpp"
#include "text/input_names.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {
namespace {

CallCount calls_of(const Part& part) { return {part.call_count, part.calls_at_least}; }
/// Null if all that is known is that there are some (F57).
std::optional<std::uint64_t> known_calls_of(const Part& part) {
    return part.calls_at_least && part.call_count == 0 ? std::nullopt : std::optional(part.call_count);
}

Cost self_of(const Part& part, const Measure& measure) {
    Cost cost;
    for (const auto& [event, factor] : measure.terms) cost += part.self[event] * factor;
    return cost;
}

/// The parts to show, in the order of the files, and what the others cost.
struct PartList {
    PartList(const PreparedProfile& prepared, std::size_t limit)
        : all(engine::selected_part_facts(prepared.graph)), shown(std::min(all.size(), limit)) {}

    [[nodiscard]] std::span<const Part* const> rows() const { return std::span(all).first(shown); }
    [[nodiscard]] Cost omitted_self(const Measure& measure) const {
        Cost cost = 0;
        for (const auto* part : std::span(all).subspan(shown)) cost += self_of(*part, measure);
        return cost;
    }

    std::vector<const Part*> all;
    std::size_t shown;
};

std::string number_text(const HeaderNumber& number) {
    return number.text.empty() ? std::string("-") : engine::display_name(number.text);
}

class PartsText {
  public:
    PartsText(std::string& out, const PreparedProfile& prepared, const PartList& list,
              const engine::Style& style)
        : out_(out),
          prepared_(prepared),
          measure_(prepared.measure),
          list_(list),
          style_(style),
          columns_(prepared.graph, prepared.measure, style) {}

    void write() {
        write_heading(out_, prepared_.graph, measure_, style_);
        out_ += '\n';
        write_parts();
        write_threads();
    }

  private:
    void write_parts() {
        Table table({{"pid", Align::right},
                     {"part", Align::right},
                     {"thread", Align::right},
                     {"self", Align::right},
                     {"self%", Align::right},
                     {"calls", Align::right},
                     {"cost lines", Align::right},
                     {std::string(engine::part_details_title(list_.all))}});
        for (const auto* part : list_.rows()) {
            table.add_row({number_text(part->pid), number_text(part->part), number_text(part->thread),
                           cost_of(self_of(*part, measure_)), columns_.share(self_of(*part, measure_)),
                           engine::calls(calls_of(*part), style_), engine::count(part->cost_lines, style_),
                           details(*part)});
        }
        if (const auto rest = list_.all.size() - list_.shown; rest > 0) {
            const auto self = list_.omitted_self(measure_);
            table.add_row({"",
                           "",
                           "",
                           {cost_of(self), engine::Tone::dim},
                           {columns_.share(self), engine::Tone::dim},
                           "",
                           "",
                           {fmt::format("({})", engine::counted(rest, "more part", style_)),
                            engine::Tone::dim,
                            {"--limit 0 lists all", "--limit 0"}}});
        }
        table.write(out_, style_);
    }

    /// What a thread costs over all its parts, if that is not what the parts say already.
    void write_threads() {
        struct Thread {
            std::size_t parts = 0;
            Cost self = 0;
            const Part* first = nullptr;
        };
        std::map<std::pair<std::uint64_t, std::uint64_t>, Thread> threads;  // by pid and thread
        for (const auto* part : list_.all) {
            auto& thread = threads[{part->pid.number.value_or(0), part->thread.number.value_or(1)}];
            if (thread.first == nullptr) thread.first = part;
            ++thread.parts;
            thread.self += self_of(*part, measure_);
        }
        if (threads.size() < 2 || threads.size() == list_.all.size()) return;
        Table table({{"pid", Align::right},
                     {"thread", Align::right},
                     {"parts", Align::right},
                     {"self", Align::right},
                     {"self%", Align::right}});
        for (const auto& [key, thread] : threads) {
            table.add_row({number_text(thread.first->pid), number_text(thread.first->thread),
                           engine::count(thread.parts, style_), cost_of(thread.self),
                           columns_.share(thread.self)});
        }
        out_ += fmt::format("\n{}\n", engine::paint("Threads", engine::Tone::heading, style_));
        table.write(out_, style_);
    }

    [[nodiscard]] std::string cost_of(Cost self) const {
        return measure_.additive ? engine::cost(self, measure_.unit, style_) : std::string("-");
    }

    [[nodiscard]] std::string details(const Part& part) const {
        std::string text;
        const auto add = [&](const std::string& piece) {
            if (piece.empty()) return;
            if (!text.empty()) text += "; ";
            text += piece;
        };
        add(engine::display_name(engine::thread_name(part)));
        add(engine::display_name(part.timerange));
        add(engine::display_name(part.trigger));
        const auto sources = prepared_.profile().sources();
        if (sources.size() > 1) add(engine::source_name(sources[part.source]));
        return text;
    }

    std::string& out_;
    const PreparedProfile& prepared_;
    const Measure& measure_;
    const PartList& list_;
    const engine::Style& style_;
    CostColumns columns_;
};

engine::RowColumns<const Part*> columns_of(const PreparedProfile& prepared,
                                           const std::vector<Measure>& measures) {
    engine::RowColumns<const Part*> columns;
    const auto add_text = [&](std::string_view name, auto Part::*text) {
        columns.add(name, [text](const Part* part) { return std::string_view(part->*text); });
    };
    const auto add_number = [&](std::string_view name, HeaderNumber Part::*number) {
        columns.add(
            {std::string(name)},
            [name = std::string(name), number](engine::JsonWriter& json, const Part* part) {
                json.member(name, (part->*number).number);
            },
            [number](engine::CsvWriter& csv, const Part* part) { csv.text((part->*number).text); });
    };
    columns.add("source", [&](const Part* part) {
        return std::string_view(prepared.profile().sources()[part->source].name);
    });
    add_number("pid", &Part::pid);
    add_number("part", &Part::part);
    add_number("thread", &Part::thread);
    add_text("command", &Part::command);
    add_text("timerange", &Part::timerange);
    add_text("trigger", &Part::trigger);
    columns.add_costs("self", measures, [](const Part* part, const Measure& measure) {
        return measure.additive ? std::optional(self_of(*part, measure)) : std::nullopt;
    });
    columns.add("calls", [](const Part* part) { return known_calls_of(*part); });
    columns.add("calls_are_exact", [](const Part* part) { return !part->calls_at_least; });
    columns.add("call_records", [](const Part* part) { return part->call_records; });
    columns.add("cost_lines", [](const Part* part) { return part->cost_lines; });
    return columns;
}

}  // namespace

void write_part_list(std::string& out, const PreparedProfile& prepared, std::size_t limit,
                     const engine::Style& style) {
    PartsText(out, prepared, PartList(prepared, limit), style).write();
}

void write_part_list(engine::JsonWriter& json, const PreparedProfile& prepared, std::size_t limit) {
    const PartList list(prepared, limit);
    const auto measures = machine_measures(prepared);
    write_measures(json, prepared.graph, prepared.measure, measures);
    columns_of(prepared, measures).write(json, "rows", list.rows());
    json.key("omitted");
    json.begin_object();
    json.member("rows", list.all.size() - list.shown);
    write_costs(json, "self", measures, [&](const Measure& measure) {
        return measure.additive ? std::optional(list.omitted_self(measure)) : std::nullopt;
    });
    json.end_object();
}

void write_part_list(engine::CsvWriter& csv, const PreparedProfile& prepared, std::size_t limit) {
    const PartList list(prepared, limit);
    const auto measures = table_measures(prepared);
    columns_of(prepared, measures).write(csv, list.rows());
}

}  // namespace callcost::program
