#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "serve/serve_fixture.hpp"
#include "support/faults/tcp_gate.hpp"

// The stream of live figures, also while the database is unavailable.
namespace postrider::test {
namespace {

class live_test : public serve_fixture {
  protected:
    /// Reads events until `enough` returns true for the data of the last one.
    template <typename Enough>
    int watch(Enough&& enough, const std::string& token = "prt_admin") const {
        std::string read;
        int events = 0;
        auto http = client();
        http.Get("/api/v1/live", bearer(token), [&](const char* part, std::size_t size) {
            read.append(part, size);
            for (std::size_t end = 0; (end = read.find("\n\n")) != std::string::npos;) {
                const auto event = read.substr(0, end);
                read.erase(0, end + 2);
                const auto data = event.find("\ndata: ");
                if (!event.starts_with("event: figures\n") || data == std::string::npos) {
                    continue;
                }
                ++events;
                if (enough(json::parse(event.substr(data + 7)))) {
                    return false;
                }
            }
            return true;
        });
        return events;
    }
};

TEST_F(live_test, a_page_that_is_opened_while_the_server_starts_gets_its_overview) {
    // Opening a database session and reading the first figures take longer than this request.
    server_ = std::make_unique<serve::server>(options());
    EXPECT_EQ(get("/api/v1/overview").status, 200);
}

TEST_F(live_test, figures_arrive_as_they_change) {
    register_worker();
    start();
    std::atomic<int> seen = 0;
    std::thread producer([&] {
        EXPECT_TRUE(eventually([&] { return seen > 0; }));
        database_.connect().exec("select postrider.publish('order.placed')");
    });
    const auto events = watch([&](const json& figures) {
        ++seen;
        return figures["totals"]["backlog"] == 1;
    });
    producer.join();
    EXPECT_GE(events, 2);
    EXPECT_EQ(watch([](const json&) { return true; }, "prt_wrong"), 0);
}

TEST_F(live_test, a_stream_ends_within_seconds_after_its_token_was_revoked) {
    start();
    const auto made = token("ann", "viewer");
    std::atomic<int> seen = 0;
    std::thread viewer([&] {
        constexpr int events_in_20_s = 200;
        watch([&](const json&) { return ++seen > events_in_20_s; }, made);
    });
    EXPECT_TRUE(eventually([&] { return seen > 0; }));
    store::revoke_token(session_, "ann", {"ann", "a test"});
    const auto revoked = std::chrono::steady_clock::now();
    viewer.join();
    EXPECT_LT(std::chrono::steady_clock::now() - revoked, std::chrono::seconds(8));
}

TEST_F(live_test, many_viewers_cost_the_database_no_more_than_one) {
    start();
    const auto calls = [&] {
        return std::stoll(
            value("select coalesce(sum(xact_commit), 0) from pg_stat_database"
                  " where datname = current_database()"));
    };
    std::mutex mutex;
    std::set<std::string> instants;
    std::vector<std::thread> viewers;
    const auto before = calls();
    for (int i = 0; i < 40; ++i) {
        viewers.emplace_back([&] {
            int left = 5;
            watch([&](const json& figures) {
                const std::lock_guard lock(mutex);
                instants.insert(figures["at"]);
                return --left == 0;
            });
        });
    }
    for (auto& viewer : viewers) {
        viewer.join();
    }
    // Concurrent viewers receive the same samples.
    EXPECT_LT(instants.size(), 100U);
    EXPECT_LT(calls() - before, 1000);
}

TEST_F(live_test, a_server_with_viewers_stops_at_once) {
    start();
    std::atomic<int> seen = 0;
    std::thread viewer([&] {
        watch([&](const json&) {
            ++seen;
            return false;
        });
    });
    ASSERT_TRUE(eventually([&] { return seen > 0; }));
    const auto began = std::chrono::steady_clock::now();
    server_.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(3));
    viewer.join();
}

TEST_F(live_test, while_the_database_is_away_it_says_so_and_then_recovers) {
    tcp_gate network;
    auto settings = options();
    settings.database = network.conninfo(database_.name());
    start(settings);
    ASSERT_EQ(get("/api/v1/consumers").status, 200);
    network.refuse();
    network.cut();
    EXPECT_TRUE(eventually([&] { return get("/api/v1/overview").status == 503; }));
    const auto answer = get("/api/v1/consumers");
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.body["code"], "connection_failed");
    EXPECT_EQ(answer.body["retryable"], true);
    EXPECT_TRUE(eventually([&] { return get("/readyz", "").status == 503; }));
    EXPECT_EQ(get("/healthz", "").status, 200);
    EXPECT_EQ(get("/", "").status, 200);
    network.pass();
    EXPECT_TRUE(eventually([&] { return get("/readyz", "").status == 200; }));
    EXPECT_EQ(get("/api/v1/consumers").status, 200);
}

}  // namespace
}  // namespace postrider::test
