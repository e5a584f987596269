#pragma once

#include <chrono>

namespace postrider::cli {

/// Waits for SIGINT, SIGTERM and SIGHUP, unless SIGHUP is ignored. Create it before any thread, so
/// that the signals are blocked in all threads.
class stop_signal {
  public:
    stop_signal();
    stop_signal(const stop_signal&) = delete;
    stop_signal& operator=(const stop_signal&) = delete;
    ~stop_signal();

    /// Readable after a signal; for poll(2).
    int descriptor() const { return descriptor_; }
    /// True when a signal arrives, false after the timeout.
    bool wait_for(std::chrono::milliseconds time) const;
    /// Consumes the next signal. False when the descriptor `instead` becomes readable first.
    bool take(int instead) const;

  private:
    int descriptor_;
};

}  // namespace postrider::cli
