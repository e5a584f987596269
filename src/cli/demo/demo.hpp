#pragma once

#include <string>

#include "cli/stop_signal.hpp"

namespace postrider::cli::demo {

/// Runs a small shop until the signal: one thread publishes, four consumers handle the messages,
/// failures are simulated and repaired, and a line of totals is printed every second.
void run(const std::string& database, const stop_signal& stop, bool json);

}  // namespace postrider::cli::demo
