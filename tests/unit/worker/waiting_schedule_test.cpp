#include "worker/coordinator/waiting_schedule.hpp"

#include <gtest/gtest.h>

#include "unit/worker/instants.hpp"

namespace postrider::working {
namespace {

using namespace std::chrono_literals;

// A worker that has looked and found nothing.
waiting_schedule rested() {
    waiting_schedule schedule;
    schedule.claimed({.any = false, .more = false, .log_was_empty = true}, start);
    return schedule;
}

TEST(waiting_schedule_test, a_new_worker_looks_at_once) {
    EXPECT_TRUE(waiting_schedule().wants_claim(start, true));
}

TEST(waiting_schedule_test, without_news_no_claim_is_made) {
    EXPECT_EQ(rested().next_at(true), never);
    EXPECT_EQ(rested().next_at(false), never);
}

TEST(waiting_schedule_test, a_busy_worker_looks_every_20_ms) {
    auto schedule = rested();
    schedule.look();
    EXPECT_FALSE(schedule.wants_claim(start + 19ms, false));
    EXPECT_TRUE(schedule.wants_claim(start + 20ms, false));
}

TEST(waiting_schedule_test, a_worker_that_holds_enough_looks_for_urgent_messages_every_20_ms) {
    auto schedule = rested();
    EXPECT_EQ(schedule.urgent_at(), never);
    schedule.look();
    EXPECT_EQ(schedule.urgent_at(), start + 20ms);
    schedule.claimed({.any = true, .more = true, .log_was_empty = false}, start + 20ms);
    EXPECT_EQ(schedule.urgent_at(), start + 40ms) << "even if more are due";
}

TEST(waiting_schedule_test, a_message_is_claimed_when_it_is_due) {
    auto schedule = rested();
    schedule.learn(5s, start);
    EXPECT_EQ(schedule.next_at(true), start + 5s);
    EXPECT_TRUE(schedule.claimed({.any = false, .more = false, .log_was_empty = true}, start + 5s))
        << "when the next one is due is unknown";
    EXPECT_EQ(schedule.next_at(true), never);
}

TEST(waiting_schedule_test, a_claim_before_the_due_time_keeps_it) {
    auto schedule = rested();
    schedule.learn(5s, start);
    EXPECT_FALSE(
        schedule.claimed({.any = false, .more = false, .log_was_empty = true}, start + 1s));
    EXPECT_EQ(schedule.next_at(true), start + 5s);
}

TEST(waiting_schedule_test, a_full_claim_is_repeated_at_once) {
    auto schedule = rested();
    schedule.claimed({.any = true, .more = true, .log_was_empty = true}, start);
    EXPECT_TRUE(schedule.wants_claim(start, false));
}

TEST(waiting_schedule_test, the_next_due_time_is_asked_for_when_no_more_is_due) {
    auto schedule = rested();
    EXPECT_FALSE(schedule.claimed({.any = true, .more = true, .log_was_empty = true}, start));
    EXPECT_FALSE(schedule.claimed({.any = true, .more = true, .log_was_empty = true}, start));
    EXPECT_TRUE(schedule.claimed({.any = false, .more = false, .log_was_empty = true}, start));
    EXPECT_FALSE(schedule.claimed({.any = false, .more = false, .log_was_empty = true}, start));
}

TEST(waiting_schedule_test, low_priorities_have_their_turn_when_the_log_is_empty) {
    auto schedule = rested();
    schedule.claimed({.any = false, .more = false, .log_was_empty = false}, start);
    EXPECT_FALSE(schedule.wants_claim(start, false));
    EXPECT_TRUE(schedule.wants_claim(start, true));
}

}  // namespace
}  // namespace postrider::working
