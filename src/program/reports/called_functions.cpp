#include "reports/called_functions.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "reports/function_list.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {

std::vector<CalledFunction> called_functions(const CallGraph& graph, std::span<const CallSite> sites) {
    std::map<NodeId, CalledFunction> by_callee;
    for (const auto& site : sites) {
        auto& called = by_callee[graph.callee(site.arc)];
        called.callee = graph.callee(site.arc);
        called.count.add(site.count);
        called.cost += site.cost;
        called.recursive = called.recursive || graph.recursive(site.arc);
        called.counted_again = called.counted_again || graph.counted_again(site.arc);
    }
    std::vector<CalledFunction> functions;
    functions.reserve(by_callee.size());
    for (const auto& [callee, called] : by_callee) functions.push_back(called);
    std::stable_sort(functions.begin(), functions.end(), [&](const auto& a, const auto& b) {
        return a.cost != b.cost ? a.cost > b.cost : names_of(graph, a.callee) < names_of(graph, b.callee);
    });
    return functions;
}

std::string call_text(const CallGraph& graph, const CalledFunction& called, const CostCells& cells,
                      std::size_t room, const engine::Style& style) {
    const NameText text{
        .before = "  => ",
        .name = engine::display_name(graph.name(called.callee)),
        .after = fmt::format(" ({}x{}{})", calls(called.count, style), called.recursive ? ", recursive" : "",
                             cells.call_cost_text(called.cost))};
    return fit({text, engine::Tone::plain, location_texts(graph, called.callee, style)}, room, style);
}

void write_calls(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                 const Measure& measure, std::span<const CallSite> sites) {
    json.key("calls");
    json.begin_array();
    for (const auto& called : called_functions(graph, sites)) {
        json.begin_object();
        write_function_identity(json, graph, contexts, called.callee);
        json.member("count", known_calls(graph, called.count));
        write_costs(json, "inclusive", {measure}, [&](const Measure&) { return called.cost; });
        json.member("recursive", called.recursive);
        json.member("counted_again", called.counted_again);
        json.end_object();
    }
    json.end_array();
}

}  // namespace callcost::program
