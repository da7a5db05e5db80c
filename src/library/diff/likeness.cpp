#include "diff/likeness.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "diff/canonical_name.hpp"
#include "diff/matching.hpp"
#include "diff/place_names.hpp"

namespace callcost {
namespace {

/// Functions that cost less than this share of the total are not looked at, nor more than so many.
constexpr double min_renamed = 0.001;
constexpr std::size_t max_functions = 300;
/// Names that have so much in common are alike.
constexpr double alike_name = 0.5;

/// What of a name is compared: its last part, without arguments.
struct NameParts {
    std::string last, without_digits;
    std::vector<std::uint32_t> pairs;  // of letters, sorted
};

NameParts parts_of(std::string_view name) {
    constexpr std::size_t longest = 2'000, longest_part = 200;
    NameParts parts;
    parts.last = name_without_arguments(canonical_name(name.substr(0, longest)).text);
    for (const std::string_view separator : {"::", "->", "."}) {
        const auto at = parts.last.rfind(separator);
        if (at != std::string::npos && at + separator.size() < parts.last.size())
            parts.last.erase(0, at + separator.size());
    }
    if (parts.last.size() > longest_part) parts.last.resize(longest_part);
    parts.without_digits = parts.last;
    std::erase_if(parts.without_digits, is_digit);
    for (std::size_t i = 0; i + 1 < parts.last.size(); ++i)
        parts.pairs.push_back(static_cast<unsigned char>(parts.last[i]) * 256U +
                              static_cast<unsigned char>(parts.last[i + 1]));
    std::sort(parts.pairs.begin(), parts.pairs.end());
    return parts;
}

/// From 0 to 1, by pairs of letters as Dice counts them.
double likeness_of(const NameParts& a, const NameParts& b) {
    if (a.last == b.last) return 1;
    constexpr double sibling = 0.3;  // `step2` is no new name of `step1`
    if (a.without_digits == b.without_digits) return sibling;
    if (a.pairs.empty() || b.pairs.empty()) return 0;
    return 2.0 * common(a.pairs, b.pairs).common / static_cast<double>(a.pairs.size() + b.pairs.size());
}

/// What is known about a function.
struct Neighbourhood {
    NodeId node;
    Cost self = 0, inclusive = 0;
    std::uint64_t called = 0;
    std::vector<std::uint32_t> callees, callers;  // matches, sorted
    std::size_t unmatched = 0;                    // callees that are in no match yet
    /// A callee says the more the fewer others call it: malloc says little. Sum of 1 by the number of its
    /// callers.
    double distinction = 0;
    NameParts name;
    std::string_view file_name;
    std::string object;
};

std::vector<Neighbourhood> neighbourhoods_of(const ProfileSide& side, const std::vector<NodeId>& nodes,
                                             const std::vector<std::uint32_t>& matches) {
    const CallGraph& graph = *side.graph;
    std::vector<Neighbourhood> list;
    list.reserve(nodes.size());
    for (const NodeId node : nodes) {
        list.push_back({.node = node,
                        .self = graph.self(node, side.measure),
                        .inclusive = graph.inclusive(node, side.measure),
                        .called = graph.call_count(node).known,
                        .callees = {},
                        .callers = {},
                        .name = {},
                        .file_name = base_name(graph.file(node)),
                        .object = {}});
    }
    std::sort(list.begin(), list.end(), [](const Neighbourhood& a, const Neighbourhood& b) {
        return std::tuple(-a.inclusive, a.node) < std::tuple(-b.inclusive, b.node);
    });
    if (list.size() > max_functions) list.resize(max_functions);
    for (auto& around : list) {
        around.name = parts_of(graph.name(around.node));
        around.object = object_key(graph.object(around.node));
        for (const ArcId arc : graph.callees(around.node)) {
            const NodeId callee = graph.callee(arc);
            const auto match = matches[callee.value];
            if (match != no_match) {
                around.callees.push_back(match);
                around.distinction += 1 / static_cast<double>(graph.callers(callee).size());
            } else if (callee != around.node) {
                ++around.unmatched;
            }
        }
        for (const ArcId arc : graph.callers(around.node))
            if (const auto match = matches[graph.caller(arc).value]; match != no_match)
                around.callers.push_back(match);
        std::sort(around.callees.begin(), around.callees.end());
        std::sort(around.callers.begin(), around.callers.end());
    }
    return list;
}

double likeness_of_counts(std::uint64_t a, std::uint64_t b) {
    const auto capped = [](std::uint64_t n) {
        return static_cast<std::int64_t>(std::min<std::uint64_t>(n, INT64_MAX));
    };
    return likeness_of_costs(capped(a), capped(b));
}

/// What two functions have in common, each from 0 to 1; nothing where it cannot be told.
struct Evidence {
    double name = 0, count = 0, cost = 0;
    std::optional<double> callers, callees;
    bool is_of_same_file = false;  // or it is not known
    bool has_own_callees = false;  // at least three, and not only those that everything calls
};

Evidence evidence_of(const Neighbourhood& a, const Neighbourhood& b, const AlikePair& pair) {
    Evidence evidence;
    evidence.name = likeness_of(a.name, b.name);
    evidence.count = likeness_of_counts(a.called, b.called);
    evidence.cost = likeness_of_costs(a.self, b.self);
    if (!a.callers.empty() && !b.callers.empty()) evidence.callers = share(pair.callers);
    if (pair.callees.all > 0) {
        const auto unknown = static_cast<double>(std::max(a.unmatched, b.unmatched));
        const auto known = static_cast<double>(std::max(a.callees.size(), b.callees.size()));
        evidence.callees = share(pair.callees) * known / (known + unknown / 2);
    } else if (a.unmatched != b.unmatched) {
        evidence.callees = 0.5;
    }
    evidence.is_of_same_file = a.file_name == b.file_name || a.file_name == "???" || b.file_name == "???";
    constexpr std::uint32_t enough = 3;
    evidence.has_own_callees = pair.callees.common >= enough && std::min(a.distinction, b.distinction) >= 1;
    return evidence;
}

double mean_of(const Evidence& evidence) {
    double sum = evidence.count + evidence.cost, parts = 2;
    for (const auto& part : {evidence.callers, evidence.callees}) {
        if (!part) continue;
        sum += *part;
        ++parts;
    }
    return sum / parts;
}

/// How likely it is that one is the other, from 0 to 1; 0 if that would be a guess. A name that is alike
/// makes up for a cost that changed; without one, all else has to agree.
double likelihood(const Evidence& evidence) {
    constexpr double most = 0.8, nearly_all = 0.97;
    const double mean = mean_of(evidence);
    if (evidence.name >= alike_name) {
        const double likelihood = (2 * mean + evidence.name) / 3;
        // Many files have an `init`.
        const bool is_named_so = evidence.name == 1 && evidence.is_of_same_file;
        const bool has_anchor =
            evidence.callers.value_or(0) >= 0.5 || evidence.callees.value_or(0) >= 0.5 || is_named_so;
        return has_anchor && likelihood >= 0.6 ? likelihood : 0;
    }
    const bool has_same_callers = evidence.callers.value_or(0) >= most;
    const bool has_same_callees = evidence.callees.value_or(1) >= most;
    const bool has_same_costs = evidence.cost >= nearly_all && evidence.count >= nearly_all;
    // As LLVM's matcher of stale profiles has it: four fifths of at least three callees.
    if (evidence.has_own_callees && has_same_callees && evidence.cost >= 0.5 && evidence.count >= 0.5 &&
        evidence.callers.value_or(1) >= 0.5)
        return mean;
    return has_same_callers && has_same_callees && has_same_costs ? mean : 0;
}

struct Candidate {
    AlikePair pair;
    double name = 0;

    [[nodiscard]] bool rivals(const Candidate& other) const {
        return (pair.before == other.pair.before) != (pair.after == other.pair.after);
    }
};

}  // namespace

double likeness_of_costs(Cost a, Cost b) {
    if (a == b) return 1;
    const double first = std::abs(static_cast<double>(a)), second = std::abs(static_cast<double>(b));
    if ((a < 0) != (b < 0)) return 0;
    return std::min(first, second) / std::max(first, second);
}

Anchors common(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    std::size_t common = 0;
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
        if (*i == *j) {
            ++common;
            ++i;
            ++j;
        } else if (*i < *j) {
            ++i;
        } else {
            ++j;
        }
    }
    return {static_cast<std::uint32_t>(common), static_cast<std::uint32_t>(a.size() + b.size() - common)};
}

double share(const Anchors& anchors) {
    return anchors.all == 0 ? 1 : static_cast<double>(anchors.common) / static_cast<double>(anchors.all);
}

std::vector<NodeId> worth_comparing(const ProfileSide& side, std::vector<NodeId> nodes) {
    const double least = min_renamed * static_cast<double>(percentage_base(*side.graph, side.measure));
    std::erase_if(nodes, [&](NodeId node) {
        return static_cast<double>(side.graph->inclusive(node, side.measure)) <= least;
    });
    return nodes;
}

std::vector<AlikePair> alike(const ProfileSide& before, const ProfileSide& after,
                             const std::vector<NodeId>& free_before, const std::vector<NodeId>& free_after,
                             const std::array<std::vector<std::uint32_t>, 2>& matches) {
    constexpr double equally_likely = 0.05;
    const auto olds = neighbourhoods_of(before, free_before, matches[0]);
    const auto news = neighbourhoods_of(after, free_after, matches[1]);
    std::vector<Candidate> all;
    for (const auto& a : olds) {
        for (const auto& b : news) {
            if (a.object != b.object && a.file_name != b.file_name) continue;
            AlikePair pair{a.node, b.node, 0, common(a.callees, b.callees), common(a.callers, b.callers)};
            const auto evidence = evidence_of(a, b, pair);
            pair.likeness = likelihood(evidence);
            if (pair.likeness > 0) all.push_back({pair, evidence.name});
        }
    }
    // Equal names first, then names that are alike, then the others; the likeliest first.
    const auto kind_of = [](const Candidate& candidate) {
        return candidate.name == 1 ? 0 : candidate.name >= alike_name ? 1 : 2;
    };
    const auto rank = [&](const Candidate& candidate) {
        return std::tuple(kind_of(candidate), -candidate.pair.likeness, candidate.pair.before,
                          candidate.pair.after);
    };
    std::sort(all.begin(), all.end(),
              [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
    // Who is unsure keeps what it may be: the next round, or nobody, finds out.
    std::vector<AlikePair> pairs;
    std::set<NodeId> befores, afters;
    for (const Candidate& candidate : all) {
        const bool is_sure = std::none_of(all.begin(), all.end(), [&](const Candidate& other) {
            return candidate.rivals(other) && kind_of(candidate) == kind_of(other) &&
                   std::abs(other.pair.likeness - candidate.pair.likeness) < equally_likely;
        });
        const bool is_free =
            !befores.contains(candidate.pair.before) && !afters.contains(candidate.pair.after);
        befores.insert(candidate.pair.before);
        afters.insert(candidate.pair.after);
        if (is_sure && is_free) pairs.push_back(candidate.pair);
    }
    return pairs;
}

}  // namespace callcost
