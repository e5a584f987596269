#pragma once

#include <chrono>

namespace postrider::cli {

/// SIGINT, SIGTERM and SIGHUP as something to wait for; not a SIGHUP that was ignored. Make it
/// before any thread, so that no thread is interrupted instead.
class stop_signal {
  public:
    stop_signal();
    stop_signal(const stop_signal&) = delete;
    stop_signal& operator=(const stop_signal&) = delete;
    ~stop_signal();

    /// Readable once a signal has come; for poll(2).
    int descriptor() const { return descriptor_; }
    /// True as soon as a signal has come, false when the time is over first.
    bool wait_for(std::chrono::milliseconds time) const;
    /// Takes the next signal, so that another one can be waited for. False when `instead`, a
    /// descriptor, becomes readable first.
    bool take(int instead) const;

  private:
    int descriptor_;
};

}  // namespace postrider::cli
