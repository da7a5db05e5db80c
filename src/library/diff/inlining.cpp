#include "diff/inlining.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "callcost/event_type.hpp"
#include "diff/place_names.hpp"

namespace callcost {
namespace {

/// Of a function that costs less than this share of the total its source lines have to tell: where only the
/// cost does, it would be chance.
constexpr double min_share = 0.001;
/// So many of those are looked at, the most expensive ones.
constexpr std::size_t max_small = 1'000;
/// The callers' self cost has to make up for at least this share of what is gone and, where nothing but the
/// cost tells, each of them for so much of what its calls cost and for no more: a function costs less where
/// it is inlined, but not much.
constexpr double min_regained = 0.3, max_regained = 1.5;

void add_to(Change& sum, const Change& change) {
    sum.before += change.before;
    sum.after += change.after;
}

/// Lines that a function has on one side only, numbered as on the other one.
struct OwnLines {
    bool are_known = false;
    std::set<std::pair<std::string_view, std::uint64_t>> lines;  // base name of the file, number
};

using LineNumbers = std::set<std::uint64_t>;

/// How far the lines of a function moved, the surest first: where more of them are on both sides then.
std::vector<std::uint64_t> shifts_of(LineNumbers here, LineNumbers there) {
    constexpr std::size_t max_shifts = 5, max_lines = 64;
    std::vector<std::uint64_t> shifts;
    while (shifts.size() < max_shifts) {
        std::map<std::uint64_t, std::size_t> found;  // by shift, modulo 2^64
        std::size_t seen = 0;
        for (const auto to : there) {
            if (++seen > max_lines) break;
            std::size_t compared = 0;
            for (const auto from : here)
                if (++compared <= max_lines) ++found[to - from];
        }
        const auto best = std::max_element(found.begin(), found.end(), [](const auto& x, const auto& y) {
            return std::pair(x.second, x.first == 0) < std::pair(y.second, y.first == 0);
        });
        // One line that fits is chance, unless it is all that there is to go by.
        if (best == found.end() || (best->second < 2 && !shifts.empty())) break;
        const auto shift = best->first;
        shifts.push_back(shift);
        LineNumbers rest;
        for (const auto from : here)
            if (there.erase(from + shift) == 0) rest.insert(from);
        here = std::move(rest);
    }
    return shifts;
}

/// What is said about going in holds for coming out of a function, too, with before and after exchanged.
class InliningSearch {
  public:
    explicit InliningSearch(const Diff& diff) : diff_(diff) {
        least_ =
            std::max(0.0, min_share * static_cast<double>(std::max(diff.total().before, diff.total().after)));
        first_caller_.resize(diff.functions().size() + 1, 0);
        for_each_call([&](const ArcMatch& arc) { ++first_caller_[arc.callee.value + 1]; });
        std::partial_sum(first_caller_.begin(), first_caller_.end(), first_caller_.begin());
        calls_.resize(first_caller_.back());
        auto next = first_caller_;
        for_each_call([&](const ArcMatch& arc) { calls_[next[arc.callee.value]++] = &arc; });
        seen_by_.resize(diff.functions().size());
        find_known(diff.before(), is_known_[0]);
        find_known(diff.after(), is_known_[1]);
    }

    std::vector<Inlining> run() {
        std::vector<MatchId> candidates;
        for (const FunctionMatch& function : diff_.functions())
            if (function.tier == MatchTier::unmatched && lost(function.id) > 0)
                candidates.push_back(function.id);
        std::stable_sort(candidates.begin(), candidates.end(),
                         [&](MatchId a, MatchId b) { return lost(a) > lost(b); });
        const auto first_small =
            std::find_if(candidates.begin(), candidates.end(), [&](MatchId id) { return is_small(id); });
        if (static_cast<std::size_t>(candidates.end() - first_small) > max_small)
            candidates.erase(first_small + max_small, candidates.end());
        std::vector<Inlining> found;
        for (const MatchId id : candidates)
            if (auto inlining = inlining_of(id, diff_.function(id).is_added()))
                found.push_back(*std::move(inlining));
        add_together(found);
        return found;
    }

  private:
    /// Those of unmatched functions, by others.
    template <class Use>
    void for_each_call(const Use& use) const {
        for (const ArcMatch& arc : diff_.arcs())
            if (arc.caller != arc.callee && diff_.function(arc.callee).tier == MatchTier::unmatched) use(arc);
    }

    /// Objects of which it is known what is inlined.
    static void find_known(const CallGraph& graph, std::vector<bool>& is_known) {
        const Profile& profile = graph.profile();
        is_known.resize(profile.object_count());
        for (std::size_t row = 0; profile.has_inlined() && row < profile.function_count(); ++row)
            if (const FunctionId function(row); profile.inlined_in(function).valid())
                is_known[profile.object(function).value] = true;
    }
    [[nodiscard]] bool is_known_what_is_in(MatchId caller, bool is_after) const {
        const CallGraph& graph = is_after ? diff_.after() : diff_.before();
        const auto& nodes = is_after ? diff_.function(caller).after : diff_.function(caller).before;
        const auto& is_known = is_known_[is_after ? 1 : 0];
        return std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) {
            return is_known[graph.profile().object(graph.function(node)).value];
        });
    }

    [[nodiscard]] Cost lost(MatchId id) const {
        const Change self = diff_.self(diff_.function(id));
        return std::max(self.before, self.after);
    }
    [[nodiscard]] bool is_small(MatchId id) const { return static_cast<double>(lost(id)) <= least_; }
    [[nodiscard]] double grown(MatchId id, bool is_outlined) const {
        return static_cast<double>(diff_.self(diff_.function(id)).delta()) * (is_outlined ? -1 : 1);
    }

    /// A function that may have the other one in it now, and what its calls of that cost.
    struct Caller {
        MatchId id;
        double cost;
    };

    [[nodiscard]] std::optional<Inlining> inlining_of(MatchId id, bool is_outlined) {
        Inlining inlining{.function = id,
                          .callers = {},
                          .costs = {},
                          .is_outlined = is_outlined,
                          .has_lines = false,
                          .together = {}};
        const auto whole = static_cast<double>(lost(id));
        const auto least = std::min(least_, whole) / 10;
        double regained = 0;
        for (const auto& [caller, calls] : callers_of(id)) {
            const auto growth = grown(caller, is_outlined), cost = std::min(calls, whole);
            if (growth <= least && cost <= least) continue;
            if (is_known_what_is_in(caller, !is_outlined)) continue;
            const auto has = has_lines_of(caller, id, is_outlined);
            if (has == false || (is_small(id) && has != true)) continue;
            const bool is_as_much =
                growth > least && growth >= min_regained * cost && growth <= max_regained * cost;
            if (has != true && !is_as_much) continue;
            inlining.has_lines = inlining.has_lines || has == true;
            regained += std::max(growth, 0.0);
            inlining.callers.push_back(caller);
            inlining.costs.emplace_back(std::llround(cost));
        }
        if (inlining.callers.empty() || regained < min_regained * whole) return std::nullopt;
        return inlining;
    }

    /// Of each the self cost of all that share callers with it, directly or not: only there it cancels out.
    void add_together(std::vector<Inlining>& found) const {
        std::map<MatchId, MatchId> parents;
        const auto find = [&](MatchId id) {
            for (auto at = parents.find(id); at != parents.end() && at->second != id; at = parents.find(id))
                id = at->second;
            return id;
        };
        for (const Inlining& inlining : found) {
            parents.emplace(inlining.function, inlining.function);
            for (const MatchId caller : inlining.callers) {
                parents.emplace(caller, caller);
                const MatchId one = find(inlining.function), other = find(caller);
                parents[std::max(one, other)] = std::min(one, other);
            }
        }
        std::map<MatchId, Change> sums;
        for (const auto& [id, parent] : parents) add_to(sums[find(id)], diff_.self(diff_.function(id)));
        for (Inlining& inlining : found) inlining.together = sums[find(inlining.function)];
    }

    /// Those of both profiles, also where functions between have gone the same way.
    [[nodiscard]] std::vector<Caller> callers_of(MatchId id) {
        constexpr std::size_t most = 1'000;
        const bool is_added = diff_.function(id).is_added();
        std::size_t seen = 0;
        const auto see = [&](MatchId function) {
            if (seen_by_[function.value] == id) return false;
            seen_by_[function.value] = id;
            ++seen;
            return true;
        };
        see(id);
        std::map<MatchId, double> found;
        std::vector<MatchId> open = {id};
        while (!open.empty() && seen < most) {
            const auto callee = open.back().value;
            open.pop_back();
            for (auto i = first_caller_[callee]; i < first_caller_[callee + 1] && seen < most; ++i) {
                const MatchId caller = calls_[i]->caller;
                const FunctionMatch& function = diff_.function(caller);
                if (function.tier != MatchTier::unmatched) {
                    const Change cost = diff_.cost(*calls_[i]);
                    see(caller);
                    found[caller] += static_cast<double>(is_added ? cost.after : cost.before);
                } else if (see(caller) && function.is_added() == is_added) {
                    open.push_back(caller);
                }
            }
        }
        std::vector<Caller> callers;
        callers.reserve(found.size());
        for (const auto& [caller, cost] : found) callers.push_back({caller, cost});
        return callers;
    }

    /// Whether the caller has lines of the function where the function is none of its own; nothing if the
    /// profiles do not tell.
    [[nodiscard]] std::optional<bool> has_lines_of(MatchId caller, MatchId id, bool is_outlined) {
        const OwnLines& own = own_lines(id, is_outlined);
        const OwnLines& others = own_lines(caller, !is_outlined);
        if (!own.are_known || !others.are_known) return std::nullopt;
        return std::any_of(own.lines.begin(), own.lines.end(),
                           [&](const auto& line) { return others.lines.contains(line); });
    }

    /// Of one side, numbered as on the other. Few functions are asked about, or nobody could wait for it.
    const OwnLines& own_lines(MatchId id, bool is_after) {
        constexpr std::size_t most = 400;
        const auto known = own_lines_.find({id, is_after});
        if (known != own_lines_.end()) return known->second;
        if (own_lines_.size() >= most) return unknown_;
        OwnLines& own = own_lines_[{id, is_after}];
        const auto lines = line_changes(diff_, diff_.function(id));
        if (!lines) return own;
        std::map<std::string_view, std::pair<LineNumbers, LineNumbers>> files;  // here, there
        for (const LineChange& line : *lines) {
            auto& [here, there] = files[base_name(line.file)];
            if (line.before != 0) (is_after ? there : here).insert(line.before);
            if (line.after != 0) (is_after ? here : there).insert(line.after);
        }
        for (const auto& [file, numbers] : files) {
            const LineNumbers &here = numbers.first, &there = numbers.second;
            own.are_known = own.are_known || !here.empty();
            auto shifts = shifts_of(here, there);
            if (shifts.empty()) shifts.push_back(0);
            for (const auto line : here)
                if (std::none_of(shifts.begin(), shifts.end(),
                                 [&](std::uint64_t shift) { return there.contains(line + shift); }))
                    for (const auto shift : shifts) own.lines.emplace(file, line + shift);
        }
        return own;
    }

    const Diff& diff_;
    double least_ = 0;
    std::vector<std::size_t> first_caller_;  // of unmatched functions, in calls_
    std::vector<const ArcMatch*> calls_;
    std::array<std::vector<bool>, 2> is_known_;  // by object, before and after
    std::vector<MatchId> seen_by_;               // the function whose callers were asked for last
    std::map<std::pair<MatchId, bool>, OwnLines> own_lines_;
    const OwnLines unknown_;
};

}  // namespace

std::vector<Inlining> find_inlinings(const Diff& diff) { return InliningSearch(diff).run(); }

}  // namespace callcost
