#pragma once

#include <optional>
#include <postrider/relay.hpp>
#include <string>
#include <unordered_set>

namespace postrider::relaying {

// Both use from, stream, timeout and credentials_file of the options, and throw usage_error for a
// broker that cannot be compared with the log.

/// When the oldest message of the stream was stored, if there were older ones: its limits may have
/// removed them.
std::optional<std::chrono::system_clock::time_point> stream_begin(const source_options& of);
/// The ids of the CloudEvents that the stream has stored since an instant.
std::unordered_set<std::string> stream_ids(const source_options& of,
                                           std::chrono::system_clock::time_point since);

}  // namespace postrider::relaying
