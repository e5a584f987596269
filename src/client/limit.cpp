#include <postrider/limit.hpp>

#include "base/json/json.hpp"

namespace postrider {
namespace {

std::string start_rate_json(const start_rate& rate) {
    return json_object()
        .add("starts", rate.starts)
        .add("period", std::to_string(rate.period.count()) + " milliseconds")
        .add("burst", rate.burst)
        .text();
}

}  // namespace

std::string to_json(const handler_limit& limit) {
    json_object made;
    made.add("concurrency", limit.concurrency).add("per_worker", limit.per_worker);
    if (!limit.key.empty()) {
        made.add("key", limit.key);
    }
    made.add("per_key", limit.per_key);
    if (limit.rate) {
        made.add_raw("rate", start_rate_json(*limit.rate));
    }
    if (limit.key_rate) {
        made.add_raw("key_rate", start_rate_json(*limit.key_rate));
    }
    if (!limit.weights.empty()) {
        json_object weights;
        for (const auto& [key, turns] : limit.weights) {
            weights.add(key, turns);
        }
        made.add_raw("weights", weights.text());
    }
    return made.text();
}

}  // namespace postrider
