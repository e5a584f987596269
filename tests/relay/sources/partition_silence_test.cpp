#include "relay/kafka/partition_silence.hpp"

#include <gtest/gtest.h>

namespace postrider::test {
namespace {

using namespace std::chrono_literals;
using relaying::partition_silence;

constexpr partition_silence::clock::time_point began{1h};

TEST(partition_silence, it_lasts_from_the_first_look_and_is_told_once) {
    partition_silence silence;
    EXPECT_FALSE(silence.lasts(5, began, 10s));
    EXPECT_FALSE(silence.lasts(5, began + 9s, 10s));
    EXPECT_TRUE(silence.lasts(6, began + 10s, 10s));
    EXPECT_FALSE(silence.lasts(6, began + 11s, 10s));
    silence.broken();
    EXPECT_FALSE(silence.lasts(6, began + 30s, 10s));
    EXPECT_TRUE(silence.lasts(6, began + 40s, 10s));
}

TEST(partition_silence, a_partition_without_new_records_is_not_silent) {
    partition_silence silence;
    EXPECT_FALSE(silence.lasts(0, began, 0s));
    silence.reached(5);
    EXPECT_FALSE(silence.lasts(5, began, 0s));
    EXPECT_TRUE(silence.lasts(6, began, 0s));
}

}  // namespace
}  // namespace postrider::test
