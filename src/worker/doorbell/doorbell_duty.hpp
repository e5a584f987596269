#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pg/connection.hpp"
#include "pg/watchdog.hpp"
#include "worker/doorbell/ring_rate.hpp"
#include "worker/wake_event.hpp"

namespace postrider::working {

/// The keeper's work on a channel: every committed message is announced by a NOTIFY of its producer
/// or of the keeper, independent of the channel's workers.
///
/// The keeper requests the doorbell in exclusive mode. From then on producers send NOTIFY; when the
/// request is granted, all producers that skipped NOTIFY have committed, and one NOTIFY announces
/// their messages. While a long transaction delays the grant, the keeper checks which silent
/// transactions have ended and sends NOTIFY for them. Under a flood of NOTIFY it releases the
/// doorbell and relays every 20 ms.
///
/// Two connections, because one that waits for a lock receives nothing. If the process stops, both
/// end in a state in which producers send NOTIFY or the server releases the keeper's lock.
class doorbell_duty {
  public:
    using clock = std::chrono::steady_clock;
    struct place {
        std::string database;
        std::string channel;
        std::chrono::milliseconds call_timeout;
    };

    /// Connects. Throws postrider::error.
    doorbell_duty(place where, pg::watchdog& watchdog);

    /// Tries to become the keeper.
    bool keep();
    /// State shared by the keeper's thread and its owner.
    struct control {
        wake_event wake;
        std::atomic<bool> stopping = false;
        std::atomic<bool> announces = true;  ///< false while the channel's wake is 'never'
        std::function<void()> changed;       ///< called when `announces` changes
    };
    /// Serves until `stopping` is set. Throws when a connection is lost.
    void serve(control& with);
    /// Releases the locks at once instead of when the server notices the end of the connections.
    void leave() noexcept;

  private:
    enum class state {
        off,      ///< the channel does not use the doorbell
        waiting,  ///< for the grant; producers send NOTIFY
        held,     ///< producers send NOTIFY
        relaying  ///< producers skip NOTIFY, the keeper sends it
    };

    void wait(const wake_event& stop);
    void read_notifications(clock::time_point now);
    void look(clock::time_point now, control& with);
    void look_at_silent(std::vector<std::string> silent, clock::time_point now);
    void begin_hold(clock::time_point now);
    void end_hold();
    void begin_relays(clock::time_point now);
    void relay_turn(clock::time_point now);
    std::int64_t relay();

    place where_;
    pg::watchdog& watchdog_;
    pg::connection desk_;  ///< the keeper's lock; listens, looks, relays
    pg::connection bell_;  ///< holds the doorbell or waits for it
    state state_ = state::off;
    ring_rate rate_;
    int rings_since_look_ = 0;
    clock::time_point last_look_ = {};
    clock::time_point next_turn_ = {};
    clock::time_point hold_began_ = {};
    std::optional<std::vector<std::string>> silent_;  ///< open silent transactions at the last look
    clock::time_point relays_until_ = {};
    clock::duration relay_period_;
    clock::time_point seq_at_ = {};
    std::int64_t seq_ = 0;
};

}  // namespace postrider::working
