#pragma once

#include "worker/worker_context.hpp"

namespace postrider::working {

/// Records the progress and the results of running jobs: once a second, and before the outcomes of
/// jobs are reported, since the database takes nothing from a worker that has no lease any more.
class progress {
  public:
    clock::time_point next_at(const worker_context& context) const;
    void run(worker_context& context, clock::time_point now);

  private:
    clock::time_point next_ = {};
};

}  // namespace postrider::working
