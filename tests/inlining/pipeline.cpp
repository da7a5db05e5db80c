// A pipeline of coroutines and std::function. tests/inlining.py says which function each line is in.
#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

template <class T>
class Generator {
  public:
    struct promise_type {
        T value{};
        Generator get_return_object() { return Generator(Handle::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(T next) {
            value = next * 3 + 1;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    using Handle = std::coroutine_handle<promise_type>;
    explicit Generator(Handle handle) : handle_(handle) {}
    Generator(Generator&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
    ~Generator() {
        if (handle_) handle_.destroy();
    }
    bool next() {
        handle_.resume();
        return !handle_.done();
    }
    T value() const { return handle_.promise().value; }

  private:
    Handle handle_;
};

static inline std::uint64_t scramble(std::uint64_t x) {
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    return x * 2685821657736338717ULL;
}

Generator<std::uint64_t> numbers(std::uint64_t seed, int count) {
    for (int i = 0; i < count; ++i) {
        seed = scramble(seed);
        co_yield seed % 1000;
    }
}

Generator<std::uint64_t> chunks(Generator<std::uint64_t> source, int size) {
    std::uint64_t sum = 0;
    int count = 0;
    while (source.next()) {
        sum += source.value();
        if (++count == size) {
            co_yield sum;
            sum = 0;
            count = 0;
        }
    }
}

struct Stage {
    std::function<std::uint64_t(std::uint64_t)> work;
    std::uint64_t done = 0;
    std::uint64_t run(std::uint64_t x) {
        ++done;
        return work(x);
    }
};

static inline std::uint64_t digits(std::uint64_t x) {
    std::uint64_t sum = 0;
    while (x != 0) {
        sum += x % 10;
        x /= 10;
    }
    return sum;
}

static std::optional<std::uint64_t> best(const std::vector<std::uint64_t>& values) {
    std::optional<std::uint64_t> found;
    for (const std::uint64_t value : values) {
        if (!found || digits(value) > digits(*found)) found = value;
    }
    return found;
}

int main(int count, char**) {
    std::vector<Stage> stages;
    stages.push_back({[](std::uint64_t x) { return x + digits(x); }});
    stages.push_back({[factor = static_cast<std::uint64_t>(count)](std::uint64_t x) {
        std::uint64_t result = x;
        for (int i = 0; i < 8; ++i) result = scramble(result + factor);
        return result % 100000;
    }});
    stages.push_back({digits});
    std::vector<std::uint64_t> results;
    auto source = chunks(numbers(88172645463325252ULL, 20000), 4);
    while (source.next()) {
        std::uint64_t value = source.value();
        for (Stage& stage : stages) value = stage.run(value);
        results.push_back(value);
    }
    std::printf("%zu %llu\n", results.size(), static_cast<unsigned long long>(best(results).value_or(0)));
}
