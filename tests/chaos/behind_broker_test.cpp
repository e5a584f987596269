// Hand-written histories of a run with a broker: the checker's results for handlers behind it.
#include <gtest/gtest.h>

#include <fstream>

#include "chaos/check/verdict.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::chaos {
namespace {

constexpr const char* told_by_conductor =
    "1 begins seed=1\n"
    "1 role consumer=branch handler=branch.plain types=plain.* channel=outbox_default"
    " behind_broker=1 max_attempts=3 max_crashes=2\n";
constexpr const char* told_by_publisher =
    "100 intent tx=t1 id=m1 type=plain.a key=m1 channel=outbox_default\n"
    "101 committed tx=t1\n";
constexpr const char* told_by_database =
    "100 published seq=1 id=m1 channel=outbox_default type=plain.a in_log=1\n";
constexpr const char* delivered_run =
    "210 run run=1 id=m1 consumer=branch handler=branch.plain cycle=1 is=m1\n"
    "220 ended run=1 outcome=delivered\n";
// In another process.
constexpr const char* second_run =
    "410 run run=1 id=m1 consumer=branch handler=branch.plain cycle=1 is=m1\n"
    "420 ended run=1 outcome=delivered\n";

class behind_broker : public testing::Test {
  protected:
    verdict verdict_of(const std::string& first_worker, const std::string& second_worker,
                       const std::string& more_of_conductor = "",
                       const std::string& more_of_database = "") const {
        write("conductor", told_by_conductor + more_of_conductor);
        write("publisher-1", told_by_publisher);
        write("branch-1.1", first_worker);
        write("branch-2.1", second_worker);
        write("dump", told_by_database + more_of_database);
        return check(scratch_.path());
    }

  private:
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(scratch_.path() / (name + ".history")) << text;
    }
    test::scratch_directory scratch_;
};

TEST_F(behind_broker, a_message_that_was_handled_needs_no_row) {
    const auto found = verdict_of(delivered_run, "");
    EXPECT_TRUE(found.good()) << describe(found);
    EXPECT_EQ(found.runs, 1);
}

TEST_F(behind_broker, a_message_that_no_handler_ran_is_lost) {
    const auto found = verdict_of("", "");
    EXPECT_EQ(found.lost, 1) << describe(found);
    EXPECT_EQ(found.consumers.at("branch").lost, 1);
}

TEST_F(behind_broker, a_dead_letter_is_not_lost_and_a_pending_one_is_not_finished) {
    const std::string row = "900 outbox id=m1 consumer=branch handler=branch.plain cycle=1 status=";
    EXPECT_TRUE(verdict_of("", "", "", row + "failed\n").good());
    EXPECT_EQ(verdict_of("", "", "", row + "pending\n").violations.at("I6"), 1);
    EXPECT_EQ(verdict_of("", "", "", row + "delivered\n").lost, 1);
}

TEST_F(behind_broker, a_second_run_needs_a_cause) {
    const auto found = verdict_of(delivered_run, second_run);
    EXPECT_EQ(found.unexplained, 1) << describe(found);
    EXPECT_EQ(found.violations.at("I8"), 1);
    const auto killed =
        verdict_of(delivered_run, second_run, "300 hit action=SIGKILL target=broker\n");
    EXPECT_TRUE(killed.good()) << describe(killed);
    EXPECT_EQ(killed.causes.at("broker_killed"), 1);
    const auto handed_over =
        verdict_of(delivered_run, second_run, "",
                   "300 delivery process=branch-2.1 delivery=1 consumer=branch message=m1"
                   " handler=branch.plain from=none to=pending attempts=0 crashes=0 cycle=1"
                   " outcome=interrupted error_class=worker_lost\n");
    EXPECT_EQ(handed_over.unexplained, 0) << describe(handed_over);
    EXPECT_EQ(handed_over.causes.at("behind_broker_worker_lost"), 1);
}

TEST_F(behind_broker, a_message_that_arrived_with_its_repetition_may_begin_after_that_was_stored) {
    const auto stored_by = [&](const std::string& process) {
        return verdict_of(delivered_run, second_run, "",
                          "205 delivery process=" + process +
                              " delivery=1 consumer=branch message=m1 handler=branch.plain"
                              " from=none to=pending attempts=0 crashes=0 cycle=1"
                              " outcome=interrupted error_class=worker_lost\n");
    };
    EXPECT_TRUE(stored_by("branch-1.1").good());
    EXPECT_EQ(stored_by("branch-2.1").unexplained, 1);
}

TEST_F(behind_broker, a_run_of_an_unknown_message_is_invented) {
    const auto found = verdict_of(
        delivered_run, "410 run run=1 id=m9 consumer=branch handler=branch.plain cycle=1 is=m9\n");
    EXPECT_EQ(found.invented, 1) << describe(found);
}

}  // namespace
}  // namespace postrider::chaos
