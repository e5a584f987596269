// librdkafka's own mock cluster: real sockets and the real protocol, in this process.
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>
#include <map>

#include "relay/kafka/kafka_producer.hpp"
#include "relay/relay_fixture.hpp"
#include "relay/sample_message.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

struct record {
    std::string key;
    std::string value;
    std::map<std::string, std::string> headers;
};

class kafka_cluster {
  public:
    kafka_cluster() {
        std::array<char, 256> problem{};
        owner_ =
            rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), problem.data(), problem.size());
        cluster_ = rd_kafka_mock_cluster_new(owner_, 1);
    }
    kafka_cluster(const kafka_cluster&) = delete;
    kafka_cluster& operator=(const kafka_cluster&) = delete;
    ~kafka_cluster() {
        rd_kafka_mock_cluster_destroy(cluster_);
        rd_kafka_destroy(owner_);
    }

    std::string url() const {
        return std::string("kafka://") + rd_kafka_mock_cluster_bootstraps(cluster_);
    }
    void set_down(bool down) {
        if (down) {
            rd_kafka_mock_broker_set_down(cluster_, 1);
        } else {
            rd_kafka_mock_broker_set_up(cluster_, 1);
        }
    }
    /// The next requests to store messages fail with this error.
    void fail_next(rd_kafka_resp_err_t error) {
        constexpr std::int16_t produce = 0;
        rd_kafka_mock_push_request_errors(cluster_, produce, 1, error);
    }
    void add(const std::string& name) { rd_kafka_mock_topic_create(cluster_, name.c_str(), 1, 1); }
    /// Answers that it does not exist.
    void deny(const std::string& name) {
        rd_kafka_mock_topic_set_error(cluster_, name.c_str(),
                                      RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
    }
    /// Reads until there are that many records, or none comes for a while.
    std::vector<record> read(const std::string& name, std::size_t count) const;

  private:
    rd_kafka_t* owner_ = nullptr;
    rd_kafka_mock_cluster_t* cluster_ = nullptr;
};

record read_record(const rd_kafka_message_t& message) {
    record made{{static_cast<const char*>(message.key), message.key_len},
                {static_cast<const char*>(message.payload), message.len},
                {}};
    rd_kafka_headers_t* headers = nullptr;
    rd_kafka_message_headers(&message, &headers);
    const char* name = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    for (std::size_t i = 0;
         headers != nullptr && rd_kafka_header_get_all(headers, i, &name, &value, &size) == 0;
         ++i) {
        made.headers[name].assign(static_cast<const char*>(value), size);
    }
    return made;
}

std::vector<record> kafka_cluster::read(const std::string& name, std::size_t count) const {
    std::array<char, 256> problem{};
    auto* how = rd_kafka_conf_new();
    for (const auto& [property, value] :
         std::map<std::string, std::string>{{"bootstrap.servers", url().substr(8)},
                                            {"group.id", "test"},
                                            {"auto.offset.reset", "earliest"}}) {
        rd_kafka_conf_set(how, property.c_str(), value.c_str(), problem.data(), problem.size());
    }
    auto* consumer = rd_kafka_new(RD_KAFKA_CONSUMER, how, problem.data(), problem.size());
    auto* from = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(from, name.c_str(), 0)->offset = RD_KAFKA_OFFSET_BEGINNING;
    rd_kafka_assign(consumer, from);
    rd_kafka_topic_partition_list_destroy(from);
    std::vector<record> all;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (all.size() < count && std::chrono::steady_clock::now() < deadline) {
        if (auto* message = rd_kafka_consumer_poll(consumer, 100)) {
            if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
                all.push_back(read_record(*message));
            }
            rd_kafka_message_destroy(message);
        }
    }
    rd_kafka_consumer_close(consumer);
    rd_kafka_destroy(consumer);
    return all;
}

class kafka_relay : public relay_fixture {
  protected:
    kafka_relay() { cluster.add("orders"); }
    relay_options to(std::chrono::milliseconds timeout = std::chrono::seconds(10)) const {
        return {.to = cluster.url(), .destination = "orders", .timeout = timeout};
    }
    kafka_cluster cluster;
};

TEST_F(kafka_relay, a_record_has_the_ordering_key_and_the_envelope) {
    const auto by = relaying(to());
    by->drain();
    publish("order.placed", "'{\"order\": 42}', p_source => 'shop', p_ordering_key => 'k 1'");
    by->drain();
    EXPECT_EQ(fate("order.placed"), "delivered");
    const auto found = cluster.read("orders", 1);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].key, "k 1");
    EXPECT_EQ(found[0].value, "{\"order\": 42}");
    EXPECT_EQ(found[0].headers.at("ce_id"), id_of("order.placed"));
    EXPECT_EQ(found[0].headers.at("ce_source"), "shop");
    EXPECT_EQ(found[0].headers.at("content-type"), "application/json");
}

TEST_F(kafka_relay, a_broker_that_is_down_loses_nothing_and_spends_no_attempts) {
    const auto by = relaying(to(std::chrono::milliseconds(500)));
    by->drain();
    publish_many(100);
    by->drain();
    cluster.set_down(true);
    publish_many(100);
    by->start();
    EXPECT_TRUE(circuit_opens());
    cluster.set_down(false);
    EXPECT_TRUE(all_delivered(200));
    std::set<std::string> ids;
    for (const auto& one : cluster.read("orders", 200)) {
        ids.insert(one.headers.at("ce_id"));
    }
    EXPECT_EQ(ids, published_ids());
}

TEST_F(kafka_relay, a_producer_that_turned_fatal_is_replaced) {
    relaying::kafka_producer doomed(
        {{"bootstrap.servers", cluster.url().substr(8)}, {"enable.idempotence", "true"}});
    const sample_message before("orders", 1);
    relaying::kafka_slot slot;
    cluster.fail_next(RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER);
    doomed.produce(before.only().front(), slot);
    ASSERT_TRUE(eventually([&] {
        doomed.poll(std::chrono::milliseconds(20));
        return slot.reported;
    }));
    ASSERT_TRUE(doomed.fatal()) << "the error of this test does not make a producer fatal";
    const auto target = relaying::kafka_target(relaying::parse_relay_url(cluster.url()), to());
    const auto by = target->open();
    EXPECT_TRUE(by->publish(sample_message("orders").only(), {}).front().ok());
    cluster.fail_next(RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER);
    const auto failed = by->publish(sample_message("orders", 2).only(), {}).front();
    EXPECT_EQ(failed.error_class, "relay_unavailable") << failed.error;
    EXPECT_TRUE(by->publish(sample_message("orders", 2).only(), {}).front().ok());
    EXPECT_EQ(cluster.read("orders", 2).size(), 2U);
}

TEST_F(kafka_relay, a_missing_topic_is_a_failure_and_no_outage) {
    cluster.deny("missing");
    auto elsewhere = to(std::chrono::seconds(2));
    elsewhere.destination = "missing";
    const auto by = relaying(elsewhere);
    by->drain();
    publish("order.placed");
    by->drain();
    EXPECT_EQ(fate("order.placed"), "failed relay_no_topic");
}

TEST_F(kafka_relay, a_record_that_the_broker_refuses_as_too_large_is_a_dead_letter) {
    const auto by = relaying(to());
    by->drain();
    cluster.fail_next(RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE);
    publish("too.large");
    by->drain();
    EXPECT_EQ(fate("too.large"), "failed relay_too_large");
}

}  // namespace
}  // namespace postrider::test
