#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "pg/connection.hpp"
#include "pg/watchdog.hpp"
#include "worker/held_batch.hpp"

namespace postrider::working {

/// The connection that hears NOTIFY and, as the channel's keeper, holds the doorbell. Any call
/// throws when the connection is lost; close() then, and open() again later.
class listener {
  public:
    struct place {
        std::string database;
        std::string channel;
        std::chrono::milliseconds patience;
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
    /// A statement of ours may have read a notification along with its answer: the socket will not
    /// tell of that one.
    bool may_have_heard() const { return spoke_; }

    enum class answer {
        wait,        ///< whatever comes from now on rings, or the keeper sees to it
        look_again,  ///< the bell was taken just now: something may have come before
        look_soon,   ///< somebody is about to commit without ringing
        poll         ///< nothing rings on this channel
    };
    /// Nothing is left to do: may one wait?
    answer may_wait(clock::time_point now);
    /// There is a lot to do: producers need not ring.
    void stop_ringing();
    /// More to do than one can take.
    void wake_others();
    bool is_keeper() const { return keeper_; }
    /// When to ask may_wait() again although nothing happened.
    clock::time_point next_try() const { return keeper_ ? clock::time_point::max() : next_try_; }
    bool holds_bell() const { return bell_; }

  private:
    pg::watchdog::guard speak();

    place where_;
    pg::watchdog& watchdog_;
    std::optional<pg::connection> session_;
    bool keeper_ = false;
    bool bell_ = false;
    bool spoke_ = false;
    bool replay_ = false;
    clock::time_point next_try_ = {};  ///< to become the keeper
};

}  // namespace postrider::working
