// Schedules as workers declare and fire them.
#include <gtest/gtest.h>

#include <postrider/error.hpp>

#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class scheduling : public worker_fixture {
  protected:
    static schedule every_second(const std::string& name = "tick") {
        return {.name = name, .cron = "* * * * * *", .message = {.event_type = "clock.ticked"}};
    }
    static worker& with_handler(worker& office) {
        return office.on("clock.ticked", "office.look", [](const event&) {});
    }
    /// Every slot from the first to the last fired one has one message.
    void expect_each_slot_once() {
        EXPECT_EQ(value("select count(*) from (select source, count(*) as messages,"
                        " count(distinct id) as ids, 1 + extract(epoch from max(occurred_at) -"
                        " min(occurred_at)) as slots from postrider.message group by source) s"
                        " where messages <> ids or messages <> slots"),
                  "0")
            << value(
                   "select string_agg(source || ' ' || occurred_at, ', ' order by source, seq)"
                   " from postrider.message");
    }
};

TEST_F(scheduling, a_declared_schedule_fires_and_its_message_is_handled) {
    worker office(options());
    with_handler(office).schedule(every_second()).start();
    ASSERT_TRUE(watching->wait_done(2));
    office.request_stop();
    office.wait();
    EXPECT_EQ(value("select string_agg(distinct event_type || ' ' || source, ',')"
                    " from postrider.message"),
              "clock.ticked schedule:tick");
    EXPECT_EQ(value("select owner = session_user and overlap = 'allow' and catch_up = '1 hour'"
                    " from postrider.schedules where schedule = 'tick'"),
              "t");
    expect_each_slot_once();
}

TEST_F(scheduling, two_workers_fire_every_slot_once) {
    worker office(options());
    worker shop(options("shop"));
    for (auto* one : {&office, &shop}) {
        with_handler(*one);
        for (int i = 0; i < 20; ++i) {
            one->schedule(every_second("tick-" + std::to_string(i)));
        }
        one->start();
    }
    ASSERT_TRUE(becomes("t", "select min(fired) >= 2 from postrider.schedules"));
    for (auto* one : {&office, &shop}) {
        one->request_stop();
        one->wait();
    }
    EXPECT_EQ(watching->count_state("schedule_changed"), 0) << "they declare the same";
    expect_each_slot_once();
}

TEST_F(scheduling, a_slot_whose_session_dies_before_its_commit_fires_once) {
    session.exec(
        "select postrider.define_schedule('yearly', '{\"cron\": \"@yearly\", \"catch_up\":"
        " \"366 days\", \"message\": {\"event_type\": \"clock.ticked\"}}')");
    session.exec(
        "update postrider.schedule set next_slot = date_trunc('year', now()),"
        " next_at = now()");
    auto doomed = database.connect();
    doomed.exec("begin");
    ASSERT_EQ(doomed.exec("select fired from postrider.fire_due()").text(0, 0), "1");
    worker office(options());
    with_handler(office).start();
    ASSERT_TRUE(watching->wait_state("started"));
    EXPECT_EQ(value("select count(*) from postrider.message"), "0");
    session.exec("select pg_terminate_backend(" + std::to_string(doomed.backend_pid()) + ")");
    ASSERT_TRUE(watching->wait_done(1));
    EXPECT_EQ(value("select count(*) from postrider.message"), "1");
    EXPECT_EQ(value("select id = postrider.slot_id('yearly', occurred_at) from postrider.message"),
              "t");
}

TEST_F(scheduling, a_sleeping_worker_fires_a_schedule_that_is_defined_later) {
    worker office(options());
    with_handler(office).start();
    ASSERT_TRUE(watching->wait_state("started"));
    ASSERT_TRUE(asleep());
    session.exec(
        "select postrider.define_schedule('tick', '{\"cron\": \"@every 1s\", \"message\":"
        " {\"event_type\": \"clock.ticked\"}}')");
    // Sooner than by the check that workers make every thirty seconds.
    EXPECT_TRUE(watching->wait_done(1, 20s));
}

TEST_F(scheduling, messages_do_not_wait_for_a_transaction_that_defines_the_same_schedule) {
    const std::string yearly =
        R"('{"cron": "@yearly", "message": {"event_type": "clock.ticked"}}')";
    auto other = database.connect();
    other.exec("begin");
    other.exec("select postrider.define_schedule('tick', " + yearly + ")");
    worker office(options());
    with_handler(office)
        .schedule({.name = "tick", .cron = "@monthly", .message = {.event_type = "clock.ticked"}})
        .start();
    ASSERT_TRUE(watching->wait_state("schedule_waits"));
    publish("clock.ticked");
    EXPECT_TRUE(watching->wait_done(1));
    other.exec("rollback");
    // Workers look at the schedules when one is defined.
    session.exec("select postrider.define_schedule('another', " + yearly + ")");
    EXPECT_TRUE(
        becomes("@monthly", "select cron from postrider.schedules where schedule = 'tick'"));
}

TEST_F(scheduling, the_last_worker_to_start_decides_with_a_warning) {
    worker office(options());
    with_handler(office)
        .schedule({.name = "nightly",
                   .cron = "0 3 * * *",
                   .message = {.event_type = "report.due"},
                   .time_zone = "Europe/Berlin"})
        .start();
    EXPECT_EQ(watching->count_state("schedule_changed"), 0);
    worker later(options());
    with_handler(later)
        .schedule({.name = "nightly",
                   .cron = "0 4 * * *",
                   .message = {.event_type = "report.due", .priority = 5},
                   .overlap = overlap_policy::queue_one,
                   .catch_up = 2h,
                   .jitter = 1500ms})
        .start();
    EXPECT_EQ(watching->count_state("schedule_changed"), 1);
    EXPECT_EQ(value("select concat_ws(' ', cron, time_zone, overlap, catch_up, jitter,"
                    " message ->> 'priority') from postrider.schedules"),
              "0 4 * * * UTC queue_one 02:00:00 00:00:01.5 5");
}

TEST_F(scheduling, a_schedule_that_cannot_be_defined_is_refused) {
    worker office(options());
    EXPECT_THROW(office.schedule({.name = "a", .cron = "@daily", .message = {}}), usage_error)
        << "without an event type";
    EXPECT_THROW(office.schedule({.name = "a",
                                  .cron = "@daily",
                                  .message = {.event_type = "b", .idempotency_key = "c"}}),
                 usage_error)
        << "every slot would be the same";
    with_handler(office).schedule({.name = "a", .cron = "at noon", .message = {.event_type = "b"}});
    EXPECT_THROW(office.start(), error) << "only the server knows cron";
}

}  // namespace
}  // namespace postrider::test
