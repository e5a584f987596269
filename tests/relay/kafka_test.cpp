#include "relay/kafka/kafka_producer.hpp"
#include "relay/support/kafka_cluster.hpp"
#include "relay/support/relay_fixture.hpp"
#include "relay/support/sample_message.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

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
