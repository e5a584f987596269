#pragma once

#include "worker/doorbell/doorbell_watch.hpp"

namespace postrider::working {

/// Receives NOTIFY: opens the listener's connection again when it is lost, tests whether
/// notifications arrive, and watches the doorbell and the server's notification queue.
class listening {
  public:
    explicit listening(const worker_context& context);

    /// Notifications arrive.
    bool receives() const { return listener_.is_open() && arrives_; }
    /// Notifications arrive and announce every message. If not, the worker polls.
    bool announced() const { return receives() && doorbell_.announced(); }
    bool keeper() const { return doorbell_.serving(); }
    /// The last notification came from the keeper: producers may be skipping NOTIFY.
    bool relayed() const { return listener_.relayed(); }

    clock::time_point next_at(const worker_context& context) const;
    /// Connects if necessary and looks after the doorbell.
    void run(worker_context& context, clock::time_point now);
    /// Checks the connection and the server's notification queue.
    void check_queue(worker_context& context, clock::time_point now);

    /// Reported by how full the server's notification queue is, from 0 to 1.
    void queue_filled(const worker_context& context, double usage);

    int socket() const { return listener_.socket(); }
    /// A statement may have read a notification along with its answer: poll(2) does not show it.
    bool may_have_notification() const { return listener_.may_have_notification(); }
    /// Reads the notifications that have arrived.
    listener::notice take(worker_context& context);

    /// Whether a NOTIFY of `other` arrives on a new connection.
    bool arrives_from(pg::connection& other);
    void stop() noexcept;

  private:
    void connect(worker_context& context);
    void lose(worker_context& context, const std::exception& problem);

    listener listener_;
    doorbell_watch doorbell_;
    pause trouble_;
    bool arrives_ = true;  ///< false: a pooler swallows notifications
    bool was_announced_ = true;
    level queue_level_ = level::info;
    clock::time_point next_check_ = {};
};

}  // namespace postrider::working
