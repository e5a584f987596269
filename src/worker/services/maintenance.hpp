#pragma once

#include <algorithm>

#include "worker/worker_context.hpp"

namespace postrider::working {

/// Work that any worker does for the whole database: takes messages back from dead workers, creates
/// and drops partitions, and deletes rows by retention, in small steps.
class maintenance {
  public:
    clock::time_point next_at() const { return std::min(next_, next_retention_); }
    /// Takes messages back and looks after partitions.
    void run(worker_context& context, clock::time_point now);
    /// One step of retention, if it is due. Separate, because it may be slow: replays come first.
    void retain(worker_context& context, clock::time_point now);

    /// Schedules the next step of retention. `more`: rows are left to delete.
    void retained(bool more, clock::time_point began, clock::time_point ended);

  private:
    /// Whether messages of dead workers may be left.
    static bool reap(worker_context& context);
    void maintain(worker_context& context, clock::time_point now);

    bool starts_ = true;
    clock::time_point next_ = {};
    clock::time_point next_partitions_ = {};
    clock::time_point next_retention_ = clock::time_point::max();  ///< max: after the next maintain
};

}  // namespace postrider::working
