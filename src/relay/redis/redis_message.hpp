#pragma once

#include <postrider/source.hpp>
#include <string>

#include "relay/redis/redis_group.hpp"

namespace postrider::relaying {

/// An entry of a stream as a worker receives it.
received_message message_of(const redis_group::entry& from, const std::string& stream);

}  // namespace postrider::relaying
