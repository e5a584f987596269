// A worker whose network misbehaves. Every test ends with "and it recovers".
#include <gtest/gtest.h>

#include "fault/worker_under_fault.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class worker_network : public worker_under_fault {
  protected:
    void start() {
        add_handlers(office).start();
        publish_some(2);
        expect_all_delivered();
    }
    worker office{behind_gate()};
};

TEST_F(worker_network, a_sleeping_worker_survives_that_its_connections_are_cut) {
    start();
    ASSERT_TRUE(asleep());
    gate.cut();
    EXPECT_TRUE(watching->wait_state("listener_lost"));
    expect_recovery();
    EXPECT_EQ(watching->count_state("lease_lost"), 0);
    EXPECT_EQ(repeated(), 0);
}

TEST_F(worker_network, outcomes_of_handlers_that_ran_while_the_connections_were_cut_count) {
    turnstile door;
    office.on("slow.a", "office.slow", [&](const event&) { EXPECT_TRUE(door.pass()); });
    start();
    session.exec("select postrider.publish('slow.a') from generate_series(1, 3)");
    ASSERT_TRUE(door.wait_for(3));
    gate.cut();
    door.open();
    EXPECT_TRUE(becomes("3 of 3",
                        "select count(*) filter (where status = 'delivered') || ' of ' || count(*)"
                        " from postrider.outbox where event_type = 'slow.a'"));
    EXPECT_EQ(watching->count_state("lease_lost"), 0);
    publish_some(2);
    EXPECT_TRUE(becomes("11", "select count(*) from postrider.outbox where status = 'delivered'"));
}

TEST_F(worker_network, a_sleeping_worker_notices_that_the_server_is_gone) {
    start();
    ASSERT_TRUE(asleep());
    gate.half_open();
    EXPECT_TRUE(watching->wait_state("connection_lost"));
    gate.pass();
    expect_recovery();
}

TEST_F(worker_network, a_working_worker_notices_that_the_server_is_gone) {
    turnstile door;
    office.on("slow.a", "office.slow", [&](const event&) { EXPECT_TRUE(door.pass()); });
    start();
    publish("slow.a");
    ASSERT_TRUE(door.wait_for(1));
    gate.half_open();
    door.open();
    EXPECT_TRUE(watching->wait_state("connection_lost"));
    gate.pass();
    EXPECT_TRUE(becomes("1",
                        "select count(*) from postrider.outbox where event_type = 'slow.a'"
                        " and status = 'delivered'"));
    publish_some(2);
    EXPECT_TRUE(becomes("9", "select count(*) from postrider.outbox where status = 'delivered'"));
}

TEST_F(worker_network, a_slow_network_changes_nothing) {
    start();
    gate.delay(40ms);
    publish_some(20);
    expect_all_delivered();
    EXPECT_EQ(watching->count_state("connection_lost"), 0);
    gate.pass();
    expect_recovery();
    EXPECT_EQ(repeated(), 0);
}

TEST_F(worker_network, a_network_of_tiny_parts_changes_nothing) {
    start();
    gate.small_parts(50);
    publish_some(20);
    expect_all_delivered();
    EXPECT_EQ(watching->count_state("connection_lost"), 0);
    gate.pass();
    expect_recovery();
    EXPECT_EQ(repeated(), 0);
}

TEST_F(worker_network, a_worker_that_is_refused_waits_until_it_is_welcome) {
    start();
    gate.refuse();
    gate.cut();
    publish_some(2);
    EXPECT_TRUE(watching->wait_state("connection_lost"));
    gate.pass();
    expect_recovery();
    EXPECT_EQ(watching->count_state("started"), 1);
}

TEST_F(worker_network, a_claim_whose_answer_is_lost_is_given_back_at_once) {
    start();
    ASSERT_TRUE(asleep());
    gate.swallow_next("SELECT");
    publish_some(3);
    EXPECT_TRUE(watching->wait_state("connection_lost"));
    expect_recovery();
    EXPECT_EQ(gate.counts().swallowed, 1);
    EXPECT_EQ(value("select count(*) from postrider.lease where reaped_at is not null"), "0");
    EXPECT_EQ(repeated(), 0);
}

TEST_F(worker_network, a_commit_whose_answer_is_lost_has_its_effect_once) {
    start();
    gate.swallow_next("COMMIT");
    expect_recovery();
    EXPECT_EQ(gate.counts().swallowed, 1);
    const auto results = watching->results();
    EXPECT_EQ(std::ranges::count(results, "interrupted"), 1);
    EXPECT_EQ(std::ranges::count(results, "duplicate"), 1);
}

TEST_F(worker_network, a_report_whose_answer_is_lost_counts_once) {
    turnstile door;
    office.on("slow.a", "office.slow", [&](const event&) { EXPECT_TRUE(door.pass()); });
    start();
    publish("slow.a");
    ASSERT_TRUE(door.wait_for(1));
    ASSERT_TRUE(asleep());
    gate.swallow_next("SELECT");
    door.open();
    gate.wait_until([](const gate_counts& now) { return now.swallowed == 1; });
    EXPECT_TRUE(watching->wait_state("connection_lost"));
    EXPECT_TRUE(watching->wait_state("recovered"));
    EXPECT_EQ(watching->count_state("lease_lost"), 0);
    publish_some(2);
    EXPECT_TRUE(becomes("9", "select count(*) from postrider.outbox where status = 'delivered'"));
    EXPECT_EQ(repeated(), 0);
}

}  // namespace
}  // namespace postrider::test
