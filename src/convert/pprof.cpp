#include "convert/pprof.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <protozero/pbf_writer.hpp>

#include "convert/gzip.hpp"
#include "render/names.hpp"

namespace callcost::convert {
namespace {

// The numbers of the fields in profile.proto.
namespace field {
constexpr protozero::pbf_tag_type sample_type = 1, sample = 2, mapping = 3, location = 4, function = 5,
                                  string_table = 6, comment = 13, default_sample_type = 14;
constexpr protozero::pbf_tag_type type_name = 1, type_unit = 2;
constexpr protozero::pbf_tag_type sample_locations = 1, sample_values = 2;
constexpr protozero::pbf_tag_type mapping_id = 1, mapping_file = 5, mapping_has_functions = 7,
                                  mapping_has_files = 8;
constexpr protozero::pbf_tag_type location_id = 1, location_mapping = 2, location_line = 4;
constexpr protozero::pbf_tag_type line_function = 1;
constexpr protozero::pbf_tag_type function_id = 1, function_name = 2, function_file = 4;
}  // namespace field

/// Texts with their numbers; the empty one is number 0.
class StringTable {
  public:
    StringTable() { (void)number_of({}); }
    std::int64_t number_of(std::string_view bytes) {
        const auto [found, is_new] =
            known_.try_emplace(render::to_utf8(bytes), static_cast<std::int64_t>(texts_.size()));
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
    void add(const Tree& tree, std::size_t measure, FunctionTable& functions) {
        const auto costs = whole_self_costs(tree);
        std::vector<std::uint32_t> rows(tree.frames.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Frame& frame = tree.frames[i];
            rows[i] = row_of(
                {frame.parent == Frame::none ? Frame::none : rows[frame.parent], functions.row_of(frame)});
            auto& value = values_[rows[i] * measures_ + measure];
            value = costs[i] > INT64_MAX - value ? INT64_MAX : value + costs[i];
        }
    }
    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] const Row& operator[](std::uint32_t row) const { return rows_[row]; }
    [[nodiscard]] std::pair<const std::int64_t*, const std::int64_t*> values(std::size_t row) const {
        const auto* first = values_.data() + row * measures_;
        return {first, first + measures_};
    }

  private:
    std::uint32_t row_of(const Row& row) {
        const auto [found, is_new] =
            known_.try_emplace({row.parent, row.function}, static_cast<std::uint32_t>(rows_.size()));
        if (is_new) {
            rows_.push_back(row);
            values_.resize(values_.size() + measures_, 0);
        }
        return found->second;
    }

    std::size_t measures_;
    std::vector<Row> rows_;
    std::vector<std::int64_t> values_;  // by row and measure
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known_;
};

std::string_view unit_name(const Measure& measure) {
    constexpr std::pair<std::string_view, std::string_view> units[] = {{"ns", "nanoseconds"},
                                                                       {"us", "microseconds"},
                                                                       {"ms", "milliseconds"},
                                                                       {"s", "seconds"},
                                                                       {"", "count"}};
    for (const auto& [ours, theirs] : units)
        if (measure.unit == ours) return theirs;
    return measure.unit;
}

class PprofWriter {
  public:
    PprofWriter(const CallGraph& graph, const StackOptions& options, const Sink& sink)
        : graph_(graph), options_(options), functions_(graph), gzip_(sink), message_(bytes_) {}

    Result<void> write() {
        const auto measures = measures_of(graph_, options_);
        StackTable stacks(measures.size());
        std::string note =
            "stacks are estimated: the profile has the cost of each call, not of each stack; certain:";
        for (std::size_t i = 0; i < measures.size(); ++i) {
            auto wanted = options_.tree;
            wanted.measure = measures[i];
            wanted.direction = TreeDirection::callees;
            const auto tree = estimate_tree(graph_, wanted);
            stacks.add(tree, i, functions_);
            write_sample_type(measures[i]);
            note += (i == 0 ? " " : ", ") + measures[i].name + ' ' + certainty_text(tree);
        }
        message_.add_int64(field::comment, strings_.number_of(note));
        if (!measures.empty())
            message_.add_int64(field::default_sample_type, strings_.number_of(measures[0].name));
        write_samples(stacks);
        write_functions();
        for (const auto text : strings_.texts()) {
            message_.add_string(field::string_table, text.data(), text.size());
            flush_some();
        }
        flush();
        if (result_) result_ = gzip_.finish();
        return result_;
    }

  private:
    void write_sample_type(const Measure& measure) {
        protozero::pbf_writer type(message_, field::sample_type);
        type.add_int64(field::type_name, strings_.number_of(measure.name));
        type.add_int64(field::type_unit, strings_.number_of(unit_name(measure)));
    }

    void write_samples(const StackTable& stacks) {
        std::vector<std::uint64_t> locations;
        for (std::size_t row = 0; row < stacks.size(); ++row) {
            const auto [first, last] = stacks.values(row);
            if (std::all_of(first, last, [](std::int64_t value) { return value == 0; })) continue;
            locations.clear();  // the leaf comes first
            for (auto at = static_cast<std::uint32_t>(row); at != Frame::none; at = stacks[at].parent)
                locations.push_back(stacks[at].function + 1);
            {
                protozero::pbf_writer sample(message_, field::sample);
                sample.add_packed_uint64(field::sample_locations, locations.begin(), locations.end());
                sample.add_packed_int64(field::sample_values, first, last);
            }
            flush_some();
        }
    }

    /// Every function is one location, and every object one mapping.
    void write_functions() {
        std::map<std::string_view, std::uint64_t> mappings;
        const auto& rows = functions_.rows();
        // Readers take the first mapping for the program.
        for (const auto& function : rows) {
            if (function.name != "main" || function.object.empty()) continue;
            mappings.emplace(function.object, 1);
            write_mapping(1, function.object);
            break;
        }
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const auto& function = rows[row];
            const auto id = row + 1;
            std::uint64_t mapping = 0;
            if (!function.object.empty()) {
                const auto [found, is_new] = mappings.try_emplace(function.object, mappings.size() + 1);
                mapping = found->second;
                if (is_new) write_mapping(mapping, function.object);
            }
            {
                protozero::pbf_writer location(message_, field::location);
                location.add_uint64(field::location_id, id);
                if (mapping != 0) location.add_uint64(field::location_mapping, mapping);
                protozero::pbf_writer line(location, field::location_line);
                line.add_uint64(field::line_function, id);
            }
            {
                protozero::pbf_writer entry(message_, field::function);
                entry.add_uint64(field::function_id, id);
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
    }

    void flush_some() {
        if (bytes_.size() >= 65'536) flush();
    }
    void flush() {
        if (result_) result_ = gzip_.write(bytes_);
        bytes_.clear();
    }

    const CallGraph& graph_;
    const StackOptions& options_;
    FunctionTable functions_;
    StringTable strings_;
    Gzip gzip_;
    std::string bytes_;
    protozero::pbf_writer message_;
    Result<void> result_;
};

}  // namespace

Result<void> write_pprof(const CallGraph& graph, const StackOptions& options, const Sink& sink) {
    return PprofWriter(graph, options, sink).write();
}

}  // namespace callcost::convert
