#pragma once

#include <vector>

#include "bench/lab/scenario.hpp"

namespace postrider::bench {

void relay_nats(const lab& where, report& results);
void relay_redis(const lab& where, report& results);
void relay_kafka(const lab& where, report& results);
void relay_latency(const lab& where, report& results);
void nats_worker(const lab& where, report& results);
void redis_worker(const lab& where, report& results);

/// Relays to brokers and workers on brokers, compared with programs that use the same client
/// libraries.
const std::vector<scenario>& brokers_scenarios();

}  // namespace postrider::bench
