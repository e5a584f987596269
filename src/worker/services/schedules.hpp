#pragma once

#include "store/work/schedules.hpp"
#include "worker/worker_context.hpp"

namespace postrider::working {

/// Fires due schedules of the whole database. The worker that fired last checks exactly when the
/// next slot is due. A worker that came too late checks a little later, with a lag that grows each
/// time. So not all workers query the database for every slot, and one of them takes over within
/// seconds when the first one dies.
class schedules {
  public:
    /// A schedule may have changed.
    void look() {
        next_ = {};
        expects_slot_ = false;
    }

    /// Defines the schedules of the worker's options. A definition that differs from the stored one
    /// replaces it, with a warning. While another transaction holds one, run() tries again.
    void declare(const worker_context& context, pg::connection& session);

    clock::time_point next_at() const { return next_; }
    void run(worker_context& context, clock::time_point now);

    /// Sets the time of the next call by the result of the last one. `woken`: the last call came
    /// because a slot was due.
    void fired(const store::firing& result, bool woken, clock::time_point now);

  private:
    clock::time_point next_ = {};
    clock::duration lag_ = {};
    bool expects_slot_ = false;  ///< a slot is due at next_
    bool declared_ = false;
};

}  // namespace postrider::working
