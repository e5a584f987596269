#pragma once

#include <csignal>

namespace postrider {

/// Blocks all signals in this thread. A thread that is started meanwhile receives none at all.
class blocked_signals {
  public:
    blocked_signals() {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    blocked_signals(const blocked_signals&) = delete;
    blocked_signals& operator=(const blocked_signals&) = delete;
    ~blocked_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_ = {};
};

}  // namespace postrider
