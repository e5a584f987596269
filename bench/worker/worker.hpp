#pragma once

#include <vector>

#include "bench/lab/scenario.hpp"

namespace postrider::bench {

void worker_memory(const lab& where, report& results);
void dispatch(const lab& where, report& results);
void worker_drain(const lab& where, report& results);
void worker_latency(const lab& where, report& results);

const std::vector<scenario>& worker_scenarios();

}  // namespace postrider::bench
