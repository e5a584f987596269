// The benchmarks run and report all their keys. The figures themselves mean something only in a
// full run.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/process.hpp"
#include "support/scratch_directory.hpp"

namespace {

using nlohmann::json;
using postrider::test::run;
namespace fs = std::filesystem;

const std::vector<std::string> systems{
    "postrider", "postrider_worker", "pgmq", "graphile_worker", "pg_boss", "pgq", "classic"};
const std::vector<std::string> keys{
    "drain_1",           "drain_10",      "drain_100",   "drain_1000", "drain_best",
    "bulk_publish",      "publish_1",     "publish_8",   "publish_32", "latency_p50_ms",
    "latency_p99_ms",    "pinned_first",  "pinned_last", "wal_bytes",  "dead_tuples",
    "cpu_s_per_million", "worker_rss_mib"};
// Only of systems with priorities, due times and retries.
const std::vector<std::string> due_keys{"priority_per_s", "scheduled_per_s", "retry_per_s"};

// The peers from npm are there after ./dev bench peers; without them their figures are null.
std::string installed_peers() {
    const auto* chosen = std::getenv("POSTRIDER_BENCH_PEERS");
    return chosen != nullptr ? chosen : std::string(POSTRIDER_SOURCE_DIR) + "/build/peers";
}

// The browser's driver is there after ./dev test; without it the page is not opened.
bool browser_is_installed() {
    const auto* chosen = std::getenv("POSTRIDER_TEST_PAGE_MODULES");
    const fs::path modules =
        chosen != nullptr ? chosen : POSTRIDER_SOURCE_DIR "/build/page-tests/node_modules";
    const auto* browser = std::getenv("POSTRIDER_TEST_CHROMIUM");
    return fs::exists(modules / "playwright-core") &&
           fs::exists(browser != nullptr ? browser : "/usr/bin/chromium-headless-shell");
}

json measured(const std::string& suite) {
    const postrider::test::scratch_directory scratch;
    const auto file = scratch.path() / "result.json";
    postrider::test::process bench({POSTRIDER_BENCH, suite, "--tiny", "--json", file.string()},
                                   {{"POSTRIDER_BENCH_PEERS", installed_peers()}});
    // Other tests may keep the processors busy.
    EXPECT_EQ(bench.wait(std::chrono::seconds(200)), 0) << bench.output();
    std::ifstream in(file);
    return in ? json::parse(in) : json::object();
}

std::string text_of(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

TEST(benchmarks, peers_give_every_system_every_key) {
    const auto results = measured("peers");
    for (const auto& system : systems) {
        ASSERT_TRUE(results.contains(system)) << system;
        const auto& figures = results[system];
        EXPECT_FALSE(figures["configuration"].get<std::string>().empty());
        for (const auto& key : keys) {
            ASSERT_TRUE(figures.contains(key)) << system << " lacks " << key;
            if (figures["missing"].get<std::string>().empty()) {
                ASSERT_TRUE(figures[key].is_number()) << system << " did not measure " << key;
                EXPECT_GE(figures[key].get<double>(), 0) << system << " " << key;
            } else {
                EXPECT_TRUE(figures[key].is_null()) << system << " invented " << key;
            }
        }
    }
    for (const auto& key : due_keys) {
        EXPECT_TRUE(results["pgq"][key].is_null()) << key;
        for (const auto* system : {"postrider_worker", "classic"}) {
            ASSERT_TRUE(results[system][key].is_number()) << system << " did not measure " << key;
            EXPECT_GT(results[system][key].get<double>(), 0) << system << " " << key;
        }
    }
    EXPECT_EQ(results["postrider"]["missing"], "");
    EXPECT_GT(results["postrider"]["drain_1000"].get<double>(), 0);
}

TEST(benchmarks, scale_gives_every_curve_points_and_a_verdict) {
    const auto results = measured("scale");
    for (const auto* curve :
         {"backlog", "history", "consumers", "handlers", "payload", "partitions"}) {
        ASSERT_TRUE(results.contains(curve)) << curve;
        EXPECT_GE(results[curve]["points"].size(), 2U);
        for (const auto& point : results[curve]["points"]) {
            EXPECT_GT(point["us"].get<double>(), 0);
        }
        EXPECT_NE(results[curve]["verdict"].get<std::string>().find("cheapest smaller size"),
                  std::string::npos);
    }
}

TEST(benchmarks, surface_measures_the_cost_of_the_page) {
    const auto results = measured("surface");
    for (const auto* key :
         {"overview_ms", "dead_letters_ms", "groups_ms", "group_ms", "letter_ms", "preview_ms",
          "other_slowest_ms", "viewers_200_db_core_share", "drain_with_page_over_without",
          "publish_with_page_over_without", "large_answer_ms"}) {
        ASSERT_TRUE(results.contains(key)) << key;
        EXPECT_TRUE(results[key].is_number()) << key;
    }
    EXPECT_GT(results["viewers_events_per_s"].get<double>(), 0);
    EXPECT_FALSE(results["other_slowest"].get<std::string>().empty());
    EXPECT_GE(results["large_answer_bytes"].get<double>(), 1'000'000);
    if (browser_is_installed()) {
        EXPECT_GT(results["page_cold_ms"].get<double>(), 0);
        EXPECT_GT(results["page_warm_ms"].get<double>(), 0);
        EXPECT_GE(results["page_requests_warm"].get<double>(), 1);
        EXPECT_LE(results["page_requests_warm"].get<double>(), 5);
    }
}

TEST(benchmarks, languages_measure_children_beside_the_peers) {
    const auto results = measured("languages");
    for (const auto* key : {"node_per_s", "python_per_s"}) {
        ASSERT_TRUE(results.contains(key)) << key;
        EXPECT_GT(results[key].get<double>(), 0) << key;
    }
}

TEST(benchmarks, jobs_measure_ordering_keys_limits_unique_jobs_and_schedules) {
    const auto results = measured("jobs");
    for (const auto* key :
         {"ordered_over_unordered", "ordered_messages_per_s", "hot_key_per_s", "limited_over_free",
          "limited_messages_per_s", "schedule_slots", "fires"}) {
        ASSERT_TRUE(results.contains(key)) << key;
        EXPECT_GT(results[key].get<double>(), 0) << key;
    }
    for (const auto* key :
         {"schedule_lateness_p99_ms", "schedule_idle_queries_per_s", "unique_over_plain"}) {
        ASSERT_TRUE(results.contains(key)) << key;
        EXPECT_TRUE(results[key].is_number()) << key;
    }
    for (const auto* key : {"inversions", "double_slots", "double_fires"}) {
        EXPECT_EQ(results[key], 0) << key;
    }
}

TEST(benchmarks, due_measures_messages_that_need_a_row_of_their_own) {
    const auto results = measured("due");
    for (const auto* key :
         {"priority_per_s", "priority_over_best_peer", "scheduled_per_s",
          "scheduled_over_best_peer", "lateness_p99_ms", "retry_per_s", "retry_over_best_peer",
          "replay_per_s", "replay_handled_per_s", "replay_handled_over_replay", "overtake_ms",
          "behind_delayed_ms", "due_p99_10m_over_10k", "due_wal_bytes", "due_dead_tuples"}) {
        ASSERT_TRUE(results.contains(key)) << key;
        ASSERT_TRUE(results[key].is_number()) << key;
        EXPECT_GE(results[key].get<double>(), 0) << key;
    }
    EXPECT_NE(results["retry_best_peer"], "graphile_worker");
}

#ifdef POSTRIDER_BENCH_BROKERS
TEST(benchmarks, brokers_measure_relays_and_workers_beside_bare_clients) {
    const auto results = measured("brokers");
    for (const auto* key :
         {"relay_nats_over_bare", "relay_redis_over_bare", "relay_kafka_over_bare",
          "relay_latency_p50_ms", "nats_worker_over_bare", "redis_worker_over_bare",
          "broker_db_statements_per_message"}) {
        ASSERT_TRUE(results.contains(key)) << key;
        ASSERT_TRUE(results[key].is_number()) << key;
        EXPECT_GT(results[key].get<double>(), 0) << key;
    }
}

#endif

class page : public testing::Test {
  protected:
    page() {
        fs::create_directories(root() / "docs");
        fs::create_directories(root() / "bench/results");
        std::ofstream(root() / "docs/benchmarks.md")
            << "before\n<!-- begin peers -->\n<!-- end peers -->\nbetween\n"
               "<!-- begin scale -->\n<!-- end scale -->\nafter\n";
        std::ofstream(root() / "bench/results/scale.json")
            << R"({"backlog": {"grows": "messages waiting", "work": "a message",
                   "points": [{"size": 10, "us": 4}, {"size": 1000, "us": 9}]}})";
    }
    fs::path root() const { return scratch_.path(); }
    void results(double pgmq, double ours) {
        std::ofstream(root() / "bench/results/peers.json")
            << json{{"postrider", {{"drain_1000", ours}}}, {"pgmq", {{"drain_1000", pgmq}}}};
    }
    int make(std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{POSTRIDER_BENCH, "page", root().string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments).status;
    }

  private:
    postrider::test::scratch_directory scratch_;
};

TEST_F(page, shows_missed_targets_like_reached_ones) {
    results(100'000, 250'000);
    ASSERT_EQ(make(), 0);
    EXPECT_NE(text_of(root() / "docs/benchmarks.md").find("| 2.50 | ≥ 3 | **missed** |"),
              std::string::npos);
    EXPECT_NE(text_of(root() / "docs/benchmarks.md").find("**faster than the work**"),
              std::string::npos);
    results(100'000, 350'000);
    ASSERT_EQ(make(), 0);
    EXPECT_NE(text_of(root() / "docs/benchmarks.md").find("| 3.50 | ≥ 3 | reached |"),
              std::string::npos);
}

TEST_F(page, is_stale_when_the_results_change) {
    results(1, 2);
    ASSERT_EQ(make(), 0);
    EXPECT_EQ(make({"--check"}), 0);
    results(1, 3);
    EXPECT_EQ(make({"--check"}), 1);
}

TEST_F(page, keeps_the_text_around_the_tables) {
    results(1, 2);
    ASSERT_EQ(make(), 0);
    const auto text = text_of(root() / "docs/benchmarks.md");
    EXPECT_TRUE(text.starts_with("before\n<!-- begin peers -->\n"));
    EXPECT_TRUE(text.ends_with("<!-- end scale -->\nafter\n"));
}

}  // namespace
