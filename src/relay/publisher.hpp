#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <postrider/outcome.hpp>
#include <postrider/relay.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "relay/cloud_event.hpp"
#include "relay/destination.hpp"
#include "relay/relay_url.hpp"

namespace postrider::relaying {

/// One message, ready to be sent.
struct outgoing {
    const event* message = nullptr;
    std::string destination;
    std::string dedupe_id;
    std::vector<header> headers;
};

/// A connection to a broker, for one thread at a time. Connects by itself, and again after a
/// failure.
class publisher {
  public:
    publisher() = default;
    publisher(const publisher&) = delete;
    publisher& operator=(const publisher&) = delete;
    virtual ~publisher() = default;

    /// Sends all messages without waiting in between, then waits for their acknowledgements: an
    /// outcome for each. Never throws for failures of the broker.
    virtual std::vector<outcome> publish(std::span<const outgoing> all, std::stop_token stop) = 0;
};

/// A configured broker. Thread-safe.
class target {
  public:
    target() = default;
    target(const target&) = delete;
    target& operator=(const target&) = delete;
    virtual ~target() = default;

    virtual binding headers() const = 0;
    virtual int batch_max() const = 0;
    virtual const destination& place() const = 0;
    /// Why the broker would not accept this destination; nothing when it would.
    virtual std::optional<std::string> problem_of(const std::string& destination) const = 0;
    /// Does not connect yet.
    virtual std::unique_ptr<publisher> open() const = 0;
};

// One function per target; each throws usage_error for options that cannot work.
std::unique_ptr<target> nats_target(const relay_url& to, const relay_options& options);
std::unique_ptr<target> redis_target(const relay_url& to, const relay_options& options);
std::unique_ptr<target> kafka_target(const relay_url& to, const relay_options& options);
std::unique_ptr<target> webhook_target(const relay_url& to, const relay_options& options);
/// The same transaction takes the message out of the log and into the queue.
transactional_function pgmq_handler(const relay_options& options);

/// The broker cannot be reached or did not answer in time: not caused by the message.
inline constexpr const char* unavailable_class = "relay_unavailable";

outcome unavailable(std::string why);
outcome unroutable(std::string why);
outcome too_large(std::size_t bytes, std::size_t most);
/// Stopped before the acknowledgement: sent again, uncharged, with the same deduplication id.
outcome stopped();

}  // namespace postrider::relaying
