#include "reports/neighbour_list.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "reports/function_list.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {

NameText NeighbourNames::function(NodeId node) {
    auto name = name_text(graph_, contexts_, node, style_);
    if (const auto cycle = cycle_number(graph_.cycle(node))) {
        name.after = fmt::format(" (cycle {})", *cycle);
        has_cycles_ = true;
    }
    return name;
}

Cell NeighbourNames::neighbour(const engine::Neighbour& neighbour, std::string_view mark) {
    auto name = name_text(graph_, contexts_, neighbour.other.node, style_);
    name.before = fmt::format("  {} ", mark);
    if (graph_.inlined(neighbour.arc)) name.after = " (inlined)";
    if (!graph_.recursive(neighbour.arc))
        return {name, engine::Tone::plain, location_texts(graph_, neighbour.other.node, style_)};
    const bool is_direct = graph_.caller(neighbour.arc) == graph_.callee(neighbour.arc);
    name.after += is_direct ? " (recursive"
                            : fmt::format(" (cycle {}", *cycle_number(graph_.cycle(neighbour.other.node)));
    has_cycles_ = has_cycles_ || !is_direct;
    if (graph_.counted_again(neighbour.arc)) {
        name.after += ", counted again in recursion";
        is_counted_again_ = true;
    }
    name.after += ")";
    return {name, engine::Tone::plain, location_texts(graph_, neighbour.other.node, style_)};
}

void NeighbourNames::write_explanations(std::string& out) const {
    std::string text;
    if (is_counted_again_)
        text +=
            "(counted again in recursion): these calls may be nested in each other, so that a part of their "
            "cost is counted more than once, and they have no percentage. ";
    if (has_cycles_)
        text +=
            "(cycle N): these functions call each other, directly or indirectly. 'callcost top "
            "--group=cycle' lists cycles. ";
    if (text.empty()) return;
    text.pop_back();
    out += fmt::format("\n{}\n", paint(wrapped(text, 0, style_), engine::Tone::dim, style_));
}

Cell omitted_neighbours(const NeighbourList& neighbours, std::string_view noun, const engine::Style& style) {
    return {fmt::format("  ({})", counted(neighbours.rest.rows, noun, style)),
            engine::Tone::dim,
            {"--limit 0 lists all", "--limit 0"}};
}

// --- JSON -------------------------------------------------------------------------------------------------

void NeighbourWriter::write(std::string_view name, const NeighbourList& neighbours) {
    json_.key(name);
    json_.begin_array(layout_);
    for (std::size_t i = 0; i < neighbours.shown.size(); ++i)
        write(neighbours.shown[i],
              neighbours.sites.empty() ? std::span<const CallSite>() : neighbours.sites[i]);
    json_.end_array();
    json_.key(fmt::format("omitted_{}", name));
    json_.begin_object();
    json_.member("rows", neighbours.rest.rows);
    json_.member("count", known_calls(graph_, neighbours.rest.count));
    write_inclusive(neighbours.rest.cost.after);
    json_.end_object();
}

void NeighbourWriter::write_per_call(Cost cost, const CallCount& count) {
    json_.key("per_call");
    json_.decimal(engine::has_inclusive(graph_, measure_) ? engine::per_call(cost, count, {})
                                                          : std::string());
}

void NeighbourWriter::write(const engine::Neighbour& neighbour, std::span<const CallSite> sites) {
    const auto count = graph_.count(neighbour.arc);
    const bool is_recursive = graph_.recursive(neighbour.arc);
    json_.begin_object();
    write_function_identity(json_, graph_, contexts_, neighbour.other.node);
    json_.member("count", known_calls(graph_, count));
    json_.member("count_is_exact", !count.at_least);
    write_costs(json_, "inclusive", measures_, [&](const Measure& each) {
        return each.additive ? std::optional(graph_.cost(neighbour.arc, each)) : std::nullopt;
    });
    write_per_call(graph_.cost(neighbour.arc, measure_), count);
    if (graph_.profile().has_inlined()) json_.member("inlined", graph_.inlined(neighbour.arc));
    json_.member("recursive", is_recursive);
    json_.member("counted_again", graph_.counted_again(neighbour.arc));
    json_.member("cycle", is_recursive ? cycle_number(graph_.cycle(neighbour.other.node)) : std::nullopt);
    json_.key("sites");
    json_.begin_array();
    for (const auto& site : sites) write(site);
    json_.end_array();
    json_.end_object();
}

void NeighbourWriter::write(const CallSite& site) {
    json_.begin_object();
    json_.member("file", graph_.profile().name(site.file));
    json_.member("line", site.line);
    json_.member("address", site.address);
    json_.member("count", known_calls(graph_, site.count));
    write_inclusive(site.cost);
    json_.end_object();
}

void NeighbourWriter::write_inclusive(Cost cost) {
    write_costs(json_, "inclusive", {measure_},
                [&](const Measure& each) { return each.additive ? std::optional(cost) : std::nullopt; });
}

}  // namespace callcost::program
