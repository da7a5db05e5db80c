// Which source lines cost most, over all functions (F73, F79).
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "callcost/tree.hpp"
#include "lines/sites.hpp"

namespace callcost {
namespace {

/// What one function costs on one line.
struct Piece {
    FileId file;
    std::uint64_t line = 0;
    FunctionId function;
    NodeId at;                // where it was inlined, if it counts there; else its node
    std::uint32_t costs = 0;  // row of the table of costs
};

/// What of a profile is not the program's own code.
class SystemCode {
  public:
    SystemCode(const Profile& profile, const LinesOptions& options) {
        for (std::size_t row = 0; options.is_system_file && row < profile.file_count(); ++row)
            files_.push_back(options.is_system_file(FileId(row)));
        for (std::size_t row = 0; options.is_system_object && row < profile.object_count(); ++row)
            objects_.push_back(options.is_system_object(ObjectId(row)));
    }
    [[nodiscard]] bool is_known() const { return !files_.empty() || !objects_.empty(); }
    [[nodiscard]] bool has(FileId file, ObjectId object) const {
        return (!files_.empty() && files_[file.value]) || (!objects_.empty() && objects_[object.value]);
    }

  private:
    std::vector<bool> files_, objects_;
};

class LineSums {
  public:
    LineSums(const CallGraph& graph, const LinesOptions& options, const SystemCode& system)
        : graph_(graph),
          width_(options.measures.size()),
          stride_(options.with_calls && options.kept.empty() ? 2 * width_ : width_),
          system_(system),
          kept_(options.kept),
          is_by_function_(!kept_.empty() && std::none_of(kept_.begin(), kept_.end(),
                                                         [](const FilteredCosts* kept) {
                                                             return kept->self_of_functions.least.empty();
                                                         })),
          measures_(options.measures),
          costs_(data_of(graph).columns(), options.measures) {}

    /// Memory is taken for the lines of all functions, and for the cost lines of one.
    void add_function(NodeId node, FunctionId function) {
        const std::size_t begin = pieces_.size();
        const auto place = place_of_inlined(function);
        const auto& data = data_of(graph_);
        const auto object = graph_.profile().object(function);
        const FunctionId paid = is_by_function_ ? function : graph_.function(node);
        auto last = Piece{};
        for_each_record(data, function, [&](const Record& record, PartId part) {
            const bool is_cost = record.kind == Record::Kind::cost;
            if (!is_cost && (stride_ == width_ || record.kind == Record::Kind::jump)) return;
            const bool is_elsewhere = place.in.valid() && system_.has(record.file, object);
            // The call that stands for inlined code has all of its cost.
            const bool is_in_call = is_elsewhere && data.inlined;
            if (!is_cost && (is_in_call || is_counted_again(data, record.arc))) return;
            const auto file = is_elsewhere ? place.file : record.file;
            const auto line = is_elsewhere ? place.line : record.line;
            if (!last.file.valid() || file != last.file || line != last.line) {
                const auto at = is_elsewhere ? graph_.node_of(place.in) : node;
                last = {file, line, paid, at, static_cast<std::uint32_t>(pieces_.size())};
                pieces_.push_back(last);
                sums_.resize(sums_.size() + stride_, 0);
            }
            Cost* const sums = sums_.data() + std::size_t{last.costs} * stride_;
            if (is_cost) costs_.add(part, record.costs, sums);
            if (stride_ > width_ && !is_in_call) costs_.add(part, record.costs, sums + width_);
        });
        add_up(begin);
        if (!is_by_function_) return;
        wholes_.resize(std::max(wholes_.size(), (std::size_t{function.value} + 1) * width_));
        for (std::size_t row = begin; row < pieces_.size(); ++row)
            for (std::size_t k = 0; k < width_; ++k)
                wholes_[function.value * width_ + k] += sums_[row * stride_ + k];
    }

    /// Calls f(line) for all lines that cost anything, in no special order. The object is used again: copy it
    /// to keep it.
    template <class F>
    void for_each_line(F f) {
        std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) {
            return std::tie(a.file, a.line, a.at, a.function, a.costs) <
                   std::tie(b.file, b.line, b.at, b.function, b.costs);
        });
        HotLine line;
        for (std::size_t begin = 0; begin < pieces_.size();) {
            std::size_t end = begin;
            while (end < pieces_.size() && pieces_[end].file == pieces_[begin].file &&
                   pieces_[end].line == pieces_[begin].line)
                ++end;
            fill(line, std::span(pieces_).subspan(begin, end - begin));
            if (line.functions != 0) f(std::as_const(line));
            begin = end;
        }
    }

  private:
    /// The nearest one that is not in a file of the system, or else the outermost; nothing if it is not
    /// known.
    [[nodiscard]] InlinedPlace place_of_inlined(FunctionId function) const {
        const auto& profile = graph_.profile();
        if (!system_.is_known() || !profile.has_inlined() || !profile.inlined_in(function).valid()) return {};
        auto place = profile.inlined_place(function);
        const auto object = profile.object(function);
        while (system_.has(place.file, object) && profile.inlined_in(place.in).valid())
            place = profile.inlined_place(place.in);
        return place.file.value == 0 || place.line == 0 ? InlinedPlace{} : place;
    }
    [[nodiscard]] bool is_counted_again(const CallGraph::Data& data, ArcId source) const {
        const ArcId arc(data.mapping ? data.mapping->arc_of[source.value] : source.value);
        return graph_.counted_again(arc);
    }

    /// Leaves one piece per line of those of one function, which begin here. Piece n has row n of the sums.
    void add_up(std::size_t begin) {
        std::sort(pieces_.begin() + static_cast<std::ptrdiff_t>(begin), pieces_.end(),
                  [](const Piece& a, const Piece& b) {
                      return std::tie(a.file, a.line, a.costs) < std::tie(b.file, b.line, b.costs);
                  });
        std::vector<Cost> sums;
        std::size_t size = begin;
        for (std::size_t i = begin; i < pieces_.size(); ++i) {
            const Piece piece = pieces_[i];
            const bool is_known =
                size > begin && pieces_[size - 1].file == piece.file && pieces_[size - 1].line == piece.line;
            if (!is_known) {
                pieces_[size] = piece;
                pieces_[size].costs = static_cast<std::uint32_t>(size);
                ++size;
                sums.resize(sums.size() + stride_, 0);
            }
            for (std::size_t k = 0; k < stride_; ++k) {
                Cost& sum = sums[sums.size() - stride_ + k];
                sum += sums_[std::size_t{piece.costs} * stride_ + k];
            }
        }
        pieces_.resize(size);
        sums_.resize(begin * stride_);
        sums_.insert(sums_.end(), sums.begin(), sums.end());
    }

    /// Fills in a line from its pieces, by function.
    void fill(HotLine& line, std::span<const Piece> pieces) {
        line.file = pieces[0].file;
        line.line = pieces[0].line;
        line.function = {};
        line.functions = 0;
        for (auto* costs : {&line.self, &line.least, &line.most}) costs->assign(width_, 0);
        line.with_calls.assign(stride_ - width_, 0);
        Cost most = 0;
        std::size_t callers = 0;
        for (std::size_t i = 0; i < pieces.size(); ++callers) {
            of_function_.assign(width_, 0);
            bool is_any = false;
            const NodeId function = pieces[i].at;
            while (i < pieces.size() && pieces[i].at == function) {
                const FunctionId paid = pieces[i].function;  // what of its cost the filters keep
                std::vector<Cost>& costs = of_paid_;
                costs.assign(width_, 0);
                for (; i < pieces.size() && pieces[i].at == function && pieces[i].function == paid; ++i) {
                    const Cost* const sums = sums_.data() + std::size_t{pieces[i].costs} * stride_;
                    for (std::size_t k = 0; k < width_; ++k) costs[k] += sums[k];
                    for (std::size_t k = width_; k < stride_; ++k) line.with_calls[k - width_] += sums[k];
                }
                for (std::size_t k = 0; k < width_; ++k) {
                    is_any = is_any || costs[k] != 0;
                    of_function_[k] += costs[k];
                    add_kept(line, k, costs[k], paid);
                }
            }
            if (!is_any) continue;
            const bool is_most = line.functions == 0 || of_function_[0] > most ||
                                 (of_function_[0] == most && precedes(graph_, function, line.function));
            if (is_most) {
                line.function = function;
                most = of_function_[0];
            }
            ++line.functions;
        }
        // What several functions on one line call may be each other.
        const bool may_be_nested = callers > 1 && !std::equal(line.with_calls.begin(), line.with_calls.end(),
                                                              line.self.begin(), line.self.end());
        if (may_be_nested || line.line == 0 || line.file.value == 0) line.with_calls.clear();
    }

    struct KeptOf {
        BoundedCost kept;
        Cost whole = 0;
    };
    /// Of what is known best: the function, or all that its node stands for.
    [[nodiscard]] KeptOf kept_of(std::size_t measure, Cost cost, FunctionId function) const {
        if (kept_.empty()) return {{cost, cost, cost}, cost};
        const FilteredCosts& kept = *kept_[measure];
        if (is_by_function_)
            return {kept.self_of_functions[function.value], wholes_[function.value * width_ + measure]};
        const NodeId node = graph_.node_of(function);
        return {kept.self[node.value], graph_.self(node, measures_[measure])};
    }

    /// What is kept of the cost of a function on the line.
    void add_kept(HotLine& line, std::size_t measure, Cost cost, FunctionId function) const {
        Cost estimate = cost, least = cost, most = cost;
        const auto [kept, whole] = kept_of(measure, cost, function);
        if (kept.least != whole || kept.most != whole) {
            least = std::min<Cost>(0, cost);
            most = std::max<Cost>(0, cost);
            if (cost >= 0 && whole >= cost) {  // what is elsewhere in it may be kept first, or last
                least = std::clamp<Cost>(kept.least - (whole - cost), 0, cost);
                most = std::clamp<Cost>(kept.most, 0, cost);
            }
            const double share =
                whole == 0 ? 1 : static_cast<double>(kept.estimate) / static_cast<double>(whole);
            const double part = std::round(static_cast<double>(cost) * std::clamp(share, 0.0, 1.0));
            // A double beyond 2^53 may be above the greatest cost.
            estimate = part >= static_cast<double>(most)    ? most
                       : part <= static_cast<double>(least) ? least
                                                            : Cost(std::llround(part));
        }
        line.self[measure] += estimate;
        line.least[measure] += least;
        line.most[measure] += most;
    }

    const CallGraph& graph_;
    std::size_t width_;
    std::size_t stride_;  // with the costs with calls, if they are wanted
    const SystemCode& system_;
    const std::vector<const FilteredCosts*>& kept_;
    bool is_by_function_;  // FilteredCosts::self_of_functions is known
    MeasureSpan measures_;
    RecordCosts costs_;
    std::vector<Piece> pieces_;
    std::vector<Cost> sums_;                   // by piece and measure
    std::vector<Cost> wholes_;                 // self costs, by function and measure
    std::vector<Cost> of_function_, of_paid_;  // on a line
};

}  // namespace

Result<LineList> lines_by_cost(const CallGraph& graph, const LinesOptions& options) {
    const Profile& profile = graph.profile();
    if (profile.detail() != Detail::full)
        return tl::unexpected(Error{.code = ErrorCode::needs_detail, .detail = {}});
    if (options.measures.empty()) {
        const Measure usual = default_measure(graph);
        LinesOptions by_usual = options;
        by_usual.measures = usual;
        return lines_by_cost(graph, by_usual);
    }
    const SystemCode system(profile, options);
    LineSums sums(graph, options, system);
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const NodeId node = graph.node_of(FunctionId(row));
        if (!node.valid() || (options.where && !options.where(node))) continue;
        sums.add_function(node, FunctionId(row));
    }
    const Measure& measure = options.measures.front();
    const double least =
        options.threshold > 0 && measure.additive
            ? options.threshold * static_cast<double>(percentage_base(graph, measure).magnitude())
            : 0;
    const auto rank = [&](const HotLine& line) {
        if (!system.is_known()) return 0;
        if (line.line == 0 || line.file.value == 0) return 2;
        return system.has(line.file, profile.object(graph.function(line.function))) ? 1 : 0;
    };
    const auto comes_before = [&](const HotLine& a, const HotLine& b) {
        if (a.self.front() != b.self.front()) return a.self.front() > b.self.front();
        if (a.least.front() != b.least.front()) return a.least.front() > b.least.front();
        if (a.file != b.file) {
            const int order = profile.name(a.file).compare(profile.name(b.file));
            return order != 0 ? order < 0 : a.file < b.file;
        }
        return a.line < b.line;
    };
    std::vector<HotLine> lines;  // a heap of no more than are asked for; the first one comes last
    std::size_t all = 0;
    sums.for_each_line([&](const HotLine& line) {
        ++all;
        if (static_cast<double>(line.self.front().magnitude()) < least) return;
        if (lines.size() >= options.limit) {
            if (lines.empty() || !comes_before(line, lines.front())) return;
            std::pop_heap(lines.begin(), lines.end(), comes_before);
            lines.back() = line;
        } else {
            lines.push_back(line);
        }
        std::push_heap(lines.begin(), lines.end(), comes_before);
    });
    std::sort_heap(lines.begin(), lines.end(), comes_before);
    std::stable_sort(lines.begin(), lines.end(),
                     [&](const HotLine& a, const HotLine& b) { return rank(a) < rank(b); });

    LineList list;
    list.omitted_rows = all - lines.size();
    for (std::size_t k = 0; k < options.measures.size(); ++k) {
        Cost rest = graph.total(options.measures[k]);
        for (const HotLine& line : lines) rest -= line.self[k];
        list.omitted_self.push_back(rest);
    }
    list.rows = std::move(lines);
    return list;
}

}  // namespace callcost
