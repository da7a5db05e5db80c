#include "answers/side_by_side.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace callcost::engine {
namespace {

constexpr std::size_t max_source_bytes = std::size_t{16} << 20U;
constexpr std::size_t max_line_bytes = 400;
// Profiles choose the names, and may have many for one file.
constexpr std::size_t max_total_bytes = std::size_t{32} << 20U;
constexpr std::size_t max_placed_lines = 100'000;

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string cut_line(std::string_view line) {
    if (line.size() <= max_line_bytes) return std::string(line);
    auto end = max_line_bytes;
    const auto is_inside = [&](std::size_t at) {
        return (static_cast<unsigned char>(line[at]) & 0xc0U) == 0x80U;
    };
    while (end > max_line_bytes - 4 && is_inside(end)) --end;
    return std::string(line.substr(0, end)) + "…";
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\v\f") == std::string_view::npos; }

/// The texts of both sides as far as they are those that were measured, and which line of one is which of
/// the other.
class Texts {
  public:
    struct Pair {
        std::vector<std::string_view> before, after;  // lines
        LineMatch match;
    };

    explicit Texts(const Host& host) : host_(host) {}

    const Pair* pair(std::string_view before, std::string_view after) {
        const std::pair names{std::string(before), std::string(after)};
        auto known = pairs_.find(names);
        if (known == pairs_.end()) known = pairs_.emplace(names, made(before, after)).first;
        return known->second ? &*known->second : nullptr;
    }
    [[nodiscard]] LineMatchOf matches() {
        return [this](std::string_view before, std::string_view after) -> const LineMatch* {
            const auto* const both = pair(before, after);
            return both == nullptr ? nullptr : &both->match;
        };
    }
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] const std::string& hint() const { return hint_; }

  private:
    const SourceFile& file(Build build, std::string_view name) {
        auto& files = build == Build::before ? before_ : after_;
        auto known = files.find(name);
        if (known == files.end()) known = files.emplace(std::string(name), found(build, name)).first;
        return known->second;
    }
    [[nodiscard]] SourceFile found(Build build, std::string_view name) const {
        const auto& find = build == Build::before ? host_.source_before : host_.source;
        SourceFile source;
        source.problem = "source files are not available here";
        if (find) source = find(name);
        if (!source.text) return source;
        if (source.is_newer) {
            source.text.reset();
            source.problem = build == Build::before ? "the source file is newer than the old profile"
                                                    : "the source file is newer than the new profile";
        } else if (source.text->size() > max_source_bytes) {
            source.text.reset();
            source.problem = "the source file is too large to be shown";
        }
        return source;
    }
    std::optional<Pair> made(std::string_view before, std::string_view after) {
        const auto& was = file(Build::before, before);
        const auto& is = file(Build::after, after);
        for (const auto* side : {&was, &is}) {
            if (side->text) continue;
            if (problem_.empty()) {
                problem_ = side->problem;
                hint_ = side->hint;
            }
            return std::nullopt;
        }
        // One file that two names lead to is the text of one of them at most.
        if (before != after && was.path == is.path) {
            if (problem_.empty()) problem_ = "only one of two source files was found";
            return std::nullopt;
        }
        bytes_ += was.text->size() + is.text->size();
        if (bytes_ > max_total_bytes) {
            if (problem_.empty()) problem_ = "the source files are too large to be compared";
            return std::nullopt;
        }
        return Pair{lines_of(*was.text), lines_of(*is.text), match_lines(*was.text, *is.text)};
    }

    const Host& host_;
    std::map<std::string, SourceFile, std::less<>> before_, after_;  // no hashing: profiles choose the names
    std::map<std::pair<std::string, std::string>, std::optional<Pair>> pairs_;
    std::size_t bytes_ = 0;  // of texts that were compared
    std::string problem_, hint_;
};

/// Places the lines of one file of both sides beside each other, from the first line with a cost to the last.
class Placing {
  public:
    Placing(const Texts::Pair& texts, std::span<const LineChange> lines) : texts_(texts) {
        for (const auto& line : lines) {
            if (line.before == 0 && line.after == 0) unknown_.push_back(line.self);
            if (line.before != 0) {
                before_[line.before] += line.self.before;
                if (line.self.before != 0) extend(first_before_, last_before_, line.before);
            }
            if (line.after != 0) {
                after_[line.after] += line.self.after;
                if (line.self.after != 0) extend(first_after_, last_after_, line.after);
            }
        }
    }

    [[nodiscard]] bool is_small() const {
        return last_before_ - first_before_ < max_placed_lines &&
               last_after_ - first_after_ < max_placed_lines;
    }
    std::vector<LinePair> run() {
        for (const auto& self : unknown_) pairs_.push_back({.self = self});
        next_ = std::max<std::uint64_t>(first_before_, 1);
        if (first_after_ != 0)
            for (auto line = first_after_; line <= last_after_; ++line) place(line);
        if (first_before_ != 0) take_before(last_before_ + 1);
        place_together();
        return std::move(pairs_);
    }

  private:
    static void extend(std::uint64_t& first, std::uint64_t& last, std::uint64_t line) {
        first = first == 0 ? line : std::min(first, line);
        last = std::max(last, line);
    }
    [[nodiscard]] std::string_view text_before(std::uint64_t line) const {
        return line == 0 || line > texts_.before.size() ? std::string_view()
                                                        : texts_.before[static_cast<std::size_t>(line - 1)];
    }
    [[nodiscard]] std::string_view text_after(std::uint64_t line) const {
        return line == 0 || line > texts_.after.size() ? std::string_view()
                                                       : texts_.after[static_cast<std::size_t>(line - 1)];
    }
    static std::uint64_t partner(const std::vector<std::uint32_t>& of, std::uint64_t line) {
        const auto found = line < of.size() ? of[static_cast<std::size_t>(line)] : 0;
        return found == LineMatch::blank ? 0 : found;
    }
    static Cost cost(const std::map<std::uint64_t, Cost>& of, std::uint64_t line) {
        const auto found = of.find(line);
        return found == of.end() ? Cost() : found->second;
    }

    void place(std::uint64_t line) {
        const auto was = partner(texts_.match.before, line);
        if (was == 0) return new_.push_back(line);
        if (was < next_) {  // from above
            place_together();
            return add(LinePair::Kind::moved, was, line);
        }
        const bool is_in_order = first_before_ == 0 || was <= last_before_;
        if (is_in_order) {
            take_before(was);
            next_ = was + 1;
        }
        place_together();
        add(is_in_order ? LinePair::Kind::same : LinePair::Kind::moved, was, line);
    }
    /// Lines before, up to that one, that are not there any more; those that moved stand where they are now,
    /// if that is among the lines that are shown.
    void take_before(std::uint64_t end) {
        for (; next_ < end; ++next_) {
            if (first_before_ == 0 || next_ < first_before_) continue;
            const auto now = partner(texts_.match.after, next_);
            if (now == 0) {
                old_.push_back(next_);
            } else if ((now < first_after_ || now > last_after_) && cost(before_, next_) != 0) {
                place_together();
                add(now > last_after_ ? LinePair::Kind::same : LinePair::Kind::moved, next_, now);
            }
        }
    }
    /// What stands between two lines of both: the one beside the other.
    void place_together() {
        const auto both = std::min(old_.size(), new_.size());
        for (std::size_t i = 0; i < both; ++i) {
            const bool are_blank = is_blank(text_before(old_[i])) && is_blank(text_after(new_[i]));
            add(are_blank ? LinePair::Kind::same : LinePair::Kind::changed, old_[i], new_[i]);
        }
        for (std::size_t i = both; i < old_.size(); ++i) add(LinePair::Kind::removed, old_[i], 0);
        for (std::size_t i = both; i < new_.size(); ++i) add(LinePair::Kind::added, 0, new_[i]);
        old_.clear();
        new_.clear();
    }
    void add(LinePair::Kind kind, std::uint64_t before, std::uint64_t after) {
        pairs_.push_back({.kind = kind,
                          .before = before,
                          .after = after,
                          .text_before = cut_line(text_before(before)),
                          .text_after = cut_line(text_after(after)),
                          .self = {cost(before_, before), cost(after_, after)}});
    }

    const Texts::Pair& texts_;
    std::map<std::uint64_t, Cost> before_, after_;
    std::uint64_t first_before_ = 0, last_before_ = 0, first_after_ = 0, last_after_ = 0;
    std::vector<Change> unknown_;
    std::uint64_t next_ = 1;                // of the lines before
    std::vector<std::uint64_t> old_, new_;  // without a partner, not placed yet
    std::vector<LinePair> pairs_;
};

/// Leaves pairs without a change out that are far from those with one.
std::vector<LinePair> with_context(std::vector<LinePair> pairs, std::size_t context) {
    const auto is_changed = [](const LinePair& pair) {
        if (pair.self.delta() != 0) return true;
        const bool is_text = !is_blank(pair.text_before) || !is_blank(pair.text_after);
        return pair.kind != LinePair::Kind::same && is_text;
    };
    std::vector<bool> is_kept(pairs.size());
    std::size_t since = context;  // pairs since the last one that changed
    const auto mark = [&](std::size_t i) {
        since = is_changed(pairs[i]) ? 0 : since + 1;
        if (since <= context) is_kept[i] = true;
    };
    since = context + 1;
    for (std::size_t i = 0; i < pairs.size(); ++i) mark(i);
    since = context + 1;
    for (std::size_t i = pairs.size(); i-- > 0;) mark(i);
    std::vector<LinePair> kept;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (is_kept[i]) {
            kept.push_back(std::move(pairs[i]));
        } else if (!kept.empty() && kept.back().kind == LinePair::Kind::omitted) {
            ++kept.back().omitted;
            kept.back().self.before += pairs[i].self.before;
            kept.back().self.after += pairs[i].self.after;
        } else {
            kept.push_back({.kind = LinePair::Kind::omitted, .self = pairs[i].self, .omitted = 1});
        }
    }
    return kept;
}

/// By order and cost: only those with a change.
std::vector<LinePair> guessed(std::span<const LineChange> lines) {
    std::vector<LinePair> pairs;
    for (const auto& line : lines) {
        const auto kind = line.before == line.after || (line.before != 0 && line.after != 0)
                              ? LinePair::Kind::same
                              : (line.after == 0 ? LinePair::Kind::removed : LinePair::Kind::added);
        pairs.push_back({.kind = kind, .before = line.before, .after = line.after, .self = line.self});
    }
    return pairs;
}

struct LinesOfFile {
    std::string_view before, after;  // names
    std::vector<LineChange> lines{};
};

/// Removed lines are in the file that the others of the old file are in now.
std::vector<LinesOfFile> by_file(const std::vector<LineChange>& lines) {
    std::map<std::string_view, std::string_view> now, then;  // by the name before, after
    for (const auto& line : lines) {
        if (line.file_before.empty()) continue;
        now.emplace(line.file_before, line.file);
        then.emplace(line.file, line.file_before);
    }
    const auto other = [](const auto& names, std::string_view name) {
        const auto found = names.find(name);
        return found == names.end() ? name : found->second;
    };
    std::map<std::pair<std::string_view, std::string_view>, LinesOfFile> files;
    for (const auto& line : lines) {
        const bool is_removed = line.after == 0 && line.before != 0, is_added = line.before == 0;
        const auto after = is_removed ? other(now, line.file) : line.file;
        const auto before = is_removed || line.file_before.empty()
                                ? (is_added ? other(then, line.file) : line.file)
                                : line.file_before;
        auto& of = files[{before, after}];
        of.before = before;
        of.after = after;
        of.lines.push_back(line);
    }
    std::vector<LinesOfFile> list;
    list.reserve(files.size());
    for (auto& [names, of] : files) list.push_back(std::move(of));
    return list;
}

bool are_in(const Texts::Pair& texts, std::span<const LineChange> lines) {
    return std::all_of(lines.begin(), lines.end(), [&](const LineChange& line) {
        return line.before <= texts.before.size() && line.after <= texts.after.size();
    });
}

}  // namespace

Result<SideBySide> side_by_side(const Diff& diff, const FunctionMatch& function, const Host& host,
                                std::size_t context, std::size_t limit) {
    Texts texts(host);
    const auto changes = line_changes(diff, function, texts.matches());
    if (!changes) return tl::unexpected(changes.error());
    SideBySide found;
    for (const auto& of : by_file(*changes)) {
        ComparedFile file{.name = of.after,
                          .name_before = of.before == of.after ? std::string_view() : of.before};
        for (const auto& line : of.lines) {
            file.self.before += line.self.before;
            file.self.after += line.self.after;
        }
        file.is_by_text = std::all_of(of.lines.begin(), of.lines.end(),
                                      [](const LineChange& line) { return line.by == LineChange::By::text; });
        const auto* const pair = file.is_by_text ? texts.pair(of.before, of.after) : nullptr;
        file.is_by_text = pair != nullptr && are_in(*pair, of.lines);
        if (file.is_by_text) {
            Placing placing(*pair, of.lines);
            file.is_by_text = placing.is_small();
            if (file.is_by_text) file.pairs = with_context(placing.run(), context);
        }
        if (!file.is_by_text) file.pairs = with_context(guessed(of.lines), 0);
        const bool has_change = std::any_of(file.pairs.begin(), file.pairs.end(), [](const LinePair& one) {
            return one.kind != LinePair::Kind::omitted;
        });
        if (has_change) found.files.push_back(std::move(file));
    }
    std::stable_sort(
        found.files.begin(), found.files.end(),
        [](const ComparedFile& a, const ComparedFile& b) { return a.self.magnitude() > b.self.magnitude(); });
    for (auto& file : found.files) {
        const auto kept = std::min(file.pairs.size(), limit);
        limit -= kept;
        file.omitted_pairs = file.pairs.size() - kept;
        file.pairs.resize(kept);
    }
    const bool are_known = std::all_of(found.files.begin(), found.files.end(),
                                       [](const ComparedFile& file) { return file.is_by_text; });
    if (!are_known) {
        found.problem = texts.problem();
        found.hint = texts.hint();
    }
    return found;
}

}  // namespace callcost::engine
