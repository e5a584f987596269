#pragma once

#include <vector>

#include "bench/lab/scenario.hpp"

namespace postrider::bench {

void limited(const lab& where, report& results);
void ordered(const lab& where, report& results);
void schedules(const lab& where, report& results);
void unique(const lab& where, report& results);

/// Features of a job queue.
const std::vector<scenario>& jobs_scenarios();

}  // namespace postrider::bench
