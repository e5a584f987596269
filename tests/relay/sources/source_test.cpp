// Promises of a worker that receives from a broker, on every broker.
#include <atomic>
#include <set>

#include "relay/support/stream_peer.hpp"
#include "support/eventually.hpp"
#include "support/faults/tcp_gate.hpp"
#include "support/turnstile.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

struct broker_kind {
    const char* name;
    std::unique_ptr<stream_peer> (*make)();
    friend void PrintTo(const broker_kind& one, std::ostream* to) { *to << one.name; }
};

class worker_on_a_broker : public worker_fixture,
                           public ::testing::WithParamInterface<broker_kind> {
  protected:
    std::shared_ptr<source> from(std::chrono::milliseconds redeliver_after = 30s) const {
        return broker_source({.from = peer->url(),
                              .stream = "S",
                              .group = "office",
                              .redeliver_after = redeliver_after,
                              .timeout = 2s});
    }
    worker_options on_broker(std::shared_ptr<source> broker) const {
        auto made = options();
        made.source = std::move(broker);
        return made;
    }
    bool acknowledged() {
        return eventually([this] { return peer->unacknowledged("office") == 0; }, 30s);
    }
    void send_many(int count, const std::string& prefix = "m") {
        for (int i = 0; i < count; ++i) {
            peer->send_event(prefix + std::to_string(i));
        }
    }
    std::unique_ptr<stream_peer> peer = GetParam().make();
};

INSTANTIATE_TEST_SUITE_P(brokers, worker_on_a_broker,
                         ::testing::Values(broker_kind{"nats", make_nats_stream},
                                           broker_kind{"redis", make_redis_stream},
                                           broker_kind{"kafka", make_kafka_stream}),
                         [](const auto& one) { return one.param.name; });

TEST_P(worker_on_a_broker, an_order_that_it_would_not_keep_is_refused) {
    auto ordered = on_broker(from());
    ordered.ordering = ordering_policy::hold();
    EXPECT_THROW(worker{ordered}, usage_error);
    ordered.ordering = ordering_policy::none();
    EXPECT_NO_THROW(worker{ordered});
}

TEST_P(worker_on_a_broker, a_relayed_message_arrives_with_its_envelope_and_leaves_no_row) {
    peer->open();
    worker out(options("out"));
    relay(out, "*", "out.relay", peer->relay_to());
    out.drain();
    publish(
        "order.placed",
        "'{\"order\":  42}', p_source => 'shop', p_event_version => 3, p_headers => '{\"a\": 1}',"
        " p_occurred_at => '2025-02-28 12:00:00.25+00', p_ordering_key => 'k 1',"
        " p_workspace_id => '11111111-1111-1111-1111-111111111111',"
        " p_trace_context => '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'");
    out.drain();
    std::string seen;
    std::atomic<bool> done = false;
    worker by(on_broker(from()));
    by.on("order.*", "office.read", [&](const event& e, context& run) {
        seen = std::string(e.payload()) + " " + std::string(e.event_type()) + " " +
               std::to_string(e.event_version()) + " " + std::string(e.source()) + " " +
               std::string(e.headers().value_or("")) + " " +
               std::string(e.ordering_key().value_or("")) + " " + *e.workspace_id() + " " + e.id() +
               " " + std::to_string(run.attempts());
        done = true;
    });
    by.start();
    ASSERT_TRUE(eventually([&] { return done.load(); }));
    EXPECT_TRUE(acknowledged());
    EXPECT_EQ(seen,
              "{\"order\": 42} order.placed 3 shop {\"a\": 1} k 1 "
              "11111111-1111-1111-1111-111111111111 " +
                  value("select id from postrider.message") + " 1");
    EXPECT_EQ(value("select count(*) from postrider.delivery"), "0");
}

TEST_P(worker_on_a_broker, a_failed_message_is_stored_then_acknowledged_retried_and_replayed) {
    peer->open();
    peer->send_event("a", "order.placed", "{\"n\": 1}");
    peer->send_event("b", "order.placed", "{\"n\": 2}");
    std::atomic<bool> repaired = false;
    worker by(on_broker(from()));
    by.on(
        "order.*", "office.book",
        [&](const event& e, context&) {
            if (!repaired && e.payload() == "{\"n\": 2}") {
                throw std::runtime_error("no such account");
            }
        },
        soon());
    by.start();
    EXPECT_TRUE(
        becomes("1",
                "select count(*) from postrider.dead_letters where attempts = 3 and "
                "channel = 'broker' and source = 'shop' and last_error = 'no such account'"));
    EXPECT_TRUE(acknowledged());
    repaired = true;
    session.exec("select postrider.outbox_replay(id, null, 'test') from postrider.dead_letters");
    EXPECT_TRUE(becomes("delivered 2", "select status || ' ' || cycle from postrider.outbox"));
}

TEST_P(worker_on_a_broker, a_transactional_effect_is_made_once_although_the_broker_has_copies) {
    peer->open();
    session.exec("create table booked (id text)");
    for (int copy = 1; copy <= 3; ++copy) {
        peer->send_event("0190a000-0000-7000-8000-000000000001", "order.placed", "{}", copy);
    }
    worker by(on_broker(from()));
    by.on("order.*", "office.book", [](const event& e, transaction& tx) {
        tx.exec("insert into booked values ('" + e.id() + "')");
    });
    by.start();
    EXPECT_TRUE(acknowledged());
    EXPECT_TRUE(watching->wait_runs(3));
    EXPECT_EQ(value("select count(*) || ' ' || min(id) from booked"),
              "1 0190a000-0000-7000-8000-000000000001");
}

TEST_P(worker_on_a_broker, a_long_handler_keeps_its_message) {
    peer->open();
    peer->send_event("slow");
    std::atomic<int> runs = 0;
    // Two workers: the second one would get the message that the first does not keep.
    auto first = on_broker(from(3s));
    auto second = on_broker(from(3s));
    const auto handle = [&](const event&, context&) {
        ++runs;
        std::this_thread::sleep_for(7s);
    };
    worker a(first);
    worker b(second);
    a.on("*", "office.slow", handle);
    b.on("*", "office.slow", handle);
    a.start();
    b.start();
    EXPECT_TRUE(acknowledged());
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(value("select count(*) from postrider.delivery"), "0");
}

TEST_P(worker_on_a_broker, nothing_is_acknowledged_that_could_not_be_stored) {
    peer->open();
    tcp_gate gate;
    auto how = on_broker(from());
    how.database = gate.conninfo(database.name());
    how.call_timeout = 1s;
    worker by(how);
    by.on("bad.*", "office.fails", [&](const event&, context&) { throw std::runtime_error("no"); });
    by.on("good.*", "office.works", [&](const event&, context&) {});
    by.start();
    gate.refuse();
    gate.cut();
    for (int i = 0; i < 5; ++i) {
        peer->send_event("bad" + std::to_string(i), "bad.x");
        peer->send_event("good" + std::to_string(i), "good.x");
    }
    // Messages that need no database are handled meanwhile.
    EXPECT_TRUE(eventually([&] { return peer->unacknowledged("office") == 5; }, 30s));
    EXPECT_TRUE(watching->wait_runs(10));
    EXPECT_EQ(peer->unacknowledged("office"), 5);
    EXPECT_EQ(value("select count(*) from postrider.delivery"), "0");
    gate.pass();
    EXPECT_TRUE(acknowledged());
    EXPECT_EQ(value("select count(*) from postrider.delivery where failures >= 1"), "5");
}

TEST_P(worker_on_a_broker, a_killed_broker_loses_nothing) {
    peer->open();
    send_many(300);
    std::mutex guard;
    std::set<std::string> handled;
    worker by(on_broker(from(2s)));
    by.on("*", "office.count", [&](const event& e, context&) {
        const std::lock_guard lock(guard);
        handled.insert(e.idempotency_key());
    });
    const auto count = [&] {
        const std::lock_guard lock(guard);
        return handled.size();
    };
    by.start();
    EXPECT_TRUE(eventually([&] { return count() > 50; }));
    peer->kill_server();
    EXPECT_TRUE(watching->wait_state("source_lost"));
    peer->start_server();
    peer->reopen();
    send_many(100, "later");
    EXPECT_TRUE(eventually([&] { return count() == 400; }, 60s)) << count();
    EXPECT_TRUE(acknowledged());
    // Messages whose acknowledgement was lost came again, and were run once more from the database.
    EXPECT_TRUE(
        becomes("0", "select count(*) from postrider.delivery where status <> 'delivered'"));
}

TEST_P(worker_on_a_broker, a_stopping_worker_finishes_running_messages_and_returns_the_others) {
    peer->open();
    send_many(40);
    turnstile gate;
    auto how = on_broker(from());
    how.concurrency = 2;
    auto by = std::make_unique<worker>(how);
    by->on("*", "office.wait", [&](const event&, context&) { gate.pass(); });
    by->start();
    ASSERT_TRUE(gate.wait_for(2));
    by->request_stop();
    gate.open();
    by->wait();
    by.reset();
    how.source.reset();  // a member of a Kafka group leaves it
    const auto left = peer->unacknowledged("office");
    EXPECT_GE(left, 30);
    EXPECT_LE(left, 38);
    // Uncharged, by the next worker.
    worker next(on_broker(from()));
    next.on("*", "office.wait", [&](const event&, context&) {});
    next.start();
    EXPECT_TRUE(acknowledged());
    EXPECT_TRUE(
        becomes("0", "select count(*) from postrider.delivery where status <> 'delivered'"));
    EXPECT_EQ(value("select coalesce(max(attempts), 1) from postrider.delivery"), "1");
}

TEST_P(worker_on_a_broker, an_open_circuit_leaves_messages_in_the_broker) {
    peer->open();
    auto policy = soon();
    policy.circuit = {.failures = 3, .open = 5s, .cap = 5s};
    std::atomic<bool> down = true;
    auto how = on_broker(from());
    how.concurrency = 1;
    how.batch_max = 20;  // messages that the worker has asked for still arrive
    worker by(how);
    by.on(
        "*", "office.call",
        [&](const event&, context&) {
            if (down) {
                throw std::runtime_error("503");
            }
        },
        policy);
    by.start();
    send_many(20);
    EXPECT_TRUE(becomes("t", "select held from postrider.consumers where channel = 'broker'"));
    send_many(200, "later");
    EXPECT_GE(peer->unacknowledged("office"), 150);
    down = false;
    EXPECT_TRUE(acknowledged());
    EXPECT_TRUE(
        becomes("0", "select count(*) from postrider.delivery where status <> 'delivered'"));
}

TEST_P(worker_on_a_broker, messages_that_always_fail_do_not_keep_the_others_in_the_broker) {
    peer->open();
    auto policy = soon();
    policy.circuit = {.failures = 3, .open = 100ms, .cap = 200ms};
    std::atomic<int> good = 0;
    worker by(on_broker(from()));
    by.on(
        "*", "office.call",
        [&](const event& e, context&) {
            if (e.event_type() == "bad.x") {
                throw std::runtime_error("503");
            }
            ++good;
        },
        policy);
    for (int i = 0; i < 100; ++i) {
        peer->send_event("bad" + std::to_string(i), "bad.x");
    }
    by.start();
    EXPECT_TRUE(becomes("t", "select held from postrider.consumers where channel = 'broker'"));
    for (int i = 0; i < 50; ++i) {
        peer->send_event("good" + std::to_string(i), "good.x");
    }
    EXPECT_TRUE(eventually([&] { return good >= 50; }, 60s)) << good;
    EXPECT_TRUE(acknowledged());
}

TEST_P(worker_on_a_broker, messages_of_other_producers_are_taken_as_they_are) {
    peer->open();
    peer->send({{"x", "y"}}, "not JSON");
    peer->send({{"Status", "503"}}, "");  // as a server of NATS answers without a responder
    peer->send({{"content-type", "application/cloudevents+json"}},
               R"({"specversion": "1.0", "id": "7", "source": "/till", "type": "till.closed",)"
               R"( "data": {"sum": 12.50}})");
    std::mutex guard;
    std::set<std::string> seen;
    worker by(on_broker(from()));
    by.on("*", "office.read", [&](const event& e, context&) {
        const std::lock_guard lock(guard);
        seen.insert(std::string(e.event_type()) + " " + std::string(e.payload()));
    });
    by.start();
    EXPECT_TRUE(acknowledged());
    const auto* type = GetParam().name == std::string("nats") ? "orders.x" : "S";
    EXPECT_EQ(seen,
              (std::set<std::string>{"till.closed {\"sum\": 12.50}", std::string(type) + " {}",
                                     std::string(type) + " {\"data_base64\":\"bm90IEpTT04=\"}"}));
}

}  // namespace
}  // namespace postrider::test
