// Work besides handling messages: replays and retention, and how little of it an idle worker does.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class duties : public worker_fixture {
  protected:
    // Creates dead letters of office.print.
    void bury(int count) {
        worker office(options());
        office.on("page.print", "office.print", [](const event&) { return terminal("no paper"); });
        office.drain();
        session.exec("select postrider.publish('page.print') from generate_series(1, " +
                     std::to_string(count) + ")");
        office.drain();
        ASSERT_EQ(this->count("failed"), std::to_string(count));
    }
    static worker& with_paper(worker& office) {
        return office.on("page.print", "office.print", [](const event&) {});
    }
    std::string start_replay(const std::string& more = "") {
        return value(
            "select postrider.replay_start('{\"handler\": \"office.print\"}', 'ada', 'paper'" +
            more + ")");
    }
};

TEST_F(duties, a_sleeping_worker_moves_a_replay_as_soon_as_it_starts) {
    bury(300);
    worker office(options());
    with_paper(office).start();
    ASSERT_TRUE(watching->wait_state("started"));
    // Its first check for replays is over.
    ASSERT_TRUE(asleep());
    const auto replay = start_replay();
    ASSERT_TRUE(
        becomes("finished", "select phase from postrider.replays where replay = " + replay));
    EXPECT_EQ(count("delivered"), "300");
    // Sooner than by the check that workers make every ten seconds.
    EXPECT_EQ(value("select extract(epoch from ended_at - started_at) < 9 from postrider.replays"),
              "t");
}

TEST_F(duties, a_replay_goes_at_the_rate_that_was_asked_for) {
    bury(300);
    worker office(options());
    with_paper(office).start();
    const auto replay = start_replay(", p_rate => 100");
    ASSERT_TRUE(
        becomes("finished", "select phase from postrider.replays where replay = " + replay));
    // The first one goes at once, the last of 300 after 2.99 s.
    EXPECT_EQ(value("select round(extract(epoch from max(moved_at) - min(moved_at)) * 10)"
                    " between 28 and 33 from postrider.replay_item"),
              "t")
        << value("select max(moved_at) - min(moved_at) from postrider.replay_item");
}

TEST_F(duties, a_replay_that_is_resumed_goes_on) {
    bury(10);
    const auto replay = start_replay();
    session.exec("select postrider.replay_pause(" + replay + ", 'ada', 'lunch')");
    worker office(options());
    with_paper(office).start();
    ASSERT_TRUE(watching->wait_state("started"));
    // It has checked for replays, and not moved this one.
    ASSERT_TRUE(asleep());
    EXPECT_EQ(count("failed"), "10");
    session.exec("select postrider.replay_resume(" + replay + ", 'ada', 'full')");
    EXPECT_TRUE(
        becomes("finished", "select phase from postrider.replays where replay = " + replay, 5s));
}

TEST_F(duties, a_starting_worker_continues_a_replay_without_workers) {
    bury(10);
    const auto replay = start_replay();
    worker office(options());
    with_paper(office).start();
    EXPECT_TRUE(
        becomes("finished", "select phase from postrider.replays where replay = " + replay, 5s));
}

TEST_F(duties, a_replay_that_waits_for_a_lock_delays_no_message) {
    bury(500);
    auto other = database.connect();
    // Of the first step, which runs between claims.
    other.exec(
        "begin; select from postrider.delivery where id = (select min(id) from"
        " postrider.delivery) for update");
    worker office(options());
    with_paper(office).on("page.urgent", "office.hurry", [](const event&) {}).start();
    const auto replay = start_replay();
    const auto steps = [](const std::string& also) {
        return "select count(*) from pg_stat_activity where datname = current_database()"
               " and pid <> pg_backend_pid() and query like '%replay_step%'" +
               also;
    };
    ASSERT_TRUE(becomes("1", steps(" and wait_event_type = 'Lock'")));
    for (int i = 1; i <= 5; ++i) {
        const auto began = std::chrono::steady_clock::now();
        session.exec("select postrider.publish('page.urgent')");
        EXPECT_TRUE(becomes(std::to_string(i),
                            "select count(*) from postrider.outbox where status = 'delivered' and"
                            " event_type = 'page.urgent'"));
        EXPECT_LT(std::chrono::steady_clock::now() - began, 5s) << "it waited for the step";
    }
    other.exec("commit");
    ASSERT_TRUE(
        becomes("finished", "select phase from postrider.replays where replay = " + replay, 30s));
    EXPECT_TRUE(becomes("0", steps(""))) << "the connection is for a replay that moves";
}

TEST_F(duties, a_worker_without_a_second_connection_says_so_and_moves_the_replay) {
    bury(900);
    worker office(options());
    with_paper(office).start();
    ASSERT_TRUE(watching->wait_state("started"));
    pg::connection elsewhere(test_conninfo("postgres"));
    elsewhere.exec("alter database " + database.name() + " allow_connections false");
    const auto replay = start_replay();
    EXPECT_TRUE(
        becomes("finished", "select phase from postrider.replays where replay = " + replay));
    EXPECT_TRUE(watching->wait_state("replay_step"));
    EXPECT_NE(watching->said().find("no connection of their own"), std::string::npos)
        << watching->said();
    elsewhere.exec("alter database " + database.name() + " allow_connections true");
}

TEST_F(duties, the_servers_queue_of_notifications_is_a_figure_and_an_alarm) {
    auto attentive = options();
    attentive.heartbeat_timeout = 2s;
    worker office(attentive);
    with_paper(office).start();
    ASSERT_TRUE(watching->wait_queue(2));
    EXPECT_LT(watching->queue().back(), 0.01);
    // A session that listens inside a transaction holds the queue, which has 8 GiB.
    auto careless = database.connect();
    careless.exec("listen elsewhere");
    careless.exec("begin");
    careless.exec("select 1");
    session.exec(
        "select pg_notify('elsewhere', repeat('x', 7900) || g) from generate_series(1, 12000) g");
    ASSERT_TRUE(watching->wait_state("notification_queue_filling"));
    EXPECT_GE(watching->queue().back(), 0.01);
    careless.exec("rollback");
    EXPECT_TRUE(watching->wait_state("notification_queue_drained"));
}

TEST_F(duties, retention_that_is_behind_goes_on_until_it_is_not) {
    session.exec(
        "insert into postrider.event_handled"
        " (consumer_name, handler_name, idempotency_key, handled_at)"
        " select 'office', 'office.print', g::text, clock_timestamp() - interval '10 years'"
        " from generate_series(1, 8000) g");
    worker one(options());
    worker other(options());
    with_paper(one).start();
    with_paper(other).start();
    EXPECT_TRUE(becomes("0", "select count(*) from postrider.event_handled"));
}

}  // namespace
}  // namespace postrider::test
