// Profiles of Firefox as JSON: of its profiler as it writes them ("Gecko profile"), and as the page
// profiler.firefox.com saves them ("processed"), which samply, Python and others write, too.
// https://github.com/firefox-devtools/profiler/blob/main/docs-developer/CHANGELOG-formats.md
//
// Names of functions and files moved from the threads to the file in the course of time, each table on its
// own: a thread's table counts where it has one.
#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "encodings/import_input.hpp"
#include "import_model/estimated_marks.hpp"
#include "import_model/imported_stacks.hpp"
#include "import_model/stack_trees.hpp"
#include "json_importers/firefox_json.hpp"
#include "json_importers/json_importers.hpp"

namespace callcost::engine {
namespace {

using Column = FirefoxColumn;

/// What the names of frames come from.
constexpr std::array names_of_frames{Column::frame_location,    Column::frame_function, Column::function_name,
                                     Column::function_resource, Column::resource_lib,   Column::strings};

std::uint32_t cell(const std::vector<std::uint32_t>& column, std::uint32_t row) {
    return row < column.size() ? column[row] : no_row;
}

std::optional<std::uint64_t> address_in(std::string_view name) {
    if (!name.starts_with("0x") || name.size() == 2) return std::nullopt;
    std::uint64_t address = 0;
    const auto [end, problem] = std::from_chars(name.data() + 2, name.data() + name.size(), address, 16);
    if (problem != std::errc{} || end != name.data() + name.size()) return std::nullopt;
    return address;
}

/// A frame as Gecko spells it: `name (file:line:column)[source]`; all but the name may be missing.
struct GeckoLocation {
    std::string_view name, file{};
    std::uint64_t line = 0;
};

/// Takes `:12` off the end.
std::optional<std::uint64_t> take_line(std::string_view& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    const auto number = parse_digits(text.substr(colon + 1));
    if (number) text = text.substr(0, colon);
    return number;
}

GeckoLocation location_in(std::string_view text) {
    std::string_view place = text;
    if (const std::size_t open = place.rfind('[');
        place.ends_with(']') && open != std::string_view::npos &&
        parse_digits(place.substr(open + 1, place.size() - open - 2)))
        place = place.substr(0, open);
    if (!place.ends_with(')')) return {.name = text};
    place.remove_suffix(1);
    const std::size_t open = place.rfind(" (");
    if (open == std::string_view::npos || open + 2 == place.size()) return {.name = text};
    GeckoLocation location{.name = place.substr(0, open), .file = place.substr(open + 2)};
    const auto last = take_line(location.file);
    const auto first = last ? take_line(location.file) : std::nullopt;
    if (!last && location.file.find('/') == std::string_view::npos) return {.name = text};
    location.line = first ? *first : last.value_or(0);
    return location;
}

/// The number at the end: `16158:77` is a thread in a process.
std::optional<std::uint64_t> thread_number(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    return parse_digits(colon == std::string_view::npos ? text : text.substr(colon + 1));
}

/// The one at the beginning: samply counts processes that share a number, as `77.1`.
std::optional<std::uint64_t> process_number(std::string_view text) {
    return parse_digits(text.substr(0, text.find('.')));
}

class FirefoxImport {
  public:
    FirefoxImport(FirefoxJson json, const ImportOptions& options)
        : json_(std::move(json)), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::firefox;
        notes_.kind = "Firefox profile";
        notes_.producer = name(json_.product);
        take_own();
        if (json_.threads_as_text != 0) note(notes_, ImportOddity::threads_as_text, 0, json_.threads_as_text);
        name_events();
        for (FirefoxThread& thread : json_.threads) {
            if (thread.event == 0)
                notes_.samples += thread.samples;
            else  // those of another event type are the same
                notes_.samples = std::max(notes_.samples, thread.samples);
            if (thread.without_stack != 0) note(notes_, ImportOddity::without_stack, 0, thread.without_stack);
            if (thread.dropped != 0) note(notes_, ImportOddity::events_dropped, 0, thread.dropped);
            add_thread(thread);
            thread = {};
            if (!options_.budget.covers(json_.bytes, profile_.max_bytes()))
                return tl::unexpected(options_.budget.error("the stacks"));
        }
        notes_.processes = pids_.size();
        say_what_is_unnamed();
        if (auto done = profile_.write({.unknown_count_as_one = options_.unknown_count_as_one}, sink); !done)
            return tl::unexpected(done.error());
        return std::move(notes_);
    }

  private:
    struct Event {
        std::uint32_t row = no_row;  // of profile_
        std::int64_t factor = 1;
        int decimals = 0;
        double magnitude = 0;
    };
    struct KnownFrames {
        KeyRows rows;  // of the table of frames
        std::vector<StackFrame> frames;
    };
    /// With rows of names: what callcost calls it, and the unit.
    using EventKey = std::tuple<FirefoxCosts::Of, std::uint32_t, std::uint32_t>;

    [[nodiscard]] const std::string& name(std::uint32_t row) const { return json_.names[row]; }

    [[nodiscard]] static EventKey key_of(const FirefoxThread& thread, const FirefoxCosts& costs) {
        return {costs.of, thread.event, costs.unit};
    }

    /// Threads of files of callcost are of one event type each. Their names say what is estimated, too.
    void take_own() {
        bool are_estimates = false;
        for (FirefoxThread& thread : json_.threads) {
            const std::string& text = name(thread.name);
            const std::size_t mark = text.find(estimated_profile_mark);
            if (mark != std::string::npos) thread.is_estimate = true;
            if (mark != std::string::npos && thread.event == 0)
                thread.event = json_.names.row(std::string(text, 0, mark));
            are_estimates = are_estimates || thread.is_estimate;
        }
        if (!are_estimates) return;
        note(notes_, ImportOddity::estimated_stacks);
        notes_.limits = "its stacks are estimates";
        profile_.take_for_estimates();
    }

    // Samples come first.
    void name_events() {
        double counted = 0;  // samples, by their weights
        for (const FirefoxThread& thread : json_.threads)
            for (const FirefoxCosts& costs : thread.costs) {
                Event& event = events_[key_of(thread, costs)];
                for (const JsonNumber cost : costs.costs) {
                    event.magnitude += std::abs(cost.value());
                    if (cost.fraction != 0) event.decimals = std::max(event.decimals, decimals_of(cost));
                }
            }
        for (auto& [key, event] : events_) {
            name_event(key, event);
            const auto [of, own, unit] = key;
            if (of == FirefoxCosts::Of::samples && own == 0 &&
                (name(unit).empty() || name(unit) == "samples"))
                counted += event.magnitude;
            if (event.row == no_row) note(notes_, ImportOddity::events_dropped);
        }
        if (events_.empty()) (void)profile_.event("samples", {});
        std::uint64_t samples = 0;
        for (const FirefoxThread& thread : json_.threads)
            if (thread.event == 0) samples += thread.samples;
        if (counted != 0 && counted != static_cast<double>(samples)) notes_.counted = "stack";
    }

    void name_event(EventKey key, Event& event) {
        const auto [of, own, unit_row] = key;
        const std::string& unit = name(of == FirefoxCosts::Of::cpu ? json_.cpu_unit : unit_row);
        std::string text, long_name;
        std::int64_t factor = 0;  // of units of time
        switch (of) {
            case FirefoxCosts::Of::samples:
                text = unit.empty() ? "samples" : unit;
                if (unit == "bytes") long_name = unit;
                if (unit == "tracing-ms") {
                    text = "Time";
                    factor = 1'000'000;
                }
                break;
            case FirefoxCosts::Of::cpu:
                text = "cpu";
                if (unit == "ns") factor = 1;
                if (unit == "\u00b5s" || unit == "us") factor = 1'000;
                if (factor == 0) long_name = unit;
                break;
            case FirefoxCosts::Of::js_allocations:
                text = "jsAllocations";
                long_name = unit.empty() ? "bytes" : unit;
                break;
            case FirefoxCosts::Of::native_allocations:
                text = "nativeAllocations";
                long_name = unit.empty() ? "bytes" : unit;
                break;
        }
        if (own != 0) text = name(own);
        if (factor != 0) {
            event.factor = factor;
            event.row = profile_.event(text, "nanoseconds");
            return;
        }
        const CostScale scale = cost_scale(event.decimals, event.magnitude);
        if (scale.decimals < event.decimals) note(notes_, ImportOddity::values_rounded);
        event.factor = scale.factor;
        event.row = profile_.event(scale.name(text), scale.factor == 1 ? long_name : scale.long_name(text));
    }

    void add_thread(const FirefoxThread& thread) {
        if (thread.costs.empty()) return;
        if (thread.event == 0) {
            ++notes_.threads;
            pids_.insert({thread.pid, thread.pid == 0 ? thread.process : 0});
            profile_.set_thread(heading_of(thread));
        } else {
            profile_.set_thread({});
        }
        thread_ = &thread;
        has_own_names_ =
            !thread.libs.empty() || std::any_of(names_of_frames.begin(), names_of_frames.end(),
                                                [&](Column column) { return !own(column).empty(); });
        own_frames_ = {};
        collect_stacks();

        std::vector<std::uint32_t> callers;
        std::vector<StackFrame> frames;
        callers.reserve(rows_.size());
        frames.reserve(rows_.size());
        for (const std::uint32_t row : rows_) {
            const std::uint32_t caller = caller_of(row);
            callers.push_back(caller == no_row ? no_row : places_[caller]);
            frames.push_back(frame_of(cell(column(Column::stack_frame), row)));
        }
        const auto circles = add_stack_trees(profile_, callers, frames, [&](std::uint32_t place) {
            if (stacks_[place] != no_row) add_costs(stacks_[place]);
        });
        if (circles != 0) note(notes_, ImportOddity::cyclic_nodes, 0, circles);
        add_unknown_stacks();
        for (const std::uint32_t row : rows_) places_[row] = no_row;
    }

    [[nodiscard]] const std::vector<std::uint32_t>& own(Column column) const {
        return thread_->tables[column];
    }
    /// The thread's, or that of the file.
    [[nodiscard]] const std::vector<std::uint32_t>& column(Column column) const {
        return own(column).empty() ? json_.shared[column] : own(column);
    }
    [[nodiscard]] std::size_t stack_count() const { return column(Column::stack_frame).size(); }

    /// The stacks that were sampled and all above them, each once, in rows_.
    void collect_stacks() {
        rows_.clear();
        if (places_.size() < stack_count()) places_.resize(stack_count(), no_row);
        for (const std::uint32_t sampled : thread_->stacks) {
            if (sampled >= stack_count()) continue;
            for (std::uint32_t row = sampled; row != no_row && places_[row] == no_row; row = caller_of(row)) {
                places_[row] = static_cast<std::uint32_t>(rows_.size());
                rows_.push_back(row);
            }
        }
        stacks_.assign(rows_.size(), no_row);
        for (std::uint32_t stack = 0; stack < thread_->stacks.size(); ++stack)
            if (thread_->stacks[stack] < stack_count()) stacks_[places_[thread_->stacks[stack]]] = stack;
    }

    [[nodiscard]] std::uint32_t caller_of(std::uint32_t row) const {
        std::uint32_t caller = cell(column(Column::stack_prefix), row);
        if (const std::uint32_t offset = cell(column(Column::stack_offset), row); offset != no_row)
            caller = offset == 0 || offset > row ? no_row : row - offset;
        return caller < stack_count() ? caller : no_row;
    }

    void add_costs(std::uint32_t stack) {
        for (const FirefoxCosts& costs : thread_->costs) {
            if (stack >= costs.costs.size()) continue;
            const Event& event = events_.at(key_of(*thread_, costs));
            const Cost cost = costs.costs[stack].times(event.factor);
            if (cost != 0 && event.row != no_row) profile_.add({.event = event.row, .cost = cost});
        }
    }

    /// What was sampled in rows that the table of stacks does not have.
    void add_unknown_stacks() {
        for (std::uint32_t stack = 0; stack < thread_->stacks.size(); ++stack) {
            if (thread_->stacks[stack] < stack_count()) continue;
            note(notes_, ImportOddity::invalid_reference);
            const StackFrame unknown{.function = profile_.function({}, {}, "(unknown)")};
            profile_.set_stack({&unknown, 1});
            add_costs(stack);
        }
    }

    StackThread heading_of(const FirefoxThread& thread) {
        const auto process = process_number(name(thread.pid));
        auto number = thread_number(name(thread.tid));
        auto& next = next_numbers_[process];
        while (!number || !numbers_.insert({process, *number}).second) number = ++next;
        std::string text = name(thread.process_name);
        if (!text.empty() && thread.name != 0) text += '/';
        return {.process = process, .number = *number, .name = text + name(thread.name)};
    }

    StackFrame frame_of(std::uint32_t row) {
        const bool is_gecko = !column(Column::frame_location).empty();
        const std::size_t count = column(is_gecko ? Column::frame_location : Column::frame_function).size();
        if (row >= count) {
            note(notes_, ImportOddity::invalid_reference);
            return {.function = profile_.function({}, {}, "(unknown)")};
        }
        KnownFrames& known = has_own_names_ ? own_frames_ : shared_frames_;
        const std::uint32_t place = known.rows.row(row);
        if (place == known.frames.size())
            known.frames.push_back(is_gecko ? gecko_frame(row) : processed_frame(row));
        return known.frames[place];
    }

    [[nodiscard]] std::uint64_t line_in(Column of, std::uint32_t row) const {
        const std::uint32_t line = cell(column(of), row);
        return line == no_row ? 0 : line;
    }

    [[nodiscard]] std::string_view string(std::uint32_t row) {
        if (row == no_row) return {};
        const std::uint32_t text = cell(column(Column::strings), row);
        if (text == no_row) note(notes_, ImportOddity::invalid_reference);
        return text == no_row ? std::string_view() : std::string_view(name(text));
    }

    StackFrame gecko_frame(std::uint32_t row) {
        const GeckoLocation location = location_in(string(cell(column(Column::frame_location), row)));
        std::string_view object;
        if (const auto address = address_in(location.name)) {
            object = object_at(*address);
            ++unnamed_[std::string(object)];
        }
        const std::uint64_t line = line_in(Column::frame_line, row);
        return {.function = profile_.function(object, location.file, named(location.name), location.line),
                .place = profile_.place({}, line == 0 ? location.line : line)};
    }

    StackFrame processed_frame(std::uint32_t row) {
        const std::uint32_t function = cell(column(Column::frame_function), row);
        const std::string_view text = string(cell(column(Column::function_name), function));
        const std::string_view object = object_of(row, function);
        if (address_in(text)) ++unnamed_[std::string(object)];
        std::uint32_t file = cell(column(Column::function_file), function);
        if (const std::uint32_t source = cell(column(Column::function_source), function); source != no_row)
            file = cell(column(Column::source_file), source);
        const std::uint64_t first_line = line_in(Column::function_line, function);
        const std::uint64_t line = line_in(Column::frame_line, row);
        return {.function = profile_.function(object, string(file), named(text), first_line),
                .place = profile_.place({}, line == 0 ? first_line : line)};
    }

    static std::string_view named(std::string_view name) { return name.empty() ? "(anonymous)" : name; }

    [[nodiscard]] const std::vector<FirefoxLib>& libs() const {
        return thread_->libs.empty() ? json_.processes[thread_->process].libs : thread_->libs;
    }

    [[nodiscard]] std::string_view object_at(std::uint64_t address) {
        if (std::exchange(sorted_from_, &libs()) != &libs()) {
            sorted_libs_ = libs();
            std::stable_sort(sorted_libs_.begin(), sorted_libs_.end(),
                             [](const FirefoxLib& a, const FirefoxLib& b) { return a.start < b.start; });
        }
        const auto behind =
            std::upper_bound(sorted_libs_.begin(), sorted_libs_.end(), address,
                             [](std::uint64_t wanted, const FirefoxLib& lib) { return wanted < lib.start; });
        if (behind == sorted_libs_.begin() || address >= std::prev(behind)->end) return {};
        return name(std::prev(behind)->name);
    }

    /// Until version 69 a function has a resource, which may be a library; from version 70 on a frame has
    /// one.
    [[nodiscard]] std::string_view object_of(std::uint32_t frame, std::uint32_t function) const {
        std::uint32_t lib = cell(column(Column::frame_lib), frame);
        if (lib == no_row)
            lib = cell(column(Column::resource_lib), cell(column(Column::function_resource), function));
        return lib < libs().size() ? std::string_view(name(libs()[lib].name)) : std::string_view();
    }

    /// How many frames have no name, and the libraries whose symbols would say it, those of the most frames
    /// first.
    void say_what_is_unnamed() {
        constexpr std::size_t most = 3;
        std::vector<std::pair<std::string, std::uint64_t>> libs;
        std::uint64_t count = 0;
        for (const auto& [lib, frames] : unnamed_) {
            count += frames;
            if (!lib.empty()) libs.emplace_back(lib, frames);
        }
        if (count == 0) return;
        std::stable_sort(libs.begin(), libs.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        notes_.limits =
            std::to_string(count) + (count == 1 ? " frame has" : " frames have") + " only an address";
        if (libs.empty()) return;
        notes_.limits += ", names need the symbols of ";
        for (std::size_t i = 0; i < std::min(libs.size(), most); ++i)
            notes_.limits += (i == 0 ? "" : ", ") + libs[i].first;
        if (libs.size() > most) notes_.limits += " and " + std::to_string(libs.size() - most) + " more";
    }

    FirefoxJson json_;
    const ImportOptions& options_;
    ImportNotes notes_;
    StackProfile profile_{options_.stacks};
    std::map<EventKey, Event> events_;
    std::set<std::pair<std::uint32_t, std::size_t>> pids_;  // or the process where there is none
    std::set<std::pair<std::optional<std::uint64_t>, std::uint64_t>> numbers_;  // of threads, by process
    std::map<std::optional<std::uint64_t>, std::uint64_t> next_numbers_;
    std::map<std::string, std::uint64_t> unnamed_;  // frames by library

    // The thread at hand
    const FirefoxThread* thread_ = nullptr;
    std::vector<std::uint32_t> rows_;    // of stacks that count
    std::vector<std::uint32_t> stacks_;  // the thread's, by place in rows_; no_row: not sampled
    std::vector<std::uint32_t> places_;  // in rows_, by stack
    KnownFrames own_frames_, shared_frames_;
    bool has_own_names_ = false;
    const std::vector<FirefoxLib>* sorted_from_ = nullptr;
    std::vector<FirefoxLib> sorted_libs_;
};

}  // namespace

Result<ImportNotes> import_firefox(const Source& source, const ImportOptions& options, const Sink& sink) {
    Result<FirefoxJson> json = read_firefox_json(source);
    if (!json) return tl::unexpected(json.error());
    return FirefoxImport(std::move(*json), options).run(sink);
}

}  // namespace callcost::engine
