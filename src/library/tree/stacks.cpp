// Stacks as rows that go on from other rows.
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "base/name_table.hpp"
#include "callcost/tree.hpp"

namespace callcost {
namespace {

std::uint64_t pair_of(std::uint32_t first, std::uint32_t second) {
    return std::uint64_t{first} << 32U | second;
}
std::uint32_t first_of(std::uint64_t pair) { return static_cast<std::uint32_t>(pair >> 32U); }
std::uint32_t second_of(std::uint64_t pair) { return static_cast<std::uint32_t>(pair); }

/// Pairs of numbers, each kept once and known by its row.
class PairTable {
  public:
    std::uint32_t row(std::uint64_t pair) {
        if (pairs_.size() * 2 >= index_.size()) fill_index();
        std::size_t slot = start(pair);
        for (; index_[slot] != 0; slot = (slot + 1) & (index_.size() - 1))
            if (pairs_[index_[slot] - 1] == pair) return index_[slot] - 1;
        pairs_.push_back(pair);
        index_[slot] = static_cast<std::uint32_t>(pairs_.size());
        return static_cast<std::uint32_t>(pairs_.size() - 1);
    }
    void pack() {
        index_ = std::vector<std::uint32_t>();
        pairs_.shrink_to_fit();
    }
    [[nodiscard]] std::size_t size() const { return pairs_.size(); }
    [[nodiscard]] std::uint64_t operator[](std::size_t row) const { return pairs_[row]; }

  private:
    [[nodiscard]] std::size_t start(std::uint64_t pair) const {
        return static_cast<std::size_t>(mix(pair ^ seed_)) & (index_.size() - 1);
    }
    /// Twice as large as it was, or as it has to be.
    void fill_index() {
        index_ =
            std::vector<std::uint32_t>(std::bit_ceil(std::max<std::size_t>(pairs_.size() * 2 + 1, 64)), 0);
        for (std::size_t row = 0; row < pairs_.size(); ++row) {
            std::size_t slot = start(pairs_[row]);
            while (index_[slot] != 0) slot = (slot + 1) & (index_.size() - 1);
            index_[slot] = static_cast<std::uint32_t>(row + 1);
        }
    }

    std::uint64_t seed_ = seed_for(this);
    std::vector<std::uint64_t> pairs_;
    std::vector<std::uint32_t> index_;  // row + 1, 0 = empty
};

}  // namespace

struct Stacks::Data {
    NameTable names{{}};
    NameTable events{{}};
    PairTable origins;    // (object, file)
    PairTable functions;  // (origin, name)
    PairTable stacks;     // (caller, function)
    // By event, then by stack; what is missing is 0.
    std::vector<std::vector<Cost>> self = std::vector<std::vector<Cost>>(1);
};

Stacks::Stacks() : data_(std::make_unique<Data>()) {}
Stacks::Stacks(Stacks&&) noexcept = default;
Stacks& Stacks::operator=(Stacks&&) noexcept = default;
Stacks::~Stacks() = default;

std::uint32_t Stacks::function(std::string_view name, std::string_view file, std::string_view object) {
    const auto origin = data_->origins.row(pair_of(data_->names.intern(object), data_->names.intern(file)));
    return data_->functions.row(pair_of(origin, data_->names.intern(name)));
}

std::uint32_t Stacks::event(std::string_view name) {
    const auto row = data_->events.intern(name);
    if (row == data_->self.size()) data_->self.emplace_back();
    return row;
}

std::uint32_t Stacks::stack(std::uint32_t caller, std::uint32_t function) {
    return data_->stacks.row(pair_of(caller, function));
}

void Stacks::add(std::uint32_t stack, std::uint32_t event, Cost cost) {
    auto& column = data_->self[event];
    if (column.size() <= stack) column.resize(std::size_t{stack} + 1, 0);
    column[stack] += cost;
}

void Stacks::add(const Stacks& other) {
    std::vector<std::uint32_t> functions(other.function_count()), stacks(other.size());
    for (std::uint32_t row = 0; row < functions.size(); ++row) {
        const auto of = other.names(row);
        functions[row] = function(of.name, of.file, of.object);
    }
    for (std::uint32_t row = 0; row < stacks.size(); ++row) {
        const auto from = other.caller(row);
        stacks[row] = stack(from == none ? none : stacks[from], functions[other.last_function(row)]);
    }
    for (std::uint32_t row = 0; row < other.data_->self.size(); ++row) {
        const auto to = event(other.data_->events[row]);
        const auto& costs = other.data_->self[row];
        for (std::uint32_t i = 0; i < costs.size(); ++i)
            if (costs[i] != 0) add(stacks[i], to, costs[i]);
    }
}

void Stacks::pack() {
    data_->origins.pack();
    data_->functions.pack();
    data_->stacks.pack();
    for (auto& column : data_->self) column.shrink_to_fit();
}

std::size_t Stacks::size() const { return data_->stacks.size(); }
std::uint32_t Stacks::caller(std::uint32_t stack) const { return first_of(data_->stacks[stack]); }
std::uint32_t Stacks::last_function(std::uint32_t stack) const { return second_of(data_->stacks[stack]); }

Cost Stacks::self(std::uint32_t stack, std::uint32_t event) const {
    const auto& column = data_->self[event];
    return stack < column.size() ? column[stack] : Cost();
}

std::size_t Stacks::function_count() const { return data_->functions.size(); }

FunctionNames Stacks::names(std::uint32_t function) const {
    const auto pair = data_->functions[function];
    const auto origin = data_->origins[first_of(pair)];
    return {data_->names[second_of(pair)], data_->names[first_of(origin)], data_->names[second_of(origin)]};
}

std::uint32_t Stacks::find_event(std::string_view name) const { return data_->events.find(name); }
std::vector<std::string_view> Stacks::event_names() const {
    std::vector<std::string_view> names;
    for (std::uint32_t row = 1; row < data_->events.size(); ++row) names.push_back(data_->events[row]);
    return names;
}

}  // namespace callcost
