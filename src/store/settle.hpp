#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include "pg/connection.hpp"
#include "store/outcome.hpp"

namespace postrider::store {

/// Reports what became of the messages of a lease. `delivered`: the seqs that are done; nothing
/// means all that the failures do not name.
settlement settle(pg::connection& session, const uuid& worker, const lease_ref& lease,
                  std::optional<std::span<const std::int64_t>> delivered = {},
                  std::span<const failure> failures = {});

/// Gives back, uncharged, what was not started; everything when no seqs are named.
settlement release(pg::connection& session, const uuid& worker, const lease_ref& lease,
                   std::optional<std::span<const std::int64_t>> seqs = {});

/// Asks to hold a lease for this long from now on; false: it is lost.
bool extend(pg::connection& session, const uuid& worker, const lease_ref& lease,
            std::chrono::milliseconds deadline);

struct reaped {
    int leases;
    int deliveries;
};

/// Takes back what dead workers and leases past their deadline still owe.
reaped reap(pg::connection& session, int limit = 100);

}  // namespace postrider::store
