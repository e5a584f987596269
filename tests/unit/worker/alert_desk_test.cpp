#include "worker/alerts/alert_desk.hpp"

#include <gtest/gtest.h>

#include <future>
#include <postrider/error.hpp>

namespace postrider::working {
namespace {

using namespace std::chrono_literals;

// A target with configurable properties.
class scripted_target : public alert_target {
  public:
    explicit scripted_target(std::string name) : name_(std::move(name)) {}
    std::string name() const override { return name_; }
    std::chrono::milliseconds timeout() const override { return longest; }
    alert_answer send(const alert&, std::stop_token) override { return answer; }

    std::chrono::milliseconds longest = 10s;
    alert_answer answer = {};

  private:
    std::string name_;
};

std::shared_ptr<scripted_target> named(std::string name) {
    return std::make_shared<scripted_target>(std::move(name));
}

void open_desk(std::shared_ptr<alert_target> target) {
    alert_desk(nullptr, {std::move(target)}, [] {});
}

TEST(alert_desk_test, a_target_that_the_database_would_refuse_is_refused) {
    EXPECT_THROW(open_desk(nullptr), usage_error);
    EXPECT_THROW(open_desk(named("")), usage_error);
    EXPECT_THROW(open_desk(named(std::string(128, 'x'))), usage_error);
    EXPECT_THROW(open_desk(named("\xff")), usage_error);
    EXPECT_THROW(open_desk(named(std::string(1, '\0'))), usage_error);
    EXPECT_NO_THROW(open_desk(named(std::string(127, 'x'))));
}

TEST(alert_desk_test, a_lease_ends_however_long_a_target_may_take) {
    const auto patient = named("patient");
    patient->longest = std::chrono::milliseconds::max();
    const alert_desk desk(nullptr, {patient}, [] {});
    EXPECT_GT(desk.lease(), 1h);
    EXPECT_LT(desk.lease(), 24h);
}

TEST(alert_desk_test, a_target_is_left_alone_for_as_long_as_it_asks_within_reason) {
    struct wish {
        std::chrono::seconds asked;
        std::chrono::seconds granted;
    };
    for (const auto& [asked, granted] : {wish{60s, 60s}, wish{std::chrono::seconds::max(), 10min},
                                         wish{std::chrono::seconds::min(), 0s}}) {
        const auto shy = named("shy");
        shy->answer = {.sent = false, .target_down = true, .retry_after = asked};
        std::promise<void> done;
        alert_desk desk(nullptr, {shy}, [&] { done.set_value(); });
        const auto before = std::chrono::steady_clock::now();
        desk.push({{.target = "shy", .token = {}, .record = {}}});
        done.get_future().wait();
        const auto after = std::chrono::steady_clock::now();
        desk.results();
        EXPECT_TRUE(desk.ready(desk.places(), before + granted - 1s).empty());
        EXPECT_EQ(desk.ready(desk.places(), after + granted).size(), 1U);
        desk.stop();
    }
}

}  // namespace
}  // namespace postrider::working
