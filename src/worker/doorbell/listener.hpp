#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "pg/connection.hpp"
#include "pg/watchdog.hpp"
#include "store/work/doorbell.hpp"
#include "worker/batches/held_batch.hpp"

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

    /// Connects and listens. Claim once afterwards: messages published before are not announced.
    void open();
    void close() noexcept;
    bool is_open() const { return session_.has_value(); }
    /// Whether a NOTIFY of another connection arrives here; a pooler may swallow it.
    bool probe(pg::connection& other);
    /// Throws when the connection is lost. Returns how full the server's notification queue is.
    double check();

    int socket() const { return session_ ? session_->socket() : -1; }
    struct notice {
        bool any = false;
        bool replay = false;       ///< a replay started or was resumed
        bool schedule = false;     ///< a schedule changed
        bool worker_left = false;  ///< perhaps the keeper
    };
    /// The notifications that arrived since the last call. Does not block.
    notice take_notifications();
    /// True when the last one came from the keeper: producers may be skipping NOTIFY.
    bool relayed() const { return relayed_; }
    /// A statement may have read a notification along with its answer: poll(2) does not show it.
    bool may_have_notification() const { return called_; }

    /// Whether NOTIFY announces the channel's messages.
    store::doorbell_state doorbell();

  private:
    pg::watchdog::guard watch();

    place where_;
    pg::watchdog& watchdog_;
    std::optional<pg::connection> session_;
    bool called_ = false;  ///< since the last take_notifications()
    bool relayed_ = false;
};

}  // namespace postrider::working
