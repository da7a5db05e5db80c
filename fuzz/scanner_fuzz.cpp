// The event API: any bytes are read to the end or refused, the events keep their promises, and they do not
// depend on how the bytes come in.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "blocks.hpp"
#include "callcost/scanner.hpp"

namespace callcost::fuzz {
namespace {

void demand(bool condition) {
    if (!condition) std::abort();
}

/// Checks what parse() delivers and makes one number of it.
class Checker {
  public:
    void names(const EventNames& names) { names_ = &names; }
    void part(const PartEvent& part) {
        add(part.new_profile ? 1 : 2);
        if (part.new_profile) columns_ = 0;
        in_part_ = true;
    }
    void header(const HeaderEvent& header) {
        demand(in_part_);
        add(header.line);
        add(header.key);
        add(header.value);
        if (header.key == "events") columns_ = SIZE_MAX;  // not worth counting here
    }
    void function(const FunctionEvent& function) {
        demand(in_part_);
        in_function_ = true;
        add(names_->object(function.object));
        add(names_->file(function.file));
        add(names_->function(function.name));
    }
    void inlined(const InlinedEvent& inlined) {
        demand(in_function_);
        add(6);
        add(names_->file(inlined.file));
        add(names_->function(inlined.name));
    }
    void cost(const CostEvent& cost) {
        add(3);
        record(cost);
    }
    void call(const CallEvent& call) {
        add(4);
        demand(call.has_place || call.costs.empty());
        demand(call.has_target || (call.target_address == 0 && call.target_line == 0));
        record(call);
        add(names_->object(call.callee.object));
        add(names_->file(call.callee.file));
        add(names_->function(call.callee.name));
        for (const std::uint64_t number :
             {call.count, call.target_address, call.target_line, std::uint64_t{call.counted},
              std::uint64_t{call.has_place}, std::uint64_t{call.has_target}})
            add(number);
    }
    void jump(const JumpEvent& jump) {
        add(5);
        demand(jump.costs.empty());
        record(jump);
        add(names_->file(jump.target_file));
        if (jump.target_function != JumpEvent::same_function) add(names_->function(jump.target_function));
        for (const std::uint64_t number :
             {jump.executed, jump.followed, jump.target_address, jump.target_line,
              std::uint64_t{jump.conditional}, std::uint64_t{jump.has_place}, std::uint64_t{jump.has_target}})
            add(number);
    }

    [[nodiscard]] std::uint64_t sum() const { return sum_; }

  private:
    void record(const CostEvent& record) {
        demand(in_function_);
        demand(record.costs.size() <= columns_);
        add(names_->file(record.file));
        add(record.address);
        add(record.line);
        for (const std::int64_t cost : record.costs) add(static_cast<std::uint64_t>(cost));
        for (const std::uint64_t position : record.positions) add(position);
    }
    void add(std::uint64_t number) { sum_ = (sum_ ^ number) * 0x9fb21c651e98df25U + 1; }
    void add(std::string_view text) {
        add(text.size());
        for (const char c : text) add(static_cast<unsigned char>(c));
    }

    const EventNames* names_ = nullptr;
    std::uint64_t sum_ = 0;
    std::size_t columns_ = 0;
    bool in_part_ = false, in_function_ = false;
};

struct Outcome {
    bool read = false;
    ErrorCode error{};
    std::uint64_t events = 0;
    ParseResult result;
};

Outcome outcome_of(const Source& source, std::size_t chunk_size) {
    Outcome outcome;
    Checker checker;
    ParseOptions options;
    options.chunk_size = chunk_size;
    auto result = parse(source, checker, options);
    outcome.read = result.has_value();
    if (result) {
        outcome.result = *std::move(result);
        outcome.events = checker.sum();
    } else {
        outcome.error = result.error().code;
    }
    return outcome;
}

void demand_equal(const Place& a, const Place& b) {
    demand(a.line == b.line && a.column == b.column && a.offset == b.offset);
    demand(a.excerpt == b.excerpt && a.excerpt_column == b.excerpt_column);
}

void demand_equal(const Outcome& a, const Outcome& b) {
    demand(a.read == b.read && a.error == b.error && a.events == b.events);
    demand(a.result.bytes == b.result.bytes && a.result.lines == b.result.lines);
    demand(a.result.minus_one_is_no_line == b.result.minus_one_is_no_line);
    demand(a.result.diagnostics.size() == b.result.diagnostics.size());
    for (std::size_t i = 0; i < a.result.diagnostics.size(); ++i) {
        const Diagnostic& one = a.result.diagnostics[i];
        const Diagnostic& other = b.result.diagnostics[i];
        demand(one.id == other.id && one.count == other.count && one.places.size() == other.places.size());
        for (std::size_t k = 0; k < one.places.size(); ++k) demand_equal(one.places[k], other.places[k]);
    }
}

void check(std::string_view text) {
    const Outcome whole = outcome_of(from_memory(text), std::size_t{1} << 20U);
    demand_equal(whole, outcome_of(in_blocks(text), 64));
    demand_equal(whole, outcome_of(in_blocks(text), 64 + Numbers(text).next() % 1000));
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> bytes(data, data + size);  // its own memory: reading past its end is noticed
    callcost::fuzz::check({bytes.data(), bytes.size()});
    return 0;
}
