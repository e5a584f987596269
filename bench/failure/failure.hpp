#pragma once

#include <vector>

#include "bench/lab/scenario.hpp"

namespace postrider::bench {

void one_percent(const lab& where, report& results);
void replay_rate(const lab& where, report& results);
void replay_handled(const lab& where, report& results);
void dead_letter_lists(const lab& where, report& results);

const std::vector<scenario>& failure_scenarios();

}  // namespace postrider::bench
