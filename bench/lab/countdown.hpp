#pragma once

#include <fmt/core.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

namespace postrider::bench {

/// Counts handled messages down from a number; another thread can wait for the last one.
class countdown {
  public:
    explicit countdown(long long from) : left_(from) {}
    /// Any thread.
    void step() {
        if (--left_ == 0) {
            const std::lock_guard lock(mutex_);
            done_.notify_one();
        }
    }
    void wait() {
        std::unique_lock lock(mutex_);
        if (!done_.wait_for(lock, std::chrono::minutes(4), [&] { return left_ <= 0; })) {
            throw std::runtime_error(fmt::format("{} messages not handled", left_.load()));
        }
    }

  private:
    std::atomic<long long> left_;
    std::mutex mutex_;
    std::condition_variable done_;
};

}  // namespace postrider::bench
