// Workers of an ordered consumer that claim several messages of a key at once.
#include <atomic>
#include <optional>
#include <postrider/postrider.hpp>
#include <thread>

#include "support/turnstile.hpp"
#include "worker/ordering/order_ledger.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* delivered_count =
    "select count(*) from postrider.outbox where status = 'delivered'";

class ordering_chains : public worker_fixture {
  protected:
    worker_options ordered(ordering_policy policy = ordering_policy::hold()) const {
        auto made = options();
        made.ordering = std::move(policy);
        return made;
    }
    static handler_options patient() {
        auto made = soon();
        made.max_attempts = 100;
        return made;
    }
    /// The consumer exists, so that messages that are published now are for it.
    void prepare(const std::string& policy = "hold") {
        session.exec("select postrider.create_consumer('office', p_ordering => '" + policy + "')");
    }
    /// The payload is the version: 1, 2, 3 … of each key.
    void publish_versions(int keys, int versions) {
        session.exec(
            "insert into postrider.message (event_type, source, payload, ordering_key)"
            " select 'changed', 'test', to_json(v), 'key ' || k"
            " from generate_series(1, " +
            std::to_string(versions) + ") v, generate_series(1, " + std::to_string(keys) +
            ") k order by v, k");
    }
    /// The most messages of a key in one lease.
    int longest_chain() {
        return std::stoi(
            value("select coalesce(max(n), 0) from (select count(*) as n from postrider.lease l,"
                  " unnest((l.taken).keys) as k group by l.consumer_id, l.id, k) r"));
    }
    static void stop(worker& one) {
        one.request_stop();
        one.wait();
    }

    order_ledger seen;
    std::atomic<unsigned> runs = 0;

    outcome handle(const event& change, unsigned fails_every = 0) {
        const std::string key(change.ordering_key().value_or(""));
        seen.begin(key);
        const bool fails = fails_every > 0 && ++runs % fails_every == 0;
        seen.end(key, std::stoi(std::string(change.payload())), !fails);
        return fails ? transient("test", "now and then") : delivered();
    }
    void expect_order(int messages) {
        EXPECT_EQ(seen.handled(), messages);
        EXPECT_EQ(seen.inversions(), 0);
        EXPECT_EQ(seen.overlaps(), 0);
        EXPECT_GT(longest_chain(), 1);
        EXPECT_EQ(value("select count(*) from postrider.follower"), "0");
        EXPECT_EQ(value("select count(*) from postrider.blocked_keys"), "0");
    }
};

TEST_F(ordering_chains, failures_in_the_middle_hold_the_rest_of_their_chain) {
    prepare();
    publish_versions(20, 100);
    worker one(ordered());
    worker two(ordered());
    for (auto* each : {&one, &two}) {
        each->on(
            "changed", "office.book",
            [&](const event& change, context&) { return handle(change, 37); }, patient());
        each->start();
    }
    EXPECT_TRUE(becomes("2000", delivered_count, 60s));
    stop(one);
    stop(two);
    expect_order(2000);
}

TEST_F(ordering_chains, a_worker_in_plain_sql_takes_part) {
    prepare();
    publish_versions(10, 100);
    const auto handler =
        R"('[{"name": "office.book", "event_types": ["changed"], "max_attempts": 100}]')";
    std::jthread plain([&](const std::stop_token& over) {
        auto on = database.connect();
        const std::string id(on.exec(std::string("select postrider.register_worker(w, 'office', ") +
                                     handler + "), w from gen_random_uuid() w")
                                 .text(0, 1));
        while (!over.stop_requested()) {
            const auto claimed = on.exec(
                "select ordering_key, payload #>> '{}', lease_id, lease_token"
                " from postrider.claim('" +
                id + "', 3)");
            for (int row = 0; row < claimed.rows(); ++row) {
                const std::string key(claimed.text(row, 0));
                seen.begin(key);
                seen.end(key, std::stoi(std::string(claimed.text(row, 1))), true);
            }
            on.exec(
                "select postrider.settle(worker_id, id, token) from postrider.lease where"
                " worker_id = '" +
                id + "' and finished_at is null");
        }
        on.exec("select postrider.unregister_worker('" + id + "')");
    });
    worker office(ordered());
    office.on(
        "changed", "office.book", [&](const event& change, context&) { return handle(change, 41); },
        patient());
    office.start();
    EXPECT_TRUE(becomes("1000", delivered_count, 60s));
    stop(office);
    plain.request_stop();
    plain.join();
    expect_order(1000);
}

TEST_F(ordering_chains, dead_letters_in_the_middle_are_skipped) {
    prepare("skip");
    publish_versions(5, 100);
    worker office(ordered(ordering_policy::skip()));
    office.on("changed", "office.book", [&](const event& change, context&) {
        if (std::stoi(std::string(change.payload())) % 25 == 0) {
            seen.pass_over(std::string(change.ordering_key().value_or("")));
            return terminal("test", "every 25th");
        }
        return handle(change);
    });
    office.start();
    EXPECT_TRUE(becomes("480", delivered_count, 60s));
    EXPECT_EQ(count("failed"), "20");
    stop(office);
    expect_order(480);
}

TEST_F(ordering_chains, a_hot_key_needs_fewer_leases_than_messages) {
    prepare();
    publish_versions(1, 3000);
    worker office(ordered());
    office.on("changed", "office.book",
              [&](const event& change, context&) { return handle(change); });
    office.start();
    EXPECT_TRUE(becomes("3000", delivered_count, 60s));
    stop(office);
    expect_order(3000);
    EXPECT_LT(std::stoi(value("select count(*) from postrider.lease where taken is not null")),
              1500);
}

/// Version 50 of key 1 waits at the turnstile.
class ordering_chains_stuck : public ordering_chains {
  protected:
    void start_stuck() {
        prepare();
        publish_versions(4, 100);
        office.emplace(ordered());
        office->on("changed", "office.book", [&](const event& change, context&) {
            if (change.ordering_key() == "key 1" && change.payload() == "50") {
                stuck.pass();
            }
            return handle(change);
        });
        office->start();
        ASSERT_TRUE(stuck.wait_for(1));
    }

    turnstile stuck;
    std::optional<worker> office;
};

TEST_F(ordering_chains_stuck, a_stop_gives_the_rest_of_the_chain_back) {
    start_stuck();
    office->request_stop();
    stuck.open();
    office->wait();
    EXPECT_EQ(count("in_flight"), "0");
    EXPECT_EQ(value("select count(*) from postrider.delivery where attempts > 0"), "0");
    worker next(ordered());
    next.on("changed", "office.book",
            [&](const event& change, context&) { return handle(change); });
    next.start();
    EXPECT_TRUE(becomes("400", delivered_count, 60s));
    stop(next);
    expect_order(400);
}

TEST_F(ordering_chains_stuck,
       a_message_that_takes_long_holds_neither_other_keys_nor_its_followers) {
    start_stuck();
    EXPECT_TRUE(becomes("300", std::string(delivered_count) + " and ordering_key <> 'key 1'", 20s));
    EXPECT_TRUE(becomes("key 1 in_flight 50",
                        "select key || ' ' || status || ' ' || followers"
                        " from postrider.blocked_keys",
                        20s))
        << "those behind it are in no lease";
    stuck.open();
    EXPECT_TRUE(becomes("400", delivered_count, 60s));
    stop(*office);
    expect_order(400);
}

}  // namespace
}  // namespace postrider::test
