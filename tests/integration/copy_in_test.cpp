#include "pg/copy_in.hpp"

#include <gtest/gtest.h>

#include <postrider/error.hpp>

#include "support/test_database.hpp"

namespace postrider::pg {
namespace {

using test::test_database;
using namespace std::string_view_literals;

class copy_in_test : public ::testing::Test {
  protected:
    void SetUp() override { session_.exec("create table t (x int, y text)"); }
    int rows() { return session_.exec("select count(*) from t").get<int>(0, 0); }

    test_database database_{test_database::contents::empty};
    connection session_ = database_.connect();
};

TEST_F(copy_in_test, text_rows_are_stored_wherever_the_stream_is_cut) {
    copy_in copy(session_, "copy t from stdin");
    copy.write("1\tone\n2\tt");
    copy.write("wo\n");
    EXPECT_EQ(copy.finish(), 2);
    EXPECT_EQ(session_.exec("select y from t where x = 2").text(0, 0), "two");
}

TEST_F(copy_in_test, binary_rows_are_stored) {
    copy_in copy(session_, "copy t from stdin (format binary)");
    copy.write("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0"sv);
    copy.write("\0\2\0\0\0\4\0\0\0\7\0\0\0\3abc"sv);
    copy.write("\377\377"sv);
    EXPECT_EQ(copy.finish(), 1);
    EXPECT_EQ(session_.exec("select y from t where x = 7").text(0, 0), "abc");
}

TEST_F(copy_in_test, an_abandoned_copy_stores_nothing_and_leaves_the_session_usable) {
    {
        copy_in copy(session_, "copy t from stdin");
        copy.write("1\tone\n");
    }
    EXPECT_EQ(rows(), 0);
}

TEST_F(copy_in_test, a_bad_row_is_an_error_and_leaves_the_session_usable) {
    copy_in copy(session_, "copy t from stdin");
    copy.write("not a number\tone\n");
    EXPECT_THROW(copy.finish(), error);
    EXPECT_EQ(rows(), 0);
}

TEST_F(copy_in_test, another_statement_is_refused) {
    EXPECT_THROW(copy_in(session_, "select 1"), usage_error);
}

}  // namespace
}  // namespace postrider::pg
