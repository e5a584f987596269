#include "relay/kafka/partition_progress.hpp"

#include <gtest/gtest.h>

#include <set>

namespace postrider::test {
namespace {

using relaying::partition_progress;
using arrival = partition_progress::arrival;

TEST(partition_progress, the_offset_waits_for_the_first_record_that_is_not_finished) {
    partition_progress one;
    EXPECT_EQ(one.offset(), -1);
    for (std::int64_t at = 100; at < 110; ++at) {
        EXPECT_EQ(one.arrived(at), arrival::fresh);
    }
    EXPECT_EQ(one.offset(), 100);
    one.finish(101);
    one.finish(105);
    EXPECT_EQ(one.offset(), 100);
    one.finish(100);
    EXPECT_EQ(one.offset(), 102);
    EXPECT_FALSE(one.is_open(105));
    for (std::int64_t at = 102; at < 110; ++at) {
        one.finish(at);
    }
    EXPECT_EQ(one.offset(), 110);
    EXPECT_EQ(one.text(), "postrider1 0");
}

TEST(partition_progress, the_next_owner_repeats_only_records_that_are_not_finished) {
    partition_progress lost;
    for (std::int64_t at = 0; at < 10; ++at) {
        lost.arrived(at);
    }
    for (const std::int64_t at : {0, 2, 3, 4, 7}) {
        lost.finish(at);
    }
    EXPECT_EQ(lost.text(), "postrider1 9 1-3,6");
    partition_progress next(lost.offset(), lost.text());
    const std::set<std::int64_t> unfinished{1, 5, 6, 8, 9};
    for (std::int64_t at = 1; at < 10; ++at) {
        EXPECT_EQ(next.arrived(at), unfinished.contains(at) ? arrival::repeated : arrival::finished)
            << at;
    }
    EXPECT_EQ(next.offset(), 1);
    EXPECT_EQ(next.arrived(10), arrival::fresh);
    // Records that were handed out stay marked, although the next owner has not read them.
    const partition_progress after(1, "postrider1 9 1-3,6");
    EXPECT_EQ(after.text(), "postrider1 9 1-3,6");
}

TEST(partition_progress, gaps_of_the_log_do_not_hold_up_the_offset) {
    partition_progress one(5, "");
    EXPECT_EQ(one.arrived(8), arrival::fresh);
    EXPECT_EQ(one.arrived(12), arrival::fresh);
    one.finish(8);
    EXPECT_EQ(one.offset(), 12);
    one.finish(12);
    EXPECT_EQ(one.offset(), 13);
    EXPECT_FALSE(one.continues(3));
}

TEST(partition_progress, texts_of_other_programs_mean_nothing) {
    for (const auto* text : {"", "x", "postrider1", "postrider1 -4", "postrider1 99999999999"}) {
        partition_progress one(7, text);
        EXPECT_EQ(one.offset(), 7) << text;
        EXPECT_EQ(one.arrived(7), arrival::fresh) << text;
    }
    partition_progress half(7, "postrider1 3 1,x");
    EXPECT_EQ(half.arrived(7), arrival::repeated);
    EXPECT_EQ(half.arrived(8), arrival::finished);
}

TEST(partition_progress, the_text_has_a_size_that_kafka_accepts) {
    partition_progress one;
    for (std::int64_t at = 0; at < 10'000; ++at) {
        one.arrived(at);
    }
    for (std::int64_t at = 1; at < 10'000; at += 2) {
        one.finish(at);
    }
    EXPECT_LE(one.text().size(), 3500U);
    partition_progress next(one.offset(), one.text());
    EXPECT_EQ(next.arrived(0), arrival::repeated);
    EXPECT_EQ(next.arrived(1), arrival::finished);
}

TEST(partition_progress, a_text_that_repeats_its_ranges_is_read_up_to_the_first_repetition) {
    std::string text = "postrider1 10 5-6";
    for (int i = 0; i < 300; ++i) {
        text += ",2-1000000";
    }
    partition_progress one(100, text);
    EXPECT_EQ(one.arrived(103), arrival::repeated);
    EXPECT_EQ(one.arrived(105), arrival::finished);
}

}  // namespace
}  // namespace postrider::test
