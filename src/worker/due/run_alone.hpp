#pragma once

#include <chrono>

namespace postrider::working {

/// A delivery that crashed its worker runs alone. This lets all other handlers finish first: for a
/// limited time, because handlers may be slow, and at most half of the time. No database here.
class run_alone {
  public:
    using clock = std::chrono::steady_clock;

    /// No message is claimed until the running handlers have finished or until() has passed.
    bool draining() const { return draining_; }
    clock::time_point until() const { return until_; }

    /// A due delivery cannot be claimed now. Starts draining, or ends it when its time is over or
    /// the worker is `idle`. True when it has started.
    bool run(clock::time_point now, bool idle, clock::duration longest_handler);
    /// Deliveries were claimed, among them the one that the worker drained for.
    void claimed(clock::time_point now);
    /// There is no delivery to drain for.
    void cancel() { draining_ = false; }

  private:
    bool draining_ = false;
    clock::time_point until_ = {};
    clock::time_point next_ = {};  ///< not before
    clock::duration length_ = {};  ///< of the last attempt; doubles while attempts fail
};

}  // namespace postrider::working
