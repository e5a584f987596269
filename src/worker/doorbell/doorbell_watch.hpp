#pragma once

#include <functional>

#include "worker/coordinator/pause.hpp"
#include "worker/doorbell/doorbell_keeper.hpp"
#include "worker/doorbell/listener.hpp"
#include "worker/worker_context.hpp"

namespace postrider::working {

/// Checks whether NOTIFY announces the channel's messages, and starts this worker's keeper if the
/// channel has none.
class doorbell_watch {
  public:
    doorbell_watch(doorbell_duty::place where, pg::watchdog& watchdog,
                   std::function<void()> changed)
        : keeper_(std::move(where), watchdog, std::move(changed)) {}

    /// As far as this worker knows, a keeper of this or another process announces messages.
    bool announced() const { return keeper_.serving() ? keeper_.announces() : kept_; }
    bool serving() const { return keeper_.serving(); }
    /// A worker has left, perhaps the keeper.
    void look() { next_ = {}; }

    /// max while this worker's keeper runs.
    clock::time_point next_at() const {
        return keeper_.running() ? clock::time_point::max() : next_;
    }
    /// Throws when the listener's connection is lost.
    void run(worker_context& context, listener& through, clock::time_point now);
    void stop() noexcept { keeper_.stop(); }

  private:
    void report_keeper_error(const worker_context& context);
    void report_unserved(const worker_context& context, const std::string& holder);

    doorbell_keeper keeper_;
    pause trouble_;     ///< of the keeper, in this or another process
    bool kept_ = true;  ///< a keeper of another process serves the channel
    clock::time_point next_ = {};
};

}  // namespace postrider::working
