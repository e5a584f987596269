#include "store/messages/encode.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <postrider/error.hpp>

#include "cli/output/times.hpp"

namespace postrider::store {
namespace {

TEST(encode_test, a_time_of_the_database_is_read_back) {
    for (const std::int64_t microseconds : {0LL, -1LL, 123456789LL, 800'000'000'000'000LL}) {
        EXPECT_EQ(postgres_time(from_postgres_time(microseconds)), microseconds);
    }
}

TEST(encode_test, every_time_of_the_program_has_a_count_and_a_text) {
    const auto old = std::chrono::sys_days{std::chrono::year{1700} / 1 / 1};
    EXPECT_EQ(postgres_time(old), -9'467'020'800'000'000);
    EXPECT_EQ(timestamp_text(old), "1700-01-01T00:00:00.000000Z");
    EXPECT_EQ(postgres_time(instant::min()), -10'170'056'836'854'776);
    EXPECT_EQ(timestamp_text(instant::min()), "1677-09-21T00:12:43.145224Z");
    EXPECT_EQ(postgres_time(instant::max()), 8'276'687'236'854'775);
    EXPECT_EQ(timestamp_text(instant::max()), "2262-04-11T23:47:16.854775Z");
}

// Infinity is the largest number of microseconds there is.
TEST(encode_test, times_beyond_those_of_the_program_are_the_last_it_knows) {
    using limits = std::numeric_limits<std::int64_t>;
    EXPECT_GT(from_postgres_time(limits::max()), from_postgres_time(7'000'000'000'000'000));
    EXPECT_LT(from_postgres_time(limits::min()), from_postgres_time(-9'000'000'000'000'000));
    EXPECT_EQ(from_postgres_time(limits::max()), from_postgres_time(limits::max() - 1));
}

TEST(encode_test, a_time_the_program_cannot_hold_is_refused) {
    EXPECT_THROW(cli::parse_instant("2525-03-01T12:00:00Z", "at"), usage_error);
    EXPECT_THROW(cli::parse_instant("0001-01-01T00:00:00Z", "at"), usage_error);
    EXPECT_NO_THROW(cli::parse_instant("2261-12-31T23:59:59-12:00", "at"));
}

}  // namespace
}  // namespace postrider::store
