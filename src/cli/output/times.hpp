#pragma once

#include <chrono>
#include <string_view>

namespace postrider::cli {

/// "250ms", "30s", "5m", "2h", "1d" and sums of these ("1h30m"). Throws usage_error for anything
/// else; the error begins with `name`, the name of the option or field.
std::chrono::milliseconds parse_duration(std::string_view text, std::string_view name);

/// ISO 8601 with a time zone: "2025-03-01T12:00:00Z", "2025-03-01 12:00:00.25+01:00". Throws
/// usage_error for anything else.
std::chrono::system_clock::time_point parse_instant(std::string_view text, std::string_view name);

}  // namespace postrider::cli
