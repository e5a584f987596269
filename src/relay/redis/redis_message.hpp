#pragma once

#include <postrider/source.hpp>
#include <span>
#include <string>

#include "relay/redis/redis_group.hpp"

namespace postrider::relaying {

/// The bytes of an entry with these fields as a message, before a body that is not JSON is encoded.
std::size_t message_size_of(std::span<const redis_group::field> fields);

/// An entry of a stream as a worker receives it.
received_message message_of(const redis_group::entry& from, const std::string& stream);

}  // namespace postrider::relaying
