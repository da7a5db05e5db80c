#include "exporters/dot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "exporters/text_blocks.hpp"
#include "names/short_names.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::engine {
namespace {

constexpr Style style{.unicode = true, .separators = true};

// --- colors: the background stays transparent, so everything outside of boxes is a grey or an orange that
// can be read on white and on black.

struct Color {
    std::array<int, 3> channels{};
};
constexpr Color cold_box{{0xf4, 0xf4, 0xf2}};
constexpr Color hot_box{{0xfb, 0xb8, 0x7a}};
constexpr Color cold_line{{0x8c, 0x8c, 0x8c}};
constexpr Color hot_line{{0xd9, 0x6b, 0x1d}};
constexpr std::string_view text_on_background = "#7a7a7a";

std::string mixed(const Color& cold, const Color& hot, double heat) {
    std::string text = "#";
    for (std::size_t i = 0; i < 3; ++i) {
        const auto channel =
            cold.channels.at(i) + std::lround(heat * (hot.channels.at(i) - cold.channels.at(i)));
        fmt::format_to(std::back_inserter(text), "{:02x}", channel);
    }
    return text;
}

/// Of a whole, between 0 and 1, whatever the signs.
double share(Cost part, Cost whole) {
    if (whole == 0) return 0;
    return std::clamp(std::abs(static_cast<double>(part) / static_cast<double>(whole)), 0.0, 1.0);
}

// --- text

/// Characters as they may stand between the quotes of a label: backslashes and quotes are DOT's, entities
/// HTML's. U+FFFE and U+FFFF must not occur in SVG.
std::string escaped(std::string_view visible) {
    std::string text;
    text.reserve(visible.size());
    for (std::size_t i = 0; i < visible.size(); ++i) {
        const char c = visible[i];
        const auto rest = visible.substr(i, 3);
        if (c == '"' || c == '\\') {
            text.append(1, '\\').append(1, c);
        } else if (c == '&') {
            text += "&amp;";
        } else if (rest == "\xef\xbf\xbe" || rest == "\xef\xbf\xbf") {
            text += "\xef\xbf\xbd";
            i += 2;
        } else {
            text += c;
        }
    }
    return text;
}

/// Lines of a label, each ended by `end`: `\n` centres, `\l` puts it to the left.
std::string label(const std::vector<std::string>& lines, std::string_view end) {
    std::string text;
    for (const auto& line : lines) text.append(escaped(line)).append(end);
    return text;
}

/// Where a name may be broken: behind a `::` that is not within an argument list; its end if there is none.
std::size_t break_of(std::string_view name) {
    std::size_t depth = 0;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name[at] == '(') ++depth;
        if (name[at] == ')' && depth > 0) --depth;
        if (depth == 0 && name.substr(at).starts_with("::")) return at + 2;
    }
    return name.size();
}

/// A name as it fits a box: arguments omitted if it is long, broken behind `::`.
std::vector<std::string> name_lines(std::string_view bytes) {
    constexpr std::size_t line_width = 36, max_width = 108;
    const auto name =
        shorten(short_name_with_scopes(display_name(bytes), line_width, style), max_width, style);
    std::vector<std::string> lines(1);
    for (std::string_view rest = name; !rest.empty();) {
        const auto piece = rest.substr(0, break_of(rest));
        if (!lines.back().empty() && display_width(lines.back()) + display_width(piece) > line_width)
            lines.emplace_back();
        lines.back() += piece;
        rest.remove_prefix(piece.size());
    }
    for (auto& line : lines) line = shorten(line, line_width + 4, style);
    return lines;
}

/// Graphviz reads no more than 16,384 bytes between quotes, where an ampersand takes five, and some hold
/// three names.
std::string tooltip_name(std::string_view bytes) {
    constexpr std::size_t max_width = 800;
    return shorten(display_name(bytes), max_width, style);
}

class DotWriter {
  public:
    DotWriter(const CallGraph& graph, const Measure& measure, const Pruning& pruning, const Sink& sink)
        : graph_(graph),
          measure_(measure),
          pruning_(pruning),
          shown_(prune(graph, measure, pruning)),
          base_(percentage_base(graph, measure)),
          has_inclusive_(has_inclusive(graph, measure)),
          blocks_(sink) {
        for (const auto node : shown_.nodes)
            most_self_ = std::max(most_self_, share(graph_.self(node, measure_), scale()));
    }

    Result<void> write() {
        line("digraph callcost {{");
        line(
            R"(graph [bgcolor="transparent", fontname="Helvetica,Arial,sans-serif", fontcolor="{}", fontsize=12,)",
            text_on_background);
        line(R"(  labelloc=t, labeljust=l, nodesep=0.3, ranksep=0.45, tooltip="callcost", label="{}"];)",
             label(legend(), "\\l"));
        line(
            R"(node [shape=box, style="filled,rounded", fontname="Helvetica,Arial,sans-serif", fontcolor="#1f1f1f", margin="0.14,0.07"];)");
        line(R"(edge [fontname="Helvetica,Arial,sans-serif", fontsize=10, fontcolor="{}", arrowsize=0.7];)",
             text_on_background);
        write_nodes();
        for (const auto& edge : shown_.edges) write_edge(edge);
        for (const auto& detour : shown_.detours) write_detour(detour);
        stack_lonely_nodes();
        line("}}");
        return blocks_.finish();
    }

  private:
    template <class... Values>
    void line(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(blocks_.text()), format, std::forward<Values>(values)...);
        blocks_.text() += '\n';
        (void)blocks_.end_row();  // an error of the sink stays there until the end: the text is small
    }

    /// What heat is measured against: columns that are not additive have no whole (F78).
    [[nodiscard]] Cost scale() const {
        if (base_ != 0) return base_;
        Cost most = 0;
        for (const auto node : shown_.nodes) most = std::max(most, graph_.self(node, measure_));
        return most;
    }

    [[nodiscard]] std::string cost_text(Cost cost) const {
        auto text = engine::cost(cost, style);
        if (measure_.additive && base_ != 0) text += fmt::format(" ({})", percent(cost, base_));
        return text;
    }

    [[nodiscard]] std::string percent_text(double fraction) const {
        return fmt::format("{:g}%", 100 * fraction);
    }

    [[nodiscard]] std::vector<std::string> legend() const {
        std::vector<std::string> lines;
        const auto parts = selected_part_facts(graph_);
        if (const auto command = first_text(parts, &Part::command); !command.empty())
            lines.push_back(shorten(display_name(command), 80, style));
        auto event = display_name(measure_.name);
        if (!measure_.long_name.empty() && measure_.long_name != measure_.name)
            event += fmt::format(" ({})", display_name(measure_.long_name));
        if (!measure_.unit.empty() && measure_.unit != measure_.name)
            event += fmt::format(" in {}", display_name(measure_.unit));
        if (measure_.additive) event += ": total " + cost(graph_.total(measure_), style);
        lines.push_back(shorten(event, 80, style));
        add_omissions(lines);
        return lines;
    }

    void add_omissions(std::vector<std::string>& lines) const {
        auto text = fmt::format("{} of {} shown", count(shown_.nodes.size(), style),
                                counted(graph_.size(), "function", style));
        if (shown_.omitted_nodes > 0 && measure_.additive)
            text += fmt::format("; the others have self {}", cost_text(shown_.omitted_self));
        lines.push_back(text);
        if (shown_.omitted_nodes > 0 && base_ != 0 && pruning_.node_fraction > 0)
            lines.push_back(
                fmt::format("omitted: functions below {} inclusive", percent_text(pruning_.node_fraction)));
        if (shown_.omitted_edges > 0)
            lines.push_back(fmt::format("omitted: {} below {}", counted(shown_.omitted_edges, "arrow", style),
                                        percent_text(pruning_.edge_fraction)));
        if (!shown_.detours.empty()) lines.emplace_back("dashed: via omitted functions");
        if (!shown_.all_detours) lines.emplace_back("some dashed arrows are missing: too many paths");
    }

    // --- functions, framed where they are in a cycle

    void write_nodes() {
        constexpr auto none = static_cast<std::size_t>(-1);
        std::vector<std::vector<std::size_t>> cycles;  // in the order of their most expensive function
        std::vector<std::size_t> place_of(graph_.cycle_count(), none);
        for (std::size_t row = 0; row < shown_.nodes.size(); ++row) {
            const auto cycle = graph_.cycle(shown_.nodes[row]);
            if (!cycle.valid()) {
                write_node(row);
                continue;
            }
            auto& place = place_of[cycle.value];
            if (place == none) {
                place = cycles.size();
                cycles.emplace_back();
            }
            cycles[place].push_back(row);
        }
        for (const auto& rows : cycles) write_cycle(graph_.cycle(shown_.nodes[rows.front()]), rows);
    }

    void write_cycle(CycleId cycle, const std::vector<std::size_t>& rows) {
        const auto all = graph_.members(cycle).size();
        std::vector<std::string> lines = {
            rows.size() == all
                ? fmt::format("cycle {}: {} functions", cycle.value + 1, all)
                : fmt::format("cycle {}: {} of {} functions", cycle.value + 1, rows.size(), all)};
        if (measure_.additive) lines.push_back("inclusive " + cost_text(graph_.inclusive(cycle, measure_)));
        line(
            R"(subgraph cluster_cycle{} {{ label="{}"; style="dashed,rounded"; color="{}"; fontsize=11; tooltip="{}";)",
            cycle.value + 1, label(lines, "\\l"), mixed(cold_line, hot_line, 0),
            "recursion among these functions");
        for (const auto row : rows) write_node(row);
        line("}}");
    }

    void write_node(std::size_t row) {
        const auto node = shown_.nodes[row];
        const auto self = graph_.self(node, measure_);
        auto lines = name_lines(graph_.name(node));
        if (!has_inclusive_) {
            lines.push_back(cost_text(self));
        } else if (const auto inclusive = graph_.inclusive(node, measure_); inclusive == self) {
            lines.push_back("self " + cost_text(self));
        } else {
            const bool is_exact = graph_.inclusive_bounds(node, measure_).is_exact();
            lines.push_back("self " + cost_text(self));
            lines.push_back((is_exact ? "incl " : "incl ~") + cost_text(inclusive));
        }
        const auto heat = share(self, scale());
        const auto size = most_self_ > 0 ? std::sqrt(heat / most_self_) : 0;
        const auto border = has_inclusive_ ? share(graph_.inclusive(node, measure_), scale()) : heat;
        line(R"(n{} [label="{}", fontsize={:.1f}, fillcolor="{}", color="{}", tooltip="{}"];)", row + 1,
             label(lines, "\\n"), 11 + 11 * size, mixed(cold_box, hot_box, std::sqrt(heat)),
             mixed(cold_line, hot_line, border), escaped(description(node)));
    }

    [[nodiscard]] std::string description(NodeId node) const {
        return fmt::format("{} | {} | {}", tooltip_name(graph_.name(node)), tooltip_name(graph_.file(node)),
                           tooltip_name(graph_.object(node)));
    }

    // --- calls

    void write_edge(const PrunedGraph::Edge& edge) {
        const auto cost = graph_.cost(edge.arc, measure_);
        const bool is_counted_again = graph_.counted_again(edge.arc);
        std::vector<std::string> lines;
        // Blanks keep the text off the arrow.
        if (measure_.additive)
            lines.push_back("  " + (is_counted_again ? engine::cost(cost, style) : cost_text(cost)) + " ");
        lines.push_back("  " + calls(graph_.count(edge.arc), style) + "\u00d7 ");
        // Nested calls cost the more the deeper they go, which says nothing about their importance.
        const auto heat = is_counted_again || !measure_.additive ? 0 : share(cost, scale());
        const auto tooltip = escaped(ends(edge.from, edge.to));
        line(
            R"(n{} -> n{} [label="{}", penwidth={:.2f}, weight={}, color="{}", tooltip="{}", labeltooltip="{}"{}];)",
            edge.from + 1, edge.to + 1, label(lines, "\\n"), 1 + 4 * heat, 1 + std::lround(100 * heat),
            mixed(cold_line, hot_line, std::sqrt(heat)), tooltip, tooltip,
            graph_.recursive(edge.arc) ? ", arrowhead=empty" : "");
    }

    void write_detour(const PrunedGraph::Detour& detour) {
        line(R"(n{} -> n{} [style=dashed, color="{}", tooltip="{}"];)", detour.from + 1, detour.to + 1,
             mixed(cold_line, hot_line, 0),
             escaped(ends(detour.from, detour.to) + " (via omitted functions)"));
    }

    /// Functions without any arrow would be laid out in a single row: invisible arrows make them a square.
    void stack_lonely_nodes() {
        std::vector<bool> is_lonely(shown_.nodes.size(), true);
        for (std::size_t row = 0; row < is_lonely.size(); ++row)
            is_lonely[row] = !graph_.cycle(shown_.nodes[row]).valid();
        const auto has_arrow = [&](const auto& edge) { is_lonely[edge.from] = is_lonely[edge.to] = false; };
        std::for_each(shown_.edges.begin(), shown_.edges.end(), has_arrow);
        std::for_each(shown_.detours.begin(), shown_.detours.end(), has_arrow);
        std::vector<std::size_t> lonely;
        for (std::size_t row = 0; row < is_lonely.size(); ++row) {
            if (is_lonely[row]) lonely.push_back(row);
        }
        const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(lonely.size()))));
        for (std::size_t i = 0; i + side < lonely.size(); ++i)
            line("n{} -> n{} [style=invis];", lonely[i] + 1, lonely[i + side] + 1);
    }

    [[nodiscard]] std::string ends(std::size_t from, std::size_t to) const {
        const auto name = [&](std::size_t row) { return tooltip_name(graph_.name(shown_.nodes[row])); };
        return name(from) + " \u2192 " + name(to);
    }

    const CallGraph& graph_;
    const Measure& measure_;
    const Pruning& pruning_;
    PrunedGraph shown_;
    Cost base_;
    bool has_inclusive_;
    TextBlocks blocks_;
    double most_self_ = 0;  // share of the function that has most
};

}  // namespace

Result<void> write_dot(const CallGraph& graph, const DotOptions& options, const Sink& sink) {
    const auto measure = options.measure ? *options.measure : default_measure(graph);
    return DotWriter(graph, measure, options.pruning, sink).write();
}

}  // namespace callcost::engine
