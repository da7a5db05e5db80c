#include "json_importers/v8_json.hpp"

#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "encodings/json_input.hpp"

namespace callcost::engine {
namespace {

/// What an object or array is, by the keys that lead to it.
enum class Kind : std::uint8_t {
    outside,
    profile,
    nodes,
    node,
    call_frame,
    children,
    ticks,
    tick,
    samples,
    sample,
    deltas,
    timestamps,
    other
};

enum class V8Key : std::uint8_t {
    other,
    nodes,
    head,
    samples,
    time_deltas,
    timestamps,
    start_time,
    end_time,
    type_id,
    trace_events,
    call_frame,
    children,
    position_ticks,
    line_ticks,
    function_name,
    url,
    line_number,
    column_number,
    id,
    parent,
    hit_count,
    self_size,
    node_id,
    line,
    ticks,
};

struct V8KeyName {
    std::string_view text;
    V8Key key;
};
/// By their length.
constexpr std::array v8_keys{V8KeyName{"id", V8Key::id},
                             V8KeyName{"url", V8Key::url},
                             V8KeyName{"line", V8Key::line},
                             V8KeyName{"head", V8Key::head},
                             V8KeyName{"ticks", V8Key::ticks},
                             V8KeyName{"nodes", V8Key::nodes},
                             V8KeyName{"nodeId", V8Key::node_id},
                             V8KeyName{"parent", V8Key::parent},
                             V8KeyName{"typeId", V8Key::type_id},
                             V8KeyName{"endTime", V8Key::end_time},
                             V8KeyName{"samples", V8Key::samples},
                             V8KeyName{"children", V8Key::children},
                             V8KeyName{"selfSize", V8Key::self_size},
                             V8KeyName{"hitCount", V8Key::hit_count},
                             V8KeyName{"callFrame", V8Key::call_frame},
                             V8KeyName{"startTime", V8Key::start_time},
                             V8KeyName{"lineTicks", V8Key::line_ticks},
                             V8KeyName{"lineNumber", V8Key::line_number},
                             V8KeyName{"timeDeltas", V8Key::time_deltas},
                             V8KeyName{"timestamps", V8Key::timestamps},
                             V8KeyName{"traceEvents", V8Key::trace_events},
                             V8KeyName{"functionName", V8Key::function_name},
                             V8KeyName{"columnNumber", V8Key::column_number},
                             V8KeyName{"positionTicks", V8Key::position_ticks}};

/// Where keys of a length begin.
constexpr auto v8_keys_by_length = [] {
    std::array<std::uint8_t, v8_keys.back().text.size() + 2> begins{};
    for (std::size_t length = 0; length < begins.size(); ++length)
        for (const V8KeyName& one : v8_keys)
            if (one.text.size() < length) ++begins[length];
    return begins;
}();

V8Key v8_key(std::string_view text) {
    if (text.size() + 1 >= v8_keys_by_length.size()) return V8Key::other;
    for (std::size_t i = v8_keys_by_length[text.size()]; i < v8_keys_by_length[text.size() + 1]; ++i)
        if (std::memcmp(v8_keys[i].text.data(), text.data(), text.size()) == 0) return v8_keys[i].key;
    return V8Key::other;
}

Kind kind_of_array(Kind parent, V8Key key) {
    if (parent == Kind::node && key == V8Key::children) return Kind::children;
    if (parent == Kind::node && key == V8Key::position_ticks) return Kind::ticks;
    if ((parent == Kind::call_frame || parent == Kind::node) && key == V8Key::line_ticks) return Kind::ticks;
    if (parent != Kind::profile) return Kind::other;
    if (key == V8Key::nodes) return Kind::nodes;
    if (key == V8Key::samples) return Kind::samples;
    if (key == V8Key::time_deltas) return Kind::deltas;
    return key == V8Key::timestamps ? Kind::timestamps : Kind::other;
}

Kind kind_of_object(Kind parent, V8Key key) {
    switch (parent) {
        case Kind::outside:
            return Kind::profile;
        case Kind::nodes:
        case Kind::children:
            return Kind::node;
        case Kind::profile:
            return key == V8Key::head ? Kind::node : Kind::other;
        case Kind::node:
            return key == V8Key::call_frame ? Kind::call_frame : Kind::other;
        case Kind::ticks:
            return Kind::tick;
        case Kind::samples:
            return Kind::sample;
        default:
            return Kind::other;
    }
}

std::uint64_t count_from(std::int64_t number) { return number < 0 ? 0 : static_cast<std::uint64_t>(number); }

/// Takes what the parser finds. The containers and nodes that are open are stacks: the depth is the input's
/// to choose.
class Handler : public JsonHandler<Handler> {
  public:
    explicit Handler(V8Json& json) : json_(json) {}

    void finish() {
        if (!timestamps_.empty()) set_times();
        if (!counts_from_1()) return;
        for (V8Node& node : json_.nodes) {
            if (node.line != 0) --node.line;
            if (node.column != 0) --node.column;
        }
    }

    void begin(bool is_array) {
        const Kind kind = is_array ? kind_of_array(this->kind(), key_) : kind_of_object(this->kind(), key_);
        if (kind == Kind::nodes || kind == Kind::node) json_.has_nodes = true;
        if (kind == Kind::node) begin_node();
        if (kind == Kind::children) {
            node().first_child = json_.children.size();
            node().children = 0;
        }
        if (kind == Kind::ticks) {
            node().first_tick = json_.ticks.size();
            node().ticks = 0;
        }
        if (kind == Kind::tick) {
            json_.ticks.emplace_back();
            ++node().ticks;
        }
        open_.push_back(kind);
        key_ = V8Key::other;
    }

    void end() {
        if (kind() == Kind::node) open_nodes_.pop_back();
        open_.pop_back();
    }

    void key(std::string_view text) {
        key_ = v8_key(text);
        if (kind() != Kind::profile) return;
        if (key_ == V8Key::type_id) has_type_ = true;
        if (key_ == V8Key::trace_events) json_.is_trace = true;
    }

    void text(std::string_view text) {
        if (kind() != Kind::call_frame && kind() != Kind::node) return;
        if (key_ == V8Key::function_name) node().name = json_.names.row(text);
        if (key_ == V8Key::url) node().url = json_.names.row(text);
    }

    // Times may have decimals: DevTools once wrote seconds' fractions.
    void number(JsonNumber number) { number_is(number.rounded()); }

  private:
    [[nodiscard]] Kind kind() const { return open_.empty() ? Kind::outside : open_.back(); }
    [[nodiscard]] V8Node& node() { return json_.nodes[open_nodes_.back()]; }

    void begin_node() {
        const std::uint32_t caller = kind() == Kind::children ? open_nodes_.back() : no_row;
        if (kind() == Kind::profile) is_nested_ = true;
        open_nodes_.push_back(static_cast<std::uint32_t>(json_.nodes.size()));
        json_.nodes.emplace_back();
        node().caller = caller;
    }

    /// Where nodes are nested, times are when samples were taken; the begin and end of the profile are in
    /// seconds, which say nothing of them.
    void set_times() {
        json_.start_time = json_.end_time = 0;
        json_.time_deltas.clear();
        std::int64_t before = timestamps_[0];
        for (const std::int64_t time : timestamps_)
            json_.time_deltas.push_back(static_cast<std::int64_t>(
                static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(std::exchange(before, time))));
    }

    /// V8 did while it nested the nodes of CPU profiles. v8-profiler-next does: its CPU profiles have a type,
    /// its heap profiles have nodes without ids, and the root in line 0.
    [[nodiscard]] bool counts_from_1() const {
        if (json_.nodes.empty()) return false;
        if (!json_.has_sizes) return has_type_ || is_nested_;
        return !json_.nodes[0].has_id && json_.nodes[0].line == 1;
    }

    void number_is(std::int64_t number) {
        switch (kind()) {
            case Kind::samples:
                json_.samples.push_back(number);
                break;
            case Kind::sample:
                if (key_ == V8Key::node_id) json_.samples.push_back(number);
                break;
            case Kind::deltas:
                json_.time_deltas.push_back(number);
                break;
            case Kind::timestamps:
                timestamps_.push_back(number);
                break;
            case Kind::children:
                add_child(number);
                break;
            case Kind::tick:
                if (key_ == V8Key::line) json_.ticks.back().line = count_from(number);
                if (key_ == V8Key::ticks || key_ == V8Key::hit_count)
                    json_.ticks.back().ticks = count_from(number);
                break;
            case Kind::call_frame:
            case Kind::node:
                set_node_number(node(), number);
                break;
            case Kind::profile:
                if (key_ == V8Key::start_time) json_.start_time = number;
                if (key_ == V8Key::end_time) json_.end_time = number;
                break;
            default:
                break;
        }
    }

    /// Ids follow one another: none behind nodes, which may have ids of their own.
    void add_child(std::int64_t id) {
        if (node().first_child + node().children != json_.children.size()) return;
        json_.children.push_back(id);
        ++node().children;
    }

    void set_node_number(V8Node& node, std::int64_t number) {
        switch (key_) {
            case V8Key::line_number:
                node.line = place_from(number);
                break;
            case V8Key::column_number:
                node.column = place_from(number);
                break;
            case V8Key::id:
                node.id = number;
                node.has_id = true;
                break;
            case V8Key::parent:
                node.parent = number;
                node.has_parent = true;
                break;
            case V8Key::hit_count:
                node.hits = count_from(number);
                json_.has_hit_counts = true;
                break;
            case V8Key::self_size:
                node.size = number;
                json_.has_sizes = true;
                break;
            default:
                break;
        }
    }

    V8Json& json_;
    std::vector<Kind> open_;
    std::vector<std::uint32_t> open_nodes_;  // rows
    std::vector<std::int64_t> timestamps_;   // microseconds
    V8Key key_ = V8Key::other;
    bool has_type_ = false, is_nested_ = false;
};

}  // namespace

Result<V8Json> read_v8_json(const Source& source) {
    V8Json json;
    Handler handler(json);
    JsonStream stream(source);
    if (auto done = read_json(stream, handler); !done) return tl::unexpected(done.error());
    handler.finish();
    return json;
}

}  // namespace callcost::engine
