#include <gtest/gtest.h>
#include <httplib.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <map>
#include <memory>
#include <postrider/error.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "sinks/records.hpp"
#include "support/raw_connection.hpp"

namespace postrider::test {
namespace {

// Samples by name and labels, read by the rules of the text format; anything else fails.
std::map<std::string, double> read_samples(const std::string& text) {
    static const std::regex comment(R"(# (HELP|TYPE) [a-zA-Z_:][a-zA-Z0-9_:]* .+)");
    static const std::regex sample(
        R"(([a-zA-Z_:][a-zA-Z0-9_:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\]|\\["\\n])*",?)*\})?) (\S+))");
    std::map<std::string, double> samples;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        std::smatch parts;
        if (std::regex_match(line, parts, sample)) {
            samples[parts[1]] = std::stod(parts[2]);
        } else {
            EXPECT_TRUE(std::regex_match(line, comment)) << line;
        }
    }
    return samples;
}

class prometheus_test : public testing::Test {
  protected:
    std::map<std::string, double> scrape() const {
        httplib::Client client("127.0.0.1", sink_->port());
        const auto answer = client.Get("/metrics");
        EXPECT_TRUE(answer);
        if (!answer) {
            return {};
        }
        EXPECT_EQ(answer->status, 200);
        EXPECT_EQ(answer->get_header_value("Content-Type").rfind("text/plain", 0), 0U);
        return read_samples(answer->body);
    }

    std::shared_ptr<metrics_sink> sink_ = prometheus_sink({.listen = "127.0.0.1:0"});
};

TEST_F(prometheus_test, the_scraped_metrics_count_every_run) {
    sink_->published(a_publication());
    sink_->published(a_publication());
    sink_->handled(a_run());
    sink_->handled(a_run());
    sink_->handled(a_failed_run());
    const auto samples = scrape();
    EXPECT_EQ(samples.at("postrider_published_total"), 2);
    const std::string run = R"(consumer="billing",handler="billing.send_invoice")";
    EXPECT_EQ(samples.at("postrider_handled_total{" + run + R"(,outcome="delivered"})"), 2);
    EXPECT_EQ(samples.at("postrider_handled_total{" + run + R"(,outcome="transient"})"), 1);
    const std::string duration = "postrider_handle_duration_seconds";
    EXPECT_EQ(samples.at(duration + "_count{" + run + "}"), 3);
    EXPECT_NEAR(samples.at(duration + "_sum{" + run + "}"), 3 * 0.012345, 1e-9);
    EXPECT_EQ(samples.at(duration + "_bucket{" + run + R"(,le="0.01"})"), 0);
    EXPECT_EQ(samples.at(duration + "_bucket{" + run + R"(,le="0.025"})"), 3);
    EXPECT_EQ(samples.at(duration + "_bucket{" + run + R"(,le="+Inf"})"), 3);
}

TEST_F(prometheus_test, figures_are_gauges_with_their_newest_value) {
    sink_->figures({.consumer = "billing", .in_flight = 7, .running = 3, .listening = true});
    sink_->figures({.consumer = "billing", .notification_queue = 0.25});
    sink_->figures({.consumer = "billing",
                    .in_flight = 5,
                    .running = 2,
                    .keeper = true,
                    .operation = "exchange",
                    .operation_time = 3ms});
    const auto samples = scrape();
    EXPECT_EQ(samples.at(R"(postrider_in_flight{consumer="billing"})"), 5);
    EXPECT_EQ(samples.at(R"(postrider_running{consumer="billing"})"), 2);
    EXPECT_EQ(samples.at(R"(postrider_listening{consumer="billing"})"), 0);
    EXPECT_EQ(samples.at(R"(postrider_keeper{consumer="billing"})"), 1);
    EXPECT_EQ(samples.at("postrider_notify_queue_usage"), 0.25);
    EXPECT_EQ(
        samples.at(
            R"(postrider_operation_duration_seconds_count{consumer="billing",operation="exchange"})"),
        1);
}

TEST_F(prometheus_test, odd_names_stay_within_their_quotes) {
    auto run = a_run();
    run.handler = "shop.\"x\\y\"\nforged 1";
    sink_->handled(run);
    EXPECT_EQ(scrape().count("forged"), 0U);
}

TEST(prometheus_registry_test, many_threads_count_exactly) {
    const auto metrics = prometheus_sink({.listen = ""});
    constexpr int threads = 4;
    constexpr int each = 2000;
    {
        std::vector<std::jthread> workers;
        for (int i = 0; i < threads; ++i) {
            workers.emplace_back([&, i] {
                const auto handler = "shop.h" + std::to_string(i % 2);
                for (int n = 0; n < each; ++n) {
                    auto run = a_run(n % 2 == 0 ? "delivered" : "transient");
                    run.handler = handler;
                    metrics->handled(run);
                    metrics->figures({.consumer = "billing", .operation = "exchange"});
                }
            });
        }
        read_samples(metrics->exposition());
    }
    const auto samples = read_samples(metrics->exposition());
    double all = 0;
    for (const auto& [name, value] : samples) {
        if (name.rfind("postrider_handled_total", 0) == 0) {
            EXPECT_EQ(value, threads * each / 4);
            all += value;
        }
    }
    EXPECT_EQ(all, threads * each);
}

TEST(prometheus_registry_test, a_program_with_its_own_registry_serves_it_itself) {
    const auto registry = std::make_shared<prometheus::Registry>();
    const auto ours = prometheus_sink({.registry = registry});
    const auto again = prometheus_sink({.registry = registry});
    EXPECT_EQ(ours->port(), 0);
    ours->published(a_publication());
    again->published(a_publication());
    const auto text = prometheus::TextSerializer().Serialize(registry->Collect());
    EXPECT_EQ(read_samples(text).at("postrider_published_total"), 2);
    EXPECT_EQ(ours->exposition(), text);
}

TEST(prometheus_registry_test, metrics_can_be_had_without_a_port) {
    const auto quiet = prometheus_sink({.listen = ""});
    EXPECT_EQ(quiet->port(), 0);
    quiet->published(a_publication());
    EXPECT_EQ(read_samples(quiet->exposition()).at("postrider_published_total"), 1);
}

TEST_F(prometheus_test, a_port_that_is_taken_is_an_error_that_names_it) {
    const auto taken = "127.0.0.1:" + std::to_string(sink_->port());
    try {
        prometheus_sink({.listen = taken});
        FAIL() << "opened twice";
    } catch (const error& problem) {
        EXPECT_NE(std::string(problem.what()).find(taken), std::string::npos) << problem.what();
    }
}

TEST_F(prometheus_test, idle_connections_delay_a_scrape_by_seconds_only) {
    std::vector<std::unique_ptr<raw_connection>> idle;
    for (int i = 0; i < 12; ++i) {
        idle.push_back(std::make_unique<raw_connection>(sink_->port()));
        idle.back()->send(i % 2 == 0 ? "" : "GET /metrics HTTP/1.1\r\nHost: ");
    }
    sink_->published(a_publication());
    httplib::Client client("127.0.0.1", sink_->port());
    client.set_read_timeout(10);
    const auto answer = client.Get("/metrics");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
}

}  // namespace
}  // namespace postrider::test
