#pragma once

#include <string>

#include "cli/stop_signal.hpp"

namespace postrider::cli::demo {

/// Shows Postrider at work in this database until the signal comes.
void run(const std::string& database, const stop_signal& stop);

}  // namespace postrider::cli::demo
