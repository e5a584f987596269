#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <postrider/relay_export.hpp>
#include <postrider/source.hpp>
#include <postrider/worker.hpp>
#include <string>
#include <string_view>
#include <vector>

// Relays from the log to brokers and webhooks, in a library of their own (postrider::relay).

namespace postrider {

/// The broker that a relay publishes to, and how. Options of other targets are ignored.
struct relay_options {
    /// nats://host:4222, tls://host:4222 (NATS), redis://host:6379, kafka://host:9092,
    /// https://host/path or pgmq:. May hold credentials and is never shown.
    std::string to = {};
    /// Subject, stream, topic or queue, with fields of the envelope: "orders.{event_type}". Empty
    /// for webhooks, whose fields stand in the path or query of `to`.
    std::string destination = {};
    /// Maximum wait for the acknowledgement of a message.
    std::chrono::milliseconds timeout = std::chrono::seconds(10);
    /// Payloads above this size are dead letters of the class relay_too_large. The limit of a NATS
    /// server applies, too.
    std::size_t bytes_max = std::size_t{1} << 20;
    std::string credentials_file = {};  ///< NATS: user credentials (JWT and nkey seed)
    /// Redis: time for which a repeated message is recognised.
    std::chrono::milliseconds dedupe_for = std::chrono::hours(24);
    /// Redis: entries older than this are trimmed from the stream; 0: never.
    std::chrono::milliseconds keep_for = std::chrono::milliseconds(0);
    /// Webhooks: keys of the signature, "whsec_" and base64. Each request is signed with all of
    /// them, so that a receiver can change from one to the next.
    std::vector<std::string> signing_secrets = {};
    /// Webhooks: accept loopback, private and link-local addresses.
    bool allow_private_addresses = false;
};

/// Adds a handler to the worker that publishes messages of these event types to a broker. A
/// message is delivered when the broker has acknowledged it. While the broker is unavailable the
/// handler's circuit opens and no attempt is spent. The worker runs each batch of a relay on one
/// thread, over a connection of its own. Throws usage_error for an invalid option and for a target
/// that this build does not have.
POSTRIDER_RELAY_EXPORT void relay(worker& by, event_types types, std::string handler,
                                  relay_options options, handler_options how = {});

/// The schemes that this build supports: "nats", "tls", "redis", "kafka", "http", "https", "pgmq".
POSTRIDER_RELAY_EXPORT std::vector<std::string> relay_schemes();

/// The broker that a worker receives from. Options of other brokers are ignored.
struct source_options {
    /// nats://host:4222, tls://host:4222 (NATS), redis://host:6379/0, kafka://host:9092 or pgmq:.
    /// May hold credentials and is never shown.
    std::string from = {};
    /// Stream of JetStream or Redis, topic of Kafka, queue of pgmq; it must exist.
    std::string stream = {};
    std::string database = {};  ///< pgmq: the address of the database
    /// Durable consumer of JetStream or consumer group of Redis or Kafka, which workers share; a
    /// queue has none. Created when it does not exist, at the beginning of the stream.
    std::string group = {};
    std::string subject = {};  ///< NATS: subjects of a new group; empty: all of the stream
    /// Time without a keep-alive after which the broker hands out a message again. An existing
    /// group of JetStream keeps its own time. With Kafka it is at least 6 s for a lost worker.
    std::chrono::milliseconds redeliver_after = std::chrono::seconds(30);
    std::chrono::milliseconds timeout = std::chrono::seconds(10);  ///< of a call to the broker
    std::string credentials_file = {};  ///< NATS: user credentials (JWT and nkey seed)
};

/// A source for worker_options::source. Messages are CloudEvents, as a relay writes them; the event
/// type of other messages is the subject, stream or topic, and a body that is not JSON becomes the
/// member data_base64 of the payload. Throws usage_error for an invalid option and for a broker
/// that this build does not have. Does not connect yet.
POSTRIDER_RELAY_EXPORT std::shared_ptr<source> broker_source(source_options options);

/// Whether the address holds a user name, a password, a token or a secret parameter.
POSTRIDER_RELAY_EXPORT bool relay_has_credentials(std::string_view to);

}  // namespace postrider
