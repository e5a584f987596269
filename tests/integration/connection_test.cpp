#include "pg/connection.hpp"

#include <gtest/gtest.h>

#include <postrider/error.hpp>
#include <thread>

#include "support/test_database.hpp"

namespace postrider::pg {
namespace {

using test::test_database;

class connection_test : public ::testing::Test {
  protected:
    // The error that a statement throws.
    template <typename Error = error>
    Error failure_of(const std::string& sql) {
        try {
            session_.exec(sql);
        } catch (const Error& problem) {
            return problem;
        }
        throw std::runtime_error("did not fail: " + sql);
    }

    test_database database_{test_database::contents::empty};
    connection session_ = database_.connect();
};

TEST_F(connection_test, values_come_back_as_they_went_in) {
    const auto row =
        session_.exec_params("select $1::text, $2::bigint, $3::bool, $4::float8, $5::text",
                             params("grüße", std::int64_t{1} << 40, true, 2.5, std::nullopt));
    EXPECT_EQ(row.get<std::string_view>(0, 0), "grüße");
    EXPECT_EQ(row.get<std::int64_t>(0, 1), std::int64_t{1} << 40);
    EXPECT_TRUE(row.get<bool>(0, 2));
    EXPECT_EQ(row.get<double>(0, 3), 2.5);
    EXPECT_EQ(row.get<std::optional<std::string>>(0, 4), std::nullopt);
    EXPECT_THROW(row.get<std::string>(0, 4), error);
    EXPECT_THROW(row.get<std::int16_t>(0, 1), error);
    EXPECT_THROW(row.column("missing"), error);
}

TEST_F(connection_test, binary_results_are_decoded) {
    const auto row = session_.exec_params(
        "select -2::smallint, -3::int, 4::bigint, true, '\\x00ff'::bytea", {}, format::binary);
    EXPECT_EQ(row.get<int>(0, 0), -2);
    EXPECT_EQ(row.get<int>(0, 1), -3);
    EXPECT_EQ(row.get<std::int64_t>(0, 2), 4);
    EXPECT_TRUE(row.get<bool>(0, 3));
    EXPECT_EQ(row.text(0, 4), std::string_view("\0\xff", 2));
}

TEST_F(connection_test, a_prepared_statement_runs_many_times) {
    session_.prepare("add", "select $1::int + 1");
    EXPECT_EQ(session_.exec_prepared("add", params(1)).get<int>(0, 0), 2);
    EXPECT_EQ(session_.exec_prepared("add", params(41)).get<int>(0, 0), 42);
}

TEST_F(connection_test, sqlstates_become_codes) {
    EXPECT_EQ(failure_of("selec").sqlstate(), "42601");
    EXPECT_EQ(failure_of("do $$ begin raise 'no' using errcode = 'PR003'; end $$").code(),
              errc::consumer_not_found);
    EXPECT_EQ(
        failure_of<usage_error>("do $$ begin raise 'no' using errcode = 'PR001'; end $$").code(),
        errc::invalid_argument);
    EXPECT_EQ(
        failure_of<schema_error>("do $$ begin raise 'no' using errcode = 'PR006'; end $$").code(),
        errc::cluster_changed);
    EXPECT_TRUE(failure_of("do $$ begin raise 'no' using errcode = '40001'; end $$").retryable());
    EXPECT_FALSE(failure_of("select 1/0").retryable());
    EXPECT_FALSE(failure_of("select 1/0").connection_lost());
}

TEST_F(connection_test, without_the_schema_the_remedy_is_named) {
    const auto remedy_is_named = [&](const std::string& sql, const std::string& sqlstate) {
        const auto problem = failure_of<schema_error>(sql);
        EXPECT_EQ(problem.code(), errc::schema_outdated) << sql;
        EXPECT_EQ(problem.sqlstate(), sqlstate) << sql;
        EXPECT_NE(std::string(problem.what()).find("run `postrider migrate up`"), std::string::npos)
            << problem.what();
    };
    remedy_is_named("select postrider.reap()", "3F000");
    remedy_is_named("select from postrider.message", "42P01");
    session_.exec("create schema postrider");
    remedy_is_named("select postrider.reap(1)", "42883");
    remedy_is_named("insert into postrider.message values (1)", "42P01");
}

TEST_F(connection_test, a_missing_object_of_another_schema_is_not_a_schema_error) {
    session_.exec(
        "create schema postrider; create type postrider.kind as enum ('a');"
        "create schema my_postrider");
    for (const auto* sql :
         {"select from orders", "select f(1)", "select nowhere.f(1)", "select my_postrider.f(1)",
          "select from my_postrider.message", "select f('a'::postrider.kind)",
          "select 'a'::postrider.kind + 1", "select postrider.id", "create table postrider_2.a ()",
          "create table \"postrider-2\".a ()"}) {
        EXPECT_EQ(failure_of(sql).code(), errc::database_error) << sql;
    }
}

TEST_F(connection_test, a_failure_names_the_line) {
    EXPECT_NE(std::string(failure_of("select 1;\nselect 2;\nselect missing").what()).find("line 3"),
              std::string::npos);
}

TEST_F(connection_test, a_killed_session_is_noticed_and_can_be_opened_again) {
    auto other = database_.connect();
    other.exec_params("select pg_terminate_backend($1)", params(session_.backend_pid()));
    const auto problem = failure_of<connection_error>("select pg_sleep(10)");
    EXPECT_TRUE(problem.connection_lost());
    EXPECT_TRUE(problem.retryable());
    EXPECT_FALSE(session_.alive());
    session_.reconnect();
    EXPECT_EQ(session_.exec("select 7").get<int>(0, 0), 7);
}

TEST_F(connection_test, an_unreachable_server_is_a_connection_error) {
    EXPECT_THROW(connection("host=/nonexistent dbname=x"), connection_error);
}

TEST_F(connection_test, names_and_texts_are_quoted) {
    const std::string nasty = "a\"b'c\\d; drop";
    session_.exec("create table " + session_.quote_identifier(nasty) + " (x text)");
    session_.exec("insert into " + session_.quote_identifier(nasty) + " values (" +
                  session_.quote_literal(nasty) + ")");
    EXPECT_EQ(session_.exec("select x from " + session_.quote_identifier(nasty)).text(0, 0), nasty);
}

TEST_F(connection_test, a_running_statement_can_be_cancelled) {
    auto watcher = database_.connect();
    std::jthread canceller([&] {
        while (watcher
                   .exec_params("select from pg_stat_activity where pid = $1 and state = 'active' "
                                "and wait_event = 'PgSleep'",
                                params(session_.backend_pid()))
                   .empty()) {
        }
        session_.cancel();
    });
    EXPECT_EQ(failure_of("select pg_sleep(60)").sqlstate(), "57014");
}

TEST_F(connection_test, notices_reach_their_receiver) {
    std::string heard;
    session_.on_notice([&](std::string_view notice) { heard += notice; });
    session_.exec("do $$ begin raise notice 'hello'; end $$");
    EXPECT_NE(heard.find("hello"), std::string::npos);
}

TEST_F(connection_test, a_borrowed_session_stays_open) {
    {
        auto borrowed = connection::borrow(session_.raw());
        EXPECT_EQ(borrowed.exec("select 1").get<int>(0, 0), 1);
        EXPECT_THROW(borrowed.reconnect(), usage_error);
    }
    EXPECT_EQ(session_.exec("select 2").get<int>(0, 0), 2);
}

TEST_F(connection_test, the_session_has_an_application_name) {
    EXPECT_EQ(session_.exec("show application_name").text(0, 0), "postrider");
    EXPECT_EQ(session_.exec("show client_encoding").text(0, 0), "UTF8");
}

TEST_F(connection_test, the_encoding_is_always_utf8) {
    for (const auto* wish : {" client_encoding=LATIN1", " options='-c client_encoding=LATIN1'"}) {
        connection session(database_.conninfo() + wish);
        EXPECT_EQ(session.exec("select '€'").text(0, 0), "€") << wish;
        EXPECT_EQ(session.exec("show client_encoding").text(0, 0), "UTF8") << wish;
    }
}

}  // namespace
}  // namespace postrider::pg
