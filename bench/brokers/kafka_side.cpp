// librdkafka's own mock cluster: real sockets and the real protocol, in this process.
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>
#include <atomic>
#include <map>
#include <stdexcept>

#include "bench/brokers/broker_side.hpp"
#include "relay/cloud_event.hpp"

namespace postrider::bench {
namespace {

void drop_log(const rd_kafka_t*, int, const char*, const char*) {}

class kafka_side final : public broker_side {
  public:
    kafka_side() {
        std::array<char, 256> problem{};
        owner_ =
            rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), problem.data(), problem.size());
        cluster_ = rd_kafka_mock_cluster_new(owner_, 1);
        rd_kafka_mock_topic_create(cluster_, "bench", 1, 1);
    }
    ~kafka_side() override {
        rd_kafka_mock_cluster_destroy(cluster_);
        rd_kafka_destroy(owner_);
    }

    relay_options relay_to() const override {
        return {.to = "kafka://" + servers(), .destination = "bench"};
    }
    source_options source_of(const std::string&) const override {
        throw std::logic_error("there is no source for Kafka");
    }
    void publish(std::span<const event> all) override {
        auto* producer = new_producer();
        for (const auto& one : all) {
            auto* headers = rd_kafka_headers_new(16);
            for (const auto& [name, value] :
                 relaying::cloud_event_headers(one, relaying::binding::kafka)) {
                rd_kafka_header_add(headers, name.data(), static_cast<ssize_t>(name.size()),
                                    value.data(), static_cast<ssize_t>(value.size()));
            }
            while (
                rd_kafka_producev(
                    producer, RD_KAFKA_V_TOPIC("bench"),
                    RD_KAFKA_V_VALUE(const_cast<char*>(one.payload().data()), one.payload().size()),
                    RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_END) == RD_KAFKA_RESP_ERR__QUEUE_FULL) {
                rd_kafka_poll(producer, 10);
            }
        }
        const auto left = rd_kafka_flush(producer, 60'000);
        rd_kafka_destroy(producer);
        if (left != RD_KAFKA_RESP_ERR_NO_ERROR) {
            throw std::runtime_error("Kafka did not acknowledge all messages");
        }
    }
    void consume(const std::string&, int) override {
        throw std::logic_error("there is no source for Kafka");
    }

  private:
    std::string servers() const { return rd_kafka_mock_cluster_bootstraps(cluster_); }
    rd_kafka_t* new_producer() const {
        std::array<char, 256> problem{};
        auto* how = rd_kafka_conf_new();
        for (const auto& [name, value] :
             std::map<std::string, std::string>{{"bootstrap.servers", servers()},
                                                {"enable.idempotence", "true"},
                                                {"acks", "all"}}) {
            rd_kafka_conf_set(how, name.c_str(), value.c_str(), problem.data(), problem.size());
        }
        rd_kafka_conf_set_log_cb(how, drop_log);
        auto* made = rd_kafka_new(RD_KAFKA_PRODUCER, how, problem.data(), problem.size());
        if (made == nullptr) {
            rd_kafka_conf_destroy(how);
            throw std::runtime_error(problem.data());
        }
        return made;
    }

    rd_kafka_t* owner_ = nullptr;
    rd_kafka_mock_cluster_t* cluster_ = nullptr;
};

}  // namespace

std::unique_ptr<broker_side> make_kafka_side() { return std::make_unique<kafka_side>(); }

}  // namespace postrider::bench
