#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <postrider/postrider.hpp>
#include <string>
#include <vector>

#include "sinks/collector.hpp"
#include "sinks/records.hpp"
#include "support/scratch_directory.hpp"
#include "support/test_database.hpp"

// The three sinks behind a real worker and a real publication.
namespace postrider::test {
namespace {

using nlohmann::json;

class working_test : public testing::Test {
  protected:
    void TearDown() override { set_default_sink(nullptr); }

    std::vector<json> lines(const std::string& message) const {
        std::vector<json> found;
        std::ifstream log(file_);
        for (std::string line; std::getline(log, line);) {
            if (auto parsed = json::parse(line); parsed["message"] == message) {
                found.push_back(std::move(parsed));
            }
        }
        return found;
    }

    test_database database_;
    scratch_directory place_;
    collector collector_;
    const std::string file_ = place_.path() / "log";
    const std::shared_ptr<metrics_sink> metrics_ = prometheus_sink({.listen = ""});
    const std::shared_ptr<trace_sink> spans_ =
        otlp_sink({.endpoint = collector_.endpoint(), .batch_delay = 10ms});
};

TEST_F(working_test, a_message_can_be_followed_from_its_publication_to_its_run) {
    set_default_sink(fan_out(json_lines_sink({.to = file_}), fan_out(metrics_, spans_)));
    worker office({.database = database_.conninfo(), .consumer = "office"});
    office.on("user.created", "office.welcome",
              [](const event&) { return transient("no paper", "printer"); });
    office.drain();
    connection session(database_.conninfo());
    transaction work(session);
    const auto id =
        publish(work, {.event_type = "user.created",
                       .payload = R"({"secret": "hunter2"})",
                       .source = "accounts",
                       .trace_context = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"});
    work.commit();
    EXPECT_EQ(office.drain(), 1);

    const auto published = lines("published").at(0);
    const auto handled = lines("handled").at(0);
    EXPECT_EQ(published["event_id"], id);
    EXPECT_EQ(handled["event_id"], id);
    EXPECT_EQ(handled["status_result"], "transient");
    EXPECT_EQ(handled["error"], "no paper");
    EXPECT_EQ(handled["trace_id"], "4bf92f3577b34da6a3ce929d0e0e4736");

    const auto spans = collector_.wait_for_spans(2);
    EXPECT_EQ(spans[0]["kind"], 4);
    EXPECT_EQ(spans[1]["kind"], 5);
    EXPECT_EQ(spans[0]["traceId"], spans[1]["traceId"]);
    EXPECT_EQ(spans[1]["spanId"], handled["span_id"]);
    EXPECT_NE(
        metrics_->exposition().find(
            R"(postrider_handled_total{consumer="office",handler="office.welcome",outcome="transient"} 1)"),
        std::string::npos);

    std::ifstream log(file_);
    const std::string all(std::istreambuf_iterator<char>(log), {});
    EXPECT_EQ(all.find("hunter2"), std::string::npos);
    EXPECT_EQ(json(collector_.bodies()).dump().find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace postrider::test
