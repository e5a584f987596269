#pragma once

#include <optional>

#include "bench/peers/peer.hpp"

namespace postrider::bench {

/// How a system is used for messages that have a priority or are due later.
struct due_system {
    const char* name;
    /// Publishes the payloads $1. $2: whether they have the priorities 1, 2 and 3 in turn. $3: when
    /// they are due, in seconds since 1970; null: at once.
    const char* publish;
    drain_shape shape;
    const char* before_priority;  ///< run before messages with priorities are published
    bool retries_at_once;         ///< whether the delay of a retry can be zero
};
/// Empty for a system that lacks priorities or due times.
const due_system* due_system_of(const peer& system);

/// Published in transactions of 1,000.
void publish_due(const fresh_database& database, const due_system& by, int count, bool prioritised,
                 std::optional<double> due_at = {});

/// Messages per second of one round; empty if the system lacks the feature.
std::optional<double> priority_rate(const lab& where, const peer& system);
std::optional<double> scheduled_rate(const lab& where, const peer& system);
std::optional<double> retry_rate(const lab& where, const peer& system);
/// The same with a policy whose retries must be stored.
std::optional<double> retry_stored_rate(const lab& where, const peer& system);

}  // namespace postrider::bench
