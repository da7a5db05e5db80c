// Tracegrind of CodSpeed's fork of Valgrind: a row for each call and each way back. `TGMP`, a version, then
// chunks: their size, their size packed (32 bits, little-endian), a block of LZ4. The first is a map that
// names the counters, the others are rows, arrays of MessagePack; a chunk of no size ends the file.
//
//     [sequence, thread, event, function, object, file, line, counters...]
//
// Counters are what the thread cost since its last row: they belong to what ran before the event. In version
// 3 they are part of the row, from 4 on an array; in version 5 names are numbers of a table, the last chunk.
#include <array>
#include <optional>
#include <utility>

#include "encodings/import_input.hpp"
#include "import_model/imported_stacks.hpp"
#include "importers/importers.hpp"
#include "importers/trace_rows.hpp"

namespace callcost::engine {
namespace {

/// Each path of calls once: how often it was called, and its costs.
class CallPaths {
  public:
    /// Nothing was called yet in a thread.
    std::uint32_t root(std::uint32_t thread) { return called(no_row, thread); }
    [[nodiscard]] bool is_root(std::uint32_t path) const { return above(path) == no_row; }
    /// The path that goes on with a function.
    std::uint32_t called(std::uint32_t path, std::uint32_t function) {
        const std::uint32_t row = keys_.row(key_of(path, function));
        if (row == paths_.size()) {
            paths_.emplace_back();
            if (path != no_row) paths_[row].next = std::exchange(paths_[path].first_below, row);
        }
        ++paths_[row].calls;
        return row;
    }
    [[nodiscard]] std::uint32_t above(std::uint32_t path) const { return first_of(keys_[path]); }
    [[nodiscard]] std::uint32_t function(std::uint32_t path) const { return second_of(keys_[path]); }
    /// The first and the next of those that go on, or no_row.
    [[nodiscard]] std::uint32_t first_below(std::uint32_t path) const { return paths_[path].first_below; }
    [[nodiscard]] std::uint32_t next(std::uint32_t path) const { return paths_[path].next; }
    [[nodiscard]] std::uint64_t calls(std::uint32_t path) const { return paths_[path].calls; }

    void add(std::uint32_t path, std::uint32_t event, std::uint64_t cost) {
        std::vector<Cost>& column = costs_[event];
        if (column.size() <= path) column.resize(paths_.size(), 0);
        column[path] += static_cast<std::int64_t>(cost);
    }
    [[nodiscard]] Cost cost(std::uint32_t path, std::uint32_t event) const {
        return path < costs_[event].size() ? costs_[event][path] : Cost();
    }
    [[nodiscard]] std::size_t size() const { return paths_.size(); }

  private:
    struct Path {
        std::uint32_t first_below = no_row, next = no_row;
        std::uint64_t calls = 0;
    };
    KeyRows keys_;  // (path, function)
    std::vector<Path> paths_;
    std::array<std::vector<Cost>, TraceReader::max_counters> costs_;  // by event
};

class TracegrindImport {
  public:
    TracegrindImport(const Source& source, const ImportOptions& options)
        : rows_(source, options.budget), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::tracegrind;
        notes_.kind = "tracegrind trace";
        notes_.counted = "call";
        auto done = read();
        if (done) done = write(sink);
        if (!done) return tl::unexpected(done.error());
        return std::move(notes_);
    }

  private:
    struct Function {
        std::uint32_t name, origin;    // rows of names; of origins_
        std::uint32_t callable;        // row of callables_
        std::uint32_t first_line = 0;  // 0 = unknown
    };

    Result<void> read() {
        if (auto done = rows_.read_head(); !done) return done;
        for (const TraceCounter& counter : rows_.counters()) (void)profile_.event(counter.name, counter.unit);
        if (const auto omitted = rows_.omitted_counters(); omitted != 0)
            note(notes_, ImportOddity::events_dropped, 0, omitted);
        for (auto row = rows_.next();; row = rows_.next()) {
            if (!row) return tl::unexpected(row.error());
            if (*row == nullptr) break;
            add(**row);
            if (!options_.budget.covers(rows_.bytes(),
                                        (paths_.size() + open_.size()) * bytes_per_path() + bytes_of_names_))
                return tl::unexpected(options_.budget.error("the calls"));
        }
        if (rows_.is_cut()) note(notes_, ImportOddity::trace_cut);
        return {};
    }

    /// As measured, with what becomes of it.
    [[nodiscard]] std::uint64_t bytes_per_path() const { return 128 + 16 * profile_.event_count(); }

    void add(const TraceRow& row) {
        using Event = TraceRow::Event;
        if (row.is_call() || row.is_back()) return add_step(row);
        if (row.event == Event::marker) note(notes_, ImportOddity::markers_ignored);
        if (row.event == Event::fork) note(notes_, ImportOddity::child_processes);
        if (row.event == Event::other) note(notes_, ImportOddity::unknown_rows);
    }

    void add_step(const TraceRow& row) {
        const std::uint32_t thread = threads_.row(row.thread);
        if (thread == path_of_thread_.size()) path_of_thread_.push_back(paths_.root(thread));
        std::uint32_t& path = path_of_thread_[thread];
        add_costs(row, path);
        const std::uint32_t name = name_row(row.function), object = name_row(row.object);
        const std::uint32_t callable = callables_.row(key_of(object, name));
        const std::uint32_t open = open_.row(key_of(thread, callable));
        if (open == open_counts_.size()) open_counts_.push_back(0);
        if (row.is_call()) {
            path = paths_.called(path, function(row, name, object, callable));
            ++open_counts_[open];
            ++notes_.samples;
        } else if (open_counts_[open] == 0) {
            note(notes_, ImportOddity::return_without_call);
        } else {
            leave(path, thread, callable);
        }
    }

    void add_costs(const TraceRow& row, std::uint32_t path) {
        if (!row.has_all_costs) note(notes_, ImportOddity::value_count);
        bool is_any = false;
        for (std::uint32_t event = 0; event < row.costs.size(); ++event) {
            if (row.costs[event] == 0) continue;
            paths_.add(path, event, row.costs[event]);
            is_any = true;
        }
        if (is_any && paths_.is_root(path)) note(notes_, ImportOddity::no_stack);
    }

    /// The function that returns is in the path. What it called was left with it, as by longjmp().
    void leave(std::uint32_t& path, std::uint32_t thread, std::uint32_t callable) {
        for (;;) {
            const std::uint32_t left = functions_[paths_.function(path)].callable;
            path = paths_.above(path);
            --open_counts_[open_.row(key_of(thread, left))];
            if (left == callable) return;
            note(notes_, ImportOddity::call_without_return);
        }
    }

    /// Numbers of a table stand for names that are not known before the end.
    std::uint32_t name_row(const TraceName& name) {
        if (rows_.has_table()) return numbers_.row(name.number);
        const std::uint32_t row = names_.row(name.text);
        if (row == known_names_) {
            ++known_names_;
            bytes_of_names_ += name.text.size();
        }
        return row;
    }

    std::uint32_t function(const TraceRow& row, std::uint32_t name, std::uint32_t object,
                           std::uint32_t callable) {
        const std::uint32_t origin = origins_.row(key_of(object, name_row(row.file)));
        const std::uint32_t function = function_keys_.row(key_of(origin, name));
        if (function == functions_.size())
            functions_.push_back({.name = name, .origin = origin, .callable = callable});
        std::uint32_t& line = functions_[function].first_line;
        if (row.line != 0 && row.line <= INT32_MAX && (line == 0 || row.line < line))
            line = static_cast<std::uint32_t>(row.line);
        return function;
    }

    /// Of numbers: those that the table has.
    Result<void> find_names() {
        table_.resize(numbers_.size());
        std::size_t found = 0;
        auto done = rows_.for_each_name([&](std::uint64_t number, std::string_view name) {
            const std::uint32_t row = numbers_.find(number);
            if (row == no_row) return;
            table_[row] = name;
            ++found;
        });
        if (const auto missing = numbers_.size() - found; missing != 0)
            note(notes_, ImportOddity::invalid_reference, 0, missing);
        return done;
    }

    [[nodiscard]] std::string_view name_of(std::uint32_t row) const {
        if (!rows_.has_table()) return names_[row];
        return table_[row] ? std::string_view(*table_[row]) : std::string_view();
    }

    /// Functions without a name stay apart.
    [[nodiscard]] std::string function_name(std::uint32_t row) const {
        if (rows_.has_table() && !table_[row]) return "(function " + std::to_string(numbers_[row]) + ")";
        return std::string(name_of(row));
    }

    Result<void> write(const Sink& sink) {
        if (rows_.has_table())
            if (auto done = find_names(); !done) return done;
        std::vector<StackFrame> frames;
        for (const Function& function : functions_) {
            const std::uint64_t origin = origins_[function.origin];
            frames.push_back(
                {.function = profile_.function(name_of(first_of(origin)), name_of(second_of(origin)),
                                               function_name(function.name), function.first_line),
                 .place = profile_.place({}, function.first_line)});
        }
        for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
            if (threads_.size() > 1) profile_.set_thread({.number = threads_[thread]});
            add_paths(paths_.root(thread), frames);
        }
        return profile_.write({.unknown_count_as_one = options_.unknown_count_as_one}, sink);
    }

    void add_paths(std::uint32_t root, const std::vector<StackFrame>& frames) {
        add_costs(root);
        while (profile_.depth() != 0) profile_.pop();
        std::uint32_t path = paths_.first_below(root);
        while (path != no_row) {
            profile_.push(frames[paths_.function(path)]);
            profile_.add_calls(paths_.calls(path));
            add_costs(path);
            if (const std::uint32_t below = paths_.first_below(path); below != no_row) {
                path = below;
                continue;
            }
            profile_.pop();
            while (paths_.next(path) == no_row && profile_.depth() != 0) {
                profile_.pop();
                path = paths_.above(path);
            }
            path = paths_.next(path);
        }
    }

    void add_costs(std::uint32_t path) {
        for (std::uint32_t event = 0; event < profile_.event_count(); ++event)
            if (const Cost cost = paths_.cost(path, event); cost != 0)
                profile_.add({.event = event, .cost = cost});
    }

    TraceReader rows_;
    const ImportOptions& options_;
    ImportNotes notes_;
    StackProfile profile_{options_.stacks};

    std::size_t known_names_ = 1;  // the first is empty
    std::uint64_t bytes_of_names_ = 0;
    NameRows names_;                                 // or, of numbers in a table:
    KeyRows numbers_;                                //
    std::vector<std::optional<std::string>> table_;  // by their rows
    KeyRows callables_;                              // (object, name): what a row of a way back names
    KeyRows origins_, function_keys_;                // (object, file), (origin, name)
    std::vector<Function> functions_;
    CallPaths paths_;
    KeyRows threads_;
    std::vector<std::uint32_t> path_of_thread_;
    KeyRows open_;                            // (thread, callable)
    std::vector<std::uint32_t> open_counts_;  // how often it is in the path of the thread
};

}  // namespace

Result<ImportNotes> import_tracegrind(const Source& source, const ImportOptions& options, const Sink& sink) {
    return TracegrindImport(source, options).run(sink);
}

}  // namespace callcost::engine
