#include "bench/engine/engine.hpp"

namespace postrider::bench {

const std::vector<scenario>& engine_scenarios() {
    static const std::vector<scenario> all{
        {"drain", drain},
        {"drain_kinds", drain_kinds},
        {"work_cost", work_cost},
        {"pinned", pinned},
        {"claim_latency", claim_latency},
        {"publish_rate", publish_rate},
        {"wake_latency", wake_latency},
        {"wake_many", wake_many},
        {"copy_rate", copy_rate},
    };
    return all;
}

}  // namespace postrider::bench
