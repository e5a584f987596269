#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include "pg/connection.hpp"
#include "store/work/outcome.hpp"

namespace postrider::store {

/// Reports the outcomes of the messages of a lease. `delivered`: sequence numbers of delivered
/// messages; none means all except those in `failures`.
settlement settle(pg::connection& session, const uuid& worker, const lease_ref& lease,
                  std::optional<std::span<const std::int64_t>> delivered = {},
                  std::span<const failure> failures = {});

/// Releases messages that were not started, without counting an attempt; all when no sequence
/// numbers are named.
settlement release(pg::connection& session, const uuid& worker, const lease_ref& lease,
                   std::optional<std::span<const std::int64_t>> seqs = {});

/// Extends a lease to this duration from now; false: the lease is lost.
bool extend(pg::connection& session, const uuid& worker, const lease_ref& lease,
            std::chrono::milliseconds deadline);

struct reaped {
    int leases;
    int deliveries;
};

/// Takes back the messages of dead workers and expired leases.
reaped reap(pg::connection& session, int limit = 100);

}  // namespace postrider::store
