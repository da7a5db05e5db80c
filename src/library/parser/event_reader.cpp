#include <algorithm>
#include <optional>

#include "base/numbers.hpp"
#include "callcost/read.hpp"
#include "callcost/scanner.hpp"
#include "parser/chunk_names.hpp"
#include "parser/end_of_input.hpp"
#include "parser/name_ids.hpp"
#include "parser/scanner.hpp"
#include "parser/text_chunks.hpp"

namespace callcost {

namespace {

class Names final : public EventNames {
  public:
    [[nodiscard]] std::string_view object(std::uint32_t row) const override { return objects[row]; }
    [[nodiscard]] std::string_view file(std::uint32_t row) const override { return files[row]; }
    [[nodiscard]] std::string_view function(std::uint32_t row) const override { return functions[row]; }

    NameTable objects{"???"}, files{"???"}, functions{"???"};
};

/// Turns what the scanner finds into a batch of events.
class EventSink {
  public:
    void clear() {
        batch.events.clear();
        batch.wide.clear();
        batch.costs.clear();
        batch.positions.clear();
        batch.parts.clear();
        batch.headers.clear();
        batch.functions.clear();
        batch.inlined.clear();
        batch.calls.clear();
        batch.jumps.clear();
        headers_.clear();
        boundaries.clear();
        names.clear();
    }

    NameSlot name(const NameRef& name) { return names.add(name); }
    [[nodiscard]] NameSlot known(NameKind kind, IdText id) const { return names.known(kind, id); }
    void part(bool new_profile) {
        if (new_profile) names.forget_ids();
        boundaries.push_back({names.names().size(), new_profile});
        add(EventReader::Kind::part, batch.parts.size());
        batch.parts.push_back({new_profile});
    }
    void header(const HeaderLine& header) {
        headers_.push_back(std::make_unique<HeaderLine>(header));  // the scanner's copy goes away
        has_events = has_events || (header.key == HeaderKey::events && !header.value.empty());
        if (header.key == HeaderKey::summary && !header.value.empty())
            cost_total += parse_cost(split_words(header.value).front()).value;
        add(EventReader::Kind::header, batch.headers.size());
        const HeaderLine& kept = *headers_.back();
        batch.headers.push_back({kept.name, kept.value, kept.number, kept.text});
    }
    void dialect(Dialect) {}
    void function(NameSlot object, NameSlot file, NameSlot name, LineStart) {
        add(EventReader::Kind::function, batch.functions.size());
        batch.functions.push_back({object, file, name});
    }
    void inlined(NameSlot file, NameSlot name) {
        add(EventReader::Kind::inlined, batch.inlined.size());
        batch.inlined.push_back({file, name});
    }
    void cost(const ScannedCost& cost) {
        has_records = true;
        if (!cost.costs.empty()) cost_done += static_cast<std::uint64_t>(cost.costs.front());
        add(EventReader::Kind::cost, 0, cost);
    }
    void begin_plain(NameSlot file) {
        has_records = true;
        plain_file_ = file;
    }
    void plain(PackedPlace place, Cost cost) {
        batch.events.push_back(
            {place.address, place.line, cost, plain_file_, 0, 0, EventReader::Kind::cost, true, false});
    }
    void plain(PackedPlace place, std::span<const Cost> costs) {
        ScannedCost cost;
        cost.place = place;
        cost.file = plain_file_;
        cost.costs = costs;
        add(EventReader::Kind::cost, 0, cost);
    }
    void end_plain(std::size_t, Cost sum) { cost_done += static_cast<std::uint64_t>(sum); }
    void end_plain(std::size_t, std::span<const Cost> sums) {
        if (!sums.empty()) cost_done += static_cast<std::uint64_t>(sums.front());
    }
    void call(const ScannedCall& call) {
        has_records = true;
        add(EventReader::Kind::call, batch.calls.size(), call);
        CallEvent& event = batch.calls.emplace_back();
        event.callee = {call.called_object, call.called_file, call.called_function};
        event.count = call.count;
        event.counted = call.counted;
        event.has_place = call.has_place;
        event.has_target = call.has_target;
        event.target_line_written_as_minus_one = call.target_minus_one;
        event.target_address = call.target.address;
        event.target_line = call.target.line;
    }
    void jump(const ScannedJump& jump) {
        has_records = true;
        add(EventReader::Kind::jump, batch.jumps.size(), jump);
        JumpEvent& event = batch.jumps.emplace_back();
        event.target_file = jump.target_file;
        event.target_function =
            jump.target_function == unset_slot ? JumpEvent::same_function : jump.target_function;
        event.executed = jump.executed;
        event.followed = jump.followed;
        event.conditional = jump.conditional;
        event.has_place = jump.has_place;
        event.has_target = jump.has_target;
        event.target_address = jump.target.address;
        event.target_line = jump.target.line;
    }

    EventReader::Batch batch;
    ChunkNames names;
    struct Boundary {
        std::size_t names = 0;  // that came before
        bool new_profile = false;
    };
    std::vector<Boundary> boundaries;  // of parts
    bool has_records = false;
    bool has_events = false;                      // a column name was seen
    std::uint64_t cost_done = 0, cost_total = 0;  // for Progress

  private:
    void add(EventReader::Kind kind, std::size_t extra, const ScannedCost& cost = {}) {
        EventReader::Event event{};
        event.kind = kind;
        event.extra = static_cast<std::uint32_t>(extra);
        event.address = cost.place.address;
        event.line = cost.place.line;
        event.file = cost.file;
        event.line_written_as_minus_one = cost.minus_one;
        event.has_cost = !cost.costs.empty();
        if (event.has_cost) event.cost = cost.costs.front();
        if (cost.costs.size() > 1 || !cost.columns.empty()) {
            batch.wide.push_back(
                {batch.costs.size(), cost.costs.size(), batch.positions.size(), cost.columns.size()});
            event.wide = static_cast<std::uint32_t>(batch.wide.size());
            batch.costs.insert(batch.costs.end(), cost.costs.begin(), cost.costs.end());
            batch.positions.insert(batch.positions.end(), cost.columns.begin(), cost.columns.end());
        }
        batch.events.push_back(event);
    }

    NameSlot plain_file_ = unknown_slot;
    std::vector<std::unique_ptr<HeaderLine>> headers_;
};

}  // namespace

struct EventReader::State {
    State(Source from, ParseOptions with)
        : source(std::move(from)),
          options(std::move(with)),
          chunks(source, std::max<std::size_t>(options.chunk_size, 64), options.longest_line) {
        rows.begin_source();
    }

    Result<const Batch*> next();
    const Batch* end_chunk(std::string_view text_of_names);
    Result<const Batch*> finish();

    Source source;
    ParseOptions options;
    TextChunks chunks;
    TextChunk text, following;  // the chunk that was scanned last, and the next one
    Names names;
    NameResolver resolver{names.objects, names.files, names.functions};
    DiagnosticLog chunk_log, log;
    SlotRows rows;
    EventSink sink;
    Scanner<EventSink> scanner{sink, chunk_log};
    std::uint32_t parts = 0;
    MinusOneLines minus_one;
    std::uint64_t lines = 0;
    std::uint64_t first_line = 0;  // of the chunk
    bool any = false;
    bool finished = false;
    std::optional<Error> failure;
};

EventReader::EventReader(Source source, ParseOptions options)
    : state_(std::make_unique<State>(std::move(source), std::move(options))) {}
EventReader::~EventReader() = default;

const EventNames& EventReader::names() const { return state_->names; }

Result<const EventReader::Batch*> EventReader::next() {
    State& s = *state_;
    if (s.failure) return tl::unexpected(*s.failure);
    if (s.finished) return nullptr;
    auto batch = s.next();
    if (!batch) {
        batch.error().source = s.source.name;
        s.failure = batch.error();
    }
    return batch;
}

Result<const EventReader::Batch*> EventReader::State::next() {
    if (options.on_progress) {
        Progress progress;
        progress.bytes_done = source.consumed ? source.consumed() : chunks.bytes();
        progress.bytes_total = source.size;
        progress.cost_done = sink.cost_done;
        progress.cost_total = sink.cost_total;
        if (!options.on_progress(progress))
            return tl::unexpected(Error{ErrorCode::cancelled, lines, 0, 0, {}});
    }
    if (!chunks.next(following)) return finish();
    if (any) scanner.next_chunk(text.size);
    std::swap(text, following);
    any = true;
    first_line = lines;
    sink.clear();
    if (lines != 0) scanner.attach(sink, chunk_log, rows.carried());
    if (text.bom) chunk_log.add(DiagnosticId::bom, {{}, 1, 0});
    scanner.scan(text.begin(), text.end(), text.offset);
    if (scanner.accepted()) chunks.accept();
    if (text.too_long) chunk_log.add(DiagnosticId::line_too_long, {text.last_line(), 1, 0});
    lines += scanner.lines();
    minus_one.add(scanner.minus_one_lines());
    if (scanner.rejected() || (!scanner.accepted() && text.offset + text.size > detection_limit))
        return tl::unexpected(Error{ErrorCode::not_a_profile, lines, 0, 0, {}});
    return end_chunk({text.begin(), text.size});
}

/// Gives the names of the chunk their rows, and the batch its last touch.
const EventReader::Batch* EventReader::State::end_chunk(std::string_view text_of_names) {
    const std::vector<NameRef>& names_of_chunk = sink.names.names();
    rows.begin_chunk(sink.names);
    std::size_t from = 0;
    const auto resolve = [&](std::size_t to) {
        resolver.resolve(std::span(names_of_chunk).subspan(from, to - from), rows.own() + from, text_of_names,
                         parts, chunk_log);
        from = to;
    };
    for (const EventSink::Boundary& boundary : sink.boundaries) {
        resolve(boundary.names);
        if (boundary.new_profile) resolver.clear();
        ++parts;
    }
    resolve(names_of_chunk.size());
    rows.end_chunk(scanner.names());
    for (HeaderEvent& header : sink.batch.headers) header.line += first_line;
    sink.batch.rows = rows.all();
    log.append(chunk_log, 0, first_line, text.offset);
    return &sink.batch;
}

Result<const EventReader::Batch*> EventReader::State::finish() {
    finished = true;
    if (!any && chunks.error()) return tl::unexpected(*chunks.error());
    if (chunks.rejected()) return tl::unexpected(Error{ErrorCode::not_a_profile, lines + 1, 0, 0, {}});
    if (!scanner.has_content()) return tl::unexpected(Error{ErrorCode::empty_file, 0, 0, 0, {}});
    if (!scanner.accepted()) return tl::unexpected(Error{ErrorCode::not_a_profile, lines, 0, 0, {}});
    sink.clear();
    scanner.attach(sink, chunk_log, rows.carried());
    const std::string_view last = text.last_line();
    end_of_input(scanner, chunks, text.cut, {last, scanner.lines(), text.size - last.size() - 1}, chunk_log);
    if (!sink.has_events) return tl::unexpected(Error{ErrorCode::no_events, 0, 0, 0, {}});
    if (!sink.has_records) chunk_log.add_count(DiagnosticId::no_costs, 1);
    const Batch* const batch = end_chunk({});
    log.drop(minus_one.mean_no_line() ? DiagnosticId::negative_position : DiagnosticId::minus_one_line);
    return batch;
}

ParseResult EventReader::result() {
    return {state_->chunks.bytes(), state_->lines, state_->minus_one.mean_no_line(), state_->log.take()};
}

}  // namespace callcost
