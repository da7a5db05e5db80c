// Folded (collapsed) stacks: a line per stack, frames from the root on, a blank, the cost.
//
// Costs may have decimals, and a profile's are whole numbers: they are multiplied by a power of ten, which is
// part of the event's name. How many decimals there are room for is known at the end, so lines are kept from
// the first one with decimals on.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "encodings/import_input.hpp"
#include "import_model/imported_stacks.hpp"
#include "importers/importers.hpp"

namespace callcost::engine {
namespace {

/// Lines looked at before it is decided how many columns there are.
constexpr std::size_t max_lines_ahead = 64;
constexpr std::size_t max_bytes_ahead = std::size_t{1} << 20U;

struct FoldedLine {
    std::string_view stack;
    std::array<DecimalNumber, 2> costs{};
};

/// Takes the number behind the last blank off the text.
std::optional<DecimalNumber> take_number(std::string_view& text) {
    while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
    const std::size_t blank = text.find_last_of(" \t");
    // A stack that is empty leaves its number only.
    const std::size_t begin = blank == std::string_view::npos ? 0 : blank + 1;
    const auto number = parse_decimal(text.substr(begin));
    if (number) text = text.substr(0, begin == 0 ? 0 : blank);
    return number;
}

std::optional<FoldedLine> split(std::string_view line, bool has_two_columns) {
    FoldedLine parts{.stack = line};
    const auto last = take_number(parts.stack);
    if (!last) return std::nullopt;
    parts.costs[0] = *last;
    if (!has_two_columns) return parts;
    const auto first = take_number(parts.stack);
    if (!first) return std::nullopt;
    parts.costs = {*first, *last};
    return parts;
}

/// Blank, or a comment.
bool has_no_stack(std::string_view line) {
    return line.starts_with('#') || line.find_first_not_of(" \t") == std::string_view::npos;
}

class FoldedImport {
  public:
    FoldedImport(const Source& source, const ImportOptions& options)
        : lines_(source, options.longest_line, notes_), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::folded;
        notes_.kind = "folded stacks";
        notes_.counted = "line";
        look_ahead();
        if (has_two_columns_)
            events_ = {"before", "after"};
        else
            events_ = {"samples"};
        for (const std::string_view name : events_) (void)profile_.event(name, {});
        std::uint64_t number = 0;
        for (const std::string& line : ahead_) add(line, ++number);
        for (auto line = lines_.next(); line; line = lines_.next()) add(*line, lines_.number());
        if (lines_.error()) return tl::unexpected(*lines_.error());
        if (lines_.bytes() == 0) return tl::unexpected(Error{.code = ErrorCode::empty_file, .detail = {}});
        if (notes_.samples == 0)
            return tl::unexpected(
                not_in_format("no folded stacks found (frames joined by `;`, a blank, a number)", 1, 1));
        add_kept();
        if (auto done = profile_.write({.unknown_count_as_one = options_.unknown_count_as_one}, sink); !done)
            return tl::unexpected(done.error());
        return std::move(notes_);
    }

  private:
    struct KeptLine {
        std::size_t frames = 0;
        std::array<DecimalNumber, 2> costs{};
        std::uint64_t number = 0;
    };

    void look_ahead() {
        bool are_two = true, is_any = false;
        std::size_t bytes = 0;
        while (ahead_.size() < max_lines_ahead && bytes < max_bytes_ahead) {
            const auto line = lines_.next();
            if (!line) break;
            bytes += line->size();
            ahead_.emplace_back(*line);
            if (has_no_stack(*line)) continue;
            is_any = true;
            are_two = are_two && split(*line, true).has_value();
        }
        has_two_columns_ = options_.folded_columns == FoldedColumns::two ||
                           (options_.folded_columns == FoldedColumns::automatic && is_any && are_two);
    }

    void add(std::string_view line, std::uint64_t number) {
        if (has_no_stack(line)) return;
        const auto parts = split(line, has_two_columns_);
        if (!parts) return note(notes_, ImportOddity::unreadable_line, number);
        ++notes_.samples;
        read_stack(parts->stack, number);
        for (const DecimalNumber& cost : parts->costs) {
            decimals_ = std::max(decimals_, cost.decimals);
            total_ += std::abs(static_cast<double>(cost.digits)) / std::pow(10.0, cost.decimals);
        }
        if (decimals_ == 0) return add_costs(stack_, parts->costs, number);
        kept_.push_back({.frames = stack_.size(), .costs = parts->costs, .number = number});
        kept_frames_.insert(kept_frames_.end(), stack_.begin(), stack_.end());
    }

    void add_costs(std::span<const StackFrame> stack, const std::array<DecimalNumber, 2>& costs,
                   std::uint64_t number) {
        profile_.set_stack(stack);
        for (std::uint32_t column = 0; column < events_.size(); ++column) {
            const DecimalNumber cost = with_decimals(costs[column], decimals_);
            if (cost.is_rounded) note(notes_, ImportOddity::values_rounded, number);
            profile_.add({.event = column, .cost = cost.digits});
        }
    }

    /// As many decimals as the costs have, unless their sum is too large for that.
    void add_kept() {
        if (decimals_ == 0) return;
        const CostScale scale = cost_scale(decimals_, total_);
        decimals_ = scale.decimals;
        if (scale.factor != 1)
            for (std::uint32_t column = 0; column < events_.size(); ++column)
                profile_.scale(column, scale.name(events_[column]), scale.long_name(events_[column]),
                               scale.factor);
        std::span<const StackFrame> frames(kept_frames_);
        for (const KeptLine& line : kept_) {
            add_costs(frames.first(line.frames), line.costs, line.number);
            frames = frames.subspan(line.frames);
        }
    }

    void read_stack(std::string_view stack, std::uint64_t number) {
        stack_.clear();
        if (has_no_stack(stack)) stack = {};
        if (stack.empty()) note(notes_, ImportOddity::no_stack, number);
        while (!stack.empty()) {
            const std::size_t end = stack.find(';');
            stack_.push_back({.function = function(stack.substr(0, end), number)});
            stack = end == std::string_view::npos ? std::string_view() : stack.substr(end + 1);
        }
    }

    std::uint32_t function(std::string_view frame, std::uint64_t number) {
        std::string_view object;
        if (frame.size() > 4 && frame.ends_with(']') && frame.substr(frame.size() - 4, 2) == "_[") {
            const char how = frame[frame.size() - 2];
            const bool is_known = std::string_view("kij01").find(how) != std::string_view::npos;
            if (is_known) frame.remove_suffix(4);
            if (how == 'k')
                object = "[kernel]";
            else if (is_known)
                note(notes_, ImportOddity::annotations_dropped, number);
        }
        return profile_.function(object, {}, frame.empty() ? "(unknown)" : frame);
    }

    LineReader lines_;
    const ImportOptions& options_;
    ImportNotes notes_;
    StackProfile profile_{options_.stacks};
    std::vector<std::string> ahead_;
    bool has_two_columns_ = false;
    std::vector<std::string_view> events_;
    std::vector<StackFrame> stack_;

    int decimals_ = 0;            // the most that a cost has
    double total_ = 0;            // of all costs, either way
    std::vector<KeptLine> kept_;  // from the first with decimals on
    std::vector<StackFrame> kept_frames_;
};

}  // namespace

Result<ImportNotes> import_folded(const Source& source, const ImportOptions& options, const Sink& sink) {
    return FoldedImport(source, options).run(sink);
}

}  // namespace callcost::engine
