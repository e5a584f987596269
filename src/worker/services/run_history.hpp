#pragma once

#include "worker/runs/run_tally.hpp"
#include "worker/worker_context.hpp"

namespace postrider::working {

/// Adds the runs that the threads have counted to the history in the database, every few seconds
/// while there are any. The history never holds up messages: if the database refuses it, the counts
/// are dropped.
class run_history {
  public:
    /// Runs have ended since the last call.
    void ended(clock::time_point now) {
        if (next_ == clock::time_point::max()) {
            next_ = now + interval;
        }
    }
    clock::time_point next_at() const { return next_; }
    void run(worker_context& context, clock::time_point now);
    /// Sends the counts at once, on any session; also measures the offset of the database's clock.
    void send(worker_context& context, pg::connection& session);

    static constexpr auto interval = std::chrono::seconds(5);

  private:
    clock::time_point next_ = clock::time_point::max();
    run_tally unsent_;
    bool refused_ = false;  ///< and reported
};

}  // namespace postrider::working
