#include <gtest/gtest.h>
#include <httplib.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <postrider/error.hpp>
#include <regex>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
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

// Clients that begin a request and then send a byte of it from time to time.
class trickling_clients {
  public:
    trickling_clients(int port, int count, const std::string& begin) {
        for (int i = 0; i < count; ++i) {
            all_.push_back(std::make_unique<raw_connection>(port));
            all_.back()->send(begin);
        }
        sender_ = std::jthread([this](const std::stop_token& stop) {
            std::unique_lock lock(mutex_);
            while (!stopped_.wait_for(lock, stop, 200ms, [] { return false; }) &&
                   !stop.stop_requested()) {
                for (const auto& one : all_) {
                    one->send("x");
                }
            }
        });
    }
    const raw_connection& first() const { return *all_.front(); }

  private:
    std::vector<std::unique_ptr<raw_connection>> all_;
    std::mutex mutex_;
    std::condition_variable_any stopped_;
    std::jthread sender_;
};

constexpr auto unfinished_head = "GET /metrics HTTP/1.1\r\nHost: ";
constexpr auto unfinished_body =
    "GET /metrics HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000000\r\n\r\n";

struct slow_kind {
    const char* name;
    int count;
    const char* begin;
    friend void PrintTo(const slow_kind& one, std::ostream* to) { *to << one.name; }
};

class slow_clients_test : public prometheus_test, public testing::WithParamInterface<slow_kind> {};

INSTANTIATE_TEST_SUITE_P(clients, slow_clients_test,
                         testing::Values(slow_kind{"8_bodies", 8, unfinished_body},
                                         slow_kind{"50_bodies", 50, unfinished_body},
                                         slow_kind{"8_heads", 8, unfinished_head},
                                         slow_kind{"50_heads", 50, unfinished_head},
                                         slow_kind{"300_heads", 300, unfinished_head},
                                         slow_kind{"50_idle", 50, ""}),
                         [](const auto& one) { return one.param.name; });

TEST_P(slow_clients_test, a_scrape_is_answered_at_once) {
    const trickling_clients slow(sink_->port(), GetParam().count, GetParam().begin);
    httplib::Client client("127.0.0.1", sink_->port());
    client.set_read_timeout(2);
    for (int i = 0; i < 3; ++i) {
        const auto answer = client.Get("/metrics");
        ASSERT_TRUE(answer) << to_string(answer.error());
        EXPECT_EQ(answer->status, 200);
    }
}

TEST_F(prometheus_test, clients_that_read_no_answer_do_not_keep_others_from_theirs) {
    for (int i = 0; i < 2000; ++i) {
        sink_->handled(a_run("delivered" + std::to_string(i)));
    }
    std::vector<std::unique_ptr<raw_connection>> deaf;
    for (int i = 0; i < 50; ++i) {
        deaf.push_back(std::make_unique<raw_connection>(sink_->port(), "127.0.0.1", 4096));
        deaf.back()->send("GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n");
    }
    EXPECT_GT(scrape().size(), 2000U);
}

TEST_F(prometheus_test, a_connection_ends_after_five_seconds_however_often_it_sends) {
    const trickling_clients head(sink_->port(), 1, unfinished_head);
    const trickling_clients body(sink_->port(), 1, unfinished_body);
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(head.first().read_to_end(), "");
    body.first().read_to_end();
    EXPECT_LT(std::chrono::steady_clock::now() - began, 7s);
}

TEST_F(prometheus_test, a_request_with_a_body_is_refused_and_its_connection_closed) {
    for (const std::string header : {"Content-Length: 5", "transfer-encoding: chunked"}) {
        const raw_connection client(sink_->port());
        client.send("GET /metrics HTTP/1.1\r\nHost: h\r\n" + header + "\r\n\r\n");
        const auto answer = client.read_to_end();
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 ")) << answer;
        EXPECT_NE(answer.find("Connection: close"), std::string::npos) << answer;
    }
}

TEST_F(prometheus_test, only_get_of_the_metrics_is_answered_with_them) {
    httplib::Client client("127.0.0.1", sink_->port());
    EXPECT_EQ(client.Get("/metrics?format=text")->status, 200);
    EXPECT_EQ(client.Get("/")->status, 404);
    EXPECT_EQ(client.Get("/metricsand")->status, 404);
    EXPECT_EQ(client.Delete("/metrics")->status, 405);
    EXPECT_FALSE(client.Get("/metrics", {{"X-Long", std::string(40000, 'x')}}));
}

TEST_F(prometheus_test, the_answer_is_compressed_on_request) {
    sink_->published(a_publication());
    const raw_connection client(sink_->port());
    client.send("GET /metrics HTTP/1.1\r\nHost: h\r\nAccept-Encoding: deflate, gzip\r\n\r\n");
    const auto answer = client.read_to_end();
    EXPECT_NE(answer.find("Content-Encoding: gzip\r\n"), std::string::npos) << answer;
    EXPECT_NE(answer.find("\r\n\r\n\x1f\x8b"), std::string::npos);
}

TEST_F(prometheus_test, the_address_may_be_ipv6_and_an_invalid_one_is_an_error) {
    const auto six = prometheus_sink({.listen = "[::1]:0"});
    httplib::Client client("::1", six->port());
    EXPECT_EQ(client.Get("/metrics")->status, 200);
    for (const auto* wrong : {"127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", "192.0.2.1:9464"}) {
        EXPECT_THROW(prometheus_sink({.listen = wrong}), error) << wrong;
    }
}

}  // namespace
}  // namespace postrider::test
