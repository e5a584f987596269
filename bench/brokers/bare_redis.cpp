#include <stdexcept>

#include "bench/brokers/bare_broker.hpp"
#include "embedded/broker_process.hpp"
#include "relay/redis/redis_session.hpp"

namespace postrider::bench {
namespace {

constexpr std::size_t pipelined = 500;
constexpr const char* dedupe_for_ms = "86400000";  // as a relay has it by default

std::unique_ptr<relaying::redis_session> connect_redis(int port) {
    return std::make_unique<relaying::redis_session>(
        relaying::redis_settings{.host = "127.0.0.1",
                                 .port = port,
                                 .user = {},
                                 .password = {},
                                 .database = {},
                                 .timeout = std::chrono::seconds(30),
                                 .dedupe_for = {},
                                 .keep_for = {}});
}

class redis_broker final : public bare_queue {
  public:
    explicit redis_broker(const lab& where)
        : server_(embedded::broker_kind::redis, new_broker_directory(where)) {
        server_.start();
        session_ = connect_redis(server_.port());
    }

    const char* name() const override { return "redis"; }
    relaying::binding headers() const override { return relaying::binding::kafka; }
    // Redis makes a stream with its first entry.
    void make_stream(const std::string&) override {}
    void remove_stream(const std::string&) override { require({"FLUSHALL"}); }
    relay_options relay_to(const std::string& stream) const override {
        return {.to = server_.url(), .destination = stream};
    }
    source_options source_from(const std::string& stream, const std::string& group) const override {
        return {.from = server_.url(), .stream = stream, .group = group};
    }

    // Two commands per message. A program that looks at the answer to the first one before it sends
    // the second, or uses a script, is slower.
    void publish(const std::string& stream, std::span<const relaying::outgoing> all) override {
        std::size_t answered = 0;
        const auto take_reply = [&] {
            if (session_->next_reply()->type != REDIS_REPLY_STATUS ||
                session_->next_reply()->type != REDIS_REPLY_STRING) {
                throw std::runtime_error("Redis refuses an entry of the bare client");
            }
            ++answered;
        };
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto key = stream + ":" + all[i].dedupe_id;
            session_->append(
                std::vector<std::string_view>{"SET", key, "1", "NX", "PX", dedupe_for_ms});
            std::vector<std::string_view> command{"XADD", stream, "*"};
            for (const auto& [name, value] : all[i].headers) {
                command.push_back(name);
                command.push_back(value);
            }
            command.emplace_back("data");
            command.emplace_back(all[i].message->payload());
            session_->append(command);
            // One window is sent while the answers to the one before are read.
            if ((i + 1) % pipelined == 0) {
                while (i + 1 - answered > pipelined) {
                    take_reply();
                }
            }
        }
        while (answered < all.size()) {
            take_reply();
        }
    }

    void consume(const std::string& stream, const std::string& group, int count) override {
        require({"XGROUP", "CREATE", stream, group, "0"});
        while (count > 0) {
            const auto reply =
                require({"XREADGROUP", "GROUP", group, "bare", "COUNT", std::to_string(fetch_max),
                         "BLOCK", "10000", "STREAMS", stream, ">"});
            if (reply->type != REDIS_REPLY_ARRAY) {
                throw std::runtime_error("Redis has no more entries for the bare client");
            }
            const auto* entries = reply->element[0]->element[1];
            std::vector<std::string_view> command{"XACK", stream, group};
            for (std::size_t i = 0; i < entries->elements; ++i) {
                command.emplace_back(entries->element[i]->element[0]->str);
            }
            require(command);
            count -= static_cast<int>(entries->elements);
        }
    }

  private:
    relaying::redis_reply require(const std::vector<std::string_view>& command) {
        auto reply = session_->call(command);
        if (reply->type == REDIS_REPLY_ERROR) {
            throw std::runtime_error(std::string("Redis: ") + reply->str);
        }
        return reply;
    }

    embedded::broker_process server_;
    std::unique_ptr<relaying::redis_session> session_;
};

}  // namespace

std::unique_ptr<bare_queue> start_redis(const lab& where) {
    return std::make_unique<redis_broker>(where);
}

}  // namespace postrider::bench
