#pragma once

#include "worker/worker_context.hpp"

namespace postrider::working {

/// Sends heartbeats and keeps leases in step with them: extends the leases in use, returns messages
/// that no thread could start in time, and drops leases that the database has taken away.
class heartbeat {
  public:
    /// The worker has registered, which counts as a heartbeat. The next one is due at once: it
    /// returns the leases lost meanwhile.
    void registered(clock::time_point at) {
        last_ = at;
        next_ = {};
    }

    clock::time_point next_at() const { return next_; }
    void run(worker_context& context, clock::time_point now);

    /// When the leases expire without another heartbeat; max if they have, or none is held.
    clock::time_point expires_at(const worker_context& context) const;
    /// After the heartbeat timeout other workers may hold the leases: messages that have not
    /// started are not started, and running handlers are asked to stop. The database decides
    /// whether their outcome counts.
    void expire(worker_context& context, clock::time_point now);

  private:
    void sent(clock::time_point at, clock::duration timeout);
    static void lose_leases(worker_context& context, std::span<const std::int64_t> gone);
    static void extend_leases(worker_context& context, clock::time_point now);
    static void give_back_late(worker_context& context, clock::time_point now);

    clock::time_point last_ = {};
    clock::time_point next_ = {};
    bool expired_ = false;  ///< expire() has abandoned the leases since the last heartbeat
};

}  // namespace postrider::working
