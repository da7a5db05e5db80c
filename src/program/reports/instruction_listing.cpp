#include "reports/instruction_listing.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "names/short_names.hpp"
#include "reports/called_functions.hpp"
#include "reports/function_list.hpp"
#include "terminal/jump_arrows.hpp"
#include "text/characters.hpp"
#include "text/jumps.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {

namespace {

constexpr FileId no_file{0U};

/// Functions whose code is inlined where an instruction is: the innermost one first.
std::vector<std::string_view> inlined_functions(const Profile& profile, const InstructionCost& row) {
    std::vector<std::string_view> names;
    for (auto function = row.inlined; function.valid() && profile.inlined_in(function).valid();
         function = profile.inlined_in(function))
        names.push_back(profile.name(function));
    return names;
}

/// By address.
std::vector<JumpSite> jumps_of(const InstructionCost& row) {
    return engine::jumps_by_target(row.jumps, [](const JumpSite& site) { return site.target_address; });
}

JumpArrows arrows_of(const std::vector<InstructionCost>& rows) {
    std::vector<Arrow> arrows;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (const auto& jump : jumps_of(rows[row])) {
            const auto target = std::lower_bound(
                rows.begin(), rows.end(), jump.target_address,
                [](const InstructionCost& of, std::uint64_t wanted) { return of.address < wanted; });
            if (jump.target_address == 0 || target == rows.end() || target->address != jump.target_address)
                continue;
            arrows.push_back({row, static_cast<std::size_t>(target - rows.begin()), jump.conditional});
        }
    }
    return JumpArrows(arrows);
}

/// `<+0x10>` for `<NAME+0x10>`, where that is the name of the function itself.
std::string without_own_name(std::string text, std::string_view name) {
    if (name.empty()) return text;
    const auto own = fmt::format("<{}+", name);
    for (auto at = text.find(own); at != std::string::npos; at = text.find(own, at + 2))
        text.erase(at + 1, name.size());
    return text;
}

/// "mov    %rsp,%rbp": operands in a column.
std::string aligned_operands(std::string_view text) {
    constexpr std::size_t mnemonic_width = 6;
    const auto blank = std::min(text.find(' '), text.size());
    if (blank == text.size()) return std::string(text);
    return fmt::format("{:<{}} {}", text.substr(0, blank), mnemonic_width, text.substr(blank + 1));
}

/// Writes the text: costs, arrows, address and bytes stand in columns before the instructions.
class InstructionText {
  public:
    InstructionText(std::string& out, const CallGraph& graph, const LineMeasures& measures,
                    const engine::FunctionCode& function, const InstructionListingOptions& options,
                    const engine::Style& style)
        : out_(out),
          graph_(graph),
          function_(function),
          options_(options),
          style_(style),
          measures_(measures),
          cells_(graph, measures, style),
          arrows_(arrows_of(function.rows())) {
        for (std::size_t row = 0; row < function.rows().size(); ++row) make_room_for(row);
    }

    void write() {
        write_heading();
        out_ += cells_.titles();
        const auto& rows = function_.rows();
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (function_.is_gap_before(row)) write_mark(row - 1, "-- code not shown");
            const auto next = end_of_free_rows(row);
            if (const auto free = next - row; is_long(row, next)) {
                const auto first = row == 0 ? 0 : options_.context;
                const auto last = next == rows.size() ? 0 : options_.context;
                for (auto i = row; i < row + first; ++i) write_row(i);
                write_mark(row + first, fmt::format("-- {} without cost",
                                                    counted(free - first - last, "instruction", style_)));
                for (auto i = next - last; i < next; ++i) write_row(i);
                row = next - 1;
            } else {
                write_row(row);
            }
        }
    }

  private:
    void make_room_for(std::size_t index) {
        const auto& row = function_.rows()[index];
        cells_.make_room(row.self);
        address_width_ = std::max(address_width_, fmt::formatted_size("{:x}", row.address));
        const auto* const instruction = function_.text(index);
        if (options_.bytes && instruction != nullptr)
            bytes_width_ = std::max(bytes_width_, instruction->bytes.size());
        for (const auto& called : engine::called_functions(graph_, row.calls))
            cells_.make_room_for_call(called.cost.front());
    }

    void write_heading() {
        const auto object = graph_.object(function_.node());
        out_ += '\n';
        out_ += fit({NameText{.name = engine::display_name(graph_.name(function_.node()))},
                     engine::Tone::heading, location_texts(graph_, function_.node(), style_)},
                    style_.width, style_);
        out_ += '\n';
        if (!function_.code().path.empty() && function_.code().path != object) write_path();
        if (!function_.code().problem.empty()) write_prose(function_.code().problem, engine::Tone::warning);
        if (!function_.code().hint.empty()) write_prose(function_.code().hint, engine::Tone::dim);
        std::vector<Cost> self;
        for (const auto& measure : measures_.all) self.push_back(graph_.self(function_.node(), measure));
        out_ += cells_.sums(self, "in its instructions");
        if (arrows_.omitted() > 0)
            out_ += fmt::format("; {} not drawn", counted(arrows_.omitted(), "long jump", style_));
        out_ += "\n\n";
    }
    void write_path() {
        out_ += paint(fmt::format("  code from {}", engine::display_name(function_.code().path)),
                      engine::Tone::dim, style_);
        if (function_.code().is_guess)
            out_ += paint(" (guess: only the end of the path matches)", engine::Tone::warning, style_);
        out_ += '\n';
    }
    void write_prose(std::string_view text, engine::Tone tone) {
        out_ += "  ";
        out_ += paint(wrapped(engine::display_name(text), 2, style_), tone, style_);
        out_ += '\n';
    }

    // --- rows without cost ---

    [[nodiscard]] std::size_t end_of_free_rows(std::size_t row) const {
        const auto& rows = function_.rows();
        auto end = row;
        while (end < rows.size() && rows[end].self.empty() && (end == row || !function_.is_gap_before(end)))
            ++end;
        return end;
    }
    /// Whether a mark for what stands between is shorter.
    [[nodiscard]] bool is_long(std::size_t row, std::size_t end) const {
        const auto kept =
            (row == 0 ? 0 : options_.context) + (end == function_.rows().size() ? 0 : options_.context);
        return end - row > kept + 1;
    }

    void write_mark(std::size_t row, const std::string& text) {
        begin_line(cells_.blank(), arrows_.below(row, style_));
        end_line(text, engine::Tone::dim);
    }

    // --- rows ---

    void write_row(std::size_t index) {
        const auto& row = function_.rows()[index];
        const bool has_cost = !row.self.empty();
        if (has_cost) write_place(index);
        begin_line(has_cost ? cells_.of(row.self) : cells_.of_nothing(), arrows_.at(index, style_));
        const auto* const instruction = function_.text(index);
        const auto address = row.address == 0 ? "?" : fmt::format("{:x}", row.address);
        auto text = fmt::format("{:>{}}", address, address_width_);
        if (bytes_width_ > 0)
            text += fmt::format("  {:<{}}", instruction != nullptr ? instruction->bytes : "", bytes_width_);
        out_ += paint(text, engine::Tone::dim, style_);
        used_width_ += text.size();
        if (instruction == nullptr) {
            end_line("", engine::Tone::plain);
        } else {
            const auto words = without_own_name(instruction->text, graph_.name(function_.node()));
            end_line(" " + aligned_operands(engine::display_line(words)),
                     has_cost ? engine::Tone::plain : engine::Tone::dim);
        }
        for (const auto& called : engine::called_functions(graph_, row.calls)) {
            begin_sub_line(index, cells_.of_call(called.cost.front(), called.counted_again));
            out_ += call_text(graph_, called, cells_, room(), style_) + '\n';
        }
        for (const auto& jump : jumps_of(row)) write_jump(index, jump);
        if (options_.after_row) options_.after_row();
    }

    /// The source line, if it is not that of the instruction before.
    void write_place(std::size_t index) {
        const auto& row = function_.rows()[index];
        if (place_ == std::tuple(row.file, row.line, row.inlined)) return;
        const bool is_first = !place_;
        const bool is_other_file = is_first || std::get<FileId>(*place_) != row.file;
        place_ = {row.file, row.line, row.inlined};
        if (is_first && row.file == no_file) return;
        const auto name = graph_.profile().name(row.file);
        auto text = row.file == no_file
                        ? std::string("(source file not known)")
                        : engine::display_name(is_other_file ? name : engine::base_name(name));
        if (row.file != no_file) text += row.line == 0 ? " (line not known)" : fmt::format(":{}", row.line);
        const auto chain = inlined_functions(graph_.profile(), row);
        constexpr std::size_t name_width = 60;
        for (std::size_t i = 0; i < chain.size(); ++i)
            text += (i == 0 ? "  inlined " : " <- ") +
                    engine::short_name(engine::display_name(chain[i]), name_width, style_);
        const auto source =
            options_.source_line ? options_.source_line(row.file, row.line) : std::string_view();
        const auto url = options_.url_of ? options_.url_of(row.file, row.line) : std::string();
        begin_line(cells_.blank(),
                   index == 0 ? std::string(arrows_.width(), ' ') : arrows_.below(index - 1, style_));
        if (source.empty()) return end_line(text, engine::Tone::dim, url);
        out_ += ' ' + link(paint(text, engine::Tone::dim, style_), url, style_);
        used_width_ += 1 + engine::display_width(text);
        end_line("| " + engine::display_line(source), engine::Tone::plain);
    }

    void write_jump(std::size_t index, const JumpSite& jump) {
        auto target =
            jump.target_address == 0 ? "an unknown address" : fmt::format("{:x}", jump.target_address);
        if (jump.target_address == function_.rows()[index].address) target = "itself";
        if (jump.target_function.valid() && jump.target_function != function_.node())
            target += " of " + engine::display_name(graph_.name(jump.target_function));
        const auto times = jump.conditional
                               ? fmt::format("taken {} of {} times", count(jump.followed, style_),
                                             count(jump.executed, style_))
                               : counted(jump.executed, "time", style_);
        begin_sub_line(index, cells_.blank());
        end_line(fmt::format(" -> {}: {}", target, times), engine::Tone::dim);
    }

    // --- lines ---

    void begin_line(const std::string& costs, const std::string& arrows) {
        out_.append(costs).append("  ").append(arrows);
        used_width_ = cells_.width() + 2 + arrows_.width();
    }
    void begin_sub_line(std::size_t index, const std::string& costs) {
        begin_line(costs, arrows_.below(index, style_));
        const auto blanks = address_width_ + (bytes_width_ > 0 ? bytes_width_ + 2 : 0);
        out_.append(blanks, ' ');
        used_width_ += blanks;
    }
    /// 0: as much as it takes.
    [[nodiscard]] std::size_t room() const {
        constexpr std::size_t least = 16;
        if (style_.width == 0) return 0;
        return std::max(style_.width - std::min(style_.width, used_width_ + 1), least);
    }
    void end_line(std::string_view text, engine::Tone tone, std::string_view url = {}) {
        if (!text.empty()) {
            const auto shown = room() == 0 ? std::string(text) : cut_end(text, room(), style_);
            out_ += ' ';
            out_ += link(paint(shown, tone, style_), url, style_);
        }
        while (out_.ends_with(' ')) out_.pop_back();
        out_ += '\n';
    }

    std::string& out_;
    const CallGraph& graph_;
    const engine::FunctionCode& function_;
    const InstructionListingOptions& options_;
    const engine::Style& style_;
    const LineMeasures& measures_;
    CostCells cells_;
    JumpArrows arrows_;
    std::size_t address_width_ = 1;
    std::size_t bytes_width_ = 0;
    std::size_t used_width_ = 0;
    std::optional<std::tuple<FileId, std::uint64_t, FunctionId>> place_;  // of the last row with cost
};

// --- JSON -------------------------------------------------------------------------------------------------

std::optional<std::string> hexadecimal(std::uint64_t address) {
    return address == 0 ? std::nullopt : std::optional(fmt::format("0x{:x}", address));
}

void write_row(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
               const LineMeasures& measures, const std::vector<Measure>& shown,
               const engine::FunctionCode& function, std::size_t index) {
    const auto& row = function.rows()[index];
    const auto* const instruction = function.text(index);
    const bool has_cost = !row.self.empty();
    json.begin_object();
    json.member("address", hexadecimal(row.address));
    json.member("bytes", instruction != nullptr ? engine::if_any(instruction->bytes) : std::nullopt);
    json.member("text", instruction != nullptr ? engine::if_any(instruction->text) : std::nullopt);
    json.member("source_file", has_cost ? std::optional(graph.profile().name(row.file)) : std::nullopt);
    json.member("line", row.line);
    if (graph.profile().has_inlined()) {
        json.key("inlined");
        json.begin_array();
        for (const auto name : inlined_functions(graph.profile(), row)) json.value(name);
        json.end_array();
    }
    json.member("executed", has_cost);
    auto next = measures.shown.begin();
    write_costs(json, "self", shown, [&](const Measure&) { return has_cost ? row.self[*next++] : Cost(); });
    write_calls(json, graph, contexts, measures.all.front(), row.calls);
    json.key("jumps");
    json.begin_array();
    for (const auto& jump : jumps_of(row)) {
        json.begin_object();
        json.member("address", hexadecimal(jump.target_address));
        json.member("conditional", jump.conditional);
        json.member("executed", jump.executed);
        json.member("followed", jump.followed);
        json.end_object();
    }
    json.end_array();
    json.member("gap", function.is_gap_before(index));
    json.end_object();
}

void write_flow(engine::JsonWriter& json, const ControlFlow& flow, const LineMeasures& measures,
                const std::vector<Measure>& shown) {
    constexpr std::array<std::string_view, 5> kinds = {"taken", "not_taken", "jump", "next", "indirect"};
    json.key("blocks");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& block : flow.blocks) {
        json.begin_object();
        json.member("first", block.first);
        json.member("last", block.last);
        auto next = measures.shown.begin();
        write_costs(json, "self", shown, [&](const Measure&) {
            const auto column = *next++;
            return column < block.self.size() ? block.self[column] : Cost();
        });
        json.end_object();
    }
    json.end_array();
    json.key("edges");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& edge : flow.edges) {
        json.begin_object();
        json.member("from", edge.from);
        json.member("to", edge.to);
        json.member("kind", kinds[static_cast<std::size_t>(edge.kind)]);
        json.member("count", edge.count);
        json.end_object();
    }
    json.end_array();
}

}  // namespace

void write_instructions(std::string& out, const CallGraph& graph, const LineMeasures& measures,
                        const engine::FunctionCode& function, const InstructionListingOptions& options,
                        const engine::Style& style) {
    InstructionText(out, graph, measures, function, options, style).write();
}

void write_instructions(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                        const LineMeasures& measures, const engine::FunctionCode& function,
                        const std::function<void()>& after_row) {
    const auto shown = measures.shown_measures();
    json.member("path", engine::if_any(function.code().path));
    json.member("guess", function.code().is_guess);
    json.member("problem", engine::if_any(function.code().problem));
    json.member("hint", engine::if_any(function.code().hint));
    json.key("instructions");
    json.begin_array(engine::JsonLayout::rows);
    for (std::size_t row = 0; row < function.rows().size(); ++row) {
        write_row(json, graph, contexts, measures, shown, function, row);
        after_row();
    }
    json.end_array();
    write_flow(json, function.flow(), measures, shown);
}

// --- CSV --------------------------------------------------------------------------------------------------

void write_instruction_titles(engine::CsvWriter& csv, const CallGraph& graph, const LineMeasures& measures) {
    std::vector<std::string> titles = {"function", "file", "object",      "record", "address",
                                       "bytes",    "text", "source_file", "line"};
    engine::add_titles(titles, "self", measures.shown_measures());
    for (const auto* title : {"other_function", "other_file", "other_object", "calls", "calls_are_exact"})
        titles.emplace_back(title);
    engine::add_titles(titles, "inclusive", {measures.all.front()});
    for (const auto* title : {"target", "conditional", "executed", "followed"}) titles.emplace_back(title);
    if (graph.profile().has_inlined()) titles.emplace_back("inlined");
    csv.header(titles);
}

void write_instructions(engine::CsvWriter& csv, const CallGraph& graph, const LineMeasures& measures,
                        const engine::FunctionCode& function, const std::function<void()>& after_row) {
    constexpr std::size_t call_cells = 6;
    constexpr std::size_t jump_cells = 4;
    const std::size_t inlined_cells = graph.profile().has_inlined() ? 1 : 0;
    const auto empty = [&](std::size_t cells) {
        for (std::size_t i = 0; i < cells; ++i) csv.empty();
    };
    const auto names = [&](NodeId node) {
        csv.text(graph.name(node));
        csv.text(graph.file(node));
        csv.text(graph.object(node));
    };
    for (std::size_t index = 0; index < function.rows().size(); ++index) {
        const auto& row = function.rows()[index];
        const auto* const instruction = function.text(index);
        const auto begin_row = [&](std::string_view record) {
            names(function.node());
            csv.text(record);
            csv.text(hexadecimal(row.address).value_or(""));
            csv.text(instruction != nullptr ? instruction->bytes : "");
            csv.text(instruction != nullptr ? instruction->text : "");
            csv.text(row.self.empty() ? std::string_view() : graph.profile().name(row.file));
            csv.number(row.self.empty() ? std::nullopt : std::optional(row.line));
        };
        begin_row("instruction");
        for (const auto column : measures.shown) csv.number(row.self.empty() ? Cost() : row.self[column]);
        empty(call_cells + jump_cells);
        if (inlined_cells != 0)
            csv.text(fmt::format("{}", fmt::join(inlined_functions(graph.profile(), row), " <- ")));
        csv.end_row();
        for (const auto& called : engine::called_functions(graph, row.calls)) {
            begin_row("call");
            empty(measures.shown.size());
            names(called.callee);
            csv.number(known_calls(graph, called.count));
            csv.text(called.count.at_least ? "no" : "yes");
            csv.number(called.cost.front());
            empty(jump_cells + inlined_cells);
            csv.end_row();
        }
        for (const auto& jump : jumps_of(row)) {
            begin_row("jump");
            empty(measures.shown.size() + call_cells);
            csv.text(hexadecimal(jump.target_address).value_or(""));
            csv.text(jump.conditional ? "yes" : "no");
            csv.number(jump.executed);
            csv.number(jump.followed);
            empty(inlined_cells);
            csv.end_row();
        }
        after_row();
    }
}

}  // namespace callcost::program
