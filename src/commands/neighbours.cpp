#include "commands/neighbours.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "render/profile_facts.hpp"

namespace callcost::cli {
namespace {

constexpr auto no_limit = std::numeric_limits<std::size_t>::max();

class Peeking {
  public:
    Peeking(const Prepared& prepared, const Options& options)
        : graph_(prepared.graph),
          measure_(prepared.measure),
          pattern_(options.pattern),
          by_(options.sort.value_or(SortBy::inclusive)) {
        if (by_ == SortBy::inclusive && !render::has_inclusive(graph_, measure_)) by_ = SortBy::self;
        constexpr std::size_t usual_rows = 10;
        const auto limit = options.limit.value_or(options.json || options.csv ? 0 : usual_rows);
        limit_ = limit == 0 ? no_limit : limit;
    }

    Result<Peek> run() {
        Peek peek;
        FunctionsOptions wanted;
        wanted.measure = measure_;
        wanted.by = by_;
        wanted.limit = limit_;
        wanted.where = [&](NodeId node) {
            const bool is_match = any_matches(pattern_, graph_, node);
            if (is_match) ++peek.matches;
            return is_match;
        };
        peek.list = functions(graph_, wanted);
        for (const auto& row : peek.list.rows) {
            peek.functions.push_back({row, neighbours(graph_.callers(row.node), &CallGraph::caller),
                                      neighbours(graph_.callees(row.node), &CallGraph::callee)});
        }
        if (const auto found = find_sites(peek); !found) return tl::unexpected(found.error());
        return peek;
    }

  private:
    using End = NodeId (CallGraph::*)(ArcId) const;

    Neighbours neighbours(std::span<const ArcId> arcs, End end) const {
        struct Key {
            std::int64_t cost;
            std::uint64_t calls;
            std::string_view name, file, object;
            ArcId arc;
        };
        std::vector<Key> keys;
        keys.reserve(arcs.size());
        for (const auto arc : arcs) {
            const auto node = (graph_.*end)(arc);
            keys.push_back({graph_.cost(arc, measure_), graph_.count(arc).known, graph_.name(node),
                            graph_.file(node), graph_.object(node), arc});
        }
        std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
            if (a.cost != b.cost) return a.cost > b.cost;
            if (a.calls != b.calls) return a.calls > b.calls;
            return std::tie(a.name, a.file, a.object, a.arc) < std::tie(b.name, b.file, b.object, b.arc);
        });
        Neighbours result;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto arc = keys[i].arc;
            if (i < limit_) {
                result.shown.push_back({arc, (graph_.*end)(arc), {}});
                continue;
            }
            ++result.omitted;
            result.omitted_count.add(graph_.count(arc));
            result.omitted_cost = render::add_costs(result.omitted_cost, keys[i].cost);
            result.omitted_recursive = result.omitted_recursive || graph_.recursive(arc);
        }
        return result;
    }

    /// For all arcs at once, so that the records of a caller are read once.
    Result<void> find_sites(Peek& peek) const {
        std::vector<Neighbour*> all;
        for (auto& function : peek.functions) {
            for (auto& caller : function.callers.shown) all.push_back(&caller);
            for (auto& callee : function.callees.shown) all.push_back(&callee);
        }
        std::vector<ArcId> arcs;
        arcs.reserve(all.size());
        for (const auto* neighbour : all) arcs.push_back(neighbour->arc);
        auto sites = call_sites(graph_, arcs, measure_);
        if (!sites) return tl::unexpected(sites.error());
        for (std::size_t i = 0; i < all.size(); ++i) all[i]->sites = std::move((*sites)[i]);
        return {};
    }

    const CallGraph& graph_;
    const Measure& measure_;
    const Patterns& pattern_;
    SortBy by_;
    std::size_t limit_ = no_limit;
};

}  // namespace

Result<Peek> peek_at(const Prepared& prepared, const Options& options) {
    return Peeking(prepared, options).run();
}

}  // namespace callcost::cli
