#include "relay/nats/stream_ids.hpp"

namespace postrider::relaying {
namespace {

using std::chrono::duration_cast;
using std::chrono::nanoseconds;
using std::chrono::system_clock;

using jetstream_context = std::unique_ptr<jsCtx, nats_free<jsCtx_Destroy>>;
using stream_info = std::unique_ptr<jsStreamInfo, nats_free<jsStreamInfo_Destroy>>;
using consumer_info = std::unique_ptr<jsConsumerInfo, nats_free<jsConsumerInfo_Destroy>>;

constexpr auto next_timeout = std::chrono::seconds(30);

stream_info info_of(jsCtx* at, const std::string& stream) {
    jsStreamInfo* raw = nullptr;
    const auto status = js_GetStreamInfo(&raw, at, stream.c_str(), nullptr, nullptr);
    if (status == NATS_NOT_FOUND) {
        throw std::runtime_error("NATS has no stream " + stream);
    }
    require_ok(status);
    stream_info made(raw);
    if (made == nullptr || made->Config == nullptr) {
        throw std::runtime_error("NATS: the server does not describe stream " + stream);
    }
    if (made->Config->Retention != js_LimitsPolicy) {
        throw std::runtime_error("stream " + stream +
                                 " removes acknowledged messages, so it cannot be compared");
    }
    return made;
}

// A consumer without acknowledgements that sends headers to an inbox. Returns the number of
// messages to come.
std::uint64_t start_reading(jsCtx* at, const std::string& stream, const std::string& inbox,
                            system_clock::time_point since) {
    jsConsumerConfig config;
    require_ok(jsConsumerConfig_Init(&config));
    config.DeliverPolicy = js_DeliverByStartTime;
    config.OptStartTime = duration_cast<nanoseconds>(since.time_since_epoch()).count();
    config.AckPolicy = js_AckNone;
    config.DeliverSubject = inbox.c_str();
    config.HeadersOnly = true;
    config.InactiveThreshold = nanoseconds(next_timeout).count();
    jsConsumerInfo* raw = nullptr;
    require_ok(js_AddConsumer(&raw, at, stream.c_str(), &config, nullptr, nullptr));
    return consumer_info(raw)->NumPending;
}

template <typename Call>
auto reading(const nats_settings& server, Call&& call) {
    try {
        const auto connection = connect(server);
        jsCtx* raw = nullptr;
        require_ok(natsConnection_JetStream(&raw, connection.get(), nullptr));
        const jetstream_context at(raw);
        return call(connection.get(), raw);
    } catch (const nats_failure& problem) {
        throw std::runtime_error(std::string("NATS: ") + problem.what());
    }
}

}  // namespace

std::optional<system_clock::time_point> stream_begin(const nats_settings& server,
                                                     const std::string& stream) {
    return reading(server, [&](natsConnection*, jsCtx* at) {
        const auto info = info_of(at, stream);
        const auto first = system_clock::time_point(
            duration_cast<system_clock::duration>(nanoseconds(info->State.FirstTime)));
        return info->State.FirstSeq > 1 && info->State.Msgs > 0 ? std::optional(first)
                                                                : std::nullopt;
    });
}

std::unordered_set<std::string> stream_ids(const nats_settings& server, const std::string& stream,
                                           system_clock::time_point since) {
    return reading(server, [&](natsConnection* connection, jsCtx* at) {
        const auto inbox = new_inbox();
        natsSubscription* raw = nullptr;
        require_ok(natsConnection_SubscribeSync(&raw, connection, inbox.c_str()));
        const nats_subscription arrivals(raw, {connection});
        require_ok(natsSubscription_SetPendingLimits(raw, -1, -1));
        std::unordered_set<std::string> ids;
        for (auto left = start_reading(at, stream, inbox, since); left > 0; --left) {
            natsMsg* raw_message = nullptr;
            require_ok(natsSubscription_NextMsg(&raw_message, raw,
                                                std::chrono::milliseconds(next_timeout).count()));
            const nats_message message(raw_message);
            const char* id = nullptr;
            if (natsMsgHeader_Get(raw_message, "ce-id", &id) == NATS_OK) {
                ids.emplace(id);
            }
        }
        return ids;
    });
}

}  // namespace postrider::relaying
