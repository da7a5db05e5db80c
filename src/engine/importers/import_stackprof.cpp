// stackprof's result, as Ruby's Marshal or as JSON. Frames by number: in how many samples they were, in how
// many they were the leaf, `edges` to what they called and `lines` (all, leaf), which both count a frame as
// often as it was on a stack. `raw`, if it was wanted: for each stack how many frames it has, these from the
// root on, and how often in a row it was met; `raw_lines`, of newer versions, has lines in place of frames.
// https://github.com/tmm1/stackprof/blob/master/ext/stackprof/stackprof.c
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "encodings/import_input.hpp"
#include "encodings/json_input.hpp"
#include "encodings/ruby_marshal.hpp"
#include "import_model/imported_graph.hpp"
#include "import_model/imported_stacks.hpp"
#include "importers/importers.hpp"
#include "tables/row_tables.hpp"

namespace callcost::engine {
namespace {

/// Far more than programs record.
constexpr std::uint64_t most_frames_of_a_stack = 100'000;

struct StackprofFrame {
    std::uint32_t name = 0, file = 0;  // rows of StackprofData::names
    std::int64_t line = 0;             // of the function; below 1: unknown
    std::uint64_t samples = 0, leaf_samples = 0;
};

struct StackprofEdge {
    std::uint32_t caller = 0;  // row of StackprofData::frames
    std::uint64_t callee = 0;  // id
    std::uint64_t count = 0;
};

struct StackprofLine {
    std::uint32_t frame = 0, line = 0;
    std::uint64_t count = 0, leaf = 0;
};

struct StackprofData {
    NameRows names;
    KeyRows ids;  // of frames
    std::vector<StackprofFrame> frames;
    std::vector<StackprofEdge> edges;
    std::vector<StackprofLine> lines;
    std::vector<std::int64_t> raw, raw_lines;
    std::uint32_t mode = 0;     // row of names
    std::int64_t interval = 0;  // microseconds; of `object`: allocations
    bool has_raw = false;
    std::uint64_t negative = 0;  // numbers of samples, taken for 0
};

enum class StackprofPart : std::uint8_t {
    outside,
    file,
    frames,
    frame,
    edges,
    lines,
    line,
    raw,
    raw_lines,
    other,
};

class StackprofHandler : public JsonHandler<StackprofHandler, JsonNesting::bounded> {
  public:
    explicit StackprofHandler(StackprofData& data) : data_(data) {}

    void begin(bool is_array) {
        parts_.push_back(part_of(is_array));
        if (parts_.back() == StackprofPart::raw) data_.has_raw = true;
        if (parts_.back() == StackprofPart::frame) begin_frame();
        if (parts_.back() == StackprofPart::line) begin_line();
    }
    void end() { parts_.pop_back(); }
    void key(std::string_view text) { key_ = text; }
    void text(std::string_view text) {
        if (part() == StackprofPart::file && is_key(key_, "mode")) data_.mode = data_.names.row(text);
        if (part() != StackprofPart::frame) return;
        if (is_key(key_, "name")) data_.frames[frame_].name = data_.names.row(text);
        if (is_key(key_, "file")) data_.frames[frame_].file = data_.names.row(text);
    }
    void number(JsonNumber number) {
        if (part() == StackprofPart::raw)
            data_.raw.push_back(number.whole);
        else if (part() == StackprofPart::raw_lines)
            data_.raw_lines.push_back(number.whole);
        else if (part() == StackprofPart::frame)
            number_of_frame(number.whole);
        else if (part() == StackprofPart::edges)
            add_edge(number.whole);
        else if (part() == StackprofPart::line)
            number_of_line(number.whole);
        else if (part() == StackprofPart::file && is_key(key_, "interval"))
            data_.interval = number.whole;
    }

  private:
    [[nodiscard]] StackprofPart part() const {
        return parts_.empty() ? StackprofPart::outside : parts_.back();
    }

    [[nodiscard]] StackprofPart part_of(bool is_array) const {
        using enum StackprofPart;
        if (part() == outside) return is_array ? other : file;
        if (part() == file && is_array)
            return is_key(key_, "raw") ? raw : is_key(key_, "raw_lines") ? raw_lines : other;
        if (part() == file) return is_key(key_, "frames") ? frames : other;
        if (part() == frames) return is_array ? other : frame;
        if (part() == frame && !is_array && is_key(key_, "edges")) return edges;
        if (part() == frame && !is_array && is_key(key_, "lines")) return lines;
        return part() == lines && is_array ? line : other;
    }

    /// A number that two frames have stands for the last one.
    void begin_frame() {
        const auto id = parse_digits(key_);
        frame_ = id ? data_.ids.row(*id) : data_.ids.row(UINT64_MAX);
        if (frame_ == data_.frames.size()) data_.frames.emplace_back();
    }

    void number_of_frame(std::int64_t number) {
        StackprofFrame& frame = data_.frames[frame_];
        if (is_key(key_, "line")) frame.line = number;
        if (is_key(key_, "total_samples")) frame.samples = count_of(number);
        if (is_key(key_, "samples")) frame.leaf_samples = count_of(number);
    }

    void add_edge(std::int64_t number) {
        const auto callee = parse_digits(key_);
        data_.edges.push_back(
            {.caller = frame_, .callee = callee ? *callee : UINT64_MAX, .count = count_of(number)});
    }

    void begin_line() {
        const auto line = parse_digits(key_);
        data_.lines.push_back(
            {.frame = frame_, .line = line && *line <= INT32_MAX ? static_cast<std::uint32_t>(*line) : 0});
        numbers_of_line_ = 0;
    }

    void number_of_line(std::int64_t number) {
        StackprofLine& line = data_.lines.back();
        if (numbers_of_line_ < 2) (numbers_of_line_ == 0 ? line.count : line.leaf) = count_of(number);
        ++numbers_of_line_;
    }

    std::uint64_t count_of(std::int64_t number) {
        if (number < 0) ++data_.negative;
        return static_cast<std::uint64_t>(std::max<std::int64_t>(number, 0));
    }

    StackprofData& data_;
    std::vector<StackprofPart> parts_;
    std::string key_;
    std::uint32_t frame_ = 0;
    std::size_t numbers_of_line_ = 0;
};

class StackprofImport {
  public:
    StackprofImport(StackprofData data, std::uint64_t bytes, const ImportOptions& options)
        : data_(std::move(data)), bytes_(bytes), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::stackprof;
        notes_.kind = "stackprof profile";
        if (data_.mode == 0 || data_.frames.empty())
            return tl::unexpected(not_in_format("not a stackprof profile: no mode, or no frames"));
        say_what_is_sampled();
        if (data_.negative != 0) note(notes_, ImportOddity::costs_below_zero, 0, data_.negative);
        if (auto done = data_.has_raw ? write_stacks(sink) : write_graph(sink); !done)
            return tl::unexpected(done.error());
        return std::move(notes_);
    }

  private:
    Result<void> write_stacks(const Sink& sink) {
        (void)profile_.event("samples", {});
        for (const StackprofFrame& frame : data_.frames) frames_.push_back({.function = function_of(frame)});
        find_lines();
        if (auto done = add_stacks(); !done) return done;
        return profile_.write({.unknown_count_as_one = options_.unknown_count_as_one}, sink);
    }

    Result<void> write_graph(const Sink& sink) {
        GraphProfile graph;
        std::vector<std::uint32_t> functions;  // by frame
        for (const StackprofFrame& frame : data_.frames) functions.push_back(add_frame(graph, frame));
        for (const StackprofEdge& edge : data_.edges) {
            const std::uint32_t callee = data_.ids.find(edge.callee);
            if (callee == no_row)
                note(notes_, ImportOddity::invalid_reference);
            else
                graph.add_call(functions[edge.caller], functions[callee],
                               {.calls = edge.count, .inclusive = static_cast<Cost>(edge.count)});
        }
        for (const StackprofLine& line : data_.lines)
            graph.add_self_at(functions[line.frame], line.line, static_cast<Cost>(line.leaf));
        const auto calls = calls_of_frames();
        const auto call_lines = lines_of_calls(calls);
        for (std::size_t frame = 0; frame < functions.size(); ++frame) {
            graph.set_call_line(functions[frame], call_lines[frame]);
            graph.add(functions[frame], {.calls = calls[frame]});  // the leaf is no caller
        }
        auto done = graph.write({.event = "samples",
                                 .counts = GraphCounts::occurrences,
                                 .unknown_count_as_one = options_.unknown_count_as_one,
                                 .names = {.budget = options_.budget, .read = bytes_}},
                                sink);
        if (!done) return done;
        notes_.limits += (notes_.limits.empty() ? "" : "; ") + std::string("paths are estimated");
        note(notes_, ImportOddity::estimated_stacks);
        if (graph.estimated_calls() != 0)
            note(notes_, ImportOddity::costs_estimated, 0, graph.estimated_calls());
        if (graph.reduced_calls() != 0) note(notes_, ImportOddity::costs_reduced, 0, graph.reduced_calls());
        return {};
    }

    /// A frame is as often on a stack as it is the leaf or calls another.
    std::uint32_t add_frame(GraphProfile& graph, const StackprofFrame& frame) {
        const std::uint32_t function =
            graph.function({}, data_.names[frame.file], name_of(frame), line_of(frame));
        graph.add(function, {.calls = frame.leaf_samples,
                             .first_calls = frame.samples,
                             .self = static_cast<Cost>(frame.leaf_samples),
                             .inclusive = static_cast<Cost>(frame.samples)});
        notes_.samples += frame.leaf_samples;
        return function;
    }

    [[nodiscard]] std::vector<std::uint64_t> calls_of_frames() const {
        std::vector<std::uint64_t> calls(data_.frames.size());
        for (const StackprofEdge& edge : data_.edges) calls[edge.caller] += edge.count;
        return calls;
    }

    /// By frame: the line from which all its calls are; 0 if there are several, or none is known.
    [[nodiscard]] std::vector<std::uint32_t> lines_of_calls(std::span<const std::uint64_t> calls) const {
        std::vector<std::uint32_t> lines(calls.size(), 0);
        for (const StackprofLine& line : data_.lines)
            if (line.count > line.leaf && line.count - line.leaf == calls[line.frame])
                lines[line.frame] = line.line;
        return lines;
    }

    void say_what_is_sampled() {
        const std::string& mode = data_.names[data_.mode];
        constexpr std::int64_t in_ms = 1000;
        if (data_.interval <= 0) return;
        if (mode == "object")
            notes_.limits = data_.interval == 1
                                ? "every allocation is a sample"
                                : "a sample every " + std::to_string(data_.interval) + " allocations";
        if (mode == "cpu" || mode == "wall")
            notes_.limits = "a sample every " +
                            (data_.interval % in_ms == 0 ? std::to_string(data_.interval / in_ms) + " ms"
                                                         : std::to_string(data_.interval) + " us") +
                            (mode == "cpu" ? " of CPU time" : " of elapsed time");
    }

    [[nodiscard]] std::string_view name_of(const StackprofFrame& frame) const {
        const std::string& name = data_.names[frame.name];
        return name.empty() ? std::string_view("(unknown)") : name;
    }
    [[nodiscard]] static std::uint32_t line_of(const StackprofFrame& frame) {
        return frame.line > 0 && frame.line <= INT32_MAX ? static_cast<std::uint32_t>(frame.line) : 0;
    }

    std::uint32_t function_of(const StackprofFrame& frame) {
        return profile_.function({}, data_.names[frame.file], name_of(frame), line_of(frame));
    }

    Result<void> add_stacks() {
        std::span<const std::int64_t> left(data_.raw);
        while (!left.empty()) {
            const std::int64_t frames = left[0];
            if (frames < 0 || static_cast<std::uint64_t>(frames) + 2 > left.size()) {
                note(notes_, ImportOddity::trace_cut);
                break;
            }
            const auto size = static_cast<std::size_t>(frames);
            read_stack(left.subspan(1, std::min<std::size_t>(size, most_frames_of_a_stack)),
                       data_.raw.size() - left.size() + 1);
            const std::int64_t count = left[size + 1];
            left = left.subspan(size + 2);
            notes_.samples += static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
            if (size > most_frames_of_a_stack) note(notes_, ImportOddity::stack_cut);
            if (stack_.empty()) {
                note(notes_, ImportOddity::without_stack);
                continue;
            }
            profile_.set_stack(stack_);
            add_samples(count);
            if (!options_.budget.covers(bytes_, profile_.max_bytes()))
                return tl::unexpected(options_.budget.error("the stacks"));
        }
        return {};
    }

    /// `at` is where it is in `raw`.
    void read_stack(std::span<const std::int64_t> ids, std::size_t at) {
        stack_.clear();
        for (const std::int64_t id : ids) {
            leaf_ = data_.ids.find(static_cast<std::uint64_t>(id));
            stack_.push_back(frame_of(leaf_));
            if (has_raw_lines_)
                stack_.back().place = place_of(data_.raw_lines[at + stack_.size() - 1]);
            else if (leaf_ != no_row && stack_.size() != ids.size())
                stack_.back().place = place_of(call_lines_[leaf_]);
        }
    }

    void find_lines() {
        has_raw_lines_ = data_.raw_lines.size() == data_.raw.size();
        if (has_raw_lines_) return;
        call_lines_ = lines_of_calls(calls_of_frames());
        auto& lines = data_.lines;
        std::sort(lines.begin(), lines.end(), [](const StackprofLine& a, const StackprofLine& b) {
            return std::pair(a.frame, a.line) < std::pair(b.frame, b.line);
        });
        next_lines_.assign(frames_.size(), lines.size());
        for (std::size_t line = lines.size(); line-- > 0;) next_lines_[lines[line].frame] = line;
    }

    std::uint32_t place_of(std::int64_t line) {
        return profile_.place({}, static_cast<std::uint64_t>(std::max<std::int64_t>(line, 0)));
    }

    /// Which stacks a line had its samples in is not known; a function has them all.
    void add_samples(std::int64_t count) {
        if (!has_raw_lines_ && leaf_ != no_row) {
            for (std::size_t& next = next_lines_[leaf_];
                 count > 0 && next < data_.lines.size() && data_.lines[next].frame == leaf_;) {
                StackprofLine& line = data_.lines[next];
                const auto part = std::min(static_cast<std::uint64_t>(count), line.leaf);
                if (part != 0)
                    profile_.add_at(place_of(line.line), {.cost = static_cast<std::int64_t>(part)});
                count -= static_cast<std::int64_t>(part);
                line.leaf -= part;
                if (line.leaf == 0) ++next;
            }
        }
        if (count != 0) profile_.add({.cost = count});
    }

    StackFrame frame_of(std::uint32_t row) {
        if (row != no_row) return frames_[row];
        note(notes_, ImportOddity::invalid_reference);
        return {.function = profile_.function({}, {}, "(unknown)")};
    }

    StackprofData data_;
    std::uint64_t bytes_;
    const ImportOptions& options_;
    ImportNotes notes_;
    StackProfile profile_{options_.stacks};
    std::vector<StackFrame> frames_;
    bool has_raw_lines_ = false;
    std::vector<StackFrame> stack_;          // the stack at hand
    std::uint32_t leaf_ = no_row;            // its last frame
    std::vector<std::uint32_t> call_lines_;  // by frame
    std::vector<std::size_t> next_lines_;    // by frame: of data_.lines
};

/// A source whose first bytes were read.
Source with_beginning(std::string beginning, const Source& source) {
    return {.name = source.name,
            .read = [rest = source.read, beginning = std::move(beginning),
                     at = std::size_t{0}](std::span<char> to) mutable -> Result<std::size_t> {
                if (at == beginning.size()) return rest(to);
                const std::size_t count = beginning.copy(to.data(), to.size(), at);
                at += count;
                return count;
            },
            .size = source.size,
            .consumed = source.consumed};
}

}  // namespace

Result<ImportNotes> import_stackprof(const Source& source, const ImportOptions& options, const Sink& sink) {
    std::string first(1, '\0');
    const Result<std::size_t> count = source.read(std::span(first));
    if (!count) return tl::unexpected(count.error());
    if (*count > first.size()) return tl::unexpected(broken_source());
    const bool is_marshal = *count == 1 && first[0] == '\4';
    first.resize(*count);
    const Source whole = with_beginning(first, source);
    StackprofData data;
    StackprofHandler handler(data);
    std::uint64_t bytes = 0;
    if (is_marshal) {
        RubyMarshalReader reader(whole);
        if (auto done = read_ruby_marshal(reader, handler); !done) return tl::unexpected(done.error());
        bytes = reader.bytes();
    } else {
        JsonStream stream(whole);
        if (auto done = read_json(stream, handler); !done) return tl::unexpected(done.error());
        bytes = stream.bytes();
    }
    return StackprofImport(std::move(data), bytes, options).run(sink);
}

}  // namespace callcost::engine
