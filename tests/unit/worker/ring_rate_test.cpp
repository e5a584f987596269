#include "worker/doorbell/ring_rate.hpp"

#include <gtest/gtest.h>

namespace postrider::working {
namespace {

using namespace std::chrono_literals;

TEST(ring_rate, a_flood_is_a_thousand_rings_per_second) {
    const auto start = ring_rate::clock::time_point{} + 1h;
    ring_rate rate;
    rate.start(start);
    EXPECT_FALSE(rate.add(19, start + 20ms));
    EXPECT_TRUE(rate.add(20, start + 40ms));
    EXPECT_FALSE(rate.add(20, start + 80ms)) << "over twice the time";
}

TEST(ring_rate, a_window_that_has_not_ended_is_no_flood_yet) {
    const auto start = ring_rate::clock::time_point{} + 1h;
    ring_rate rate;
    rate.start(start);
    EXPECT_FALSE(rate.add(100, start + 10ms));
    EXPECT_TRUE(rate.add(0, start + 20ms));
    EXPECT_FALSE(rate.add(0, start + 40ms)) << "the next window begins empty";
}

}  // namespace
}  // namespace postrider::working
