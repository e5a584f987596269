#include <nats/nats.h>

#include <fstream>

#include "bench/brokers/broker_side.hpp"
#include "relay/cloud_event.hpp"
#include "relay/nats/nats_connection.hpp"

namespace postrider::bench {
namespace {

using relaying::require_ok;

constexpr int batch = 500;

std::vector<std::string> server_command(const std::filesystem::path& directory, int port) {
    const auto file = directory / "nats.conf";
    std::ofstream(file) << "listen: \"127.0.0.1:" << port << "\"\njetstream { store_dir: \""
                        << (directory / "data").string() << "\" }\n";
    return {"nats-server", "-c", file.string()};
}

class nats_side final : public broker_side {
  public:
    nats_side()
        : connection_(relaying::connect(relaying::nats_settings_of(relaying::parse_relay_url(url()),
                                                                   "", std::chrono::seconds(10)))) {
        jsOptions how;
        require_ok(jsOptions_Init(&how));
        how.PublishAsync.MaxPending = 10 * batch;
        require_ok(natsConnection_JetStream(&stream_, connection_.get(), &how));
        jsStreamConfig config;
        require_ok(jsStreamConfig_Init(&config));
        const char* subjects[] = {"bench.>"};
        config.Name = "BENCH";
        config.Subjects = subjects;
        config.SubjectsLen = 1;
        require_ok(js_AddStream(nullptr, stream_, &config, nullptr, nullptr));
    }
    ~nats_side() override { jsCtx_Destroy(stream_); }

    relay_options relay_to() const override {
        return {.to = url(), .destination = "bench.{event_type}"};
    }
    source_options source_of(const std::string& group) const override {
        return {.from = url(), .stream = "BENCH", .group = group};
    }
    void publish(std::span<const event> all) override {
        for (const auto& one : all) {
            const auto subject = "bench." + std::string(one.event_type());
            natsMsg* message = nullptr;
            require_ok(natsMsg_Create(&message, subject.c_str(), nullptr, one.payload().data(),
                                      static_cast<int>(one.payload().size())));
            const auto id = relaying::dedupe_id(one);
            require_ok(natsMsgHeader_Set(message, "Nats-Msg-Id", id.c_str()));
            for (const auto& [name, value] :
                 relaying::cloud_event_headers(one, relaying::binding::http)) {
                require_ok(natsMsgHeader_Set(message, name.c_str(), value.c_str()));
            }
            require_ok(js_PublishMsgAsync(stream_, &message, nullptr));
        }
        require_ok(js_PublishAsyncComplete(stream_, nullptr));
    }
    void consume(const std::string& group, int count) override {
        natsSubscription* raw = nullptr;
        require_ok(
            js_PullSubscribe(&raw, stream_, "bench.>", group.c_str(), nullptr, nullptr, nullptr));
        const relaying::nats_subscription subscription(raw);
        while (count > 0) {
            natsMsgList list{nullptr, 0};
            const auto status =
                natsSubscription_Fetch(&list, raw, std::min(batch, count), 5000, nullptr);
            require_ok(status);
            for (int i = 0; i < list.Count; ++i) {
                require_ok(natsMsg_Ack(list.Msgs[i], nullptr));
            }
            count -= list.Count;
            natsMsgList_Destroy(&list);
        }
        require_ok(natsConnection_FlushTimeout(connection_.get(), 5000));
    }

  private:
    std::string url() const { return "nats://127.0.0.1:" + std::to_string(server_.port()); }

    broker_process server_{server_command};
    relaying::nats_connection connection_;
    jsCtx* stream_ = nullptr;
};

}  // namespace

std::unique_ptr<broker_side> make_nats_side() { return std::make_unique<nats_side>(); }

}  // namespace postrider::bench
