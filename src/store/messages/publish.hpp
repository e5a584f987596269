#pragma once

#include <span>
#include <string>

#include "pg/connection.hpp"
#include "store/messages/new_message.hpp"

namespace postrider::store {

/// Appends one message, in the session's transaction if there is one; returns its id.
uuid publish(pg::connection& session, const new_message& message);

/// Appends up to 10,000 messages in one statement; returns their number. copy_messages() is faster.
int publish_many(pg::connection& session, std::span<const new_message> messages);

/// The argument of publish_many(), for a caller that sends the statement itself.
std::string messages_json(std::span<const new_message> messages);

}  // namespace postrider::store
