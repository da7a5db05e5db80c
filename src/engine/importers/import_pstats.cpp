// What cProfile and profile of Python write (dump_stats, -o): a marshalled dict of functions.
// (file, line, name): (first calls, calls, self, inclusive, {caller: (calls, first calls, self, inclusive)})
// The pure-Python profile has only the number of calls of a caller.
// https://github.com/python/cpython/blob/main/Lib/pstats.py
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "encodings/import_input.hpp"
#include "encodings/marshal.hpp"
#include "import_model/imported_graph.hpp"
#include "importers/importers.hpp"

namespace callcost::engine {
namespace {

class PstatsImport {
  public:
    PstatsImport(std::string_view bytes, const ImportOptions& options)
        : reader_(bytes), bytes_(bytes.size()), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::pstats;
        notes_.kind = "cProfile profile";
        notes_.counted = "call";
        notes_.limits = "calls between functions are exact, paths are estimated";
        auto done = read();
        if (done)
            done = graph_.write({.event = "Time",
                                 .long_name = "nanoseconds",
                                 .unknown_count_as_one = options_.unknown_count_as_one,
                                 .names = {.budget = options_.budget, .read = bytes_}},
                                sink);
        if (!done) return tl::unexpected(done.error());
        note(notes_, ImportOddity::estimated_stacks);
        const auto count = [&](ImportOddity what, std::uint64_t number) {
            if (number != 0) note(notes_, what, 0, number);
        };
        count(ImportOddity::costs_estimated, graph_.estimated_calls());
        count(ImportOddity::costs_reduced, graph_.reduced_calls());
        return std::move(notes_);
    }

  private:
    /// Of an object of the file that was read.
    struct Known {
        std::uint32_t text = no_row, function = no_row, call = no_row;
    };

    [[nodiscard]] Error broken(std::string_view expected) const {
        if (reader_.is_cut()) return not_in_format("the file is cut off", 0, 0, reader_.offset());
        return not_in_format("this is no profile of Python: expected " + std::string(expected), 0, 0,
                             reader_.offset());
    }

    Result<void> read() {
        const auto begin = reader_.next();
        if (!begin || begin->kind != MarshalKind::dict) return tl::unexpected(broken("a dict"));
        for (;;) {
            const auto key = reader_.next();
            if (key && key->kind == MarshalKind::end) break;
            const std::uint32_t row = key ? function(*key) : no_row;
            if (row == no_row) return tl::unexpected(broken("a function: file, line and name"));
            if (!read_costs(row)) return tl::unexpected(broken("the costs of a function and its callers"));
        }
        if (graph_.function_count() == 0) return tl::unexpected(not_in_format("it has no functions"));
        return {};
    }

    bool read_costs(std::uint32_t function) {
        const auto tuple = reader_.next();
        if (!tuple || tuple->kind != MarshalKind::tuple || tuple->count != 5 || tuple->is_reference)
            return false;
        std::array<double, 4> numbers{};
        if (!read_numbers(numbers)) return false;
        const GraphCosts costs{.calls = count_of(numbers[1]),
                               .first_calls = count_of(numbers[0]),
                               .self = nanoseconds(numbers[2]),
                               .inclusive = nanoseconds(numbers[3])};
        notes_.samples += costs.calls;
        graph_.add(function, costs);
        const auto callers = reader_.next();
        if (!callers || callers->kind != MarshalKind::dict || callers->is_reference) return false;
        for (;;) {
            const auto key = reader_.next();
            if (key && key->kind == MarshalKind::end) return true;
            const std::uint32_t caller = key ? this->function(*key) : no_row;
            if (caller == no_row || !read_call(caller, function)) return false;
        }
    }

    bool read_numbers(std::array<double, 4>& numbers) {
        for (double& number : numbers) {
            const auto value = reader_.next();
            if (!value || value->kind != MarshalKind::number) return false;
            number = value->number;
        }
        return true;
    }

    bool read_call(std::uint32_t caller, std::uint32_t callee) {
        const auto value = reader_.next();
        if (!value) return false;
        if (value->kind == MarshalKind::number) {
            graph_.add_call(caller, callee, {.calls = count_of(value->number)});
            return true;
        }
        if (value->kind != MarshalKind::tuple || value->count != 4) return false;
        if (value->is_reference) {
            const std::uint32_t row = known(value->object).call;
            if (row == no_row) return false;
            graph_.add_call(caller, callee, calls_[row]);
            return true;
        }
        std::array<double, 4> numbers{};
        if (!read_numbers(numbers)) return false;
        const GraphCall call{.calls = count_of(numbers[0]),
                             .self = nanoseconds(numbers[2]),
                             .inclusive = nanoseconds(numbers[3])};
        if (value->object != MarshalValue::no_object) {
            known(value->object).call = static_cast<std::uint32_t>(calls_.size());
            calls_.push_back(call);
        }
        graph_.add_call(caller, callee, call);
        return true;
    }

    std::uint64_t count_of(double number) {
        constexpr double most = 9e15;  // whole in a double
        if (number >= 0 && number <= most) return static_cast<std::uint64_t>(number);
        note(notes_, ImportOddity::costs_below_zero);
        return 0;
    }

    Cost nanoseconds(double seconds) {
        constexpr double most = 9e9;
        if (seconds >= 0 && seconds <= most) return static_cast<Cost>(std::llround(seconds * 1e9));
        note(notes_, ImportOddity::costs_below_zero);
        return 0;
    }

    Known& known(std::uint32_t object) {
        if (known_.size() <= object) known_.resize(reader_.objects());
        return known_[object];
    }

    /// no_row if it is none. What is referred to is read once.
    std::uint32_t function(const MarshalValue& key) {
        if (key.kind != MarshalKind::tuple || key.count != 3) return no_row;
        if (key.is_reference) return known(key.object).function;
        const auto file = reader_.next();
        if (!file || file->kind != MarshalKind::text) return no_row;
        const std::uint32_t file_row = text(*file);
        const auto line = reader_.next();
        if (!line || line->kind != MarshalKind::number) return no_row;
        const std::uint32_t name_row = name();
        if (name_row == no_row) return no_row;
        const bool has_line = line->number > 0 && line->number <= INT32_MAX;
        const auto number = has_line ? static_cast<std::uint32_t>(line->number) : 0;
        const std::uint32_t pair = names_.row(key_of(file_row, name_row));
        const std::uint32_t row = lines_.row(key_of(pair, number));
        if (row == functions_.size())
            functions_.push_back(graph_.function({}, texts_[file_row] == "~" ? "" : texts_[file_row],
                                                 texts_[name_row], number));
        if (key.object != MarshalValue::no_object) known(key.object).function = functions_[row];
        return functions_[row];
    }

    /// Also the code that the pure-Python profile began with.
    std::uint32_t name() {
        const auto value = reader_.next();
        if (!value) return no_row;
        if (value->kind == MarshalKind::text) return text(*value);
        if (value->kind != MarshalKind::code) return no_row;
        if (value->is_reference) return known(value->object).text;
        const auto name = reader_.code_name();
        if (!name) return no_row;
        const std::uint32_t row = texts_.row("code object " + std::string(*name));
        if (value->object != MarshalValue::no_object) known(value->object).text = row;
        return row;
    }

    std::uint32_t text(const MarshalValue& value) {
        if (value.object == MarshalValue::no_object) return texts_.row(value.text);
        std::uint32_t& row = known(value.object).text;
        if (row == no_row) row = texts_.row(value.text);
        return row;
    }

    MarshalReader reader_;
    std::uint64_t bytes_;
    const ImportOptions& options_;
    ImportNotes notes_;
    GraphProfile graph_;
    NameRows texts_;
    KeyRows names_, lines_;                 // (file, name), (its row, line)
    std::vector<std::uint32_t> functions_;  // rows of graph_, by those of lines_
    std::vector<Known> known_;              // by object
    std::vector<GraphCall> calls_;
};

}  // namespace

Result<ImportNotes> import_pstats(const Source& source, const ImportOptions& options, const Sink& sink) {
    const Result<std::string> bytes = read_all(source);
    if (!bytes) return tl::unexpected(bytes.error());
    return PstatsImport(*bytes, options).run(sink);
}

}  // namespace callcost::engine
