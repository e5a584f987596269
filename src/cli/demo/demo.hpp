#pragma once

#include <string>

#include "cli/stop_signal.hpp"

namespace postrider::cli::demo {

/// A small shop at work in this database until the signal comes: one thread publishes, four
/// consumers handle, things go wrong and are put right, and every second a line says how it goes.
void run(const std::string& database, const stop_signal& stop, bool json);

}  // namespace postrider::cli::demo
