#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <postrider/export.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace postrider {

/// A message as a worker receives it from a broker.
struct received_message {
    /// A UUID, or a text that is unique within `source`: then the event's id is a hash of both, and
    /// this text its idempotency key.
    std::string id = {};
    std::string event_type = {};
    int event_version = 1;
    std::chrono::system_clock::time_point occurred_at = {};
    std::chrono::system_clock::time_point published_at = {};  ///< when the broker got it
    std::string source = {};
    std::string payload = "{}";                    ///< JSON
    std::optional<std::string> headers = {};       ///< JSON
    std::optional<std::string> metadata = {};      ///< a JSON object; dead letters show it
    std::optional<std::string> workspace_id = {};  ///< a UUID
    std::optional<std::string> idempotency_key = {};
    std::optional<std::string> ordering_key = {};
    std::optional<std::string> partition_key = {};
    std::optional<std::string> trace_context = {};
    /// Distinguishes copies that a producer sent on purpose; for a relay, the cycle.
    int cycle = 1;
    /// Number of times that the broker has handed it out. Above 1: a worker that had it was lost.
    int deliveries = 1;
    std::string receipt = {};  ///< identifies it to the broker
};

/// A broker and its subject, stream or queue as operators see them, without credentials.
struct broker_place {
    std::string address = {};  ///< nats://host:4222
    std::string name = {};     ///< subject, stream or queue, with its fields
};

/// A subscription to a broker, which several workers can share: each message goes to one of them. A
/// worker with a source gets first attempts from it instead of the log. Messages that fail become
/// deliveries in PostgreSQL. postrider::relay has sources for NATS, Redis and Kafka, pgmq_source()
/// is below; other brokers need an implementation of this class. A worker uses it on one thread of
/// its own. Each function connects when it has to, and throws a std::exception when the broker
/// cannot be reached or refuses the call; the worker calls again after a pause.
class POSTRIDER_EXPORT source {
  public:
    source() = default;
    source(const source&) = delete;
    source& operator=(const source&) = delete;
    virtual ~source();

    /// Requests at most `limit` messages and waits until one arrives, at most for `wait`. Returns
    /// the messages that have arrived, including those that earlier calls requested.
    virtual std::vector<received_message> fetch(int limit, std::chrono::milliseconds wait) = 0;
    /// Acknowledges messages that were handled or stored in PostgreSQL.
    virtual void acknowledge(std::span<const std::string> receipts) = 0;
    /// Returns messages that were not started: the broker hands them out again, to any worker.
    virtual void give_back(std::span<const std::string> receipts) = 0;
    /// Extends the time for messages that the worker still has: the broker must not hand them out.
    virtual void keep_alive(std::span<const std::string> receipts) = 0;
    /// Interval of keep_alive(): a fraction of the time after which the broker hands out a message
    /// again. Valid after the first fetch().
    virtual std::chrono::milliseconds keep_alive_interval() const = 0;
    /// A problem of the last fetch() for an operator to see although the broker works, for example
    /// that a message is too large; empty: none. Workers log it, at most twice a minute.
    virtual std::string notice() { return {}; }
    /// The worker has stopped and makes no more calls: leaves the group and disconnects, so that
    /// other workers need not wait for a timeout. A worker that is started again calls fetch().
    virtual void close() {}

    /// The source as shown to operators; empty: not shown.
    const broker_place& place() const noexcept { return place_; }
    void set_place(broker_place shown) { place_ = std::move(shown); }

  private:
    broker_place place_;
};

/// A queue of pgmq in a database, given as an address like worker_options::database. The id of a
/// message consists of its number in the queue and the time it was sent, unless its headers are
/// those of a CloudEvent. Its metadata are {"queue", "msg_id"}.
struct pgmq_options {
    std::string database = {};
    std::string queue = {};  ///< it must exist
    /// Time without a keep-alive after which a message is visible again (`vt`).
    std::chrono::milliseconds redeliver_after = std::chrono::seconds(30);
};
/// Throws usage_error for an invalid option. Does not connect yet.
POSTRIDER_EXPORT std::shared_ptr<source> pgmq_source(pgmq_options options);

}  // namespace postrider
