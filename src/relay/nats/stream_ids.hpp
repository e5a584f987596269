#pragma once

#include <optional>
#include <string>
#include <unordered_set>

#include "relay/nats/nats_connection.hpp"

namespace postrider::relaying {

/// When the oldest message of a JetStream stream was stored, if there were older ones: its limits
/// may have removed them. Throws std::runtime_error when the broker cannot be reached, and for a
/// stream that removes messages when they are acknowledged.
std::optional<std::chrono::system_clock::time_point> stream_begin(const nats_settings& server,
                                                                  const std::string& stream);

/// The ids of the CloudEvents that a stream has stored since an instant. Reads headers only. Throws
/// std::runtime_error when the broker cannot be reached.
std::unordered_set<std::string> stream_ids(const nats_settings& server, const std::string& stream,
                                           std::chrono::system_clock::time_point since);

}  // namespace postrider::relaying
