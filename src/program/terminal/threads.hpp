/// Thread pool for the library, started with the first tasks, so that small files need no threads.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include <callcost/source.hpp>

namespace callcost::program {

/// Default number of threads: reading does not scale beyond a few.
[[nodiscard]] unsigned default_concurrency();

class ThreadPool {
  public:
    /// `concurrency` tasks at a time, one of them on the calling thread; fewer where no thread can be had.
    explicit ThreadPool(unsigned concurrency) : concurrency_(concurrency) {}
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool();

    [[nodiscard]] unsigned concurrency() const { return concurrency_; }
    /// For ReadOptions::run_all; the pool must outlive it. One call at a time. What a task throws comes out
    /// of the call when all tasks have ended.
    [[nodiscard]] RunAll run_all();

  private:
    using Tasks = std::span<const std::function<void()>>;

    void run(Tasks tasks);
    void start();
    void work();
    bool run_next(std::unique_lock<std::mutex>& lock);

    unsigned concurrency_;
    std::mutex mutex_;
    std::condition_variable work_arrived_;
    std::condition_variable work_done_;
    Tasks tasks_;                 // guarded by mutex_
    std::size_t next_ = 0;        // guarded by mutex_: the first task that nobody has taken
    std::size_t unfinished_ = 0;  // guarded by mutex_
    bool is_stopping_ = false;    // guarded by mutex_
    std::exception_ptr failure_;  // guarded by mutex_: the first thing that a task has thrown
    bool is_started_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace callcost::program
