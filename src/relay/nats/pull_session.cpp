#include "relay/nats/pull_session.hpp"

#include <algorithm>
#include <charconv>

namespace postrider::relaying {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr auto request_expires = milliseconds(5000);
// Time to wait for the answer that a request has expired.
constexpr auto expiry_grace = milliseconds(1000);
constexpr auto last_flush = milliseconds(1000);
// Setting of a new group: more than workers hold.
constexpr int unacknowledged_max = 100'000;
// Of the messages of a request. A larger message would never arrive; a server allows 64 MB for one.
constexpr int request_bytes_max = 72 << 20;
// Of a request that follows another one before its end. For a larger message it ends early.
constexpr int next_request_bytes_max = 8 << 20;
// Limit for messages that arrive unrequested. JetStream hands out dropped messages again.
constexpr int arrived_bytes_max = 1 << 30;
// An existing group may have a shorter time; messages are kept alive three times as often.
constexpr auto redeliver_after_min = milliseconds(30);

using jetstream_context = std::unique_ptr<jsCtx, nats_free<jsCtx_Destroy>>;
using consumer_info = std::unique_ptr<jsConsumerInfo, nats_free<jsConsumerInfo_Destroy>>;

consumer_info create_group(jsCtx* at, const pull_settings& how) {
    jsConsumerConfig config;
    require_ok(jsConsumerConfig_Init(&config));
    config.Durable = how.group.c_str();
    config.AckPolicy = js_AckExplicit;
    config.AckWait = nanoseconds(how.redeliver_after).count();
    config.MaxAckPending = unacknowledged_max;
    config.FilterSubject = how.subject.empty() ? nullptr : how.subject.c_str();
    jsConsumerInfo* raw = nullptr;
    const auto status = js_AddConsumer(&raw, at, how.stream.c_str(), &config, nullptr, nullptr);
    if (status == NATS_NOT_FOUND) {
        throw std::runtime_error("NATS has no stream " + how.stream);
    }
    require_ok(status);
    return consumer_info(raw);
}

consumer_info group_of(natsConnection* connection, const pull_settings& how) {
    jsCtx* raw_context = nullptr;
    require_ok(natsConnection_JetStream(&raw_context, connection, nullptr));
    const jetstream_context at(raw_context);
    jsConsumerInfo* raw = nullptr;
    const auto status = js_GetConsumerInfo(&raw, raw_context, how.stream.c_str(), how.group.c_str(),
                                           nullptr, nullptr);
    if (status == NATS_NOT_FOUND) {
        return create_group(raw_context, how);
    }
    require_ok(status);
    consumer_info found(raw);
    if (found->Config->DeliverSubject != nullptr || found->Config->AckPolicy != js_AckExplicit) {
        throw std::runtime_error("NATS: the consumer " + how.group + " of stream " + how.stream +
                                 " must be a pull consumer with explicit acknowledgements");
    }
    return found;
}

std::string header_of(natsMsg* message, const char* name) {
    const char* value = nullptr;
    return natsMsgHeader_Get(message, name, &value) == NATS_OK ? value : "";
}

}  // namespace

pull_session::pull_session(const pull_settings& how)
    : connection_(connect(how.server)),
      requests_("$JS.API.CONSUMER.MSG.NEXT." + how.stream + "." + how.group) {
    const auto group = group_of(connection_.get(), how);
    redeliver_after_ =
        std::max(std::chrono::duration_cast<milliseconds>(nanoseconds(group->Config->AckWait)),
                 redeliver_after_min);
    arrivals_.emplace(connection_.get(), inbox_, unacknowledged_max, arrived_bytes_max);
}

// Acknowledgements are sent by another thread of libnats.
pull_session::~pull_session() {
    natsConnection_FlushTimeout(connection_.get(), last_flush.count());
}

void pull_session::ask(int limit) {
    const auto now = clock::now();
    if (now > expires_) {
        asked_ = 0;  // its answer was lost
    }
    // Requests many messages at once, and the next ones while the last of them arrive.
    if (limit <= 2 * asked_) {
        return;
    }
    const auto body = "{\"batch\":" + std::to_string(limit - asked_) + ",\"max_bytes\":" +
                      std::to_string(asked_ == 0 ? request_bytes_max : next_request_bytes_max) +
                      ",\"expires\":" + std::to_string(nanoseconds(request_expires).count()) + "}";
    require_ok(natsConnection_PublishRequestString(connection_.get(), requests_.c_str(),
                                                   inbox_.c_str(), body.c_str()));
    asked_ = limit;
    expires_ = now + request_expires + expiry_grace;
}

// True when the message is the server's own: a request has ended.
bool pull_session::take_status(natsMsg* message) {
    if (natsMsg_GetReply(message) != nullptr) {
        return false;
    }
    const auto status = natsMsg_IsNoResponders(message) ? "503" : header_of(message, "Status");
    // "Message Size Exceeds MaxBytes": the next message is for another request.
    const bool is_full = status == "409" && header_of(message, "Description").ends_with("MaxBytes");
    if (status == "404" || status == "408" || is_full) {
        const auto left = header_of(message, "Nats-Pending-Messages");
        int count = asked_;
        std::from_chars(left.data(), left.data() + left.size(), count);
        asked_ -= std::clamp(count, 0, asked_);
    } else if (status != "100") {
        throw std::runtime_error("NATS: no messages are handed out: " + status + " " +
                                 header_of(message, "Description"));
    }
    return true;
}

std::vector<nats_message> pull_session::fetch(int limit, milliseconds wait) {
    if (limit > 0) {
        ask(limit);
    }
    const auto until = clock::now() + wait;
    // A server may send more messages than were requested.
    const int most = std::max({limit, asked_, 1});
    std::vector<nats_message> all;
    for (int arrived = 0; arrived < most; ++arrived) {
        auto one = arrivals_->next(all.empty() ? until : clock::time_point{});
        if (!one) {
            break;
        }
        if (!take_status(one.get())) {
            asked_ = std::max(0, asked_ - 1);
            // Answers go to the subject that the message names, if it is one of JetStream's.
            const char* reply = natsMsg_GetReply(one.get());
            if (reply != nullptr && std::string_view(reply).starts_with("$JS.ACK.")) {
                all.push_back(std::move(one));
            }
        }
    }
    return all;
}

void pull_session::answer(const std::string& receipt, const char* how) {
    require_ok(natsConnection_PublishString(connection_.get(), receipt.c_str(), how));
}

}  // namespace postrider::relaying
