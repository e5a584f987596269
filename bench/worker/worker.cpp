#include "bench/worker/worker.hpp"

namespace postrider::bench {

const std::vector<scenario>& worker_scenarios() {
    static const std::vector<scenario> all{
        {"worker_memory", worker_memory},  // first, while the process is still small
        {"dispatch", dispatch},
        {"worker_drain", worker_drain},
        {"worker_latency", worker_latency},
    };
    return all;
}

}  // namespace postrider::bench
