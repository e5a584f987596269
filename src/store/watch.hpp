#pragma once

#include "store/listing.hpp"

namespace postrider::store {

// The tables of `postrider top`.

/// Totals in one row: rates, in flight, pending, dead letters.
listing watch_totals(pg::connection& session);
/// Consumers with their rates, most delayed first.
listing watch_consumers(pg::connection& session);
/// Handlers that fail, are held or have no worker; worst first.
listing watch_trouble(pg::connection& session, int limit);
/// Running workers.
listing watch_workers(pg::connection& session, int limit);
/// Replays that are running, paused or proposed.
listing watch_replays(pg::connection& session, int limit);

}  // namespace postrider::store
