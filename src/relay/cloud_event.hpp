#pragma once

#include <postrider/event.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/received_event.hpp"

namespace postrider::relaying {

using header = std::pair<std::string, std::string>;

using client::binding;

/// The envelope as CloudEvents 1.0 attributes, with content-type and traceparent. Attributes
/// without a counterpart are extensions: eventversion, idempotencykey, orderingkey, partitionkey,
/// workspaceid, cycle. The headers of the message are one header, postrider-headers, in JSON.
std::vector<header> cloud_event_headers(const event& event, binding how);

/// Message id and cycle: the same for every attempt of a cycle, another one after a replay.
std::string dedupe_id(const event& event);

}  // namespace postrider::relaying
