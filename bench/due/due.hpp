#pragma once

#include <vector>

#include "bench/lab/scenario.hpp"

namespace postrider::bench {

void priority(const lab& where, report& results);
void scheduled(const lab& where, report& results);
void retry(const lab& where, report& results);
void overtake(const lab& where, report& results);
void waiting(const lab& where, report& results);

/// Part of scheduled.
void lateness(const lab& where, report& results);
/// Part of waiting.
void due_cost(const lab& where, report& results);

/// Messages that need a row of their own.
const std::vector<scenario>& due_scenarios();

/// The part of a full run's messages that this run has.
inline int part_of(const lab& where, int full) {
    return where.tiny() ? full / 100 : where.quick() ? full / 10 : full;
}

}  // namespace postrider::bench
