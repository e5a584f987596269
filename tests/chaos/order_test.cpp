// Histories of two versions of an account, written by hand.
#include <gtest/gtest.h>

#include <fstream>

#include "chaos/check/verdict.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::chaos {
namespace {

constexpr const char* ordered_conductor = R"(
1 begins seed=1
1 bounds claim_ms=5000
1 role consumer=ledger handler=ledger.book types=keyed.* channel=outbox_default max_attempts=3 max_crashes=2 ordered=1
)";
constexpr const char* two_changes = R"(
100 intent tx=t1 id=m1 type=keyed.a key=m1 channel=outbox_default
101 committed tx=t1
100 intent tx=t2 id=m2 type=keyed.a key=m2 channel=outbox_default
101 committed tx=t2
)";
// The second version has the lower sequence number: only the account determines the order.
constexpr const char* two_changes_dumped = R"(
100 published seq=2 id=m1 channel=outbox_default type=keyed.a in_log=1 account=a version=1
100 published seq=1 id=m2 channel=outbox_default type=keyed.a in_log=1 account=a version=2
150 lease_claimed process=w1 lease=1 consumer=ledger channel=outbox_default token=a worker=x members=1,2
300 lease_changed process=w1 lease=1 consumer=ledger channel=outbox_default was_reaped=0 reaped=0 removed=1,2
900 outbox id=m2 consumer=ledger handler=ledger.book status=delivered cycle=1
)";
constexpr const char* first_delivered =
    "900 outbox id=m1 consumer=ledger handler=ledger.book status=delivered cycle=1\n";

/// A run of a message, with its beginning, end and outcome.
std::string run_of(int number, const char* message, int began, int ended, const char* outcome) {
    const auto run = std::to_string(number);
    return std::to_string(began) + " run run=" + run + " id=" + message +
           " consumer=ledger handler=ledger.book cycle=1 is=" + message + "\n" +
           std::to_string(ended) + " ended run=" + run + " outcome=" + outcome + "\n";
}

verdict judged(const std::string& runs, const std::string& more = first_delivered) {
    const test::scratch_directory place;
    const auto write = [&](const char* name, const std::string& text) {
        std::ofstream(place.path() / name) << text;
    };
    write("conductor.history", ordered_conductor);
    write("publisher-1.history", two_changes);
    write("w1.history", runs);
    write("dump.history", two_changes_dumped + more);
    return check(place.path());
}

TEST(order_test, versions_that_follow_each_other_are_good) {
    const auto found =
        judged(run_of(1, "m1", 200, 210, "delivered") + run_of(2, "m2", 211, 220, "delivered"));
    EXPECT_TRUE(found.good()) << describe(found);
    EXPECT_EQ(found.keyed, 2);
    EXPECT_EQ(found.inversions, 0);
    EXPECT_NE(describe(found).find("inversions 0\n"), std::string::npos);
}

TEST(order_test, a_version_that_begins_before_the_one_before_it_was_delivered_is_an_inversion) {
    for (const auto& runs :
         {run_of(2, "m2", 200, 210, "delivered") + run_of(1, "m1", 211, 220, "delivered"),
          run_of(1, "m1", 200, 210, "delivered") + run_of(2, "m2", 205, 220, "delivered"),
          run_of(1, "m1", 200, 210, "transient") + run_of(2, "m2", 211, 220, "delivered") +
              run_of(3, "m1", 230, 240, "delivered")}) {
        const auto found = judged(runs);
        EXPECT_EQ(found.inversions, 1) << runs;
        EXPECT_TRUE(found.violations.contains("I14")) << describe(found);
        EXPECT_FALSE(found.good());
    }
}

TEST(order_test, a_repetition_of_a_delivered_version_is_none) {
    const auto found =
        judged(run_of(1, "m1", 200, 210, "delivered") + run_of(2, "m2", 211, 220, "delivered") +
               run_of(3, "m1", 230, 240, "delivered"));
    EXPECT_EQ(found.inversions, 0);
    EXPECT_EQ(found.unexplained, 1) << "that is another question";
}

TEST(order_test, a_dead_letter_does_not_hold_for_ever) {
    const auto found = judged(
        run_of(1, "m1", 200, 210, "terminal") + run_of(2, "m2", 211, 220, "delivered"),
        "210 delivery process=w1 delivery=11 consumer=ledger message=m1 handler=ledger.book"
        " from=none to=failed attempts=1 crashes=0 cycle=1 outcome=terminal key=m1 payload=p1"
        " history=0\n900 alert delivery=11 cycle=1 times=1\n"
        "900 outbox id=m1 consumer=ledger handler=ledger.book status=failed cycle=1\n");
    EXPECT_EQ(found.inversions, 0);
    EXPECT_TRUE(found.good()) << describe(found);
}

}  // namespace
}  // namespace postrider::chaos
