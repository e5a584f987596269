#include "chaos/broker.hpp"

#include <stdexcept>

#include "chaos/cast.hpp"
#ifdef POSTRIDER_CHAOS_BROKER
#include <postrider/relay.hpp>

#include "relay/make_stream.hpp"
#include "relay/nats/nats_connection.hpp"
#endif

namespace postrider::chaos {

#ifdef POSTRIDER_CHAOS_BROKER

using namespace std::chrono_literals;

void make_broker_stream(const std::string& url) {
    relaying::make_stream({.from = url, .stream = broker_stream},
                          std::string(broker_subjects) + ">");
}

std::int64_t left_in_stream(const std::string& url) {
    try {
        const auto connection =
            relaying::connect(relaying::nats_settings_of(relaying::parse_relay_url(url), "", 2s));
        jsCtx* raw = nullptr;
        relaying::require_ok(natsConnection_JetStream(&raw, connection.get(), nullptr));
        const std::unique_ptr<jsCtx, relaying::nats_free<jsCtx_Destroy>> at(raw);
        jsConsumerInfo* info = nullptr;
        relaying::require_ok(js_GetConsumerInfo(
            &info, raw, broker_stream, std::string(branch_consumer).c_str(), nullptr, nullptr));
        const auto left = static_cast<std::int64_t>(info->NumPending) + info->NumAckPending;
        jsConsumerInfo_Destroy(info);
        return left;
    } catch (const relaying::nats_failure&) {
        return -1;
    }
}

void add_relay(worker& to, const std::string& url) {
    auto types = event_types("plain.*");
    types.patterns = {"plain.*", "book.*", "flaky.*"};
    handler_options how;
    how.retry = {.curve = curve::fixed, .base = 200ms, .floor = 50ms};
    // A broker that starts answers before it has its stream, which counts as a failure.
    how.max_attempts = 1000;
    how.max_crashes = 1000;
    how.circuit = {.failures = 5, .open = 200ms, .cap = 1s};
    relay(to, types, "out.relay",
          {.to = url, .destination = std::string(broker_subjects) + "{event_type}", .timeout = 2s},
          how);
}

std::shared_ptr<source> branch_source(const std::string& url) {
    return broker_source({.from = url,
                          .stream = broker_stream,
                          .group = std::string(branch_consumer),
                          .redeliver_after = 2s,
                          .timeout = 2s});
}

#else

namespace {
[[noreturn]] void refuse_broker() {
    throw std::runtime_error("this build has no relay to NATS, so a run cannot have a broker");
}
}  // namespace

void make_broker_stream(const std::string&) { refuse_broker(); }
std::int64_t left_in_stream(const std::string&) { refuse_broker(); }
void add_relay(worker&, const std::string&) { refuse_broker(); }
std::shared_ptr<source> branch_source(const std::string&) { refuse_broker(); }

#endif

}  // namespace postrider::chaos
