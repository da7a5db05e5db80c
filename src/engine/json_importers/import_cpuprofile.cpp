// V8's .cpuprofile (`node --cpu-prof`, Chrome DevTools): a JSON object with a tree of nodes, each of which is
// a function in a stack, and with the nodes that were sampled. Before 2016 the nodes were nested.
// https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "encodings/import_input.hpp"
#include "import_model/imported_stacks.hpp"
#include "import_model/stack_trees.hpp"
#include "json_importers/cpuprofile_stacks.hpp"
#include "json_importers/json_importers.hpp"
#include "json_importers/v8_json.hpp"
#include "json_importers/v8_nodes.hpp"

namespace callcost::engine {
namespace {

class CpuProfileStacks {
  public:
    CpuProfileStacks(const V8Json& json, CpuProfileEvents events, StackProfile& profile, ImportNotes& notes)
        : json_(json), events_(events), profile_(profile), notes_(notes) {}

    void add() {
        times_.resize(json_.nodes.size(), 0);
        sampled_.resize(json_.nodes.size(), 0);
        take_samples();
        const auto circles = add_stack_trees(profile_, nodes_.callers(), nodes_.frames(),
                                             [&](std::uint32_t node) { add_costs(node); });
        if (circles != 0) note(notes_, ImportOddity::cyclic_nodes, 0, circles);
    }

  private:
    struct TimedSample {
        std::uint64_t time = first_time;
        std::uint32_t node = no_row;
    };
    /// When the profile began, which is unknown: so that times before it are below it.
    static constexpr std::uint64_t first_time = std::uint64_t{1} << 63U;

    /// How long each node was sampled. The first time is from the beginning of the profile, the others are
    /// from the sample before; they may be out of order.
    void take_samples() {
        const std::size_t count = std::min(json_.samples.size(), json_.time_deltas.size());
        if (json_.samples.size() != json_.time_deltas.size() && !json_.time_deltas.empty())
            note(notes_, ImportOddity::missing_samples, 0,
                 std::max(json_.samples.size(), json_.time_deltas.size()) - count);
        const bool is_in_order = are_in_order(std::span(json_.time_deltas).first(count));
        std::vector<TimedSample> others;
        std::uint64_t time = first_time;
        for (std::size_t i = 0; i < json_.samples.size(); ++i) {
            const std::uint32_t node = nodes_.row(json_.samples[i]);
            if (node != no_row) ++sampled_[node];
            if (i >= count) continue;
            time += static_cast<std::uint64_t>(json_.time_deltas[i]);
            if (is_in_order)
                take({.time = time, .node = node});
            else
                others.push_back({.time = time, .node = node});
        }
        std::stable_sort(others.begin(), others.end(),
                         [](const TimedSample& a, const TimedSample& b) { return a.time < b.time; });
        for (const TimedSample& sample : others) take(sample);
        if (first_ && *first_ > first_time)
            note(notes_, ImportOddity::time_before_samples, 0, *first_ - first_time);
        if (last_.node != no_row) times_[last_.node] += last_length(last_.time - first_time);
    }

    [[nodiscard]] static bool are_in_order(std::span<const std::int64_t> deltas) {
        std::uint64_t time = first_time;
        for (std::size_t i = 0; i < deltas.size(); ++i) {
            const std::uint64_t before = time;
            time += static_cast<std::uint64_t>(deltas[i]);
            if (i != 0 && time < before) return false;
        }
        return true;
    }

    /// The next one by time.
    void take(TimedSample sample) {
        if (!first_) first_ = sample.time;
        if (last_.node != no_row) times_[last_.node] += sample.time - last_.time;
        last_ = sample;
    }

    /// From the last sample to the end of the profile, if that is known.
    [[nodiscard]] std::uint64_t last_length(std::uint64_t since_begin) const {
        const auto whole =
            static_cast<std::uint64_t>(json_.end_time) - static_cast<std::uint64_t>(json_.start_time);
        const bool is_known = json_.end_time > json_.start_time && whole < INT64_MAX && since_begin < whole;
        return is_known ? whole - since_begin : 0;
    }

    void add_costs(std::uint32_t row) {
        const auto& node = json_.nodes[row];
        if (times_[row] != 0)
            profile_.add({.event = events_.time, .cost = static_cast<std::int64_t>(times_[row])});
        const std::uint64_t hits = json_.has_hit_counts ? node.hits : sampled_[row];
        notes_.samples += hits;
        std::uint64_t left = hits;
        for (std::size_t i = 0; i < node.ticks; ++i) {
            const std::uint64_t ticks = json_.ticks[node.first_tick + i].ticks;
            if (ticks > left) {
                note(notes_, ImportOddity::ticks_mismatch);
                break;
            }
            left -= ticks;
            profile_.add_at(profile_.place({}, json_.ticks[node.first_tick + i].line),
                            {.event = events_.hits, .cost = static_cast<std::int64_t>(ticks)});
        }
        if (left != 0) profile_.add({.event = events_.hits, .cost = static_cast<std::int64_t>(left)});
    }

    const V8Json& json_;
    CpuProfileEvents events_;
    StackProfile& profile_;
    ImportNotes& notes_;

    V8Nodes nodes_{json_, profile_, notes_};
    std::vector<std::uint64_t> times_, sampled_;  // by node; microseconds, samples
    TimedSample last_;
    std::optional<std::uint64_t> first_;  // time
};

CpuProfileEvents name_events(const V8Json& json, StackProfile& profile) {
    CpuProfileEvents events;
    if (!json.samples.empty() && !json.time_deltas.empty())
        events.time = profile.event("Time", "microseconds");
    events.hits = profile.event("hits", {});
    return events;
}

}  // namespace

void add_cpuprofile(const V8Json& json, CpuProfileEvents events, StackProfile& profile, ImportNotes& notes) {
    CpuProfileStacks(json, events, profile, notes).add();
}

Result<ImportNotes> import_cpuprofile(const Source& source, const ImportOptions& options, const Sink& sink) {
    const Result<V8Json> json = read_v8_json(source);
    if (!json) return tl::unexpected(json.error());
    if (!json->has_nodes && json->is_trace)
        return tl::unexpected(not_in_format("this is a trace: --from chrome-trace reads it"));
    if (json->has_sizes) return tl::unexpected(not_in_format("its nodes have sizes: this is a .heapprofile"));
    if (!json->has_nodes)
        return tl::unexpected(not_in_format("it has no \"nodes\" and no \"head\": no .cpuprofile"));
    ImportNotes notes;
    notes.format = ImportFormat::cpuprofile;
    notes.kind = "V8 CPU profile";
    StackProfile profile(options.stacks);
    add_cpuprofile(*json, name_events(*json, profile), profile, notes);
    if (auto done = profile.write({.unknown_count_as_one = options.unknown_count_as_one}, sink); !done)
        return tl::unexpected(done.error());
    return notes;
}

}  // namespace callcost::engine
