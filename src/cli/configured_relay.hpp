#pragma once

#include <string>

#include "cli/context.hpp"

namespace postrider::cli {

/// relay_to of the configuration file; empty: none.
std::string configured_relay(const context& shared);

}  // namespace postrider::cli
