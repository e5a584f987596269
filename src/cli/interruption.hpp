#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

#include "cli/stop_signal.hpp"
#include "worker/wake_event.hpp"

namespace postrider::cli {

/// During its lifetime a signal ends the program at any point, for example while it waits for
/// input, after printing the number of published messages. The lock `committing` is held while that
/// number is about to change.
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
