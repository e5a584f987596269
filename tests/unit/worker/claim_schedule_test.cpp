#include "worker/coordinator/claim_schedule.hpp"

#include <gtest/gtest.h>

#include "unit/worker/instants.hpp"

namespace postrider::working {
namespace {

using namespace std::chrono_literals;

TEST(claim_schedule_test, a_log_without_messages_is_exhausted_until_a_notification) {
    claim_schedule schedule;
    EXPECT_FALSE(schedule.exhausted());
    EXPECT_FALSE(schedule.found_none(false));
    EXPECT_TRUE(schedule.exhausted());
    schedule.notified();
    EXPECT_FALSE(schedule.exhausted());
    // The claim after a notification found no message: it may have announced a due delivery.
    EXPECT_TRUE(schedule.found_none(false));
    EXPECT_FALSE(schedule.found_none(false));
}

TEST(claim_schedule_test, a_claim_that_only_parked_messages_is_repeated) {
    claim_schedule schedule;
    schedule.found_none(true);
    EXPECT_FALSE(schedule.exhausted());
}

TEST(claim_schedule_test, reading_on_takes_no_thread_while_messages_are_only_noted) {
    claim_schedule schedule;
    EXPECT_FALSE(schedule.noted_only());
    schedule.found_none(true);
    EXPECT_TRUE(schedule.noted_only());
    schedule.found(1, 10, start);
    EXPECT_FALSE(schedule.noted_only());
    schedule.found_none(true);
    schedule.found_none(false);
    EXPECT_FALSE(schedule.noted_only()) << "the log is exhausted";
    schedule.look();
    EXPECT_FALSE(schedule.noted_only());
}

TEST(claim_schedule_test, a_sweep_follows_its_interval) {
    claim_schedule schedule;
    schedule.sweep_at(start + 30s);
    schedule.found_none(false);
    EXPECT_EQ(schedule.next_at(), start + 30s);
    EXPECT_FALSE(schedule.run(start + 29s, 30s));
    EXPECT_TRUE(schedule.exhausted());
    EXPECT_TRUE(schedule.run(start + 30s, 5s));
    EXPECT_FALSE(schedule.exhausted());
    EXPECT_EQ(schedule.next_at(), start + 35s);
}

TEST(claim_schedule_test, a_sweep_can_be_moved_forward_but_not_back) {
    claim_schedule schedule;
    schedule.sweep_at(start + 30s);
    schedule.sweep_by(start + 5s);
    EXPECT_EQ(schedule.next_at(), start + 5s);
    schedule.sweep_by(start + 10s);
    EXPECT_EQ(schedule.next_at(), start + 5s);
}

TEST(claim_schedule_test, after_messages_it_looks_again_after_1_2_4_and_8_ms) {
    claim_schedule schedule;
    schedule.sweep_at(never);
    schedule.found(1, 100, start);
    auto now = start;
    for (const auto pause : {1ms, 2ms, 4ms, 8ms}) {
        schedule.found_none(false);
        schedule.look_again_soon(now);
        EXPECT_EQ(schedule.next_at(), now + pause);
        now += pause;
        EXPECT_FALSE(schedule.run(now, 30s));
        EXPECT_FALSE(schedule.exhausted());
    }
    schedule.found_none(false);
    schedule.look_again_soon(now);
    EXPECT_EQ(schedule.next_at(), never);
}

TEST(claim_schedule_test, a_steady_stream_collects_before_the_next_claim) {
    claim_schedule schedule;
    schedule.found(30, 100, start);
    EXPECT_EQ(schedule.collects_until(), start + 3ms);
    schedule.found(100, 100, start);
    EXPECT_LE(schedule.collects_until(), start) << "a backlog does not wait";
    schedule.found(1, 100, start);
    EXPECT_LE(schedule.collects_until(), start) << "a single message does not wait";
}

TEST(claim_schedule_test, before_the_first_message_it_does_not_look_again) {
    claim_schedule schedule;
    schedule.sweep_at(never);
    schedule.found_none(false);
    schedule.look_again_soon(start);
    EXPECT_EQ(schedule.next_at(), never);
}

}  // namespace
}  // namespace postrider::working
