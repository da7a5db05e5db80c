#include "json_importers/firefox_json.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "encodings/import_input.hpp"

namespace callcost::engine {
namespace {

/// What an object or array is, by the keys that lead to it.
enum class FirefoxPart : std::uint8_t {
    outside,
    process,  // the file, or one of `processes`
    processes,
    meta,
    units,  // of samples
    libs,
    lib,
    shared,
    threads,
    thread,
    table,
    column,  // of a table
    schema,  // of a table of rows
    rows,
    row,
    strings,
    own,  // what callcost says of a thread
    other
};

enum class FirefoxTable : std::uint8_t {
    stacks,
    frames,
    functions,
    resources,
    sources,
    samples,
    js_allocations,
    native_allocations,
    none
};

/// A column that is kept, or one of samples.
enum class SampleColumn : std::uint8_t { stack, weight, cpu };
struct Target {
    std::optional<FirefoxColumn> kept{};
    std::optional<SampleColumn> sample{};
    [[nodiscard]] bool is_none() const { return !kept && !sample; }
};

FirefoxTable table_of(std::string_view key) {
    constexpr std::array<std::pair<std::string_view, FirefoxTable>, 8> tables{
        {{"stackTable", FirefoxTable::stacks},
         {"frameTable", FirefoxTable::frames},
         {"funcTable", FirefoxTable::functions},
         {"resourceTable", FirefoxTable::resources},
         {"sources", FirefoxTable::sources},
         {"samples", FirefoxTable::samples},
         {"jsAllocations", FirefoxTable::js_allocations},
         {"nativeAllocations", FirefoxTable::native_allocations}}};
    for (const auto& [name, table] : tables)
        if (name == key) return table;
    return FirefoxTable::none;
}

struct NamedColumn {
    FirefoxTable table;
    std::string_view key;
    FirefoxColumn column;
};
constexpr std::array<NamedColumn, 14> named_columns{{
    {FirefoxTable::stacks, "prefix", FirefoxColumn::stack_prefix},
    {FirefoxTable::stacks, "prefixOffset", FirefoxColumn::stack_offset},
    {FirefoxTable::stacks, "frame", FirefoxColumn::stack_frame},
    {FirefoxTable::frames, "location", FirefoxColumn::frame_location},
    {FirefoxTable::frames, "func", FirefoxColumn::frame_function},
    {FirefoxTable::frames, "line", FirefoxColumn::frame_line},
    {FirefoxTable::frames, "lib", FirefoxColumn::frame_lib},
    {FirefoxTable::functions, "name", FirefoxColumn::function_name},
    {FirefoxTable::functions, "fileName", FirefoxColumn::function_file},
    {FirefoxTable::functions, "source", FirefoxColumn::function_source},
    {FirefoxTable::functions, "lineNumber", FirefoxColumn::function_line},
    {FirefoxTable::functions, "resource", FirefoxColumn::function_resource},
    {FirefoxTable::resources, "lib", FirefoxColumn::resource_lib},
    {FirefoxTable::sources, "filename", FirefoxColumn::source_file},
}};

bool has_samples(FirefoxTable table) {
    return table == FirefoxTable::samples || table == FirefoxTable::js_allocations ||
           table == FirefoxTable::native_allocations;
}

Target target_of(FirefoxTable table, std::string_view key) {
    if (has_samples(table)) {
        if (key == "stack") return {.sample = SampleColumn::stack};
        if (key == "weight") return {.sample = SampleColumn::weight};
        if (key == "threadCPUDelta" && table == FirefoxTable::samples) return {.sample = SampleColumn::cpu};
        return {};
    }
    for (const NamedColumn& named : named_columns)
        if (named.table == table && named.key == key) return {.kept = named.column};
    return {};
}

std::uint32_t row_number(JsonNumber number) {
    return number.fraction != 0 || number.whole < 0 || number.whole >= no_row
               ? no_row
               : static_cast<std::uint32_t>(number.whole);
}

/// The samples of a table, which may come as columns in any order: what they cost is added up by stack.
class FirefoxSamples {
  public:
    void begin(FirefoxThread& thread) {
        if (thread.stacks.empty()) begin_thread();
        thread_ = &thread;
        stacks_.clear();
        for (auto* const column : {&weights_, &cpu_}) *column = {};
    }

    void stack(std::uint32_t stack) { stacks_.push_back(stack == no_row ? no_row : row_of(stack)); }
    void weight(JsonNumber number) { take(weights_, number); }
    void cpu(JsonNumber number) { take(cpu_, number); }

    void end(FirefoxTable table, std::uint32_t unit) {
        using Of = FirefoxCosts::Of;
        const Of of = table == FirefoxTable::samples          ? Of::samples
                      : table == FirefoxTable::js_allocations ? Of::js_allocations
                                                              : Of::native_allocations;
        const auto without = static_cast<std::uint64_t>(std::count(stacks_.begin(), stacks_.end(), no_row));
        thread_->samples += stacks_.size() - without;
        thread_->without_stack += without;
        if (weights_.size == 0)
            for (std::size_t i = 0; i < stacks_.size(); ++i) take(weights_, {.whole = 1});
        const auto& known = thread_->costs;
        if (std::any_of(known.begin(), known.end(),
                        [&](const FirefoxCosts& costs) { return costs.of == of; })) {
            thread_->dropped += stacks_.size();
            return;
        }
        keep(weights_, of, unit);
        keep(cpu_, Of::cpu, 0);
    }

  private:
    struct Column {
        std::size_t size = 0;             // numbers, of which those before the last stack are added up
        std::vector<JsonNumber> waiting;  // for their stacks
        std::vector<JsonNumber> costs;
    };

    void begin_thread() {
        for (const std::uint32_t stack : known_) rows_[stack] = no_row;
        known_.clear();
        rows_of_large_ = {};
        large_rows_.clear();
    }

    /// The row in FirefoxThread::stacks. Numbers are those of a table that may be to come.
    std::uint32_t row_of(std::uint32_t stack) {
        constexpr std::uint32_t most = 1U << 22U;
        auto& stacks = thread_->stacks;
        if (stack < most) {
            if (rows_.size() <= stack) rows_.resize(stack + std::size_t{1}, no_row);
            if (rows_[stack] != no_row) return rows_[stack];
            known_.push_back(stack);
            rows_[stack] = static_cast<std::uint32_t>(stacks.size());
        } else if (const std::uint32_t place = rows_of_large_.row(stack); place < large_rows_.size()) {
            return large_rows_[place];
        } else {
            large_rows_.push_back(static_cast<std::uint32_t>(stacks.size()));
        }
        stacks.push_back(stack);
        return static_cast<std::uint32_t>(stacks.size() - 1);
    }

    void take(Column& column, JsonNumber number) {
        const std::size_t sample = column.size++;
        if (sample < stacks_.size() && column.waiting.empty())
            add(column, stacks_[sample], number);
        else
            column.waiting.push_back(number);
    }

    void add(Column& column, std::uint32_t stack, JsonNumber number) {
        if (stack == no_row || number == JsonNumber()) return;
        if (column.costs.size() <= stack) column.costs.resize(stack + std::size_t{1});
        column.costs[stack] += number;
    }

    void keep(Column& column, FirefoxCosts::Of of, std::uint32_t unit) {
        const std::size_t first = column.size - column.waiting.size();
        for (std::size_t i = first; i < std::min(column.size, stacks_.size()); ++i)
            add(column, stacks_[i], column.waiting[i - first]);
        if (!column.costs.empty())
            thread_->costs.push_back({.of = of, .unit = unit, .costs = std::move(column.costs)});
        column = {};
    }

    FirefoxThread* thread_ = nullptr;
    std::vector<std::uint32_t> rows_;   // of FirefoxThread::stacks, by number of a stack
    std::vector<std::uint32_t> known_;  // what there is in rows_
    KeyRows rows_of_large_;             // the same for larger numbers
    std::vector<std::uint32_t> large_rows_;
    std::vector<std::uint32_t> stacks_;  // rows of FirefoxThread::stacks, by sample
    Column weights_, cpu_;
};

/// Takes what the parser finds. The containers that are open are a stack: the depth is the input's to choose.
class FirefoxHandler : public JsonHandler<FirefoxHandler, JsonNesting::bounded> {
  public:
    explicit FirefoxHandler(FirefoxJson& json) : json_(json) {}

    [[nodiscard]] bool has_threads() const { return has_threads_; }

    void begin(bool is_array) {
        if (part() == FirefoxPart::column) take_nothing();
        if (part() == FirefoxPart::strings) tables_->columns[string_column].push_back(0);
        if (part() == FirefoxPart::row) ++position_;
        open_.push_back(part_);
        part_ = part_of(is_array);
        switch (part_) {
            case FirefoxPart::process:
                processes_.push_back(json_.processes.size());
                json_.processes.emplace_back();
                break;
            case FirefoxPart::threads:
                has_threads_ = true;
                break;
            case FirefoxPart::thread:
                json_.threads.emplace_back();
                thread().process = processes_.back();
                tables_ = &thread().tables;
                break;
            case FirefoxPart::shared:
                tables_ = &json_.shared;
                break;
            case FirefoxPart::libs:
                libs_ = open_.back() == FirefoxPart::thread ? &thread().libs
                                                            : &json_.processes[processes_.back()].libs;
                break;
            case FirefoxPart::lib:
                libs_->emplace_back();
                break;
            case FirefoxPart::table:
                begin_table();
                break;
            case FirefoxPart::row:
                begin_row();
                break;
            default:
                break;
        }
    }

    void end() {
        const FirefoxPart part = std::exchange(part_, open_.back());
        open_.pop_back();
        if (part == FirefoxPart::process) processes_.pop_back();
        if (part == FirefoxPart::row) end_row();
        if (part == FirefoxPart::table && has_samples(table_)) samples_.end(table_, weight_type_);
        if (part == FirefoxPart::thread && thread().costs.empty() && thread().without_stack == 0)
            json_.threads.pop_back();
    }

    void key(std::string_view text) { key_ = text; }

    void text(std::string_view text) {
        switch (part()) {
            case FirefoxPart::strings:
                tables_->columns[string_column].push_back(json_.names.row(text));
                break;
            case FirefoxPart::thread:
                thread_text(text);
                break;
            case FirefoxPart::lib:
                if (is_key(key_, "name") || (is_key(key_, "debugName") && libs_->back().name == 0))
                    if (!text.empty()) libs_->back().name = json_.names.row(text);
                break;
            case FirefoxPart::table:
                if (is_key(key_, "weightType")) weight_type_ = json_.names.row(text);
                break;
            case FirefoxPart::own:
                if (is_key(key_, "event")) thread().event = json_.names.row(text);
                break;
            case FirefoxPart::units:
                if (is_key(key_, "threadCPUDelta") && processes_.size() == 1)
                    json_.cpu_unit = json_.names.row(text);
                break;
            case FirefoxPart::meta:
                if (is_key(key_, "product") && processes_.size() == 1) json_.product = json_.names.row(text);
                break;
            case FirefoxPart::threads:
                ++json_.threads_as_text;
                break;
            default:
                take_nothing();
        }
    }

    void number(JsonNumber number) {
        switch (part()) {
            case FirefoxPart::column:
                take(target_, number);
                break;
            case FirefoxPart::row:
                if (position_ < row_.size()) row_[position_] = number;
                ++position_;
                break;
            case FirefoxPart::schema:
                if (const Target target = target_of(table_, key_);
                    !target.is_none() && number.whole >= 0 && number.whole < max_positions)
                    schema_[static_cast<std::size_t>(number.whole)] = target;
                break;
            case FirefoxPart::thread:
                if (is_key(key_, "pid") || is_key(key_, "tid")) thread_text(std::to_string(number.whole));
                break;
            case FirefoxPart::lib:
                if (is_key(key_, "start")) libs_->back().start = static_cast<std::uint64_t>(number.whole);
                if (is_key(key_, "end")) libs_->back().end = static_cast<std::uint64_t>(number.whole);
                break;
            case FirefoxPart::strings:
                tables_->columns[string_column].push_back(0);
                break;
            default:
                break;
        }
    }

    void boolean(bool boolean) {
        if (part() == FirefoxPart::own && is_key(key_, "estimated")) thread().is_estimate = boolean;
        take_nothing();
    }
    void null() { take_nothing(); }

  private:
    static constexpr std::int64_t max_positions = 16;
    static constexpr auto string_column = static_cast<std::size_t>(FirefoxColumn::strings);

    [[nodiscard]] FirefoxPart part() const { return part_; }
    [[nodiscard]] FirefoxThread& thread() { return json_.threads.back(); }

    [[nodiscard]] FirefoxPart part_of(bool is_array) {
        using enum FirefoxPart;
        switch (part()) {
            case outside:
                return is_array ? other : process;
            case process:
                return is_array                 ? list_of_process()
                       : is_key(key_, "meta")   ? meta
                       : is_key(key_, "shared") ? shared
                                                : other;
            case meta:
                return !is_array && is_key(key_, "sampleUnits") ? units : other;
            case processes:
                return is_array ? other : process;
            case libs:
                return is_array ? other : lib;
            case threads:
                return is_array ? other : FirefoxPart::thread;
            case FirefoxPart::thread:
                if (!is_array && is_key(key_, "callcost")) return own;
                return part_of_tables(is_array);
            case shared:
                return part_of_tables(is_array);
            case table:
                if (!is_array) return is_key(key_, "schema") ? schema : other;
                if (is_key(key_, "data")) return rows;
                target_ = target_of(table_, key_);
                return target_.is_none() ? other : column;
            case rows:
                return is_array ? row : other;
            default:
                return other;
        }
    }

    [[nodiscard]] FirefoxPart list_of_process() const {
        if (is_key(key_, "threads")) return FirefoxPart::threads;
        if (is_key(key_, "processes")) return FirefoxPart::processes;
        return is_key(key_, "libs") ? FirefoxPart::libs : FirefoxPart::other;
    }

    [[nodiscard]] FirefoxPart part_of_tables(bool is_array) {
        if (is_array) {
            if (is_key(key_, "stringArray") || is_key(key_, "stringTable")) return FirefoxPart::strings;
            return is_key(key_, "libs") && part() == FirefoxPart::thread ? FirefoxPart::libs
                                                                         : FirefoxPart::other;
        }
        const FirefoxTable table = table_of(key_);
        if (table == FirefoxTable::none || (has_samples(table) && part() == FirefoxPart::shared))
            return FirefoxPart::other;
        table_ = table;
        return FirefoxPart::table;
    }

    void thread_text(std::string_view text) {
        if (is_key(key_, "name")) thread().name = json_.names.row(text);
        if (is_key(key_, "processName")) thread().process_name = json_.names.row(text);
        if (is_key(key_, "processType") && thread().process_name == 0)
            thread().process_name = json_.names.row(text);
        if (is_key(key_, "pid")) thread().pid = json_.names.row(text);
        if (is_key(key_, "tid")) thread().tid = json_.names.row(text);
    }

    /// A table of rows has its columns where older versions have them, unless its schema says more.
    void begin_table() {
        schema_ = {};
        weight_type_ = 0;
        if (has_samples(table_)) {
            samples_.begin(thread());
            schema_[0] = {.sample = SampleColumn::stack};
        }
        if (table_ == FirefoxTable::stacks) {
            schema_[0] = {.kept = FirefoxColumn::stack_prefix};
            schema_[1] = {.kept = FirefoxColumn::stack_frame};
        }
        if (table_ == FirefoxTable::frames) schema_[0] = {.kept = FirefoxColumn::frame_location};
    }

    void begin_row() {
        row_.fill(std::nullopt);
        position_ = 0;
    }

    void end_row() {
        for (std::size_t position = 0; position < row_.size(); ++position) {
            if (schema_[position].is_none()) continue;
            if (row_[position])
                take(schema_[position], *row_[position]);
            else
                take_nothing(schema_[position]);
        }
    }

    void take(const Target& target, JsonNumber number) {
        if (target.kept) (*tables_)[*target.kept].push_back(row_number(number));
        if (target.sample == SampleColumn::stack) samples_.stack(row_number(number));
        if (target.sample == SampleColumn::weight) samples_.weight(number);
        if (target.sample == SampleColumn::cpu) samples_.cpu(number);
    }

    void take_nothing(const Target& target) {
        if (target.kept) (*tables_)[*target.kept].push_back(no_row);
        if (target.sample == SampleColumn::stack) samples_.stack(no_row);
        if (target.sample == SampleColumn::weight) samples_.weight({});
        if (target.sample == SampleColumn::cpu) samples_.cpu({});
    }

    /// A value that is no number keeps its place.
    void take_nothing() {
        if (part() == FirefoxPart::column) take_nothing(target_);
        if (part() == FirefoxPart::strings) tables_->columns[string_column].push_back(0);
        if (part() == FirefoxPart::row) ++position_;
    }

    FirefoxJson& json_;
    FirefoxPart part_ = FirefoxPart::outside;
    std::vector<FirefoxPart> open_;  // those around it
    std::string key_;
    bool has_threads_ = false;
    std::vector<std::size_t> processes_;  // that are open
    FirefoxTables* tables_ = nullptr;
    std::vector<FirefoxLib>* libs_ = nullptr;

    // The table at hand
    FirefoxTable table_ = FirefoxTable::none;
    Target target_;  // of its column
    std::array<Target, max_positions> schema_;
    std::array<std::optional<JsonNumber>, max_positions> row_;
    std::size_t position_ = 0;  // in the row
    FirefoxSamples samples_;
    std::uint32_t weight_type_ = 0;  // row of names
};

}  // namespace

Result<FirefoxJson> read_firefox_json(const Source& source) {
    FirefoxJson json;
    FirefoxHandler handler(json);
    JsonStream stream(source);
    if (auto done = read_json(stream, handler); !done) return tl::unexpected(done.error());
    json.bytes = stream.bytes();
    if (!handler.has_threads())
        return tl::unexpected(not_in_format("it has no \"threads\": no profile of Firefox"));
    return json;
}

}  // namespace callcost::engine
