#pragma once

#include <vector>

#include "bench/lab/scenario.hpp"

namespace postrider::bench {

void ordered(const lab& where, report& results);

/// What makes a queue of jobs of the log.
const std::vector<scenario>& jobs_scenarios();

}  // namespace postrider::bench
