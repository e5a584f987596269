// A run that failed and has no delay to wait for is repeated within its lease, through the public
// API and a real database.
#include <future>
#include <postrider/postrider.hpp>

#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class immediate_retries : public worker_fixture {
  protected:
    static handler_options at_once(int max_attempts = 5) {
        handler_options made;
        made.retry.curve = curve::immediate;
        made.max_attempts = max_attempts;
        return made;
    }
    // Fails until the attempt of this number.
    static handler_function from_attempt(int number) {
        return [number](const event&, context& ctx) {
            return ctx.attempts() < number ? transient("not yet", "timeout") : delivered();
        };
    }
    // The worker's consumer begins with the messages published after this.
    template <typename Handler>
    int run(Handler handle, const handler_options& how, const std::string& more = "",
            int messages = 1) {
        worker office(options());
        office.on("page.*", "office.print", handle, how);
        office.drain();
        for (int i = 0; i < messages; ++i) {
            publish("page.a", more);
        }
        return office.drain();
    }
    std::string deliveries() { return value("select count(*) from postrider.delivery"); }
    std::string first_delivery() {
        return value(
            "select concat_ws(' ', status, attempts, failures, jsonb_array_length(attempt_history))"
            " from postrider.delivery");
    }
};

TEST_F(immediate_retries, a_message_that_succeeds_in_the_end_needs_no_row) {
    EXPECT_EQ(run(from_attempt(4), at_once(), "", 3), 3 * 4);
    EXPECT_EQ(count("delivered"), "3");
    EXPECT_EQ(deliveries(), "0");
    const auto runs = watching->runs();
    ASSERT_EQ(runs.size(), 12U) << "the sink is told of each run";
    EXPECT_EQ(runs[0].result, "transient");
    EXPECT_EQ(runs[3].result, "delivered");
    EXPECT_EQ(runs[3].attempts, 4);
}

TEST_F(immediate_retries, the_history_of_runs_counts_each_of_them) {
    {
        worker office(options());
        office.on("page.*", "office.print", from_attempt(2), at_once());
        office.start();
        publish("page.a");
        publish("page.a");
        EXPECT_TRUE(watching->wait_done(2));
    }
    EXPECT_EQ(
        value("select concat_ws(' ', delivered, transient, attempts) from postrider.run_bucket"
              " where width = 60"),
        "2 2 {2,2}");
}

TEST_F(immediate_retries, after_three_the_failure_is_reported_with_all_its_runs) {
    // The lease has four runs; the fifth is of a due delivery.
    EXPECT_EQ(run(from_attempt(6), at_once(9)), 6);
    EXPECT_EQ(first_delivery(), "delivered 6 5 5");
    EXPECT_EQ(value("select string_agg(attempt || ' ' || (duration_ms >= 0), ', ' order by attempt)"
                    " from postrider.attempts"),
              "1 true, 2 true, 3 true, 4 true, 5 true");
    EXPECT_EQ(value("select bool_and(at >= before) from (select at, lag(at, 1, at) over (order by"
                    " attempt) as before from postrider.attempts) a"),
              "t");
}

TEST_F(immediate_retries, a_message_dies_after_as_many_runs_as_ever) {
    EXPECT_EQ(run(from_attempt(100), at_once(3)), 3);
    EXPECT_EQ(first_delivery(), "failed 3 3 3");
    EXPECT_EQ(value("select count(*) from postrider.alert"), "1");
}

TEST_F(immediate_retries, one_attempt_is_not_repeated) {
    EXPECT_EQ(run(from_attempt(2), at_once(1)), 1);
    EXPECT_EQ(first_delivery(), "failed 1 1 1");
}

TEST_F(immediate_retries, the_maximum_of_the_message_counts) {
    EXPECT_EQ(run(from_attempt(100), at_once(5), "p_max_attempts => 2"), 2);
    EXPECT_EQ(first_delivery(), "failed 2 2 2");
}

TEST_F(immediate_retries, a_policy_with_a_delay_stores_the_failure) {
    auto how = soon();
    how.retry.base = 1h;
    how.retry.cap = 1h;
    EXPECT_EQ(run(from_attempt(2), how), 1);
    EXPECT_EQ(first_delivery(), "pending 1 1 1");
}

TEST_F(immediate_retries, an_outage_class_spends_no_attempt_and_is_not_repeated) {
    auto how = at_once();
    how.outage_classes = {"timeout"};
    int runs = 0;
    EXPECT_EQ(
        run([&](const event&,
                context&) { return ++runs == 1 ? transient("down", "timeout") : delivered(); },
            how),
        2);
    EXPECT_EQ(first_delivery(), "delivered 1 1 1") << "the second run is the first attempt";
}

TEST_F(immediate_retries, of_two_handlers_only_the_failed_one_is_repeated) {
    worker office(options());
    std::atomic<int> filed = 0;
    office.on(
        "page.*", "office.file", [&](const event&) { ++filed; }, at_once());
    office.on("page.*", "office.print", from_attempt(3), at_once());
    office.on("page.*", "office.burn", from_attempt(100), at_once(2));
    office.drain();
    publish("page.a");
    EXPECT_EQ(office.drain(), 1 + 3 + 2);
    EXPECT_EQ(filed, 1);
    EXPECT_EQ(first_delivery(), "failed 2 2 2");
    EXPECT_EQ(value("select string_agg(handler, ',') from postrider.delivery"), "office.burn");
}

TEST_F(immediate_retries, a_transaction_that_failed_leaves_nothing_behind) {
    session.exec("create table public.page (attempt int)");
    EXPECT_EQ(
        run(
            [](const event&, transaction& tx, context& ctx) {
                tx.exec("insert into public.page values (" + std::to_string(ctx.attempts()) + ")");
                return ctx.attempts() < 3 ? transient("not yet", "timeout") : delivered();
            },
            at_once()),
        3);
    EXPECT_EQ(value("select string_agg(attempt::text, ',') from public.page"), "3");
    EXPECT_EQ(deliveries(), "0");
}

TEST_F(immediate_retries, an_exception_is_repeated_like_an_outcome) {
    EXPECT_EQ(run(
                  [](const event&, context& ctx) {
                      if (ctx.attempts() == 1) {
                          throw std::runtime_error("no paper");
                      }
                      return delivered();
                  },
                  at_once()),
              2);
    EXPECT_EQ(deliveries(), "0");
}

TEST_F(immediate_retries, batch_handlers_are_not_repeated) {
    EXPECT_EQ(run(
                  [](std::span<const event> all, context& ctx) {
                      return std::vector(all.size(), ctx.attempts() == 1
                                                         ? transient("not yet", "timeout")
                                                         : delivered());
                  },
                  at_once()),
              2);
    EXPECT_EQ(first_delivery(), "delivered 2 1 1");
}

// 3 attempts each, of which the circuit counts every one.
TEST_F(immediate_retries, a_dependency_that_is_down_opens_the_circuit_and_kills_few_messages) {
    auto how = at_once(3);
    how.circuit.failures = 6;
    auto one = options();
    one.concurrency = 1;
    worker office(one);
    office.on("page.*", "office.print", from_attempt(100), how);
    office.drain();
    session.exec("select postrider.publish('page.a') from generate_series(1, 200)");
    office.drain();
    EXPECT_EQ(value("select state from postrider.circuit"), "open");
    // After seven failures in a row (six, and one for the thread) none is repeated.
    EXPECT_LE(std::stoi(count("failed")), 3);
    EXPECT_GE(std::stoi(count("pending")), 197);
    EXPECT_LE(watching->runs().size(), 200U + 3 * 3);
}

TEST_F(immediate_retries, a_stopping_worker_reports_the_failure_instead) {
    worker office(options());
    std::promise<void> entered;
    std::promise<void> leave;
    std::atomic<int> runs = 0;
    office.on(
        "page.*", "office.print",
        [&](const event&, context&) {
            if (++runs == 2) {
                entered.set_value();
                leave.get_future().wait();
            }
            return transient("not yet", "timeout");
        },
        at_once());
    office.start();
    publish("page.a");
    entered.get_future().wait();
    office.request_stop();
    EXPECT_TRUE(watching->wait_state("stopping"));
    leave.set_value();
    office.wait();
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(first_delivery(), "pending 2 2 2");
}

TEST_F(immediate_retries, a_cancelled_message_is_not_repeated) {
    auto quick = options();
    quick.heartbeat_timeout = 1s;
    worker office(quick);
    std::promise<void> entered;
    std::atomic<int> runs = 0;
    office.on(
        "page.*", "office.print",
        [&](const event&, context& ctx) {
            if (++runs == 1) {
                entered.set_value();
            }
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any never;
            never.wait_for(lock, ctx.stop_token(), 20s, [] { return false; });
            return transient("stopped", "timeout");
        },
        at_once());
    office.start();
    publish("page.a");
    entered.get_future().wait();
    session.exec("select postrider.cancel('{\"consumer\": \"office\"}', 'tester', 'test')");
    EXPECT_TRUE(watching->wait_runs(1));
    office.request_stop();
    office.wait();
    EXPECT_EQ(runs, 1);
}

// The run that was under way when the lease was taken back is the last one here.
TEST_F(immediate_retries, a_worker_that_lost_the_lease_repeats_nothing) {
    auto quick = options();
    quick.heartbeat_timeout = 1s;
    worker office(quick);
    std::promise<void> entered;
    std::atomic<int> runs = 0;
    office.on(
        "page.*", "office.print",
        [&](const event&, context& ctx) {
            if (++runs > 1) {
                return delivered();
            }
            entered.set_value();
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any never;
            never.wait_for(lock, ctx.stop_token(), 20s, [] { return false; });
            return transient("stopped", "timeout");
        },
        at_once());
    office.start();
    publish("page.a");
    entered.get_future().wait();
    session.exec(
        "update postrider.lease set deadline = clock_timestamp() - interval '1 second'"
        " where finished_at is null");
    session.exec("select postrider.reap()");
    EXPECT_TRUE(watching->wait_state("lease_lost"));
    // The other run is of the delivery that reap() made, uncharged.
    EXPECT_TRUE(becomes("delivered 1 0 0",
                        "select concat_ws(' ', status, attempts, failures,"
                        " jsonb_array_length(attempt_history)) from postrider.delivery"));
    EXPECT_EQ(runs, 2);
}

TEST_F(immediate_retries, of_an_ordering_key_the_next_message_does_not_overtake) {
    auto ordered = options();
    ordered.ordering = ordering_policy::hold();
    worker office(ordered);
    office.on(
        "page.*", "office.print",
        [](const event& e, context& ctx) {
            return e.event_type() == "page.1" && ctx.attempts() < 3 ? transient("no", "timeout")
                                                                    : delivered();
        },
        at_once());
    office.start();
    EXPECT_TRUE(watching->wait_state("started"));
    for (int i = 1; i <= 3; ++i) {
        publish("page." + std::to_string(i), "p_ordering_key => 'k'");
    }
    EXPECT_TRUE(watching->wait_done(3));
    std::string order;
    for (const auto& one : watching->runs()) {
        order += one.event_type.substr(5);
    }
    EXPECT_EQ(order, "11123");
    EXPECT_EQ(deliveries(), "0");
}

TEST_F(immediate_retries, another_policy_counts_from_the_next_heartbeat_on) {
    auto quick = options();
    quick.heartbeat_timeout = 1s;
    worker office(quick);
    office.on("page.*", "office.print", from_attempt(2), at_once());
    office.start();
    publish("page.a");
    EXPECT_TRUE(watching->wait_done(1));
    EXPECT_EQ(deliveries(), "0");
    session.exec(
        "update postrider.handler set retry = '{\"curve\": \"fixed\", \"base_ms\": 1, "
        "\"floor_ms\": 0}'");
    const auto beat = value("select alive_until from postrider.worker");
    // The second heartbeat from now on has been sent after the answer to the first.
    EXPECT_TRUE(becomes("t", "select alive_until > '" + beat +
                                 "'::timestamptz + interval '0.7 s' from postrider.worker"));
    publish("page.b");
    EXPECT_TRUE(watching->wait_done(2));
    EXPECT_TRUE(becomes("delivered 2 1 1",
                        "select concat_ws(' ', status, attempts, failures,"
                        " jsonb_array_length(attempt_history)) from postrider.delivery"));
}

}  // namespace
}  // namespace postrider::test
