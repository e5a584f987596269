// Head-of-line blocking: a message that waits in a lease behind long handlers is released to
// another worker, uncharged.
#include <postrider/postrider.hpp>

#include "support/turnstile.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class releasing : public worker_fixture {
  protected:
    /// No sweep or poll happens during a test: a released message must be announced.
    worker_options with_threads(int threads) const {
        auto made = options();
        made.concurrency = threads;
        made.sweep = 1h;
        made.poll = 1h;
        return made;
    }
    /// Long jobs wait at the door.
    void start(worker& one, turnstile& jobs) {
        one.on("long", "office.long", [&jobs](const event&) { EXPECT_TRUE(jobs.pass()); });
        one.on("short", "office.short",
               [](const event&, context& ctx) { EXPECT_EQ(ctx.attempts(), 1); });
        one.start();
    }
    /// Quick messages, so that the worker claims many at once.
    void warm_up() {
        session.exec("select postrider.publish('short') from generate_series(1, 1000)");
        EXPECT_TRUE(watching->wait_runs(1000));
        EXPECT_TRUE(asleep());
    }
    /// In one transaction, so that one worker claims all of them.
    void publish_mixed(int long_jobs, int short_jobs) {
        session.exec("select postrider.publish(case when n <= " + std::to_string(long_jobs) +
                     " then 'long' else 'short' end) from generate_series(1, " +
                     std::to_string(long_jobs + short_jobs) + ") n");
    }
    std::string leases() { return value("select count(*) from postrider.lease"); }

    turnstile first_door;
    turnstile second_door;
};

TEST_F(releasing, an_idle_worker_runs_messages_behind_long_jobs_of_another) {
    worker first(with_threads(2));
    start(first, first_door);
    warm_up();
    publish_mixed(2, 200);
    ASSERT_TRUE(first_door.wait_for(2));
    worker second(with_threads(2));
    start(second, second_door);
    EXPECT_TRUE(watching->wait_done(1200));
    EXPECT_TRUE(
        becomes("1200", "select count(*) from postrider.outbox where status = 'delivered'"));
    EXPECT_EQ(count("in_flight"), "2");
    EXPECT_EQ(value("select count(*) from postrider.delivery where attempts <> 1"), "0");
    first_door.open();
    EXPECT_TRUE(
        becomes("1202", "select count(*) from postrider.outbox where status = 'delivered'"));
}

TEST_F(releasing, held_due_deliveries_reach_another_worker) {
    worker first(with_threads(2));
    start(first, first_door);
    warm_up();
    session.exec("begin");  // the worker finds all of them before its threads are busy
    make_deliveries("long", "office.long", 2, "null", 2);
    make_deliveries("short", "office.short", 200, "null", 1);
    session.exec("commit");
    ASSERT_TRUE(first_door.wait_for(2));
    EXPECT_TRUE(
        becomes("t", "select count(*) > 50 from postrider.delivery where status = 'in_flight'"));
    worker second(with_threads(2));
    start(second, second_door);
    EXPECT_TRUE(watching->wait_done(1200));
    EXPECT_TRUE(becomes("2", "select count(*) from postrider.outbox where status = 'in_flight'"));
    EXPECT_EQ(value("select count(*) from postrider.delivery where attempts <> 1 or suspect"), "0");
    first_door.open();
    EXPECT_TRUE(
        becomes("1202", "select count(*) from postrider.outbox where status = 'delivered'"));
}

TEST_F(releasing, a_worker_that_slept_meanwhile_is_woken_for_released_messages) {
    worker first(with_threads(2));
    start(first, first_door);
    warm_up();
    worker second(with_threads(2));
    start(second, second_door);
    // Either worker may get the long jobs; a producer that stays open keeps the doorbell busy.
    auto producer = database.connect();
    producer.exec("begin");
    producer.exec("select postrider.publish('other')");
    publish_mixed(2, 200);
    EXPECT_TRUE(watching->wait_done(1200));
    EXPECT_EQ(count("in_flight"), "2");
    producer.exec("rollback");
    first_door.open();
    second_door.open();
    EXPECT_TRUE(
        becomes("1202", "select count(*) from postrider.outbox where status = 'delivered'"));
}

TEST_F(releasing, a_worker_without_a_peer_keeps_its_messages_and_claims_no_more) {
    worker office(with_threads(2));
    start(office, first_door);
    warm_up();
    publish_mixed(2, 50);
    ASSERT_TRUE(first_door.wait_for(2));
    session.exec("select pg_sleep(0.3)");  // until both threads count as stuck
    const auto before = leases();
    session.exec("select postrider.publish('short') from generate_series(1, 50)");
    session.exec("select pg_sleep(1.5)");  // time enough to release, and to claim too many
    EXPECT_EQ(leases(), before);
    EXPECT_EQ(value("select count(*) from postrider.delivery"), "0");
    first_door.open();
    EXPECT_TRUE(
        becomes("1102", "select count(*) from postrider.outbox where status = 'delivered'"));
}

TEST_F(releasing, workers_that_are_all_stuck_release_a_message_once) {
    worker first(with_threads(2));
    start(first, first_door);
    warm_up();
    worker second(with_threads(2));
    start(second, second_door);
    publish_mixed(2, 50);
    EXPECT_TRUE(watching->wait_done(1050));
    publish_mixed(2, 0);
    ASSERT_TRUE(becomes("4", "select count(*) from postrider.outbox where status = 'in_flight'"));
    publish_mixed(0, 50);
    session.exec("select pg_sleep(2.5)");
    EXPECT_EQ(value("select count(*) from postrider.delivery where interruptions > 1"), "0");
    first_door.open();
    second_door.open();
    EXPECT_TRUE(
        becomes("1104", "select count(*) from postrider.outbox where status = 'delivered'"));
    EXPECT_EQ(value("select count(*) from postrider.delivery where attempts <> 1"), "0");
}

// Messages of a batch handler wait together, and are released as the others are.
TEST_F(releasing, messages_for_a_batch_handler_are_released_too) {
    const auto handle_batches = [](worker& one, turnstile& door) {
        one.on("long", "office.long", [&door](const event&) { EXPECT_TRUE(door.pass()); });
        one.on("many", "office.many", [](std::span<const event>) {}, {.batch_max = 10});
    };
    worker first(with_threads(1));
    handle_batches(first, first_door);
    first.start();
    ASSERT_TRUE(asleep());
    session.exec(
        "select postrider.publish(case n when 1 then 'long' else 'many' end)"
        " from generate_series(1, 10) n");
    ASSERT_TRUE(first_door.wait_for(1));
    worker second(with_threads(1));
    handle_batches(second, second_door);
    second.start();
    EXPECT_TRUE(watching->wait_done(9));
    EXPECT_TRUE(becomes("1", "select count(*) from postrider.outbox where status = 'in_flight'"));
    first_door.open();
    EXPECT_TRUE(becomes("10", "select count(*) from postrider.outbox where status = 'delivered'"));
}

}  // namespace
}  // namespace postrider::test
