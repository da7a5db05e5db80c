// V8's .cpuprofile (`node --cpu-prof`, Chrome DevTools): a JSON object with a tree of nodes, each of which is
// a function in a stack, and with the nodes that were sampled. Before 2016 the nodes were nested.
// https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile
#include <algorithm>
#include <utility>

#include "importers/import_input.hpp"
#include "importers/imported_stacks.hpp"
#include "importers/importers.hpp"
#include "importers/stack_trees.hpp"
#include "importers/v8_json.hpp"
#include "importers/v8_nodes.hpp"

namespace callcost::engine {
namespace {

class CpuProfileImport {
  public:
    CpuProfileImport(V8Json json, const ImportOptions& options) : json_(std::move(json)), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::cpuprofile;
        times_.resize(json_.nodes.size(), 0);
        sampled_.resize(json_.nodes.size(), 0);
        take_samples();
        if (has_times_) time_event_ = profile_.event("Time", "microseconds");
        hits_event_ = profile_.event("hits", {});
        const auto circles = add_stack_trees(profile_, nodes_.callers(), nodes_.frames(),
                                             [&](std::uint32_t node) { add_costs(node); });
        if (circles != 0) note(notes_, ImportOddity::cyclic_nodes, 0, circles);
        if (auto done = profile_.write({.unknown_count_as_one = options_.unknown_count_as_one}, sink); !done)
            return tl::unexpected(done.error());
        return std::move(notes_);
    }

  private:
    /// How long each node was sampled. The first time is from the beginning of the profile, the others are
    /// from the sample before; they may be out of order.
    void take_samples() {
        const std::size_t count = std::min(json_.samples.size(), json_.time_deltas.size());
        if (json_.samples.size() != json_.time_deltas.size() && !json_.time_deltas.empty())
            note(notes_, ImportOddity::missing_samples, 0,
                 std::max(json_.samples.size(), json_.time_deltas.size()) - count);
        has_times_ = count != 0;
        std::vector<std::pair<std::uint64_t, std::uint32_t>> order;  // time, from an unknown one on; node
        std::uint64_t time = std::uint64_t{1} << 63U;  // so that times before the first are below it
        for (std::size_t i = 0; i < json_.samples.size(); ++i) {
            const std::uint32_t node = nodes_.row(json_.samples[i]);
            if (node != no_row) ++sampled_[node];
            if (i >= count) continue;
            time += static_cast<std::uint64_t>(json_.time_deltas[i]);
            order.emplace_back(time, node);
        }
        if (count == 0) return;
        const std::uint64_t begin = std::uint64_t{1} << 63U;
        std::stable_sort(order.begin(), order.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        if (order[0].first > begin)
            note(notes_, ImportOddity::time_before_samples, 0, order[0].first - begin);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t length =
                i + 1 < count ? order[i + 1].first - order[i].first : last_length(order[i].first - begin);
            if (order[i].second != no_row) times_[order[i].second] += length;
        }
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
            profile_.add({.event = time_event_, .cost = static_cast<std::int64_t>(times_[row])});
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
                            {.event = hits_event_, .cost = static_cast<std::int64_t>(ticks)});
        }
        if (left != 0) profile_.add({.event = hits_event_, .cost = static_cast<std::int64_t>(left)});
    }

    V8Json json_;
    const ImportOptions& options_;
    ImportNotes notes_;
    StackProfile profile_{options_.stacks};
    std::uint32_t time_event_ = 0, hits_event_ = 0;
    bool has_times_ = false;

    V8Nodes nodes_{json_, profile_, notes_};
    std::vector<std::uint64_t> times_, sampled_;  // by node; microseconds, samples
};

}  // namespace

Result<ImportNotes> import_cpuprofile(const Source& source, const ImportOptions& options, const Sink& sink) {
    Result<V8Json> json = read_v8_json(source);
    if (!json) return tl::unexpected(json.error());
    if (!json->has_nodes && json->is_trace)
        return tl::unexpected(not_in_format("this is a trace: save only the profile, as .cpuprofile"));
    if (json->has_sizes) return tl::unexpected(not_in_format("its nodes have sizes: this is a .heapprofile"));
    if (!json->has_nodes)
        return tl::unexpected(not_in_format("it has no \"nodes\" and no \"head\": no .cpuprofile"));
    return CpuProfileImport(std::move(*json), options).run(sink);
}

}  // namespace callcost::engine
