#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <postrider/export.hpp>
#include <postrider/payload.hpp>
#include <string>

namespace postrider {

/// A message to publish: an event or a job. Only the event type is required.
///
///   publish(tx, {.event_type = "user.created", .payload = R"({"user_id": 42})", .source =
///   "accounts"});
struct message {
    std::string event_type = {};  ///< e.g. "user.created"; at most 255 bytes
    std::string payload = "{}";   ///< JSON, at most 1 MiB; encode() makes it from a value
    std::string source = {};      ///< the publishing service
    std::optional<std::string> target = {};  ///< the one consumer that gets it; empty: all of them
    std::string id = {};                     ///< a UUID; made (version 7) when empty
    int event_version = 1;                   ///< version of the payload's schema
    std::optional<std::chrono::system_clock::time_point> occurred_at = {};  ///< now when not given
    std::optional<std::string> workspace_id = {};                           ///< a UUID
    std::optional<std::string> idempotency_key = {};  ///< the id when not given
    std::optional<std::string> ordering_key = {};
    std::optional<std::string> partition_key = {};
    std::optional<std::string> headers = {};   ///< a JSON object, passed on unchanged
    std::optional<std::string> metadata = {};  ///< a JSON object, for the publisher's own use
    /// W3C traceparent. When not given and a handler is running on this thread: that handler's.
    std::optional<std::string> trace_context = {};
    std::optional<std::string> content_class = {};
    /// The deployment generation that must handle it: it goes to the channel outbox_gen_<N>.
    std::optional<std::int64_t> generation = {};
    std::string channel = {};  ///< when empty: outbox_default, or the generation's
    std::optional<std::chrono::system_clock::time_point> available_at = {};  ///< not before
    int priority = 0;  ///< -100 to 100; messages with a higher priority run first
    std::optional<int> max_attempts = {};  ///< instead of the handler's
};

/// A new time-ordered id (UUID version 7), for a producer that needs the id before it publishes.
POSTRIDER_EXPORT std::string new_id();

}  // namespace postrider
