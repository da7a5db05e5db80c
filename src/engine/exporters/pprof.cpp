#include "exporters/pprof.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <protozero/pbf_writer.hpp>

#include "exporters/source_lines.hpp"
#include "import_model/estimated_marks.hpp"
#include "tables/row_tables.hpp"
#include "text/characters.hpp"
#include "text/utf8.hpp"

namespace callcost::engine {
namespace {

// The numbers of the fields in profile.proto.
namespace field {
constexpr protozero::pbf_tag_type sample_type = 1, sample = 2, mapping = 3, location = 4, function = 5,
                                  string_table = 6, comment = 13, default_sample_type = 14;
constexpr protozero::pbf_tag_type type_name = 1, type_unit = 2;
constexpr protozero::pbf_tag_type sample_locations = 1, sample_values = 2;
constexpr protozero::pbf_tag_type mapping_id = 1, mapping_file = 5, mapping_has_functions = 7,
                                  mapping_has_files = 8, mapping_has_lines = 9;
constexpr protozero::pbf_tag_type location_id = 1, location_mapping = 2, location_line = 4;
constexpr protozero::pbf_tag_type line_function = 1, line_number = 2;
constexpr protozero::pbf_tag_type function_id = 1, function_name = 2, function_file = 4;
}  // namespace field

/// Texts with their numbers; the empty one is number 0.
class StringTable {
  public:
    StringTable() { (void)number_of({}); }
    std::int64_t number_of(std::string_view bytes) {
        const auto [found, is_new] =
            known_.try_emplace(to_utf8(bytes), static_cast<std::int64_t>(texts_.size()));
        if (is_new) texts_.push_back(found->first);
        return found->second;
    }
    [[nodiscard]] const std::vector<std::string_view>& texts() const { return texts_; }

  private:
    std::map<std::string, std::int64_t> known_;
    std::vector<std::string_view> texts_;
};

/// The paths of several trees put together.
class StackTable {
  public:
    explicit StackTable(std::size_t measures) : measures_(measures) {}

    struct Row {
        std::uint32_t parent;
        std::uint32_t function;
    };
    void add(const CallGraph& graph, const Tree& tree, std::size_t measure, FunctionTable& functions) {
        const auto stacks = estimated_stacks(graph, tree, functions);
        std::vector<std::uint32_t> rows(tree.frames.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Frame& frame = tree.frames[i];
            rows[i] = row_of(
                {frame.parent == Frame::none ? Frame::none : rows[frame.parent], functions.row_of(frame)});
        }
        for (const auto& stack : stacks) {
            const auto row = rows[stack.frame];
            const auto leaf = stack.below == FunctionTable::unknown ? row : row_of({row, stack.below});
            add_cost(leaf, measure, stack.cost);
        }
    }
    void add_recorded(const CallGraph& graph, const StacksOfSources& stacks, const Measure& of,
                      std::size_t measure, FunctionTable& functions) {
        std::vector<std::uint32_t> path;
        for_each_recorded(graph, stacks, of, [&](const Frame& frame, std::int64_t cost) {
            path.resize(frame.level - 1);
            path.push_back(row_of({path.empty() ? Frame::none : path.back(), functions.row_of(frame)}));
            if (cost > 0) add_cost(path.back(), measure, cost);
        });
    }
    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] Row operator[](std::uint32_t row) const {
        return {first_of(rows_[row]), second_of(rows_[row])};
    }
    [[nodiscard]] std::span<const Cost> costs(std::size_t row) const {
        return std::span(values_).subspan(row * measures_, measures_);
    }
    [[nodiscard]] bool has_cost(std::size_t row) const {
        const auto all = costs(row);
        return std::any_of(all.begin(), all.end(), [](Cost cost) { return cost != 0; });
    }
    /// A byte for every function of every stack is the least.
    [[nodiscard]] std::uint64_t min_bytes() const {
        std::vector<std::uint32_t> levels(rows_.size());
        std::uint64_t bytes = 0;
        for (std::uint32_t row = 0; row < levels.size(); ++row) {
            const auto parent = (*this)[row].parent;
            levels[row] = parent == Frame::none ? 1 : levels[parent] + 1;
            if (has_cost(row)) bytes += levels[row];
        }
        return bytes;
    }

  private:
    std::uint32_t row_of(const Row& row) {
        const std::uint32_t number = rows_.row(key_of(row.parent, row.function));
        values_.resize(rows_.size() * measures_, 0);
        return number;
    }
    void add_cost(std::uint32_t row, std::size_t measure, std::int64_t cost) {
        auto& value = values_[row * measures_ + measure];
        value = cost > INT64_MAX - value ? Cost(INT64_MAX) : value + cost;
    }

    std::size_t measures_;
    KeyRows rows_;              // (parent, function)
    std::vector<Cost> values_;  // by row and measure
};

std::string_view unit_name(const Measure& measure) {
    const auto unit = unit_of(measure).name;
    if (!unit.empty()) return unit;
    return measure.unit.empty() ? std::string_view("count") : measure.unit;
}

/// With more samples than this, or more costs to look at, the stacks of a function are no longer distributed
/// among all its lines.
constexpr std::size_t max_shares = 200'000, max_line_costs = 50'000'000;

class PprofWriter {
  public:
    PprofWriter(const CallGraph& graph, const StackOptions& options, const Sink& sink)
        : graph_(graph), options_(options), functions_(graph), sink_(sink), message_(bytes_) {}

    Result<void> write() {
        const auto measures = measures_of(graph_, options_);
        StackTable stacks(measures.size());
        std::string certain;
        auto options = options_;
        options.tree.direction = TreeDirection::callees;
        for (std::size_t i = 0; i < measures.size(); ++i) {
            if (options.recorded) {
                stacks.add_recorded(graph_, *options.recorded, measures[i], i, functions_);
            } else {
                const auto tree = tree_of(graph_, options, measures[i]);
                stacks.add(graph_, tree, i, functions_);
                certain += (i == 0 ? " " : ", ") + measures[i].name + ' ' + certainty_text(tree);
            }
            write_sample_type(measures[i]);
            factors_.push_back(unit_of(measures[i]).factor);
        }
        if (options.may_take)
            if (auto may = options.may_take(stacks.min_bytes()); !may) return may;
        if (!options.recorded)
            comment(std::string(estimated_stacks_comment) +
                    "the profile records cost per call, not per stack; certain:" + certain);
        comment("the self cost of a function and of a line is exact, but not which stacks a line belongs to");
        if (!measures.empty())
            message_.add_int64(field::default_sample_type, strings_.number_of(measures[0].name));
        write_samples(stacks, measures);
        write_locations();
        write_functions();
        for (const auto text : strings_.texts()) {
            message_.add_string(field::string_table, text.data(), text.size());
            flush_some();
        }
        flush();
        return result_;
    }

  private:
    void comment(std::string_view text) { message_.add_int64(field::comment, strings_.number_of(text)); }

    void write_sample_type(const Measure& measure) {
        protozero::pbf_writer type(message_, field::sample_type);
        type.add_int64(field::type_name, strings_.number_of(measure.name));
        type.add_int64(field::type_unit, strings_.number_of(unit_name(measure)));
    }

    /// One function after the other, so that the lines of one function only are at hand.
    void write_samples(const StackTable& stacks, std::span<const Measure> measures) {
        SourceLines source(graph_, measures, functions_);
        std::vector<std::uint32_t> rows;
        for (std::uint32_t row = 0; row < stacks.size(); ++row)
            if (stacks.has_cost(row)) rows.push_back(row);
        std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
            return stacks[a].function < stacks[b].function;
        });
        LinesOfFunction lines;
        auto shares_left = max_shares, steps_left = max_line_costs;
        for (std::size_t i = 0; i < rows.size() && result_; ++i) {
            const auto function = stacks[rows[i]].function;
            if (i == 0 || function != stacks[rows[i - 1]].function) lines = source.lines_of(function);
            const auto steps = lines.size() * measures.size();
            const bool in_proportion = lines.size() <= shares_left && steps <= steps_left;
            if (in_proportion) steps_left -= steps;
            const auto shares = lines.take(stacks.costs(rows[i]), in_proportion);
            shares_left -= std::min(shares_left, shares.size());
            put_callers(stacks, rows[i], source);
            for (const auto& share : shares) write_sample(share);
        }
    }

    /// The path behind the leaf, which all lines of that share.
    void put_callers(const StackTable& stacks, std::uint32_t leaf, const SourceLines& source) {
        call_locations_.resize(stacks.size(), 0);
        callers_.clear();
        for (auto at = leaf; stacks[at].parent != Frame::none; at = stacks[at].parent) {
            auto& location = call_locations_[at];
            if (location == 0)
                location = static_cast<std::uint32_t>(
                    location_of(source.call_line(stacks[stacks[at].parent].function, stacks[at].function)));
            protozero::add_varint_to_buffer(&callers_, location);
        }
    }

    void write_sample(const LinesOfFunction::Share& share) {
        path_.clear();
        protozero::add_varint_to_buffer(&path_, location_of(share.line));
        path_ += callers_;
        values_.assign(share.costs.begin(), share.costs.end());
        for (std::size_t m = 0; m < values_.size(); ++m)
            values_[m] = values_[m] > INT64_MAX / factors_[m] ? Cost(INT64_MAX) : values_[m] * factors_[m];
        sample_.clear();
        protozero::pbf_writer sample(sample_);
        sample.add_bytes(field::sample_locations, path_);  // a packed list of numbers is bytes
        sample.add_packed_int64(field::sample_values, values_.begin(), values_.end());
        message_.add_message(field::sample, sample_);
        flush_some();
    }

    std::uint64_t location_of(const SourceLine& line) {
        return locations_.try_emplace(line, locations_.size() + 1).first->second;
    }

    /// Of `main`, or of the file that was run; empty: no object is known to be the program.
    [[nodiscard]] std::string_view program() const {
        const auto& functions = functions_.rows();
        for (const auto& function : functions)
            if (function.name == "main" && !function.object.empty()) return function.object;
        const auto run = base_name(std::string_view(options_.name).substr(0, options_.name.find(' ')));
        for (const auto& function : functions)
            if (!run.empty() && base_name(function.object) == run) return function.object;
        return {};
    }

    /// Every object is a mapping. Readers take the first one for the program: it has no name if that is not
    /// known.
    void write_locations() {
        const auto& functions = functions_.rows();
        std::map<std::string_view, std::uint64_t> mappings;
        const auto mapping_of = [&](std::string_view object) {
            if (object.empty()) return std::uint64_t{0};
            if (mappings.empty()) {
                const auto first = program();
                mappings.emplace(first, 1);
                write_mapping(1, first);
            }
            const auto [found, is_new] = mappings.try_emplace(object, mappings.size() + 1);
            if (is_new) write_mapping(found->second, object);
            return found->second;
        };
        for (const auto& [line, id] : locations_) {
            const auto mapping = mapping_of(functions[line.function].object);
            {
                protozero::pbf_writer location(message_, field::location);
                location.add_uint64(field::location_id, id);
                if (mapping != 0) location.add_uint64(field::location_mapping, mapping);
                protozero::pbf_writer entry(location, field::location_line);
                entry.add_uint64(field::line_function, line.function + 1);
                if (line.line != 0 && line.line <= INT64_MAX)
                    entry.add_int64(field::line_number, static_cast<std::int64_t>(line.line));
            }
            flush_some();
        }
    }

    void write_functions() {
        const auto& functions = functions_.rows();
        for (std::size_t row = 0; row < functions.size(); ++row) {
            const auto& function = functions[row];
            {
                protozero::pbf_writer entry(message_, field::function);
                entry.add_uint64(field::function_id, row + 1);
                entry.add_int64(field::function_name,
                                strings_.number_of(function.name.empty() ? "?" : function.name));
                // Without a system name: if it were the same, pprof would take template arguments away.
                if (!function.file.empty())
                    entry.add_int64(field::function_file, strings_.number_of(function.file));
            }
            flush_some();
        }
    }

    void write_mapping(std::uint64_t id, std::string_view object) {
        protozero::pbf_writer mapping(message_, field::mapping);
        mapping.add_uint64(field::mapping_id, id);
        mapping.add_int64(field::mapping_file, strings_.number_of(object));
        mapping.add_bool(field::mapping_has_functions, true);
        mapping.add_bool(field::mapping_has_files, true);
        mapping.add_bool(field::mapping_has_lines, true);
    }

    void flush_some() {
        if (bytes_.size() >= 65'536) flush();
    }
    void flush() {
        if (result_) result_ = sink_(bytes_);
        bytes_.clear();
    }

    const CallGraph& graph_;
    const StackOptions& options_;
    FunctionTable functions_;
    StringTable strings_;
    const Sink& sink_;
    std::string bytes_;
    protozero::pbf_writer message_;
    std::map<SourceLine, std::uint64_t> locations_;
    std::vector<std::uint32_t>
        call_locations_;  // by row of StackTable: where its caller is; 0: not known yet
    std::string callers_, path_, sample_;
    std::vector<Cost> values_;
    std::vector<std::int64_t> factors_;  // of the units, by measure
    Result<void> result_;
};

}  // namespace

Result<void> write_pprof(const CallGraph& graph, const StackOptions& options, const Sink& sink) {
    return PprofWriter(graph, options, sink).write();
}

}  // namespace callcost::engine
