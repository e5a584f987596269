#include "worker/due/run_alone.hpp"

#include <gtest/gtest.h>

#include "unit/worker/instants.hpp"

namespace postrider::working {
namespace {

using namespace std::chrono_literals;

TEST(run_alone_test, an_idle_worker_does_not_drain) {
    run_alone alone;
    EXPECT_FALSE(alone.run(start, true, 10s));
    EXPECT_FALSE(alone.draining());
}

TEST(run_alone_test, draining_takes_at_most_half_of_the_time) {
    run_alone alone;
    EXPECT_TRUE(alone.run(start, false, 10s));
    EXPECT_TRUE(alone.draining());
    EXPECT_EQ(alone.until(), start + 1s);
    EXPECT_FALSE(alone.run(start + 999ms, false, 10s));
    EXPECT_TRUE(alone.draining());
    EXPECT_FALSE(alone.run(start + 1s, false, 10s));
    EXPECT_FALSE(alone.draining());
    EXPECT_FALSE(alone.run(start + 1999ms, false, 10s));
    EXPECT_TRUE(alone.run(start + 2s, false, 10s));
}

TEST(run_alone_test, an_attempt_is_twice_as_long_as_the_last_up_to_the_longest_handler) {
    run_alone alone;
    auto now = start;
    for (const auto length : {1s, 2s, 4s, 5s, 5s}) {
        ASSERT_TRUE(alone.run(now, false, 5s));
        EXPECT_EQ(alone.until(), now + length);
        now += length;
        alone.run(now, false, 5s);
        now += length;
    }
}

TEST(run_alone_test, a_claim_ends_draining_and_the_next_starts_with_a_second) {
    run_alone alone;
    alone.run(start, false, 10s);
    alone.run(start + 1s, false, 10s);
    ASSERT_TRUE(alone.run(start + 2s, false, 10s));
    alone.claimed(start + 3s);
    EXPECT_FALSE(alone.draining());
    EXPECT_FALSE(alone.run(start + 3999ms, false, 10s));
    ASSERT_TRUE(alone.run(start + 4s, false, 10s));
    EXPECT_EQ(alone.until(), start + 5s);
}

TEST(run_alone_test, without_a_delivery_draining_ends_and_may_start_again_at_once) {
    run_alone alone;
    alone.run(start, false, 10s);
    alone.cancel();
    EXPECT_FALSE(alone.draining());
    EXPECT_TRUE(alone.run(start + 1ms, false, 10s));
}

}  // namespace
}  // namespace postrider::working
