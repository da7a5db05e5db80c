#include "diff/inlining.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "callcost/event_type.hpp"
#include "diff/place_names.hpp"

namespace callcost {
namespace {

/// Of a function that costs less than this share of the total its source lines have to tell: where only the
/// cost does, it would be chance.
constexpr double least_share = 0.001;
/// So many of those are looked at, the most expensive ones.
constexpr std::size_t most_small = 1'000;
/// The callers' self cost has to make up for at least this share of what is gone, and at most for so much of
/// it where nothing but the cost tells: a function costs less where it is inlined, but not much.
constexpr double least_regained = 0.3, most_regained = 1.5;

void add_to(Change& sum, const Change& change) {
    sum.before += change.before;
    sum.after += change.after;
}

/// Lines that a function has on one side only, numbered as on the other one.
struct OwnLines {
    bool are_known = false;
    std::set<std::pair<std::string_view, std::uint64_t>> lines;  // base name of the file, number
};

/// What is said about going in holds for coming out of a function, too, with before and after exchanged.
class InliningSearch {
  public:
    explicit InliningSearch(const Diff& diff) : diff_(diff) {
        least_ = std::max(
            0.0, least_share * static_cast<double>(std::max(diff.total().before, diff.total().after)));
        first_caller_.resize(diff.functions().size() + 1, 0);
        for_each_call([&](MatchId, MatchId callee) { ++first_caller_[callee.value + 1]; });
        std::partial_sum(first_caller_.begin(), first_caller_.end(), first_caller_.begin());
        callers_.resize(first_caller_.back());
        auto next = first_caller_;
        for_each_call([&](MatchId caller, MatchId callee) { callers_[next[callee.value]++] = caller; });
        seen_by_.resize(diff.functions().size());
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
        if (static_cast<std::size_t>(candidates.end() - first_small) > most_small)
            candidates.erase(first_small + most_small, candidates.end());
        std::vector<Inlining> found;
        for (const MatchId id : candidates)
            if (auto inlining = inlining_of(id, diff_.function(id).is_added()))
                found.push_back(*std::move(inlining));
        return found;
    }

  private:
    /// Those of unmatched functions, by others.
    template <class Use>
    void for_each_call(const Use& use) const {
        for (const ArcMatch& arc : diff_.arcs())
            if (arc.caller != arc.callee && diff_.function(arc.callee).tier == MatchTier::unmatched)
                use(arc.caller, arc.callee);
    }

    [[nodiscard]] Cost lost(MatchId id) const {
        const Change self = diff_.self(diff_.function(id));
        return std::max(self.before, self.after);
    }
    [[nodiscard]] bool is_small(MatchId id) const { return static_cast<double>(lost(id)) <= least_; }
    [[nodiscard]] double grown(MatchId id, bool is_outlined) const {
        return static_cast<double>(diff_.self(diff_.function(id)).delta()) * (is_outlined ? -1 : 1);
    }

    [[nodiscard]] std::optional<Inlining> inlining_of(MatchId id, bool is_outlined) {
        Inlining inlining{
            .function = id, .callers = {}, .is_outlined = is_outlined, .has_lines = false, .together = {}};
        const auto whole = static_cast<double>(lost(id));
        double regained = 0;
        for (const MatchId caller : callers_of(id)) {
            if (grown(caller, is_outlined) <= std::min(least_, whole) / 10) continue;
            const auto has = has_lines_of(caller, id, is_outlined);
            if (has == false || (is_small(id) && has != true)) continue;
            inlining.has_lines = inlining.has_lines || has == true;
            regained += grown(caller, is_outlined);
            inlining.callers.push_back(caller);
        }
        const bool is_enough = !inlining.callers.empty() && regained >= least_regained * whole;
        if (!is_enough || (!inlining.has_lines && regained > most_regained * whole)) return std::nullopt;
        add_to(inlining.together, diff_.self(diff_.function(id)));
        for (const MatchId caller : inlining.callers)
            add_to(inlining.together, diff_.self(diff_.function(caller)));
        return inlining;
    }

    /// Those of both profiles, also where functions between have gone the same way.
    [[nodiscard]] std::vector<MatchId> callers_of(MatchId id) {
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
        std::vector<MatchId> found, open = {id};
        while (!open.empty() && seen < most) {
            const auto callee = open.back().value;
            open.pop_back();
            for (auto i = first_caller_[callee]; i < first_caller_[callee + 1] && seen < most; ++i) {
                const MatchId caller = callers_[i];
                if (!see(caller)) continue;
                const FunctionMatch& function = diff_.function(caller);
                if (function.tier != MatchTier::unmatched) {
                    found.push_back(caller);
                } else if (function.is_added() == is_added) {
                    open.push_back(caller);
                }
            }
        }
        std::sort(found.begin(), found.end());
        return found;
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
        // How far lines moved, as far as those of both sides tell.
        constexpr std::size_t most_shifts = 5;
        std::map<std::string_view, std::set<std::uint64_t>> shifts;
        for (const LineChange& line : *lines) {
            auto& known_shifts = shifts[base_name(line.file)];
            if (line.before == 0 || line.after == 0 || known_shifts.size() == most_shifts) continue;
            known_shifts.insert(is_after ? line.before - line.after : line.after - line.before);
        }
        for (const LineChange& line : *lines) {
            const auto here = is_after ? line.after : line.before,
                       there = is_after ? line.before : line.after;
            if (here == 0) continue;
            own.are_known = true;
            if (there != 0) continue;
            const auto file = base_name(line.file);
            if (shifts[file].empty()) own.lines.emplace(file, here);
            for (const auto shift : shifts[file]) own.lines.emplace(file, here + shift);
        }
        return own;
    }

    const Diff& diff_;
    double least_ = 0;
    std::vector<std::size_t> first_caller_;  // of unmatched functions, in callers_
    std::vector<MatchId> callers_;
    std::vector<MatchId> seen_by_;  // the function whose callers were asked for last
    std::map<std::pair<MatchId, bool>, OwnLines> own_lines_;
    const OwnLines unknown_;
};

}  // namespace

std::vector<Inlining> find_inlinings(const Diff& diff) { return InliningSearch(diff).run(); }

}  // namespace callcost
