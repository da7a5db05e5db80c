// The exporters: whatever a profile says, JSON is JSON, the rows of CSV are as long as its header, DOT has no
// text outside of its quotes that is not ours, and costs that stand in rows add up to the total.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <rapidjson/error/error.h>
#include <rapidjson/reader.h>

#include "callcost/read.hpp"
#include "exporters/dot.hpp"
#include "exporters/firefox.hpp"
#include "exporters/model_json.hpp"
#include "exporters/table_text.hpp"

namespace callcost::fuzz {
namespace {

void demand(bool condition, int line = __builtin_LINE()) {
    if (condition) return;
    std::fprintf(stderr, "demanded in line %d\n", line);
    std::abort();
}

template <class Write>
std::string written_by(Write write) {
    std::string text;
    demand(write(to_memory(text)).has_value());
    return text;
}

void demand_json(const std::string& text) {
    constexpr unsigned flags = rapidjson::kParseValidateEncodingFlag | rapidjson::kParseIterativeFlag;
    rapidjson::StringStream stream(text.c_str());
    rapidjson::BaseReaderHandler<> handler;
    rapidjson::Reader reader;
    demand(!reader.Parse<flags>(stream, handler).IsError());
    demand(stream.Tell() == text.size());
}

/// What stands outside of quotes is ASCII of a few kinds; quotes and braces end.
void demand_dot(std::string_view text) {
    constexpr std::string_view ours =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_=,;.[]{}-> \n";
    int depth = 0;
    bool is_quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (is_quoted) {
            demand(c != '\n' && c != '\0');
            if (c == '\\') ++i;
            if (c == '"') is_quoted = false;
            continue;
        }
        if (c == '"') {
            is_quoted = true;
            continue;
        }
        demand(ours.find(c) != std::string_view::npos);
        if (c == '{') ++depth;
        if (c == '}') demand(--depth >= 0);
    }
    demand(depth == 0 && !is_quoted && text.ends_with("}\n"));
}

/// Rows are as long as the header, and none begins a formula.
void demand_rows(std::string_view text, char separator) {
    std::size_t columns = 0, fields = 0;
    bool is_quoted = false, begins = true, is_header = true;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (begins) demand(c != '=' && c != '+' && c != '@');
        if (begins && c == '-') demand(i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9');
        begins = false;
        if (c == '"') is_quoted = !is_quoted;
        if (is_quoted) continue;
        if (c == separator) {
            ++fields;
            begins = true;
        }
        if (c != '\n') continue;
        if (is_header) columns = fields;
        demand(fields == columns);
        is_header = false;
        fields = 0;
        begins = true;
    }
    demand(!is_quoted && text.ends_with("\n"));
}

void demand_tables(const CallGraph& graph) {
    for (const auto rows :
         {engine::TableRows::functions, engine::TableRows::arcs, engine::TableRows::lines}) {
        engine::TableOptions options;
        options.rows = rows;
        const auto write = [&](const Sink& sink) { return engine::write_table(graph, options, sink); };
        demand_rows(written_by(write), ',');
        options.fields = engine::CsvFields::tabs;
        demand_rows(written_by(write), '\t');
    }
}

void demand_graphs(const CallGraph& graph) {
    engine::DotOptions options;
    demand_dot(written_by([&](const Sink& sink) { return engine::write_dot(graph, options, sink); }));
    options.pruning = {.max_nodes = 7, .node_fraction = 0, .edge_fraction = 0};
    demand_dot(written_by([&](const Sink& sink) { return engine::write_dot(graph, options, sink); }));
    const auto measure = default_measure(graph);
    const auto pruned = engine::prune(graph, measure, options.pruning);
    auto sum = static_cast<std::uint64_t>(pruned.omitted_self);
    for (const NodeId node : pruned.nodes) sum += static_cast<std::uint64_t>(graph.self(node, measure));
    demand(sum == static_cast<std::uint64_t>(graph.total(measure)));
    demand(pruned.nodes.size() + pruned.omitted_nodes == graph.size());
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace callcost;        // NOLINT(google-build-using-namespace)
    using namespace callcost::fuzz;  // NOLINT(google-build-using-namespace)
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto profile = read_profile(from_memory(bytes));
    if (!profile) return 0;
    Selection selection;
    for (const auto contexts : {Contexts::keep, Contexts::fold}) {
        selection.contexts = contexts;
        const auto graph = call_graph(*profile, selection);
        if (!graph) return 0;
        for (const auto integers : {engine::JsonIntegers::numbers, engine::JsonIntegers::strings}) {
            engine::ModelJsonOptions options;
            options.integers = integers;
            demand_json(written_by(
                [&](const Sink& sink) { return engine::write_model_json(*graph, options, sink); }));
        }
        engine::StackOptions stacks;
        stacks.tree.max_frames = 100;
        demand_json(
            written_by([&](const Sink& sink) { return engine::write_firefox(*graph, stacks, sink); }));
        demand_tables(*graph);
        demand_graphs(*graph);
    }
    return 0;
}
