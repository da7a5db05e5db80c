#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "callcost/call_graph.hpp"
#include "callcost/callcost.h"
#include "callcost/callcost.hpp"
#include "callcost/read.hpp"
#include "callcost/writer.hpp"

// NOLINTBEGIN(readability-identifier-naming): these are names of C.

struct callcost_profile {
    callcost::Profile profile;
    callcost::CallGraph graph;
    std::vector<callcost::Measure> events;  ///< what each column is shown by
};

struct callcost_lines {
    callcost::Profile profile;
    callcost::CallGraph graph;
    std::size_t function = 0, end = 0;  ///< the one after the cursor's; behind the last
    std::optional<callcost::RecordCursor> cursor;
    std::vector<std::int64_t> costs;
    std::span<const callcost::EventId> filled;  ///< what is not 0 in them
};

struct callcost_writer {
    std::shared_ptr<bool> is_sink_broken;
    callcost::Writer writer;
    bool is_lost = false;  ///< an exception passed through the Writer: who knows what it has written
};

// NOLINTEND(readability-identifier-naming)

namespace {

using callcost::ArcId;
using callcost::Cost;
using callcost::Error;
using callcost::ErrorCode;
using callcost::EventId;
using callcost::NodeId;
using callcost::Result;

static_assert(CALLCOST_NOTHING_SELECTED == static_cast<int>(ErrorCode::nothing_selected) + 1);
static_assert(CALLCOST_CACHEGRIND == static_cast<int>(callcost::FileDialect::cachegrind));
static_assert(CALLCOST_ERROR == static_cast<int>(callcost::Severity::error));

callcost_text text_of(std::string_view text) { return {text.empty() ? "" : text.data(), text.size()}; }
std::string_view view_of(const char* text) { return text != nullptr ? text : std::string_view(); }

callcost_code set(callcost_error* error, callcost_code code, std::string_view detail = {},
                  std::uint64_t line = 0, std::uint64_t column = 0) {
    if (error == nullptr) return code;
    *error = {code, line, column, {}};
    const std::size_t length = std::min(detail.size(), sizeof error->message - 1);
    std::transform(detail.begin(), detail.begin() + static_cast<std::ptrdiff_t>(length), error->message,
                   [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c; });
    return code;
}

callcost_code set(callcost_error* error, const Error& what) {
    return set(error, static_cast<callcost_code>(static_cast<int>(what.code) + 1), what.message(), what.line,
               what.column);
}

/// Does the work, which may throw, and says in `error` what became of it.
template <class Work>
callcost_code guarded(callcost_error* error, Work work) noexcept {
    try {
        const Result<void> done = work();
        return done ? set(error, CALLCOST_OK) : set(error, done.error());
    } catch (const std::bad_alloc&) {
        return set(error, CALLCOST_OUT_OF_MEMORY, "out of memory");
    } catch (const std::length_error&) {
        return set(error, CALLCOST_OUT_OF_MEMORY, "out of memory");
    } catch (...) {
        return set(error, CALLCOST_FAILED, "a callback threw an exception");
    }
}

tl::unexpected<Error> misuse(std::string detail) {
    return tl::unexpected(Error{.code = ErrorCode::bad_argument, .detail = std::move(detail)});
}

// ---- Reading ----

callcost_profile* open(const callcost::Source& source, const callcost::ReadOptions& options,
                       callcost_error* error) {
    callcost_profile* opened = nullptr;
    guarded(error, [&]() -> Result<void> {
        Result<callcost::Profile> profile = callcost::read_profile(source, options);
        if (!profile) return tl::unexpected(profile.error());
        Result<callcost::CallGraph> graph = callcost::call_graph(*profile);
        if (!graph) return tl::unexpected(graph.error());
        std::vector<callcost::Measure> events;
        for (std::size_t row = 0; row < profile->events().size(); ++row) {
            const callcost::EventType& event = profile->events()[row];
            events.push_back({.name = event.name,
                              .long_name = event.long_name,
                              .unit = event.unit,
                              .formula = {},
                              .additive = event.aggregation == callcost::Aggregation::sum,
                              .terms = {{EventId(row), 1}}});
        }
        opened = new callcost_profile{*std::move(profile), *std::move(graph), std::move(events)};
        return {};
    });
    return opened;
}

/// Sets the cost of each event. Only those of the part are touched: a profile may have thousands.
void spread(callcost_lines& lines, const callcost::Record& record) {
    for (const EventId event : lines.filled) lines.costs[event.value] = 0;
    const auto events = lines.profile.parts()[lines.cursor->part().value].events;
    lines.filled = events.first(std::min(events.size(), record.costs.size()));
    for (std::size_t column = 0; column < lines.filled.size(); ++column)
        lines.costs[lines.filled[column].value] = record.costs[column];
}

bool next_line(callcost_lines& lines, callcost_line& out) {
    callcost::Record record;
    while (true) {
        while (lines.cursor && lines.cursor->next(record)) {
            if (record.kind != callcost::Record::Kind::cost) continue;
            spread(lines, record);
            out = {lines.function - 1, text_of(lines.profile.name(record.file)), record.line, record.address,
                   lines.costs.data()};
            return true;
        }
        if (lines.function == lines.end) return false;
        lines.cursor.emplace(lines.profile.records(lines.graph.function(NodeId(lines.function++))));
    }
}

// ---- Writing ----

/// `is_broken` becomes true where the callback fails.
callcost::Sink sink_of(callcost_write write, void* context, std::shared_ptr<bool> is_broken) {
    return [write, context, is_broken = std::move(is_broken)](std::string_view bytes) -> Result<void> {
        if (!*is_broken && write(context, bytes.data(), bytes.size()) == 0) return {};
        *is_broken = true;
        return tl::unexpected(Error{});
    };
}

callcost_code write_failed(callcost_error* error) {
    return set(error, CALLCOST_WRITE_FAILED, "the write callback failed");
}

Result<callcost::FileDialect> dialect_of(const callcost_write_options& options) {
    if (options.dialect < CALLCOST_PORTABLE || options.dialect > CALLCOST_CACHEGRIND)
        return misuse("there is no such dialect");
    return static_cast<callcost::FileDialect>(options.dialect);
}

std::optional<bool> counts_as_one(const callcost_write_options& options) {
    if (options.unknown_count_as_one == 0) return std::nullopt;
    return options.unknown_count_as_one > 0;
}

/// A step of a Writer.
template <class Step>
callcost_code step(callcost_writer& writer, callcost_error* error, Step take) {
    if (writer.is_lost) return set(error, CALLCOST_FAILED, "an earlier step failed");
    const callcost_code code = guarded(error, [&] { return take(writer.writer); });
    writer.is_lost = code == CALLCOST_OUT_OF_MEMORY || code == CALLCOST_FAILED;
    return *writer.is_sink_broken && code != CALLCOST_OK && !writer.is_lost ? write_failed(error) : code;
}

/// Numbers from 1 on for rows from 0 on.
template <class Id>
Id id_of(std::uint32_t number) {
    return number == 0 ? Id() : Id(number - 1);
}

callcost::Writer::Place place_of(const callcost_place& place) {
    return {.file = id_of<callcost::Writer::File>(place.file), .address = place.address, .line = place.line};
}

/// NULL is an empty array.
template <class Number>
std::span<const Number> numbers(const Number* first, std::size_t count) {
    return {first, first == nullptr ? 0 : count};
}

std::vector<Cost> costs_of(const std::int64_t* first, std::size_t count) {
    const auto written = numbers(first, count);
    return {written.begin(), written.end()};
}

std::optional<std::uint64_t> number_at(const std::uint64_t* number) {
    return number != nullptr ? std::optional(*number) : std::nullopt;
}

Result<void> begin_part(callcost::Writer& writer, const callcost_part& part) {
    std::vector<callcost::EventType> events;
    for (const callcost_written_event& event : numbers(part.events, part.event_count)) {
        events.push_back({.name = std::string(view_of(event.name)),
                          .long_name = std::string(view_of(event.long_name)),
                          .unit = {}});
    }
    const auto summary = costs_of(part.summary, part.event_count);
    return writer.begin_part({.command = view_of(part.command),
                              .pid = number_at(part.pid),
                              .part = number_at(part.part),
                              .thread = number_at(part.thread),
                              .addresses = part.addresses != 0,
                              .events = events,
                              .summary = summary});
}

}  // namespace

int callcost_c_version(void) { return CALLCOST_C_VERSION; }
const char* callcost_version(void) { return callcost::version().data(); }

callcost_profile* callcost_open_memory(const char* bytes, size_t size, const char* name,
                                       callcost_error* error) {
    callcost::Source source;
    const auto named = [&]() -> Result<void> {
        source = callcost::from_memory(std::string_view(bytes, size), std::string(view_of(name)));
        return {};
    };
    return guarded(error, named) == CALLCOST_OK ? open(source, {}, error) : nullptr;
}

callcost_profile* callcost_open(callcost_read read, void* context, const char* name, callcost_error* error) {
    return callcost_open_with(read, context, name, nullptr, error);
}

callcost_profile* callcost_open_with(callcost_read read, void* context, const char* name,
                                     const callcost_read_options* options, callcost_error* error) {
    callcost::ReadOptions how;
    if (options != nullptr && options->longest_line != 0) how.longest_line = options->longest_line;
    callcost::Source source;
    const auto named = [&]() -> Result<void> {
        source.name = view_of(name);
        source.read = [=](std::span<char> buffer) -> Result<std::size_t> {
            const std::size_t count = read(context, buffer.data(), buffer.size());
            if (count != CALLCOST_READ_ERROR) return count;
            return tl::unexpected(Error{.code = ErrorCode::read_failed, .detail = "the callback failed"});
        };
        return {};
    };
    return guarded(error, named) == CALLCOST_OK ? open(source, how, error) : nullptr;
}

void callcost_close(callcost_profile* profile) { delete profile; }

size_t callcost_event_count(const callcost_profile* profile) { return profile->events.size(); }

int callcost_event_at(const callcost_profile* profile, size_t event, callcost_event* out) {
    const bool is_there = event < profile->events.size();
    static const callcost::Measure none;
    const callcost::Measure& found = is_there ? profile->events[event] : none;
    *out = {text_of(found.name), text_of(found.long_name), text_of(found.unit), found.additive ? 1 : 0};
    return is_there ? 1 : 0;
}

int64_t callcost_total(const callcost_profile* profile, size_t event) {
    return event < profile->events.size() ? profile->profile.total(EventId(event)) : Cost();
}

size_t callcost_function_count(const callcost_profile* profile) { return profile->graph.size(); }

int callcost_function_at(const callcost_profile* profile, size_t function, callcost_function* out) {
    *out = {text_of({}), text_of({}), text_of({}), 0, 0};
    if (function >= profile->graph.size()) return 0;
    const NodeId node(function);
    const callcost::CallCount called = profile->graph.call_count(node);
    *out = {text_of(profile->graph.name(node)), text_of(profile->graph.file(node)),
            text_of(profile->graph.object(node)), called.known, called.at_least ? 1 : 0};
    return 1;
}

int64_t callcost_self(const callcost_profile* profile, size_t function, size_t event) {
    if (function >= profile->graph.size() || event >= profile->events.size()) return 0;
    return profile->graph.self(NodeId(function), profile->events[event]);
}

int64_t callcost_inclusive(const callcost_profile* profile, size_t function, size_t event) {
    if (function >= profile->graph.size() || event >= profile->events.size()) return 0;
    return profile->graph.inclusive(NodeId(function), profile->events[event]);
}

int callcost_inclusive_bounds(const callcost_profile* profile, size_t function, size_t event, int64_t* least,
                              int64_t* most) {
    *least = *most = 0;
    if (function >= profile->graph.size() || event >= profile->events.size()) return 0;
    const callcost::BoundedCost cost =
        profile->graph.inclusive_bounds(NodeId(function), profile->events[event]);
    *least = cost.least;
    *most = cost.most;
    return cost.is_exact() ? 1 : 0;
}

size_t callcost_arc_count(const callcost_profile* profile) { return profile->graph.arc_count(); }

int callcost_arc_at(const callcost_profile* profile, size_t arc, callcost_arc* out) {
    *out = {};
    if (arc >= profile->graph.arc_count()) return 0;
    const callcost::CallGraph& graph = profile->graph;
    const callcost::CallCount count = graph.count(ArcId(arc));
    *out = {graph.caller(ArcId(arc)).value, graph.callee(ArcId(arc)).value, count.known,
            count.at_least ? 1 : 0, graph.recursive(ArcId(arc)) ? 1 : 0};
    return 1;
}

int64_t callcost_arc_cost(const callcost_profile* profile, size_t arc, size_t event) {
    if (arc >= profile->graph.arc_count() || event >= profile->events.size()) return 0;
    return profile->graph.cost(ArcId(arc), profile->events[event]);
}

callcost_lines* callcost_open_lines(const callcost_profile* profile, size_t function, callcost_error* error) {
    callcost_lines* lines = nullptr;
    guarded(error, [&]() -> Result<void> {
        const std::size_t count = profile->graph.size();
        const bool is_all = function == CALLCOST_ALL_FUNCTIONS;
        const std::size_t begin = is_all ? 0 : std::min(function, count);
        lines = new callcost_lines{profile->profile,
                                   profile->graph,
                                   begin,
                                   is_all ? count : std::min(begin + 1, count),
                                   std::nullopt,
                                   std::vector<std::int64_t>(profile->events.size()),
                                   {}};
        return {};
    });
    return lines;
}

int callcost_next_line(callcost_lines* lines, callcost_line* out) {
    bool is_there = false;
    *out = {0, text_of({}), 0, 0, nullptr};
    const callcost_code code = guarded(nullptr, [&]() -> Result<void> {
        is_there = next_line(*lines, *out);
        return {};
    });
    if (code != CALLCOST_OK) return -1;
    return is_there ? 1 : 0;
}

void callcost_close_lines(callcost_lines* lines) { delete lines; }

size_t callcost_diagnostic_count(const callcost_profile* profile) {
    return profile->profile.diagnostics().size();
}

int callcost_diagnostic_at(const callcost_profile* profile, size_t row, callcost_diagnostic* out) {
    *out = {text_of({}), text_of({}), CALLCOST_NOTE, 0, 0, 0, text_of({})};
    if (row >= profile->profile.diagnostics().size()) return 0;
    const callcost::Diagnostic& diagnostic = profile->profile.diagnostics()[row];
    const callcost::DiagnosticKind& kind = callcost::kind_of(diagnostic.id);
    *out = {text_of(kind.name),
            text_of(kind.rule),
            static_cast<callcost_severity>(kind.severity),
            diagnostic.count,
            0,
            0,
            text_of({})};
    if (diagnostic.places.empty()) return 1;
    const callcost::Place& place = diagnostic.places.front();
    out->line = place.line;
    out->column = place.column;
    out->excerpt = text_of(place.excerpt);
    return 1;
}

callcost_code callcost_write_profile(const callcost_profile* profile, callcost_write write, void* context,
                                     const callcost_write_options* options, callcost_error* error) {
    bool is_broken = false;
    const callcost_code code = guarded(error, [&]() -> Result<void> {
        const callcost_write_options wanted = options != nullptr ? *options : callcost_write_options{};
        const auto dialect = dialect_of(wanted);
        if (!dialect) return tl::unexpected(dialect.error());
        const auto state = std::make_shared<bool>(false);
        const auto done = callcost::write_profile(profile->profile, sink_of(write, context, state),
                                                  {.dialect = *dialect,
                                                   .canonical = wanted.canonical != 0,
                                                   .without_calls = wanted.without_calls != 0,
                                                   .unknown_count_as_one = counts_as_one(wanted)});
        is_broken = *state;
        if (!done) return tl::unexpected(done.error());
        return {};
    });
    return is_broken && code != CALLCOST_OK ? write_failed(error) : code;
}

callcost_writer* callcost_open_writer(callcost_write write, void* context,
                                      const callcost_write_options* options, callcost_error* error) {
    callcost_writer* opened = nullptr;
    guarded(error, [&]() -> Result<void> {
        const callcost_write_options wanted = options != nullptr ? *options : callcost_write_options{};
        const auto dialect = dialect_of(wanted);
        if (!dialect) return tl::unexpected(dialect.error());
        const auto is_broken = std::make_shared<bool>(false);
        opened =
            new callcost_writer{is_broken, callcost::Writer(sink_of(write, context, is_broken),
                                                            {.dialect = *dialect,
                                                             .creator = std::string(view_of(wanted.creator)),
                                                             .without_calls = wanted.without_calls != 0,
                                                             .unknown_count_as_one = counts_as_one(wanted)})};
        return {};
    });
    return opened;
}

uint32_t callcost_writer_file(callcost_writer* writer, const char* name) {
    std::uint32_t number = 0;
    step(*writer, nullptr, [&](callcost::Writer& to) -> Result<void> {
        number = to.file(view_of(name)).value + 1;
        return {};
    });
    return number;
}

uint32_t callcost_writer_function(callcost_writer* writer, const char* object, const char* file,
                                  const char* name) {
    std::uint32_t number = 0;
    step(*writer, nullptr, [&](callcost::Writer& to) -> Result<void> {
        const auto object_id = object != nullptr ? to.object(object) : callcost::Writer::Object();
        const auto file_id = file != nullptr ? to.file(file) : callcost::Writer::File();
        number = to.function(object_id, file_id, view_of(name)).value + 1;
        return {};
    });
    return number;
}

callcost_code callcost_writer_begin_part(callcost_writer* writer, const callcost_part* part,
                                         callcost_error* error) {
    return step(*writer, error, [&](callcost::Writer& to) { return begin_part(to, *part); });
}

callcost_code callcost_writer_begin_function(callcost_writer* writer, uint32_t function,
                                             callcost_error* error) {
    return step(*writer, error, [&](callcost::Writer& to) {
        return to.begin_function(id_of<callcost::Writer::Function>(function));
    });
}

callcost_code callcost_writer_cost(callcost_writer* writer, const callcost_place* place, const int64_t* costs,
                                   size_t count, callcost_error* error) {
    return step(*writer, error, [&](callcost::Writer& to) {
        return to.cost(place_of(place != nullptr ? *place : callcost_place{}), costs_of(costs, count));
    });
}

callcost_code callcost_writer_call(callcost_writer* writer, const callcost_call* call, const int64_t* costs,
                                   size_t count, callcost_error* error) {
    return step(*writer, error, [&](callcost::Writer& to) {
        return to.call({.place = place_of(call->place),
                        .callee = id_of<callcost::Writer::Function>(call->callee),
                        .count = call->count,
                        .target_address = call->target_address,
                        .target_line = call->target_line},
                       costs_of(costs, count));
    });
}

callcost_code callcost_writer_finish(callcost_writer* writer, callcost_error* error) {
    return step(*writer, error, [](callcost::Writer& to) { return to.finish(); });
}

void callcost_close_writer(callcost_writer* writer) { delete writer; }
