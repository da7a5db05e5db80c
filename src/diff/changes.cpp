#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "base/wrapping.hpp"
#include "callcost/diff.hpp"
#include "callcost/lines.hpp"
#include "diff/likeness.hpp"
#include "diff/place_names.hpp"

namespace callcost {
namespace {

using PlaceOf = std::string_view (CallGraph::*)(NodeId) const;

double absolute(std::int64_t value) { return std::abs(static_cast<double>(value)); }

/// What most of the functions of each place before are in after.
std::map<std::string_view, std::string_view> successors(const Diff& diff, PlaceOf place) {
    std::map<std::string_view, std::map<std::string_view, std::size_t>> votes;
    for (const FunctionMatch& function : diff.functions())
        if (!function.is_added() && !function.is_removed())
            ++votes[(diff.before().*place)(function.before[0])][(diff.after().*place)(function.after[0])];
    std::map<std::string_view, std::string_view> names;
    for (const auto& [before, afters] : votes) {
        const auto most = std::max_element(afters.begin(), afters.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        names[before] = most->first;
    }
    return names;
}

/// Each function's cost before is where the function was, and its cost after where it is.
std::vector<PlaceChange> changes(const Diff& diff, PlaceOf place) {
    const auto names = successors(diff, place);
    std::map<std::string_view, Change> sums;
    for (const FunctionMatch& function : diff.functions()) {
        for (const NodeId node : function.before) {
            auto name = (diff.before().*place)(node);
            if (const auto found = names.find(name); found != names.end()) name = found->second;
            auto& sum = sums[name].before;
            sum = wrapping_add(sum, diff.before().self(node, diff.measure_before()));
        }
        for (const NodeId node : function.after) {
            auto& sum = sums[(diff.after().*place)(node)].after;
            sum = wrapping_add(sum, diff.after().self(node, diff.measure_after()));
        }
    }
    std::vector<PlaceChange> list;
    list.reserve(sums.size());
    for (const auto& [name, self] : sums) list.push_back({name, self});
    std::stable_sort(list.begin(), list.end(), [](const PlaceChange& a, const PlaceChange& b) {
        return absolute(a.self.delta()) > absolute(b.self.delta());
    });
    return list;
}

struct Line {
    std::string_view file;
    std::uint64_t number = 0;
    std::int64_t self = 0;
};

/// With a cost, by file and line; of a group those of all its functions.
Result<std::vector<Line>> lines_of(const CallGraph& graph, const std::vector<NodeId>& nodes,
                                   const Measure& measure) {
    std::map<std::pair<std::string_view, std::uint64_t>, std::int64_t> sums;
    for (const NodeId node : nodes) {
        const auto files = function_lines(graph, node, std::span(&measure, 1));
        if (!files) return tl::unexpected(files.error());
        for (const FileLines& file : *files)
            for (const LineCost& line : file.lines) {
                auto& sum = sums[{graph.profile().name(file.file), line.line}];
                sum = wrapping_add(sum, line.self[0]);
            }
    }
    std::vector<Line> list;
    for (const auto& [place, self] : sums)
        if (self != 0) list.push_back({place.first, place.second, self});
    return list;
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
    static constexpr std::uint32_t alone = 50, moved = 30, dearer = 100;

    /// How far lines moved: as far as most of those did that cost what they cost, else as the first one.
    [[nodiscard]] static std::uint64_t usual_shift(std::span<const Line> before,
                                                   std::span<const Line> after) {
        if (before.empty() || after.empty()) return 0;
        std::map<std::int64_t, std::vector<std::uint64_t>> olds;
        for (const Line& line : before) olds[line.self].push_back(line.number);
        std::map<std::uint64_t, std::size_t> votes;
        constexpr std::size_t most = 10;  // of lines that cost the same, say, a loop counter's
        for (const Line& line : after)
            if (const auto found = olds.find(line.self); found != olds.end() && found->second.size() <= most)
                for (const auto number : found->second) ++votes[line.number - number];
        std::uint64_t shift = after[0].number - before[0].number;
        std::size_t most_votes = votes[shift];
        for (const auto& [other, count] : votes) {
            if (count <= most_votes) continue;
            shift = other;
            most_votes = count;
        }
        return shift;
    }

    [[nodiscard]] std::uint32_t distance(std::size_t i, std::size_t j) const {
        const bool is_moved = after_[j].number - before_[i].number != shift_;
        const double difference = 1 - likeness_of_costs(before_[i].self, after_[j].self);
        return static_cast<std::uint32_t>(dearer * difference) + (is_moved ? moved : 0);
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
        changes.push_back({after != nullptr ? after->file : before->file,
                           before != nullptr ? before->number : 0,
                           after != nullptr ? after->number : 0,
                           {before != nullptr ? before->self : 0, after != nullptr ? after->self : 0}});
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

}  // namespace

std::vector<PlaceChange> file_changes(const Diff& diff) { return changes(diff, &CallGraph::file); }
std::vector<PlaceChange> object_changes(const Diff& diff) { return changes(diff, &CallGraph::object); }

Result<std::vector<LineChange>> line_changes(const Diff& diff, const FunctionMatch& function) {
    const auto before = lines_of(diff.before(), function.before, diff.measure_before());
    if (!before) return tl::unexpected(before.error());
    const auto after = lines_of(diff.after(), function.after, diff.measure_after());
    if (!after) return tl::unexpected(after.error());
    auto olds = by_file(*before);
    std::vector<LineChange> list;
    for (const auto lines : by_file(*after)) {
        // The file that has most of its path in common; of a single file the path does not matter.
        const auto likest = std::max_element(olds.begin(), olds.end(), [&](const auto& a, const auto& b) {
            return common_tail(a[0].file, lines[0].file) < common_tail(b[0].file, lines[0].file);
        });
        const bool has_old =
            likest != olds.end() && (common_tail((*likest)[0].file, lines[0].file) > 0 || olds.size() == 1);
        LineAlignment(has_old ? *likest : std::span<const Line>(), lines).add_to(list);
        if (has_old) olds.erase(likest);
    }
    for (const auto lines : olds) LineAlignment(lines, {}).add_to(list);
    std::stable_sort(list.begin(), list.end(),
                     [](const LineChange& a, const LineChange& b) { return a.file < b.file; });
    return list;
}

}  // namespace callcost
