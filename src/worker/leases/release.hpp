#pragma once

#include "worker/worker_context.hpp"

namespace postrider::working {

/// Messages of a lease wait behind running handlers. When these take much longer than expected, the
/// worker returns the waiting messages, uncharged, if the consumer has another live worker.
class release {
  public:
    /// When a message will have waited too long; max while none waits.
    clock::time_point next_at(const worker_context& context, clock::time_point now) const;
    void run(worker_context& context, clock::time_point now);

  private:
    clock::time_point next_ = {};
    int most_ = 0;  ///< messages to release at once; grows while the stall lasts
};

}  // namespace postrider::working
