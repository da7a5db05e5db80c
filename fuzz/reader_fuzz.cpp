// The model: any bytes become a profile or an error, the profile's numbers agree with one another, also those
// of the call tree where the file holds it, and it is the same whatever the chunks and the tasks.
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "blocks.hpp"
#include "callcost/read.hpp"
#include "callcost/tree.hpp"

namespace callcost::fuzz {
namespace {

void demand(bool condition) {
    if (!condition) std::abort();
}

std::int64_t sum_of(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// One thread that takes the last task first.
void run_backwards(std::span<const std::function<void()>> tasks) {
    for (std::size_t i = tasks.size(); i-- != 0;) tasks[i]();
}

ReadOptions options_of(std::size_t chunk_size, bool in_tasks, Detail detail = Detail::full) {
    ReadOptions options;
    options.detail = detail;
    options.chunk_size = chunk_size;
    if (in_tasks) options.run_all = run_backwards;
    if (in_tasks) options.concurrency = 2;
    return options;
}

/// Self cost of all functions, of all parts and the total are one figure; so are records and what was added
/// up of them.
void demand_sums(const Profile& profile) {
    const std::size_t events = profile.events().size();
    std::vector<std::int64_t> functions(events, 0), parts(events, 0), arcs(events, 0), calls(events, 0);
    for (std::size_t k = 0; k < events; ++k) {
        for (std::size_t i = 0; i < profile.function_count(); ++i)
            functions[k] = sum_of(functions[k], profile.self(FunctionId(i), EventId(k)));
        for (std::size_t i = 0; i < profile.arc_count(); ++i)
            if (!profile.inlined_in(profile.callee(ArcId(i))).valid())  // nothing is called there
                arcs[k] = sum_of(arcs[k], profile.cost(ArcId(i), EventId(k)));
        for (const Part& part : profile.parts()) {
            parts[k] = sum_of(parts[k], part.self[EventId(k)]);
            calls[k] = sum_of(calls[k], part.inclusive_sum[EventId(k)]);
        }
        demand(functions[k] == profile.total(EventId(k)));
        demand(parts[k] == profile.total(EventId(k)));
        demand(arcs[k] == calls[k]);
    }
}

void demand_valid(const Profile& profile) {
    for (std::size_t i = 0; i < profile.function_count(); ++i) {
        demand(profile.object(FunctionId(i)).value < profile.object_count());
        demand(profile.file(FunctionId(i)).value < profile.file_count());
        demand(profile.name(FunctionId(i)).data() != nullptr);
    }
    for (std::size_t i = 0; i < profile.arc_count(); ++i) {
        demand(profile.caller(ArcId(i)).value < profile.function_count());
        demand(profile.callee(ArcId(i)).value < profile.function_count());
    }
    for (const Diagnostic& diagnostic : profile.diagnostics()) {
        demand(diagnostic.count >= diagnostic.places.size());
        for (const Place& place : diagnostic.places) {
            demand(place.source < profile.sources().size());
            demand(place.line <= profile.sources()[place.source].lines);
            demand(place.offset <= profile.sources()[place.source].bytes);
            demand(place.excerpt_column <= place.excerpt.size() + 1);
        }
    }
}

void demand_records(const Profile& profile) {
    const std::size_t events = profile.events().size();
    std::vector<std::int64_t> self(events), arcs(events * profile.arc_count(), 0);
    std::uint64_t cost_lines = 0, jumps = 0, call_records = 0;
    for (std::size_t i = 0; i < profile.function_count(); ++i) {
        std::fill(self.begin(), self.end(), 0);
        RecordCursor cursor = profile.records(FunctionId(i));
        bool any = false;
        for (Record record; cursor.next(record); any = true) {
            demand(cursor.part().value < profile.parts().size());
            const Part& part = profile.parts()[cursor.part().value];
            demand(record.costs.size() <= part.events.size());
            demand(record.file.value < profile.file_count());
            if (record.kind == Record::Kind::cost) {
                ++cost_lines;
                for (std::size_t k = 0; k < record.costs.size(); ++k)
                    self[part.events[k].value] = sum_of(self[part.events[k].value], record.costs[k]);
            } else if (record.kind == Record::Kind::call) {
                ++call_records;
                demand(record.arc.value < profile.arc_count());
                demand(profile.caller(record.arc).value == i);
                std::int64_t* const costs = arcs.data() + record.arc.value * events;
                for (std::size_t k = 0; k < record.costs.size(); ++k)
                    costs[part.events[k].value] = sum_of(costs[part.events[k].value], record.costs[k]);
            } else {
                ++jumps;
                demand(record.target_file.value < profile.file_count());
                demand(!record.target_function.valid() ||
                       record.target_function.value < profile.function_count());
            }
        }
        demand(any == profile.has_records(FunctionId(i)));
        for (std::size_t k = 0; k < events; ++k) demand(self[k] == profile.self(FunctionId(i), EventId(k)));
    }
    for (std::size_t i = 0; i < profile.arc_count(); ++i)
        for (std::size_t k = 0; k < events; ++k)
            demand(arcs[i * events + k] == profile.cost(ArcId(i), EventId(k)));
    for (const Part& part : profile.parts()) {
        cost_lines -= part.cost_lines;
        jumps -= part.jumps;
        demand(call_records >= part.call_records);
    }
    demand(cost_lines == 0 && jumps == 0);
}

void demand_equal(const Place& a, const Place& b) {
    demand(a.source == b.source && a.line == b.line && a.column == b.column && a.offset == b.offset);
    demand(a.excerpt == b.excerpt && a.excerpt_column == b.excerpt_column);
}

void demand_equal(std::span<const Diagnostic> a, std::span<const Diagnostic> b) {
    demand(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        demand(a[i].id == b[i].id && a[i].count == b[i].count && a[i].places.size() == b[i].places.size());
        for (std::size_t k = 0; k < a[i].places.size(); ++k) demand_equal(a[i].places[k], b[i].places[k]);
    }
}

void demand_equal_columns(const Profile& a, const Profile& b) {
    demand(a.events().size() == b.events().size() && a.parts().size() == b.parts().size());
    demand(a.function_count() == b.function_count() && a.arc_count() == b.arc_count());
    demand(a.object_count() == b.object_count() && a.file_count() == b.file_count());
    for (std::size_t i = 0; i < a.function_count(); ++i) {
        const FunctionId function(i);
        demand(a.name(function) == b.name(function) && a.has_records(function) == b.has_records(function));
        demand(a.name(a.object(function)) == b.name(b.object(function)));
        demand(a.name(a.file(function)) == b.name(b.file(function)));
        for (std::size_t k = 0; k < a.events().size(); ++k)
            demand(a.self(function, EventId(k)) == b.self(function, EventId(k)));
    }
    for (std::size_t i = 0; i < a.arc_count(); ++i) {
        const ArcId arc(i);
        demand(a.caller(arc) == b.caller(arc) && a.callee(arc) == b.callee(arc));
        demand(a.count(arc).known == b.count(arc).known && a.count(arc).at_least == b.count(arc).at_least);
        for (std::size_t k = 0; k < a.events().size(); ++k)
            demand(a.cost(arc, EventId(k)) == b.cost(arc, EventId(k)));
    }
    for (std::size_t i = 0; i < a.formulas().size(); ++i)
        demand_equal(a.formulas()[i].place, b.formulas()[i].place);
    demand_equal(a.diagnostics(), b.diagnostics());
}

void demand_equal_records(const Profile& a, const Profile& b) {
    for (std::size_t i = 0; i < a.function_count(); ++i) {
        RecordCursor of_a = a.records(FunctionId(i)), of_b = b.records(FunctionId(i));
        for (Record x, y; of_a.next(x);) {
            demand(of_b.next(y));
            demand(of_a.part() == of_b.part() && x.kind == y.kind && x.conditional == y.conditional);
            demand(x.has_place == y.has_place && x.has_target_place == y.has_target_place);
            demand(a.name(x.file) == b.name(y.file) && x.address == y.address && x.line == y.line);
            demand(x.arc == y.arc && x.count == y.count);
            demand(x.executed == y.executed && x.followed == y.followed);
            demand(x.target_address == y.target_address && x.target_line == y.target_line);
            demand(x.target_function == y.target_function);
        }
        Record more;
        demand(!of_b.next(more));
    }
}

/// The call tree of a file has all costs of the file.
void demand_stacks(const Profile& profile) {
    const StacksOfSources all = recorded_stacks(profile);
    demand(all.empty() || all.size() == profile.sources().size());
    for (std::size_t source = 0; source < all.size(); ++source) {
        if (!all[source]) continue;
        for (std::size_t k = 0; k < profile.events().size(); ++k) {
            std::int64_t parts = 0, stacks = 0;
            for (const Part& part : profile.parts())
                if (part.source == source) parts = sum_of(parts, part.self[EventId(k)]);
            const auto event = all[source]->find_event(profile.events()[k].name);
            for (std::uint32_t row = 0; event != Stacks::none && row < all[source]->size(); ++row)
                stacks = sum_of(stacks, all[source]->self(row, event));
            demand(parts == stacks);
        }
    }
}

void demand_equal_stacks(const Profile& a, const Profile& b) {
    const StacksOfSources of_a = recorded_stacks(a), of_b = recorded_stacks(b);
    demand(of_a.size() == of_b.size());
    for (std::size_t source = 0; source < of_a.size(); ++source) {
        demand((of_a[source] == nullptr) == (of_b[source] == nullptr));
        if (!of_a[source]) continue;
        demand(of_a[source]->size() == of_b[source]->size());
        for (std::uint32_t row = 0; row < of_a[source]->size(); ++row) {
            demand(of_a[source]->caller(row) == of_b[source]->caller(row));
            demand(of_a[source]->last_function(row) == of_b[source]->last_function(row));
        }
    }
}

void check(std::string_view text) {
    const auto whole = read_profile(from_memory(text), options_of(std::size_t{1} << 20U, false));
    const std::size_t chunk_size = 64 + Numbers(text).next() % 1000;
    for (const ReadOptions& options :
         {options_of(64, true), options_of(chunk_size, false), options_of(chunk_size, true)}) {
        const auto other = read_profile(in_blocks(text), options);
        demand(whole.has_value() == other.has_value());
        if (!whole) {
            demand(whole.error().code == other.error().code);
            continue;
        }
        demand_equal_columns(*whole, *other);
        demand_equal_records(*whole, *other);
        demand_equal_stacks(*whole, *other);
    }
    if (!whole) return;
    const auto functions = read_profile(from_memory(text), options_of(chunk_size, false, Detail::functions));
    demand(functions.has_value());
    demand_equal_columns(*whole, *functions);
    demand_valid(*whole);
    demand_sums(*whole);
    demand_records(*whole);
    demand_equal_stacks(*whole, *functions);
    demand_stacks(*whole);
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> bytes(data, data + size);  // its own memory: reading past its end is noticed
    callcost::fuzz::check({bytes.data(), bytes.size()});
    return 0;
}
