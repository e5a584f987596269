#include <nats/nats.h>

#include <stdexcept>

#include "bench/brokers/bare_broker.hpp"
#include "embedded/broker_process.hpp"
#include "relay/nats/nats_connection.hpp"

namespace postrider::bench {
namespace {

using relaying::nats_message;
using relaying::require_ok;

constexpr std::int64_t unacknowledged_max = 4000;
constexpr std::int64_t timeout_ms = 60'000;

class nats_broker final : public bare_queue {
  public:
    explicit nats_broker(const lab& where)
        : server_(embedded::broker_kind::nats, new_broker_directory(where)) {
        server_.start();
        connection_ = relaying::connect(relaying::nats_settings_of(
            relaying::parse_relay_url(server_.url()), "", std::chrono::seconds(10)));
        jsOptions how;
        require_ok(jsOptions_Init(&how));
        how.PublishAsync.MaxPending = unacknowledged_max;
        how.PublishAsync.StallWait = timeout_ms;
        how.PublishAsync.ErrHandler = on_error;
        how.PublishAsync.ErrHandlerClosure = this;
        require_ok(natsConnection_JetStream(&context_, connection_.get(), &how));
    }
    ~nats_broker() override { jsCtx_Destroy(context_); }

    const char* name() const override { return "nats"; }
    relaying::binding headers() const override { return relaying::binding::http; }

    void make_stream(const std::string& stream) override {
        jsStreamConfig how;
        require_ok(jsStreamConfig_Init(&how));
        const char* subject = stream.c_str();
        how.Name = subject;
        how.Subjects = &subject;
        how.SubjectsLen = 1;
        require_ok(js_AddStream(nullptr, context_, &how, nullptr, nullptr));
    }
    void remove_stream(const std::string& stream) override {
        require_ok(js_DeleteStream(context_, stream.c_str(), nullptr, nullptr));
    }
    relay_options relay_to(const std::string& stream) const override {
        return {.to = server_.url(), .destination = stream};
    }
    source_options source_from(const std::string& stream, const std::string& group) const override {
        return {.from = server_.url(), .stream = stream, .group = group};
    }

    void publish(const std::string& stream, std::span<const relaying::outgoing> all) override {
        for (const auto& one : all) {
            natsMsg* raw = nullptr;
            const auto body = one.message->payload();
            require_ok(natsMsg_Create(&raw, stream.c_str(), nullptr, body.data(),
                                      static_cast<int>(body.size())));
            nats_message message(raw);
            require_ok(natsMsgHeader_Set(raw, "Nats-Msg-Id", one.dedupe_id.c_str()));
            for (const auto& [name, value] : one.headers) {
                require_ok(natsMsgHeader_Set(raw, name.c_str(), value.c_str()));
            }
            message.release();
            require_ok(js_PublishMsgAsync(context_, &raw, nullptr));
        }
        jsPubOptions how;
        require_ok(jsPubOptions_Init(&how));
        how.MaxWait = timeout_ms;
        require_ok(js_PublishAsyncComplete(context_, &how));
        if (refused_) {
            throw std::runtime_error("NATS did not store a message of the bare client");
        }
    }

    void consume(const std::string& stream, const std::string& group, int count) override {
        natsSubscription* raw = nullptr;
        require_ok(js_PullSubscribe(&raw, context_, stream.c_str(), group.c_str(), nullptr, nullptr,
                                    nullptr));
        const relaying::nats_subscription from(raw);
        while (count > 0) {
            natsMsgList list{};
            require_ok(natsSubscription_Fetch(&list, raw, std::min(count, fetch_max), timeout_ms,
                                              nullptr));
            for (int i = 0; i < list.Count; ++i) {
                require_ok(natsMsg_Ack(list.Msgs[i], nullptr));
            }
            count -= list.Count;
            natsMsgList_Destroy(&list);
        }
        require_ok(natsConnection_FlushTimeout(connection_.get(), timeout_ms));
    }

  private:
    static void on_error(jsCtx*, jsPubAckErr*, void* self) {
        static_cast<nats_broker*>(self)->refused_ = true;
    }

    embedded::broker_process server_;
    relaying::nats_connection connection_;
    jsCtx* context_ = nullptr;
    std::atomic<bool> refused_ = false;
};

}  // namespace

std::unique_ptr<bare_queue> start_nats(const lab& where) {
    return std::make_unique<nats_broker>(where);
}

}  // namespace postrider::bench
