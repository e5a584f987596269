#pragma once

#include "chaos/record/history.hpp"
#include "pg/connection.hpp"

namespace postrider::chaos {

/// Writes the final state of the database as records: published, lease_claimed, lease_changed,
/// delivery, outbox, effect, handled, alert.
void dump_database(pg::connection& from, history& to);

}  // namespace postrider::chaos
