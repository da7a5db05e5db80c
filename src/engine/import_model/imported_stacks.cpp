#include "import_model/imported_stacks.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "encodings/import_input.hpp"
#include <callcost/callcost.hpp>
#include <callcost/writer.hpp>

namespace callcost::engine {
namespace {

/// Contexts are twice the function's row; half of that keeps all sums of rows within 32 bits.
constexpr std::uint32_t max_rows = UINT32_MAX / 4;

/// What a part without a number of its thread counts as.
constexpr std::uint64_t only_thread = 1;

/// The number of a row: columns grow when there is something to put in.
template <class Number>
Number& cell(std::vector<Number>& column, std::size_t row) {
    if (column.size() <= row) column.resize(row + 1, 0);
    return column[row];
}

std::uint32_t known_line(std::uint64_t line) {
    return line > UINT32_MAX ? 0 : static_cast<std::uint32_t>(line);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Each part has the names of events: a file of many threads would have long ones many times.
std::string_view cut_short(std::string_view text) {
    constexpr std::size_t longest = 200;
    return cut_text(text, longest);
}

/// Only what formulas take for a name (F69).
std::string event_name(std::string_view text) {
    std::string name(cut_short(text));
    for (char& c : name)
        if (!is_letter(c) && !is_digit(c)) c = '_';
    while (!name.empty() && name.back() == '_') name.pop_back();
    if (name.empty()) return "event";
    if (is_digit(name.front())) name.insert(0, "event_");
    return name;
}

std::string creator(bool are_estimates) {
    return "callcost-" + std::string(version()) + (are_estimates ? " from estimated stacks" : " from stacks");
}

/// Which place each row has in an order.
template <class Less>
std::vector<std::uint32_t> ranks(std::size_t rows, const Less& less) {
    std::vector<std::uint32_t> order(rows), ranks(rows);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), less);
    for (std::uint32_t rank = 0; rank < rows; ++rank) ranks[order[rank]] = rank;
    return ranks;
}

/// A profile's names as the writer numbers them.
class WrittenNames {
  public:
    WrittenNames(const NameRows& names, Writer& writer)
        : names_(names), writer_(writer), objects_(names.size()), files_(names.size()) {}

    Writer::Object object(std::uint32_t name) {
        if (name != 0 && !objects_[name].valid()) objects_[name] = writer_.object(names_[name]);
        return objects_[name];
    }
    Writer::File file(std::uint32_t name) {
        if (name != 0 && !files_[name].valid()) files_[name] = writer_.file(names_[name]);
        return files_[name];
    }

  private:
    const NameRows& names_;
    Writer& writer_;
    std::vector<Writer::Object> objects_;
    std::vector<Writer::File> files_;
};

}  // namespace

StackProfile::StackProfile(const WantedStacks& stacks) : wanted_(stacks), stacks_(stacks.to) {
    places_.row(0);
    if (wanted_.of_thread) is_thread_wanted_ = wanted_.of_thread(std::nullopt, only_thread);
}

std::uint32_t StackProfile::function(std::string_view object, std::string_view file, std::string_view name,
                                     std::uint64_t first_line) {
    const std::uint32_t origin = origins_.row(key_of(names_.row(object), names_.row(file)));
    const std::uint32_t name_row = names_.row(name);
    const std::uint32_t row = function_keys_.row(key_of(origin, name_row));
    const std::uint32_t line = known_line(first_line);
    if (row == functions_.size())
        functions_.push_back(
            {.origin = origin,
             .name = name_row,
             .first_line = line,
             .of_stacks = stacks_ == nullptr ? no_row : stacks_->function(name, file, object)});
    else if (line != 0 && (functions_[row].first_line == 0 || line < functions_[row].first_line))
        functions_[row].first_line = line;  // whichever of several came first
    is_too_large_ = is_too_large_ || row > max_rows;
    return row;
}

std::uint32_t StackProfile::place(std::string_view file, std::uint64_t line) {
    return places_.row(key_of(names_.row(file), known_line(line)));
}

std::uint32_t StackProfile::event(std::string_view name, std::string_view long_name) {
    if (events_.size() == max_events) return no_row;
    const auto is_taken = [&](const std::string& wanted) {
        return std::any_of(events_.begin(), events_.end(),
                           [&](const Event& e) { return e.type.name == wanted; });
    };
    const std::string plain = event_name(name);
    std::string own = plain;
    for (int number = 2; is_taken(own); ++number) own = plain + "_" + std::to_string(number);
    events_.emplace_back();
    if (long_name != own) events_.back().type.long_name = cut_short(long_name);
    if (stacks_ != nullptr) events_.back().of_stacks = stacks_->event(own);
    events_.back().type.name = std::move(own);
    return static_cast<std::uint32_t>(events_.size() - 1);
}

void StackProfile::scale(std::uint32_t event, std::string_view name, std::string_view long_name,
                         std::int64_t factor) {
    Event& scaled = events_[event];
    const auto multiply = [&](std::vector<Cost>& costs) {
        for (Cost& cost : costs) cost = cost * factor;
    };
    multiply(scaled.path);
    for (auto& [thread, costs] : threads_) {
        if (event >= costs.events.size()) continue;
        multiply(costs.events[event].self);
        multiply(costs.events[event].calls);
    }
    scaled.type.name = event_name(name);
    scaled.type.long_name = cut_short(long_name);
    if (stacks_ == nullptr) return;
    const std::uint32_t before = std::exchange(scaled.of_stacks, stacks_->event(scaled.type.name));
    for (std::uint32_t stack = 0; stack < stacks_->size(); ++stack)
        stacks_->add(stack, scaled.of_stacks, stacks_->self(stack, before) * factor);
}

void StackProfile::take_for_estimates() {
    stacks_ = nullptr;
    are_estimates_ = true;
}

void StackProfile::push(StackFrame frame) {
    std::uint32_t& in_stack = functions_[frame.function].in_stack;
    Step step{.frame = frame, .context = 2 * frame.function + (in_stack == 0 || are_estimates_ ? 0U : 1U)};
    ++in_stack;
    ++steps_;
    if (!path_.empty()) {
        const Step& caller = path_.back();
        step.arc = arcs_.row(key_of(caller.context, step.context));
        if (step.arc == arcs_in_stack_.size()) arcs_in_stack_.push_back(0);
        if (arcs_in_stack_[step.arc]++ == 0)
            step.call = thread_->calls.row(key_of(step.arc, caller.frame.place));
        is_too_large_ = is_too_large_ || step.arc > max_rows;
    }
    if (stacks_ != nullptr)
        step.stack = stacks_->stack(path_.empty() ? Stacks::none : path_.back().stack,
                                    functions_[frame.function].of_stacks);
    path_.push_back(step);
}

void StackProfile::pop() {
    const Step& step = path_.back();
    const std::size_t depth = path_.size() - 1;
    for (std::uint32_t event = 0; event < events_.size(); ++event) {
        std::vector<Cost>& path = events_[event].path;
        if (path.size() <= depth) continue;
        const Cost cost = std::exchange(path[depth], 0);
        if (cost == 0) continue;
        if (step.call != no_row) cell(costs_of(event).calls, step.call) += cost;
        if (depth != 0) path[depth - 1] += cost;
    }
    --functions_[step.frame.function].in_stack;
    if (step.arc != no_row) --arcs_in_stack_[step.arc];
    path_.pop_back();
}

void StackProfile::set_leaf_place(std::uint32_t place) {
    path_.back().frame.place = place;
    path_.back().self = no_row;
}

// Stacks that follow each other have their beginnings in common: only what is different is done again.
void StackProfile::set_stack(std::span<const StackFrame> root_to_leaf) {
    if (root_to_leaf.empty()) {
        const std::uint32_t row = function({}, {}, "(no stack)");
        const StackFrame frame{.function = row};
        if (path_.size() == 1 && path_[0].frame == frame) return;
        while (!path_.empty()) pop();
        push(frame);
        return;
    }
    std::size_t same = 0;
    const std::size_t most = std::min(root_to_leaf.size(), path_.size());
    while (same < most && path_[same].frame == root_to_leaf[same]) ++same;
    // The function goes on elsewhere: it was still called from the same place.
    const bool moves = same < most && path_[same].frame.function == root_to_leaf[same].function;
    const std::size_t kept = same + (moves ? 1 : 0);
    while (path_.size() > kept) pop();
    if (moves) set_leaf_place(root_to_leaf[same].place);
    for (const StackFrame& frame : root_to_leaf.subspan(kept)) push(frame);
}

void StackProfile::set_thread(const StackThread& thread) {
    while (!path_.empty()) pop();
    thread_ = &threads_[thread];
    if (wanted_.of_thread) is_thread_wanted_ = wanted_.of_thread(thread.process, thread.number);
}

void StackProfile::add_calls(std::uint64_t count) {
    const std::uint32_t arc = path_.back().arc;
    if (arc == no_row) return;
    cell(thread_->counts, thread_->calls.row(key_of(arc, path_[path_.size() - 2].frame.place))) += count;
}

std::uint32_t StackProfile::self_row(std::uint32_t context, std::uint32_t place) {
    const std::uint32_t row = thread_->selfs.row(key_of(context, place));
    is_too_large_ = is_too_large_ || row > max_rows;
    return row;
}

void StackProfile::add_events() { thread_->events.resize(events_.size()); }

void StackProfile::add(StackCost cost) {
    if (path_.empty()) set_stack({});
    Step& leaf = path_.back();
    if (leaf.self == no_row) leaf.self = self_row(leaf.context, leaf.frame.place);
    cell(costs_of(cost.event).self, leaf.self) += cost.cost;
    cell(events_[cost.event].path, path_.size() - 1) += cost.cost;
    add_to_stack(cost);
}

void StackProfile::add_to_stack(StackCost cost) {
    if (stacks_ != nullptr && is_thread_wanted_)
        stacks_->add(path_.back().stack, events_[cost.event].of_stacks, cost.cost);
}

void StackProfile::add_at(std::uint32_t place, StackCost cost) {
    if (path_.empty()) set_stack({});
    cell(costs_of(cost.event).self, self_row(path_.back().context, place)) += cost.cost;
    cell(events_[cost.event].path, path_.size() - 1) += cost.cost;
    add_to_stack(cost);
}

StackProfile::Order StackProfile::order() const {
    Order order;
    order.names =
        ranks(names_.size(), [&](std::uint32_t a, std::uint32_t b) { return names_[a] < names_[b]; });
    const auto key = [&](const FunctionFacts& function) {
        const std::uint64_t origin = origins_[function.origin];
        return std::tuple(order.names[function.name], order.names[first_of(origin)],
                          order.names[second_of(origin)]);
    };
    order.functions = ranks(functions_.size(), [&](std::uint32_t a, std::uint32_t b) {
        return key(functions_[a]) < key(functions_[b]);
    });
    return order;
}

/// By the names of caller, place, callee; self cost first.
std::vector<StackProfile::Record> StackProfile::records(const ThreadCosts& thread, const Order& order) const {
    std::vector<Record> records;
    records.reserve(thread.selfs.size() + thread.calls.size());
    for (std::uint32_t row = 0; row < thread.selfs.size(); ++row)
        records.push_back({.caller = first_of(thread.selfs[row]),
                           .callee = no_row,
                           .place = second_of(thread.selfs[row]),
                           .row = row});
    for (std::uint32_t row = 0; row < thread.calls.size(); ++row) {
        const std::uint64_t arc = arcs_[first_of(thread.calls[row])];
        records.push_back({.caller = first_of(arc),
                           .callee = second_of(arc),
                           .place = second_of(thread.calls[row]),
                           .row = row});
    }
    const auto context_rank = [&](std::uint32_t context) {
        return 2 * order.functions[context / 2] + context % 2;
    };
    const auto rank = [&](const Record& record) {
        const std::uint64_t place = places_[record.place];
        return std::tuple(context_rank(record.caller), order.names[first_of(place)], second_of(place),
                          record.callee == no_row ? 0 : context_rank(record.callee) + 1);
    };
    std::sort(records.begin(), records.end(),
              [&](const Record& a, const Record& b) { return rank(a) < rank(b); });
    return records;
}

std::string StackProfile::name(std::uint32_t context) const {
    return names_[functions_[context / 2].name] + (context % 2 == 0 ? "" : "'2");
}

Cost StackProfile::total(std::uint32_t event) const {
    Cost sum = 0;
    for (const auto& [thread, costs] : threads_)
        if (event < costs.events.size())
            for (const Cost cost : costs.events[event].self) sum += cost;
    return sum;
}

std::vector<EventType> StackProfile::event_types(std::uint32_t first) const {
    std::vector<EventType> types;
    types.reserve(events_.size());
    for (const Event& event : events_) types.push_back(event.type);
    const auto chosen = types.begin() + static_cast<std::ptrdiff_t>(first);
    std::rotate(types.begin(), chosen, chosen + 1);
    return types;
}

/// The parts of a file.
class StackProfile::Writing {
  public:
    Writing(const StackProfile& profile, const StackHeading& heading, const Sink& sink)
        : profile_(profile),
          heading_(heading),
          writer_(sink, {.dialect = FileDialect::compact,
                         .creator = creator(profile.are_estimates_),
                         .unknown_count_as_one = heading.unknown_count_as_one}),
          names_(profile.names_, writer_),
          functions_(2 * profile.functions_.size()),
          costs_(profile.events_.size()) {}

    Result<void> write() {
        const std::vector<EventType> types = profile_.event_types(heading_.first_event);
        const Order order = profile_.order();
        for (const auto& [thread, costs] : profile_.threads_) {
            if (!thread && costs.selfs.size() == 0 && profile_.threads_.size() > 1) continue;
            std::vector<std::string> descriptions(heading_.descriptions.begin(), heading_.descriptions.end());
            PartHeading part{.command = heading_.command, .events = types};
            if (thread) {
                part.pid = thread->process;
                part.part = 1;
                part.thread = thread->number;
                if (!thread->name.empty()) descriptions.push_back("Thread name: " + thread->name);
            }
            part.descriptions = descriptions;
            if (auto done = writer_.begin_part(part); !done) return done;
            if (auto done = write_records(costs, order); !done) return done;
        }
        return writer_.finish();
    }

  private:
    Result<void> write_records(const ThreadCosts& thread, const Order& order) {
        std::uint32_t current = no_row;
        for (const Record& record : profile_.records(thread, order)) {
            take_costs(thread, record);
            const bool is_call = record.callee != no_row;
            const auto count = is_call && record.row < thread.counts.size() ? thread.counts[record.row] : 0;
            // What was only passed by, or has cancelled out, says nothing.
            if (count == 0 && std::all_of(costs_.begin(), costs_.end(), [](Cost c) { return c == 0; }))
                continue;
            if (std::exchange(current, record.caller) != record.caller)
                if (auto done = writer_.begin_function(function(record.caller)); !done) return done;
            const Writer::Place place = place_in(record.caller, profile_.places_[record.place]);
            auto done = !is_call
                            ? writer_.cost(place, costs_)
                            : writer_.call({.place = place,
                                            .callee = function(record.callee),
                                            .count = count,
                                            .target_line = profile_.functions_[record.callee / 2].first_line},
                                           costs_);
            if (!done) return done;
        }
        return {};
    }

    void take_costs(const ThreadCosts& thread, const Record& record) {
        const auto cost = [&](std::uint32_t event) {
            if (event >= thread.events.size()) return Cost();
            const auto& of_event = thread.events[event];
            const auto& column = record.callee == no_row ? of_event.self : of_event.calls;
            return record.row < column.size() ? column[record.row] : Cost();
        };
        std::size_t column = 0;
        costs_[column++] = cost(heading_.first_event);
        for (std::uint32_t event = 0; event < costs_.size(); ++event)
            if (event != heading_.first_event) costs_[column++] = cost(event);
    }

    Writer::Function function(std::uint32_t context) {
        if (!functions_[context].valid()) {
            const std::uint64_t origin = profile_.origins_[profile_.functions_[context / 2].origin];
            functions_[context] = writer_.function(names_.object(first_of(origin)),
                                                   names_.file(second_of(origin)), profile_.name(context));
        }
        return functions_[context];
    }

    Writer::Place place_in(std::uint32_t context, std::uint64_t place) {
        const std::uint32_t own_file = second_of(profile_.origins_[profile_.functions_[context / 2].origin]);
        const std::uint32_t file = first_of(place);
        return {.file = file == own_file ? Writer::File{} : names_.file(file), .line = second_of(place)};
    }

    const StackProfile& profile_;
    const StackHeading& heading_;
    Writer writer_;
    WrittenNames names_;
    std::vector<Writer::Function> functions_;  // by context
    std::vector<Cost> costs_;                  // of a record
};

Result<void> StackProfile::write(const StackHeading& heading, const Sink& sink) {
    while (!path_.empty()) pop();
    const bool has_many_rows = std::any_of(threads_.begin(), threads_.end(), [](const auto& thread) {
        return thread.second.calls.size() > max_rows;
    });
    if (is_too_large_ || has_many_rows)
        return tl::unexpected(
            Error{.code = ErrorCode::too_large, .detail = "more than 2^30 functions or arcs"});
    if (events_.empty())
        return tl::unexpected(Error{.code = ErrorCode::bad_argument, .detail = "no event types"});
    return Writing(*this, heading, sink).write();
}

}  // namespace callcost::engine
