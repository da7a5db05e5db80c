#include "views/annotated_source.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "render/names.hpp"
#include "render/numbers.hpp"
#include "render/profile_facts.hpp"

namespace callcost::render {
namespace {

/// The calls of one line to one function, whoever makes them.
struct CalledFromLine {
    NodeId callee;
    CallCount count;
    std::int64_t cost = 0;
    bool recursive = false;  // one of them is: its cost is in no sum and no share (F76)
};

/// Costliest first.
std::vector<CalledFromLine> calls_by_callee(const CallGraph& graph, const LineCost& line) {
    std::map<NodeId, CalledFromLine> by_callee;
    for (const auto& site : line.calls) {
        auto& called = by_callee[graph.callee(site.arc)];
        called.callee = graph.callee(site.arc);
        called.count.add(site.count);
        called.cost = add_costs(called.cost, site.cost);
        called.recursive = called.recursive || graph.recursive(site.arc);
    }
    std::vector<CalledFromLine> calls;
    calls.reserve(by_callee.size());
    for (const auto& [callee, called] : by_callee) calls.push_back(called);
    const auto name = [&](NodeId node) {
        return std::tuple(graph.name(node), graph.file(node), graph.object(node));
    };
    std::stable_sort(calls.begin(), calls.end(), [&](const auto& a, const auto& b) {
        return a.cost != b.cost ? a.cost > b.cost : name(a.callee) < name(b.callee);
    });
    return calls;
}

/// The jumps of one line to one other, whatever addresses they have.
struct JumpFromLine {
    FileId file;
    std::uint64_t line = 0;
    bool conditional = false;
    std::uint64_t executed = 0;
    std::uint64_t followed = 0;
};

/// By file name, then line.
std::vector<JumpFromLine> jumps_by_target(const Profile& profile, const LineCost& line) {
    const auto file_name = [&](FileId file) {
        return file.valid() ? profile.name(file) : std::string_view();
    };
    std::map<std::tuple<std::string_view, std::uint64_t, bool>, JumpFromLine> by_target;
    for (const auto& site : line.jumps) {
        auto& jump = by_target[{file_name(site.target_file), site.target_line, site.conditional}];
        jump.file = site.target_file;
        jump.line = site.target_line;
        jump.conditional = site.conditional;
        jump.executed += site.executed;
        jump.followed += site.followed;
    }
    std::vector<JumpFromLine> jumps;
    jumps.reserve(by_target.size());
    for (const auto& [target, jump] : by_target) jumps.push_back(jump);
    return jumps;
}

/// Blanks, so that the text ends where its column does.
std::string aligned_right(std::string_view text, std::size_t width) {
    return std::string(width - std::min(width, display_width(text)), ' ').append(text);
}

/// Writes the text. Costs, shares and line number stand in columns before the source.
class Listing {
  public:
    Listing(const CallGraph& graph, const LineMeasures& measures, const FileLines& file,
            const SourceView& source, std::size_t context_lines, const Style& style, std::string& out)
        : graph_(graph),
          measure_(measures.all.front()),
          file_(file),
          source_(source),
          context_lines_(context_lines),
          style_(style),
          out_(out),
          has_titles_(shows_others(measure_, measures.shown_measures())) {
        for (const auto i : measures.shown) {
            const auto& measure = measures.all[i];
            columns_.push_back(
                {&measure, i, percentage_base(graph, measure), measure.additive && style.shares});
            if (has_titles_) columns_.back().make_room(display_name(measure.name));
        }
        calls_.reserve(file.lines.size());
        for (const auto& line : file.lines) make_room_for(line);
    }

    void write() {
        write_heading();
        if (has_titles_) write_titles();
        const auto& lines = file_.lines;
        auto line = lines.begin();
        for (; line != lines.end() && line->line == 0; ++line) write_row(*line, "(line not known)");
        for (; line != lines.end() && line->line <= source_.line_count; ++line) {
            write_lines_before(line->line, context_lines_);
            write_row(*line, source_.line(line->line));
            shown_ = line->line;
        }
        write_lines_before(source_.line_count + 1, 0);
        for (; line != lines.end(); ++line) write_row(*line, "(past the end of the file)");
    }

  private:
    static constexpr std::string_view gap = "  ";  // between the columns of event types
    static constexpr std::size_t share_width = 7;

    /// Of costs by one measure and their shares of the total.
    struct Column {
        const Measure* measure;
        std::size_t index;  ///< of the costs of lines
        std::int64_t base;
        bool has_shares;
        std::size_t width = 6;

        void make_room(std::string_view text) { width = std::max(width, display_width(text)); }
    };
    struct CostCell {
        std::string cost{}, share{};
        Tone tone = Tone::dim;
    };

    void make_room_for(const LineCost& line) {
        for (auto& column : columns_) column.make_room(cost(line.self[column.index], style_));
        number_width_ = std::max(number_width_, fmt::formatted_size("{}", line.line));
        has_inlined_ = has_inlined_ || line.inlined;
        calls_.push_back(calls_by_callee(graph_, line));
        const auto column = column_of_calls();
        if (column == columns_.end()) return;
        for (const auto& called : calls_.back()) column->make_room(cost(called.cost, style_));
    }

    /// That of the measure they have their costs by, if it is shown.
    [[nodiscard]] std::vector<Column>::iterator column_of_calls() {
        return std::find_if(columns_.begin(), columns_.end(), [](const Column& c) { return c.index == 0; });
    }

    void write_heading() {
        const auto recorded = graph_.profile().name(file_.file);
        out_ += fmt::format("\n{}\n",
                            link(paint(display_name(recorded), Tone::heading, style_), source_.url, style_));
        if (source_.path != recorded) {
            out_ += paint(fmt::format("  found as {}", display_name(source_.path)), Tone::dim, style_);
            if (source_.is_guess)
                out_ += paint(" (a guess: only the end of the path agrees)", Tone::warning, style_);
            out_ += '\n';
        }
        if (source_.is_newer) {
            out_ += paint(
                "  changed after the profile was written: the lines may not be those that were measured\n",
                Tone::warning, style_);
        }
        for (const auto& column : columns_) {
            const auto self = file_.self[column.index];
            if (&column != &columns_.front()) out_ += '\n';
            out_ +=
                fmt::format("  {} {} located here", cost(self, style_), display_name(column.measure->name));
            if (column.has_shares) out_ += fmt::format(", {} of the total", percent(self, column.base));
        }
        if (has_inlined_) out_ += "; 'i' marks lines inlined into functions of other files";
        out_ += "\n\n";
    }

    /// Of the event types above their columns.
    void write_titles() {
        std::string titles, blanks;
        for (const auto& column : columns_) {
            if (&column != &columns_.front()) blanks += gap;
            titles += blanks + aligned_right(display_name(column.measure->name), column.width);
            blanks = column.has_shares ? std::string(share_width + 1, ' ') : "";
        }
        out_ += paint(titles, Tone::heading, style_) + "\n";
    }

    /// What stands between the last row and line `number`: lines near the one and, as many as `context`, near
    /// the other; a mark for the rest.
    void write_lines_before(std::uint64_t number, std::uint64_t context) {
        const auto end_of_last = shown_ == 0 ? 0 : std::min(shown_ + context_lines_, number - 1);
        const auto begin_of_next = number - std::min(context, number - 1);
        if (begin_of_next <= end_of_last + 2) {  // a mark is not shorter than one line
            write_plain_lines(shown_ + 1, number - 1);
            return;
        }
        write_plain_lines(shown_ + 1, end_of_last);
        out_ += paint(fmt::format("-- lines {} to {}: no cost\n", end_of_last + 1, begin_of_next - 1),
                      Tone::dim, style_);
        write_plain_lines(begin_of_next, number - 1);
    }

    void write_plain_lines(std::uint64_t first, std::uint64_t last) {
        for (auto number = first; number <= last; ++number) {
            write_columns(std::vector<CostCell>(columns_.size(), {.cost = "."}), fmt::to_string(number), ' ');
            write_text(display_line(source_.line(number)), Tone::plain);
        }
    }

    void write_row(const LineCost& line, std::string_view text) {
        std::vector<CostCell> cells;
        for (const auto& column : columns_) {
            const auto self = line.self[column.index];
            const bool is_hot_here = column.measure->additive && is_hot(self, column.base);
            cells.push_back({self == 0 ? "." : cost(self, style_),
                             self != 0 && column.has_shares ? percent(self, column.base) : "",
                             is_hot_here ? Tone::hot : Tone::plain});
        }
        const auto number = line.line == 0 ? std::string("?") : fmt::to_string(line.line);
        write_columns(cells, number, line.inlined ? 'i' : ' ');
        write_text(display_line(text), Tone::plain);
        const auto index = static_cast<std::size_t>(&line - file_.lines.data());
        for (const auto& called : calls_[index]) write_call(called);
        for (const auto& jump : jumps_by_target(graph_.profile(), line)) write_jump(jump);
    }

    void write_call(const CalledFromLine& called) {
        std::vector<CostCell> cells(columns_.size());
        std::string cost_text;
        if (const auto column = column_of_calls(); column != columns_.end()) {
            auto& cell = cells[static_cast<std::size_t>(column - columns_.begin())];
            if (measure_.additive) cell.cost = cost(called.cost, style_);
            if (column->has_shares && !called.recursive) cell.share = percent(called.cost, column->base);
        } else if (measure_.additive) {
            cost_text = fmt::format(", {} {}", cost(called.cost, style_), display_name(measure_.name));
        }
        write_columns(cells, "", ' ');
        const auto text =
            fmt::format("  => {} ({}x{}{})", display_name(graph_.name(called.callee)),
                        calls(called.count, style_), called.recursive ? ", recursive" : "", cost_text);
        out_ += ' ';
        out_ +=
            fit({text, Tone::plain, location_texts(graph_, called.callee, style_)}, room_for_text(), style_);
        out_ += '\n';
    }

    void write_jump(const JumpFromLine& jump) {
        auto target = jump.line == 0 ? std::string("an unknown line") : fmt::format("line {}", jump.line);
        if (jump.file.valid() && jump.file != file_.file) {
            target += " of " + display_name(graph_.profile().name(jump.file));
        }
        const auto times = jump.conditional
                               ? fmt::format("followed {} of {} times", count(jump.followed, style_),
                                             count(jump.executed, style_))
                               : counted(jump.executed, "time", style_);
        write_columns(std::vector<CostCell>(columns_.size()), "", ' ');
        write_text(fmt::format("  -> jump to {}: {}", target, times), Tone::dim);
    }

    /// The columns before the text: costs, shares, line number, mark.
    void write_columns(const std::vector<CostCell>& cells, std::string_view number, char mark) {
        used_width_ = 0;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const auto& [cost_text, share, tone] = cells[i];
            auto text = (i == 0 ? "" : std::string(gap)) + aligned_right(cost_text, columns_[i].width);
            if (columns_[i].has_shares) text += fmt::format(" {:>{}}", share, share_width);
            used_width_ += text.size();
            out_ += paint(text, tone, style_);
        }
        const auto blanks = number_width_ - std::min(number_width_, number.size()) + 1;
        auto rest = std::string(has_inlined_ ? std::string(1, mark) : "");
        rest += " |";
        if (source_.url.empty() || number.empty() || !style_.links) {
            out_ += paint(fmt::format("{:{}}{}{}", "", blanks, number, rest), Tone::dim, style_);
        } else {
            out_.append(blanks, ' ');
            out_ += link(paint(number, Tone::dim, style_), fmt::format("{}#{}", source_.url, number), style_);
            out_ += paint(rest, Tone::dim, style_);
        }
        used_width_ += blanks + number.size() + rest.size();
    }

    /// Behind the columns and a blank; 0: as much as it takes.
    [[nodiscard]] std::size_t room_for_text() const {
        constexpr std::size_t least = 16;
        if (style_.width == 0) return 0;
        return std::max(style_.width - std::min(style_.width, used_width_ + 1), least);
    }

    void write_text(std::string_view text, Tone tone) {
        if (!text.empty()) {
            const auto room = room_for_text();
            out_ += ' ';
            out_ += paint(room == 0 ? std::string(text) : cut_end(text, room, style_), tone, style_);
        }
        out_ += '\n';
    }

    const CallGraph& graph_;
    const Measure& measure_;
    const FileLines& file_;
    const SourceView& source_;
    std::uint64_t context_lines_;
    const Style& style_;
    std::string& out_;
    bool has_titles_;
    std::vector<Column> columns_;
    std::vector<std::vector<CalledFromLine>> calls_;  // by line with cost
    std::uint64_t shown_ = 0;                         // the last line that was written
    std::size_t number_width_ = 3;
    std::size_t used_width_ = 0;
    bool has_inlined_ = false;
};

// --- JSON -------------------------------------------------------------------------------------------------

void write_calls(JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                 const Measure& measure, const LineCost& line) {
    json.key("calls");
    json.begin_array();
    for (const auto& called : calls_by_callee(graph, line)) {
        json.begin_object();
        write_function_identity(json, graph, contexts, called.callee);
        json.member("count", known_calls(graph, called.count));
        write_costs(json, "inclusive", {measure}, [&](const Measure&) { return called.cost; });
        json.member("recursive", called.recursive);
        json.end_object();
    }
    json.end_array();
}

void write_jumps(JsonWriter& json, const Profile& profile, const LineCost& line) {
    json.key("jumps");
    json.begin_array();
    for (const auto& jump : jumps_by_target(profile, line)) {
        json.begin_object();
        json.member("file", jump.file.valid() ? std::optional(profile.name(jump.file)) : std::nullopt);
        json.member("line", jump.line);
        json.member("conditional", jump.conditional);
        json.member("executed", jump.executed);
        json.member("followed", jump.followed);
        json.end_object();
    }
    json.end_array();
}

}  // namespace

std::vector<Measure> LineMeasures::shown_measures() const {
    std::vector<Measure> measures;
    measures.reserve(shown.size());
    for (const auto i : shown) measures.push_back(all[i]);
    return measures;
}

void write_annotated_source(std::string& out, const CallGraph& graph, const LineMeasures& measures,
                            const FileLines& file, const SourceView& source, std::size_t context_lines,
                            const Style& style) {
    Listing(graph, measures, file, source, context_lines, style, out).write();
}

void write_annotated_source(JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                            const LineMeasures& measures, const FileLines& file, const SourceView& source) {
    const auto shown = measures.shown_measures();
    const auto write_self = [&](const std::vector<std::int64_t>& costs) {
        auto next = measures.shown.begin();
        write_costs(json, "self", shown, [&](const Measure&) { return costs[*next++]; });
    };
    json.begin_object(JsonLayout::rows);
    json.member("file", graph.profile().name(file.file));
    json.member("path", source.path);
    json.member("guess", source.is_guess);
    json.member("newer", source.is_newer);
    write_self(file.self);
    json.key("lines");
    json.begin_array(JsonLayout::rows);
    for (const auto& line : file.lines) {
        json.begin_object();
        json.member("line", line.line);
        write_self(line.self);
        json.member("inlined", line.inlined);
        write_calls(json, graph, contexts, measures.all.front(), line);
        write_jumps(json, graph.profile(), line);
        const bool has_text = line.line > 0 && line.line <= source.line_count;
        json.member("source", has_text ? std::optional(source.line(line.line)) : std::nullopt);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

}  // namespace callcost::render
