#pragma once

#include <span>

#include "store/operate/replays.hpp"
#include "worker/worker_context.hpp"

namespace postrider::working {

/// Moves replays in small steps. The worker that moves a replay continues with it; other workers
/// check at long intervals whether a replay has stopped moving.
class replays {
  public:
    /// A replay may have started.
    void look() { next_ = {}; }

    clock::time_point next_at() const { return next_; }
    void run(worker_context& context, clock::time_point now);

    /// Schedules the next step by the results of the last one. True when a delivery was moved.
    bool stepped(std::span<const store::replay_moved> steps, clock::time_point now);

  private:
    clock::time_point next_ = {};
};

}  // namespace postrider::working
