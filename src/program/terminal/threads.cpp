#include "terminal/threads.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <sched.h>

namespace callcost::program {

unsigned default_concurrency() {
    constexpr unsigned enough = 4;
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
    return std::clamp(static_cast<unsigned>(CPU_COUNT(&allowed)), 1U, enough);
}

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(mutex_);
        is_stopping_ = true;
    }
    work_arrived_.notify_all();
    for (auto& thread : threads_) thread.join();
}

RunAll ThreadPool::run_all() {
    return [this](Tasks tasks) { run(tasks); };
}

void ThreadPool::run(Tasks tasks) {
    if (tasks.size() < 2 || concurrency_ < 2) {
        for (const auto& task : tasks) task();
        return;
    }
    if (!is_started_) start();
    std::unique_lock lock(mutex_);
    tasks_ = tasks;
    next_ = 0;
    unfinished_ = tasks.size();
    work_arrived_.notify_all();
    while (run_next(lock)) {
    }
    work_done_.wait(lock, [this] { return unfinished_ == 0; });
    if (auto failure = std::exchange(failure_, nullptr)) std::rethrow_exception(std::move(failure));
}

void ThreadPool::start() {
    is_started_ = true;
    try {
        threads_.reserve(concurrency_ - 1);
        for (unsigned i = 1; i < concurrency_; ++i) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // no more threads to be had: those there are do all the work
    }
}

void ThreadPool::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        work_arrived_.wait(lock, [this] { return is_stopping_ || next_ < tasks_.size(); });
        if (is_stopping_) return;
        run_next(lock);
    }
}

/// Runs the next task with the mutex open; false if there is none.
bool ThreadPool::run_next(std::unique_lock<std::mutex>& lock) {
    if (next_ >= tasks_.size()) return false;
    const auto& task = tasks_[next_++];
    lock.unlock();
    std::exception_ptr failure;
    try {
        task();
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    if (failure && !failure_) failure_ = std::move(failure);
    if (--unfinished_ == 0) work_done_.notify_one();
    return true;
}

}  // namespace callcost::program
