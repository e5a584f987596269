#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/engine/consume.hpp"

namespace postrider::bench {

/// How a consumer process speaks to the one that started it.
struct conversation {
    void (*ready)();
    void (*say)(const std::string& line);
    void (*leave)();  ///< from now on the end of stdin ends the process
};

/// consume() with the C++ worker instead of bare calls.
void consume_by_worker(const consume_options& options, const conversation& speak);

void report_arrivals(
    const std::vector<std::pair<std::int64_t, std::chrono::steady_clock::time_point>>& seen);

}  // namespace postrider::bench
