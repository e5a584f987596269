#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"

namespace postrider::cli {

/// The address of the broker: --to, then POSTRIDER_RELAY_TO, then relay_to of the configuration
/// file. Throws usage_error when there is none, and for credentials in --to, where every user of
/// the machine can read them.
std::string choose_relay(const context& shared, const std::string& flag);

/// The secrets that sign webhooks: one per line of the file, else those in
/// POSTRIDER_WEBHOOK_SECRETS, separated by blanks. Throws error when the file cannot be read or
/// other users may read it.
std::vector<std::string> webhook_secrets(const std::string& file);

}  // namespace postrider::cli
