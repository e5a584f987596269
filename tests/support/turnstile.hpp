#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace postrider::test {

/// Where handlers wait until a test lets them go on.
class turnstile {
  public:
    /// Of a handler: waits until it is open; false when that takes too long.
    bool pass() {
        std::unique_lock lock(mutex_);
        ++came_;
        changed_.notify_all();
        return changed_.wait_for(lock, timeout, [&] { return open_; });
    }
    /// Called by the test: waits until `count` threads have arrived in total.
    bool wait_for(int count) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, timeout, [&] { return came_ >= count; });
    }
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }

  private:
    static constexpr auto timeout = std::chrono::seconds(30);
    std::mutex mutex_;
    std::condition_variable changed_;
    int came_ = 0;
    bool open_ = false;
};

}  // namespace postrider::test
