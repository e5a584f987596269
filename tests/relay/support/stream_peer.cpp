#include "relay/support/stream_peer.hpp"

#include <hiredis/hiredis.h>
#include <nats/nats.h>

#include "relay/nats/nats_connection.hpp"
#include "relay/redis/redis_session.hpp"
#include "relay/support/broker.hpp"
#include "relay/support/kafka_cluster.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

using relaying::require_ok;

class nats_stream final : public stream_peer {
  public:
    ~nats_stream() override { jsCtx_Destroy(stream_); }

    void kill_server() override { server_.kill(); }
    void start_server() override { server_.start(); }
    std::string url() const override { return server_.url(); }
    void open() override {
        server_.start();
        reopen();
        jsStreamConfig how;
        require_ok(jsStreamConfig_Init(&how));
        const char* all[] = {"orders.>"};
        how.Name = "S";
        how.Subjects = all;
        how.SubjectsLen = 1;
        require_ok(js_AddStream(nullptr, stream_, &how, nullptr, nullptr));
    }
    void reopen() override {
        jsCtx_Destroy(stream_);
        stream_ = nullptr;
        connection_ = relaying::connect(relaying::nats_settings_of(
            relaying::parse_relay_url(server_.url()), "", std::chrono::seconds(5)));
        require_ok(natsConnection_JetStream(&stream_, connection_.get(), nullptr));
    }
    void send(const std::vector<std::pair<std::string, std::string>>& headers,
              const std::string& body) override {
        natsMsg* raw = nullptr;
        require_ok(
            natsMsg_Create(&raw, "orders.x", nullptr, body.data(), static_cast<int>(body.size())));
        const relaying::nats_message message(raw);
        for (const auto& [name, value] : headers) {
            require_ok(natsMsgHeader_Set(raw, name.c_str(), value.c_str()));
        }
        require_ok(js_PublishMsg(nullptr, stream_, raw, nullptr, nullptr));
    }
    long unacknowledged(const std::string& group) override {
        jsConsumerInfo* info = nullptr;
        if (js_GetConsumerInfo(&info, stream_, "S", group.c_str(), nullptr, nullptr) != NATS_OK) {
            return -1;
        }
        const auto count = static_cast<long>(info->NumPending) + info->NumAckPending;
        jsConsumerInfo_Destroy(info);
        return count;
    }
    relay_options relay_to() const override {
        return {.to = server_.url(), .destination = "orders.{event_type}"};
    }

  protected:
    std::string prefix() const override { return "ce-"; }

  private:
    nats_server server_;
    relaying::nats_connection connection_;
    jsCtx* stream_ = nullptr;
};

class redis_stream final : public stream_peer {
  public:
    void kill_server() override { server_.kill(); }
    void start_server() override { server_.start(); }
    std::string url() const override { return server_.url(); }
    void open() override {
        server_.start();
        reopen();
    }
    void reopen() override {
        session_ = std::make_unique<relaying::redis_session>(
            relaying::redis_settings{.host = "127.0.0.1",
                                     .port = server_.port(),
                                     .user = {},
                                     .password = {},
                                     .database = {},
                                     .timeout = std::chrono::seconds(5),
                                     .dedupe_for = {},
                                     .keep_for = {}});
        // It accepts connections before it has read its file.
        if (!eventually([this] { return session_->call({"PING"})->type == REDIS_REPLY_STATUS; })) {
            throw std::runtime_error("Redis does not finish loading");
        }
    }
    void send(const std::vector<std::pair<std::string, std::string>>& headers,
              const std::string& body) override {
        std::vector<std::string_view> command{"XADD", "S", "*"};
        for (const auto& [name, value] : headers) {
            command.insert(command.end(), {name, value});
        }
        command.insert(command.end(), {"data", body});
        if (session_->call(command)->type == REDIS_REPLY_ERROR) {
            throw std::runtime_error("Redis refuses the entry");
        }
    }
    long unacknowledged(const std::string& group) override {
        const auto groups = session_->call({"XINFO", "GROUPS", "S"});
        for (std::size_t i = 0; i < groups->elements; ++i) {
            const auto* one = groups->element[i];
            if (one->element[1]->str == group) {
                return value(one, "pending") + value(one, "lag");
            }
        }
        return -1;
    }
    relay_options relay_to() const override { return {.to = server_.url(), .destination = "S"}; }

  protected:
    std::string prefix() const override { return "ce_"; }

  private:
    static long value(const redisReply* of, const std::string& name) {
        for (std::size_t i = 0; i + 1 < of->elements; i += 2) {
            if (of->element[i]->str == name) {
                return static_cast<long>(of->element[i + 1]->integer);
            }
        }
        return -1;
    }
    redis_server server_;
    std::unique_ptr<relaying::redis_session> session_;
};

class kafka_topic final : public stream_peer {
  public:
    void kill_server() override { cluster_.set_down(true); }
    void start_server() override { cluster_.set_down(false); }
    std::string url() const override { return cluster_.url_of_members(); }
    void open() override { cluster_.add("S", 2); }
    void reopen() override {}
    void send(const std::vector<std::pair<std::string, std::string>>& headers,
              const std::string& body) override {
        cluster_.send("S", -1, headers, body);
    }
    long unacknowledged(const std::string& group) override {
        return cluster_.unfinished("S", group);
    }
    relay_options relay_to() const override { return {.to = cluster_.url(), .destination = "S"}; }

  protected:
    std::string prefix() const override { return "ce_"; }

  private:
    kafka_cluster cluster_;
};

}  // namespace

void stream_peer::send_event(const std::string& id, const std::string& type,
                             const std::string& body, int cycle) {
    send({{prefix() + "specversion", "1.0"},
          {prefix() + "id", id},
          {prefix() + "type", type},
          {prefix() + "source", "shop"},
          {prefix() + "cycle", std::to_string(cycle)}},
         body);
}

std::unique_ptr<stream_peer> make_nats_stream() { return std::make_unique<nats_stream>(); }
std::unique_ptr<stream_peer> make_redis_stream() { return std::make_unique<redis_stream>(); }
std::unique_ptr<stream_peer> make_kafka_stream() { return std::make_unique<kafka_topic>(); }

}  // namespace postrider::test
