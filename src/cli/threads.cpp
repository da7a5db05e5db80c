#include "cli/threads.hpp"

#include <algorithm>

#include <sched.h>

namespace callcost::cli {

unsigned usual_concurrency() {
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
    if (threads_.empty()) start();
    std::unique_lock lock(mutex_);
    tasks_ = tasks;
    next_ = 0;
    unfinished_ = tasks.size();
    work_arrived_.notify_all();
    while (run_next(lock)) {
    }
    work_done_.wait(lock, [this] { return unfinished_ == 0; });
}

void ThreadPool::start() {
    for (unsigned i = 1; i < concurrency_; ++i) threads_.emplace_back([this] { work(); });
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
    task();
    lock.lock();
    if (--unfinished_ == 0) work_done_.notify_one();
    return true;
}

}  // namespace callcost::cli
