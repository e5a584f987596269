#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <postrider/postrider.hpp>

#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

outcome until_asked_to_stop(const context& ctx) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait(lock, ctx.stop_token(), [] { return false; });
    return transient("out of time", "timeout");
}

/// Whether a thread of this process blocks a signal.
bool blocks(const std::filesystem::path& thread, int signal) {
    std::ifstream status(thread / "status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("SigBlk:")) {
            return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
        }
    }
    return false;
}

class stopping : public worker_fixture {};

TEST_F(stopping, signals_of_the_program_do_not_reach_threads_of_the_worker) {
    worker office(options());
    office.on("*", "office.all", [](const event&) {});
    office.start();
    ASSERT_TRUE(watching->wait_state("started"));
    int threads = 0;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        if (thread.path().filename() != std::to_string(::getpid())) {
            ++threads;
            EXPECT_TRUE(blocks(thread, SIGTERM) && blocks(thread, SIGUSR1)) << thread;
        }
    }
    EXPECT_GE(threads, 6) << "the coordinator, the watchdog, and four that run handlers";
    office.request_stop();
    office.wait();
}

TEST_F(stopping, stopping_before_starting_and_stopping_twice_are_legal) {
    worker office(options());
    office.on("*", "office.all", [](const event&) {});
    office.request_stop();
    office.request_stop();
    office.start();
    office.wait();
    EXPECT_FALSE(office.running());
    EXPECT_EQ(value("select count(*) from postrider.worker"), "0");
}

TEST_F(stopping, a_worker_stops_while_the_database_cannot_be_reached) {
    auto nowhere = options();
    nowhere.database = "host=/nonexistent dbname=none";
    worker office(nowhere);
    office.on("*", "office.all", [](const event&) {});
    office.start();
    EXPECT_TRUE(watching->wait_state("connection_lost"));
    office.request_stop();
    office.wait();
    EXPECT_EQ(watching->count_state("stopped"), 1);
}

TEST_F(stopping, running_handlers_finish_and_the_rest_is_given_back_uncharged) {
    auto one = options();
    one.concurrency = 1;
    one.in_flight_max = 3;
    worker office(one);
    std::promise<void> entered;
    std::promise<void> leave;
    std::atomic<int> runs = 0;
    office.on("*", "office.slow", [&](const event&) {
        if (++runs == 1) {
            entered.set_value();
            leave.get_future().wait();
        }
    });
    handler_options together;
    together.batch_max = 3;  // so that the first claim takes all three
    office.on(
        "never", "office.batch", [](std::span<const event>) {}, together);
    office.start();
    session.exec("select postrider.publish('a.' || n) from generate_series(1, 3) n");
    entered.get_future().wait();
    EXPECT_TRUE(
        becomes("3", "select cardinality(members) from postrider.lease where finished_at is null"));
    office.request_stop();
    EXPECT_TRUE(watching->wait_state("stopping"));
    EXPECT_TRUE(
        becomes("2",
                "select count(*) from postrider.outbox where status = 'pending' and attempts = 0"
                " and interruptions = 1"));
    leave.set_value();
    office.wait();
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(count("delivered"), "1");
    EXPECT_EQ(count("pending"), "2");
}

TEST_F(stopping, a_second_request_ends_at_once_and_gives_back_running_messages) {
    auto patient = options();
    patient.shutdown_timeout = 1h;
    std::promise<void> entered;
    std::promise<void> ended;
    {
        worker office(patient);
        office.on("*", "office.stuck", [&](const event&, context& ctx) {
            entered.set_value();
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any never;
            never.wait(lock, ctx.stop_token(), [] { return false; });
            ended.set_value();
        });
        office.start();
        publish("a.b");
        entered.get_future().wait();
        office.request_stop();
        office.request_stop();
        office.wait();
        EXPECT_EQ(value("select status || ' ' || attempts from postrider.outbox"), "pending 0");
    }
    ended.get_future().wait();  // the handler saw the stop token
}

TEST_F(stopping, a_handler_that_ignores_the_grace_period_is_left_behind) {
    auto hasty = options();
    hasty.shutdown_timeout = 50ms;
    std::promise<void> entered;
    auto leave = std::make_shared<std::promise<void>>();
    auto left = std::make_shared<std::promise<void>>();
    {
        worker office(hasty);
        office.on("*", "office.stuck", [&entered, leave, left](const event&) {
            entered.set_value();
            leave->get_future().wait();
            left->set_value();
        });
        office.start();
        publish("a.b");
        entered.get_future().wait();
        office.request_stop();
        office.wait();
        EXPECT_EQ(count("pending"), "1");
    }
    leave->set_value();
    left->get_future().wait();
}

TEST_F(stopping, a_handler_out_of_time_is_asked_to_stop) {
    worker office(options());
    handler_options quick;
    quick.timeout = 100ms;
    office.on(
        "*", "office.slow", [](const event&, context& ctx) { return until_asked_to_stop(ctx); },
        quick);
    office.start();
    publish("a.b");
    ASSERT_TRUE(watching->wait_runs(1));
    EXPECT_EQ(watching->count_state("handler_overdue"), 1);
    EXPECT_TRUE(becomes("timeout", "select error_class from postrider.outbox"));
}

TEST_F(stopping, a_worker_until_idle_ends_when_everything_that_is_due_was_handled) {
    auto batch = options();
    batch.until_idle = true;
    batch.from_beginning = true;
    for (int i = 0; i < 10; ++i) {  // more failures in a row would look like an outage
        publish("a.b");
    }
    publish("later", "p_available_at => clock_timestamp() + interval '1 hour'");
    worker office(batch);
    office.on(
        "*", "office.once_more",
        [](const event&, context& ctx) {
            return ctx.attempts() == 1 ? retry_after(0ms) : delivered();
        },
        soon());
    office.start();
    office.wait();
    EXPECT_EQ(watching->runs().size(), 20U);
    EXPECT_EQ(count("delivered"), "10");
    EXPECT_EQ(count("pending"), "1");
}

TEST_F(stopping, a_token_kept_from_one_run_says_nothing_about_another) {
    auto alone = options();
    alone.concurrency = 1;
    worker office(alone);
    handler_options quick;
    quick.timeout = 100ms;
    std::stop_token kept;
    office.on(
        "*", "office.slow",
        [&](const event& e, context& ctx) {
            if (e.event_type() == "first") {
                kept = ctx.stop_token();
                return delivered();
            }
            return until_asked_to_stop(ctx);
        },
        quick);
    office.start();
    publish("first");
    ASSERT_TRUE(watching->wait_runs(1));
    publish("second");
    ASSERT_TRUE(watching->wait_runs(2));
    EXPECT_FALSE(kept.stop_requested());
}

}  // namespace
}  // namespace postrider::test
