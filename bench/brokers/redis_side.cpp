#include <stdexcept>

#include "bench/brokers/broker_side.hpp"
#include "relay/cloud_event.hpp"
#include "relay/redis/redis_session.hpp"

namespace postrider::bench {
namespace {

constexpr int batch = 500;

std::vector<std::string> server_command(const std::filesystem::path& directory, int port) {
    return {"redis-server",     "--port",    std::to_string(port),
            "--bind",           "127.0.0.1", "--dir",
            directory.string(), "--save",    "",
            "--appendonly",     "yes",       "--appendfsync",
            "everysec"};
}

class redis_side final : public broker_side {
  public:
    relay_options relay_to() const override { return {.to = url(), .destination = "bench"}; }
    source_options source_of(const std::string& group) const override {
        return {.from = url(), .stream = "bench", .group = group};
    }
    void publish(std::span<const event> all) override {
        for (std::size_t from = 0; from < all.size(); from += batch) {
            const auto part = all.subspan(from, std::min<std::size_t>(batch, all.size() - from));
            for (const auto& one : part) {
                std::vector<std::string> command{"XADD", "bench", "*"};
                for (auto& [name, value] :
                     relaying::cloud_event_headers(one, relaying::binding::kafka)) {
                    command.push_back(std::move(name));
                    command.push_back(std::move(value));
                }
                command.emplace_back("data");
                command.emplace_back(one.payload());
                session_.append(command);
            }
            for (std::size_t i = 0; i < part.size(); ++i) {
                require(*session_.next_reply());
            }
        }
    }
    void consume(const std::string& group, int count) override {
        require(*session_.call({"XGROUP", "CREATE", "bench", group, "0", "MKSTREAM"}));
        while (count > 0) {
            const auto reply =
                session_.call({"XREADGROUP", "GROUP", group, "bare", "COUNT", std::to_string(batch),
                               "BLOCK", "5000", "STREAMS", "bench", ">"});
            if (reply->type != REDIS_REPLY_ARRAY) {
                throw std::runtime_error("Redis has no more entries");
            }
            const auto* entries = reply->element[0]->element[1];
            std::vector<std::string> command{"XACK", "bench", group};
            for (std::size_t i = 0; i < entries->elements; ++i) {
                command.emplace_back(entries->element[i]->element[0]->str);
            }
            require(*session_.call(command));
            count -= static_cast<int>(entries->elements);
        }
    }

  private:
    static void require(const redisReply& reply) {
        if (reply.type == REDIS_REPLY_ERROR) {
            throw std::runtime_error(std::string("Redis: ") + reply.str);
        }
    }
    std::string url() const { return "redis://127.0.0.1:" + std::to_string(server_.port()); }

    broker_process server_{server_command};
    relaying::redis_session session_{{.host = "127.0.0.1",
                                      .port = server_.port(),
                                      .user = {},
                                      .password = {},
                                      .database = {},
                                      .timeout = std::chrono::seconds(30),
                                      .dedupe_for = {},
                                      .keep_for = {}}};
};

}  // namespace

std::unique_ptr<broker_side> make_redis_side() { return std::make_unique<redis_side>(); }

}  // namespace postrider::bench
