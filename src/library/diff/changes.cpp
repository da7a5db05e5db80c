#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "callcost/diff.hpp"
#include "callcost/lines.hpp"
#include "diff/likeness.hpp"
#include "diff/place_names.hpp"

namespace callcost {
namespace {

using PlaceOf = std::string_view (CallGraph::*)(NodeId) const;
using NameOf = std::function<std::string_view(NodeId)>;

using Names = std::set<std::string_view>;
using Votes = std::map<std::string_view, std::map<std::string_view, std::size_t>>;

std::string_view most_voted(const std::map<std::string_view, std::size_t>& votes) {
    return std::max_element(votes.begin(), votes.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
}

/// Places that only the profile before has, and those that only the one after has which most of their
/// functions are in, as most of these come from there: they were renamed.
std::map<std::string_view, std::string_view> successors(const Diff& diff, const NameOf& name_before,
                                                        const NameOf& name_after) {
    Names befores, afters;
    Votes there, back;
    for (const FunctionMatch& function : diff.functions()) {
        for (const NodeId node : function.before) befores.insert(name_before(node));
        for (const NodeId node : function.after) afters.insert(name_after(node));
        if (function.is_added() || function.is_removed()) continue;
        const auto before = name_before(function.before[0]), after = name_after(function.after[0]);
        ++there[before][after];
        ++back[after][before];
    }
    std::map<std::string_view, std::string_view> names;
    for (const auto& [before, votes] : there) {
        const auto after = most_voted(votes);
        if (!afters.contains(before) && !befores.contains(after) && most_voted(back[after]) == before)
            names[before] = after;
    }
    return names;
}

/// Each function's cost before is where the function was, and its cost after where it is.
std::vector<PlaceChange> changes(const Diff& diff, PlaceOf place) {
    const auto names = successors(
        diff, [&](NodeId node) { return (diff.before().*place)(node); },
        [&](NodeId node) { return (diff.after().*place)(node); });
    std::map<std::string_view, Change> sums;
    for (const FunctionMatch& function : diff.functions()) {
        for (const NodeId node : function.before) {
            auto name = (diff.before().*place)(node);
            if (const auto found = names.find(name); found != names.end()) name = found->second;
            auto& sum = sums[name].before;
            sum += diff.before().self(node, diff.measure_before());
        }
        for (const NodeId node : function.after) {
            auto& sum = sums[(diff.after().*place)(node)].after;
            sum += diff.after().self(node, diff.measure_after());
        }
    }
    std::vector<PlaceChange> list;
    list.reserve(sums.size());
    for (const auto& [name, self] : sums) list.push_back({name, self});
    std::stable_sort(list.begin(), list.end(), [](const PlaceChange& a, const PlaceChange& b) {
        return a.self.magnitude() > b.self.magnitude();
    });
    return list;
}

struct Line {
    std::string_view file;
    std::uint64_t number = 0;
    Cost self = 0;
};

/// With a cost, by file and line; of a group those of all its functions.
Result<std::vector<Line>> lines_of(const CallGraph& graph, const std::vector<NodeId>& nodes,
                                   const Measure& measure) {
    std::map<std::pair<std::string_view, std::uint64_t>, Cost> sums;
    for (const NodeId node : nodes) {
        const auto files = function_lines(graph, node, std::span(&measure, 1));
        if (!files) return tl::unexpected(files.error());
        for (const FileLines& file : *files)
            for (const LineCost& line : file.lines) {
                auto& sum = sums[{graph.profile().name(file.file), line.line}];
                sum += line.self[0];
            }
    }
    std::vector<Line> list;
    for (const auto& [place, self] : sums)
        if (self != 0) list.push_back({place.first, place.second, self});
    return list;
}

bool is_less(std::span<const Line> a, std::span<const Line> b) {
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const Line& x, const Line& y) { return std::tie(x.number, x.self) < std::tie(y.number, y.self); });
}

/// The cheapest way to make one list of lines the other, where lines stay in their order: a line that is the
/// same but for its number costs nothing.
class LineAlignment {
  public:
    LineAlignment(std::span<const Line> before, std::span<const Line> after)
        : before_(before), after_(after), width_(after.size() + 1), shift_(usual_shift(before, after)) {}

    void add_to(std::vector<LineChange>& changes) {
        constexpr std::size_t most = 1'000'000;
        if (before_.size() > most / width_) return add_by_number(changes);
        fill();
        std::size_t i = 0, j = 0;
        while (i < before_.size() || j < after_.size()) {
            const bool has_both = i < before_.size() && j < after_.size();
            if (has_both && best(i, j) == best(i + 1, j + 1) + distance(i, j)) {
                add(changes, &before_[i++], &after_[j++]);
            } else if (i < before_.size() && (j == after_.size() || best(i, j) == best(i + 1, j) + alone)) {
                add(changes, &before_[i++], nullptr);
            } else {
                add(changes, nullptr, &after_[j++]);
            }
        }
    }

  private:
    /// A line that moved otherwise than others did, and costs something else, is another one.
    static constexpr std::uint32_t alone = 50, moved = 30, other_cost = 100;

    /// How far lines moved: as far as most of those did that cost what they cost, else as the first one.
    [[nodiscard]] static std::uint64_t usual_shift(std::span<const Line> before,
                                                   std::span<const Line> after) {
        if (before.empty() || after.empty()) return 0;
        std::map<Cost, std::vector<std::uint64_t>> olds;
        for (const Line& line : before) olds[line.self].push_back(line.number);
        std::map<std::uint64_t, std::size_t> votes;
        constexpr std::size_t most = 10;  // of lines that cost the same, say, a loop counter's
        for (const Line& line : after)
            if (const auto found = olds.find(line.self); found != olds.end() && found->second.size() <= most)
                for (const auto number : found->second) ++votes[line.number - number];
        std::uint64_t shift = after[0].number - before[0].number;
        std::size_t most_votes = votes[shift];
        for (const auto& [other, count] : votes) {
            const auto size = [](std::uint64_t s) { return std::min(s, 0 - s); };  // either way
            if (count < most_votes || (count == most_votes && size(other) >= size(shift))) continue;
            shift = other;
            most_votes = count;
        }
        return shift;
    }

    [[nodiscard]] std::uint32_t distance(std::size_t i, std::size_t j) const {
        const bool is_moved = after_[j].number - before_[i].number != shift_;
        const double difference = 1 - likeness_of_costs(before_[i].self, after_[j].self);
        return static_cast<std::uint32_t>(other_cost * difference) + (is_moved ? moved : 0);
    }
    std::uint32_t& best(std::size_t i, std::size_t j) { return best_[i * width_ + j]; }
    void fill() {
        best_.assign((before_.size() + 1) * width_, 0);
        for (auto i = before_.size() + 1; i-- > 0;) {
            for (auto j = width_; j-- > 0;) {
                if (i == before_.size() || j == after_.size()) {
                    best(i, j) = alone * static_cast<std::uint32_t>(before_.size() - i + after_.size() - j);
                } else {
                    best(i, j) = std::min({best(i + 1, j + 1) + distance(i, j), best(i + 1, j) + alone,
                                           best(i, j + 1) + alone});
                }
            }
        }
    }
    void add_by_number(std::vector<LineChange>& changes) const {
        std::size_t i = 0, j = 0;
        while (i < before_.size() || j < after_.size()) {
            const auto first = i < before_.size() ? before_[i].number : UINT64_MAX;
            const auto second = j < after_.size() ? after_[j].number : UINT64_MAX;
            const auto* const before = i < before_.size() && first <= second ? &before_[i++] : nullptr;
            const auto* const after = j < after_.size() && second <= first ? &after_[j++] : nullptr;
            add(changes, before, after);
        }
    }
    static void add(std::vector<LineChange>& changes, const Line* before, const Line* after) {
        changes.push_back(
            {after != nullptr ? after->file : before->file,
             before != nullptr ? before->number : 0,
             after != nullptr ? after->number : 0,
             {before != nullptr ? before->self : Cost(), after != nullptr ? after->self : Cost()}});
    }

    std::span<const Line> before_, after_;
    std::size_t width_;
    std::uint64_t shift_;
    std::vector<std::uint32_t> best_;
};

std::span<const Line> first_file(std::span<const Line> lines) {
    std::size_t end = 0;
    while (end < lines.size() && lines[end].file == lines[0].file) ++end;
    return lines.first(end);
}

/// The lines of each file apart.
std::vector<std::span<const Line>> by_file(std::span<const Line> lines) {
    std::vector<std::span<const Line>> files;
    for (; !lines.empty(); lines = lines.subspan(files.back().size())) files.push_back(first_file(lines));
    return files;
}

/// Files of both sides: the same path first, then those whose paths have most in common at the end, with the
/// same base name; a single file is that of the other side.
std::vector<std::pair<std::size_t, std::size_t>> paired_files(std::span<const std::span<const Line>> before,
                                                              std::span<const std::span<const Line>> after) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    if (before.size() == 1 && after.size() == 1) return {{0, 0}};
    std::map<std::string_view, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> by_name;
    for (std::size_t i = 0; i < before.size(); ++i) by_name[base_name(before[i][0].file)].first.push_back(i);
    for (std::size_t j = 0; j < after.size(); ++j) by_name[base_name(after[j][0].file)].second.push_back(j);
    for (const auto& [name, files] : by_name) {
        constexpr std::size_t most = 10'000;
        const bool is_too_much = files.first.size() * files.second.size() > most;
        std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> ranked;  // what differs, the files
        for (const auto i : files.first) {
            for (const auto j : files.second) {
                const auto tail = common_tail(before[i][0].file, after[j][0].file);
                if (before[i][0].file == after[j][0].file) {
                    ranked.emplace_back(0, i, j);
                } else if (!is_too_much) {
                    ranked.emplace_back(SIZE_MAX - tail, i, j);
                }
            }
        }
        std::sort(ranked.begin(), ranked.end());
        std::set<std::size_t> befores, afters;
        for (const auto& [rank, i, j] : ranked) {
            if (befores.contains(i) || afters.contains(j)) continue;
            befores.insert(i);
            afters.insert(j);
            pairs.emplace_back(i, j);
        }
    }
    return pairs;
}

/// Of several ways that are equally good the same one is found whichever side is before.
void add_aligned(std::span<const Line> before, std::span<const Line> after, std::vector<LineChange>& list) {
    if (!is_less(after, before)) return LineAlignment(before, after).add_to(list);
    std::vector<LineChange> exchanged;
    LineAlignment(after, before).add_to(exchanged);
    for (LineChange& line : exchanged) {
        std::swap(line.before, line.after);
        std::swap(line.self.before, line.self.after);
        line.file = line.self.after != 0 ? after[0].file : before[0].file;  // no line costs nothing
        list.push_back(line);
    }
}

}  // namespace

std::map<std::string, std::string> renamed_groups(const Diff& diff, std::span<const Group> before,
                                                  std::span<const Group> after) {
    const auto names = [](const CallGraph& graph, std::span<const Group> groups) {
        std::vector<std::string_view> all(graph.size());
        for (const Group& group : groups)
            for (const NodeId node : group.nodes) all[node.value] = group.name;
        return all;
    };
    const auto olds = names(diff.before(), before), news = names(diff.after(), after);
    std::map<std::string, std::string> renamed;
    for (const auto& [old, now] : successors(
             diff, [&](NodeId node) { return olds[node.value]; },
             [&](NodeId node) { return news[node.value]; }))
        renamed.emplace(old, now);
    return renamed;
}

std::vector<PlaceChange> file_changes(const Diff& diff) { return changes(diff, &CallGraph::file); }
std::vector<PlaceChange> object_changes(const Diff& diff) { return changes(diff, &CallGraph::object); }

Result<std::vector<LineChange>> line_changes(const Diff& diff, const FunctionMatch& function) {
    const auto before = lines_of(diff.before(), function.before, diff.measure_before());
    if (!before) return tl::unexpected(before.error());
    const auto after = lines_of(diff.after(), function.after, diff.measure_after());
    if (!after) return tl::unexpected(after.error());
    auto olds = by_file(*before), news = by_file(*after);
    std::vector<LineChange> list;
    for (const auto& [i, j] : paired_files(olds, news)) {
        add_aligned(olds[i], news[j], list);
        olds[i] = news[j] = {};
    }
    for (const auto lines : olds) LineAlignment(lines, {}).add_to(list);
    for (const auto lines : news) LineAlignment({}, lines).add_to(list);
    std::stable_sort(list.begin(), list.end(),
                     [](const LineChange& a, const LineChange& b) { return a.file < b.file; });
    return list;
}

}  // namespace callcost
