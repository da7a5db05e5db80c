#include "json_importers/chrome_trace_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "encodings/import_input.hpp"
#include "encodings/json_input.hpp"

namespace callcost::engine {
namespace {

enum class TracePart : std::uint8_t {
    outside,
    file,
    events,
    event,
    id2,
    args,
    data,
    profile,
    nodes,
    node,
    call_frame,
    samples,
    deltas,
    lines,
    other
};

TracePart part_of_array(TracePart parent, std::string_view key) {
    using enum TracePart;
    if (parent == outside) return events;
    if (parent == file) return key == "traceEvents" ? events : other;
    if (parent == profile && key == "nodes") return nodes;
    if (parent == profile && key == "samples") return samples;
    if (parent == data && key == "timeDeltas") return deltas;
    return (parent == data || parent == profile) && key == "lines" ? lines : other;
}

TracePart part_of_object(TracePart parent, std::string_view key) {
    using enum TracePart;
    switch (parent) {
        case outside:
            return file;
        case events:
            return event;
        case event:
            if (key == "id2") return id2;
            return key == "args" ? args : other;
        case args:
            return key == "data" ? data : other;
        case data:
            return key == "cpuProfile" ? profile : other;
        case nodes:
            return node;
        case node:
            return key == "callFrame" ? call_frame : other;
        default:
            return other;
    }
}

/// Of microseconds. What no clock shows is cut to 2 * 10^18, so that sums of three have room.
std::int64_t nanoseconds(JsonNumber time) {
    constexpr std::int64_t most = 2'000'000'000'000'000;
    const std::int64_t whole = std::clamp(time.whole, -most, most) * 1000;
    return time.fraction == 0 ? whole : whole + std::llround(time.fraction * 1000);
}

/// 0 if it is none.
JsonNumber number_of(std::string_view text) {
    const auto number = parse_decimal(text).value_or(DecimalNumber{});
    std::int64_t one = 1;
    for (int i = 0; i < number.decimals; ++i) one *= 10;
    const std::int64_t rest = number.digits % one, whole = number.digits / one;
    const double fraction = static_cast<double>(rest) / static_cast<double>(one);
    return rest < 0 ? JsonNumber{whole - 1, fraction + 1} : JsonNumber{whole, fraction};
}

/// The keys of events are met often.
enum class EventKey : std::uint8_t { other, name, phase, time, length, process, thread, id };

EventKey event_key(std::string_view text) {
    switch (text.size()) {
        case 2:
            if (is_key(text, "ph")) return EventKey::phase;
            if (is_key(text, "ts")) return EventKey::time;
            return is_key(text, "id") ? EventKey::id : EventKey::other;
        case 3:
            if (is_key(text, "pid")) return EventKey::process;
            if (is_key(text, "tid")) return EventKey::thread;
            return is_key(text, "dur") ? EventKey::length : EventKey::other;
        case 4:
            return is_key(text, "name") ? EventKey::name : EventKey::other;
        default:
            return EventKey::other;
    }
}

/// Takes what the parser finds. What an event is may be said behind its arguments, so these are kept for its
/// end.
class TraceHandler : public JsonHandler<TraceHandler, JsonNesting::bounded> {
  public:
    explicit TraceHandler(ChromeTraceJson& json) : json_(json) {}

    [[nodiscard]] bool has_events() const { return has_events_; }
    /// The array of the events, or the object around it, is not closed.
    [[nodiscard]] bool is_open() const { return has_events_ && part_ != TracePart::outside; }

    void begin(bool is_array) {
        open_.push_back(part_);
        part_ = is_array ? part_of_array(part_, key_) : part_of_object(part_, key_);
        if (part_ == TracePart::event) event_ = {};
        if (part_ == TracePart::events) has_events_ = true;
        if (part_ == TracePart::node) chunk_.json.nodes.emplace_back();
    }

    void end() {
        if (part_ == TracePart::event) end_event();
        part_ = open_.back();
        open_.pop_back();
    }

    void key(std::string_view text) {
        if (part_ == TracePart::other) return;
        if (part_ == TracePart::event) {
            event_key_ = event_key(text);
            if (event_key_ != EventKey::other) return;
        }
        if (part_ == TracePart::args && is_key(text, "avg ms")) event_.has_average = true;
        key_ = text;
    }

    void text(std::string_view text) {
        switch (part_) {
            case TracePart::event:
                event_text(text);
                break;
            case TracePart::id2:
                event_.id = json_.ids.of(text);
                break;
            case TracePart::args:
                if (is_key(key_, "name")) event_.label = json_.names.row(text);
                break;
            case TracePart::call_frame:
                if (is_key(key_, "functionName")) chunk_.json.nodes.back().name = chunk_.json.names.row(text);
                if (is_key(key_, "url")) chunk_.json.nodes.back().url = chunk_.json.names.row(text);
                break;
            default:
                break;
        }
    }

    void number(JsonNumber number) {
        V8Json& chunk = chunk_.json;
        switch (part_) {
            case TracePart::event:
                event_number(number);
                break;
            case TracePart::samples:
                chunk.samples.push_back(number.rounded());
                break;
            case TracePart::deltas:
                chunk.time_deltas.push_back(number.rounded());
                break;
            case TracePart::lines:
                chunk_.lines.push_back(number.rounded());
                break;
            case TracePart::node:
                if (is_key(key_, "id")) {
                    chunk.nodes.back().id = number.whole;
                    chunk.nodes.back().has_id = true;
                }
                if (is_key(key_, "parent")) {
                    chunk.nodes.back().parent = number.whole;
                    chunk.nodes.back().has_parent = true;
                }
                break;
            case TracePart::call_frame:
                if (is_key(key_, "lineNumber")) chunk.nodes.back().line = place_from(number.whole);
                if (is_key(key_, "columnNumber")) chunk.nodes.back().column = place_from(number.whole);
                break;
            case TracePart::data:
            case TracePart::profile:
                if (is_key(key_, "startTime")) chunk.start_time = number.rounded();
                if (is_key(key_, "endTime")) chunk.end_time = number.rounded();
                break;
            default:
                break;
        }
    }

  private:
    struct Event {
        char phase = '?';
        bool has_average = false;
        std::uint32_t name = 0, label = 0;  // rows of names
        std::uint32_t process = no_row, thread = no_row, id = no_row;
        std::int64_t time = 0, length = 0;
    };
    /// The number of an id, and the id: most often those of the event before.
    struct LastId {
        std::int64_t number = 0;
        std::uint32_t id = no_row;
    };

    void event_text(std::string_view text) {
        switch (event_key_) {
            case EventKey::name:
                event_.name = name_row(text);
                break;
            case EventKey::phase:
                event_.phase = text.size() == 1 ? text[0] : '?';
                break;
            case EventKey::time:
            case EventKey::length:
                event_number(number_of(text));
                break;
            case EventKey::process:
                event_.process = json_.ids.of(text);
                break;
            case EventKey::thread:
                event_.thread = json_.ids.of(text);
                break;
            case EventKey::id:
                event_.id = json_.ids.of(text);
                break;
            default:
                break;
        }
    }

    void event_number(JsonNumber number) {
        switch (event_key_) {
            case EventKey::time:
                event_.time = nanoseconds(number);
                break;
            case EventKey::length:
                event_.length = std::max<std::int64_t>(nanoseconds(number), 0);
                break;
            case EventKey::process:
                event_.process = id_of(number.whole, last_process_);
                break;
            case EventKey::thread:
                event_.thread = id_of(number.whole, last_thread_);
                break;
            case EventKey::id:
                event_.id = json_.ids.of(number.whole);
                break;
            default:
                break;
        }
    }

    /// Most names are those of one of the last events.
    std::uint32_t name_row(std::string_view text) {
        if (text.empty()) return 0;
        const auto sum = text.size() * 31 + static_cast<unsigned char>(text.back()) * std::size_t{7} +
                         static_cast<unsigned char>(text[text.size() / 2]);
        std::uint32_t& last = last_names_[sum % last_names_.size()];
        if (json_.names[last] != text) last = json_.names.row(text);
        return last;
    }

    std::uint32_t id_of(std::int64_t number, LastId& last) {
        if (last.id == no_row || last.number != number) last = {.number = number, .id = json_.ids.of(number)};
        return last.id;
    }

    [[nodiscard]] std::uint32_t thread_row(std::uint32_t thread) {
        const std::uint64_t key = key_of(event_.process, thread);
        if (last_row_ < json_.threads.size() && threads_[last_row_] == key) return last_row_;
        last_row_ = threads_.row(key);
        if (last_row_ == json_.threads.size())
            json_.threads.push_back({.process = event_.process, .id = thread, .spans = {}});
        return last_row_;
    }
    [[nodiscard]] ChromeTraceThread& thread() { return json_.threads[thread_row(event_.thread)]; }

    void end_event() {
        using Kind = PackedSpans::Kind;
        switch (event_.phase) {
            case 'X':
                if (is_sum())
                    ++json_.sums;
                else
                    thread().spans.add(Kind::whole, event_.name, event_.time, event_.length);
                break;
            case 'B':
                thread().spans.add(Kind::begin, event_.name, event_.time);
                break;
            case 'E':
                thread().spans.add(Kind::end, event_.name, event_.time);
                break;
            case 'P':
                end_profile_event();
                break;
            case 'M':
                if (json_.names[event_.name] == "thread_name") thread().name = event_.label;
                if (json_.names[event_.name] == "process_name") name_process();
                break;
            case 'b':
            case 'S':
                ++json_.asynchronous;
                break;
            case 'i':
            case 'I':
            case 'R':
                ++json_.marks;
                break;
            default:
                break;
        }
        clear_chunk();
    }

    /// clang -ftime-trace has a thread for each kind of its spans, with one span of the sum of them.
    [[nodiscard]] bool is_sum() const {
        return event_.has_average && json_.names[event_.name].starts_with("Total ");
    }

    void name_process() {
        const std::uint32_t row = json_.processes.row(event_.process);
        if (row == json_.process_names.size()) json_.process_names.push_back(0);
        json_.process_names[row] = event_.label;
    }

    /// Chunks have an id in their process; their own thread is that of the profiler.
    void end_profile_event() {
        const std::string& name = json_.names[event_.name];
        if (name != "Profile" && name != "ProfileChunk") return;
        const std::uint32_t row = profiles_.row(key_of(event_.process, event_.id));
        if (row == json_.profiles.size()) json_.profiles.emplace_back();
        ChromeTraceProfile& profile = json_.profiles[row];
        if (name == "Profile" || profile.thread == no_row) profile.thread = thread_row(event_.thread);
        const V8Json& chunk = chunk_.json;
        if (name == "Profile") profile.json.start_time = chunk.start_time;
        profile.json.end_time = std::max(profile.json.end_time, chunk.end_time);
        for (V8Node node : chunk.nodes) {
            node.name = profile.json.names.row(chunk.names[node.name]);
            node.url = profile.json.names.row(chunk.names[node.url]);
            profile.json.nodes.push_back(node);
        }
        // Lines and times are by sample: where a chunk has none, they are unknown.
        if (!chunk_.lines.empty()) profile.lines.resize(profile.json.samples.size(), 0);
        if (!chunk.time_deltas.empty()) profile.json.time_deltas.resize(profile.json.samples.size(), 0);
        append(profile.lines, chunk_.lines);
        append(profile.json.samples, chunk.samples);
        append(profile.json.time_deltas, chunk.time_deltas);
    }

    static void append(std::vector<std::int64_t>& to, const std::vector<std::int64_t>& from) {
        to.insert(to.end(), from.begin(), from.end());
    }

    void clear_chunk() {
        chunk_.json.nodes.clear();
        chunk_.json.samples.clear();
        chunk_.json.time_deltas.clear();
        chunk_.json.start_time = chunk_.json.end_time = 0;
        chunk_.lines.clear();
    }

    ChromeTraceJson& json_;
    TracePart part_ = TracePart::outside;
    std::vector<TracePart> open_;  // those around it
    std::string key_;
    EventKey event_key_ = EventKey::other;
    bool has_events_ = false;
    Event event_;
    ChromeTraceProfile chunk_;    // what the arguments of the event have of a profile
    KeyRows threads_, profiles_;  // (process, thread), (process, id)
    std::uint32_t last_row_ = 0;  // of a thread
    LastId last_process_, last_thread_;
    std::array<std::uint32_t, 256> last_names_{};  // rows
};

}  // namespace

std::uint32_t TraceIds::of(std::string_view text) {
    const auto number = parse_digits(text);
    return number ? 2 * numbers_.row(*number) : 2 * texts_.row(text) + 1;
}

std::optional<std::uint64_t> TraceIds::number(std::uint32_t id) const {
    if (id % 2 != 0 || numbers_[id / 2] > INT64_MAX) return std::nullopt;
    return numbers_[id / 2];
}

std::string_view TraceIds::text(std::uint32_t id) const {
    return id == no_row || id % 2 == 0 ? std::string_view() : std::string_view(texts_[id / 2]);
}

Result<ChromeTraceJson> read_chrome_trace_json(const Source& source) {
    ChromeTraceJson json;
    TraceHandler handler(json);
    JsonStream stream(source);
    if (auto done = read_json(stream, handler); !done) {
        json.is_cut = handler.is_open() && !handler.is_too_deep() && stream.is_at_end() && !stream.error();
        if (!json.is_cut) return tl::unexpected(done.error());
    }
    json.bytes = stream.bytes();
    if (!handler.has_events())
        return tl::unexpected(not_in_format("it has no \"traceEvents\": no Chrome trace"));
    return json;
}

}  // namespace callcost::engine
