#include "relay/support/broker.hpp"
#include "relay/support/nats_peer.hpp"
#include "relay/support/relay_fixture.hpp"
#include "relay/support/sample_message.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

class nats_relay : public relay_fixture {
  protected:
    void start_broker() {
        server.start();
        peer = std::make_unique<nats_peer>(server.url());
        peer->add_stream("orders.>");
    }
    relay_options to(const std::string& destination = "orders.{event_type}") const {
        return {.to = server.url(), .destination = destination, .timeout = std::chrono::seconds(5)};
    }
    nats_server server{"max_payload: 4096"};
    std::unique_ptr<nats_peer> peer;
};

TEST_F(nats_relay, an_acknowledged_message_is_in_the_stream_with_its_envelope) {
    start_broker();
    const auto by = relaying(to());
    by->drain();
    publish("order.placed",
            "'{\"order\": 42}', p_source => 'shop', p_headers => '{\"a\": \"b c\"}',"
            " p_occurred_at => '2025-02-28 12:00:00.25+00', p_ordering_key => 'k 1',"
            " p_trace_context => '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'");
    EXPECT_EQ(by->drain(), 1);
    EXPECT_EQ(fate("order.placed"), "delivered");
    const auto found = peer->all();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].subject, "orders.order.placed");
    EXPECT_EQ(found[0].data, "{\"order\": 42}");
    auto headers = found[0].headers;
    EXPECT_EQ(headers["Nats-Msg-Id"], id_of("order.placed") + "/1");
    EXPECT_EQ(headers["ce-id"], id_of("order.placed"));
    EXPECT_EQ(headers["ce-specversion"], "1.0");
    EXPECT_EQ(headers["ce-type"], "order.placed");
    EXPECT_EQ(headers["ce-source"], "shop");
    EXPECT_EQ(headers["ce-time"], "2025-02-28T12:00:00.250000Z");
    EXPECT_EQ(headers["ce-orderingkey"], "k%201");
    EXPECT_EQ(headers["content-type"], "application/json");
    EXPECT_EQ(headers["traceparent"], "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    EXPECT_EQ(headers["postrider-headers"], "{%22a%22:%20%22b%20c%22}");
}

TEST_F(nats_relay, a_killed_broker_loses_nothing_and_spends_no_attempts) {
    start_broker();
    const auto by = relaying(to());
    by->drain();
    publish_many(2000);
    by->start();
    EXPECT_TRUE(eventually([this] { return peer->count() > 100; }));
    peer.reset();
    server.kill();
    publish_many(50);
    EXPECT_TRUE(circuit_opens());
    server.start();
    EXPECT_TRUE(all_delivered(2050));
    EXPECT_EQ(value("select circuit_error_class from postrider.handlers"), "relay_unavailable");
    by->request_stop();
    by->wait();
    peer = std::make_unique<nats_peer>(server.url());
    const auto ids = peer->header("ce-id");
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()), published_ids());
    // The broker recognised messages that were sent again.
    EXPECT_EQ(ids.size(), 2050U);
}

TEST_F(nats_relay, a_killed_broker_does_not_change_the_order_of_a_key) {
    start_broker();
    const auto by = relaying_in_order(to());
    by->drain();
    publish_keyed(20, 50);
    by->start();
    EXPECT_TRUE(eventually([this] { return peer->count() > 100; }));
    peer.reset();
    server.kill();
    EXPECT_TRUE(circuit_opens());
    server.start();
    EXPECT_TRUE(all_delivered(1000));
    by->request_stop();
    by->wait();
    peer = std::make_unique<nats_peer>(server.url());
    std::vector<std::string> payloads;
    for (const auto& one : peer->all()) {
        payloads.push_back(one.data);
    }
    expect_order_of_keys(payloads, 20, 50);
}

TEST_F(nats_relay, a_message_without_a_stream_fails_and_its_replay_arrives) {
    server.start();
    const auto by = relaying(to());
    by->drain();
    publish("order.placed");
    by->drain();
    EXPECT_EQ(fate("order.placed"), "failed relay_no_stream");
    nats_peer later(server.url());
    later.add_stream("orders.>");
    replay_all();
    by->drain();
    EXPECT_EQ(fate("order.placed"), "delivered");
    EXPECT_EQ(later.header("Nats-Msg-Id"), std::vector<std::string>{id_of("order.placed") + "/2"});
}

TEST_F(nats_relay, a_replay_is_not_dropped_as_a_duplicate) {
    start_broker();
    const auto by = relaying(to());
    by->drain();
    publish("order.placed");
    by->drain();
    session.exec(
        "select postrider.redeliver(id, 'out', 'out.relay', false, 'test', 'again')"
        " from postrider.message");
    by->drain();
    const auto id = id_of("order.placed");
    EXPECT_EQ(peer->header("Nats-Msg-Id"), (std::vector<std::string>{id + "/1", id + "/2"}));
}

TEST_F(nats_relay, messages_that_cannot_be_sent_are_dead_letters_of_their_own_class) {
    start_broker();
    const auto by = relaying(to("orders.{ordering_key}"));
    by->drain();
    publish("too.large", "jsonb_build_object('x', repeat('x', 5000)), p_ordering_key => 'a'");
    publish("no.key");
    publish("wild.card", "'{}', p_ordering_key => 'a.*'");
    publish("two.words", "'{}', p_ordering_key => 'a b'");
    publish("all.right", "'{}', p_ordering_key => 'a.b'");
    by->drain();
    EXPECT_EQ(fate("too.large"), "failed relay_too_large");
    EXPECT_EQ(fate("no.key"), "failed relay_unroutable");
    EXPECT_EQ(fate("wild.card"), "failed relay_unroutable");
    EXPECT_EQ(fate("two.words"), "failed relay_unroutable");
    EXPECT_EQ(fate("all.right"), "delivered");
    EXPECT_EQ(peer->count(), 1U);
}

TEST(nats_login, credentials_come_from_the_url_and_stand_in_no_error) {
    nats_server server("authorization { user: shop, password: \"swordfish\" }");
    server.start();
    const sample_message one("orders.x");
    const auto outcome_with = [&](const std::string& login) {
        const auto to = relaying::nats_target(
            relaying::parse_relay_url("nats://" + login + "@" + server.place()),
            {.destination = "orders.x", .timeout = std::chrono::seconds(5)});
        return to->open()->publish(one.only(), {}).front();
    };
    // Past the login: no stream has the subject.
    EXPECT_EQ(outcome_with("shop:swordfish").error_class, "relay_no_stream");
    const auto refused = outcome_with("shop:flounder");
    EXPECT_EQ(refused.error_class, "relay_unavailable");
    EXPECT_EQ(refused.error.find("flounder"), std::string::npos) << refused.error;
}

}  // namespace
}  // namespace postrider::test
