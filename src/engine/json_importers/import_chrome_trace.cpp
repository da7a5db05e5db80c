// Traces of Chrome and its DevTools as JSON, which clang, uftrace, viztracer and others write, too: what each
// thread did from when to when, and V8's samples in pieces.
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "encodings/import_input.hpp"
#include "import_model/imported_stacks.hpp"
#include "import_model/stack_rows.hpp"
#include "import_model/stack_trees.hpp"
#include "json_importers/chrome_trace_json.hpp"
#include "json_importers/cpuprofile_stacks.hpp"
#include "json_importers/json_importers.hpp"

namespace callcost::engine {
namespace {

/// Paths of spans and what they took by themselves.
class SpanStacks {
  public:
    /// Spans by begin, the longer one first. What sticks out behind the one around it is cut there.
    explicit SpanStacks(const std::vector<TraceSpan>& spans) {
        for (const TraceSpan& span : spans) add(span);
    }

    [[nodiscard]] const std::vector<std::uint32_t>& callers() const { return callers_; }
    [[nodiscard]] const std::vector<std::uint32_t>& names() const { return names_; }
    [[nodiscard]] Cost self(std::uint32_t row) const { return self_[row]; }
    [[nodiscard]] std::uint64_t count(std::uint32_t row) const { return counts_[row]; }
    [[nodiscard]] std::uint64_t cut() const { return cut_; }

  private:
    struct Open {
        std::int64_t end = 0;
        std::uint32_t row = no_row;
    };

    void add(const TraceSpan& span) {
        while (!open_.empty() && open_.back().end <= span.begin) open_.pop_back();
        std::int64_t end = span.end;
        const std::uint32_t caller = open_.empty() ? no_row : open_.back().row;
        if (!open_.empty() && open_.back().end < end) {
            ++cut_;
            end = open_.back().end;
        }
        const std::uint32_t row = rows_.row(caller, span.name);
        if (row == self_.size()) {
            self_.emplace_back(0);
            counts_.push_back(0);
        }
        if (caller != no_row) self_[caller] = self_[caller] - (end - span.begin);
        self_[row] += end - span.begin;
        ++counts_[row];
        open_.push_back({.end = end, .row = row});
    }

    std::vector<std::uint32_t> callers_, names_;
    StackRows rows_{callers_, names_};
    std::vector<Cost> self_;             // nanoseconds, by row
    std::vector<std::uint64_t> counts_;  // by row
    std::vector<Open> open_;
    std::uint64_t cut_ = 0;
};

/// Where samples were as ticks of their nodes.
void take_lines(ChromeTraceProfile& profile) {
    V8Json& json = profile.json;
    KeyRows ids, places;  // of nodes; (row of an id, line)
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t row = 0; row < json.nodes.size(); ++row)
        if (ids.row(static_cast<std::uint64_t>(json.nodes[row].id)) == nodes.size()) nodes.push_back(row);
    std::vector<std::uint64_t> ticks;
    const std::size_t count = std::min(profile.lines.size(), json.samples.size());
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t line = profile.lines[i];
        const std::uint32_t id = ids.find(static_cast<std::uint64_t>(json.samples[i]));
        if (id == no_row || line < 1 || line > UINT32_MAX) continue;
        const std::uint32_t place = places.row(key_of(id, static_cast<std::uint32_t>(line)));
        if (place == ticks.size()) ticks.push_back(0);
        ++ticks[place];
    }
    std::vector<std::pair<std::uint64_t, std::uint64_t>> order;  // place, ticks
    order.reserve(ticks.size());
    for (std::uint32_t place = 0; place < ticks.size(); ++place)
        order.emplace_back(places[place], ticks[place]);
    std::sort(order.begin(), order.end());
    for (const auto& [place, number] : order) {
        V8Node& node = json.nodes[nodes[first_of(place)]];
        if (node.ticks++ == 0) node.first_tick = json.ticks.size();
        json.ticks.push_back({.line = second_of(place), .ticks = number});
    }
    profile.lines = {};
}

class ChromeTraceImport {
  public:
    ChromeTraceImport(ChromeTraceJson json, const ImportOptions& options)
        : json_(std::move(json)), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::chrome_trace;
        notes_.kind = "Chrome trace";
        count(ImportOddity::markers_ignored, json_.marks);
        count(ImportOddity::asynchronous_ignored, json_.asynchronous);
        count(ImportOddity::sums_omitted, json_.sums);
        count(ImportOddity::trace_cut, json_.is_cut ? 1 : 0);
        name_threads();
        if (!options_.budget.covers(json_.bytes, heading_bytes_))
            return tl::unexpected(options_.budget.error("the names of threads"));
        if (auto done = add_spans(); !done) return tl::unexpected(done.error());
        add_profiles();
        if (notes_.spans == 0 && notes_.samples == 0)
            return tl::unexpected(
                not_in_format("a Chrome trace without events that last, and without samples"));
        notes_.threads = used_.size();
        std::set<std::optional<std::uint64_t>> processes;
        for (const std::uint32_t row : used_) processes.insert(headings_[row].process);
        notes_.processes = processes.size();
        if (auto done = profile_.write({.unknown_count_as_one = options_.unknown_count_as_one}, sink); !done)
            return tl::unexpected(done.error());
        return std::move(notes_);
    }

  private:
    static constexpr std::size_t longest_name = 256;  // of a process or thread

    void count(ImportOddity what, std::uint64_t number) {
        if (number != 0) note(notes_, what, 0, number);
    }

    /// Threads keep their numbers; one without gets that of its process, if it is free.
    void name_threads() {
        headings_.resize(json_.threads.size());
        std::set<std::pair<std::optional<std::uint64_t>, std::uint64_t>> numbers;
        std::map<std::optional<std::uint64_t>, std::uint64_t> next;
        for (const bool has_number : {true, false})
            for (std::size_t row = 0; row < json_.threads.size(); ++row) {
                const ChromeTraceThread& thread = json_.threads[row];
                const auto process = json_.ids.number(thread.process);
                auto number = json_.ids.number(thread.id);
                if (number.has_value() != has_number) continue;
                if (!number) number = process;
                while (!number || !numbers.insert({process, *number}).second) number = ++next[process];
                headings_[row] = {.process = process, .number = *number, .name = name_of(thread)};
                heading_bytes_ += sizeof(StackThread) + headings_[row].name.size();
            }
    }

    [[nodiscard]] std::string name_of(const ChromeTraceThread& thread) const {
        const std::uint32_t row = json_.processes.find(thread.process);
        std::string name(cut_text(row == no_row ? json_.ids.text(thread.process)
                                                : std::string_view(json_.names[json_.process_names[row]]),
                                  longest_name));
        const std::string_view own = cut_text(
            thread.name == 0 ? json_.ids.text(thread.id) : std::string_view(json_.names[thread.name]),
            longest_name);
        if (own.empty() || own == name) return name;
        return (name.empty() ? name : name + '/').append(own);
    }

    void set_thread(std::uint32_t row) {
        used_.insert(row);
        profile_.set_thread(headings_[row]);
    }

    Result<void> add_spans() {
        frames_.assign(json_.names.size(), {.function = no_row});
        std::uint32_t event = no_row;
        for (std::uint32_t row = 0; row < json_.threads.size(); ++row) {
            PackedSpans packed = std::exchange(json_.threads[row].spans, {});
            if (packed.empty()) continue;
            const PackedSpans::Unpacked thread = packed.unpack();
            count(ImportOddity::unended, thread.unended);
            count(ImportOddity::return_without_call, thread.unbegun);
            count(ImportOddity::unmatched_ends, thread.of_other_name);
            if (thread.spans.empty()) continue;
            if (event == no_row) event = profile_.event("Duration", "nanoseconds");
            notes_.spans += thread.spans.size();
            const SpanStacks stacks(thread.spans);
            count(ImportOddity::cut_at_parent, stacks.cut());
            std::vector<StackFrame> frames;
            frames.reserve(stacks.names().size());
            for (const std::uint32_t name : stacks.names()) frames.push_back(frame_of(name));
            set_thread(row);
            (void)add_stack_trees(profile_, stacks.callers(), frames, [&](std::uint32_t stack) {
                profile_.add_calls(stacks.count(stack));
                if (stacks.self(stack) != 0) profile_.add({.event = event, .cost = stacks.self(stack)});
            });
            if (!options_.budget.covers(json_.bytes, profile_.max_bytes()))
                return tl::unexpected(options_.budget.error("the stacks"));
        }
        return {};
    }

    StackFrame frame_of(std::uint32_t name) {
        StackFrame& frame = frames_[name];
        if (frame.function == no_row)
            frame.function =
                profile_.function({}, {}, name == 0 ? "(anonymous)" : std::string_view(json_.names[name]));
        return frame;
    }

    void add_profiles() {
        const auto has_times = [](const ChromeTraceProfile& profile) {
            return !profile.json.samples.empty() && !profile.json.time_deltas.empty();
        };
        CpuProfileEvents events;
        if (std::any_of(json_.profiles.begin(), json_.profiles.end(), has_times))
            events.time = profile_.event("Time", "microseconds");
        for (ChromeTraceProfile& profile : json_.profiles) {
            if (profile.json.samples.empty()) continue;
            if (events.hits == no_row) events.hits = profile_.event("hits", {});
            take_lines(profile);
            set_thread(profile.thread);
            add_cpuprofile(profile.json, events, profile_, notes_);
            profile.json = {};
        }
    }

    ChromeTraceJson json_;
    const ImportOptions& options_;
    ImportNotes notes_;
    StackProfile profile_{options_.stacks};
    std::vector<StackThread> headings_;  // by thread
    std::set<std::uint32_t> used_;       // rows of headings_
    std::uint64_t heading_bytes_ = 0;
    std::vector<StackFrame> frames_;  // by name
};

}  // namespace

Result<ImportNotes> import_chrome_trace(const Source& source, const ImportOptions& options,
                                        const Sink& sink) {
    Result<ChromeTraceJson> json = read_chrome_trace_json(source);
    if (!json) return tl::unexpected(json.error());
    return ChromeTraceImport(std::move(*json), options).run(sink);
}

}  // namespace callcost::engine
