#include <atomic>
#include <condition_variable>
#include <postrider/postrider.hpp>
#include <thread>

#include "support/eventually.hpp"
#include "support/turnstile.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class cancelling : public worker_fixture {
  protected:
    worker_options quick() const {
        auto made = options();
        made.heartbeat_timeout = 1s;  // a heartbeat every 333 ms
        return made;
    }
    static void wait_for_stop(const context& ctx) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any never;
        never.wait_for(lock, ctx.stop_token(), 30s, [] { return false; });
    }
    /// The message `first` waits at the door, runs of others are counted.
    static void count_runs_behind(worker& office, turnstile& door, std::atomic<int>& runs) {
        office.on("*", "office.all", [&](const event& e) {
            if (e.event_type() == "first") {
                door.pass();
            } else {
                ++runs;
            }
        });
    }
    void publish_three() {
        session.exec(
            "select postrider.publish_many('[{\"event_type\": \"first\"},"
            " {\"event_type\": \"second\"}, {\"event_type\": \"third\"}]')");
    }
    void cancel(const std::string& type) {
        session.exec("select postrider.cancel('{\"consumer\": \"office\", \"event_type\": \"" +
                     type + "\"}', 'test', 'a test')");
    }
    std::string state(const std::string& type) {
        return value(
            "select string_agg(p.state, ',') from postrider.message m"
            " cross join lateral postrider.job_places(m.id) p where m.event_type = '" +
            type + "'");
    }
};

TEST_F(cancelling, a_running_handler_is_asked_to_stop_and_its_neighbour_finishes) {
    worker office(quick());
    turnstile both;
    std::atomic<bool> stopped = false;
    std::atomic<bool> neighbour_stopped = false;
    office.on("long", "office.long", [&](const event&, context& ctx) {
        both.pass();
        wait_for_stop(ctx);
        stopped = ctx.stop_token().stop_requested();
        return transient("stopped", "stopped");
    });
    turnstile later;
    office.on("other", "office.other", [&](const event&, context& ctx) {
        both.pass();
        later.pass();
        neighbour_stopped = ctx.stop_token().stop_requested();
        return delivered();
    });
    office.start();
    ASSERT_TRUE(asleep());
    session.exec(
        "select postrider.publish_many('[{\"event_type\": \"long\"},"
        " {\"event_type\": \"other\"}]')");
    ASSERT_TRUE(both.wait_for(2));
    both.open();
    cancel("long");
    EXPECT_TRUE(watching->wait_state("job_cancelled"));
    later.open();
    EXPECT_TRUE(becomes("0", "select count(*) from postrider.outbox where status = 'in_flight'"));
    office.request_stop();
    office.wait();
    EXPECT_TRUE(stopped);
    EXPECT_FALSE(neighbour_stopped);
    EXPECT_EQ(state("long"), "cancelled");
    EXPECT_EQ(state("other"), "delivered");
    EXPECT_EQ(value("select count(*) from postrider.alerts"), "0");
}

TEST_F(cancelling, a_retry_is_asked_to_stop_and_its_report_does_not_count) {
    worker office(quick());
    turnstile second;
    office.on(
        "job", "office.job",
        [&](const event&, context& ctx) {
            if (ctx.attempts() == 1) {
                return transient("not yet", "early");
            }
            second.pass();
            wait_for_stop(ctx);
            return delivered();
        },
        soon());
    office.start();
    publish("job");
    ASSERT_TRUE(second.wait_for(1));
    second.open();
    cancel("job");
    EXPECT_TRUE(watching->wait_state("job_cancelled"));
    office.request_stop();
    office.wait();
    EXPECT_EQ(state("job"), "cancelled");
}

TEST_F(cancelling, a_job_that_waits_in_the_worker_is_not_started) {
    auto one = quick();
    one.concurrency = 1;
    one.in_flight_max = 3;
    worker office(one);
    turnstile first;
    std::atomic<int> runs = 0;
    count_runs_behind(office, first, runs);
    handler_options together;
    together.batch_max = 3;  // so that the first claim takes all three
    office.on(
        "never", "office.batch", [](std::span<const event>) {}, together);
    office.start();
    ASSERT_TRUE(asleep());
    publish_three();
    ASSERT_TRUE(first.wait_for(1));
    ASSERT_TRUE(
        becomes("3", "select cardinality(members) from postrider.lease where finished_at is null"));
    cancel("second");
    EXPECT_TRUE(watching->wait_state("job_cancelled"));
    first.open();
    EXPECT_TRUE(becomes("2", "select count(*) from postrider.outbox where status = 'delivered'"));
    office.request_stop();
    office.wait();
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(state("second"), "cancelled");
}

TEST_F(cancelling, a_job_ahead_of_the_cursor_is_passed_over_and_the_next_one_runs_at_once) {
    auto one = quick();
    one.concurrency = 1;
    one.in_flight_max = 1;
    worker office(one);
    turnstile first;
    std::atomic<int> runs = 0;
    count_runs_behind(office, first, runs);
    office.start();
    ASSERT_TRUE(asleep());
    publish_three();
    ASSERT_TRUE(first.wait_for(1));
    cancel("second");
    EXPECT_EQ(value("select cardinality(cancelled) from postrider.consumer"), "1");
    first.open();
    EXPECT_TRUE(
        becomes("2", "select count(*) from postrider.outbox where status = 'delivered'", 5s));
    EXPECT_EQ(value("select cancelled is null from postrider.consumer"), "t");
    office.request_stop();
    office.wait();
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(state("second"), "cancelled");
}

TEST_F(cancelling, a_batch_handler_is_asked_to_stop_when_all_of_its_messages_are_cancelled) {
    worker office(quick());
    turnstile begun;
    std::atomic<int> seen = 0;
    std::atomic<bool> stopped = false;
    std::atomic<bool> stopped_early = false;
    office.on("*", "office.batch",
              [&](std::span<const event> all, context& ctx) {
                  begun.pass();
                  while (!ctx.stop_requested()) {
                      int cancelled = 0;
                      for (std::size_t i = 0; i < all.size(); ++i) {
                          cancelled += ctx.cancelled(i) ? 1 : 0;
                      }
                      seen = cancelled;
                      stopped_early = stopped_early || (ctx.stop_requested() && cancelled < 2);
                      std::this_thread::yield();
                  }
                  stopped = true;
              },
              {.batch_max = 2});
    office.start();
    ASSERT_TRUE(asleep());
    session.exec(
        "select postrider.publish_many('[{\"event_type\": \"one\"}, {\"event_type\": \"two\"}]')");
    ASSERT_TRUE(begun.wait_for(1));
    begun.open();
    cancel("one");
    EXPECT_TRUE(watching->wait_state("job_cancelled"));
    EXPECT_TRUE(eventually([&] { return seen == 1; }));
    EXPECT_FALSE(stopped);
    cancel("two");
    EXPECT_TRUE(eventually([&] { return stopped.load(); }));
    office.request_stop();
    office.wait();
    EXPECT_FALSE(stopped_early);
    EXPECT_EQ(state("one") + " " + state("two"), "cancelled cancelled");
}

}  // namespace
}  // namespace postrider::test
