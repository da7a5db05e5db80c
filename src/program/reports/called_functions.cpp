#include "reports/called_functions.hpp"

#include <fmt/format.h>

#include "reports/function_list.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {

std::string call_text(const CallGraph& graph, const engine::CalledFunction& called, const CostCells& cells,
                      std::size_t room, const engine::Style& style) {
    const NameText text{
        .before = "  => ",
        .name = engine::display_name(graph.name(called.callee)),
        .after =
            fmt::format(" ({}{}{})", called.inlined ? "inlined" : calls(called.count, style) + "x",
                        called.recursive ? ", recursive" : "", cells.call_cost_text(called.cost.front()))};
    return fit({text, engine::Tone::plain, location_texts(graph, called.callee, style)}, room, style);
}

void write_calls(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                 const Measure& measure, std::span<const CallSite> sites) {
    json.key("calls");
    json.begin_array();
    for (const auto& called : engine::called_functions(graph, sites)) {
        json.begin_object();
        write_function_identity(json, graph, contexts, called.callee);
        json.member("count", known_calls(graph, called.count));
        write_costs(json, "inclusive", {measure}, [&](const Measure&) { return called.cost.front(); });
        json.member("recursive", called.recursive);
        json.member("counted_again", called.counted_again);
        json.end_object();
    }
    json.end_array();
}

}  // namespace callcost::program
