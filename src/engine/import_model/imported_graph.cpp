#include "import_model/imported_graph.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "import_model/graph_components.hpp"
#include "import_model/graph_estimates.hpp"
#include "import_model/graph_records.hpp"
#include "import_model/graph_shares.hpp"

namespace callcost::engine {
namespace {

/// Twice a row still is a row.
constexpr std::uint32_t max_graph_rows = UINT32_MAX / 4;

}  // namespace

std::uint32_t GraphProfile::function(std::string_view object, std::string_view file, std::string_view name,
                                     std::uint32_t line) {
    const std::uint32_t origin = origins_.row(key_of(names_.row(object), names_.row(file)));
    const std::uint32_t named = named_.row(key_of(origin, names_.row(name)));
    if (named == lines_of_named_.size()) lines_of_named_.push_back(0);
    const std::uint32_t row = function_keys_.row(key_of(named, line));
    if (row == functions_.size()) {
        functions_.push_back({.named = named, .line = line});
        ++lines_of_named_[named];
    }
    return row;
}

void GraphProfile::add(std::uint32_t function, const GraphCosts& costs) {
    magnitude_ += static_cast<double>(costs.self) + static_cast<double>(costs.inclusive);
    if (magnitude_ > max_magnitude) return;
    GraphCosts& sum = functions_[function].costs;
    sum.calls += costs.calls;
    sum.first_calls += costs.first_calls;
    sum.self += costs.self;
    sum.inclusive += costs.inclusive;
}

void GraphProfile::add_call(std::uint32_t caller, std::uint32_t callee, const GraphCall& call) {
    const std::uint32_t row = call_keys_.row(key_of(caller, callee));
    if (row == calls_.size()) calls_.push_back({.self = 0, .inclusive = 0});
    magnitude_ += static_cast<double>(std::max(call.inclusive, Cost(0)));
    magnitude_ += static_cast<double>(std::max(call.self, Cost(0)));
    if (magnitude_ > max_magnitude) return;
    const auto add = [](Cost& sum, Cost cost) {
        sum = cost == GraphCall::unknown || sum == GraphCall::unknown ? GraphCall::unknown : sum + cost;
    };
    if (call.inclusive == GraphCall::unknown && calls_[row].inclusive != GraphCall::unknown) ++estimated_;
    calls_[row].calls += call.calls;
    functions_[callee].recorded_calls += call.calls;
    add(calls_[row].self, call.self);
    add(calls_[row].inclusive, call.inclusive);
}

void GraphProfile::add_self_at(std::uint32_t function, std::uint32_t line, Cost self) {
    self_lines_.push_back({.function = function, .line = line, .cost = self});
}

void GraphProfile::set_call_line(std::uint32_t function, std::uint32_t line) {
    functions_[function].call_line = line;
}

/// From what is stated to records that say it.
class GraphWriting {
  public:
    explicit GraphWriting(GraphProfile& graph)
        : graph_(graph),
          links_(graph.functions_.size(), graph.call_keys_),
          components_(links_),
          costs_(graph.calls_.size()),
          inclusive_(graph.functions_.size()),
          missing_(graph.functions_.size(), 0),
          records_(graph) {}

    Result<void> write(const GraphHeading& heading, const Sink& sink) {
        for (std::uint32_t f = 0; f < inclusive_.size(); ++f)
            inclusive_[f] = std::max(stated(f).inclusive, stated(f).self);
        if (heading.counts == GraphCounts::occurrences) leave_cycles_open();
        for (std::uint32_t call = 0; call < costs_.size(); ++call)
            costs_[call] = graph_.calls_[call].inclusive;
        sort_self_lines();
        if (graph_.estimated_ != 0) GraphEstimates(graph_, links_, components_, inclusive_).fill(costs_);
        for (std::uint32_t c = 0; c < components_.size(); ++c) add_component(components_.members(c));
        if (reduced_cost_ <= self_cost() / 10'000) graph_.reduced_ = 0;
        return records_.write(heading, sink);
    }

  private:
    using Members = std::span<const std::uint32_t>;
    /// A recursive function while its costs are divided.
    struct Levels {
        Cost in = 0, root = 0;  // from outside of its cycle
        Cost out = 0;           // to there
        Cost first_self = 0, first_out = 0;
        Cost demand = 0;                // of the deeper level: what it still has to get
        std::uint64_t first_calls = 0;  // from within the cycle
    };
    /// A call within a cycle, by the levels of caller and callee.
    struct Split {
        Cost first = 0, to_deeper = 0, to_first = 0, deeper = 0;
        std::uint64_t first_calls = 0;
    };

    /// A stack may have been in such a call more than once.
    void leave_cycles_open() {
        for (std::uint32_t call = 0; call < costs_.size(); ++call)
            if (components_.are_one(call) &&
                std::exchange(graph_.calls_[call].inclusive, GraphCall::unknown) != GraphCall::unknown)
                ++graph_.estimated_;
    }

    void sort_self_lines() {
        auto& lines = graph_.self_lines_;
        const auto place = [](const auto& line) { return std::tuple(line.function, line.line, line.cost); };
        std::sort(lines.begin(), lines.end(),
                  [&](const auto& a, const auto& b) { return place(a) < place(b); });
        self_begins_.reserve(inclusive_.size() + 1);
        std::size_t at = 0;
        for (std::uint32_t f = 0; f < inclusive_.size(); ++f) {
            self_begins_.push_back(at);
            while (at < lines.size() && lines[at].function == f) ++at;
        }
        self_begins_.push_back(at);
    }

    [[nodiscard]] Cost self_cost() const {
        return std::accumulate(graph_.functions_.begin(), graph_.functions_.end(), Cost(0),
                               [](Cost sum, const auto& function) { return sum + function.costs.self; });
    }
    [[nodiscard]] const GraphCosts& stated(std::uint32_t f) const { return graph_.functions_[f].costs; }
    [[nodiscard]] const GraphCall& call_of(std::uint32_t call) const { return graph_.calls_[call]; }
    [[nodiscard]] bool is_estimated(std::uint32_t call) const {
        return call_of(call).inclusive == GraphCall::unknown;
    }

    template <class Take>
    void for_each_out(std::uint32_t f, bool within, const Take& take) const {
        for (const std::uint32_t call : links_.out(f))
            if (components_.are_one(call) == within) take(call);
    }
    template <class Take>
    void for_each_in(std::uint32_t f, bool within, const Take& take) const {
        for (const std::uint32_t call : links_.in(f))
            if (components_.are_one(call) == within) take(call);
    }
    [[nodiscard]] Cost out_of(std::uint32_t f) const {
        Cost sum = missing_[f];
        for_each_out(f, false, [&](std::uint32_t call) { sum += costs_[call]; });
        return sum;
    }
    [[nodiscard]] Cost into(std::uint32_t f) const {
        Cost sum = 0;
        for_each_in(f, false, [&](std::uint32_t call) { sum += costs_[call]; });
        return sum;
    }

    /// What rounding may make of the costs of a function: half a unit each.
    [[nodiscard]] Cost slack(std::uint32_t f) const {
        return 1 + static_cast<Cost>((links_.out(f).size() + links_.in(f).size()) / 2);
    }

    /// Calls to or from other components shall cost no more than that.
    void reduce(std::span<const std::uint32_t> calls, Cost sum, Cost wanted, bool is_rounding) {
        Shares<Cost> shares(wanted, static_cast<double>(sum));
        for (const std::uint32_t call : calls) {
            if (components_.are_one(call) || costs_[call] == 0) continue;
            const Cost before = std::exchange(costs_[call], shares.take(static_cast<double>(costs_[call])));
            if (costs_[call] == before || is_rounding || is_estimated(call)) continue;
            ++graph_.reduced_;
            reduced_cost_ += before - costs_[call];
        }
    }

    /// Adds what rounding took from the callers of a function.
    Cost raise(std::uint32_t f, Cost cost) {
        std::uint32_t largest = no_row;
        for_each_in(f, false, [&](std::uint32_t call) {
            if (largest == no_row || costs_[call] > costs_[largest]) largest = call;
        });
        if (largest == no_row || costs_[largest] == 0) return 0;
        costs_[largest] += cost;
        return cost;
    }

    /// Callees come first: what they cost their callers is settled.
    void add_component(Members members) {
        Cost whole = 0;
        for (const std::uint32_t f : members) {
            Cost out = out_of(f);
            const Cost most = inclusive_[f] - stated(f).self;
            if (out > most && out - most <= slack(f)) {
                inclusive_[f] += out - most;
            } else if (out > most) {
                reduce(links_.out(f), out, most, false);
                out = most;
            }
            whole += stated(f).self + out;
        }
        fit_inclusive(members, whole);
        Cost in = 0, rounding = 0;
        for (const std::uint32_t f : members) {
            const Cost sum = into(f);
            const bool is_rounding = sum - inclusive_[f] <= slack(f);
            if (sum > inclusive_[f]) reduce(links_.in(f), sum, inclusive_[f], is_rounding);
            in += std::min(sum, inclusive_[f]);
            rounding += slack(f);
        }
        Cost beyond = in - whole;
        for (const std::uint32_t f : members) {
            if (beyond > 0 && beyond <= rounding) {
                const Cost sum = into(f), less = std::min(beyond, sum);
                if (less != 0) reduce(links_.in(f), sum, sum - less, true);
                beyond -= less;
            } else if (beyond < 0 && -beyond <= rounding) {
                beyond += raise(f, std::min(-beyond, inclusive_[f] - into(f)));
            }
        }
        for (const std::uint32_t f : members) {
            const Cost room = inclusive_[f] - stated(f).self - out_of(f);
            const Cost more = std::clamp(beyond, Cost(0), room);
            missing_[f] += more;
            beyond -= more;
        }
        const bool is_recursive = members.size() > 1 || calls_itself(members[0]);
        if (is_recursive)
            divide(members, -beyond);
        else
            add_records(members[0]);
    }

    /// No member costs more than all of them together: callees that are not recorded make up for it.
    void fit_inclusive(Members members, Cost& whole) {
        std::uint32_t largest = members[0];
        for (const std::uint32_t f : members)
            if (inclusive_[f] > inclusive_[largest]) largest = f;
        const Cost more = inclusive_[largest] - whole;
        if (more <= 0) return;
        if (more <= slack(largest)) {
            for (const std::uint32_t f : members) inclusive_[f] = std::min(inclusive_[f], whole);
        } else {
            missing_[largest] += more;
            whole += more;
        }
    }

    [[nodiscard]] bool calls_itself(std::uint32_t f) const {
        const auto out = links_.out(f);
        return std::any_of(out.begin(), out.end(),
                           [&](std::uint32_t call) { return links_.callee(call) == f; });
    }

    void add_records(std::uint32_t f) {
        add_self(f, stated(f).self);
        for (const std::uint32_t call : links_.out(f))
            records_.add({2 * f, 2 * links_.callee(call), costs_[call], call_of(call).calls});
        if (missing_[f] != 0) records_.add({2 * f, records_.missing(), missing_[f], 0});
    }

    /// The part of the first level; at each line it is the same.
    void add_self(std::uint32_t f, Cost first) {
        Cost left = stated(f).self;
        const auto add = [&](std::uint32_t line, Cost cost) {
            if (cost == 0) return;
            const double share = static_cast<double>(first) / static_cast<double>(left);
            const Cost part =
                std::clamp(part_of(cost, share), first - std::min(first, left - cost), std::min(first, cost));
            if (part != 0) records_.add({2 * f, no_row, part, 0, line});
            if (part != cost) records_.add({2 * f + 1, no_row, cost - part, 0, line});
            first -= part;
            left -= cost;
        };
        for (std::size_t at = self_begins_[f]; at < self_begins_[f + 1]; ++at)
            add(graph_.self_lines_[at].line, std::min(graph_.self_lines_[at].cost, left));
        add(graph_.functions_[f].line, left);
    }

    // Recursion. `roots` is what the functions cost together without having been called.
    void divide(Members members, Cost roots) {
        levels_.resize(graph_.functions_.size());
        splits_.resize(costs_.size());
        for (const std::uint32_t f : members) levels_[f] = {.in = into(f), .out = out_of(f)};
        find_roots(members, roots);
        for (const std::uint32_t f : members) find_first_calls(f);
        for (const std::uint32_t f : members) divide(f, members.size() == 1);
        for (const std::uint32_t f : members) {
            const Levels& levels = levels_[f];
            Cost demand = stated(f).self - levels.first_self + levels.out - levels.first_out;
            for_each_out(f, true, [&](std::uint32_t call) { demand += splits_[call].to_first; });
            for_each_in(f, true, [&](std::uint32_t call) { demand -= splits_[call].to_deeper; });
            levels_[f].demand = demand;
        }
        balance(members);
        for (const std::uint32_t f : members) add_levels(f);
    }

    /// Those that nothing else explains come first, then those with calls from nowhere.
    void find_roots(Members members, Cost roots) {
        const auto take = [&](std::uint32_t f, Cost most) {
            const Cost taken = std::clamp(most, Cost(0), roots);
            levels_[f].root += taken;
            roots -= taken;
        };
        const auto room = [&](std::uint32_t f) { return inclusive_[f] - levels_[f].in - levels_[f].root; };
        for (const std::uint32_t f : members) {
            Cost within = 0;
            for_each_in(f, true, [&](std::uint32_t call) {
                if (links_.caller(call) != f) within += costs_[call];
            });
            take(f, room(f) - within);
        }
        for (const bool needs_calls : {true, false})
            for (const std::uint32_t f : members)
                if (!needs_calls || stated(f).calls > graph_.functions_[f].recorded_calls) take(f, room(f));
    }

    /// What of the calls within the cycle found the function not on the stack.
    void find_first_calls(std::uint32_t f) {
        Levels& levels = levels_[f];
        const auto weight = [&](std::uint32_t call, bool by_calls) {
            if (links_.caller(call) == f) return 0.0;
            return by_calls ? static_cast<double>(call_of(call).calls) : static_cast<double>(costs_[call]);
        };
        double costs = 0, counts = 0;
        for_each_in(f, true, [&](std::uint32_t call) {
            costs += weight(call, false);
            counts += weight(call, true);
        });
        std::uint64_t outer = 0;
        for_each_in(f, false, [&](std::uint32_t call) { outer += call_of(call).calls; });
        const std::uint64_t roots =
            stated(f).calls - std::min(stated(f).calls, graph_.functions_[f].recorded_calls);
        outer += roots;
        const std::uint64_t first = stated(f).first_calls - std::min(stated(f).first_calls, outer);
        Shares<Cost> shares(inclusive_[f] - levels.in - levels.root, costs > 0 ? costs : counts);
        Shares<std::uint64_t> calls(first, costs > 0 ? costs : counts);
        for_each_in(f, true, [&](std::uint32_t call) {
            const double own = weight(call, costs <= 0);
            splits_[call] = {};
            if (own <= 0) return;
            splits_[call].first = shares.take(own);
            splits_[call].first_calls = std::min(calls.take(own), call_of(call).calls);
        });
    }

    /// Self cost of the first level: what was not spent in deeper calls.
    [[nodiscard]] Cost first_self(std::uint32_t f) const {
        const Cost self = stated(f).self;
        bool is_known = true;
        double deeper = 0;
        for_each_in(f, true, [&](std::uint32_t call) {
            is_known = is_known && call_of(call).self != GraphCall::unknown;
            const auto whole = static_cast<double>(costs_[call]);
            const double share = whole > 0 ? static_cast<double>(splits_[call].first) / whole : 0;
            deeper += static_cast<double>(call_of(call).self) * std::clamp(1 - share, 0.0, 1.0);
        });
        const Cost first =
            is_known ? self - rounded(deeper) : part_of(self, ratio(stated(f).first_calls, stated(f).calls));
        return std::clamp(first, Cost(0), std::min(self, inclusive_[f]));
    }

    /// What of a call can be one of the deeper level. A single one is either.
    [[nodiscard]] Cost for_deeper(std::uint32_t call) const {
        const Cost first = splits_[call].first;
        if (first > 0 && call_of(call).calls == 1) return 0;
        return std::max(costs_[call] - first, Cost(0));
    }

    /// The levels of what a function spends and calls.
    void divide(std::uint32_t f, bool is_alone) {
        Levels& levels = levels_[f];
        levels.first_self = first_self(f);
        Cost within = 0, first = 0, others = 0;
        bool is_known = true;
        for_each_out(f, true, [&](std::uint32_t call) {
            within += costs_[call];
            first += splits_[call].first;
            others += for_deeper(call);
            is_known = is_known && !is_estimated(call);
        });
        const Cost left = inclusive_[f] - levels.first_self;
        const Cost most = std::min(levels.out, left);
        const Cost least = is_known ? std::clamp(left - within, Cost(0), most) : Cost(0);
        const double share =
            stated(f).self > 0 ? static_cast<double>(levels.first_self) / static_cast<double>(stated(f).self)
                               : ratio(stated(f).first_calls, stated(f).calls);
        levels.first_out = is_alone && is_known ? least : std::clamp(part_of(levels.out, share), least, most);
        const Cost rest = left - levels.first_out;
        Shares<Cost> firsts(std::min(first, rest), static_cast<double>(first));
        const Cost deeper = rest - std::min(first, rest);
        Shares<Cost> deepers(deeper, static_cast<double>(others > 0 ? others : within));
        std::uint32_t last = no_row;
        for_each_out(f, true, [&](std::uint32_t call) {
            Split& split = splits_[call];
            const Cost all = split.first;
            const Cost weight = others > 0 ? for_deeper(call) : costs_[call];
            const Cost first_part = all > 0 ? firsts.take(static_cast<double>(all)) : Cost(0);
            if (weight > 0) split.to_deeper = deepers.take(static_cast<double>(weight));
            split.first = first_part;
            split.to_first = all - first_part;
            last = call;
        });
        if (last != no_row) splits_[last].to_deeper += deepers.left();
    }

    /// What deeper levels have too much goes through one of them to those that miss it.
    void balance(Members members) {
        if (members.size() == 1) return;
        const auto trees = components_.trees(members);
        for (std::size_t i = members.size(); i-- > 1;) {
            const std::uint32_t call = trees.to_root[i].call, f = trees.to_root[i].function;
            if (levels_[f].demand >= 0) continue;
            splits_[call].deeper -= levels_[f].demand;
            levels_[links_.callee(call)].demand += std::exchange(levels_[f].demand, 0);
        }
        for (std::size_t i = members.size(); i-- > 1;) {
            const std::uint32_t call = trees.from_root[i].call, f = trees.from_root[i].function;
            if (levels_[f].demand <= 0) continue;
            splits_[call].deeper += levels_[f].demand;
            levels_[links_.caller(call)].demand += std::exchange(levels_[f].demand, 0);
        }
    }

    void add_levels(std::uint32_t f) {
        const Levels& levels = levels_[f];
        add_self(f, levels.first_self);
        Shares<Cost> shares(levels.first_out, static_cast<double>(levels.out));
        const auto add_out = [&](std::uint32_t callee, Cost cost, std::uint64_t count) {
            const Cost first = cost > 0 ? shares.take(static_cast<double>(cost)) : Cost(0);
            const auto counts = divided(count, first, cost - first);
            if (first != 0 || counts[0] != 0) records_.add({2 * f, callee, first, counts[0]});
            if (cost != first || counts[1] != 0) records_.add({2 * f + 1, callee, cost - first, counts[1]});
        };
        for_each_out(f, false, [&](std::uint32_t call) {
            add_out(2 * links_.callee(call), costs_[call], call_of(call).calls);
        });
        if (missing_[f] != 0) add_out(records_.missing(), missing_[f], 0);
        for_each_out(f, true, [&](std::uint32_t call) { add_call(call); });
    }

    void add_call(std::uint32_t call) {
        const Split& split = splits_[call];
        const std::uint64_t all = call_of(call).calls;
        const Cost firsts = split.first + split.to_first, deepers = split.to_deeper + split.deeper;
        std::uint64_t first_calls = std::min(split.first_calls, all);
        if (firsts == 0) first_calls = 0;
        if (firsts != 0 && first_calls == 0 && all != 0) first_calls = 1;
        if (deepers == 0 && firsts != 0) first_calls = all;
        if (deepers != 0 && first_calls == all && all > 1) --first_calls;
        const auto to_first = divided(first_calls, split.first, split.to_first);
        const auto to_deeper = divided(all - first_calls, split.to_deeper, split.deeper);
        const std::uint32_t caller = 2 * links_.caller(call), callee = 2 * links_.callee(call);
        const auto add = [&](std::uint32_t from, std::uint32_t to, Cost cost, std::uint64_t count) {
            if (cost != 0 || count != 0) records_.add({from, to, cost, count});
        };
        add(caller, callee, split.first, to_first[0]);
        add(caller, callee + 1, split.to_deeper, to_deeper[0]);
        add(caller + 1, callee, split.to_first, to_first[1]);
        add(caller + 1, callee + 1, split.deeper, to_deeper[1]);
    }

    /// A number by costs; none is 0 that has a cost, if that can be.
    static std::array<std::uint64_t, 2> divided(std::uint64_t count, Cost first, Cost second) {
        if (second == 0) return {count, 0};
        if (first == 0) return {0, count};
        if (count < 2)
            return first >= second ? std::array{count, std::uint64_t{0}}
                                   : std::array{std::uint64_t{0}, count};
        Shares<std::uint64_t> shares(count, static_cast<double>(first) + static_cast<double>(second));
        const std::uint64_t part =
            std::clamp(shares.take(static_cast<double>(first)), std::uint64_t{1}, count - 1);
        return {part, count - part};
    }

    GraphProfile& graph_;
    GraphLinks links_;
    GraphComponents components_;
    std::vector<Cost> costs_;               // by call
    std::vector<Cost> inclusive_;           // by function, as stated but for rounding
    std::vector<Cost> missing_;             // by function
    std::vector<Levels> levels_;            // by function, where there is recursion
    std::vector<Split> splits_;             // by call
    std::vector<std::size_t> self_begins_;  // by function, in GraphProfile::self_lines_
    GraphRecords records_;
    Cost reduced_cost_ = 0;  // of the calls that graph_.reduced_ counts
};

Result<void> GraphProfile::write(const GraphHeading& heading, const Sink& sink) {
    if (magnitude_ > max_magnitude)
        return tl::unexpected(
            Error{.code = ErrorCode::too_large, .detail = "costs of more than 2^63 together"});
    if (functions_.size() > max_graph_rows || calls_.size() > max_graph_rows)
        return tl::unexpected(
            Error{.code = ErrorCode::too_large, .detail = "more than 2^30 functions or calls"});
    std::uint64_t bytes = 0;
    for (const Function& function : functions_) bytes += 2 * names_[second_of(named_[function.named])].size();
    if (!heading.names.covers(bytes))
        return tl::unexpected(heading.names.budget.error("the names of functions"));
    return GraphWriting(*this).write(heading, sink);
}

}  // namespace callcost::engine
