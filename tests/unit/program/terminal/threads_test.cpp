#include "terminal/threads.hpp"

#include <atomic>
#include <new>
#include <vector>

#include <gtest/gtest.h>

namespace callcost::program {
namespace {

TEST(Threads, every_task_runs_once) {
    for (const unsigned concurrency : {1U, 2U, 5U}) {
        ThreadPool pool(concurrency);
        const auto run_all = pool.run_all();
        for (const std::size_t count : {0U, 1U, 2U, 3U, 100U}) {
            std::vector<std::atomic<int>> runs(count);
            std::vector<std::function<void()>> tasks;
            for (std::size_t i = 0; i < count; ++i) tasks.emplace_back([&runs, i] { ++runs[i]; });
            run_all(tasks);
            for (const auto& run : runs) EXPECT_EQ(run, 1);
        }
    }
}

TEST(Threads, what_a_task_throws_comes_out_when_all_have_ended) {
    for (const unsigned concurrency : {1U, 4U}) {
        ThreadPool pool(concurrency);
        const auto run_all = pool.run_all();
        std::atomic<int> runs = 0;
        std::vector<std::function<void()>> tasks(10, [&runs] {
            ++runs;
            throw std::bad_alloc();
        });
        EXPECT_THROW(run_all(tasks), std::bad_alloc);
        EXPECT_EQ(runs, concurrency == 1 ? 1 : 10);
        tasks.assign(10, [&runs] { ++runs; });
        runs = 0;
        run_all(tasks);  // of use as before
        EXPECT_EQ(runs, 10);
    }
}

TEST(Threads, the_pool_may_go_without_having_worked) {
    const ThreadPool pool(4);
    EXPECT_EQ(pool.concurrency(), 4U);
}

TEST(Threads, there_is_always_one_processor) { EXPECT_GE(default_concurrency(), 1U); }

}  // namespace
}  // namespace callcost::program
