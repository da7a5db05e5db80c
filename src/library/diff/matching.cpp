#include "diff/matching.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "diff/assignment.hpp"
#include "diff/canonical_name.hpp"
#include "diff/identities.hpp"
#include "diff/likeness.hpp"
#include "diff/place_names.hpp"

namespace callcost {
namespace {

/// Nodes of both sides that have something in common.
struct Candidates {
    std::vector<NodeId> before, after;
    [[nodiscard]] bool is_pair() const { return before.size() == 1 && after.size() == 1; }
};

class Matching {
  public:
    Matching(const ProfileSide& before, const ProfileSide& after, const DiffOptions& options)
        : sides_{{&before, &after}}, identities_(*before.graph, *after.graph, options), mode_(options.match) {
        for (const auto side : {0U, 1U}) {
            is_matched_.at(side).resize(graph(side).size(), false);
            is_recounted_.at(side).resize(graph(side).size(), false);
        }
        count_of_name_.resize(identities_.text_count());
        count_of_canonical_.resize(identities_.text_count());
        for (const auto side : {0U, 1U})
            for (std::size_t row = 0; row < graph(side).size(); ++row)
                count(side, identity(side, NodeId(row)));
        matches_.reserve(std::max(graph(0).size(), graph(1).size()));
    }

    std::vector<FunctionMatch> run() {
        if (mode_ != MatchMode::exact) match_counted();
        match_equal();
        if (mode_ != MatchMode::exact) {
            match_moved();
            match_canonical();
        }
        if (mode_ == MatchMode::fuzzy) {
            match_changed_signature();
            match_alike();
        }
        for (const auto side : {0U, 1U})
            for (std::size_t node = 0; node < graph(side).size(); ++node)
                if (is_free(side, NodeId(node))) add_unmatched(side, NodeId(node));
        return std::move(matches_);
    }

  private:
    [[nodiscard]] const CallGraph& graph(std::size_t side) const { return *sides_.at(side)->graph; }
    [[nodiscard]] const Identity& identity(std::size_t side, NodeId node) const {
        return identities_.of(side, node);
    }
    [[nodiscard]] bool is_free(std::size_t side, NodeId node) const {
        return !is_matched_.at(side)[node.value];
    }

    /// Free functions of both sides by what `key` gives; `use` gets those that both have.
    template <class Key, class Use>
    void for_each_group(const Key& key, const Use& use) {
        using Value = decltype(key(std::declval<Identity>()));
        std::vector<std::tuple<Value, std::uint32_t, NodeId>> rows;
        for (const auto side : {0U, 1U})
            for (std::size_t row = 0; row < graph(side).size(); ++row)
                if (is_free(side, NodeId(row)))
                    rows.emplace_back(key(identity(side, NodeId(row))), side, NodeId(row));
        std::sort(rows.begin(), rows.end());
        for (std::size_t first = 0; first < rows.size();) {
            Candidates candidates;
            auto end = first;
            for (; end < rows.size() && std::get<0>(rows[end]) == std::get<0>(rows[first]); ++end)
                (std::get<1>(rows[end]) == 0 ? candidates.before : candidates.after)
                    .push_back(std::get<2>(rows[end]));
            first = end;
            if (!candidates.before.empty() && !candidates.after.empty()) use(candidates);
        }
    }
    /// The same for what may go by its name, and only where there is one of each.
    template <class Key, class Use>
    void for_each_pair(const Key& key, const Use& use) {
        for_each_group(key, [&](Candidates& group) {
            std::erase_if(group.before, [&](NodeId node) { return is_recounted_[0][node.value]; });
            std::erase_if(group.after, [&](NodeId node) { return is_recounted_[1][node.value]; });
            if (group.is_pair()) use(group.before[0], group.after[0]);
        });
    }

    // --- what only a number tells apart -------------------------------------------------------------------

    /// Another build counts lambdas and clones anew, so that their names say nothing: they go by what they
    /// cost and call, and by their names only if that does not tell.
    void match_counted() {
        for_each_group([](const Identity& id) { return std::tuple(id.is_counted, id.object, id.canonical); },
                       [&](Candidates& group) {
                           if (identity(0, group.before[0]).is_counted && !group.is_pair()) assign_all(group);
                       });
    }
    void assign_all(Candidates& group) {
        sort_by_number(0, group.before);
        sort_by_number(1, group.after);
        const bool have_same_names = names_of(0, group.before) == names_of(1, group.after);
        const bool are_addresses = identities_.text(identity(0, group.before[0]).canonical) == address_name;
        if (have_same_names && are_addresses) return;  // it is the same build
        const auto members_before = members(0, group.before), members_after = members(1, group.after);
        const auto assigned = assign(members_before, members_after, assignment_budget_);
        if (assigned.is_too_much && have_same_names) return;
        for (const NodeId node : group.before) is_recounted_[0][node.value] = true;
        for (const NodeId node : group.after) is_recounted_[1][node.value] = true;
        if (!assigned.is_clear) return add_group(group);
        for (const auto& [before, after] : assigned.pairs)
            add(members_before[before].name == members_after[after].name ? MatchTier::exact
                                                                         : MatchTier::ordinal,
                group.before[before], group.after[after]);
    }
    [[nodiscard]] std::vector<std::uint32_t> names_of(std::size_t side,
                                                      const std::vector<NodeId>& nodes) const {
        std::vector<std::uint32_t> names;
        names.reserve(nodes.size());
        for (const NodeId node : nodes) names.push_back(identity(side, node).name);
        std::sort(names.begin(), names.end());
        return names;
    }
    /// #2 comes before #10.
    void sort_by_number(std::size_t side, std::vector<NodeId>& nodes) const {
        std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
            const auto first = identities_.text(identity(side, a).name),
                       second = identities_.text(identity(side, b).name);
            return std::tuple(first.size(), first, a) < std::tuple(second.size(), second, b);
        });
    }
    [[nodiscard]] std::vector<GroupMember> members(std::size_t side, const std::vector<NodeId>& nodes) const {
        const CallGraph& graph = this->graph(side);
        const Measure& measure = sides_.at(side)->measure;
        std::vector<GroupMember> list;
        for (const NodeId node : nodes) {
            auto& member = list.emplace_back();
            member.name = identity(side, node).name;
            member.file = identity(side, node).file;
            member.self = graph.self(node, measure);
            member.inclusive = graph.inclusive(node, measure);
            for (const ArcId arc : graph.callees(node))
                member.callees.push_back(identity(side, graph.callee(arc)).canonical);
            std::sort(member.callees.begin(), member.callees.end());
        }
        return list;
    }

    // --- names as they are --------------------------------------------------------------------------------

    void match_equal() {
        for_each_group(
            [](const Identity& id) { return std::tuple(id.written_object, id.written_file, id.name); },
            [&](Candidates& group) {
                std::erase_if(group.before, [&](NodeId node) { return is_recounted_[0][node.value]; });
                std::erase_if(group.after, [&](NodeId node) { return is_recounted_[1][node.value]; });
                // Callgrind's files can have several of one identity.
                const auto pairs = std::min(group.before.size(), group.after.size());
                for (std::size_t i = 0; i < pairs; ++i)
                    add(MatchTier::exact, group.before[i], group.after[i]);
            });
        for_each_pair([](const Identity& id) { return std::tuple(id.object, id.file, id.name); },
                      [&](NodeId before, NodeId after) { add(MatchTier::exact, before, after); });
    }

    /// Files and objects of another name, or elsewhere.
    void match_moved() {
        for_each_group([](const Identity& id) { return std::pair(id.object, id.name); },
                       [&](Candidates& group) { pair_by_path(group); });
        const auto same_object = [](const Identity& id) { return std::pair(id.object, id.name); };
        const auto same_file = [](const Identity& id) { return std::pair(id.file, id.name); };
        const auto same_name = [](const Identity& id) { return id.name; };
        const auto succeeds = [&](NodeId before, NodeId after) { return is_successor(before, after); };
        add_moved(same_object, succeeds);
        add_moved(same_file, succeeds);
        add_moved(same_name, succeeds);
    }
    /// Those first whose paths have most in common at the end, where it is clear which these are: those of a
    /// common end are behind each other in the order of the paths read from their ends.
    void pair_by_path(const Candidates& group) {
        struct Place {
            std::string_view path;
            std::uint32_t side;
            NodeId node;
        };
        std::vector<Place> places;
        for (const auto side : {0U, 1U})
            for (const NodeId node : side == 0 ? group.before : group.after)
                if (!is_recounted_.at(side)[node.value])
                    places.push_back({identities_.text(identity(side, node).file), side, node});
        std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
            const int order = compare_from_end(a.path, b.path);
            return order != 0 ? order < 0 : std::tie(a.side, a.node) < std::tie(b.side, b.node);
        });
        struct End {
            std::size_t components;                   // how long it is
            std::array<std::vector<NodeId>, 2> free;  // of those who have it; of each side at most two
        };
        std::vector<End> open;  // each is the end of the one behind it
        const auto close = [&](std::size_t components) {
            while (!open.empty() && open.back().components > components) {
                End end = std::move(open.back());
                open.pop_back();
                if (end.free[0].size() == 1 && end.free[1].size() == 1) {
                    add(MatchTier::path, end.free[0][0], end.free[1][0]);
                    continue;
                }
                if (open.empty() || open.back().components < components)
                    open.push_back({.components = components, .free = {}});
                for (const auto side : {0U, 1U})
                    for (const NodeId node : end.free.at(side))
                        if (auto& free = open.back().free.at(side); free.size() < 2) free.push_back(node);
            }
        };
        for (std::size_t i = 0; i < places.size(); ++i) {
            const auto next = i + 1 < places.size() ? common_tail(places[i].path, places[i + 1].path) : 0;
            if (open.empty() || open.back().components < next)
                open.push_back({.components = next, .free = {}});
            if (auto& free = open.back().free.at(places[i].side); free.size() < 2)
                free.push_back(places[i].node);
            close(next);
        }
    }

    using Places = std::pair<std::uint32_t, std::uint32_t>;  // before, after

    /// Many files have an `init` of their own: what is left of them on both sides may be two functions. So
    /// their files are the same, or one that was renamed as a function shows whose name no other one has.
    [[nodiscard]] bool may_be_same(NodeId before, NodeId after) const {
        const Identity &old = identity(0, before), &now = identity(1, after);
        return is_same_file(old, now) || is_only_one(old, now) ||
               renamed_files_.contains(std::pair(old.file, now.file));
    }
    [[nodiscard]] bool is_same_file(const Identity& old, const Identity& now) const {
        const auto before = identities_.text(old.file), after = identities_.text(now.file);
        return before.empty() || after.empty() || base_name(before) == base_name(after);
    }
    [[nodiscard]] bool is_only_one(const Identity& old, const Identity& now) const {
        constexpr Counts one_each = {1, 1};
        return (old.name == now.name && count_of_name_[old.name] == one_each) ||
               (old.canonical == now.canonical && count_of_canonical_[old.canonical] == one_each);
    }
    void count(std::size_t side, const Identity& identity) {
        ++count_of_name_[identity.name].at(side);
        ++count_of_canonical_[identity.canonical].at(side);
    }
    /// A file or object may be the other one under another name: only one side has it, or it is not known.
    [[nodiscard]] bool may_be_renamed(const Places& files,
                                      bool (Identities::*has)(std::size_t, std::uint32_t) const) const {
        const bool is_unknown =
            identities_.text(files.first).empty() || identities_.text(files.second).empty();
        return files.first == files.second || is_unknown ||
               (!(identities_.*has)(1, files.first) && !(identities_.*has)(0, files.second));
    }
    [[nodiscard]] bool is_successor(NodeId before, NodeId after) const {
        const Identity &old = identity(0, before), &now = identity(1, after);
        return may_be_renamed({old.file, now.file}, &Identities::has_file) &&
               may_be_renamed({old.object, now.object}, &Identities::has_object);
    }
    /// Where the places are others, one function alone says little: a function of that name may be another
    /// one.
    template <class Key, class IsSure>
    void add_moved(const Key& key, const IsSure& is_sure) {
        std::vector<std::pair<NodeId, NodeId>> pairs;
        std::map<std::array<std::uint32_t, 4>, std::size_t> votes;
        const auto places_of = [&](const std::pair<NodeId, NodeId>& pair) {
            const Identity &old = identity(0, pair.first), &now = identity(1, pair.second);
            return std::array<std::uint32_t, 4>{old.object, now.object, old.file, now.file};
        };
        for_each_pair(key, [&](NodeId before, NodeId after) {
            pairs.emplace_back(before, after);
            if (is_same_file(identity(0, before), identity(1, after)) ||
                is_only_one(identity(0, before), identity(1, after)))
                ++votes[places_of(pairs.back())];
        });
        constexpr std::size_t enough = 2;
        for (const auto& pair : pairs) {
            const auto confirmed = votes[places_of(pair)];
            if (confirmed == 0 || !(confirmed >= enough || is_sure(pair.first, pair.second))) continue;
            renamed_files_.emplace(identity(0, pair.first).file, identity(1, pair.second).file);
            add(MatchTier::path, pair.first, pair.second);
        }
    }

    // --- names that changed -------------------------------------------------------------------------------

    void match_canonical() {
        for_each_pair([](const Identity& id) { return std::pair(id.object, id.canonical); },
                      [&](NodeId before, NodeId after) {
                          if (may_be_same(before, after)) add(MatchTier::canonical, before, after);
                      });
        for_each_pair([](const Identity& id) { return id.canonical; },
                      [&](NodeId before, NodeId after) {
                          if (may_be_same(before, after) && is_successor(before, after))
                              add(MatchTier::canonical, before, after);
                      });
    }

    /// A function that takes other arguments, if there is only one of its name.
    void match_changed_signature() {
        const auto without_arguments = [&](const Identity& id) {
            return std::pair(id.object, name_without_arguments(identities_.text(id.canonical)));
        };
        for_each_pair(without_arguments, [&](NodeId before, NodeId after) {
            if (may_be_same(before, after) && is_successor(before, after))
                add(MatchTier::signature, before, after);
        });
    }

    /// Renamed functions. A match makes others likelier, so it is tried again while there are new ones.
    void match_alike() {
        constexpr int max_rounds = 6;
        auto before = worth_comparing(*sides_[0], free_nodes(0)),
             after = worth_comparing(*sides_[1], free_nodes(1));
        for (int round = 0; round < max_rounds; ++round) {
            std::erase_if(before, [&](NodeId node) { return !is_free(0, node); });
            std::erase_if(after, [&](NodeId node) { return !is_free(1, node); });
            const auto pairs = alike(*sides_[0], *sides_[1], before, after, rows_by_node());
            for (const auto& pair : pairs) {
                add(MatchTier::anchors, pair.before, pair.after);
                auto& match = matches_.back();
                match.likeness = pair.likeness;
                match.callees = pair.callees;
                match.callers = pair.callers;
            }
            if (pairs.empty()) return;
        }
    }
    [[nodiscard]] std::vector<NodeId> free_nodes(std::size_t side) const {
        std::vector<NodeId> nodes;
        for (std::size_t row = 0; row < graph(side).size(); ++row)
            if (is_free(side, NodeId(row))) nodes.emplace_back(row);
        return nodes;
    }
    [[nodiscard]] std::array<std::vector<std::uint32_t>, 2> rows_by_node() const {
        std::array<std::vector<std::uint32_t>, 2> rows;
        for (const auto side : {0U, 1U}) rows.at(side).resize(graph(side).size(), no_match);
        for (std::uint32_t row = 0; row < matches_.size(); ++row) {
            for (const NodeId node : matches_[row].before) rows[0][node.value] = row;
            for (const NodeId node : matches_[row].after) rows[1][node.value] = row;
        }
        return rows;
    }

    void add(MatchTier tier, NodeId before, NodeId after) {
        is_matched_[0][before.value] = is_matched_[1][after.value] = true;
        auto& match = matches_.emplace_back();
        match.tier = tier;
        match.before = {before};
        match.after = {after};
    }
    void add_group(Candidates& group) {
        for (const NodeId node : group.before) is_matched_[0][node.value] = true;
        for (const NodeId node : group.after) is_matched_[1][node.value] = true;
        auto& match = matches_.emplace_back();
        match.tier = MatchTier::group;
        match.before = std::move(group.before);
        match.after = std::move(group.after);
    }
    void add_unmatched(std::size_t side, NodeId node) {
        auto& match = matches_.emplace_back();
        (side == 0 ? match.before : match.after).push_back(node);
    }

    std::array<const ProfileSide*, 2> sides_;
    Identities identities_;
    MatchMode mode_;
    std::array<std::vector<bool>, 2> is_matched_, is_recounted_;
    using Counts = std::array<std::uint32_t, 2>;  // before, after
    std::vector<Counts> count_of_name_, count_of_canonical_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> renamed_files_;
    std::uint64_t assignment_budget_ = 1'000'000'000;
    std::vector<FunctionMatch> matches_;
};

}  // namespace

std::vector<FunctionMatch> match_functions(const ProfileSide& before, const ProfileSide& after,
                                           const DiffOptions& options) {
    return Matching(before, after, options).run();
}

}  // namespace callcost
