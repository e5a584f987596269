#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

namespace postrider::bench {

/// Shows the progress of a measurement on stderr: a bar on a terminal, a line at either end
/// elsewhere.
class progress {
  public:
    progress(std::string label, std::int64_t total);
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    ~progress();

    /// May be called from any thread, at any rate.
    void advance(std::int64_t by) { done_.fetch_add(by, std::memory_order_relaxed); }

  private:
    void draw() const;

    std::string label_;
    std::int64_t total_;
    std::atomic<std::int64_t> done_ = 0;
    bool terminal_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    std::jthread painter_;
};

}  // namespace postrider::bench
