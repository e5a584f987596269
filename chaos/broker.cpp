#include "chaos/broker.hpp"

#include <stdexcept>

#include "chaos/roles.hpp"
#ifdef POSTRIDER_CHAOS_BROKER
#include <postrider/relay.hpp>

#include "relay/make_stream.hpp"
#include "relay/nats/nats_connection.hpp"
#endif

namespace postrider::chaos {

#ifdef POSTRIDER_CHAOS_BROKER

using namespace std::chrono_literals;

namespace {

using stream_info = std::unique_ptr<jsStreamInfo, relaying::nats_free<jsStreamInfo_Destroy>>;

// A lowered limit lets nats-server 2.9 remove the oldest messages, also when the stream discards
// new ones. The limit is therefore this far above the number of messages, and ballast makes up for
// it.
constexpr int ballast_messages = 300;
// The workers do not receive it: event types have two words.
constexpr const char* ballast_subject = "chaos.ballast";
constexpr const char* event_subjects = "chaos.*.>";

// Throws nats_failure.
template <typename Call>
auto with_jetstream(const std::string& url, Call&& call) {
    const auto connection =
        relaying::connect(relaying::nats_settings_of(relaying::parse_relay_url(url), "", 2s));
    jsCtx* raw = nullptr;
    relaying::require_ok(natsConnection_JetStream(&raw, connection.get(), nullptr));
    const std::unique_ptr<jsCtx, relaying::nats_free<jsCtx_Destroy>> at(raw);
    return call(raw);
}

// True when the stream refused a message: it is full.
bool fill_stream(jsCtx* at) {
    constexpr int stream_store_failed = 10077;
    for (int i = 0; i <= ballast_messages; ++i) {
        jsErrCode refused{};
        const auto status = js_Publish(nullptr, at, ballast_subject, "", 0, nullptr, &refused);
        if (status != NATS_OK) {
            return static_cast<int>(refused) == stream_store_failed;
        }
    }
    return false;
}

}  // namespace

void make_broker_stream(const std::string& url) {
    relaying::make_stream({.from = url, .stream = broker_stream},
                          std::string(broker_subjects) + ">");
}

std::int64_t left_in_stream(const std::string& url) {
    try {
        return with_jetstream(url, [](jsCtx* at) {
            jsConsumerInfo* info = nullptr;
            relaying::require_ok(js_GetConsumerInfo(
                &info, at, broker_stream, std::string(branch_consumer).c_str(), nullptr, nullptr));
            const auto left = static_cast<std::int64_t>(info->NumPending) + info->NumAckPending;
            jsConsumerInfo_Destroy(info);
            return left;
        });
    } catch (const relaying::nats_failure&) {
        return -1;
    }
}

bool set_stream_full(const std::string& url, bool full) {
    try {
        return with_jetstream(url, [&](jsCtx* at) {
            jsStreamInfo* raw = nullptr;
            relaying::require_ok(js_GetStreamInfo(&raw, at, broker_stream, nullptr, nullptr));
            const stream_info info(raw);
            info->Config->Discard = js_DiscardNew;
            info->Config->MaxMsgs =
                full ? static_cast<std::int64_t>(info->State.Msgs) + ballast_messages : -1;
            relaying::require_ok(js_UpdateStream(nullptr, at, info->Config, nullptr, nullptr));
            return !full || fill_stream(at);
        });
    } catch (const relaying::nats_failure&) {
        return false;
    }
}

void add_relay(worker& to, const std::string& url) {
    auto types = event_types("plain.*");
    types.patterns = {"plain.*", "book.*", "flaky.*"};
    handler_options how;
    how.retry = {.curve = curve::fixed, .base = 200ms, .floor = 50ms};
    // A starting broker answers before it has its stream; that counts as a failure.
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
                          .subject = event_subjects,
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
bool set_stream_full(const std::string&, bool) { refuse_broker(); }
void add_relay(worker&, const std::string&) { refuse_broker(); }
std::shared_ptr<source> branch_source(const std::string&) { refuse_broker(); }

#endif

}  // namespace postrider::chaos
