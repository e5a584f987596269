// A worker that can do no work stays idle: no busy loop, no repeated queries, no flood of reports.
#include <gtest/gtest.h>

#include <ctime>
#include <future>
#include <thread>

#include "fault/worker_under_fault.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class worker_calm : public worker_under_fault {
  protected:
    static double cpu_seconds() {
        timespec used{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
        return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
    }
    // There is no event to wait for: the test observes a period of time.
    static double cpu_during(std::chrono::milliseconds time) {
        const auto before = cpu_seconds();
        std::this_thread::sleep_for(time);
        return cpu_seconds() - before;
    }
    std::uint64_t writes_during(std::chrono::milliseconds time) {
        const auto before = gate.counts().writes;
        std::this_thread::sleep_for(time);
        return gate.counts().writes - before;
    }
    // Turns the next message into a delivery, as if its worker had crashed.
    void publish_crashed() {
        make_deliveries("slow.a", "office.slow", 1, "clock_timestamp() + interval '1 hour'");
        session.exec(
            "update postrider.delivery set crashes = 1, available_at = clock_timestamp()"
            " where event_type = 'slow.a'");
        session.exec("select postrider.ring('outbox_default')");
    }

    turnstile door;
};

TEST_F(worker_calm, waiting_for_the_last_handler_costs_nothing) {
    auto brief = behind_gate();
    brief.heartbeat_timeout = 1s;
    brief.shutdown_timeout = 20s;
    worker office(brief);
    office.on("slow.a", "office.slow", [&](const event&) { EXPECT_TRUE(door.pass()); });
    add_handlers(office).start();
    publish("slow.a");
    ASSERT_TRUE(door.wait_for(1));
    office.request_stop();
    ASSERT_TRUE(watching->wait_state("stopping"));
    EXPECT_LT(cpu_during(1500ms), 0.05);
    door.open();
    office.wait();
    EXPECT_EQ(count("delivered"), "1");
}

TEST_F(worker_calm, an_idle_worker_asks_less_than_once_a_second) {
    auto usual = behind_gate();
    usual.heartbeat_timeout = worker_options().heartbeat_timeout;
    usual.sweep = worker_options().sweep;
    worker office(usual);
    add_handlers(office).start();
    publish("plain.a");
    ASSERT_TRUE(watching->wait_runs(1));
    ASSERT_TRUE(asleep());
    // Plus the claims that follow a message, for messages without NOTIFY and waiting ones, and the
    // queries of a heartbeat.
    EXPECT_LE(writes_during(6s), 2U * 6U + 8U);
}

TEST_F(worker_calm, waiting_for_a_delivery_that_runs_alone_costs_nothing) {
    worker office(behind_gate());
    office.on("slow.a", "office.slow", [&](const event&) { EXPECT_TRUE(door.pass()); });
    add_handlers(office).start();
    publish_crashed();
    ASSERT_TRUE(door.wait_for(1));
    EXPECT_LT(cpu_during(1s), 0.05);
    door.open();
    EXPECT_TRUE(becomes("delivered", "select status from postrider.outbox"));
}

TEST_F(worker_calm, a_producer_that_takes_its_time_is_not_asked_all_the_time) {
    // The producer begins while no worker sleeps, so it will skip NOTIFY.
    session.exec("select postrider.create_consumer('office')");
    auto producer = database.connect();
    producer.exec("begin; select postrider.publish('plain.a'), postrider.publish('book.a')");
    ++published_;
    worker office(behind_gate());
    add_handlers(office).start();
    publish_some(1);
    EXPECT_TRUE(watching->wait_runs(2));
    ASSERT_TRUE(becomes("2", "select count(*) from postrider.outbox where status = 'delivered'"));
    EXPECT_LT(writes_during(1s), 200U);
    producer.exec("commit");
    expect_recovery();
}

TEST_F(worker_calm, a_paused_consumer_costs_nothing) {
    worker office(behind_gate());
    add_handlers(office).start();
    publish_some(1);
    expect_all_delivered();
    session.exec("select postrider.pause_consumer('office')");
    publish_some(10);
    session.exec("select postrider.publish('plain.a', p_priority => 5)");
    ASSERT_TRUE(asleep());
    EXPECT_LT(writes_during(1s), 40U);
    EXPECT_EQ(value("select count(*) from postrider.outbox where status = 'pending'"), "21");
    session.exec("select postrider.pause_consumer('office', p_paused => false)");
    EXPECT_TRUE(becomes("23", "select count(*) from postrider.outbox where status = 'delivered'"));
}

TEST_F(worker_calm, a_database_that_is_down_is_tried_once_a_second_and_reported_once) {
    const tcp_gate nowhere("/nonexistent/socket");
    auto lost = behind_gate();
    lost.database += " port=" + std::to_string(nowhere.port());
    worker office(lost);
    add_handlers(office).start();
    EXPECT_LT(cpu_during(3s), 0.1);
    EXPECT_GE(nowhere.counts().accepted, 2);
    EXPECT_LE(nowhere.counts().accepted, 5);
    EXPECT_EQ(watching->count_state("connection_lost"), 1);
}

TEST_F(worker_calm, a_crashed_delivery_gets_its_turn_while_the_log_is_busy) {
    worker office(behind_gate());
    std::atomic<int> inside = 0;
    std::atomic<int> handled = 0;
    std::atomic<bool> alone = false;
    office.on("slow.a", "office.slow", [&](const event&) { alone = inside == 0; });
    office.on("busy.a", "office.busy", [&](const event&) {
        ++inside;
        std::this_thread::sleep_for(2ms);  // long enough to observe a concurrent run
        --inside;
        ++handled;
        handled.notify_one();
    });
    add_handlers(office).start();
    std::atomic<bool> enough = false;
    auto producing = std::async(std::launch::async, [&] {
        auto producer = database.connect();
        // There is always work, but no more than can be finished.
        for (int published = 0; !enough; published += 20) {
            producer.exec("select postrider.publish('busy.a') from generate_series(1, 20)");
            for (int seen = handled; !enough && published - seen > 500; seen = handled) {
                handled.wait(seen);
            }
        }
    });
    publish_crashed();
    EXPECT_TRUE(
        becomes("delivered", "select status from postrider.outbox where event_type = 'slow.a'"));
    enough = true;
    producing.get();
    EXPECT_TRUE(alone);
    EXPECT_TRUE(becomes("0", "select count(*) from postrider.outbox where status <> 'delivered'"));
}

}  // namespace
}  // namespace postrider::test
