#pragma once

#include <postrider/message.hpp>
#include <string_view>

namespace postrider::cli {

/// A message from one line of JSON, with the fields of `message` as members; missing fields are
/// taken from `defaults`. Throws usage_error, also for a message that cannot be published.
message message_from_line(std::string_view line, const message& defaults);

}  // namespace postrider::cli
