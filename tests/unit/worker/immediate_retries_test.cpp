#include "worker/runs/immediate_retries.hpp"

#include <gtest/gtest.h>

namespace postrider::working {
namespace {

constexpr int threads = 2;

class immediate_retries_test : public ::testing::Test {
  protected:
    immediate_retries_test() {
        handlers_.add({.name = "office.print",
                       .patterns = {"*"},
                       .options = {.outage_classes = {"down", "http:5*"}},
                       .plain = {},
                       .transactional = {},
                       .batch = {}});
        handlers_.add({.name = "office.file",
                       .patterns = {"*"},
                       .options = {},
                       .plain = {},
                       .transactional = {},
                       .batch = {}});
        rule_.start(handlers_, threads);
        grant(3, 20);
    }
    void grant(int retries, int failures) {
        const std::vector<store::immediate_retry_grant> answer{{"office.print", retries, failures}};
        rule_.learn(answer);
    }
    const handler& print() const { return handlers_.all().front(); }
    bool failed(int attempts, const outcome& how = transient("no", "timeout"),
                std::optional<int> max_attempts = {}) {
        return rule_.failed(print(), how, attempts, max_attempts);
    }

    handler_table handlers_;
    immediate_retries rule_;
};

TEST_F(immediate_retries_test, repeats_as_often_as_the_database_says) {
    EXPECT_TRUE(failed(1));
    EXPECT_TRUE(failed(3));
    EXPECT_FALSE(failed(4));
    grant(1, 20);
    EXPECT_TRUE(failed(1));
    EXPECT_FALSE(failed(2));
    EXPECT_FALSE(rule_.failed(handlers_.all()[1], transient("no", "timeout"), 1, {}))
        << "the answer does not name it";
    rule_.learn({});
    EXPECT_FALSE(failed(1));
}

TEST_F(immediate_retries_test, a_handler_that_no_worker_has_is_not_repeated) {
    const handler stranger = print();
    EXPECT_FALSE(rule_.failed(stranger, transient("no", "timeout"), 1, {}));
    rule_.succeeded(stranger);
}

TEST_F(immediate_retries_test, only_failures_that_spend_an_attempt_and_name_no_delay) {
    using std::chrono::milliseconds;
    EXPECT_FALSE(failed(1, terminal("never", "http:404")));
    EXPECT_FALSE(failed(1, {outcome_kind::snooze, "", "", milliseconds(5)}));
    EXPECT_FALSE(failed(1, {outcome_kind::interrupted, "", "", {}}));
    EXPECT_FALSE(failed(1, {outcome_kind::transient, "no", "timeout", milliseconds(5)}));
    EXPECT_FALSE(failed(1, transient("no", "down")));
    EXPECT_FALSE(failed(1, transient("no", "http:503")));
    EXPECT_TRUE(failed(1, transient("no", "http:429")));
}

TEST_F(immediate_retries_test, the_maximum_of_a_message_counts) {
    EXPECT_FALSE(failed(1, transient("no", "timeout"), 1));
    EXPECT_TRUE(failed(1, transient("no", "timeout"), 2));
    EXPECT_FALSE(failed(2, transient("no", "timeout"), 2));
    EXPECT_FALSE(failed(4, transient("no", "timeout"), 10));
}

TEST_F(immediate_retries_test, failures_in_a_row_end_it_until_a_run_succeeds) {
    grant(3, 5);
    for (int i = 0; i < 5 + threads; ++i) {
        EXPECT_TRUE(failed(1)) << i;
    }
    EXPECT_FALSE(failed(1));
    EXPECT_FALSE(failed(1));
    rule_.succeeded(handlers_.all()[1]);
    EXPECT_FALSE(failed(1)) << "of another handler";
    rule_.succeeded(print());
    EXPECT_TRUE(failed(1));
}

TEST_F(immediate_retries_test, without_a_circuit_twenty_failures_are_a_row) {
    grant(3, 0);
    for (int i = 0; i < 20 + threads; ++i) {
        EXPECT_TRUE(failed(1)) << i;
    }
    EXPECT_FALSE(failed(1));
}

TEST_F(immediate_retries_test, a_stopping_worker_repeats_nothing_until_it_starts_again) {
    rule_.stop();
    EXPECT_FALSE(failed(1));
    rule_.start(handlers_, threads);
    EXPECT_FALSE(failed(1)) << "the database has not answered yet";
    grant(3, 20);
    EXPECT_TRUE(failed(1));
}

}  // namespace
}  // namespace postrider::working
