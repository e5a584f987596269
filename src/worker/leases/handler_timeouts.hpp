#pragma once

#include "worker/worker_context.hpp"

namespace postrider::working {

/// Asks handlers that exceed their timeout to stop. Their leases are not extended any more.
class handler_timeouts {
  public:
    clock::time_point next_at() const { return next_; }
    void run(worker_context& context, clock::time_point now);

  private:
    clock::time_point next_ = {};
};

}  // namespace postrider::working
