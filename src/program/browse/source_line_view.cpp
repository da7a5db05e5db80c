#include "browse/source_line_view.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "reports/function_list.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/utf8.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t step_aside = 8;  // characters

/// Without its first characters.
std::string_view without(std::string_view text, std::size_t characters) {
    for (; characters > 0 && !text.empty(); --characters)
        text.remove_prefix(std::max<std::size_t>(engine::front_character(text).length, 1));
    return text;
}

}  // namespace

SourceLineView::SourceLineView(const BrowsedProfile& profile, engine::FunctionAt function)
    : profile_(profile), function_(function) {
    const auto& side = profile.side_of(function);
    const auto& graph = side.graph();
    files_ =
        function_lines(graph, function.node, std::array{side.measure}).value_or(std::vector<FileLines>{});
    const auto own = graph.profile().file(graph.function(function.node));
    std::stable_partition(files_.begin(), files_.end(), [&](const FileLines& of) { return of.file == own; });
    if (!files_.empty()) show_file(0);
}

void SourceLineView::show_file(std::size_t file) {
    file_ = file;
    const auto& lines = files_[file].lines;
    source_ = profile_.source(profile_.side_of(function_).graph().profile().name(files_[file].file));
    calls_.clear();
    rows_.clear();
    auto next = lines.begin();
    const auto add_until = [&](std::uint64_t line) {
        for (; next != lines.end() && next->line < line; ++next) add_line(next->line, {}, &*next);
    };
    std::string_view rest = source_.text ? std::string_view(*source_.text) : std::string_view();
    for (std::uint64_t line = 1; !rest.empty(); ++line) {
        const auto end = rest.find('\n');
        auto text = rest.substr(0, end);
        if (text.ends_with('\r')) text.remove_suffix(1);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        add_until(line);
        const bool has_cost = next != lines.end() && next->line == line;
        add_line(line, text, has_cost ? &*next : nullptr);
        if (has_cost) ++next;
    }
    add_until(std::numeric_limits<std::uint64_t>::max());
    hottest_.clear();
    const auto cost = [&](std::size_t row) { return rows_[row].cost->self.front(); };
    for (std::size_t row = 0; row < rows_.size(); ++row)
        if (rows_[row].cost != nullptr && cost(row) != 0) hottest_.push_back(row);
    std::stable_sort(hottest_.begin(), hottest_.end(),
                     [&](std::size_t a, std::size_t b) { return cost(a) > cost(b); });
}

void SourceLineView::add_line(std::uint64_t line, std::string_view text, const LineCost* cost) {
    rows_.push_back({line, text, cost, not_a_call});
    if (cost == nullptr) return;
    for (auto& called : engine::called_functions(profile_.side_of(function_).graph(), cost->calls)) {
        rows_.push_back({line, {}, nullptr, calls_.size()});
        calls_.push_back(std::move(called));
    }
}

std::vector<Column> SourceLineView::columns() const {
    if (files_.empty()) return {{"source"}};
    const auto name = profile_.side_of(function_).graph().profile().name(files_[file_].file);
    auto title = engine::display_name(source_.path.empty() ? name : std::string_view(source_.path));
    if (files_.size() > 1) title += fmt::format(" ({} of {} files)", file_ + 1, files_.size());
    return {{"self", Align::right}, {"line", Align::right}, {title}};
}

std::vector<Cell> SourceLineView::row(std::size_t row) const {
    const auto& of = rows_[row];
    if (of.call != not_a_call) return row_of_call(calls_[of.call]);
    const auto self = of.cost != nullptr ? of.cost->self.front() : Cost(0);
    const auto tone = is_hot(self, profile_.base()) ? engine::Tone::hot : engine::Tone::plain;
    std::string text = engine::display_line(of.text);
    if (source_.text && of.cost != nullptr && of.line == 0) text = "(no line is known)";
    Cell last(std::string(without(text, offset_)), tone);
    last.is_prose = true;
    return {{self != 0 ? profile_.figure(self, true, function_.is_before) : "", tone},
            {of.line != 0 ? std::to_string(of.line) : "", engine::Tone::dim},
            last};
}

std::vector<Cell> SourceLineView::row_of_call(const engine::CalledFunction& called) const {
    const auto& graph = profile_.side_of(function_).graph();
    const NameText text{
        .before = "  => ",
        .name = engine::display_name(graph.name(called.callee)),
        .after = fmt::format(" ({}{})",
                             called.inlined ? "inlined" : engine::calls(called.count, profile_.style()) + "x",
                             called.recursive ? ", recursive" : "")};
    return {
        {profile_.figure(called.cost.front(), !called.counted_again, function_.is_before), engine::Tone::dim},
        {""},
        {text, engine::Tone::note, location_texts(graph, called.callee, profile_.style())}};
}

FunctionNames SourceLineView::names(std::size_t row) const {
    const auto& of = rows_[row];
    if (of.call == not_a_call) return {of.text, {}, {}};
    return names_of(profile_.side_of(function_).graph(), calls_[of.call].callee);
}

std::optional<engine::FunctionAt> SourceLineView::function(std::size_t row) const {
    const auto call = rows_[row].call;
    return call == not_a_call ? function_ : engine::FunctionAt{calls_[call].callee, function_.is_before};
}

std::string SourceLineView::note() const {
    if (files_.empty()) return "the profile has no lines of this function";
    if (!source_.text) return source_.problem + (source_.hint.empty() ? "" : ": " + source_.hint);
    std::string text = files_.size() > 1 ? "Tab next file, h next hot line" : "h next hot line";
    if (source_.is_newer) text = "lines may have moved: the file is newer; " + text;
    if (source_.is_guess) text = "only the file's name matches; " + text;
    return text;
}

bool SourceLineView::press(const Key& key, std::size_t& row) {
    if (key.kind == Key::Kind::tab && files_.size() > 1) {
        show_file((file_ + 1) % files_.size());
        row = first_row();
    } else if (key.kind == Key::Kind::left) {
        offset_ -= std::min(offset_, step_aside);
    } else if (key.kind == Key::Kind::right) {
        offset_ += step_aside;
    } else if (key.kind == Key::Kind::character && key.character == U'h' && !hottest_.empty()) {
        const auto now = std::find(hottest_.begin(), hottest_.end(), row);
        row = now == hottest_.end() || now + 1 == hottest_.end() ? hottest_.front() : *(now + 1);
    } else {
        return false;
    }
    return true;
}

}  // namespace callcost::program
