// A worker holds as many due deliveries as its threads can start soon. While it does not know how
// fast its handlers are, or they are slow, it claims none that would have to wait for a thread.
#include <postrider/postrider.hpp>
#include <thread>

#include "support/turnstile.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

class due_claims : public worker_fixture {
  protected:
    void publish_due(const std::string& type, int count) {
        make_deliveries(type, "office." + type, count, "null");
    }
    void publish_later(const std::string& type, int count) {
        make_deliveries(type, "office." + type, count, "clock_timestamp() + interval '2 seconds'");
    }
    void wait_until_due() {
        EXPECT_TRUE(
            becomes("t", "select max(available_at) < clock_timestamp() from postrider.delivery"));
    }
    std::string deliveries(const std::string& type, const std::string& status) {
        return value("select count(*) from postrider.delivery where event_type = '" + type +
                     "' and status = '" + status + "'");
    }
    turnstile door;
};

TEST_F(due_claims, no_more_are_claimed_than_there_are_threads) {
    worker office(options());
    office.on("slow", "office.slow", [&](const event&) { EXPECT_TRUE(door.pass()); });
    // Batch handlers do not increase the number of deliveries held for handlers of single events.
    office.on("batch", "office.batch", [](std::span<const event>) {});
    office.start();
    publish_due("slow", 20);
    ASSERT_TRUE(door.wait_for(4));
    publish("batch");                      // makes the worker claim once more
    session.exec("select pg_sleep(0.3)");  // time enough to claim too many
    EXPECT_EQ(deliveries("slow", "in_flight"), "4");
    EXPECT_EQ(deliveries("slow", "pending"), "16");
    door.open();
    EXPECT_TRUE(becomes("21", "select count(*) from postrider.outbox where status = 'delivered'"));
}

TEST_F(due_claims, nothing_is_claimed_while_all_threads_are_busy_with_first_attempts) {
    worker office(options());
    turnstile other_door;
    office.on("slow", "office.slow", [&](const event&) { EXPECT_TRUE(door.pass()); });
    office.on("due", "office.due", [&](const event&) { EXPECT_TRUE(other_door.pass()); });
    office.start();
    publish_later("due", 8);
    session.exec("select postrider.publish('slow') from generate_series(1, 4)");
    ASSERT_TRUE(door.wait_for(4));
    wait_until_due();
    session.exec("select pg_sleep(0.3)");
    EXPECT_EQ(value("select count(*) from postrider.delivery where status = 'in_flight'"), "0");
    door.open();
    // The worker notices a free thread without a NOTIFY.
    ASSERT_TRUE(other_door.wait_for(4));
    EXPECT_TRUE(becomes("4", "select count(*) from postrider.delivery where status = 'in_flight'"));
    other_door.open();
    EXPECT_TRUE(becomes("12", "select count(*) from postrider.outbox where status = 'delivered'"));
}

// An endless log must not starve due deliveries, nor the other way round.
TEST_F(due_claims, due_deliveries_and_first_attempts_take_turns) {
    auto one_thread = options();
    one_thread.concurrency = 1;
    worker office(one_thread);
    office.on("first", "office.first", [&](const event&) {
        EXPECT_TRUE(door.pass());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    office.on("due", "office.due", [](const event&) {});
    office.start();
    publish_later("due", 50);
    session.exec("select postrider.publish('first') from generate_series(1, 300)");
    wait_until_due();
    door.open();
    ASSERT_TRUE(watching->wait_runs(350));
    const auto runs = watching->runs();
    int switches = 0;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        switches += runs[i].event_type != runs[i - 1].event_type ? 1 : 0;
    }
    EXPECT_GT(switches, 20);
}

}  // namespace
}  // namespace postrider::test
