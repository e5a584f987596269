#include "relay/nats/nats_session.hpp"

namespace postrider::relaying {
nats_session::nats_session(const nats_settings& how)
    : inbox_(new_inbox() + "."), connection_(connect(how)) {
    auto listener = std::make_unique<ack_listener>(ack_listener{acks_, inbox_.size()});
    natsSubscription* subscription = nullptr;
    require_ok(natsConnection_Subscribe(&subscription, connection_.get(), (inbox_ + ">").c_str(),
                                        on_ack, listener.get()));
    subscription_ = nats_subscription(subscription, {connection_.get()});
    require_ok(natsSubscription_SetOnCompleteCB(subscription, on_end, listener.get()));
    listener.release();  // on_end deletes it
    // Every acknowledgement counts; the batch bounds their number, and they are short.
    constexpr int pending_bytes_max = 64 << 20;
    require_ok(natsSubscription_SetPendingLimits(subscription, -1, pending_bytes_max));
}

nats_session::~nats_session() = default;

void nats_session::on_ack(natsConnection*, natsSubscription*, natsMsg* raw, void* closure) {
    const nats_message message(raw);
    const auto& to = *static_cast<ack_listener*>(closure);
    const std::string_view subject = natsMsg_GetSubject(raw);
    if (subject.size() <= to.prefix_size) {
        return;
    }
    try {
        const auto length = static_cast<std::size_t>(natsMsg_GetDataLength(raw));
        to.box->put(subject.substr(to.prefix_size),
                    natsMsg_IsNoResponders(raw)
                        ? nats_no_stream()
                        : nats_outcome(std::string_view(natsMsg_GetData(raw), length)));
    } catch (const std::exception&) {
        // Without memory for it the message counts as not acknowledged.
    }
}

void nats_session::on_end(void* closure) { delete static_cast<ack_listener*>(closure); }

std::size_t nats_session::bytes_max() const {
    return static_cast<std::size_t>(natsConnection_GetMaxPayload(connection_.get()));
}

bool nats_session::alive() const {
    return natsConnection_Status(connection_.get()) == NATS_CONN_STATUS_CONNECTED;
}

void nats_session::send(const outgoing& one, std::uint64_t batch, std::size_t index) {
    const auto reply = inbox_ + ack_box::reply_of(batch, index);
    const auto body = one.message->payload();
    natsMsg* raw = nullptr;
    require_ok(natsMsg_Create(&raw, one.destination.c_str(), reply.c_str(), body.data(),
                              static_cast<int>(body.size())));
    const nats_message message(raw);
    require_ok(natsMsgHeader_Set(raw, "Nats-Msg-Id", one.dedupe_id.c_str()));
    for (const auto& [name, value] : one.headers) {
        require_ok(natsMsgHeader_Set(raw, name.c_str(), value.c_str()));
    }
    require_ok(natsConnection_PublishMsg(connection_.get(), raw));
}

}  // namespace postrider::relaying
