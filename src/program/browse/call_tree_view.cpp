#include "browse/call_tree_view.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "reports/call_tree.hpp"
#include "reports/function_list.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t first_frames = 20'000, max_frames = 1'000'000;
constexpr std::uint32_t max_indent = 24;  // deeper levels show their number
constexpr std::size_t max_opened = 1000;  // frames that one key opens

Cost whole(double cost) {
    constexpr double most = 9.2e18;  // a little less than 2^63
    return Cost(std::llround(std::clamp(cost, -most, most)));
}

}  // namespace

CallTreeView::CallTreeView(const BrowsedProfile& profile, ListSettings& settings)
    : profile_(profile),
      settings_(settings),
      contexts_(profile.graph().profile()),
      max_frames_(first_frames) {
    make_tree();
    open_hottest_path();
    list_shown();
}

void CallTreeView::make_tree() {
    tree_ =
        profile_.tree(settings_.is_inverted ? TreeDirection::callers : TreeDirection::callees, max_frames_);
    is_open_.assign(tree_->frames.size(), false);
}

void CallTreeView::open_hottest_path() {
    if (tree_->frames.empty()) return;
    for (std::uint32_t at = 0; has_branches(at); ++at) {
        is_open_[at] = true;
        if (tree_->frames[at + 1].inclusive.estimate < tree_->frames[at].inclusive.estimate / 2) return;
    }
}

void CallTreeView::list_shown() {
    shown_.clear();
    const auto size = static_cast<std::uint32_t>(tree_->frames.size());
    for (std::uint32_t at = 0; at < size; at = is_open_[at] ? at + 1 : tree_->frames[at].end)
        shown_.push_back(at);
}

std::vector<Column> CallTreeView::columns() const {
    std::vector<Column> columns = {{settings_.is_inverted ? "self" : "inclusive", Align::right}};
    if (!tree_->exact) columns.push_back({"between", Align::right});
    if (!settings_.is_inverted) columns.push_back({"self", Align::right});
    columns.push_back(
        {settings_.is_inverted ? "function, its callers below" : "function, its callees below"});
    return columns;
}

std::string CallTreeView::bounds(const EstimatedCost& cost) const {
    if (cost.certain()) return "exact";
    auto least = profile_.figure(cost.least);
    if (least.ends_with('%')) least.pop_back();
    return fmt::format("{}-{}", least, profile_.figure(cost.most));
}

std::vector<Cell> CallTreeView::row(std::size_t row) const {
    const auto& of = frame(row);
    const auto& graph = profile_.graph();
    const bool is_function = of.kind == FrameKind::function;
    const auto tone = is_function ? engine::Tone::plain : engine::Tone::dim;
    const auto self = whole(of.self.estimate);
    std::vector<Cell> cells = {{profile_.figure(whole(of.inclusive.estimate)), tone}};
    if (!tree_->exact) cells.emplace_back(bounds(of.inclusive), engine::Tone::dim);
    if (!settings_.is_inverted)
        cells.emplace_back(is_function ? profile_.figure(self) : "",
                           is_function && is_hot(self, profile_.base()) ? engine::Tone::hot : tone);
    const auto depth = of.level - 1;
    NameText name{.before = std::string(std::min(depth, max_indent), ' ')};
    if (depth > max_indent) name.before += fmt::format("[{}] ", of.level);
    const auto at = shown_[row];
    name.before += !has_branches(at) ? "  " : is_open_[at] ? "- " : "+ ";
    name.name = engine::display_name(frame_label(graph, contexts_, of));
    if (of.inlined) name.after = " (inlined)";
    if (of.partly_paid) name.after += " (callers incomplete)";
    cells.emplace_back(
        name, tone,
        is_function ? location_texts(graph, of.node, profile_.style()) : std::vector<std::string>());
    return cells;
}

FunctionNames CallTreeView::names(std::size_t row) const {
    const auto& of = frame(row);
    return of.node.valid() ? names_of(profile_.graph(), of.node) : FunctionNames{};
}

std::optional<engine::FunctionAt> CallTreeView::function(std::size_t row) const {
    const auto& of = frame(row);
    return of.node.valid() ? std::optional(engine::FunctionAt{of.node, false}) : std::nullopt;
}

std::string CallTreeView::note() const {
    if (tree_->frames.empty())
        return "no call paths: the event type has no sums, or nothing passes the filters";
    const auto certainty = tree_->exact ? std::string("exact: recorded call stacks")
                                        : fmt::format("estimated: {} is certain", certain_share(*tree_));
    return certainty + "; Enter opens, * all below, v turns round";
}

// --- keys -------------------------------------------------------------------------------------------------

bool CallTreeView::press(const Key& key, std::size_t& row) {
    const bool is_character = key.kind == Key::Kind::character;
    if (is_character && key.character == U'v') {
        settings_.is_inverted = !settings_.is_inverted;
        row = 0;
        make_tree();
        open_hottest_path();
        list_shown();
        return true;
    }
    if (shown_.empty()) return false;
    const auto at = shown_[row];
    if (key.kind == Key::Kind::enter && tree_->frames[at].kind == FrameKind::not_expanded) {
        expand_more(row);
    } else if (key.kind == Key::Kind::enter) {
        is_open_[at] = !is_open_[at];
        list_shown();
    } else if (key.kind == Key::Kind::right) {
        is_open_[at] = true;
        list_shown();
    } else if (key.kind == Key::Kind::left && is_open_[at] && has_branches(at)) {
        is_open_[at] = false;
        list_shown();
    } else if (key.kind == Key::Kind::left) {
        go_to_parent(row);
    } else if (is_character && key.character == U'*') {
        open_all_below(row);
    } else {
        return false;
    }
    return true;
}

void CallTreeView::go_to_parent(std::size_t& row) const {
    const auto parent = frame(row).parent;
    if (parent == Frame::none) return;
    row = static_cast<std::size_t>(std::lower_bound(shown_.begin(), shown_.end(), parent) - shown_.begin());
}

void CallTreeView::open_all_below(std::size_t row) {
    const auto first = shown_[row];
    const auto end = std::min<std::size_t>(tree_->frames[first].end, first + max_opened);
    std::fill(is_open_.begin() + first, is_open_.begin() + static_cast<std::ptrdiff_t>(end), true);
    list_shown();
}

void CallTreeView::expand_more(std::size_t& row) {
    if (max_frames_ >= max_frames) return;
    max_frames_ = std::min(4 * max_frames_, max_frames);
    const auto parent_before = frame(row).parent;
    const auto tree_before = tree_;
    const auto& frames_before = tree_before->frames;
    const auto was_open = std::exchange(is_open_, {});
    make_tree();
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> before;  // by parent and function
    for (std::uint32_t at = 0; at < frames_before.size(); ++at)
        if (frames_before[at].kind == FrameKind::function)
            before.emplace(std::pair(frames_before[at].parent, frames_before[at].node.value), at);
    std::vector<std::uint32_t> same(tree_->frames.size(), Frame::none);  // the frame before
    auto parent = Frame::none;
    for (std::uint32_t at = 0; at < tree_->frames.size(); ++at) {
        const auto& now = tree_->frames[at];
        if (now.kind != FrameKind::function) continue;
        const bool is_root = now.parent == Frame::none;
        if (!is_root && same[now.parent] == Frame::none) continue;
        const auto found = before.find({is_root ? Frame::none : same[now.parent], now.node.value});
        if (found == before.end()) continue;
        same[at] = found->second;
        is_open_[at] = was_open[found->second];
        if (found->second == parent_before) parent = at;
    }
    list_shown();
    if (parent != Frame::none)
        row =
            static_cast<std::size_t>(std::lower_bound(shown_.begin(), shown_.end(), parent) - shown_.begin());
    row = std::min(row, shown_.size() - 1);
}

}  // namespace callcost::program
