#include "base/fault_points.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <postrider/error.hpp>
#include <stdexcept>
#include <string>

namespace postrider {
namespace {

// The raw waitpid status of a process that does `work` under a plan. It is handed
// over when it stops, then continued to its end, whose status is `after`.
struct ending {
    int status;
    int after;
};

ending run_with(const char* plan, const std::function<void()>& work) {
    const auto child = ::fork();
    if (child == 0) {
        ::setenv("POSTRIDER_FAULTS", plan, 1);
        try {
            work();
        } catch (const std::runtime_error&) {
            ::_exit(1);
        }
        ::_exit(0);
    }
    ending seen{};
    ::waitpid(child, &seen.status, WUNTRACED);
    if (WIFSTOPPED(seen.status)) {
        ::kill(child, SIGCONT);
        ::waitpid(child, &seen.after, 0);
    }
    return seen;
}

void pass_first(int times) {
    for (int i = 0; i < times; ++i) {
        POSTRIDER_FAULT("test.first");
    }
}

#ifdef POSTRIDER_FAULT_POINTS

TEST(fault_points_test, without_a_plan_nothing_happens) {
    const auto seen = run_with("", [] { pass_first(100); });
    EXPECT_EQ(seen.status, 0);
}

TEST(fault_points_test, a_process_is_killed_at_exactly_the_planned_passing) {
    EXPECT_EQ(run_with("test.first:kill:3", [] { pass_first(2); }).status, 0);
    const auto seen = run_with("test.first:kill:3", [] { pass_first(3); });
    ASSERT_TRUE(WIFSIGNALED(seen.status));
    EXPECT_EQ(WTERMSIG(seen.status), SIGKILL);
}

TEST(fault_points_test, a_stopped_process_goes_on_when_it_is_continued) {
    const auto seen = run_with("test.first:stop:1", [] { pass_first(2); });
    ASSERT_TRUE(WIFSTOPPED(seen.status));
    EXPECT_EQ(seen.after, 0);
}

TEST(fault_points_test, a_thrown_fault_is_a_runtime_error_that_names_the_place) {
    const auto seen = run_with("test.first:throw:2", [] {
        pass_first(1);
        try {
            pass_first(1);
        } catch (const std::runtime_error& problem) {
            ::_exit(std::string(problem.what()) == "fault point test.first" ? 7 : 8);
        }
    });
    EXPECT_EQ(WEXITSTATUS(seen.status), 7);
}

TEST(fault_points_test, an_exit_leaves_without_cleaning_up) {
    const auto seen = run_with("test.first:exit:1", [] { pass_first(1); });
    EXPECT_EQ(WEXITSTATUS(seen.status), 70);
}

TEST(fault_points_test, a_rule_is_left_out_from_the_planned_passing_on) {
    const auto seen = run_with("test.first:skip:2", [] {
        const bool first = POSTRIDER_SKIPS("test.first");
        const bool second = POSTRIDER_SKIPS("test.first");
        const bool third = POSTRIDER_SKIPS("test.first");
        ::_exit(!first && second && third && !POSTRIDER_SKIPS("test.second") ? 7 : 8);
    });
    EXPECT_EQ(WEXITSTATUS(seen.status), 7);
}

TEST(fault_points_test, every_place_counts_for_itself) {
    const auto seen = run_with("test.second:exit:2,test.first:kill:4", [] {
        pass_first(3);
        POSTRIDER_FAULT("test.second");
        POSTRIDER_FAULT("test.second");
    });
    EXPECT_EQ(WEXITSTATUS(seen.status), 70);
}

TEST(fault_points_test, a_process_with_a_plan_it_cannot_follow_ends_at_its_first_place) {
    const auto seen = run_with("no.such.place:kill:1", [] { pass_first(1); });
    EXPECT_EQ(WEXITSTATUS(seen.status), 64);
}

TEST(fault_points_test, a_plan_is_read_part_by_part) {
    const std::vector<planned_fault> expected{{0, fault_action::kill, 3},
                                              {1, fault_action::fail, 12}};
    EXPECT_EQ(parse_faults("test.first:kill:3,test.second:throw:12"), expected);
    EXPECT_TRUE(parse_faults("").empty());
}

TEST(fault_points_test, an_invalid_fault_plan_is_refused) {
    for (const auto* text :
         {"test.first", "test.first:kill", "other:kill:1", "test.first:maim:1", "test.first:kill:0",
          "test.first:kill:x", "test.first:kill:1x", "test.first:kill:1,other:stop:1", ":", "::"}) {
        EXPECT_THROW(parse_faults(text), usage_error) << text;
    }
}

#else

TEST(fault_points_test, a_build_without_fault_points_ignores_every_plan) {
    EXPECT_EQ(run_with("test.first:kill:1,nonsense", [] { pass_first(3); }).status, 0);
}

#endif

}  // namespace
}  // namespace postrider
