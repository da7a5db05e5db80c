// F67: memory in proportion to the input, counted in bytes by this program's own operator new.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <new>
#include <span>

#include <gtest/gtest.h>
#include <malloc.h>

#include "callcost/call_graph.hpp"
#include "unit/library/parser/every_way.hpp"
#include "unit/library/parser/growth.hpp"
#include "unit/library/parser/sanitized.hpp"

// The sanitizers have an operator new of their own, which sees more than bytes: there the tests are skipped.
#define CALLCOST_COUNTS_BYTES (!CALLCOST_SANITIZED)

namespace {

std::atomic<std::size_t> bytes_in_use{0}, max_bytes{0}, bytes_asked_for{0};

}  // namespace

#if CALLCOST_COUNTS_BYTES
void* operator new(std::size_t size) {
    void* const memory = std::malloc(std::max<std::size_t>(size, 1));
    if (memory == nullptr) throw std::bad_alloc();
    bytes_asked_for += size;
    const std::size_t now = bytes_in_use += malloc_usable_size(memory);
    for (std::size_t most = max_bytes; most < now && !max_bytes.compare_exchange_weak(most, now);) {
    }
    return memory;
}
void operator delete(void* memory) noexcept {
    bytes_in_use -= malloc_usable_size(memory);
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
#endif

namespace callcost::test {
namespace {

class Memory : public testing::Test {
  protected:
    void SetUp() override {
        if (!CALLCOST_COUNTS_BYTES) GTEST_SKIP() << "a sanitizer has replaced operator new";
    }
};

struct Usage {
    std::size_t peak = 0;       ///< most bytes in use at a time
    std::size_t asked_for = 0;  ///< all bytes ever
};

template <class Work>
Usage usage_of(const Work& work) {
    const std::size_t before = bytes_in_use, asked_before = bytes_asked_for;
    max_bytes = before;
    work();
    return {max_bytes - before, bytes_asked_for - asked_before};
}

/// Twice the input takes at most 2.2 times the memory; what is less than a chunk does not count.
template <class Make, class Use>
void expect_linear_memory(const Make& make, std::size_t n, const Use& use) {
    constexpr std::size_t least = 256 * 1024;
    const auto peak = [&](std::size_t size) {
        const std::string text = make(size);
        return std::max(least, usage_of([&] { EXPECT_TRUE(use(text)); }).peak);
    };
    const std::size_t small = peak(n / 2), large = peak(n);
    EXPECT_LE(static_cast<double>(large), 2.2 * static_cast<double>(small)) << "before " << small;
}

/// The same for the events, the profile, and its call graph.
template <class Make>
void expect_linear_memory(const Make& make, std::size_t n) {
    {
        SCOPED_TRACE("parse");
        expect_linear_memory(make, n, [](const std::string& text) {
            return parse(from_memory(text), NoHandler{}).has_value();
        });
    }
    {
        SCOPED_TRACE("read_profile");
        expect_linear_memory(
            make, n, [](const std::string& text) { return read_profile(from_memory(text)).has_value(); });
    }
    SCOPED_TRACE("call_graph");
    expect_linear_memory(make, n, [](const std::string& text) {
        const Profile profile = read(text);
        const auto graph = call_graph(profile);
        return graph && functions(*graph, {.measure = measures(profile)[0]}).rows.size() == graph->size();
    });
}

std::string digits(std::uint64_t value) { return std::to_string(value); }

TEST_F(Memory, grows_with_the_callees_of_a_function) {
    expect_linear_memory(
        [](std::size_t n) {
            std::string text = in_function("1 1\n");
            for (std::size_t i = 0; i < n; ++i) text += "cfn=g" + digits(i) + "\ncalls=1 5\n3 4\n";
            return text;
        },
        40'000);
}

TEST_F(Memory, grows_with_the_length_of_a_chain_of_calls) {
    expect_linear_memory(
        [](std::size_t n) {
            std::string text = by_others("fl=a\n");
            for (std::size_t i = 0; i < n; ++i)
                text += "fn=f" + digits(i) + "\n1 1\ncfn=f" + digits(i + 1) + "\ncalls=1 5\n3 4\n";
            return text;
        },
        300'000);
}

TEST_F(Memory, grows_with_the_number_of_parts) {
    expect_linear_memory(
        [](std::size_t n) {
            std::string text = by_others("");
            for (std::size_t i = 0; i < n; ++i)
                text += "part: " + digits(i + 1) + "\nfl=a\nfn=f\n1 1\ntotals: 1\n";
            return text;
        },
        5'000);
}

TEST_F(Memory, grows_with_the_number_of_event_types) {
    expect_linear_memory(
        [](std::size_t n) {
            std::string text = "events:", costs = "1";
            for (std::size_t i = 0; i < n; ++i) {
                text += " e" + digits(i);
                costs += ' ' + digits(i);
            }
            return text + "\nfl=a\nfn=f\n" + costs + '\n';
        },
        100'000);
}

TEST_F(Memory, grows_with_the_number_of_ids_and_not_with_their_size) {
    for (const std::uint64_t end : {std::uint64_t{1} << 32U, UINT64_MAX})
        expect_linear_memory(
            [end](std::size_t n) {
                std::string text = by_others("fl=a\n");
                for (std::size_t i = 0; i < n; ++i)
                    text += "fn=(" + digits(end - i * 65'537) + ") f" + digits(i) + "\n1 1\n";
                return text;
            },
            40'000);
}

// Each of the names would have a megabyte on the average.
TEST_F(Memory, is_not_spent_on_nested_names_beyond_what_is_expanded) {
    std::string body = "fl=a\nfn=(1) xxxxxxxx\n1 1\n";
    const auto add = [&body](std::size_t id, std::size_t first, std::size_t second) {
        body += "fn=(" + digits(id) + ") (" + digits(first) + ")'(" + digits(second) + ")\n1 1\n";
    };
    for (std::size_t i = 2; i < 64; ++i) add(i, i - 1, i - 1);
    for (std::size_t i = 0; i < 2'000; ++i) add(100 + i, 1 + i % 63, 1 + i % 61);
    const Usage usage = usage_of([&] { EXPECT_EQ(read(by_callgrind(body)).total(EventId(0U)), 2'063); });
    EXPECT_LT(usage.asked_for, std::size_t{512} << 20U);
}

// The last piece is an id that means nothing: it, too, may take no more than is left.
TEST_F(Memory, is_not_spent_on_nested_names_by_a_piece_longer_than_what_is_left) {
    std::string body = "fl=a\nfn=(1) xxxxxxxx\n1 1\n";
    const auto add = [&body](std::size_t id, std::size_t first, std::size_t second) {
        body += "fn=(" + digits(id) + ") (" + digits(first) + ")'(" + digits(second) + ")\n";
    };
    for (std::size_t i = 2; i < 40; ++i) add(i, i - 1, i - 1);
    for (std::size_t i = 39; i > 1; --i) add(100 + i, i, 1);  // now less than a kilobyte is left
    body += "fn=(200) (" + std::string(1'000, '0') + ")\n";
    add(301, 1, 1);
    for (std::size_t i = 302; i < 326; ++i) add(i, i - 1, i - 1);
    const Usage usage = usage_of([&] { EXPECT_EQ(read(by_callgrind(body)).total(EventId(0U)), 1); });
    EXPECT_LT(usage.asked_for, std::size_t{512} << 20U);
}

// The lines after it might be read at the same time, but not with a copy of the block for each task.
TEST_F(Memory, holds_an_open_header_block_once) {
    std::string text = "creator: x\n";
    for (std::size_t i = 0; i < 20'000; ++i) text += "key: v\n";
    text += in_function("1 1\n");
    for (std::size_t i = 0; i < 5'000; ++i) text += "fn=f\n1 1\n";
    ReadOptions options;
    options.chunk_size = 64;
    const auto read_text = [&] { EXPECT_EQ(read(text, options).total(EventId(0U)), 5'001); };
    const Usage one_by_one = usage_of(read_text);
    options.concurrency = 16;
    options.run_all = [](std::span<const std::function<void()>> tasks) {
        for (const auto& task : tasks) task();
    };
    const Usage in_tasks = usage_of(read_text);
    EXPECT_LT(in_tasks.peak, 2 * one_by_one.peak);
    EXPECT_LT(in_tasks.asked_for, 2 * one_by_one.asked_for);
}

}  // namespace
}  // namespace callcost::test
