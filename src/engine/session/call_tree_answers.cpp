// The tree of paths as a table whose rows unfold.
#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "answers/call_paths.hpp"
#include "session/answers.hpp"
#include "session/function_rows.hpp"

namespace callcost::engine {

TreeDirection direction_of(Question& question) {
    constexpr std::array<std::string_view, 2> directions = {"callees", "callers"};
    return question.word("direction", directions) == 0 ? TreeDirection::callees : TreeDirection::callers;
}

namespace {

constexpr std::size_t default_level_rows = 50;
constexpr std::size_t max_level_rows = 5000;
constexpr std::size_t max_matches = 40;
constexpr std::size_t max_paths = 1000;

class LevelWriter {
  public:
    /// `is_wanted`, and the functions by which `leading` paths lead on: rows that are written beyond the
    /// limit, too. `match`: what of their names stays (`ShownName`).
    LevelWriter(JsonWriter& json, const View& view, std::size_t offset, std::size_t limit,
                std::function<bool(FunctionAt)> is_wanted, const std::vector<FunctionPath>& leading,
                std::string_view match)
        : json_(json),
          view_(view),
          offset_(offset),
          limit_(limit),
          is_wanted_(std::move(is_wanted)),
          leading_(leading),
          match_(match) {}

    void write(const PathStep& step) {
        const auto& tree = *step.tree;
        std::vector<std::uint32_t> shown, omitted;
        const auto further = is_wanted_ ? steps_below(step) : std::set<std::int64_t>();
        const auto below = tree.below(step.row);
        for (std::size_t i = offset_; i < below.size(); ++i) {
            const bool is_sought =
                is_wanted_ && tree.is_function(below[i]) &&
                (is_wanted_(tree.function(below[i])) || further.contains(id(tree.function(below[i]))));
            const bool is_shown = i - offset_ < limit_ || (is_sought && shown.size() < limit_ + max_matches);
            (is_shown ? shown : omitted).push_back(below[i]);
        }
        json_.begin_object();
        json_.key("path");
        json_.begin_array();
        for (const auto& function : step.path) json_.value(id(function));
        json_.end_array();
        json_.key("rows");
        json_.begin_array();
        const auto calls = calls_of(view_, tree, shown);
        for (std::size_t i = 0; i < shown.size(); ++i) write_row(tree, shown[i], calls[i]);
        json_.end_array();
        json_.member("omitted_rows", omitted.size());
        write_omitted("omitted_cost", tree.after, tree, omitted, &CallPath::after);
        if (tree.before) write_omitted("omitted_cost_before", *tree.before, tree, omitted, &CallPath::before);
        json_.end_object();
    }

  private:
    [[nodiscard]] std::int64_t id(FunctionAt function) const {
        const auto& side = function.is_before ? *view_.before : view_.after;
        return id_of(side.graph(), function.node, function.is_before);
    }
    [[nodiscard]] std::set<std::int64_t> steps_below(const PathStep& step) const {
        std::set<std::int64_t> ids;
        for (const auto& one : leading_) {
            const auto is_same = [&](FunctionAt a, FunctionAt b) { return id(a) == id(b); };
            if (one.size() > step.path.size() &&
                std::equal(step.path.begin(), step.path.end(), one.begin(), is_same))
                ids.insert(id(one[step.path.size()]));
        }
        return ids;
    }

    void write_omitted(std::string_view name, const Tree& side, const CallPaths& tree,
                       const std::vector<std::uint32_t>& rows, std::uint32_t CallPath::*frame) {
        double sum = 0;
        for (const auto row : rows)
            if (tree.rows[row].*frame != Frame::none)
                sum += side.frames[tree.rows[row].*frame].inclusive.estimate;
        json_.member(name, whole_cost(sum));
    }

    void write_cost(const std::string& name, const Tree& tree, std::uint32_t frame, bool is_unknown,
                    EstimatedCost Frame::*which) {
        if (frame == Frame::none) {
            json_.key(name);
            if (is_unknown) return json_.null();
            return json_.value(std::int64_t{0});
        }
        const auto& cost = tree.frames[frame].*which;
        json_.member(name, whole_cost(cost.estimate));
        if (cost.certain()) return;
        json_.key(name + "_bounds");
        json_.begin_array();
        json_.value(cost.least);
        json_.value(cost.most);
        json_.end_array();
    }

    void write_row(const CallPaths& tree, std::uint32_t row, const std::optional<PathCalls>& calls) {
        const auto& path = tree.rows[row];
        const auto& frame = tree.frame(row);
        json_.begin_object();
        json_.member("kind", static_cast<unsigned>(frame.kind));
        if (frame.kind == FrameKind::function) {
            const auto function = tree.function(row);
            write_identity(json_, function.is_before ? *view_.before : view_.after, function.node,
                           function.is_before, {.match = match_});
        }
        for (const auto& [name, which] :
             {std::pair("inclusive", &Frame::inclusive), std::pair("self", &Frame::self)}) {
            write_cost(name, tree.after, path.after, path.is_after_unknown, which);
            if (tree.before)
                write_cost(std::string(name) + "_before", *tree.before, path.before, path.is_before_unknown,
                           which);
        }
        if (calls) {
            json_.member("calls", whole_cost(calls->count));
            if (calls->is_estimated) json_.member("calls_estimated", true);
            json_.member("per_call", whole_cost(frame.inclusive.estimate / calls->count));
        } else {
            json_.key("calls");
            json_.null();
            json_.key("per_call");
            json_.null();
        }
        json_.member("leads_on", path.end > row + 1);
        if (frame.partly_paid) json_.member("partly_paid", true);
        if (frame.inlined) json_.member("inlined", true);
        json_.end_object();
    }

    JsonWriter& json_;
    const View& view_;
    std::size_t offset_, limit_;
    std::function<bool(FunctionAt)> is_wanted_;
    const std::vector<FunctionPath>& leading_;
    std::string_view match_;
};

/// The function of each id; refuses the question if there is none.
FunctionPath path_of(Question& question, const View& view, const std::vector<std::int64_t>& ids,
                     const char* member) {
    FunctionPath path;
    for (const auto id : ids) {
        const auto function = find_function(view, id);
        if (function) {
            path.push_back(*function);
        } else {
            question.refuse({.id = "unknown-function",
                             .message = "no such function in the selected parts",
                             .member = member});
        }
    }
    return path;
}

/// Ids in texts, as lists do not nest: `"1 2 3"`.
std::vector<std::vector<std::int64_t>> paths_of(Question& question) {
    const auto texts = question.texts("paths");
    std::vector<std::vector<std::int64_t>> paths;
    bool is_right = texts.size() <= max_paths;
    for (const auto& text : texts) {
        if (!is_right) break;
        auto& ids = paths.emplace_back();
        const char* at = text.data();
        const char* const end = at + text.size();
        while (is_right && at != end) {
            if (*at == ' ') ++at;
            const auto [next, problem] = std::from_chars(at, end, ids.emplace_back());
            is_right = problem == std::errc() && (next == end || *next == ' ');
            at = next;
        }
    }
    if (!is_right)
        question.refuse({.message = "must be a list of at most " + std::to_string(max_paths) +
                                    " texts, each of ids with a blank between them",
                         .member = "paths"});
    return paths;
}

}  // namespace

void answer_call_tree(Request& request, JsonWriter& json) {
    constexpr std::array<std::string_view, 3> ways = {"path", "hottest", "matches"};
    constexpr std::array<std::string_view, 7> of_levels = {"path",   "paths",  "unfold", "least",
                                                           "search", "offset", "limit"};
    auto& question = request.question;
    const auto view = request.view();
    if (!view) return;
    PathOptions options;
    options.tree.direction = direction_of(question);
    if (question.has("root")) options.root = request.function("root", *view);
    const auto offset = question.count("offset", 0, SIZE_MAX);
    const auto limit = question.count("limit", default_level_rows, max_level_rows);
    const auto way = question.word("unfold", ways);
    const auto least = std::clamp(question.number("least", 0), 0.0, 1.0);
    const Search search(question, "search", request.host);
    const bool searches = !question.text("search").empty();
    const auto path = path_of(question, *view, question.integers("path"), "path");
    std::vector<FunctionPath> wanted;
    for (const auto& ids : paths_of(question)) wanted.push_back(path_of(question, *view, ids, "paths"));
    if (question.error()) return;

    const UnfoldedPaths paths(*view, options, request.paths, question.key_without(of_levels));
    const auto is_found = [&](FunctionAt function) {
        const auto& side = function.is_before ? *view->before : view->after;
        if (searches) return search.finds(side.graph().name(function.node));
        return side.filtered && side.filtered->filters().focus &&
               side.filtered->filters().focus(function.node);
    };
    const auto has_focus = [](const Side& side) {
        return side.filtered && static_cast<bool>(side.filtered->filters().focus);
    };
    const bool seeks =
        way != 1 && (searches || has_focus(view->after) || (view->before && has_focus(*view->before)));
    const auto leading = seeks ? paths.leading_to(is_found, max_matches) : std::vector<FunctionPath>();
    if (way == 1) wanted = paths.hottest(path, least);
    if (way == 2) wanted = leading;
    if (wanted.empty()) wanted = {path};
    const auto steps = paths.unfold(wanted);

    const auto& tree = paths.tree();
    json.begin_object();
    json.member("estimated", tree.is_estimated());
    json.member("whole", whole_cost(tree.after.inclusive));
    json.member("certainty", tree.after.certainty());
    if (tree.before) {
        json.member("whole_before", whole_cost(tree.before->inclusive));
        json.member("certainty_before", tree.before->certainty());
    }
    json.key("levels");
    json.begin_array();
    LevelWriter writer(json, *view, offset, limit, seeks ? is_found : std::function<bool(FunctionAt)>(),
                       leading, search.piece());
    for (const auto& step : steps) writer.write(step);
    json.end_array();
    json.end_object();
}

}  // namespace callcost::engine
