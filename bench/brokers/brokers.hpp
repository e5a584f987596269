#pragma once

#include <vector>

#include "bench/lab/scenario.hpp"

namespace postrider::bench {

void relay_rates(const lab& where, report& results);
void relay_latency(const lab& where, report& results);
void broker_workers(const lab& where, report& results);

/// Relays and workers beside the bare client libraries of the brokers.
const std::vector<scenario>& brokers_scenarios();

}  // namespace postrider::bench
