#include "pg/transaction.hpp"

#include <gtest/gtest.h>

#include <postrider/error.hpp>

#include "support/test_database.hpp"

namespace postrider::pg {
namespace {

using test::test_database;

class transaction_test : public ::testing::Test {
  protected:
    void SetUp() override {
        session_.exec("create table t (x int unique deferrable initially deferred)");
    }
    int rows() { return database_.connect().exec("select count(*) from t").get<int>(0, 0); }

    test_database database_{test_database::contents::empty};
    connection session_ = database_.connect();
};

TEST_F(transaction_test, an_uncommitted_transaction_is_rolled_back) {
    {
        transaction work(session_);
        session_.exec("insert into t values (1)");
    }
    EXPECT_FALSE(session_.in_transaction());
    EXPECT_EQ(rows(), 0);
    {
        transaction work(session_);
        session_.exec("insert into t values (1)");
        work.commit();
    }
    EXPECT_EQ(rows(), 1);
}

TEST_F(transaction_test, a_refused_commit_is_known_to_have_failed) {
    transaction work(session_);
    session_.exec("insert into t values (1), (1)");
    try {
        work.commit();
        FAIL() << "committed";
    } catch (const error& problem) {
        EXPECT_EQ(problem.sqlstate(), "23505");
        EXPECT_FALSE(problem.commit_unknown());
    }
    EXPECT_EQ(rows(), 0);
}

TEST_F(transaction_test, committing_after_a_failed_statement_is_an_error) {
    transaction work(session_);
    EXPECT_THROW(session_.exec("select 1/0"), error);
    EXPECT_THROW(work.commit(), error);
}

TEST_F(transaction_test, a_connection_lost_at_commit_leaves_the_outcome_unknown) {
    transaction work(session_);
    session_.exec("insert into t values (1)");
    database_.connect().exec_params("select pg_terminate_backend($1)",
                                    params(session_.backend_pid()));
    try {
        work.commit();
        FAIL() << "committed";
    } catch (const commit_unknown_error& problem) {
        EXPECT_TRUE(problem.commit_unknown());
        EXPECT_FALSE(problem.retryable());
    }
}

TEST_F(transaction_test, the_isolation_level_is_the_one_asked_for) {
    transaction work(session_, isolation::repeatable_read);
    EXPECT_EQ(session_.exec("show transaction_isolation").text(0, 0), "repeatable read");
}

}  // namespace
}  // namespace postrider::pg
