#include "callgrind_annotate/valgrind_layout.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "text/numbers.hpp"

namespace callcost::program::layout {
namespace {

constexpr std::size_t rule_width = 80;
constexpr std::size_t label_width = 18;
constexpr std::size_t percentage_width = 9;  // " (12.34%)"

void write_warning_rules(std::string& out) {
    const std::string rule(rule_width - 1, '@');
    out += rule + '\n';
    for (int i = 0; i < 7; ++i) out += "@@ WARNING ";
    out += "@@\n" + rule + '\n';
}

/// The lines of a text one after another, each with its line end, which the last one may lack.
class TextLines {
  public:
    explicit TextLines(std::string_view text) : rest_(text) {}

    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    std::string_view next() {
        const auto end = rest_.find('\n');
        const auto line = rest_.substr(0, end == std::string_view::npos ? end : end + 1);
        rest_.remove_prefix(line.size());
        return line;
    }

  private:
    std::string_view rest_;
};

/// Lines that are shown together: those with costs and so many around them.
struct Range {
    std::uint64_t first = 0, last = 0;
};

std::vector<Range> ranges_of(std::span<const ListedLine> lines, std::uint64_t context) {
    std::vector<Range> ranges;
    std::uint64_t before = 0;
    for (const auto& line : lines) {
        if (!line.has_costs) continue;
        const auto first = line.number > context ? line.number - context : 1;
        const auto last = line.number > UINT64_MAX - context ? UINT64_MAX : line.number + context;
        // Compared without doubling the context, which may be huge.
        if (!ranges.empty() && (line.number - before) / 2 + (line.number - before) % 2 <= context) {
            ranges.back().last = last;
        } else {
            ranges.push_back({first, last});
        }
        before = line.number;
    }
    return ranges;
}

class SourceWriting {
  public:
    SourceWriting(std::string& out, const CountTable& table, std::span<const ListedLine> lines,
                  std::string_view text)
        : out_(out), table_(table), line_(lines.begin()), end_(lines.end()), text_(text) {}

    /// False once the text is at its end within the range or before it.
    bool write(const Range& range) {
        if (range.first > 1) write_marker(range.first);
        for (; number_ < range.first; ++number_) {
            if (text_.at_end()) return false;
            text_.next();
        }
        for (; number_ <= range.last; ++number_) {
            if (text_.at_end()) return false;
            write_line(text_.next());
        }
        write_marker(range.last);
        return true;
    }

    /// The lines with costs behind those that were written. False if there are none.
    bool write_lines_past_end() {
        skip_before(number_);
        bool is_any = false;
        for (; line_ != end_; ++line_) {
            if (!line_->has_costs) continue;
            table_.write_counts(out_, line_->costs);
            out_ += fmt::format(" <bogus line {}>\n", line_->number);
            is_any = true;
        }
        return is_any;
    }

  private:
    void write_marker(std::uint64_t number) {
        out_ += fmt::format("-- line {} ----------------------------------------\n", number);
    }

    void skip_before(std::uint64_t number) {
        while (line_ != end_ && line_->number < number) ++line_;
    }

    void write_line(std::string_view text) {
        skip_before(number_);
        const bool is_known = line_ != end_ && line_->number == number_;
        table_.write_counts(out_, is_known && line_->has_costs ? line_->costs : Counts{});
        out_ += ' ';
        out_ += text;
        if (!is_known) return;
        for (const auto& call : line_->calls) {
            table_.write_counts(out_, call.costs);
            out_ += ' ' + call.text + '\n';
        }
    }

    std::string& out_;
    const CountTable& table_;
    std::span<const ListedLine>::iterator line_;
    std::span<const ListedLine>::iterator end_;
    TextLines text_;
    std::uint64_t number_ = 1;
};

}  // namespace

std::string count_text(Cost count) { return engine::cost(count, {.separators = true}); }

std::string percentage_text(Cost part, Cost whole) {
    const double share = whole == 0 ? 0 : static_cast<double>(part) * 100 / static_cast<double>(whole);
    constexpr std::size_t default_width = 5;
    auto text = fmt::format("{:5.2f}", share);
    return text.size() > default_width ? fmt::format("{:5.1f}", share) : text;
}

CountTable::CountTable(const CountColumns& columns) : columns_(columns) {
    for (const auto& name : columns.names) widths_.push_back(name.size());
}

namespace {

std::string cell(const CountColumns& columns, const Counts& counts, std::size_t column) {
    const auto event = columns.events[column];
    const auto value = counts[event];
    auto text = counts.has(event) ? count_text(value) : std::string(".");
    if (!columns.percentages) return text;
    if (value == 0) return text.append(percentage_width, ' ');
    const auto whole = columns.totals[event];
    return text + " (" + percentage_text(value, whole) + "%)";
}

}  // namespace

void CountTable::measure(const Counts& counts) {
    for (std::size_t i = 0; i < widths_.size(); ++i) {
        if (counts.has(columns_.events[i]))
            widths_[i] = std::max(widths_[i], cell(columns_, counts, i).size());
    }
}

void CountTable::write_header(std::string& out, std::string_view title) const {
    for (std::size_t i = 0; i < widths_.size(); ++i)
        out += fmt::format("{:<{}} ", columns_.names[i], widths_[i]);
    if (!title.empty()) out += fmt::format(" {}", title);
    out += '\n';
}

void CountTable::write_counts(std::string& out, const Counts& counts) const {
    for (std::size_t i = 0; i < widths_.size(); ++i)
        out += fmt::format("{:>{}} ", cell(columns_, counts, i), widths_[i]);
}

void write_rule(std::string& out) { out.append(rule_width, '-').append("\n"); }

void write_section(std::string& out, std::string_view title) {
    write_rule(out);
    out.append(title).append("\n");
    write_rule(out);
}

void write_fact(std::string& out, std::string_view label, std::span<const std::string> values) {
    out += fmt::format("{:<{}}{}\n", label, label_width, values.empty() ? "" : values.front());
    for (std::size_t i = 1; i < values.size(); ++i) out += std::string(label_width, ' ') + values[i] + '\n';
}

void write_total(std::string& out, const CountColumns& columns, const Counts& counts,
                 std::string_view title) {
    CountTable table(columns);
    table.measure(counts);
    write_rule(out);
    table.write_header(out);
    write_rule(out);
    table.write_counts(out, counts);
    out.append(" ").append(title).append("\n\n");
}

void write_source(std::string& out, const CountColumns& columns, std::span<const ListedLine> lines,
                  std::string_view text, const SourceOptions& options) {
    CountTable table(columns);
    for (const auto& line : lines) table.measure(line.costs);
    table.write_header(out);
    out += '\n';

    const auto has_number = [](const ListedLine& line) { return line.number != 0; };
    const auto first = std::find_if(lines.begin(), lines.end(), has_number);
    const auto numbered = lines.subspan(static_cast<std::size_t>(first - lines.begin()));
    SourceWriting writing(out, table, numbered, text);
    for (const auto& range : ranges_of(numbered, options.context)) {
        if (!writing.write(range)) break;
    }
    if (writing.write_lines_past_end()) {
        out += '\n';
        write_warning_rules(out);
        const auto cause =
            options.is_newer
                ? fmt::format(
                      "'{}' has changed since information was gathered.\n"
                      "@@           If so, a warning will have already been issued about this.\n"
                      "@@ solution: Recompile program and rerun under \"valgrind --cachesim=yes\" to \n"
                      "@@           gather new information.",
                      options.name)
                : std::string("not sure, sorry");
        out += fmt::format(
            "@@\n@@ Information recorded about lines past the end of '{}'.\n@@\n"
            "@@ Probable cause and solution:\n@@ cause:    {}\n@@\n{}\n",
            options.name, cause, std::string(rule_width - 1, '@'));
    }
    out += '\n';
    if (numbered.size() == lines.size() || !lines.front().has_costs) return;
    table.write_counts(out, lines.front().costs);
    out += fmt::format(" <counts for unidentified lines in {}>\n\n", options.name);
}

void write_newer_warning(std::string& out, std::string_view source, std::string_view profile) {
    write_warning_rules(out);
    out += fmt::format(
        "@ Source file '{}' is more recent than input file '{}'.\n@ Annotations may not be correct.\n{}\n\n",
        source, profile, std::string(rule_width - 1, '@'));
}

}  // namespace callcost::program::layout
