#pragma once

#include <chrono>

namespace postrider::working {

/// Instants of tests that set the clock themselves.
inline constexpr auto start = std::chrono::steady_clock::time_point(std::chrono::hours(1));
inline constexpr auto never = std::chrono::steady_clock::time_point::max();

}  // namespace postrider::working
