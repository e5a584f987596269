#pragma once

#include <cstddef>
#include <postrider/message.hpp>
#include <string_view>

namespace postrider::client {

/// Throws usage_error when the message cannot be published, before the server sees it: values that
/// message_problem() and the constraints of postrider.message reject, and invalid UTF-8, JSON or
/// UUIDs. The error names the operation and, when it is above 0, the message's number.
void check_message(const message& input, std::string_view operation, std::size_t number = 0);

}  // namespace postrider::client
