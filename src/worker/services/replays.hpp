#pragma once

#include <optional>
#include <span>

#include "store/operate/replays.hpp"
#include "worker/worker_context.hpp"

namespace postrider::working {

/// Moves replays in small steps. The worker that moves a replay continues with it; other workers
/// check at long intervals whether a replay has stopped moving. Steps that follow one that moved
/// something run on a connection of their own, so the worker claims and reports meanwhile.
class replays {
  public:
    /// A replay may have started.
    void look() { next_ = {}; }

    clock::time_point next_at() const { return under_way_ ? give_up_at_ : next_; }
    /// Readable when a step may have ended; -1 while none is under way.
    int socket() const { return under_way_ ? mover_->socket() : -1; }
    void run(worker_context& context, clock::time_point now);
    /// Steps end with their connection, and another worker continues.
    void stop() noexcept;

    /// Schedules the next step by the results of the last one. True when a delivery was moved.
    bool stepped(std::span<const store::replay_moved> steps, clock::time_point now);

  private:
    void step_here(worker_context& context);
    void begin_step(worker_context& context, clock::time_point now);
    void end_step(worker_context& context, clock::time_point now);
    void take(worker_context& context, std::span<const store::replay_moved> steps);

    clock::time_point next_ = {};
    bool moving_ = false;  ///< the last step moved something
    std::optional<pg::connection> mover_;
    bool under_way_ = false;  ///< a step on it
    clock::time_point began_ = {};
    clock::time_point give_up_at_ = {};
    clock::time_point here_until_ = {};  ///< the server gave no connection, or lost it
    bool reported_ = false;              ///< the missing connection was reported
};

}  // namespace postrider::working
