#pragma once

#include <postrider/event.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::relaying {

using header = std::pair<std::string, std::string>;

/// How a protocol carries the attributes of a CloudEvent in binary mode.
enum class binding {
    http,   ///< "ce-id", values percent-encoded; NATS has the same
    kafka,  ///< "ce_id", values in UTF-8; Redis has none, and uses this one
};

/// The envelope as CloudEvents 1.0 attributes, with content-type and traceparent. Attributes
/// without a counterpart are extensions: eventversion, idempotencykey, orderingkey, partitionkey,
/// workspaceid, cycle. The headers of the message are one header, postrider-headers, in JSON.
std::vector<header> cloud_event_headers(const event& what, binding how);

/// Message id and cycle: the same for every attempt of a cycle, another one after a replay.
std::string dedupe_id(const event& what);

}  // namespace postrider::relaying
