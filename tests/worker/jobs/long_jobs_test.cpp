// Jobs that take longer than a lease keep it as long as their worker lives.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <postrider/postrider.hpp>

#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class long_jobs : public worker_fixture {
  protected:
    static void take(const context& ctx, std::chrono::milliseconds duration) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any never;
        never.wait_for(lock, ctx.stop_token(), duration, [] { return false; });
    }
};

TEST_F(long_jobs, a_lease_is_extended_while_its_jobs_run_one_after_the_other) {
    auto slow = options();
    slow.concurrency = 1;
    slow.heartbeat_timeout = 1s;
    worker office(slow);
    handler_options bounded;
    bounded.timeout = 1s;  // so a lease is given for 2 s
    std::atomic<int> runs = 0;
    std::atomic<int> stopped = 0;
    office.on(
        "job", "office.job",
        [&](const event&, context& ctx) {
            take(ctx, 700ms);
            stopped += ctx.stop_requested() ? 1 : 0;
            ++runs;
        },
        bounded);
    handler_options together;
    together.batch_max = 5;  // so that one claim takes all of them
    office.on(
        "never", "office.batch", [](std::span<const event>) {}, together);
    office.start();
    ASSERT_TRUE(asleep());
    session.exec("select postrider.publish('job') from generate_series(1, 5)");
    EXPECT_TRUE(becomes("t",
                        "select coalesce(bool_or(deadline > claimed_at + interval '3 seconds'),"
                        " false) from postrider.lease where worker_id is not null"));
    EXPECT_TRUE(becomes("5", "select count(*) from postrider.outbox where status = 'delivered'"));
    office.request_stop();
    office.wait();
    EXPECT_EQ(runs, 5);
    EXPECT_EQ(stopped, 0);
    EXPECT_EQ(watching->count_state("lease_lost"), 0);
}

TEST_F(long_jobs, a_job_with_a_timeout_of_hours_holds_its_lease_and_its_retry_for_them) {
    worker office(options());
    handler_options hours = soon();
    hours.timeout = 5h;
    std::atomic<int> runs = 0;
    std::string left[2];
    office.on(
        "job", "office.job",
        [&](const event&, context& ctx) {
            auto look = database.connect();
            ++runs;
            left[runs - 1] =
                look.exec(runs == 1 ? "select max(deadline) > now() + interval '5 hours' from"
                                      " postrider.lease where finished_at is null"
                                    : "select max(deadline) > now() + interval '5 hours' from"
                                      " postrider.delivery where status = 'in_flight'")
                    .text(0, 0);
            return ctx.attempts() == 1 ? transient("again", "again") : delivered();
        },
        hours);
    office.drain();
    publish("job");
    EXPECT_EQ(office.drain(), 2);
    EXPECT_EQ(left[0] + left[1], "tt");
}

}  // namespace
}  // namespace postrider::test
