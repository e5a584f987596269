#pragma once

#include <postrider/schedule.hpp>
#include <string>
#include <string_view>

namespace postrider::client {

/// The JSON that define_schedule() takes. Throws usage_error when the schedule cannot be defined,
/// as far as that is known here: the server knows cron expressions and time zones.
std::string schedule_definition(const schedule& of);

/// Throws usage_error for a text that is none.
overlap_policy overlap_from(std::string_view text);

}  // namespace postrider::client
