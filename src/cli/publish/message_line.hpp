#pragma once

#include <postrider/message.hpp>
#include <string_view>

namespace postrider::cli {

/// A message from one line of JSON, whose members are named as the fields of `message`; what the
/// line leaves out is as in `defaults`. Throws usage_error, also for what could not be published.
message message_from_line(std::string_view line, const message& defaults);

}  // namespace postrider::cli
