#include <hiredis/hiredis.h>

#include <map>
#include <memory>

#include "relay/redis/redis_session.hpp"
#include "relay/support/broker.hpp"
#include "relay/support/relay_fixture.hpp"
#include "relay/support/sample_message.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

using entry = std::map<std::string, std::string>;

class redis_peer {
  public:
    explicit redis_peer(const redis_server& of, const std::string& password = "")
        : session_({.host = "127.0.0.1",
                    .port = of.port(),
                    .user = {},
                    .password = password,
                    .database = {},
                    .timeout = std::chrono::seconds(5),
                    .dedupe_for = {},
                    .keep_for = {}}) {}

    long long number(const std::vector<std::string_view>& command) {
        return session_.call(command)->integer;
    }
    std::vector<entry> entries(const std::string& stream) {
        const auto reply = session_.call({"XRANGE", stream, "-", "+"});
        std::vector<entry> all;
        for (std::size_t i = 0; i < reply->elements; ++i) {
            const auto* pairs = reply->element[i]->element[1];
            entry one;
            for (std::size_t j = 0; j + 1 < pairs->elements; j += 2) {
                one[pairs->element[j]->str] = pairs->element[j + 1]->str;
            }
            all.push_back(std::move(one));
        }
        return all;
    }

  private:
    relaying::redis_session session_;
};

class redis_relay : public relay_fixture {
  protected:
    relay_options to() const {
        return {.to = server.url(), .destination = "orders", .timeout = std::chrono::seconds(5)};
    }
    redis_server server;
};

TEST_F(redis_relay, a_killed_broker_loses_nothing_and_spends_no_attempts) {
    server.start();
    const auto by = relaying(to());
    by->drain();
    publish_many(1000);
    by->start();
    {
        redis_peer peer(server);
        EXPECT_TRUE(eventually([&] { return peer.number({"XLEN", "orders"}) > 50; }));
    }
    server.kill();
    publish_many(50);
    EXPECT_TRUE(circuit_opens());
    server.start();
    EXPECT_TRUE(all_delivered(1050));
    const auto entries = redis_peer(server).entries("orders");
    std::set<std::string> ids;
    for (const auto& one : entries) {
        ids.insert(one.at("ce_id"));
    }
    EXPECT_EQ(ids, published_ids());
    EXPECT_EQ(entries.size(), 1050U);  // messages that were sent again were recognised
}

TEST_F(redis_relay, a_killed_broker_does_not_change_the_order_of_a_key) {
    server.start();
    const auto by = relaying_in_order(to());
    by->drain();
    publish_keyed(20, 50);
    by->start();
    {
        redis_peer peer(server);
        EXPECT_TRUE(eventually([&] { return peer.number({"XLEN", "orders"}) > 100; }));
    }
    server.kill();
    EXPECT_TRUE(circuit_opens());
    server.start();
    EXPECT_TRUE(all_delivered(1000));
    std::vector<std::string> payloads;
    for (const auto& one : redis_peer(server).entries("orders")) {
        payloads.push_back(one.at("data"));
    }
    expect_order_of_keys(payloads, 20, 50);
}

TEST_F(redis_relay, an_entry_has_the_envelope_and_a_replay_is_another_entry) {
    server.start();
    const auto by = relaying(to());
    by->drain();
    publish("order.placed", "'{\"order\": 42}', p_source => 'shop'");
    by->drain();
    session.exec(
        "select postrider.redeliver(id, 'out', 'out.relay', false, 'test', 'again')"
        " from postrider.message");
    by->drain();
    const auto entries = redis_peer(server).entries("orders");
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].at("data"), "{\"order\": 42}");
    EXPECT_EQ(entries[0].at("ce_source"), "shop");
    EXPECT_EQ(entries[0].at("ce_id"), entries[1].at("ce_id"));
    EXPECT_EQ(entries[0].at("ce_cycle"), "1");
    EXPECT_EQ(entries[1].at("ce_cycle"), "2");
}

// Messages of one batch go into several calls of the script, by stream and by number. They differ
// in the fields that they have.
TEST_F(redis_relay, a_batch_of_several_streams_keeps_the_fields_and_the_order_of_each) {
    server.start();
    auto how = one_attempt();
    how.batch_max = 500;
    const auto by = relaying({.to = server.url(), .destination = "{event_type}"}, how);
    by->drain();
    session.exec(
        "select postrider.publish(case n % 3 when 0 then 'paid' else 'placed' end,"
        " jsonb_build_object('n', n), p_ordering_key => case n % 2 when 0 then 'key ' || n end)"
        " from generate_series(1, 450) n");
    by->drain();
    redis_peer peer(server);
    std::vector<int> expected{1, 2};  // of the stream placed
    for (const auto& one : peer.entries("placed")) {
        const int n = expected.front();
        expected.erase(expected.begin());
        expected.push_back(n + 3);
        EXPECT_EQ(one.at("data"), "{\"n\": " + std::to_string(n) + "}");
        EXPECT_EQ(one.contains("ce_orderingkey"), n % 2 == 0);
        EXPECT_EQ(n % 2 == 0 ? one.at("ce_orderingkey") : "none",
                  n % 2 == 0 ? "key " + std::to_string(n) : "none");
        EXPECT_EQ(one.at("ce_type"), "placed");
    }
    EXPECT_EQ(expected.front(), 451);
    EXPECT_EQ(peer.number({"XLEN", "paid"}), 150);
}

TEST(redis_publisher, sends_once_per_cycle_trims_by_age_and_outlives_a_flushed_script) {
    redis_server server("swordfish");
    server.start();
    const auto to =
        relaying::redis_target(relaying::parse_relay_url("redis://:swordfish@" + server.place()),
                               {.destination = "orders",
                                .timeout = std::chrono::seconds(5),
                                .keep_for = std::chrono::hours(1)});
    const auto by = to->open();
    redis_peer peer(server, "swordfish");
    EXPECT_TRUE(by->publish(sample_message("orders").only(), {}).front().ok());
    EXPECT_TRUE(by->publish(sample_message("orders").only(), {}).front().ok());
    EXPECT_EQ(peer.number({"XLEN", "orders"}), 1);
    peer.number({"SCRIPT", "FLUSH"});
    EXPECT_TRUE(by->publish(sample_message("orders", 2).only(), {}).front().ok());
    EXPECT_EQ(peer.number({"XLEN", "orders"}), 2);
    // Redis trims whole nodes of a hundred entries.
    for (int i = 1; i <= 250; ++i) {
        peer.number({"XADD", "old", "1-" + std::to_string(i), "a", "b"});
    }
    EXPECT_TRUE(by->publish(sample_message("old").only(), {}).front().ok());
    EXPECT_LE(peer.number({"XLEN", "old"}), 51);
    // A key of another type: refused, and no deduplication key stays behind.
    peer.number({"SET", "text", "x"});
    EXPECT_EQ(by->publish(sample_message("text").only(), {}).front().error_class,
              "redis:WRONGTYPE");
    peer.number({"DEL", "text"});
    EXPECT_TRUE(by->publish(sample_message("text").only(), {}).front().ok());
    EXPECT_EQ(peer.number({"XLEN", "text"}), 1);
}

TEST(redis_publisher, a_wrong_password_is_an_outage_and_stands_in_no_error) {
    redis_server server("swordfish");
    server.start();
    const auto to =
        relaying::redis_target(relaying::parse_relay_url("redis://:flounder@" + server.place()),
                               {.destination = "orders", .timeout = std::chrono::seconds(5)});
    const auto how = to->open()->publish(sample_message("orders").only(), {}).front();
    EXPECT_EQ(how.error_class, "relay_unavailable");
    EXPECT_EQ(how.error.find("flounder"), std::string::npos) << how.error;
}

}  // namespace
}  // namespace postrider::test
