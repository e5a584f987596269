#include "relay/pgmq/install_pgmq.hpp"
#include "relay/support/relay_fixture.hpp"

namespace postrider::test {
namespace {

class pgmq_relay : public relay_fixture {
  protected:
    void SetUp() override {
        if (!install_pgmq(session, "orders_placed")) {
            GTEST_SKIP() << pgmq_is_missing;
        }
    }
    relay_options to() const { return {.to = "pgmq:", .destination = "{event_type}"}; }
};

TEST_F(pgmq_relay, a_message_is_in_the_queue_once_however_often_it_runs) {
    const auto by = relaying(to());
    by->drain();
    publish("orders.placed", "'{\"order\": 42}', p_source => 'shop'");
    by->drain();
    session.exec(
        "select postrider.redeliver(id, 'out', 'out.relay', false, 'test', 'again')"
        " from postrider.message");
    by->drain();
    EXPECT_EQ(value("select string_agg(message::text || (headers ->> 'ce_source'), ', ')"
                    " from pgmq.q_orders_placed"),
              "{\"order\": 42}shop");
}

TEST_F(pgmq_relay, an_object_that_jsonb_could_sort_for_minutes_is_a_dead_letter) {
    const auto by = relaying(to());
    by->drain();
    publish("orders.placed",
            "(select jsonb_object_agg('k' || n, '}{\\\":' || n) from generate_series(1, 20001) n)");
    publish("orders.placed",
            "(select jsonb_agg(jsonb_build_object('k' || n, n, 'l', '[]'))"
            " from generate_series(1, 20001) n)");
    by->drain();
    EXPECT_EQ(value("select count(*) from pgmq.q_orders_placed"), "1");
    EXPECT_EQ(value("select error_class from postrider.dead_letters"), "relay_too_large");
}

TEST_F(pgmq_relay, a_message_without_a_queue_is_a_dead_letter_and_its_replay_arrives) {
    const auto by = relaying(to());
    by->drain();
    publish("orders.cancelled");
    publish("Orders.Placed");
    by->drain();
    EXPECT_EQ(fate("orders.cancelled"), "failed sqlstate:42P01");
    EXPECT_EQ(fate("Orders.Placed"), "failed relay_unroutable");
    session.exec("select pgmq.create('orders_cancelled')");
    session.exec(
        "select postrider.outbox_replay(id, null, 'test') from postrider.outbox"
        " where event_type = 'orders.cancelled'");
    by->drain();
    EXPECT_EQ(value("select count(*) from pgmq.q_orders_cancelled"), "1");
}

}  // namespace
}  // namespace postrider::test
