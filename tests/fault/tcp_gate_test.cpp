#include "support/faults/tcp_gate.hpp"

#include <gtest/gtest.h>

#include <future>
#include <postrider/error.hpp>
#include <string>

#include "pg/pipeline.hpp"
#include "pg/transaction.hpp"
#include "support/eventually.hpp"
#include "support/test_database.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class tcp_gate_test : public testing::Test {
  protected:
    pg::connection connect() { return pg::connection(gate_.conninfo(database_.name())); }

    // A client must be able to recover from every fault.
    void expect_recovery(pg::connection& session) {
        gate_.pass();
        session.reconnect();
        EXPECT_EQ(session.exec("select 'well'").text(0, 0), "well");
    }
    static void expect_lost(pg::connection& session, const std::string& sql) {
        try {
            session.exec(sql);
            FAIL() << "nothing went wrong";
        } catch (const error& problem) {
            EXPECT_TRUE(problem.connection_lost()) << problem.what();
        }
    }
    // Starts a statement in the background and waits until `seen` is true for the gate.
    std::future<std::string> ask(pg::connection& session,
                                 const std::function<bool(const gate_counts&)>& seen) {
        auto answer = std::async(std::launch::async,
                                 [&] { return std::string(session.exec("select 42").text(0, 0)); });
        gate_.wait_until(seen);
        return answer;
    }
    bool has_backend(int pid) {
        return direct_.exec("select from pg_stat_activity where pid = " + std::to_string(pid))
                   .rows() > 0;
    }

    test_database database_;
    tcp_gate gate_;
    pg::connection direct_ = database_.connect();
};

TEST_F(tcp_gate_test, passes_everything_and_counts_it) {
    auto session = connect();
    const std::string text(300'000, 'x');
    EXPECT_EQ(session.exec("select '" + text + "'").text(0, 0), text);
    gate_.wait_for_connections(1);
    const auto seen = gate_.counts();
    EXPECT_EQ(seen.open, 1);
    EXPECT_GT(seen.to_server, text.size());
    EXPECT_GT(seen.to_client, text.size());
    EXPECT_EQ(seen.lost, 0U);
    auto second = connect();
    EXPECT_EQ(gate_.counts().accepted, 2);
}

TEST_F(tcp_gate_test, a_client_that_leaves_is_gone_for_the_server_too) {
    auto pid = 0;
    {
        auto session = connect();
        pid = session.backend_pid();
        EXPECT_TRUE(has_backend(pid));
    }
    gate_.wait_until([](const gate_counts& now) { return now.open == 0; });
    EXPECT_TRUE(eventually([&] { return !has_backend(pid); }));
}

TEST_F(tcp_gate_test, the_last_words_of_a_server_arrive) {
    auto session = connect();
    {
        // PQexec() would keep only the last error, that of the closed connection.
        pg::pipeline batch(session);
        batch.send("select pg_terminate_backend(pg_backend_pid())", {});
        batch.sync();
        try {
            batch.receive();
            FAIL() << "a terminated session answers";
        } catch (const error& problem) {
            EXPECT_EQ(problem.sqlstate(), "57P01") << problem.what();
        }
    }
    expect_recovery(session);
}

TEST_F(tcp_gate_test, cut_ends_every_connection_and_welcomes_new_ones) {
    auto first = connect();
    auto second = connect();
    gate_.cut();
    EXPECT_EQ(gate_.counts().open, 0);
    expect_lost(first, "select 1");
    expect_lost(second, "select 1");
    first.reconnect();
    EXPECT_EQ(first.exec("select 'well'").text(0, 0), "well");
}

TEST_F(tcp_gate_test, half_open_swallows_questions_and_keeps_connections) {
    auto session = connect();
    gate_.half_open();
    auto answer = ask(session, [](const gate_counts& now) { return now.lost > 0; });
    EXPECT_EQ(answer.wait_for(0s), std::future_status::timeout);
    EXPECT_EQ(gate_.counts().open, 1);
    gate_.pass();
    EXPECT_THROW(answer.get(), error);
    expect_recovery(session);
}

TEST_F(tcp_gate_test, half_open_accepts_new_connections_that_never_get_anywhere) {
    gate_.half_open();
    auto session = std::async(std::launch::async, [&] { return connect(); });
    gate_.wait_until([](const gate_counts& now) { return now.lost > 0; });
    EXPECT_EQ(session.wait_for(0s), std::future_status::timeout);
    gate_.pass();
    EXPECT_THROW(session.get(), connection_error);
    auto later = connect();
    expect_recovery(later);
}

TEST_F(tcp_gate_test, half_open_hides_from_the_server_that_a_client_died) {
    auto pid = 0;
    {
        auto session = connect();
        pid = session.backend_pid();
        gate_.half_open();
    }
    gate_.wait_until([](const gate_counts& now) { return now.lost > 0; });
    EXPECT_TRUE(has_backend(pid));
    gate_.pass();
    EXPECT_TRUE(eventually([&] { return !has_backend(pid); }));
}

TEST_F(tcp_gate_test, held_bytes_arrive_in_the_end) {
    auto session = connect();
    gate_.hold();
    auto answer = ask(session, [](const gate_counts& now) { return now.waiting > 0; });
    EXPECT_EQ(answer.wait_for(0s), std::future_status::timeout);
    gate_.pass();
    EXPECT_EQ(answer.get(), "42");
    expect_recovery(session);
}

TEST_F(tcp_gate_test, a_delay_is_paid_in_both_directions) {
    auto session = connect();
    gate_.delay(30ms);
    const auto began = std::chrono::steady_clock::now();
    session.exec("select 1");
    EXPECT_GE(std::chrono::steady_clock::now() - began, 60ms);
    expect_recovery(session);
}

TEST_F(tcp_gate_test, small_parts_change_nothing_but_their_number) {
    auto session = connect();
    gate_.small_parts(3);
    const auto before = gate_.counts();
    const std::string text(3000, 'y');
    EXPECT_EQ(session.exec("select '" + text + "'").text(0, 0), text);
    const auto after = gate_.counts();
    EXPECT_GE((after.writes - before.writes) * 3,
              after.to_client - before.to_client + after.to_server - before.to_server);
    expect_recovery(session);
}

TEST_F(tcp_gate_test, a_swallowed_commit_is_a_commit_that_the_client_does_not_know_of) {
    auto session = connect();
    session.exec("create table done (statement text)");
    gate_.swallow_next("COMMIT");
    pg::transaction work(session);
    session.exec("insert into done values ('this')");
    EXPECT_THROW(work.commit(), commit_unknown_error);
    EXPECT_EQ(gate_.counts().swallowed, 1);
    EXPECT_EQ(direct_.exec("select statement from done").text(0, 0), "this");
    // It was the next one only.
    session.reconnect();
    pg::transaction(session).commit();
    expect_recovery(session);
}

TEST_F(tcp_gate_test, a_swallowed_reply_is_found_in_small_parts_too) {
    auto session = connect();
    session.exec("create table done (statement text)");
    gate_.small_parts(1);
    gate_.swallow_next("INSERT");
    expect_lost(session, "insert into done values ('this')");
    EXPECT_EQ(direct_.exec("select statement from done").text(0, 0), "this");
    expect_recovery(session);
}

TEST_F(tcp_gate_test, a_refusing_gate_lets_its_connections_live) {
    auto session = connect();
    gate_.refuse();
    EXPECT_EQ(session.exec("select 'here'").text(0, 0), "here");
    try {
        connect();
        FAIL() << "a connection was made";
    } catch (const connection_error& problem) {
        EXPECT_NE(std::string(problem.what()).find("refused"), std::string::npos) << problem.what();
    }
    EXPECT_EQ(gate_.counts().accepted, 1);
    expect_recovery(session);
}

TEST_F(tcp_gate_test, a_gate_without_a_server_ends_connections) {
    const tcp_gate nowhere("/nonexistent/socket");
    const auto conninfo =
        gate_.conninfo(database_.name()) + " port=" + std::to_string(nowhere.port());
    EXPECT_THROW(pg::connection{conninfo}, connection_error);
    nowhere.wait_until([](const gate_counts& now) { return now.open == 0; });
}

TEST_F(tcp_gate_test, a_notification_comes_through) {
    auto session = connect();
    session.listen("bell");
    direct_.exec("notify bell");
    EXPECT_TRUE(session.wait_notification(10s));
    gate_.half_open();
    direct_.exec("notify bell");
    gate_.wait_until([](const gate_counts& now) { return now.lost > 0; });
    EXPECT_FALSE(session.wait_notification(0ms));
    expect_recovery(session);
}

}  // namespace
}  // namespace postrider::test
