#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "callcost/diff.hpp"
#include "callcost/lines.hpp"
#include "diff/likeness.hpp"
#include "diff/place_names.hpp"

namespace callcost {
namespace {

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

void name_file_before(LineChange& line, std::string_view name) {
    if (name != line.file) line.file_before = name;
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
    static constexpr std::uint32_t alone = 50, moved = 30, other_cost = 100, never = 2 * alone + 1;

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
        std::size_t max_votes = votes[shift];
        for (const auto& [other, count] : votes) {
            const auto size = [](std::uint64_t s) { return std::min(s, 0 - s); };  // either way
            if (count < max_votes || (count == max_votes && size(other) >= size(shift))) continue;
            shift = other;
            max_votes = count;
        }
        return shift;
    }

    [[nodiscard]] std::uint32_t distance(std::size_t i, std::size_t j) const {
        if ((before_[i].number == 0) != (after_[j].number == 0)) return never;  // not known on one side (F79)
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
            {.file = after != nullptr ? after->file : before->file,
             .before = before != nullptr ? before->number : 0,
             .after = after != nullptr ? after->number : 0,
             .self = {before != nullptr ? before->self : Cost(), after != nullptr ? after->self : Cost()}});
        if (before != nullptr && after != nullptr) name_file_before(changes.back(), before->file);
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
        const bool is_too_much = files.first.size() > most / std::max<std::size_t>(files.second.size(), 1);
        std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> ranked;  // what differs, the files
        for (const auto i : files.first) {
            for (const auto j : files.second) {
                if (before[i][0].file == after[j][0].file) {
                    ranked.emplace_back(0, i, j);
                } else if (!is_too_much) {
                    ranked.emplace_back(SIZE_MAX - common_tail(before[i][0].file, after[j][0].file), i, j);
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
        line.file_before = {};
        if (line.self.before != 0 && line.self.after != 0) name_file_before(line, before[0].file);
        list.push_back(line);
    }
}

/// The base names of a function's files on both sides.
std::set<std::string_view> base_names(std::span<const Line> before, std::span<const Line> after) {
    std::set<std::string_view> names;
    for (const auto lines : {before, after})
        for (const auto file : by_file(lines)) names.insert(base_name(file[0].file));
    return names;
}

/// The names of those files of a profile that have certain base names: few of very many.
class FileNames {
  public:
    FileNames(const Profile& profile, const std::set<std::string_view>& wanted) {
        for (std::size_t row = 0; row < profile.file_count(); ++row) {
            const auto name = profile.name(FileId(row));
            const auto base = base_name(name);
            if (wanted.contains(base)) by_base_name_[base].push_back(name);
        }
    }

    [[nodiscard]] bool contain(std::string_view name) const {
        const auto& names = called(base_name(name));
        return std::find(names.begin(), names.end(), name) != names.end();
    }
    /// The file that is called `name` in a profile of another version, whose files are `others`; empty if
    /// none or several may be.
    [[nodiscard]] std::string_view partner(std::string_view name, const FileNames& others) const {
        if (contain(name)) return name;
        std::string_view best;
        std::size_t most = 0, equals = 0;
        for (const auto candidate : called(base_name(name))) {
            const auto tail = common_tail(name, candidate);
            if (tail < most || others.contain(candidate)) continue;
            equals = tail == most ? equals + 1 : 1;
            most = tail;
            best = candidate;
        }
        return equals == 1 ? best : std::string_view();
    }

  private:
    [[nodiscard]] const std::vector<std::string_view>& called(std::string_view base) const {
        static const std::vector<std::string_view> none;
        const auto found = by_base_name_.find(base);
        return found == by_base_name_.end() ? none : found->second;
    }

    std::map<std::string_view, std::vector<std::string_view>> by_base_name_;
};

/// Matches the lines of a function by the texts of their files, as far as these are known.
class TextMatching {
  public:
    TextMatching(const Diff& diff, const LineMatchOf& matches, std::span<const Line> before,
                 std::span<const Line> after)
        : diff_(diff), matches_(matches), before_(before), after_(after) {}

    /// Of files of both sides, or of one: then by the text of what it is called on the other side. False, and
    /// nothing is added, if it has to be guessed.
    bool add(std::span<const Line> before, std::span<const Line> after, std::vector<LineChange>& list) {
        if (!matches_) return false;
        if (before.empty() || after.empty()) return add_found(before, after, list);
        const auto was = before[0].file, is = after[0].file;
        if (was == is || (!names_after().contain(was) && !names_before().contain(is)))
            return add_pair(before, was, after, is, list);
        // One was taken for the other as the function is there now. Both files may be on both sides.
        std::vector<LineChange> together, apart;
        const bool is_pair = add_pair(before, was, after, is, together);
        const bool is_apart = add_found(before, {}, apart) && add_found({}, after, apart);
        if (!is_pair && !is_apart) return false;
        const bool is_better = !is_pair || (is_apart && matched(apart) > matched(together));
        const auto& better = is_better ? apart : together;
        list.insert(list.end(), better.begin(), better.end());
        return true;
    }

  private:
    using Partners = std::vector<std::uint32_t>;

    const FileNames& names_before() {
        if (!names_before_) names_before_.emplace(diff_.before().profile(), base_names(before_, after_));
        return *names_before_;
    }
    const FileNames& names_after() {
        if (!names_after_) names_after_.emplace(diff_.after().profile(), base_names(before_, after_));
        return *names_after_;
    }

    static std::ptrdiff_t matched(const std::vector<LineChange>& list) {
        return std::count_if(list.begin(), list.end(),
                             [](const LineChange& line) { return line.before != 0 && line.after != 0; });
    }

    bool add_found(std::span<const Line> before, std::span<const Line> after, std::vector<LineChange>& list) {
        const auto was =
            before.empty() ? names_before().partner(after[0].file, names_after()) : before[0].file;
        const auto is = after.empty() ? names_after().partner(before[0].file, names_before()) : after[0].file;
        return !was.empty() && !is.empty() && add_pair(before, was, after, is, list);
    }

    bool add_pair(std::span<const Line> before, std::string_view was, std::span<const Line> after,
                  std::string_view is, std::vector<LineChange>& list) {
        const auto* const match = matches_(was, is);
        if (match == nullptr || !fits(before, match->after) || !fits(after, match->before)) return false;
        const auto first = static_cast<std::ptrdiff_t>(list.size());
        for (const Line& line : before) {
            const auto number = of(match->after, line);
            const Line* const partner = find(after, number, line.number == 0);
            const bool is_removed = number == 0 && partner == nullptr;
            list.push_back({.file = is_removed ? was : is,
                            .before = line.number,
                            .after = number,
                            .self = {line.self, partner == nullptr ? Cost() : partner->self},
                            .by = LineChange::By::text});
            if (!is_removed) name_file_before(list.back(), was);
        }
        for (const Line& line : after) {
            const auto number = of(match->before, line);
            if (find(before, number, line.number == 0) != nullptr) continue;
            list.push_back({.file = is,
                            .before = number,
                            .after = line.number,
                            .self = {Cost(), line.self},
                            .by = LineChange::By::text});
            if (number != 0) name_file_before(list.back(), was);
        }
        std::sort(list.begin() + first, list.end(), [](const LineChange& a, const LineChange& b) {
            const auto key = [](const LineChange& line) {
                return std::tuple(line.after != 0 ? line.after : line.before, line.before, line.after);
            };
            return key(a) < key(b);
        });
        return true;
    }

    static std::uint32_t of(const Partners& partners, const Line& line) {
        return partners[static_cast<std::size_t>(line.number)];
    }
    static bool fits(std::span<const Line> lines, const Partners& partners) {
        return std::all_of(lines.begin(), lines.end(), [&](const Line& line) {
            return line.number < partners.size() && of(partners, line) != LineMatch::blank;
        });
    }
    /// The line of that number. 0 is no line, but where none is known (F79): that agrees with itself only.
    static const Line* find(std::span<const Line> lines, std::uint64_t number, bool is_unknown) {
        if (number == 0 && !is_unknown) return nullptr;
        const auto found = std::lower_bound(lines.begin(), lines.end(), number,
                                            [](const Line& line, auto n) { return line.number < n; });
        return found != lines.end() && found->number == number ? &*found : nullptr;
    }

    const Diff& diff_;
    const LineMatchOf& matches_;
    std::span<const Line> before_, after_;                 // all lines of the function
    std::optional<FileNames> names_before_, names_after_;  // made when they are needed
};

}  // namespace

Result<std::vector<LineChange>> line_changes(const Diff& diff, const FunctionMatch& function,
                                             const LineMatchOf& matches) {
    const auto before = lines_of(diff.before(), function.before, diff.measure_before());
    if (!before) return tl::unexpected(before.error());
    const auto after = lines_of(diff.after(), function.after, diff.measure_after());
    if (!after) return tl::unexpected(after.error());
    auto olds = by_file(*before), news = by_file(*after);
    TextMatching texts(diff, matches, *before, *after);
    std::vector<LineChange> list;
    for (const auto& [i, j] : paired_files(olds, news)) {
        if (!texts.add(olds[i], news[j], list)) add_aligned(olds[i], news[j], list);
        olds[i] = news[j] = {};
    }
    for (const auto lines : olds)
        if (!lines.empty() && !texts.add(lines, {}, list)) LineAlignment(lines, {}).add_to(list);
    for (const auto lines : news)
        if (!lines.empty() && !texts.add({}, lines, list)) LineAlignment({}, lines).add_to(list);
    std::stable_sort(list.begin(), list.end(),
                     [](const LineChange& a, const LineChange& b) { return a.file < b.file; });
    return list;
}

}  // namespace callcost
