#pragma once

#include <optional>
#include <postrider/worker.hpp>
#include <string>

namespace postrider::cli {

inline constexpr const char* ordering_help =
    "handle messages of one ordering key one at a time, in order; behind a dead letter: hold, "
    "skip, or a time to hold before skipping, like 2h; none ends it";

/// hold, skip, none or a time; nothing for an empty text. Throws usage_error for anything else.
std::optional<ordering_policy> parse_ordering(const std::string& text);

}  // namespace postrider::cli
