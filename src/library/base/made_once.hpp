/// A value that is made when it is first needed.
#pragma once

#include <atomic>
#include <memory>

namespace callcost {

/// Several threads may make it at once; that of the first to be ready is kept.
template <class T>
class MadeOnce {
  public:
    MadeOnce() = default;
    MadeOnce(const MadeOnce&) = delete;
    MadeOnce& operator=(const MadeOnce&) = delete;
    ~MadeOnce() { delete made_.load(); }

    template <class Make>
    const T& get(Make make) const {
        const T* found = made_.load(std::memory_order_acquire);
        if (found != nullptr) return *found;
        auto made = std::make_unique<const T>(make());
        if (made_.compare_exchange_strong(found, made.get(), std::memory_order_acq_rel))
            found = made.release();
        return *found;
    }

  private:
    mutable std::atomic<const T*> made_{nullptr};
};

}  // namespace callcost
