#pragma once

#include <postrider/schedule.hpp>
#include <string>
#include <string_view>

namespace postrider::client {

/// The JSON that define_schedule() takes. Throws usage_error for an invalid schedule. Cron
/// expressions and time zones are left to the server.
std::string schedule_definition(const schedule& of);

/// Throws usage_error for an unknown policy.
overlap_policy overlap_from(std::string_view text);

}  // namespace postrider::client
