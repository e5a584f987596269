#include "pg/pipeline.hpp"

#include <gtest/gtest.h>

#include <postrider/error.hpp>

#include "support/test_database.hpp"

namespace postrider::pg {
namespace {

using test::test_database;

class pipeline_test : public ::testing::Test {
  protected:
    test_database database_{test_database::contents::empty};
    connection session_ = database_.connect();
};

TEST_F(pipeline_test, answers_come_in_the_order_of_sending) {
    pipeline batch(session_);
    for (int i = 0; i < 100; ++i) {
        batch.send("select $1::int", params(i));
    }
    batch.sync();
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(batch.receive().get<int>(0, 0), i);
    }
    batch.receive_sync();
    EXPECT_EQ(batch.outstanding(), 0U);
}

TEST_F(pipeline_test, prepared_statements_work_too) {
    session_.prepare("twice", "select 2 * $1::int");
    pipeline batch(session_);
    batch.send_prepared("twice", params(21), format::binary);
    batch.sync();
    EXPECT_EQ(batch.receive().get<int>(0, 0), 42);
}

TEST_F(pipeline_test, a_failure_skips_the_rest_up_to_the_sync_only) {
    pipeline batch(session_);
    batch.send("select 1/0", {});
    batch.send("select 1", {});
    batch.sync();
    batch.send("select 2", {});
    batch.sync();
    EXPECT_THROW(batch.receive(), error);
    EXPECT_THROW(batch.receive(), error);
    batch.receive_sync();
    EXPECT_EQ(batch.receive().get<int>(0, 0), 2);
    batch.receive_sync();
}

TEST_F(pipeline_test, an_abandoned_pipeline_leaves_the_session_usable) {
    {
        pipeline batch(session_);
        batch.send("select 1", {});
        batch.send("select 1/0", {});
        batch.sync();
        batch.send("select 2", {});
    }
    EXPECT_EQ(session_.exec("select 3").get<int>(0, 0), 3);
}

TEST_F(pipeline_test, much_in_both_directions_does_not_block) {
    const std::string large(1U << 20U, 'x');
    pipeline batch(session_);
    for (int i = 0; i < 20; ++i) {
        batch.send("select $1::text", params(large));
    }
    batch.sync();
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(batch.receive().text(0, 0).size(), large.size());
    }
}

TEST_F(pipeline_test, a_killed_session_is_noticed) {
    {
        pipeline batch(session_);
        database_.connect().exec_params("select pg_terminate_backend($1)",
                                        params(session_.backend_pid()));
        EXPECT_THROW(
            {
                batch.send("select pg_sleep(10)", {});
                batch.sync();
                batch.receive();
            },
            connection_error);
    }
    session_.reconnect();
    EXPECT_EQ(session_.exec("select 1").get<int>(0, 0), 1);
}

}  // namespace
}  // namespace postrider::pg
