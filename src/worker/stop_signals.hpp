#pragma once

#include <csignal>
#include <postrider/worker.hpp>

namespace postrider::working {

/// While it lives, SIGINT, SIGTERM and, unless ignored, SIGHUP request a worker to stop. At most
/// one object per program at a time.
class stop_signals {
  public:
    explicit stop_signals(worker& asked);
    stop_signals(const stop_signals&) = delete;
    stop_signals& operator=(const stop_signals&) = delete;
    ~stop_signals();

  private:
    struct sigaction interrupt_before_ = {};
    struct sigaction terminate_before_ = {};
    struct sigaction hangup_before_ = {};
};

}  // namespace postrider::working
