#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

#include "cli/stop_signal.hpp"
#include "worker/wake_event.hpp"

namespace postrider::cli {

/// While it lives, a signal ends the program wherever it is, perhaps waiting for a line that never
/// comes, but not before it has said how many messages are published. `committing` is held while
/// that number is about to change.
class interruption {
  public:
    interruption(const std::atomic<std::int64_t>& committed, std::timed_mutex& committing,
                 bool json);
    interruption(const interruption&) = delete;
    interruption& operator=(const interruption&) = delete;
    ~interruption() { over_.set(); }

  private:
    stop_signal stop_;
    working::wake_event over_;
    std::jthread thread_;
};

}  // namespace postrider::cli
