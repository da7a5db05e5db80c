#include "importers/cpuprofile_json.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "importers/import_input.hpp"
#include "importers/json_input.hpp"

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
    deltas,
    other
};

Kind kind_of(Kind parent, std::string_view key, bool is_array) {
    if (parent == Kind::outside) return is_array ? Kind::other : Kind::profile;
    if (parent == Kind::nodes) return is_array ? Kind::other : Kind::node;
    if (parent == Kind::ticks) return is_array ? Kind::other : Kind::tick;
    if (parent == Kind::node && !is_array) return key == "callFrame" ? Kind::call_frame : Kind::other;
    if (parent == Kind::node && key == "children") return Kind::children;
    if (parent == Kind::node && key == "positionTicks") return Kind::ticks;
    if (parent == Kind::call_frame && is_array && key == "lineTicks") return Kind::ticks;
    if (parent == Kind::profile && is_array) {
        if (key == "nodes") return Kind::nodes;
        if (key == "samples") return Kind::samples;
        if (key == "timeDeltas") return Kind::deltas;
    }
    return Kind::other;
}

/// From 0 as V8 counts to 1; -1 is unknown.
std::uint32_t place_from(std::int64_t number) {
    return number < 0 || number >= UINT32_MAX ? 0 : static_cast<std::uint32_t>(number + 1);
}

std::uint64_t count_from(std::int64_t number) { return number < 0 ? 0 : static_cast<std::uint64_t>(number); }

/// Takes what the parser finds. The containers that are open are a stack: the depth is the input's to choose.
class Handler : public JsonHandler<Handler> {
  public:
    explicit Handler(CpuProfileJson& json) : json_(json) {}

    [[nodiscard]] bool has_nodes() const { return has_nodes_; }

    /// v8-profiler-next counts lines and columns from 1, and 0 is unknown; only its files have a type.
    void finish() {
        if (!has_type_) return;
        for (CpuProfileNode& node : json_.nodes) {
            if (node.line != 0) --node.line;
            if (node.column != 0) --node.column;
        }
    }

    [[nodiscard]] bool is_trace() const { return is_trace_; }

    void begin(bool is_array) {
        const Kind kind = kind_of(this->kind(), key_, is_array);
        open_.push_back(kind);
        if (kind == Kind::nodes) has_nodes_ = true;
        if (kind == Kind::node) {
            json_.nodes.emplace_back();
            json_.nodes.back().first_child = json_.children.size();
            json_.nodes.back().first_tick = json_.ticks.size();
        }
        if (kind == Kind::tick) json_.ticks.emplace_back();
    }

    void end() {
        const Kind kind = this->kind();
        open_.pop_back();
        if (kind == Kind::node) {
            CpuProfileNode& node = json_.nodes.back();
            node.children = json_.children.size() - node.first_child;
            node.ticks = json_.ticks.size() - node.first_tick;
        }
    }

    void key(std::string_view text) {
        key_ = text;
        if (kind() != Kind::profile) return;
        if (key_ == "typeId") has_type_ = true;
        if (key_ == "traceEvents") is_trace_ = true;
    }

    void text(std::string_view text) {
        if (kind() != Kind::call_frame) return;
        if (key_ == "functionName") json_.nodes.back().name = json_.names.row(text);
        if (key_ == "url") json_.nodes.back().url = json_.names.row(text);
    }

    // Times may have decimals: DevTools once wrote seconds' fractions.
    void number(JsonNumber number) { number_is(number.rounded()); }

  private:
    [[nodiscard]] Kind kind() const { return open_.empty() ? Kind::outside : open_.back(); }

    void number_is(std::int64_t number) {
        switch (kind()) {
            case Kind::samples:
                json_.samples.push_back(number);
                break;
            case Kind::deltas:
                json_.time_deltas.push_back(number);
                break;
            case Kind::children:
                json_.children.push_back(number);
                break;
            case Kind::tick:
                if (key_ == "line") json_.ticks.back().line = count_from(number);
                if (key_ == "ticks" || key_ == "hitCount") json_.ticks.back().ticks = count_from(number);
                break;
            case Kind::call_frame:
                if (key_ == "lineNumber") json_.nodes.back().line = place_from(number);
                if (key_ == "columnNumber") json_.nodes.back().column = place_from(number);
                break;
            case Kind::node:
                set_node_number(json_.nodes.back(), number);
                break;
            case Kind::profile:
                if (key_ == "startTime") json_.start_time = number;
                if (key_ == "endTime") json_.end_time = number;
                break;
            default:
                break;
        }
    }

    void set_node_number(CpuProfileNode& node, std::int64_t number) {
        if (key_ == "id") node.id = number;
        if (key_ == "parent") {
            node.parent = number;
            node.has_parent = true;
        }
        if (key_ == "hitCount") {
            node.hits = count_from(number);
            json_.has_hit_counts = true;
        }
    }

    CpuProfileJson& json_;
    std::vector<Kind> open_;
    std::string key_;
    bool has_nodes_ = false, has_type_ = false, is_trace_ = false;
};

}  // namespace

Result<CpuProfileJson> read_cpuprofile_json(const Source& source) {
    CpuProfileJson json;
    Handler handler(json);
    JsonStream stream(source);
    if (auto done = read_json(stream, handler); !done) return tl::unexpected(done.error());
    handler.finish();
    if (!handler.has_nodes())
        return tl::unexpected(not_in_format(handler.is_trace()
                                                ? "this is a trace: save only the profile, as .cpuprofile"
                                                : "it has no \"nodes\": no .cpuprofile, or one of before "
                                                  "2016 (Chrome 58 and Node.js 8 write this one)"));
    return json;
}

}  // namespace callcost::engine
