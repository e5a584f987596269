#include "bench/brokers/brokers.hpp"

#include <string>

#include "bench/brokers/bare_broker.hpp"

namespace postrider::bench {

std::filesystem::path new_broker_directory(const lab& where) {
    static int count = 0;
    return where.directory() / ("broker-" + std::to_string(++count));
}

const std::vector<scenario>& brokers_scenarios() {
    static const std::vector<scenario> all{
        {"relay_nats", relay_nats},   {"relay_redis", relay_redis},
        {"relay_kafka", relay_kafka}, {"relay_latency", relay_latency},
        {"nats_worker", nats_worker}, {"redis_worker", redis_worker},
    };
    return all;
}

}  // namespace postrider::bench
