#pragma once

#include <vector>

#include "bench/lab/scenario.hpp"

namespace postrider::bench {

void drain(const lab& where, report& results);
void drain_kinds(const lab& where, report& results);
void work_cost(const lab& where, report& results);
void pinned(const lab& where, report& results);
void claim_latency(const lab& where, report& results);
void publish_rate(const lab& where, report& results);
void wake_latency(const lab& where, report& results);
void wake_many(const lab& where, report& results);
void copy_rate(const lab& where, report& results);

const std::vector<scenario>& engine_scenarios();

}  // namespace postrider::bench
