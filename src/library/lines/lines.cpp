// Cost per source line and per instruction (F73, F79).
#include "callcost/lines.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "lines/sites.hpp"

namespace callcost {
namespace {

struct PlaceKey {
    std::uint32_t slot = 0;  // of the file
    std::uint64_t line = 0;
    std::uint64_t address = 0;
    FunctionId inlined{};  // the inlined code that it is of
    bool operator==(const PlaceKey&) const = default;
    bool operator<(const PlaceKey& b) const {
        return std::tie(slot, line, address) < std::tie(b.slot, b.line, b.address);
    }
};

/// Numbers places in the order in which they come. Open addressing; the seed keeps files from choosing
/// collisions.
class PlaceTable {
  public:
    PlaceTable() : seed_(mix(reinterpret_cast<std::uintptr_t>(this))), index_(256, 0) {}
    PlaceTable(const PlaceTable&) = delete;
    PlaceTable& operator=(const PlaceTable&) = delete;

    std::uint32_t row_of(const PlaceKey& place) {
        if (!places_.empty() && places_[last_] == place) return last_;
        const std::size_t mask = index_.size() - 1;
        std::size_t at = hash(place) & mask;
        for (; index_[at] != 0; at = (at + 1) & mask)
            if (places_[index_[at] - 1] == place) return last_ = index_[at] - 1;
        places_.push_back(place);
        index_[at] = static_cast<std::uint32_t>(places_.size());
        last_ = index_[at] - 1;
        if (places_.size() * 2 > index_.size()) grow();
        return last_;
    }
    [[nodiscard]] const std::vector<PlaceKey>& places() const { return places_; }

  private:
    [[nodiscard]] std::size_t hash(const PlaceKey& place) const {
        const std::uint64_t owner = std::uint64_t{place.inlined.value} << 32U | place.slot;
        return static_cast<std::size_t>(mix(mix(mix(seed_ ^ owner) ^ place.line) ^ place.address));
    }
    void grow() {
        index_.assign(index_.size() * 2, 0);
        const std::size_t mask = index_.size() - 1;
        for (std::size_t row = 0; row < places_.size(); ++row) {
            std::size_t at = hash(places_[row]) & mask;
            while (index_[at] != 0) at = (at + 1) & mask;
            index_[at] = static_cast<std::uint32_t>(row + 1);
        }
    }

    std::uint64_t seed_;
    std::vector<PlaceKey> places_;
    std::vector<std::uint32_t> index_;  // row + 1
    std::uint32_t last_ = 0;
};

/// Adds up records by place.
class PlaceSums {
  public:
    PlaceSums(const CallGraph& graph, std::span<const Measure> measures, SameSite same)
        : graph_(graph), costs_(data_of(graph).columns(), measures), width_(measures.size()), same_(same) {}

    /// Takes the records of a function of the profile in files that `slot_of(file)` does not call no_row.
    template <class SlotOf>
    void add_function(FunctionId function, SlotOf slot_of) {
        const NodeId node = graph_.node_of(function);
        const FileId own_file = graph_.profile().file(function);
        const bool is_by_address = same_ == SameSite::address;
        const bool is_inlined = is_by_address && graph_.profile().inlined_in(function).valid();
        for_each_record(data_of(graph_), function, [&](const Record& record, PartId part) {
            const std::uint32_t slot = slot_of(record.file);
            if (slot == no_row) return;
            const std::uint32_t row =
                places_.row_of({slot, record.line, is_by_address ? record.address : std::uint64_t{0},
                                is_inlined ? function : FunctionId()});
            if (row * width_ >= self_.size()) self_.resize((std::size_t{row} + 1) * width_, 0);
            if (row >= inlined_.size()) inlined_.resize(std::size_t{row} + 1, false);
            switch (record.kind) {
                case Record::Kind::cost:
                    costs_.add(part, record.costs, self_.data() + row * width_);
                    if (record.file != own_file) inlined_[row] = true;
                    break;
                case Record::Kind::call:
                    calls_.push_back({row, call_site_of(graph_, record, costs_.first(part, record.costs))});
                    if (!calls_.back().site.arc.valid()) calls_.pop_back();  // within a group
                    break;
                case Record::Kind::jump:
                    jumps_.push_back({row, jump_site_of(graph_, node, record)});
                    break;
            }
        });
    }

    /// Places so far, those without any cost included.
    [[nodiscard]] std::size_t size() const { return places_.places().size(); }

    /// Calls use(place, self) for all places; the first measure.
    template <class Use>
    void for_each_self(Use use) const {
        for (std::size_t row = 0; row < size(); ++row) use(places_.places()[row], self_[row * width_]);
    }

    /// Calls use(place, self, inlined, calls, jumps) for all places in the order of `precedes_place`, but for
    /// those where nothing costs anything and nothing is called or jumped from.
    template <class Precedes, class Use>
    void finish(Precedes precedes_place, Use use) {
        merge_calls(graph_, calls_, same_);
        merge_jumps(graph_, jumps_, same_);
        const auto& places = places_.places();
        const auto calls =
            group_by<ArcId>(places.size(), calls_.size(), [&](std::size_t i) { return calls_[i].row; });
        const auto jumps =
            group_by<ArcId>(places.size(), jumps_.size(), [&](std::size_t i) { return jumps_[i].row; });
        std::vector<std::uint32_t> order(places.size());
        for (std::uint32_t row = 0; row < order.size(); ++row) order[row] = row;
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return precedes_place(places[a], places[b]); });
        for (const std::uint32_t row : order) {
            std::vector<Cost> self(self_.begin() + static_cast<std::ptrdiff_t>(row * width_),
                                   self_.begin() + static_cast<std::ptrdiff_t>((row + 1) * width_));
            const bool is_free = std::all_of(self.begin(), self.end(), [](Cost cost) { return cost == 0; });
            if (is_free && calls[row].empty() && jumps[row].empty()) continue;
            std::vector<CallSite> calls_here;
            for (const ArcId i : calls[row]) calls_here.push_back(calls_[i.value].site);
            std::vector<JumpSite> jumps_here;
            for (const ArcId i : jumps[row]) jumps_here.push_back(jumps_[i.value].site);
            use(places[row], std::move(self), inlined_[row], std::move(calls_here), std::move(jumps_here));
        }
    }

  private:
    const CallGraph& graph_;
    RecordCosts costs_;
    std::size_t width_;
    SameSite same_;
    PlaceTable places_;
    std::vector<Cost> self_;  // by place and measure
    std::vector<bool> inlined_;
    CallsOfRows calls_;
    JumpsOfRows jumps_;
};

tl::unexpected<Error> needs_detail() {
    return tl::unexpected(Error{.code = ErrorCode::needs_detail, .detail = {}});
}

/// The lines of the files that `sums` has seen; `files` by slot.
std::vector<FileLines> by_file(PlaceSums& sums, std::span<const FileId> files, std::size_t width) {
    std::vector<FileLines> result(files.size());
    for (std::size_t slot = 0; slot < files.size(); ++slot) {
        result[slot].file = files[slot];
        result[slot].self.assign(width, 0);
    }
    sums.finish([](const PlaceKey& a, const PlaceKey& b) { return a < b; },
                [&](const PlaceKey& place, std::vector<Cost> self, bool inlined, std::vector<CallSite> calls,
                    std::vector<JumpSite> jumps) {
                    FileLines& lines = result[place.slot];
                    for (std::size_t i = 0; i < width; ++i) lines.self[i] += self[i];
                    lines.lines.push_back({.line = place.line,
                                           .self = std::move(self),
                                           .inlined = inlined,
                                           .calls = std::move(calls),
                                           .jumps = std::move(jumps)});
                });
    return result;
}

/// `alone` is room for the answer where a node is one function.
std::span<const FunctionId> functions_of(const CallGraph& graph, NodeId node, FunctionId& alone) {
    if (data_of(graph).mapping) return data_of(graph).mapping->functions[node.value];
    alone = graph.function(node);
    return {&alone, 1};
}

}  // namespace

Result<std::vector<FileLines>> file_lines(const CallGraph& graph, std::span<const FileId> files,
                                          MeasureSpan measures) {
    if (graph.profile().detail() != Detail::full) return needs_detail();
    std::vector<std::uint32_t> slots(graph.profile().file_count(), no_row);
    std::vector<FileId> wanted;  // each once
    for (const FileId file : files) {
        if (slots[file.value] != no_row) continue;
        slots[file.value] = static_cast<std::uint32_t>(wanted.size());
        wanted.push_back(file);
    }
    if (wanted.empty()) return std::vector<FileLines>();
    PlaceSums sums(graph, measures, SameSite::line);
    for (std::size_t row = 0; row < graph.profile().function_count(); ++row)
        sums.add_function(FunctionId(row), [&](FileId file) { return slots[file.value]; });
    std::vector<FileLines> lines = by_file(sums, wanted, measures.size());
    if (wanted.size() == files.size()) return lines;
    std::vector<FileLines> repeated;
    for (const FileId file : files) repeated.push_back(lines[slots[file.value]]);
    return repeated;
}

Result<std::vector<FileLines>> function_lines(const CallGraph& graph, NodeId node, MeasureSpan measures) {
    if (graph.profile().detail() != Detail::full) return needs_detail();
    // Few files, but a profile may have many: their slots are found by a search.
    PlaceTable slots;
    PlaceSums sums(graph, measures, SameSite::line);
    FunctionId alone;
    for (const FunctionId function : functions_of(graph, node, alone))
        sums.add_function(function, [&](FileId file) { return slots.row_of({.slot = file.value}); });
    std::vector<FileId> files;
    for (const PlaceKey& key : slots.places()) files.emplace_back(key.slot);
    std::vector<FileLines> lines = by_file(sums, files, measures.size());
    std::erase_if(lines, [](const FileLines& file) { return file.lines.empty(); });
    const FileId own = graph.profile().file(graph.function(node));
    std::sort(lines.begin(), lines.end(), [&](const FileLines& a, const FileLines& b) {
        if ((a.file == own) != (b.file == own)) return a.file == own;
        return graph.profile().name(a.file) < graph.profile().name(b.file);
    });
    return lines;
}

Result<std::vector<InstructionCost>> instructions(const CallGraph& graph, NodeId node, MeasureSpan measures) {
    if (graph.profile().detail() != Detail::full) return needs_detail();
    PlaceSums sums(graph, measures, SameSite::address);
    FunctionId alone;
    for (const FunctionId function : functions_of(graph, node, alone))
        sums.add_function(function, [](FileId file) { return file.value; });
    std::vector<InstructionCost> result;
    result.reserve(sums.size());
    const auto precedes_place = [&](const PlaceKey& a, const PlaceKey& b) {
        if (a.address != b.address) return a.address < b.address;
        if (a.slot != b.slot)
            return graph.profile().name(FileId(a.slot)) < graph.profile().name(FileId(b.slot));
        return a.line != b.line ? a.line < b.line : a.inlined < b.inlined;
    };
    sums.finish(precedes_place, [&](const PlaceKey& place, std::vector<Cost> self, bool,
                                    std::vector<CallSite> calls, std::vector<JumpSite> jumps) {
        result.push_back({.address = place.address,
                          .file = FileId(place.slot),
                          .line = place.line,
                          .inlined = place.inlined,
                          .self = std::move(self),
                          .calls = std::move(calls),
                          .jumps = std::move(jumps)});
    });
    return result;
}

Result<std::vector<Cost>> located_costs(const CallGraph& graph, const Measure& measure) {
    if (graph.profile().detail() != Detail::full) return needs_detail();
    const CallGraph::Data& data = data_of(graph);
    std::vector<Cost> located(graph.profile().file_count(), 0);
    for (std::size_t row = 0; row < data.located->rows(); ++row)
        located[row] = CallGraph::Data::cost_of(*data.located, row, measure);
    return located;
}

namespace {

void sort_by_cost(const Profile& profile, std::vector<FileCost>& files) {
    std::sort(files.begin(), files.end(), [&](const FileCost& a, const FileCost& b) {
        if (a.absolute != b.absolute) return a.absolute > b.absolute;
        return a.cost != b.cost ? a.cost > b.cost : profile.name(a.file) < profile.name(b.file);
    });
}

/// Whether costs of one file may cancel out.
bool may_be_negative(const Profile& profile, const Measure& measure) {
    const auto found = profile.diagnostics();
    return std::any_of(measure.terms.begin(), measure.terms.end(),
                       [](const auto& term) { return term.second < 0; }) ||
           std::any_of(found.begin(), found.end(),
                       [](const Diagnostic& one) { return one.id == DiagnosticId::negative_cost; });
}

/// By file, the absolute costs of its lines.
std::vector<std::uint64_t> absolute_costs(const CallGraph& graph, const Measure& measure) {
    const Profile& profile = graph.profile();
    PlaceSums sums(graph, {&measure, 1}, SameSite::line);
    for (std::size_t row = 0; row < profile.function_count(); ++row)
        sums.add_function(FunctionId(row), [](FileId file) { return file.value; });
    std::vector<std::uint64_t> absolute(profile.file_count(), 0);
    sums.for_each_self([&](const PlaceKey& place, Cost self) { absolute[place.slot] += self.magnitude(); });
    return absolute;
}

}  // namespace

Result<std::vector<FileCost>> files_by_located_cost(const CallGraph& graph, const Measure& measure) {
    const auto located = located_costs(graph, measure);
    if (!located) return tl::unexpected(located.error());
    std::vector<FileCost> files;
    files.reserve(located->size());
    for (std::size_t row = 0; row < located->size(); ++row)
        files.push_back({FileId(row), (*located)[row], (*located)[row].magnitude()});
    if (may_be_negative(graph.profile(), measure)) {
        const auto absolute = absolute_costs(graph, measure);
        for (FileCost& file : files) file.absolute = absolute[file.file.value];
    }
    sort_by_cost(graph.profile(), files);
    return files;
}

std::vector<FileCost> files_by_defined_cost(const CallGraph& graph, const Measure& measure) {
    const Profile& profile = graph.profile();
    std::vector<FileCost> files;
    files.reserve(profile.file_count());
    for (std::size_t row = 0; row < profile.file_count(); ++row) files.push_back({FileId(row), 0, 0});
    for (std::size_t row = 0; row < graph.size(); ++row) {
        FileCost& file = files[profile.file(graph.function(NodeId(row))).value];
        const Cost self = graph.self(NodeId(row), measure);
        file.cost += self;
        file.absolute += self.magnitude();
    }
    sort_by_cost(profile, files);
    return files;
}

std::size_t covering(std::span<const FileCost> files, double share, Cost total) {
    auto whole = static_cast<double>(total);
    if (std::any_of(files.begin(), files.end(), [](const FileCost& file) {
            return file.cost < 0 || file.cost.magnitude() != file.absolute;
        }))
        whole = std::accumulate(files.begin(), files.end(), 0.0, [](double sum, const FileCost& file) {
            return sum + static_cast<double>(file.absolute);
        });
    return rows_that_cover(files.size(), share, whole, [&](std::size_t i) { return files[i].absolute; });
}

CostInText cost_in_text(const FileLines& file, std::uint64_t line_count) {
    CostInText cost;
    for (const LineCost& line : file.lines) {
        Cost& share = line.line == 0 ? cost.no_line : line.line > line_count ? cost.past_end : cost.lines;
        share += line.self.front();
    }
    return cost;
}

}  // namespace callcost
