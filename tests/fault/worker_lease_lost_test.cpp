// A worker without heartbeats for too long has lost its leases, even if it does not know it.
#include <gtest/gtest.h>

#include <condition_variable>
#include <stop_token>

#include "fault/worker_under_fault.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class worker_lease_lost : public worker_under_fault {
  protected:
    worker_options hasty() const {
        auto made = behind_gate();
        made.heartbeat_timeout = 1s;
        made.call_timeout = 10s;  // the gate delays the bytes, which arrive later
        return made;
    }
    // The first run waits for its stop token; later runs return at once.
    outcome first_waits(const event&, context& ctx) {
        if (++runs_ > 1) {
            return delivered();
        }
        entered_.open();
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any never;
        stopped_ = never.wait_for(lock, ctx.stop_token(), 20s, [] { return false; }) == false &&
                   ctx.stop_requested();
        return delivered();
    }

    std::atomic<int> runs_ = 0;
    std::atomic<bool> stopped_ = false;
    turnstile entered_;
};

TEST_F(worker_lease_lost, its_handler_is_asked_to_stop_and_its_outcome_does_not_count) {
    worker silent(hasty());
    silent.on("slow.a", "office.slow",
              [&](const event& e, context& ctx) { return first_waits(e, ctx); });
    add_handlers(silent).start();
    publish("slow.a");
    ASSERT_TRUE(entered_.pass());
    gate.hold();

    auto other_options = hasty();
    other_options.database = database.conninfo();
    const auto other_watching = std::make_shared<observer>();
    other_options.sink = other_watching;
    worker other(other_options);
    other.on("slow.a", "office.slow",
             [&](const event& e, context& ctx) { return first_waits(e, ctx); });
    add_handlers(other).start();
    EXPECT_TRUE(becomes("delivered", "select status from postrider.outbox"));
    EXPECT_EQ(other_watching->runs().size(), 1U);
    EXPECT_EQ(runs_, 2);

    gate.pass();
    EXPECT_TRUE(watching->wait_runs(1));
    EXPECT_TRUE(stopped_);
    EXPECT_TRUE(watching->wait_state("lease_lost"));
    publish_some(2);
    EXPECT_TRUE(becomes("5", "select count(*) from postrider.outbox where status = 'delivered'"));
    EXPECT_EQ(watching->count_state("lease_lost"), 1);
    EXPECT_EQ(runs_, 2);
}

TEST_F(worker_lease_lost, messages_of_a_lost_lease_are_not_begun) {
    auto narrow = hasty();
    narrow.concurrency = 1;
    worker silent(narrow);
    handler_options together;
    together.batch_max = 4;  // so that the first claim takes all of them
    silent.on(
        "never", "office.batch", [](std::span<const event>) {}, together);
    silent.on("slow.a", "office.slow",
              [&](const event& e, context& ctx) { return first_waits(e, ctx); });
    add_handlers(silent).start();
    session.exec("select postrider.publish('slow.a') from generate_series(1, 4)");
    ASSERT_TRUE(entered_.pass());
    EXPECT_TRUE(
        becomes("4", "select cardinality(members) from postrider.lease where finished_at is null"));
    gate.hold();
    EXPECT_TRUE(becomes("t",
                        "select bool_or(alive_until < clock_timestamp() - interval '1 second')"
                        " from postrider.worker"));
    // The coordinator waits for an answer, so the handler is not asked to stop yet; the lease is
    // lost.
    session.exec("select postrider.reap()");
    gate.pass();
    EXPECT_TRUE(becomes("4", "select count(*) from postrider.outbox where status = 'delivered'"));
    EXPECT_EQ(watching->count_state("lease_lost"), 1);
    // The first run does not count, the other three had not begun: five in all.
    EXPECT_EQ(runs_, 5);
}

}  // namespace
}  // namespace postrider::test
