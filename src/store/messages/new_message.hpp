#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/encoding/uuid.hpp"

namespace postrider::store {

using instant = std::chrono::system_clock::time_point;

/// A message to publish. Texts point to the caller's memory; payload, headers and metadata are
/// JSON.
struct new_message {
    std::string_view event_type;
    std::string_view payload = "{}";
    std::string_view source = {};
    std::optional<std::string_view> target = {};
    std::string_view channel = "outbox_default";
    std::optional<uuid> id = {};  ///< default: a new UUIDv7
    int event_version = 1;
    std::optional<instant> occurred_at = {};  ///< default: now
    std::optional<uuid> workspace_id = {};
    std::optional<std::string_view> idempotency_key = {};  ///< default: the id
    std::optional<std::string_view> ordering_key = {};
    std::optional<std::string_view> partition_key = {};
    std::optional<std::string_view> headers = {};
    std::optional<std::string_view> metadata = {};
    std::optional<std::string_view> trace_context = {};
    std::optional<std::string_view> content_class = {};
    std::optional<std::int64_t> generation = {};
    std::optional<instant> available_at = {};  ///< earliest time of the first attempt
    int priority = 0;
    std::optional<int> max_attempts = {};
};

}  // namespace postrider::store
