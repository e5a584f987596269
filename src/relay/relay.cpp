#include <algorithm>
#include <array>
#include <postrider/error.hpp>
#include <postrider/relay.hpp>
#include <utility>

#include "relay/batch_relay.hpp"

namespace postrider {
namespace {

using relaying::relay_url;
using relaying::target;
using factory = std::unique_ptr<target> (*)(const relay_url&, const relay_options&);

struct scheme {
    std::string_view name;
    factory make;         ///< null: this build lacks the library, or pgmq
    const char* library;  ///< null: pgmq, which has no connection of its own
};

constexpr factory to_nats = POSTRIDER_RELAY_NATS ? relaying::nats_target : nullptr;
constexpr factory to_redis = POSTRIDER_RELAY_REDIS ? relaying::redis_target : nullptr;
constexpr factory to_kafka = POSTRIDER_RELAY_KAFKA ? relaying::kafka_target : nullptr;
constexpr factory to_webhook = POSTRIDER_RELAY_WEBHOOK ? relaying::webhook_target : nullptr;

constexpr std::array<scheme, 8> schemes{{{"nats", to_nats, "libnats"},
                                         {"tls", to_nats, "libnats"},
                                         {"redis", to_redis, "hiredis"},
                                         {"rediss", nullptr, "a hiredis with TLS"},
                                         {"kafka", to_kafka, "librdkafka"},
                                         {"http", to_webhook, "libcurl and OpenSSL"},
                                         {"https", to_webhook, "libcurl and OpenSSL"},
                                         {"pgmq", nullptr, nullptr}}};

bool is_built(const scheme& one) { return one.make != nullptr || one.library == nullptr; }

const scheme& scheme_of(const relay_url& to) {
    const auto* found = std::ranges::find(schemes, to.scheme, &scheme::name);
    if (found == schemes.end()) {
        throw usage_error("a relay cannot publish to '" + to.scheme +
                          "'; targets are nats, tls, redis, kafka, http, https and pgmq");
    }
    if (!is_built(*found)) {
        throw usage_error("this build has no relay to " + to.scheme + ": it was built without " +
                          found->library);
    }
    return *found;
}

void check(const relay_options& options) {
    if (options.timeout < std::chrono::milliseconds(1) ||
        options.timeout > std::chrono::minutes(4)) {
        throw usage_error("the timeout of a relay must be between 1 ms and 4 minutes, got " +
                          std::to_string(options.timeout.count()) + " ms");
    }
}

}  // namespace

void relay(worker& by, event_types types, std::string handler, relay_options options,
           handler_options how) {
    check(options);
    const auto to = relaying::parse_relay_url(options.to);
    const auto& chosen = scheme_of(to);
    how.relays_to = {relaying::address_shown(to), options.destination};
    how.outage_classes.emplace_back(relaying::unavailable_class);
    // A broker that does not answer is down for every message, and a probe is cheap.
    how.circuit.failures = how.circuit.failures.value_or(5);
    how.circuit.open = how.circuit.open.value_or(std::chrono::seconds(5));
    how.circuit.cap = how.circuit.cap.value_or(
        std::max<std::chrono::milliseconds>(*how.circuit.open, std::chrono::minutes(1)));
    if (chosen.make == nullptr) {
        by.on(std::move(types), std::move(handler), relaying::pgmq_handler(options),
              std::move(how));
        return;
    }
    auto made = chosen.make(to, options);
    how.batch_max = std::min(how.batch_max, made->batch_max());
    auto batches = std::make_shared<relaying::batch_relay>(std::move(made), options.bytes_max);
    by.on(
        std::move(types), std::move(handler),
        [batches](std::span<const event> all, context& run) { return (*batches)(all, run); },
        std::move(how));
}

std::vector<std::string> relay_schemes() {
    std::vector<std::string> names;
    for (const auto& one : schemes) {
        if (is_built(one)) {
            names.emplace_back(one.name);
        }
    }
    return names;
}

}  // namespace postrider
