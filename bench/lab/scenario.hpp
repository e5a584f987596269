#pragma once

#include "bench/lab/lab.hpp"
#include "bench/lab/report.hpp"

namespace postrider::bench {

/// One measurement, in the file of its name; docs/benchmarks.md lists its keys.
struct scenario {
    const char* name;
    void (*run)(const lab&, report&);
};

}  // namespace postrider::bench
