#pragma once

#include <string>

#include "chaos/testbed.hpp"

namespace postrider::chaos {

/// Switches one safety rule off, so that tests can see the checker notice:
/// - fence: settling does not require the lease, and workers do not check that they hold it
/// - late_committers: messages that commit late are not found
/// - listen: a worker does not look again after it began to listen
/// - keeper: the keeper neither holds the doorbell nor relays
/// - order: an ordering key whose message is handed out counts as free
/// Empty: none. Throws std::invalid_argument for another word.
void break_before_start(const std::string& rule, testbed_options& options);
/// The part that is in the database.
void break_database(const std::string& rule, testbed& on);

}  // namespace postrider::chaos
