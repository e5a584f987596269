#pragma once

#include <postrider/retry.hpp>
#include <string_view>

namespace postrider::cli {

/// "exponential", "fixed:5s", "exponential:2s:10m" (curve, base, cap) or "list:1s,10s,1m". Throws
/// usage_error for anything else.
retry_policy parse_retry(std::string_view text);

}  // namespace postrider::cli
