#include "reports/call_tree.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "reports/function_list.hpp"
#include "terminal/text_table.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {
namespace {

/// Rows that are no functions, such as those of what is not expanded, are shown from this share of the total
/// on.
constexpr double min_share = 0.005;
/// Deeper levels show their number instead of further indentation.
constexpr std::uint32_t max_indent = 24;

constexpr std::string_view partly_paid = " (callers incomplete)";

Cost whole(double cost) {
    constexpr double most = 9.2e18;  // a little less than 2^63
    return Cost(std::llround(std::clamp(cost, -most, most)));
}

class CallTreeWriter {
  public:
    CallTreeWriter(std::string& out, const CallGraph& graph, const Tree& tree, const CallTreeOptions& options,
                   const engine::Style& style)
        : out_(out),
          graph_(graph),
          contexts_(graph.profile()),
          tree_(tree),
          options_(options),
          style_(style),
          base_(percentage_base(graph, tree.measure)),
          is_inverted_(tree.direction == TreeDirection::callers) {}

    void write() {
        write_certainty();
        std::vector<Column> columns = {{shows_self() ? "self" : "inclusive", Align::right}};
        if (style_.shares) {
            columns.push_back({shows_self() ? "self%" : "incl%", Align::right});
            if (!tree_.exact) columns.push_back({"between", Align::right});
        }
        if (!is_inverted_) columns.push_back({"self", Align::right});
        object_ = style_.width > 0 ? common_object(graph_, functions()) : std::string_view();
        columns.push_back(function_column(object_));
        Table table(std::move(columns));
        for (const auto& frame : tree_.frames) add(table, frame);
        out_ += '\n';
        table.write(out_, style_);
        write_rest();
    }

  private:
    [[nodiscard]] std::string share(double part) const {
        return engine::percent(whole(part), whole(std::max(1.0, tree_.inclusive)));
    }
    /// Inverted trees distribute self costs, unless they begin at chosen functions.
    [[nodiscard]] bool shows_self() const { return is_inverted_ && !options_.at_roots; }

    [[nodiscard]] std::vector<NodeId> functions() const {
        std::vector<NodeId> nodes;
        for (const auto& frame : tree_.frames)
            if (frame.kind == FrameKind::function) nodes.push_back(frame.node);
        return nodes;
    }

    /// In a file that has the calls themselves, a run without an end (F66).
    [[nodiscard]] bool has_lost_callers() const {
        const auto& profile = graph_.profile();
        const auto parts = graph_.parts();
        return has_recorded_stacks(profile) && std::any_of(parts.begin(), parts.end(), [&](PartId id) {
                   const Part& part = profile.parts()[id.value];
                   return part.cost_lines > 0 && !part.summary;
               });
    }

    void write_certainty() {
        if (tree_.frames.empty()) return;
        if (tree_.exact) {
            const auto* const text = has_lost_callers()
                                         ? "exact: call stacks as recorded. The program was killed: calls "
                                           "whose callers had not returned are roots."
                                         : "exact: call stacks as recorded.";
            out_ += paint(text, engine::Tone::note, style_);
            out_ += '\n';
            return;
        }
        const auto certainty = tree_.certainty();
        std::string text = "estimated: a profile records cost per call arc, not per path. ";
        text += certainty == 1 ? "All costs are certain"
                               : fmt::format("{} of {} is certain", certain_share(tree_),
                                             options_.at_roots ? "the cost of these functions" : "the total");
        if (certainty < 1) text += "; 'between' gives the bounds";
        text += '.';
        if (const std::size_t callers = callers_for_certainty(graph_, tree_); callers > 0)
            text += fmt::format(
                " To improve: 'callcost record --callers {0} PROGRAM' (Callgrind's --separate-callers={0})",
                callers);
        out_ += paint(wrapped(text, 0, style_), engine::Tone::note, style_);
        out_ += '\n';
    }

    /// The bounds as shares, like the estimate.
    [[nodiscard]] std::string bounds(const EstimatedCost& cost) const {
        if (cost.certain()) return "exact";
        const auto least = engine::percent(cost.least, base_);
        if (least == "-")
            return fmt::format("{}-{}", engine::cost(cost.least, tree_.measure.unit, style_),
                               engine::cost(cost.most, tree_.measure.unit, style_));
        return fmt::format("{}-{}", least.substr(0, least.size() - 1), engine::percent(cost.most, base_));
    }

    void add(Table& table, const Frame& frame) {
        const bool is_function = frame.kind == FrameKind::function;
        if (!is_function && frame.inclusive.estimate < min_share * tree_.inclusive) {
            has_hidden_ = true;
            return;
        }
        const auto tone = is_function ? engine::Tone::plain : engine::Tone::dim;
        std::vector<Cell> row;
        row.emplace_back(cost(whole(frame.inclusive.estimate), tree_.measure.unit, style_), tone);
        if (style_.shares) {
            const auto part = whole(frame.inclusive.estimate);
            row.emplace_back(
                engine::percent(part, base_),
                is_function && is_hot(whole(frame.self.estimate), base_) ? engine::Tone::hot : tone);
            if (!tree_.exact) row.emplace_back(bounds(frame.inclusive), engine::Tone::dim);
        }
        if (!is_inverted_)
            row.emplace_back(is_function ? cost(whole(frame.self.estimate), tree_.measure.unit, style_) : "",
                             tone);
        row.push_back(name(frame, tone));
        table.add_row(row);
    }

    Cell name(const Frame& frame, engine::Tone tone) {
        const auto depth = frame.level - 1;
        NameText text{.before = std::string(std::min(depth, max_indent), ' ')};
        if (depth > max_indent) text.before += fmt::format("[{}] ", frame.level);
        text.name = engine::display_name(frame_label(graph_, contexts_, frame));
        if (frame.kind != FrameKind::function)
            return {text, tone,
                    frame.kind == FrameKind::not_expanded ? options_.advice : std::vector<std::string>{}};
        if (frame.inlined) text.after = " (inlined)";
        if (frame.partly_paid) text.after += partly_paid;
        return {text, tone, location_texts(graph_, frame.node, style_, object_)};
    }

    void write_rest() {
        std::string text;
        if (tree_.not_expanded > 0)
            text += fmt::format("(not expanded): further paths of lower cost, {} in total. ",
                                share(tree_.not_expanded));
        if (tree_.unbalanced > 0)
            text += fmt::format(
                "(unbalanced): calls to it cost more than it and its callees account for, {} in total. ",
                share(tree_.unbalanced));
        if (tree_.unrecorded_callees > 0)
            text += fmt::format(
                "(callees not recorded): Callgrind has lost calls of this function; their cost is known from "
                "its callers, {} in total. ",
                share(tree_.unrecorded_callees));
        if (tree_.unattributed > 0)
            text += fmt::format(
                "(unattributed): events that Callgrind counted for calls of this function but in no "
                "function, {} in total; they are not part of the profile's total. ",
                share(tree_.unattributed));
        if (has_hidden_) text += fmt::format("Such rows below {}% are omitted. ", 100 * min_share);
        if (tree_.partly_paid > 0)
            text += fmt::format(
                "{}: the recorded calls account for only part of its cost; the row shows the rest, {} in "
                "total. ",
                partly_paid.substr(1), share(tree_.partly_paid));
        if (tree_.negative != 0)
            text += fmt::format("Negative self costs are omitted: {}. ",
                                cost(tree_.negative, tree_.measure.unit, style_));
        if (text.empty()) return;
        text.pop_back();
        out_ += fmt::format("\n{}\n", paint(wrapped(text, 0, style_), engine::Tone::dim, style_));
    }

    std::string& out_;
    const CallGraph& graph_;
    ContextNames contexts_;
    const Tree& tree_;
    const CallTreeOptions& options_;
    const engine::Style& style_;
    Cost base_;
    std::string_view object_;  // of all functions; empty: they have several
    bool is_inverted_;
    bool has_hidden_ = false;
};

/// To three decimals, without those that are 0.
std::string digits(double cost) {
    auto text = fmt::format("{:.3f}", cost);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string_view name_of(FrameKind kind) {
    switch (kind) {
        case FrameKind::function:
            return "function";
        case FrameKind::not_expanded:
            return "not_expanded";
        case FrameKind::unbalanced:
            return "unbalanced";
        case FrameKind::unrecorded_callees:
            return "unrecorded_callees";
        case FrameKind::unattributed:
            return "unattributed";
    }
    return {};
}

engine::RowColumns<Frame> columns_of(const CallGraph& graph, const ContextNames& contexts, const Tree& tree) {
    engine::RowColumns<Frame> columns;
    columns.add("row", [&tree](const Frame& frame) { return &frame - tree.frames.data(); });
    columns.add("kind", [](const Frame& frame) { return name_of(frame.kind); });
    add_identity(columns, graph, contexts, [](const Frame& frame) {
        return frame.kind == FrameKind::function ? frame.node : NodeId();
    });
    columns.add("parent", [](const Frame& frame) {
        return frame.parent == Frame::none ? std::nullopt : std::optional(frame.parent);
    });
    columns.add("level", [](const Frame& frame) { return frame.level; });
    for (const auto& [name, cost] :
         {std::pair("inclusive", &Frame::inclusive), std::pair("self", &Frame::self)}) {
        std::vector<std::string> titles;
        for (const auto* bound : {"", "_at_least", "_at_most"})
            engine::add_titles(titles, std::string(name) + bound, {tree.measure});
        columns.add(
            std::move(titles),
            [name = std::string(name), cost = cost](engine::JsonWriter& json, const Frame& frame) {
                json.key(name);
                json.begin_object();
                json.key("estimate");
                json.decimal(digits((frame.*cost).estimate));
                json.member("least", (frame.*cost).least);
                json.member("most", (frame.*cost).most);
                json.end_object();
            },
            [cost = cost](engine::CsvWriter& csv, const Frame& frame) {
                csv.decimal(digits((frame.*cost).estimate));
                csv.number((frame.*cost).least);
                csv.number((frame.*cost).most);
            });
    }
    columns.add("partly_paid", [](const Frame& frame) { return frame.partly_paid; });
    if (graph.profile().has_inlined())
        columns.add("inlined", [](const Frame& frame) { return frame.inlined; });
    return columns;
}

}  // namespace

std::string certain_share(const Tree& tree) {
    return fmt::format("{:.1f}%", std::floor(1000 * tree.certainty()) / 10);
}

std::size_t callers_for_certainty(const CallGraph& graph, const Tree& tree) {
    constexpr double low_certainty = 0.95;
    return tree.exact || tree.certainty() >= low_certainty ? 0 : engine::more_callers(graph);
}

void write_call_tree(std::string& out, const CallGraph& graph, const Tree& tree,
                     const CallTreeOptions& options, const engine::Style& style) {
    CallTreeWriter(out, graph, tree, options, style).write();
}

void write_call_tree(engine::JsonWriter& json, const CallGraph& graph, const Tree& tree) {
    const ContextNames contexts(graph.profile());
    const auto estimate = [&](std::string_view name, double cost) {
        json.key(name);
        json.decimal(digits(cost));
    };
    json.member("direction", tree.direction == TreeDirection::callees ? "callees" : "callers");
    json.member("estimated", !tree.exact);
    estimate("inclusive", tree.inclusive);
    estimate("certain", tree.certain);
    estimate("not_expanded", tree.not_expanded);
    estimate("unbalanced", tree.unbalanced);
    estimate("unrecorded_callees", tree.unrecorded_callees);
    estimate("unattributed", tree.unattributed);
    estimate("partly_paid", tree.partly_paid);
    json.member("negative", tree.negative);
    columns_of(graph, contexts, tree).write(json, "frames", tree.frames);
}

void write_call_tree(engine::CsvWriter& csv, const CallGraph& graph, const Tree& tree) {
    const ContextNames contexts(graph.profile());
    columns_of(graph, contexts, tree).write(csv, tree.frames);
}

}  // namespace callcost::program
