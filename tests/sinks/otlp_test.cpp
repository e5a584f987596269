#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <postrider/error.hpp>
#include <string>
#include <thread>
#include <vector>

#include "sinks/collector.hpp"
#include "sinks/records.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

using nlohmann::json;

// Remembers the reported problems.
class problem_list : public sink {
  public:
    void state_changed(const state_record& record) override {
        const std::lock_guard lock(mutex_);
        states_.emplace_back(record.state);
    }
    std::vector<std::string> states() const {
        const std::lock_guard lock(mutex_);
        return states_;
    }

  private:
    mutable std::mutex mutex_;
    std::vector<std::string> states_;
};

class otlp_test : public testing::Test {
  protected:
    std::shared_ptr<trace_sink> connect(otlp_options options = {}) {
        if (collector_) {
            options.endpoint = collector_->endpoint();
        }
        options.batch_delay = 10ms;
        options.retry_first = 10ms;
        options.retry_last = 50ms;
        return connect_as_asked(std::move(options));
    }
    std::shared_ptr<trace_sink> connect_as_asked(otlp_options options) {
        options.service = "shop";
        options.problems = problems_;
        return otlp_sink(std::move(options));
    }
    std::vector<std::string> expect_states(std::size_t count) {
        EXPECT_TRUE(eventually([&] { return problems_->states().size() >= count; }));
        return problems_->states();
    }

    std::unique_ptr<collector> collector_ = std::make_unique<collector>();
    std::shared_ptr<problem_list> problems_ = std::make_shared<problem_list>();
};

using states = std::vector<std::string>;

std::map<std::string, json> attributes_of(const json& owner) {
    std::map<std::string, json> all;
    for (const auto& one : owner.at("attributes")) {
        all[one.at("key")] = one.at("value").begin().value();
    }
    return all;
}

TEST_F(otlp_test, a_publication_is_a_producer_span) {
    const auto spans = connect();
    spans->published(a_publication());
    const auto span = collector_->wait_for_spans(1).at(0);
    EXPECT_EQ(span.at("traceId"), "4bf92f3577b34da6a3ce929d0e0e4736");
    EXPECT_EQ(span.at("spanId"), "00f067aa0ba902b7");
    EXPECT_EQ(span.at("parentSpanId"), "1111111111111111");
    EXPECT_EQ(span.at("name"), "publish order.placed");
    EXPECT_EQ(span.at("kind"), 4);
    EXPECT_EQ(span.at("startTimeUnixNano"), "1905249600034567000");
    EXPECT_FALSE(span.contains("status"));
    auto attributes = attributes_of(span);
    EXPECT_EQ(attributes["messaging.system"], "postrider");
    EXPECT_EQ(attributes["messaging.operation.type"], "send");
    EXPECT_EQ(attributes["messaging.destination.name"], "outbox_default");
    EXPECT_EQ(attributes["messaging.message.id"], "01890a5d-ac96-774b-bcce-b302099a8057");
    EXPECT_EQ(attributes["postrider.target"], "billing");
    const auto resource = collector_->bodies().at(0).at("resourceSpans").at(0).at("resource");
    EXPECT_EQ(attributes_of(resource).at("service.name"), "shop");
}

TEST_F(otlp_test, a_run_is_a_consumer_span_that_says_how_it_ended) {
    const auto spans = connect();
    spans->handled(a_failed_run("no\n\"stock\""));
    const auto span = collector_->wait_for_spans(1).at(0);
    EXPECT_EQ(span.at("kind"), 5);
    EXPECT_EQ(span.at("name"), "handle order.placed");
    EXPECT_EQ(span.at("startTimeUnixNano"), "1905249600034567000");
    EXPECT_EQ(span.at("endTimeUnixNano"), "1905249600046912000");
    EXPECT_EQ(span.at("status"), (json{{"code", 2}, {"message", "no\n\"stock\""}}));
    auto attributes = attributes_of(span);
    EXPECT_EQ(attributes["messaging.operation.type"], "process");
    EXPECT_EQ(attributes["messaging.consumer.group.name"], "billing");
    EXPECT_EQ(attributes["postrider.handler"], "billing.send_invoice");
    EXPECT_EQ(attributes["postrider.attempts"], "2");
    EXPECT_EQ(attributes["error.type"], "timeout");
}

TEST_F(otlp_test, a_run_that_went_well_has_no_error_status) {
    const auto spans = connect();
    spans->handled(a_run());
    EXPECT_FALSE(collector_->wait_for_spans(1).at(0).contains("status"));
}

TEST_F(otlp_test, untraced_messages_are_not_sent) {
    const auto spans = connect();
    auto run = a_run();
    run.trace = nullptr;
    spans->handled(run);
    EXPECT_TRUE(spans->flush(0ms));
    EXPECT_EQ(spans->counts().sent, 0U);
    EXPECT_EQ(collector_->requests(), 0);
}

TEST_F(otlp_test, headers_reach_the_collector) {
    const auto spans = connect({.headers = {{"authorization", "Bearer secret"}}});
    spans->handled(a_run());
    collector_->wait_for_spans(1);
    EXPECT_EQ(collector_->header("Authorization"), "Bearer secret");
    EXPECT_EQ(collector_->header("Content-Type"), "application/json");
}

TEST_F(otlp_test, spans_travel_in_batches) {
    const auto spans = connect({.batch_max = 10});
    collector_->hold();
    for (int i = 0; i < 100; ++i) {
        spans->handled(a_run());
    }
    collector_->release();
    collector_->wait_for_spans(100);
    for (const auto& body : collector_->bodies()) {
        EXPECT_LE(body["resourceSpans"][0]["scopeSpans"][0]["spans"].size(), 10U);
    }
    EXPECT_TRUE(spans->flush(10s));
    EXPECT_EQ(spans->counts().sent, 100U);
}

TEST_F(otlp_test, spans_are_kept_while_the_collector_is_down) {
    const auto port = collector_->port();
    const auto spans = connect();
    collector_.reset();
    spans->handled(a_run());
    EXPECT_EQ(expect_states(1), states{"otlp_failing"});
    EXPECT_FALSE(spans->flush(50ms));
    collector_ = std::make_unique<collector>(port);
    collector_->wait_for_spans(1);
    EXPECT_EQ(expect_states(2), (states{"otlp_failing", "otlp_recovered"}));
    EXPECT_EQ(spans->counts().dropped, 0U);
}

TEST_F(otlp_test, a_collector_that_is_busy_is_asked_again) {
    collector_->answer_next({503, 429, 500});
    const auto spans = connect();
    spans->handled(a_run());
    collector_->wait_for_spans(1);
    EXPECT_EQ(collector_->requests(), 4);
    // Each is reported once, regardless of the number of attempts.
    EXPECT_EQ(expect_states(2), (states{"otlp_failing", "otlp_recovered"}));
}

TEST_F(otlp_test, a_collector_that_says_when_is_not_asked_before) {
    collector_->answer_next({503});
    collector_->set_retry_after("1");
    const auto spans = connect();
    spans->handled(a_run());
    collector_->wait_for_requests(1);
    const auto refused = std::chrono::steady_clock::now();
    collector_->wait_for_spans(1);
    EXPECT_GE(std::chrono::steady_clock::now() - refused, 900ms);
}

TEST_F(otlp_test, a_time_that_makes_no_sense_is_the_nearest_that_does) {
    using std::chrono::milliseconds;
    for (const auto any : {milliseconds::min(), milliseconds(-1), milliseconds::max()}) {
        collector_->answer_next({503});
        const auto spans = connect_as_asked({.endpoint = collector_->endpoint(),
                                             .batch_delay = any,
                                             .timeout = any,
                                             .retry_first = any,
                                             .retry_last = any,
                                             .retry_for = any,
                                             .flush_timeout = any});
        spans->handled(a_run());
        EXPECT_TRUE(eventually([&] { return spans->flush(10ms); }));
        EXPECT_EQ(spans->counts().sent, any > 0ms ? 1U : 0U);
        EXPECT_EQ(spans->counts().dropped, any > 0ms ? 0U : 1U);
    }
}

TEST_F(otlp_test, a_collector_that_says_never_is_asked_no_more) {
    collector_->answer_next({503});
    collector_->set_retry_after("9223372036854775807");
    const auto spans = connect();
    spans->handled(a_run());
    EXPECT_TRUE(eventually([&] { return spans->counts().dropped == 1; }));
}

TEST_F(otlp_test, spans_rejected_by_the_collector_are_dropped_and_not_repeated) {
    collector_->answer_next({400});
    const auto spans = connect();
    spans->handled(a_run());
    EXPECT_TRUE(spans->flush(10s));
    EXPECT_EQ(spans->counts().dropped, 1U);
    spans->handled(a_run());
    collector_->wait_for_spans(1);
    EXPECT_EQ(collector_->requests(), 2);
}

TEST_F(otlp_test, a_batch_that_no_collector_accepts_is_dropped) {
    collector_.reset();
    const auto spans = connect({.endpoint = "http://127.0.0.1:1", .retry_for = 50ms});
    spans->handled(a_run());
    EXPECT_TRUE(eventually([&] { return spans->counts().dropped == 1; }));
    EXPECT_EQ(expect_states(2), (states{"otlp_failing", "otlp_dropping"}));
}

TEST_F(otlp_test, a_slow_collector_costs_spans_and_no_time) {
    collector_->hold();
    const auto spans = connect({.queue_max = 20, .batch_max = 5});
    spans->handled(a_run());
    collector_->wait_for_requests(1);
    // The collector does not answer before all of these have been taken or dropped.
    for (int i = 0; i < 999; ++i) {
        spans->handled(a_run());
    }
    const auto full = spans->counts();
    EXPECT_EQ(full.waiting, 20U);
    EXPECT_EQ(full.dropped, 980U);
    collector_->release();
    collector_->wait_for_spans(20);
    EXPECT_TRUE(spans->flush(10s));
    EXPECT_EQ(spans->counts().sent, 20U);
    EXPECT_EQ(expect_states(2), (states{"otlp_dropping", "otlp_recovered"}));
}

TEST_F(otlp_test, the_last_spans_are_sent_at_the_end) {
    auto spans = connect({.batch_max = 10});
    for (int i = 0; i < 95; ++i) {
        spans->handled(a_run());
    }
    spans.reset();
    EXPECT_EQ(collector_->spans().size(), 95U);
}

TEST_F(otlp_test, the_end_does_not_wait_for_a_collector_that_hangs) {
    collector_->hold();
    auto spans = connect({.flush_timeout = 200ms});
    spans->handled(a_run());
    collector_->wait_for_requests(1);
    const auto began = std::chrono::steady_clock::now();
    spans.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
}

TEST_F(otlp_test, many_threads_lose_nothing) {
    constexpr std::size_t threads = 4;
    constexpr std::size_t each = 500;
    const auto spans = connect({.batch_max = 100});
    {
        std::vector<std::jthread> workers;
        for (std::size_t i = 0; i < threads; ++i) {
            workers.emplace_back([&] {
                for (std::size_t n = 0; n < each; ++n) {
                    spans->handled(a_run());
                    spans->published(a_publication());
                }
            });
        }
    }
    EXPECT_TRUE(spans->flush(20s));
    EXPECT_EQ(spans->counts().sent, 2 * threads * each);
    EXPECT_EQ(collector_->spans().size(), 2 * threads * each);
    EXPECT_TRUE(problems_->states().empty());
}

TEST_F(otlp_test, an_endpoint_that_is_no_web_address_is_refused) {
    collector_.reset();
    EXPECT_THROW(connect({.endpoint = "collector:4318"}), error);
    EXPECT_THROW(connect({.headers = {{"x", "1\r\ny: 2"}}}), error);
}

}  // namespace
}  // namespace postrider::test
