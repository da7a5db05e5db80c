// The order rules and the spelling of everything that is written (W1-W18 of docs/format.md).
#include "callcost/writer.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "writer/output_text.hpp"
#include "writer/part_heading.hpp"
#include "writer/written_names.hpp"

namespace callcost {

std::string_view to_string(FileDialect dialect) {
    constexpr std::array<std::string_view, 4> names{"portable", "compact", "strict", "cachegrind"};
    return names[static_cast<std::size_t>(dialect)];
}

namespace {

/// The two numbers that a cost line can begin with.
struct Position {
    std::array<std::uint64_t, 2> column{};  // line, address
};

/// `+3`, `-2` or `*` where both readings of a base agree (W12).
bool can_be_relative(std::uint64_t value, std::uint64_t plain, std::uint64_t last) {
    constexpr std::uint64_t far = 100;
    return plain == last && plain > 0 && (value >= plain ? value - plain : plain - value) < far;
}

}  // namespace

struct Writer::State {
    State(Sink sink, WriterOptions chosen)
        : text(std::move(sink)), options(std::move(chosen)), names(options.dialect) {}

    OutputText text;
    WriterOptions options;
    WrittenNames names;
    LeftOut left_out;
    std::optional<Error> broken;   // what the Sink said
    std::optional<Error> misused;  // the first misuse, which finish() returns

    // The part.
    bool has_part = false;
    bool in_part = false;  ///< the last begin_part was good
    bool is_finished = false;
    bool addresses = false;
    std::string command, creator;     // of the part before
    std::set<std::string> described;  // event types with long names, in this run
    bool has_pid = false;             // the part before, or one that it inherits from
    std::vector<Cost> totals;         // a number for each event

    // The function.
    Function function;              // none: no begin_function in this part yet
    bool is_open = false;           // its `fn=` is written
    std::optional<Place> all_zero;  // a cost line without cost, in case that there is nothing else (W13)
    std::uint32_t object = 0;       // of the last `ob=`
    std::uint32_t file = 0;         // of the last `fl=`, `fi=` or `fe=`
    std::uint32_t plain_file = 0;   // of the last plain cost line
    std::string inlined;            // whose code follows; empty: its own
    std::uint32_t inlined_file = 0;
    std::string written_inlined;  // of the last `cfni=` of the block
    std::uint32_t written_inlined_file = 0;
    bool has_inlined_record = false;

    // Positions.
    bool is_first = true;  // no line of this function block yet
    Position plain, last;  // of the last plain cost line, and of the last one of any kind

    [[nodiscard]] FileDialect dialect() const { return options.dialect; }
    [[nodiscard]] bool is_cachegrind() const { return dialect() == FileDialect::cachegrind; }
    [[nodiscard]] bool counts_as_one() const {
        return options.unknown_count_as_one.value_or(dialect() == FileDialect::portable);
    }

    /// After the lines of one call of the Writer.
    Result<void> pass_on(bool everything = false) {
        Result<void> done = text.pass_on(everything);
        if (!done) broken = done.error();
        return done;
    }
    /// What a step that writes nothing returns.
    Result<void> refuse(Error error) {
        if (!misused && !broken) misused = error;
        return tl::unexpected(std::move(error));
    }
    Result<void> refuse(std::string reason) { return refuse(misuse(std::move(reason)).value()); }
    /// The same for a record, with its function.
    Result<void> refuse_record(Error error) {
        if (!broken && !is_finished && function.valid())
            error.detail.append(", in function '").append(names.name_of(function.value)).append("'");
        return refuse(std::move(error));
    }
    Result<void> refuse_record(std::string reason) {
        return refuse_record(misuse(std::move(reason)).value());
    }
    [[nodiscard]] Result<void> usable() const {
        if (broken) return tl::unexpected(*broken);
        if (is_finished) return misuse("the file is finished");
        return {};
    }

    void end_part();

    // Records.
    /// Quick, as it is asked for every line. False is only a doubt, which check_record() has an answer to;
    /// what that refuses must be false here.
    [[nodiscard]] bool is_fine(const Place& place, std::span<const Cost> costs) const {
        return !broken && !is_finished && function.valid() && costs.size() <= totals.size() &&
               (place.address == 0 || addresses) &&
               (!place.file.valid() || names.has_file(place.file.value)) && dialect() != FileDialect::strict;
    }
    Result<void> check_record(const Place& place, std::span<const Cost> costs) const;
    void count_oddities(const Place& place, std::span<const Cost> costs);
    void open_block();
    void put_inlined();
    void end_inlined();
    void close_block();
    void end_function();
    void put_file(const Place& place);
    void put_reference(std::string_view key, WrittenNames::Kind kind, std::uint32_t row);
    void put_position(const Place& place);
    void put_target(std::uint64_t address, std::uint64_t line);
    void put_costs(std::span<const Cost> costs);
    void put_cost_line(const Place& place, std::span<const Cost> costs);
    [[nodiscard]] std::uint32_t file_of(const Place& place) const {
        return place.file.valid() ? place.file.value : names.function(function.value).file;
    }
    [[nodiscard]] bool is_elsewhere() const {  // a `fi=` is in force, for one reading of F51 at least
        const std::uint32_t own = names.function(function.value).file;
        return file != own || plain_file != own;
    }
};

// ---- Functions and records ----

/// `totals:` is exact, and the last line (W5); so is Cachegrind's `summary:` (F83).
void Writer::State::end_part() {
    end_function();
    text.add(is_cachegrind() ? "summary:" : "totals:");
    put_numbers(text, totals);
}

Result<void> Writer::State::check_record(const Place& place, std::span<const Cost> costs) const {
    if (auto fine = usable(); !fine) return fine;
    if (!in_part) return misuse("a record belongs to a part: begin_part comes first");
    if (!function.valid()) return misuse("a record belongs to a function: begin_function comes first");
    if (costs.size() > totals.size()) return misuse("more costs than events");
    if (place.address != 0 && !addresses && dialect() != FileDialect::portable && !is_cachegrind())
        return misuse("an address in a part that has none: say so in its heading");
    if (place.file.valid() && !names.has_file(place.file.value)) return misuse("a file of another Writer");
    if (dialect() == FileDialect::strict &&
        std::any_of(costs.begin(), costs.end(), [](Cost cost) { return cost < 0; }))
        return misuse("the strict dialect has no negative costs");
    return {};
}

void Writer::State::count_oddities(const Place& place, std::span<const Cost> costs) {
    if (place.address != 0 && !addresses) ++left_out.addresses;
    for (const Cost cost : costs)
        if (cost < 0) ++left_out.negative_costs;
}

void Writer::State::put_reference(std::string_view key, WrittenNames::Kind kind, std::uint32_t row) {
    text.add(key);
    names.put(text, kind, row);
    text.add('\n');
}

/// `cfni=`, in the file of the inlined function (F89).
void Writer::State::put_inlined() {
    has_inlined_record = !inlined.empty();
    const bool is_written =
        inlined == written_inlined && (inlined.empty() || inlined_file == written_inlined_file);
    if (is_written || dialect() != FileDialect::compact) return;
    if (!inlined.empty()) put_file({.file = File(inlined_file)});
    text.add("cfni=");
    put_spelt_out(text, inlined.empty() ? "???" : inlined == "???" ? "UnknownInlinedFun" : inlined, false);
    text.add('\n');
    written_inlined = inlined;
    written_inlined_file = inlined_file;
}

/// `ob=`, `fl=`, `fn=` (W8).
void Writer::State::open_block() {
    if (is_open) return;
    is_open = true;
    is_first = true;
    const WrittenNames::FunctionRow& row = names.function(function.value);
    if (is_cachegrind()) {
        file = plain_file = UINT32_MAX;  // put_file writes both lines
        return;
    }
    if (row.object != object) put_reference("ob=", WrittenNames::Kind::object, row.object);
    object = row.object;
    put_reference("fl=", WrittenNames::Kind::file, row.file);
    file = plain_file = row.file;
    put_reference("fn=", WrittenNames::Kind::function, function.value);
    written_inlined.clear();
}

void Writer::State::close_block() {
    if (!is_open) return;
    is_open = false;
    if (is_cachegrind()) return;
    if (const std::uint32_t own = names.function(function.value).file; file != own)
        put_reference("fe=", WrittenNames::Kind::file, own);
    text.add('\n');
}

/// As a function, inlined code is there even if it costs nothing (W13).
void Writer::State::end_inlined() {
    if (dialect() != FileDialect::compact) return;
    if (all_zero && !inlined.empty() && !has_inlined_record) {
        const std::vector<Cost> nothing(totals.size(), 0);
        put_cost_line(*all_zero, nothing);
    }
    if (!inlined.empty()) all_zero.reset();
    inlined.clear();
    has_inlined_record = false;
}

void Writer::State::end_function() {
    end_inlined();
    if (all_zero && !is_open) {
        const std::vector<Cost> nothing(totals.size(), 0);
        put_cost_line(*all_zero, nothing);
    }
    all_zero.reset();
    close_block();
}

/// Before every record whose file is not that of the record before and of the last plain cost line (W9).
void Writer::State::put_file(const Place& place) {
    const std::uint32_t wanted = file_of(place);
    if (wanted == file && wanted == plain_file) return;
    if (is_cachegrind()) {
        put_reference("fl=", WrittenNames::Kind::file, wanted);
        put_reference("fn=", WrittenNames::Kind::function, function.value);
        plain_file = wanted;
    } else {
        const bool is_own = wanted == names.function(function.value).file;
        put_reference(is_own ? "fe=" : "fi=", WrittenNames::Kind::file, wanted);
    }
    file = wanted;
}

/// Absolute; in the compact dialect relative where that is safe (W12).
void Writer::State::put_position(const Place& place) {
    const Position here{{place.line, place.address}};
    const bool may_be_relative = dialect() == FileDialect::compact && !is_first;
    char* at = text.room_for(2 * (max_digits + 2));
    for (std::size_t i = addresses ? 1 : 0;; i = 0) {
        const std::uint64_t value = here.column[i], base = plain.column[i];
        if (may_be_relative && can_be_relative(value, base, last.column[i])) {
            *at++ = value == base ? '*' : value > base ? '+' : '-';
            if (value != base) at = put_number(at, value > base ? value - base : base - value);
        } else {
            at = i == 1 ? put_hex(at, value) : put_number(at, value);
        }
        if (i == 0) break;
        *at++ = ' ';
    }
    text.end_at(at);
    last = here;
    is_first = false;
}

void Writer::State::put_target(std::uint64_t address, std::uint64_t line) {
    text.add(' ');
    if (addresses) {
        text.add_hex(address);
        text.add(' ');
    }
    text.add_number(line);
    text.add('\n');
}

/// All columns, as some readers need; in the compact dialect without the zeros at the end (W13). So many
/// columns as no such reader takes would make a file many times longer.
void Writer::State::put_costs(std::span<const Cost> costs) {
    constexpr std::size_t max_columns = 1024;
    std::size_t size = totals.size();
    if (dialect() == FileDialect::compact || size > max_columns) {
        size = costs.size();
        while (size > 1 && costs[size - 1] == 0) --size;
        size = std::max<std::size_t>(size, 1);
    }
    char* at = text.room_for(size * (max_digits + 1) + 1);
    for (std::size_t i = 0; i < size; ++i) {
        *at++ = ' ';
        at = put_signed(at, i < costs.size() ? costs[i] : Cost());
    }
    *at++ = '\n';
    text.end_at(at);
}

void Writer::State::put_cost_line(const Place& place, std::span<const Cost> costs) {
    open_block();
    put_inlined();
    put_file(place);
    put_position(place);
    put_costs(costs);
    plain = last;
    plain_file = file;
}

// ---- The Writer ----

Writer::Writer(Sink sink, WriterOptions options)
    : state_(std::make_unique<State>(std::move(sink), std::move(options))) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;
Writer::~Writer() = default;

const LeftOut& Writer::left_out() const { return state_->left_out; }

Writer::Object Writer::object(std::string_view name) {
    return Object(state_->names.object(name, state_->left_out.changed_names));
}
Writer::File Writer::file(std::string_view name) {
    return File(state_->names.file(name, state_->left_out.changed_names));
}
Writer::Function Writer::function(Object object, File file, std::string_view name) {
    const std::uint32_t object_row = object.valid() ? object.value : 0;
    const std::uint32_t file_row = file.valid() ? file.value : 0;
    if (!state_->names.has_object(object_row) || !state_->names.has_file(file_row)) {
        static_cast<void>(state_->refuse("an object or a file of another Writer"));
        return {};
    }
    if (state_->is_cachegrind() && object_row != 0) ++state_->left_out.objects;
    return Function(state_->names.function(object_row, file_row, name, state_->left_out.changed_names));
}

Result<void> Writer::begin_part(const PartHeading& heading) {
    State& state = *state_;
    if (auto fine = state.usable(); !fine) return state.refuse(fine.error());
    if (auto fine = check_heading(heading, state.options, !state.has_part); !fine) {
        state.end_function();
        state.function = {};  // what follows is not of the part before
        state.in_part = false;
        return state.refuse(fine.error());
    }
    if (state.has_part) state.end_part();
    state.in_part = true;
    state.addresses = heading.addresses &&
                      (state.dialect() == FileDialect::compact || state.dialect() == FileDialect::strict);
    const std::string creator = creator_of(heading, state.options);
    const HeadingPlace place{.begins_file = !state.has_part,
                             .begins_run = !state.has_part || heading.command != state.command ||
                                           creator != state.creator || (state.has_pid && !heading.pid),
                             .addresses = state.addresses};
    put_heading(state.text, heading, state.options, place, state.described, state.left_out);
    state.has_part = true;
    state.command = heading.command;
    state.creator = creator;
    state.has_pid = heading.pid.has_value();
    state.totals.assign(heading.events.size(), 0);
    state.names.begin_part();
    state.function = {};
    state.object = state.file = state.plain_file = 0;
    state.plain = state.last = {};
    return state.pass_on();
}

Result<void> Writer::begin_function(Function function) {
    State& state = *state_;
    if (auto fine = state.usable(); !fine) return state.refuse(fine.error());
    if (!state.in_part) return state.refuse("a function belongs to a part: begin_part comes first");
    if (!function.valid()) return state.refuse("begin_function without a function");
    if (!state.names.has_function(function.value)) return state.refuse("a function of another Writer");
    state.end_function();
    state.function = function;
    return state.pass_on();
}

Result<void> Writer::begin_inlined(std::string_view name, File file) {
    State& state = *state_;
    const Place place{.file = file};
    if (auto fine = state.check_record(place, {}); !fine) return state.refuse_record(fine.error());
    state.end_inlined();
    if (!name.empty()) state.all_zero.reset();
    state.inlined = name;
    state.inlined_file = state.file_of(place);
    return state.pass_on();
}

Result<void> Writer::cost(const Place& place, std::span<const Cost> costs) {
    State& state = *state_;
    if (!state.is_fine(place, costs)) {
        if (auto fine = state.check_record(place, costs); !fine) return state.refuse_record(fine.error());
    }
    state.count_oddities(place, costs);
    if (std::all_of(costs.begin(), costs.end(), [](Cost cost) { return cost == 0; })) {
        if (!state.all_zero) state.all_zero = place;
        return {};
    }
    for (std::size_t i = 0; i < costs.size(); ++i) state.totals[i] += costs[i];
    state.put_cost_line(place, costs);
    return state.pass_on();
}

Result<void> Writer::call(const Call& call, std::span<const Cost> costs) {
    State& state = *state_;
    if (auto fine = state.check_record(call.place, costs); !fine) return state.refuse_record(fine.error());
    if (!call.callee.valid()) return state.refuse_record("a call without a callee");
    if (!state.names.has_function(call.callee.value))
        return state.refuse_record("a callee of another Writer");
    if (state.is_cachegrind()) {
        if (!state.options.without_calls)
            return state.refuse(
                "the cachegrind dialect has no calls: write without them, or in another dialect");
        ++state.left_out.calls;
        if (!state.all_zero) state.all_zero = Place{};  // the function is known, if only as a caller
        return {};
    }
    state.count_oddities(call.place, costs);
    state.open_block();
    state.put_inlined();
    state.put_file(call.place);
    const WrittenNames::FunctionRow& callee = state.names.function(call.callee.value);
    const WrittenNames::FunctionRow& caller = state.names.function(state.function.value);
    if (callee.object != caller.object)
        state.put_reference("cob=", WrittenNames::Kind::object, callee.object);
    if (callee.file != caller.file || state.is_elsewhere())
        state.put_reference("cfi=", WrittenNames::Kind::file, callee.file);
    state.put_reference("cfn=", WrittenNames::Kind::function, call.callee.value);
    state.text.add("calls=");
    const bool becomes_one = call.count == 0 && state.counts_as_one();
    if (becomes_one) ++state.left_out.unknown_counts;
    state.text.add_number(becomes_one ? 1 : call.count);
    state.put_target(call.target_address, call.target_line);
    state.put_position(call.place);
    state.put_costs(costs);
    return state.pass_on();
}

Result<void> Writer::jump(const Jump& jump) {
    State& state = *state_;
    if (auto fine = state.check_record(jump.place, {}); !fine) return state.refuse_record(fine.error());
    if (jump.target_file.valid() && !state.names.has_file(jump.target_file.value))
        return state.refuse("a file of another Writer");
    if (jump.target_function.valid() && !state.names.has_function(jump.target_function.value))
        return state.refuse("a function of another Writer");
    if (state.dialect() != FileDialect::compact) {
        ++state.left_out.jumps;
        if (!state.all_zero) state.all_zero = jump.place;
        return {};
    }
    state.open_block();
    state.put_file(jump.place);
    const std::uint32_t own = state.names.function(state.function.value).file;
    const std::uint32_t target = jump.target_file.valid() ? jump.target_file.value : own;
    if (target != own || state.is_elsewhere()) state.put_reference("jfi=", WrittenNames::Kind::file, target);
    if (jump.target_function.valid() && jump.target_function != state.function)
        state.put_reference("jfn=", WrittenNames::Kind::function, jump.target_function.value);
    state.text.add(jump.conditional ? "jcnd=" : "jump=");
    if (jump.conditional) {
        state.text.add_number(jump.followed);
        state.text.add('/');
    }
    state.text.add_number(jump.executed);
    state.put_target(jump.target_address, jump.target_line);
    state.put_position(jump.place);
    state.text.add('\n');
    return state.pass_on();
}

Result<void> Writer::finish() {
    State& state = *state_;
    Result<void> done = state.usable();
    if (done && !state.has_part) done = misuse("a file has at least one part");
    if (!done) {
        done = state.refuse(done.error());
    } else {
        state.end_part();
        state.is_finished = true;
        done = state.pass_on(true);
    }
    return state.misused && !state.broken ? tl::unexpected(*state.misused) : done;
}

}  // namespace callcost
