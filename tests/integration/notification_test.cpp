#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <postrider/error.hpp>

#include "pg/connection.hpp"
#include "support/test_database.hpp"

namespace postrider::pg {
namespace {

using namespace std::chrono_literals;
using test::test_database;

class notification_test : public ::testing::Test {
  protected:
    test_database database_{test_database::contents::empty};
    connection listener_ = database_.connect();
    connection speaker_ = database_.connect();
};

TEST_F(notification_test, a_notification_arrives_with_its_payload) {
    listener_.listen("Bell \"x\"");
    speaker_.exec_params("select pg_notify($1, $2)", params("Bell \"x\"", "42"));
    const auto heard = listener_.wait_notification(10s);
    ASSERT_TRUE(heard);
    EXPECT_EQ(heard->channel, "Bell \"x\"");
    EXPECT_EQ(heard->payload, "42");
    EXPECT_EQ(heard->backend_pid, speaker_.backend_pid());
}

TEST_F(notification_test, one_that_came_with_another_answer_is_not_lost) {
    listener_.listen("bell");
    speaker_.exec("notify bell");
    listener_.exec("select 1");
    EXPECT_TRUE(listener_.wait_notification(10s));
}

TEST_F(notification_test, silence_ends_with_the_timeout) {
    listener_.listen("bell");
    EXPECT_FALSE(listener_.wait_notification(1ms));
    EXPECT_FALSE(listener_.wait_notification(0ms));
}

TEST_F(notification_test, a_wait_can_be_ended_from_outside) {
    listener_.listen("bell");
    const int wake = ::eventfd(1, EFD_CLOEXEC);
    EXPECT_FALSE(listener_.wait_notification(10min, wake));
    ::close(wake);
}

TEST_F(notification_test, a_lost_session_is_noticed_while_waiting) {
    listener_.listen("bell");
    speaker_.exec_params("select pg_terminate_backend($1)", params(listener_.backend_pid()));
    EXPECT_THROW(listener_.wait_notification(10s), connection_error);
}

}  // namespace
}  // namespace postrider::pg
