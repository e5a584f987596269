#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>
#include <stdexcept>

#include "bench/brokers/bare_broker.hpp"
#include "relay/kafka/kafka_producer.hpp"

namespace postrider::bench {
namespace {

constexpr auto timeout = std::chrono::seconds(60);
constexpr std::size_t unreported_max = 50'000;

class kafka_broker final : public bare_broker {
  public:
    kafka_broker() {
        std::array<char, 256> problem{};
        owner_ =
            rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), problem.data(), problem.size());
        cluster_ = rd_kafka_mock_cluster_new(owner_, 1);
    }
    ~kafka_broker() override {
        rd_kafka_mock_cluster_destroy(cluster_);
        rd_kafka_destroy(owner_);
    }

    const char* name() const override { return "kafka"; }
    relaying::binding headers() const override { return relaying::binding::kafka; }
    void make_stream(const std::string& stream) override {
        rd_kafka_mock_topic_create(cluster_, stream.c_str(), 1, 1);
    }
    // The cluster keeps the newest records of a topic only.
    void remove_stream(const std::string&) override {}
    relay_options relay_to(const std::string& stream) const override {
        return {.to = std::string("kafka://") + rd_kafka_mock_cluster_bootstraps(cluster_),
                .destination = stream};
    }

    void publish(const std::string&, std::span<const relaying::outgoing> all) override {
        relaying::kafka_producer producer(
            {{"bootstrap.servers", rd_kafka_mock_cluster_bootstraps(cluster_)},
             {"enable.idempotence", "true"},
             {"acks", "all"}});
        std::vector<relaying::kafka_slot> slots(all.size());
        std::size_t reported = 0;
        const auto deadline = std::chrono::steady_clock::now() + timeout;
        const auto wait_until_open = [&](std::size_t sent, std::size_t open_max) {
            for (; reported < sent && sent - reported > open_max;) {
                producer.poll(std::chrono::milliseconds(10));
                while (reported < sent && slots[reported].reported) {
                    if (slots[reported++].error != RD_KAFKA_RESP_ERR_NO_ERROR) {
                        throw std::runtime_error("Kafka refuses a record of the bare client");
                    }
                }
                if (std::chrono::steady_clock::now() > deadline) {
                    throw std::runtime_error(
                        "Kafka does not acknowledge the bare client's records");
                }
            }
        };
        for (std::size_t i = 0; i < all.size(); ++i) {
            producer.produce(all[i], slots[i]);
            wait_until_open(i + 1, unreported_max);
        }
        wait_until_open(all.size(), 0);
    }

  private:
    rd_kafka_t* owner_ = nullptr;
    rd_kafka_mock_cluster_t* cluster_ = nullptr;
};

}  // namespace

std::unique_ptr<bare_broker> start_kafka() { return std::make_unique<kafka_broker>(); }

}  // namespace postrider::bench
