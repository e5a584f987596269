// Slow queries of one client that try to use up the database sessions of all clients.
#include <atomic>
#include <thread>
#include <vector>

#include "serve/serve_fixture.hpp"

namespace postrider::test {
namespace {

using std::chrono::steady_clock;

class database_sessions_test : public serve_fixture {
  protected:
    /// Queries of unique keys wait until it is given back.
    void take_keys() {
        holder_.exec("begin; lock table postrider.unique_job in access exclusive mode");
    }
    void give_back_keys() { holder_.exec("rollback"); }
    /// Lists that wait for them. The server's own figures may do so, too, for a moment.
    std::string waiting() {
        return value(
            "select count(*) from pg_locks l join pg_stat_activity a using (pid)"
            " where a.datname = current_database() and a.query like '%view_page%'"
            " and l.relation = 'postrider.unique_job'::regclass and not l.granted");
    }
    /// Requests of one client, each of which waits for the keys.
    std::vector<std::jthread> ask_for_keys(const std::string& token, int count) {
        std::vector<std::jthread> asking;
        for (int i = 0; i < count; ++i) {
            asking.emplace_back([this, token] { get("/api/v1/unique-keys", token); });
        }
        return asking;
    }
    /// The time that the answer takes.
    steady_clock::duration time_of(const std::string& path, const std::string& token) {
        const auto began = steady_clock::now();
        EXPECT_EQ(get(path, token).status, 200) << path;
        return steady_clock::now() - began;
    }

    pg::connection holder_ = database_.connect();
};

TEST_F(database_sessions_test, slow_queries_of_one_token_do_not_keep_other_clients_waiting) {
    // They wait for the whole test, without a timeout of their sessions.
    constexpr auto soon = std::chrono::seconds(4);
    start();
    const auto greedy = token("greedy", "viewer");
    const auto other = token("other", "viewer");
    take_keys();
    const auto asking = ask_for_keys(greedy, 12);
    ASSERT_TRUE(eventually([&] { return waiting() >= "2"; }));
    EXPECT_LT(time_of("/api/v1/schedules", other), soon);
    EXPECT_LT(time_of("/api/v1/overview", other), soon);
    EXPECT_LT(time_of("/readyz", ""), soon);
    EXPECT_EQ(waiting(), "2") << "half of the sessions";
    give_back_keys();
}

TEST_F(database_sessions_test, a_token_with_too_many_slow_queries_is_told_so) {
    auto settings = options();
    settings.statement_time = std::chrono::seconds(1);
    start(settings);
    const auto greedy = token("greedy", "viewer");
    take_keys();
    const auto asking = ask_for_keys(greedy, 2);
    ASSERT_TRUE(eventually([&] { return waiting() == "2"; }));
    // The statements of the first two end in the same second: one of the next ones is too late.
    std::atomic<int> refused = 0;
    {
        std::vector<std::jthread> more;
        for (int i = 0; i < 8; ++i) {
            more.emplace_back([&] {
                const auto answer = get("/api/v1/unique-keys", greedy);
                refused += answer.status == 429 && answer.header("Retry-After") == "5" ? 1 : 0;
            });
        }
    }
    EXPECT_GT(refused, 0);
    give_back_keys();
}

TEST_F(database_sessions_test, slow_queries_of_all_clients_leave_a_session_for_figures_and_tokens) {
    constexpr auto soon = std::chrono::seconds(4);
    start();
    const auto first = token("first", "viewer");
    const auto second = token("second", "viewer");
    const auto unseen = token("unseen", "viewer");
    take_keys();
    const auto asking = ask_for_keys(first, 4);
    const auto more = ask_for_keys(second, 4);
    ASSERT_TRUE(eventually([&] { return waiting() == "3"; }));
    EXPECT_LT(time_of("/api/v1/overview", unseen), soon);
    EXPECT_LT(time_of("/api/v1/me", unseen), soon);
    give_back_keys();
}

TEST_F(database_sessions_test, the_client_with_the_fewest_sessions_is_next) {
    start();
    const auto first = token("first", "viewer");
    const auto second = token("second", "viewer");
    const auto modest = token("modest", "viewer");
    take_keys();  // for 5 s at most: then the queries end by themselves
    const auto asking = ask_for_keys(first, 3);
    const auto more = ask_for_keys(second, 3);
    ASSERT_TRUE(eventually([&] { return waiting() == "3"; }));
    std::atomic<bool> answered = false;
    const std::jthread third([&] { answered = get("/api/v1/schedules", modest).status == 200; });
    ASSERT_FALSE(eventually([&] { return answered.load(); }, std::chrono::milliseconds(200)));
    ASSERT_EQ(value("select pg_cancel_backend(min(pid)) from pg_stat_activity"
                    " where datname = current_database() and query like '%view_page%'"
                    " and wait_event_type = 'Lock'"),
              "t");
    EXPECT_TRUE(eventually([&] { return answered.load(); }));
    give_back_keys();
}

TEST_F(database_sessions_test, many_waiting_requests_of_one_token_do_not_overtake_another_token) {
    start();
    const std::vector<std::string> greedy{token("first", "viewer"), token("second", "viewer"),
                                          token("third", "viewer")};
    const auto modest = token("modest", "viewer");
    EXPECT_EQ(get("/api/v1/me", modest).status, 200);
    take_keys();  // for 5 s at most: then the queries end by themselves
    std::vector<std::vector<std::jthread>> asking;
    for (const auto& one : greedy) {
        asking.push_back(ask_for_keys(one, 1));
    }
    ASSERT_TRUE(eventually([&] { return waiting() == "3"; }));
    for (const auto& one : greedy) {
        asking.push_back(ask_for_keys(one, 5));
    }
    std::atomic<bool> answered = false;
    const std::jthread last([&] { answered = get("/api/v1/schedules", modest).status == 200; });
    ASSERT_FALSE(eventually([&] { return answered.load(); }, std::chrono::milliseconds(500)));
    // The token of this query then has as many sessions as the modest one: none.
    ASSERT_EQ(value("select pg_cancel_backend(min(pid)) from pg_stat_activity"
                    " where datname = current_database() and query like '%view_page%'"
                    " and wait_event_type = 'Lock'"),
              "t");
    EXPECT_TRUE(eventually([&] { return answered.load(); }, std::chrono::seconds(2)));
    give_back_keys();
}

}  // namespace
}  // namespace postrider::test
