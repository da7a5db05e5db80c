#include "reports/annotated_source.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "reports/called_functions.hpp"
#include "reports/function_list.hpp"
#include "text/jumps.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {
namespace {

/// By file name, then line.
std::vector<JumpSite> jumps_of(const Profile& profile, const LineCost& line) {
    return engine::jumps_by_target(line.jumps, [&](const JumpSite& site) {
        const auto& file = site.target_file;
        return std::pair(file.valid() ? profile.name(file) : std::string_view(), site.target_line);
    });
}

/// Lines that have no row.
struct LeftOut {
    explicit LeftOut(std::size_t measures) : self(measures, 0) {}
    void add(const LineCost& line) {
        if (std::all_of(line.self.begin(), line.self.end(), [](Cost cost) { return cost == 0; })) return;
        ++lines;
        for (std::size_t i = 0; i < self.size(); ++i) self[i] += line.self[i];
    }

    std::vector<Cost> self;
    std::size_t lines = 0;
};

/// Writes the text. Costs, shares and line number stand in columns before the source.
class Listing {
  public:
    Listing(const CallGraph& graph, const LineMeasures& measures, const FileLines& file,
            const SourceView& source, const ShownLines& wanted, const engine::Style& style, std::string& out)
        : graph_(graph),
          file_(file),
          source_(source),
          wanted_(wanted),
          style_(style),
          out_(out),
          cells_(graph, measures, style) {
        calls_.reserve(file.lines.size());
        for (const auto& line : file.lines) make_room_for(line);
    }

    Cost write() {
        write_heading();
        out_ += cells_.titles();
        const auto& lines = file_.lines;
        for (; next_ < lines.size() && lines[next_].line == 0; ++next_)
            write_row(lines[next_], "(line not known)");
        for (auto row = next_; row < lines.size() && lines[row].line <= source_.line_count; ++row) {
            if (!is_shown(lines[row])) continue;
            write_lines_before(lines[row].line, wanted_.context);
            write_lines(lines[row].line, lines[row].line);
        }
        write_lines_before(source_.line_count + 1, 0);
        LeftOut past_end(file_.self.size());
        for (; next_ < lines.size(); ++next_) {
            if (is_shown(lines[next_])) {
                write_row(lines[next_], "(past the end of the file)");
            } else {
                past_end.add(lines[next_]);
            }
        }
        if (past_end.lines != 0) write_mark("past the end of the file", past_end);
        return hidden_;
    }

  private:
    void make_room_for(const LineCost& line) {
        cells_.make_room(line.self);
        number_width_ = std::max(number_width_, fmt::formatted_size("{}", line.line));
        has_inlined_ = has_inlined_ || line.inlined;
        calls_.push_back(engine::called_functions(graph_, line.calls));
        for (const auto& called : calls_.back()) cells_.make_room_for_call(called.cost.front());
    }

    void write_heading() {
        const auto recorded = graph_.profile().name(file_.file);
        out_ += fmt::format(
            "\n{}\n",
            link(paint(engine::display_name(recorded), engine::Tone::heading, style_), source_.url, style_));
        if (source_.path != recorded) {
            out_ += paint(fmt::format("  found as {}", engine::display_name(source_.path)), engine::Tone::dim,
                          style_);
            if (source_.is_guess)
                out_ += paint(" (guess: only the end of the path matches)", engine::Tone::warning, style_);
            out_ += '\n';
        }
        if (source_.is_newer) {
            out_ += paint("  modified after the profile was written: line numbers may have shifted\n",
                          engine::Tone::warning, style_);
        }
        out_ += cells_.sums(file_.self, "located here");
        if (has_inlined_) out_ += "; 'i' marks lines inlined into functions of other files";
        out_ += "\n\n";
    }

    [[nodiscard]] bool is_shown(const LineCost& line) const {
        if (line.self.front().magnitude() >= wanted_.least) return true;
        const auto& called = calls_[row_of(line)];
        return std::any_of(called.begin(), called.end(),
                           [&](const auto& call) { return call.cost.front().magnitude() >= wanted_.least; });
    }
    [[nodiscard]] std::size_t row_of(const LineCost& line) const {
        return static_cast<std::size_t>(&line - file_.lines.data());
    }

    /// What stands between the last row and line `number`: lines near the one and, as many as `context`, near
    /// the other; a mark for the rest.
    void write_lines_before(std::uint64_t number, std::uint64_t context) {
        const auto end_of_last = shown_ == 0 ? 0 : std::min(shown_ + wanted_.context, number - 1);
        const auto begin_of_next = number - std::min(context, number - 1);
        if (begin_of_next <= end_of_last + 2) {  // a mark is not shorter than one line
            write_lines(shown_ + 1, number - 1);
            return;
        }
        write_lines(shown_ + 1, end_of_last);
        LeftOut left_out(file_.self.size());
        for (; next_ < file_.lines.size() && file_.lines[next_].line < begin_of_next; ++next_)
            left_out.add(file_.lines[next_]);
        write_mark(fmt::format("lines {} to {}", end_of_last + 1, begin_of_next - 1), left_out);
        hidden_ += left_out.self.front();
        shown_ = begin_of_next - 1;
        write_lines(begin_of_next, number - 1);
    }

    void write_mark(const std::string& where, const LeftOut& left_out) {
        if (left_out.lines == 0) {
            out_ += paint(fmt::format("-- {}: no cost\n", where), engine::Tone::dim, style_);
            return;
        }
        write_columns(cells_.of(left_out.self), "", ' ');
        write_text(
            fmt::format("-- {}: {} below the threshold", where, counted(left_out.lines, "line", style_)),
            engine::Tone::dim);
    }

    /// With the costs of those that have some.
    void write_lines(std::uint64_t first, std::uint64_t last) {
        const auto& lines = file_.lines;
        for (auto number = first; number <= last; ++number) {
            if (next_ < lines.size() && lines[next_].line == number) {
                write_row(lines[next_++], source_.line(number));
            } else {
                write_columns(cells_.of_nothing(), fmt::to_string(number), ' ');
                write_text(engine::display_line(source_.line(number)), engine::Tone::plain);
            }
        }
        shown_ = std::max(shown_, last);
    }

    void write_row(const LineCost& line, std::string_view text) {
        const auto number = line.line == 0 ? std::string("?") : fmt::to_string(line.line);
        write_columns(cells_.of(line.self), number, line.inlined ? 'i' : ' ');
        write_text(engine::display_line(text), engine::Tone::plain);
        for (const auto& called : calls_[row_of(line)]) write_call(called);
        for (const auto& jump : jumps_of(graph_.profile(), line)) write_jump(jump);
    }

    void write_call(const engine::CalledFunction& called) {
        write_columns(cells_.of_call(called.cost.front(), called.counted_again), "", ' ');
        out_ += ' ';
        out_ += call_text(graph_, called, cells_, room_for_text(), style_);
        out_ += '\n';
    }

    void write_jump(const JumpSite& jump) {
        auto target =
            jump.target_line == 0 ? std::string("an unknown line") : fmt::format("line {}", jump.target_line);
        if (jump.target_file.valid() && jump.target_file != file_.file) {
            target += " of " + engine::display_name(graph_.profile().name(jump.target_file));
        }
        const auto times = jump.conditional
                               ? fmt::format("taken {} of {} times", count(jump.followed, style_),
                                             count(jump.executed, style_))
                               : counted(jump.executed, "time", style_);
        write_columns(cells_.blank(), "", ' ');
        write_text(fmt::format("  -> jump to {}: {}", target, times), engine::Tone::dim);
    }

    /// The columns before the text: costs, shares, line number, mark.
    void write_columns(const std::string& costs, std::string_view number, char mark) {
        out_ += costs;
        const auto blanks = number_width_ - std::min(number_width_, number.size()) + 1;
        auto rest = has_inlined_ ? std::string(1, mark) : std::string();
        rest += " |";
        if (source_.url.empty() || number.empty() || !style_.links) {
            out_ += paint(std::string(blanks, ' ').append(number).append(rest), engine::Tone::dim, style_);
        } else {
            out_.append(blanks, ' ');
            out_ += link(paint(number, engine::Tone::dim, style_), fmt::format("{}#{}", source_.url, number),
                         style_);
            out_ += paint(rest, engine::Tone::dim, style_);
        }
        used_width_ = cells_.width() + blanks + number.size() + rest.size();
    }

    /// Behind the columns and a blank; 0: as much as it takes.
    [[nodiscard]] std::size_t room_for_text() const {
        constexpr std::size_t least = 16;
        if (style_.width == 0) return 0;
        return std::max(style_.width - std::min(style_.width, used_width_ + 1), least);
    }

    void write_text(std::string_view text, engine::Tone tone) {
        if (!text.empty()) {
            const auto room = room_for_text();
            out_ += ' ';
            out_ += paint(room == 0 ? std::string(text) : cut_end(text, room, style_), tone, style_);
        }
        out_ += '\n';
    }

    const CallGraph& graph_;
    const FileLines& file_;
    const SourceView& source_;
    const ShownLines& wanted_;
    const engine::Style& style_;
    std::string& out_;
    CostCells cells_;
    std::vector<std::vector<engine::CalledFunction>> calls_;  // by line with cost
    std::size_t next_ = 0;                                    // of the lines with cost
    std::uint64_t shown_ = 0;                                 // the last line that was written
    Cost hidden_ = 0;
    std::size_t number_width_ = 3;
    std::size_t used_width_ = 0;
    bool has_inlined_ = false;
};

// --- JSON -------------------------------------------------------------------------------------------------

void write_jumps(engine::JsonWriter& json, const Profile& profile, const LineCost& line) {
    json.key("jumps");
    json.begin_array();
    for (const auto& jump : jumps_of(profile, line)) {
        json.begin_object();
        json.member("file",
                    jump.target_file.valid() ? std::optional(profile.name(jump.target_file)) : std::nullopt);
        json.member("line", jump.target_line);
        json.member("conditional", jump.conditional);
        json.member("executed", jump.executed);
        json.member("followed", jump.followed);
        json.end_object();
    }
    json.end_array();
}

}  // namespace

Cost write_annotated_source(std::string& out, const CallGraph& graph, const LineMeasures& measures,
                            const FileLines& file, const SourceView& source, const ShownLines& shown,
                            const engine::Style& style) {
    return Listing(graph, measures, file, source, shown, style, out).write();
}

void write_annotated_source(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                            const LineMeasures& measures, const FileLines& file, const SourceView& source) {
    const auto shown = measures.shown_measures();
    const auto write_self = [&](const std::vector<Cost>& costs) {
        auto next = measures.shown.begin();
        write_costs(json, "self", shown, [&](const Measure&) { return costs[*next++]; });
    };
    json.begin_object(engine::JsonLayout::rows);
    json.member("file", graph.profile().name(file.file));
    json.member("path", source.path);
    json.member("guess", source.is_guess);
    json.member("newer", source.is_newer);
    write_self(file.self);
    json.key("lines");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& line : file.lines) {
        json.begin_object();
        json.member("line", line.line);
        write_self(line.self);
        json.member("inlined", line.inlined);
        write_calls(json, graph, contexts, measures.all.front(), line.calls);
        write_jumps(json, graph.profile(), line);
        const bool has_text = line.line > 0 && line.line <= source.line_count;
        json.member("source", has_text ? std::optional(source.line(line.line)) : std::nullopt);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

}  // namespace callcost::program
