#include <postrider/error.hpp>

#include "relay/sources.hpp"

namespace postrider {
namespace {

void require(const std::string& value, const char* name, const char* example) {
    if (value.empty()) {
        throw usage_error(std::string("a source needs a ") + name + ", for example " + example);
    }
}

[[noreturn]] void refuse(const std::string& scheme, const char* library) {
    throw usage_error("this build has no source for " + scheme + ": it was built without " +
                      library);
}

std::shared_ptr<source> source_of(const relaying::relay_url& from, const source_options& options) {
    if (from.scheme == "pgmq") {
        return pgmq_source({.database = options.database,
                            .queue = options.stream,
                            .redeliver_after = options.redeliver_after});
    }
    require(options.group, "group", "the name of the consumer");
    if (options.redeliver_after < std::chrono::seconds(1) ||
        options.timeout < std::chrono::milliseconds(1)) {
        throw usage_error("redeliver_after must be at least 1 s, and timeout 1 ms");
    }
    if (from.scheme == "nats" || from.scheme == "tls") {
#if POSTRIDER_RELAY_NATS
        return relaying::nats_source(from, options);
#else
        refuse(from.scheme, "libnats");
#endif
    }
    if (from.scheme == "redis") {
#if POSTRIDER_RELAY_REDIS
        return relaying::redis_source(from, options);
#else
        refuse(from.scheme, "hiredis");
#endif
    }
    if (from.scheme == "rediss") {
        refuse(from.scheme, "a hiredis with TLS");
    }
    if (from.scheme == "kafka") {
#if POSTRIDER_RELAY_KAFKA
        return relaying::kafka_source(from, options);
#else
        refuse(from.scheme, "librdkafka");
#endif
    }
    throw usage_error("a worker cannot receive from '" + from.scheme +
                      "'; sources are nats, tls, redis, kafka and pgmq");
}

}  // namespace

std::shared_ptr<source> broker_source(source_options options) {
    const auto from = relaying::parse_relay_url(options.from);
    require(options.stream, "stream", "orders");
    auto made = source_of(from, options);
    made->set_place(
        {relaying::address_shown(from),
         options.group.empty() ? options.stream : options.stream + ", group " + options.group});
    return made;
}

}  // namespace postrider
