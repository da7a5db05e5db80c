/// @file scanner.hpp
/// The file as a stream of events, in file order, without a model: for programs that need one pass over a
/// profile of any size in little memory. Give parse() a handler with any of these member functions; the ones
/// it lacks cost nothing:
///
///     void names(const callcost::EventNames&);         once, at first
///     void part(const callcost::PartEvent&);
///     void header(const callcost::HeaderEvent&);
///     void function(const callcost::FunctionEvent&);
///     void inlined(const callcost::InlinedEvent&);
///     void cost(const callcost::CostEvent&);
///     void call(const callcost::CallEvent&);
///     void jump(const callcost::JumpEvent&);
///
/// Names, positions and files are already decoded as docs/format.md says. Names are numbers; EventNames has
/// their texts. The spans and texts of an event are valid during the call only.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "callcost/error.hpp"
#include "callcost/event_type.hpp"
#include "callcost/source.hpp"

namespace callcost {

/// A part begins (F21). Its header lines follow, then its functions.
struct PartEvent {
    bool new_profile = false;  ///< earlier ids and columns are no longer valid
};

/// A header line as written.
struct HeaderEvent {
    std::string_view key;    ///< "events", "summary", ...; empty for the magic line and for a separator
    std::string_view value;  ///< without outer blanks
    std::uint64_t line = 0;  ///< of the input, from 1
    std::string_view text;   ///< the whole line, at most a kilobyte of it
};

/// The names behind the small numbers in events: equal names of a kind have equal numbers, 0 is the unknown
/// name "???". They stay as long as the EventReader.
class CALLCOST_API EventNames {
  public:
    virtual ~EventNames() = default;
    [[nodiscard]] virtual std::string_view object(std::uint32_t row) const = 0;
    [[nodiscard]] virtual std::string_view file(std::uint32_t row) const = 0;
    [[nodiscard]] virtual std::string_view function(std::uint32_t row) const = 0;
};

/// A function, by the numbers of its names. As an event `fn=`: what follows belongs to this function. Without
/// any record it is only a name (F47).
struct FunctionEvent {
    std::uint32_t object = 0, file = 0, name = 0;
};

/// `cfni=`: what follows, until the next such event or function, is code of this function that was inlined in
/// the one in force (F89).
struct InlinedEvent {
    std::uint32_t file = 0;  ///< of the records after it
    std::uint32_t name = 0;  ///< among those of functions; 0: what follows is not inlined
};

/// Self cost of the function in force (F46).
struct CostEvent {
    std::uint64_t address = 0;               ///< 0 = unknown or no such column
    std::uint64_t line = 0;                  ///< 0 = unknown or no such column
    std::uint32_t file = 0;                  ///< where the line is (F51)
    bool line_written_as_minus_one = false;  ///< see ParseResult::minus_one_is_no_line
    std::span<const Cost> costs;             ///< by the columns of `events:`; missing ones are 0
    std::span<const std::uint64_t>
        positions;  ///< all position columns; empty if they are `line` or `instr line`
};

/// A call (F59); `costs` are inclusive.
struct CallEvent : CostEvent {
    FunctionEvent callee;
    bool counted = true;    ///< false: there was no `calls=` line (F56)
    bool has_place = true;  ///< false: the cost line is missing (F59)
    bool has_target = true;
    bool target_line_written_as_minus_one = false;
    std::uint64_t count = 0;  ///< 0 = unknown (F57)
    std::uint64_t target_address = 0, target_line = 0;
};

/// A jump (F62, F63).
struct JumpEvent : CostEvent {
    static constexpr std::uint32_t same_function = UINT32_MAX;
    std::uint32_t target_file = 0;
    std::uint32_t target_function = same_function;
    bool conditional = false;
    bool has_place = true;
    bool has_target = true;
    std::uint64_t executed = 0, followed = 0;
    std::uint64_t target_address = 0, target_line = 0;
};

struct ParseOptions {
    OnProgress on_progress{};
    std::size_t chunk_size = 64 * 1024;  ///< bytes scanned at a time
    /// Bytes without the line end, from 4096 to 2^31; a longer line is cut (F67).
    std::uint64_t longest_line = default_longest_line;
};

/// The results for the whole file.
struct ParseResult {
    std::uint64_t bytes = 0;
    std::uint64_t lines = 0;
    bool minus_one_is_no_line = false;  ///< lines written as -1 meant "no line" in all of the file (F39)
    std::vector<Diagnostic> diagnostics;
};

/// Yields the events of a source in batches. Most callers want parse().
class EventReader {
  public:
    enum class Kind : std::uint8_t { part, header, function, cost, call, jump, inlined };
    /// One event; the rest of it is in the vector of its kind. Names are numbers in Batch::rows.
    struct Event {
        std::uint64_t address, line;
        Cost cost;  ///< the only one, if `wide` is 0 and has_cost
        std::uint32_t file;
        std::uint32_t extra;  ///< index into the vector of the kind
        std::uint32_t wide;   ///< index + 1 into Batch::wide; 0 = none
        Kind kind;
        bool has_cost;
        bool line_written_as_minus_one;
    };
    /// The costs of an event with several columns, and its positions where they are more than instr and line.
    struct Wide {
        std::size_t costs, costs_size, positions, positions_size;
    };
    struct Batch {
        std::vector<Event> events;
        std::vector<Wide> wide;
        std::vector<Cost> costs;
        std::vector<std::uint64_t> positions;
        std::vector<PartEvent> parts;
        std::vector<HeaderEvent> headers;
        std::vector<FunctionEvent> functions;
        std::vector<InlinedEvent> inlined;
        std::vector<CallEvent> calls;
        std::vector<JumpEvent> jumps;
        std::span<const std::uint32_t> rows;  ///< of EventNames, by the numbers in all of these
    };

    CALLCOST_API explicit EventReader(Source source, ParseOptions options = {});
    CALLCOST_API ~EventReader();
    EventReader(const EventReader&) = delete;
    EventReader& operator=(const EventReader&) = delete;

    /// The next events, or null at the end. Errors: as ProfileReader::add; reading ends, and further calls
    /// return the same error.
    [[nodiscard]] CALLCOST_API Result<const Batch*> next();
    [[nodiscard]] CALLCOST_API const EventNames& names() const;
    /// After the end.
    [[nodiscard]] CALLCOST_API ParseResult result();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

namespace detail {

inline void fill(CostEvent& to, const EventReader::Event& event, const EventReader::Batch& batch) {
    to.address = event.address;
    to.line = event.line;
    to.file = batch.rows[event.file];
    to.line_written_as_minus_one = event.line_written_as_minus_one;
    if (event.wide == 0) {
        to.costs = {&event.cost, event.has_cost ? std::size_t{1} : std::size_t{0}};
        return;
    }
    const EventReader::Wide& wide = batch.wide[event.wide - 1];
    to.costs = {batch.costs.data() + wide.costs, wide.costs_size};
    to.positions = {batch.positions.data() + wide.positions, wide.positions_size};
}

template <class Handler>
void dispatch(const EventReader::Batch& batch, Handler& handler) {
    for (const EventReader::Event& event : batch.events) {
        switch (event.kind) {
            case EventReader::Kind::cost:
                if constexpr (requires(CostEvent cost) { handler.cost(cost); }) {
                    CostEvent cost;
                    fill(cost, event, batch);
                    handler.cost(cost);
                }
                break;
            case EventReader::Kind::call:
                if constexpr (requires(CallEvent call) { handler.call(call); }) {
                    CallEvent call = batch.calls[event.extra];
                    fill(call, event, batch);
                    call.callee = {batch.rows[call.callee.object], batch.rows[call.callee.file],
                                   batch.rows[call.callee.name]};
                    handler.call(call);
                }
                break;
            case EventReader::Kind::jump:
                if constexpr (requires(JumpEvent jump) { handler.jump(jump); }) {
                    JumpEvent jump = batch.jumps[event.extra];
                    fill(jump, event, batch);
                    jump.target_file = batch.rows[jump.target_file];
                    if (jump.target_function != JumpEvent::same_function)
                        jump.target_function = batch.rows[jump.target_function];
                    handler.jump(jump);
                }
                break;
            case EventReader::Kind::function:
                if constexpr (requires(FunctionEvent function) { handler.function(function); }) {
                    const FunctionEvent& function = batch.functions[event.extra];
                    handler.function(FunctionEvent{batch.rows[function.object], batch.rows[function.file],
                                                   batch.rows[function.name]});
                }
                break;
            case EventReader::Kind::inlined:
                if constexpr (requires(InlinedEvent inlined) { handler.inlined(inlined); }) {
                    const InlinedEvent& inlined = batch.inlined[event.extra];
                    handler.inlined(InlinedEvent{batch.rows[inlined.file], batch.rows[inlined.name]});
                }
                break;
            case EventReader::Kind::part:
                if constexpr (requires(PartEvent part) { handler.part(part); })
                    handler.part(batch.parts[event.extra]);
                break;
            case EventReader::Kind::header:
                if constexpr (requires(HeaderEvent header) { handler.header(header); })
                    handler.header(batch.headers[event.extra]);
                break;
        }
    }
}

}  // namespace detail

/// Reads the source to its end and calls the handler for every event. Errors: as ProfileReader::add; events
/// before an error have been delivered.
template <class Handler>
[[nodiscard]] Result<ParseResult> parse(const Source& source, Handler&& handler, ParseOptions options = {}) {
    EventReader reader(source, std::move(options));
    if constexpr (requires { handler.names(reader.names()); }) handler.names(reader.names());
    for (;;) {
        const auto batch = reader.next();
        if (!batch) return tl::unexpected(batch.error());
        if (*batch == nullptr) return reader.result();
        detail::dispatch(**batch, handler);
    }
}

/// The same for parse(from_file(path), handler): an error of the source is passed on.
template <class Handler>
[[nodiscard]] Result<ParseResult> parse(const Result<Source>& source, Handler&& handler,
                                        ParseOptions options = {}) {
    if (!source) return tl::unexpected(source.error());
    return parse(*source, std::forward<Handler>(handler), std::move(options));
}

}  // namespace callcost
