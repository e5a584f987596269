#include <array>
#include <future>
#include <postrider/postrider.hpp>
#include <thread>

#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

// No worker sweeps or polls within the time these tests take: every message found was announced.
class waking : public worker_fixture {
  protected:
    worker_options sound_sleeper(const std::string& consumer = "office") const {
        auto made = options(consumer);
        made.sweep = 1h;
        made.poll = 1h;
        return made;
    }
};

TEST_F(waking, a_sleeping_worker_is_rung_for_every_message) {
    worker office(sound_sleeper());
    office.on("*", "office.all", [](const event&) {});
    office.start();
    for (std::size_t n = 1; n <= 5; ++n) {
        ASSERT_TRUE(asleep());
        publish("a.b");
        ASSERT_TRUE(watching->wait_runs(n));
    }
}

TEST_F(waking, messages_published_before_the_worker_listened_are_found) {
    auto from_the_start = sound_sleeper();
    from_the_start.from_beginning = true;
    publish("a.b");
    worker office(from_the_start);
    office.on("*", "office.all", [](const event&) {});
    office.start();
    EXPECT_TRUE(watching->wait_runs(1));
}

TEST_F(waking, a_resumed_consumer_goes_on_at_once) {
    worker office(sound_sleeper());
    office.on("*", "office.all", [](const event&) {});
    office.start();
    session.exec("select postrider.pause_consumer('office')");
    publish("a.b");
    ASSERT_TRUE(asleep());
    EXPECT_TRUE(watching->runs().empty());
    session.exec("select postrider.pause_consumer('office', p_paused => false)");
    EXPECT_TRUE(watching->wait_runs(1));
}

TEST_F(waking, another_worker_takes_over_when_the_keeper_leaves) {
    auto first = std::make_unique<worker>(sound_sleeper());
    first->on("*", "office.all", [](const event&) {});
    first->start();
    ASSERT_TRUE(asleep());
    worker second(sound_sleeper());
    second.on("*", "office.all", [](const event&) {});
    second.start();
    first.reset();
    ASSERT_TRUE(asleep());
    publish("a.b");
    EXPECT_TRUE(watching->wait_runs(1));
}

TEST_F(waking, a_retry_is_due_without_anybody_ringing) {
    worker office(sound_sleeper());
    handler_options again;
    again.retry = {.curve = curve::fixed, .base = 200ms};
    office.on(
        "*", "office.flaky",
        [](const event&, context& ctx) {
            return ctx.attempts() == 1 ? transient("once") : delivered();
        },
        again);
    office.start();
    publish("a.b");
    EXPECT_TRUE(watching->wait_runs(2));
}

TEST_F(waking, a_channel_that_never_rings_is_polled) {
    session.exec("select postrider.set_wake('outbox_default', 'never')");
    auto polling = options();
    polling.sweep = 1h;
    polling.poll = 50ms;
    worker office(polling);
    office.on("*", "office.all", [](const event&) {});
    office.start();
    publish("a.b");
    EXPECT_TRUE(watching->wait_runs(1));
}

TEST_F(waking, every_worker_helps_when_one_has_its_hands_full) {
    auto busy = sound_sleeper();
    busy.concurrency = 1;
    busy.in_flight_max = 1;
    worker first(busy);
    worker second(busy);
    std::mutex mutex;
    std::condition_variable both;
    int inside = 0;
    const auto meet = [&](const event&) {
        std::unique_lock lock(mutex);
        ++inside;
        both.notify_all();
        EXPECT_TRUE(both.wait_for(lock, 20s, [&] { return inside >= 2; }));
    };
    first.on("*", "office.meet", meet);
    second.on("*", "office.meet", meet);
    first.start();
    second.start();
    ASSERT_TRUE(asleep());
    session.exec("select postrider.publish('a.' || n) from generate_series(1, 2) n");
    EXPECT_TRUE(watching->wait_runs(2));
}

// Three consumers, each with a sleeping worker.
class waking_every_consumer : public waking {
  protected:
    static constexpr std::array consumers{"one", "two", "three"};

    void start_workers() {
        for (const auto* name : consumers) {
            start_worker(name);
        }
    }
    void start_worker(const std::string& name, const std::string& types = "*") {
        auto& made = workers_.emplace_back(std::make_unique<worker>(sound_sleeper(name)));
        made->on(types, name + ".all", [](const event&) {});
        made->start();
    }
    pg::connection silent_publisher(const std::string& type) {
        auto open = database.connect();
        open.exec("begin");
        open.exec("select postrider.publish('" + type + "')");
        return open;
    }
    std::vector<std::unique_ptr<worker>> workers_;
};

TEST_F(waking_every_consumer, a_transaction_left_open_delays_only_its_own_message) {
    for (const auto* name : consumers) {
        session.exec("select postrider.create_consumer('" + std::string(name) + "')");
    }
    auto open = silent_publisher("late.x");
    start_workers();
    for (std::size_t n = 1; n <= 5; ++n) {
        publish("a.b");
        ASSERT_TRUE(watching->wait_runs(3 * n));
    }
    open.exec("commit");
    EXPECT_TRUE(watching->wait_runs(18));
}

TEST_F(waking_every_consumer,
       a_silent_message_is_announced_while_an_older_silent_transaction_stays_open) {
    for (const auto* name : consumers) {
        session.exec("select postrider.create_consumer('" + std::string(name) + "')");
    }
    auto open = silent_publisher("late.x");
    auto soon = silent_publisher("soon.x");
    start_workers();
    ASSERT_TRUE(becomes("1",
                        "select count(*) from pg_locks where locktype = 'advisory' and not granted"
                        " and classid = 1886351201 and database = "
                        "(select oid from pg_database where datname = current_database())"));
    soon.exec("commit");
    EXPECT_TRUE(watching->wait_runs(3));
    open.exec("rollback");
}

TEST_F(waking_every_consumer, a_paused_keeper_serves_the_others) {
    start_worker("paused");
    ASSERT_TRUE(asleep());
    session.exec("select postrider.pause_consumer('paused')");
    start_worker("two");
    start_worker("three", "c.*");
    publish("a.b");
    ASSERT_TRUE(watching->wait_runs(1));
    publish("c.d");
    EXPECT_TRUE(watching->wait_runs(3));
}

TEST_F(waking_every_consumer, a_keeper_with_a_slow_handler_serves_the_others) {
    std::promise<void> release;
    const auto released = release.get_future().share();
    auto single = sound_sleeper("slow");
    single.concurrency = 1;
    single.in_flight_max = 1;
    worker slow(single);
    slow.on("*", "slow.all", [released](const event&) { released.wait(); });
    slow.start();
    ASSERT_TRUE(asleep());
    start_worker("quick");
    for (std::size_t n = 1; n <= 5; ++n) {
        publish("a.b");
        EXPECT_TRUE(watching->wait_runs(n));
    }
    release.set_value();
    EXPECT_TRUE(watching->wait_runs(10));
}

TEST_F(waking_every_consumer,
       a_flood_of_publications_reaches_all_of_them_and_ends_in_notifications) {
    start_workers();
    ASSERT_TRUE(asleep());
    constexpr int publishers = 4;
    constexpr int each = 400;
    std::vector<std::thread> all;
    for (int i = 0; i < publishers; ++i) {
        all.emplace_back([&] {
            auto publisher = database.connect();
            publisher.exec("set synchronous_commit = off");
            for (int n = 0; n < each; ++n) {
                publisher.exec("select postrider.publish('a.b')");
            }
        });
    }
    for (auto& one : all) {
        one.join();
    }
    EXPECT_TRUE(watching->wait_runs(3 * publishers * each));
    ASSERT_TRUE(asleep());
    publish("a.b");
    EXPECT_TRUE(watching->wait_runs(3 * publishers * each + 3));
}

TEST_F(waking_every_consumer,
       a_foreign_connection_with_the_keepers_lock_is_named_and_polled_around) {
    session.exec("select postrider.doorbell_keep('outbox_default')");
    auto polling = sound_sleeper();
    polling.poll = 50ms;
    worker office(polling);
    office.on("*", "office.all", [](const event&) {});
    office.start();
    ASSERT_TRUE(watching->wait_state("keeper_unserved"));
    EXPECT_NE(watching->said().find("user "), std::string::npos);
    auto other = database.connect();
    other.exec("select postrider.publish('a.b')");
    ASSERT_TRUE(watching->wait_runs(1));
    session.exec("select pg_advisory_unlock_all()");
    EXPECT_TRUE(asleep());
}

TEST_F(waking_every_consumer, a_keeper_that_loses_its_connections_is_replaced) {
    start_workers();
    ASSERT_TRUE(asleep());
    session.exec(
        "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted"
        " and classid in (1886351201, 1886351203) and database = "
        "(select oid from pg_database where datname = current_database())");
    publish("a.b");
    EXPECT_TRUE(watching->wait_runs(3));
}

TEST_F(waking, a_channel_that_is_told_to_be_quiet_is_polled_and_back) {
    auto polling = options();
    polling.sweep = 1h;
    polling.poll = 50ms;
    worker office(polling);
    office.on("*", "office.all", [](const event&) {});
    office.start();
    ASSERT_TRUE(asleep());
    session.exec("select postrider.set_wake('outbox_default', 'never')");
    ASSERT_TRUE(becomes("0",
                        "select count(*) from pg_locks where locktype = 'advisory' and classid = "
                        "1886351201 and database = "
                        "(select oid from pg_database where datname = current_database())"));
    publish("a.b");
    ASSERT_TRUE(watching->wait_runs(1));
    session.exec("select postrider.set_wake('outbox_default', 'doorbell')");
    EXPECT_TRUE(asleep());
}

}  // namespace
}  // namespace postrider::test
