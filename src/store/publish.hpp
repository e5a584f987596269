#pragma once

#include <span>
#include <string>

#include "pg/connection.hpp"
#include "store/new_message.hpp"

namespace postrider::store {

/// Appends one message in the session's transaction, if it is in one; gives the message's id.
uuid publish(pg::connection& session, const new_message& message);

/// Appends up to 10,000 messages in one statement; gives how many. copy_messages() is faster.
int publish_many(pg::connection& session, std::span<const new_message> messages);

/// The argument of publish_many(), for whoever sends it elsewhere.
std::string messages_json(std::span<const new_message> messages);

}  // namespace postrider::store
