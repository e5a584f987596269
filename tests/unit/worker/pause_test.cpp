#include "worker/coordinator/pause.hpp"

#include <gtest/gtest.h>

namespace postrider::working {
namespace {

using namespace std::chrono_literals;

TEST(pause_test, repeated_failures_wait_from_one_second_to_thirty) {
    pause trouble;
    const auto now = pause::clock::time_point(1h);
    for (const auto wait : {1s, 2s, 4s, 8s, 16s, 30s, 30s, 30s}) {
        trouble.failed("refused", now);
        EXPECT_GE(trouble.until(), now + wait / 2.0) << "of " << wait.count() << " s";
        EXPECT_LE(trouble.until(), now + wait) << "of " << wait.count() << " s";
        EXPECT_FALSE(trouble.over(now));
        EXPECT_TRUE(trouble.over(trouble.until()));
    }
}

TEST(pause_test, a_success_resets_the_delay) {
    pause trouble;
    const auto now = pause::clock::time_point(1h);
    trouble.failed("refused", now);
    trouble.failed("refused", now);
    EXPECT_TRUE(trouble.worked());
    EXPECT_TRUE(trouble.over(now));
    trouble.failed("refused", now);
    EXPECT_LE(trouble.until(), now + 1s);
}

TEST(pause_test, the_same_trouble_is_news_once) {
    pause trouble;
    const auto now = pause::clock::time_point(1h);
    EXPECT_TRUE(trouble.failed("refused", now));
    EXPECT_FALSE(trouble.failed("refused", now));
    EXPECT_TRUE(trouble.failed("no route", now));
    EXPECT_TRUE(trouble.worked());
    EXPECT_FALSE(trouble.worked());
}

}  // namespace
}  // namespace postrider::working
