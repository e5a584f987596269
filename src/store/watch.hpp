#pragma once

#include "store/listing.hpp"

namespace postrider::store {

// What somebody who watches wants to see, at one glance each.

/// The whole in one row: rates, what is in flight, waits and has died.
listing watch_totals(pg::connection& session);
/// Consumers with their rates, those that are behind first.
listing watch_consumers(pg::connection& session);
/// Handlers that fail, are held or have no worker; the worst first.
listing watch_trouble(pg::connection& session, int limit);
/// Workers that are alive.
listing watch_workers(pg::connection& session, int limit);
/// Replays that are under way, pause, or wait for approval.
listing watch_replays(pg::connection& session, int limit);

}  // namespace postrider::store
