#pragma once

#include <vector>

#include "bench/lab.hpp"
#include "bench/report.hpp"

namespace postrider::bench {

/// One measurement, in the file of its name; what it reports stands in docs/benchmarks.md.
struct scenario {
    const char* name;
    void (*run)(const lab&, report&);
};

void drain(const lab& where, report& results);
void work_cost(const lab& where, report& results);
void pinned(const lab& where, report& results);
void claim_latency(const lab& where, report& results);
void publish_rate(const lab& where, report& results);
void wake_latency(const lab& where, report& results);
void copy_rate(const lab& where, report& results);

const std::vector<scenario>& engine_scenarios();

}  // namespace postrider::bench
