#include "session/inlined_lines.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include <callcost/lines.hpp>

namespace callcost::engine {
namespace {

/// One may be relative to a directory that the other has in it.
bool is_same_file(std::string_view a, std::string_view b) {
    if (a.size() < b.size()) std::swap(a, b);
    if (b.starts_with("./")) b.remove_prefix(2);
    if (b.empty() || !a.ends_with(b)) return false;
    constexpr std::string_view separators = "/\\";
    return a.size() == b.size() || separators.find(b.front()) != std::string_view::npos ||
           separators.find(a[a.size() - b.size() - 1]) != std::string_view::npos;
}

/// Where the instructions of a function were inlined.
class Sites {
  public:
    Sites(InlinedCode code, std::string_view own_file) : code_(std::move(code)) {
        for (const auto& site : code_.sites) are_own_.push_back(is_same_file(site.file, own_file));
    }
    /// A place in its own file; null if none is known.
    [[nodiscard]] const InliningPlace* find(const InstructionCost& row, std::string_view file) const {
        auto site = InlinedCode::none;
        if (row.address != 0) {
            const auto next = std::upper_bound(
                code_.runs.begin(), code_.runs.end(), row.address,
                [](std::uint64_t address, const InlinedCode::Run& run) { return address < run.address; });
            if (next != code_.runs.begin()) site = std::prev(next)->site;
        } else {
            bool is_first = true;
            for (const auto& line : code_.lines) {
                if (line.line != row.line || !is_same_file(line.file, file)) continue;
                site = is_first || site == line.site ? line.site : InlinedCode::none;
                is_first = false;
            }
        }
        return site < code_.sites.size() && are_own_[site] ? &code_.sites[site] : nullptr;
    }

  private:
    InlinedCode code_;
    std::vector<bool> are_own_;  // by site
};

/// Whether what is inlined in it, or where it is inlined itself, is functions of their own.
bool are_inlined_functions_shown(const CallGraph& graph, NodeId node) {
    const auto& profile = graph.profile();
    if (!profile.has_inlined()) return false;
    const auto functions = graph.functions(node);
    const auto arcs = graph.callees(node);
    return std::any_of(functions.begin(), functions.end(),
                       [&](FunctionId function) { return profile.inlined_in(function).valid(); }) ||
           std::any_of(arcs.begin(), arcs.end(), [&](ArcId arc) { return graph.inlined(arc); });
}

/// The line it is inlined at, then what.
using LineKey = std::tuple<std::uint64_t, FileId, std::uint64_t, std::string_view>;

}  // namespace

InlinedLines inlined_lines(const Side& side, FunctionAt function, const Host& host) {
    InlinedLines result;
    const auto& graph = side.graph();
    const auto& profile = graph.profile();
    const auto own = profile.file(graph.function(function.node));
    const auto is_own = [&](const InstructionCost& row) { return row.file == own; };
    const auto columns = side.columns.size();
    auto rows = instructions(graph, function.node, side.columns).value_or(std::vector<InstructionCost>{});
    if (std::all_of(rows.begin(), rows.end(), is_own)) return result;
    result.self.resize(columns, 0);
    InlinedCode code;
    if (host.inlined_code && !are_inlined_functions_shown(graph, function.node))
        code = host.inlined_code(function.is_before ? Build::before : Build::after,
                                 graph.object(function.node), graph.name(function.node), code_ranges(rows));
    result.problem = code.problem;
    result.hint = code.hint;
    const Sites sites(std::move(code), profile.name(own));
    std::map<LineKey, std::size_t> known;  // rows of the result
    for (std::size_t column = 0; column < columns; ++column) {
        // Call sites know their cost by the first measure only.
        if (column > 0)
            rows = instructions(graph, function.node, {&side.columns[column], 1})
                       .value_or(std::vector<InstructionCost>{});
        for (const auto& row : rows) {
            if (is_own(row)) continue;
            const auto* const site = sites.find(row, profile.name(row.file));
            const auto at = site != nullptr ? site->line : 0;
            const auto name = site != nullptr ? std::string_view(site->function) : std::string_view();
            const auto [found, is_new] =
                known.emplace(LineKey{at, row.file, row.line, name}, result.lines.size());
            if (is_new) {
                result.lines.push_back({at, row.file, row.line, std::string(name), {}, {}});
                result.lines.back().self.resize(columns, 0);
            }
            auto& line = result.lines[found->second];
            line.self[column] += row.self.front();
            result.self[column] += row.self.front();
            add_calls(line.calls, graph, row.calls, column, columns);
        }
    }
    std::sort(result.lines.begin(), result.lines.end(), [](const InlinedLine& a, const InlinedLine& b) {
        if (a.at != b.at) return a.at < b.at;
        if (a.self.front() != b.self.front()) return a.self.front() > b.self.front();
        return std::tie(a.file, a.line, a.function) < std::tie(b.file, b.line, b.function);
    });
    return result;
}

}  // namespace callcost::engine
