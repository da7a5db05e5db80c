// V8's .cpuprofile (`node --cpu-prof`, Chrome DevTools): a JSON object with a tree of nodes, each of which is
// a function in a stack, and with the nodes that were sampled.
// https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile
#include <algorithm>
#include <utility>

#include "importers/cpuprofile_json.hpp"
#include "importers/import_input.hpp"
#include "importers/imported_stacks.hpp"
#include "importers/importers.hpp"
#include "importers/stack_trees.hpp"

namespace callcost::engine {
namespace {

class CpuProfileImport {
  public:
    CpuProfileImport(CpuProfileJson json, const ImportOptions& options)
        : json_(std::move(json)), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::cpuprofile;
        times_.resize(json_.nodes.size(), 0);
        sampled_.resize(json_.nodes.size(), 0);
        number_nodes();
        find_parents();
        name_functions();
        take_samples();
        if (has_times_) time_event_ = profile_.event("Time", "microseconds");
        hits_event_ = profile_.event("hits", {});
        const auto circles =
            add_stack_trees(profile_, parents_, frames_, [&](std::uint32_t node) { add_costs(node); });
        if (circles != 0) note(notes_, ImportOddity::cyclic_nodes, 0, circles);
        if (auto done = profile_.write({.unknown_count_as_one = options_.unknown_count_as_one}, sink); !done)
            return tl::unexpected(done.error());
        return std::move(notes_);
    }

  private:
    void number_nodes() {
        for (std::uint32_t row = 0; row < json_.nodes.size(); ++row) {
            if (ids_.row(static_cast<std::uint64_t>(json_.nodes[row].id)) == ids_rows_.size())
                ids_rows_.push_back(row);
            else
                note(notes_, ImportOddity::duplicate_id);
        }
    }

    [[nodiscard]] std::uint32_t node_of(std::int64_t id) {
        const std::uint32_t row = ids_.find(static_cast<std::uint64_t>(id));
        if (row == no_row) note(notes_, ImportOddity::invalid_reference);
        return row == no_row ? no_row : ids_rows_[row];
    }

    // By `children`, or by `parent`: the first that says so.
    void find_parents() {
        parents_.assign(json_.nodes.size(), no_row);
        for (std::uint32_t row = 0; row < json_.nodes.size(); ++row) {
            const auto& node = json_.nodes[row];
            if (node.has_parent) set_parent(row, node_of(node.parent));
            for (std::size_t i = 0; i < node.children; ++i)
                if (const auto child = node_of(json_.children[node.first_child + i]); child != no_row)
                    set_parent(child, row);
        }
    }

    void set_parent(std::uint32_t node, std::uint32_t parent) {
        if (parent == no_row || parents_[node] == parent) return;
        if (parents_[node] == no_row)
            parents_[node] = parent;
        else
            note(notes_, ImportOddity::duplicate_id);
    }

    // V8 tells functions apart by place; here name and file must do.
    void name_functions() {
        KeyRows named, lines;                                // (name, url), (named, line)
        std::vector<std::uint32_t> line_of, column_of_line;  // by their rows: the first seen
        std::vector<char> has_many_lines, has_many_columns;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;
        for (const auto& node : json_.nodes) {
            const std::uint32_t by_name = named.row(key_of(node.name, node.url));
            if (by_name == line_of.size()) {
                line_of.push_back(node.line);
                has_many_lines.push_back(0);
            }
            if (line_of[by_name] != node.line) has_many_lines[by_name] = 1;
            const std::uint32_t by_line = lines.row(key_of(by_name, node.line));
            if (by_line == column_of_line.size()) {
                column_of_line.push_back(node.column);
                has_many_columns.push_back(0);
            }
            if (column_of_line[by_line] != node.column) has_many_columns[by_line] = 1;
            rows.emplace_back(by_name, by_line);
        }
        for (std::size_t row = 0; row < json_.nodes.size(); ++row) {
            const auto& node = json_.nodes[row];
            std::string name = json_.names[node.name];
            const bool is_anonymous = name.empty();
            if (is_anonymous) name = "(anonymous)";
            const bool has_columns = has_many_columns[rows[row].second] != 0;
            const bool has_lines = is_anonymous || has_many_lines[rows[row].first] != 0;
            if ((has_lines || has_columns) && node.line != 0) name += ":" + std::to_string(node.line);
            if (has_columns && node.line != 0) name += ":" + std::to_string(node.column);
            frames_.push_back({.function = profile_.function({}, json_.names[node.url], name, node.line),
                               .place = profile_.place({}, node.line)});
        }
    }

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
            const std::uint32_t node = node_of(json_.samples[i]);
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

    CpuProfileJson json_;
    const ImportOptions& options_;
    ImportNotes notes_;
    StackProfile profile_{options_.stacks};
    std::uint32_t time_event_ = 0, hits_event_ = 0;
    bool has_times_ = false;

    KeyRows ids_;
    std::vector<std::uint32_t> ids_rows_;  // nodes by the row of their id
    std::vector<std::uint32_t> parents_;
    std::vector<StackFrame> frames_;    // by node, as the next two
    std::vector<std::uint64_t> times_;  // microseconds
    std::vector<std::uint64_t> sampled_;
};

}  // namespace

Result<ImportNotes> import_cpuprofile(const Source& source, const ImportOptions& options, const Sink& sink) {
    Result<CpuProfileJson> json = read_cpuprofile_json(source);
    if (!json) return tl::unexpected(json.error());
    return CpuProfileImport(std::move(*json), options).run(sink);
}

}  // namespace callcost::engine
