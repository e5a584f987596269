#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "pg/connection.hpp"
#include "pg/watchdog.hpp"
#include "store/doorbell.hpp"
#include "worker/held_batch.hpp"

namespace postrider::working {

/// The connection that receives NOTIFY. Any call throws when the connection is lost; close() then,
/// and open() again later.
class listener {
  public:
    struct place {
        std::string database;
        std::string channel;
        std::chrono::milliseconds call_timeout;
    };

    listener(place where, pg::watchdog& watchdog) : where_(std::move(where)), watchdog_(watchdog) {}

    /// Connects and listens. What was published before must be looked for afterwards.
    void open();
    void close() noexcept;
    bool is_open() const { return session_.has_value(); }
    /// Whether what another connection notifies arrives here; a pooler may swallow it.
    bool probe(pg::connection& other);
    /// Throws when nobody is there any more. Gives how full the queue of notifications is.
    double check();

    int socket() const { return session_ ? session_->socket() : -1; }
    /// True when somebody rang since the last call.
    bool take_notifications();
    /// True when one of those taken last was about a replay that began.
    bool heard_of_replay() const { return replay_; }
    /// True when one of those taken last said that a worker left.
    bool heard_of_leaving() const { return leaving_; }
    /// True when the last one was the keeper's: producers may be silent.
    bool heard_relay() const { return relay_; }
    /// A statement of ours may have read a notification along with its answer: the socket will not
    /// tell of that one.
    bool may_have_heard() const { return spoke_; }

    /// Whether NOTIFY announces the channel's messages.
    store::doorbell_state doorbell();

  private:
    pg::watchdog::guard speak();

    place where_;
    pg::watchdog& watchdog_;
    std::optional<pg::connection> session_;
    bool spoke_ = false;
    bool replay_ = false;
    bool leaving_ = false;
    bool relay_ = false;
};

}  // namespace postrider::working
