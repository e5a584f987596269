#include "worker/runs/run_tally.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace postrider::working {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

// The beginnings of sql/functions/history/time_bound.sql: two classes per octave from 64 µs on.
TEST(run_tally_test, classes_begin_where_the_database_says) {
    EXPECT_EQ(time_class(-5us), 0U);
    EXPECT_EQ(time_class(0us), 0U);
    EXPECT_EQ(time_class(63us), 0U);
    EXPECT_EQ(time_class(64us), 1U);
    EXPECT_EQ(time_class(95us), 1U);
    EXPECT_EQ(time_class(96us), 2U);
    EXPECT_EQ(time_class(128us), 3U);
    EXPECT_EQ(time_class(191us), 3U);
    EXPECT_EQ(time_class(192us), 4U);
    EXPECT_EQ(time_class(24h * 1000), time_classes - 1);
    EXPECT_EQ(time_class(std::chrono::microseconds::max()), time_classes - 1);
}

TEST(run_tally_test, an_id_of_version_7_says_when_its_message_was_published) {
    event_fields message;
    message.occurred_at = std::chrono::system_clock::time_point(5s);
    EXPECT_EQ(published_at(message), message.occurred_at);
    message.id = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x70};
    EXPECT_EQ(published_at(message), std::chrono::system_clock::time_point(0x010203040506ms));
}

TEST(run_tally_test, counts_runs_by_handler_and_adds_them_up) {
    const handler charge{.name = "billing.charge",
                         .patterns = {},
                         .options = {},
                         .plain = {},
                         .transactional = {},
                         .batch = {}};
    const handler mail{.name = "billing.mail",
                       .patterns = {},
                       .options = {},
                       .plain = {},
                       .transactional = {},
                       .batch = {}};
    run_tally tally;
    EXPECT_TRUE(tally.empty());
    EXPECT_EQ(tally.json(), "[]");
    tally.count(charge, {outcome_kind::delivered, 1, 10us, 100us});
    tally.count(charge, {outcome_kind::transient, 2, 70us, {}});
    tally.count(charge, {outcome_kind::terminal, 99, 70us, {}});
    run_tally other;
    other.count(charge, {outcome_kind::snooze, 1, 10us, {}});
    other.count(mail, {outcome_kind::interrupted, 1, 10us, {}});
    tally.add(other);
    EXPECT_EQ(json::parse(tally.json()), json::parse(R"([
        {"handler": "billing.charge", "delivered": 1, "transient": 1, "terminal": 1, "other": 1,
         "attempts": [2, 1, 0, 0, 0, 0, 0, 1], "run_times": [2, 2], "queue_times": [0, 0, 1]},
        {"handler": "billing.mail", "delivered": 0, "transient": 0, "terminal": 0, "other": 1,
         "attempts": [1], "run_times": [1], "queue_times": []}])"));
}

}  // namespace
}  // namespace postrider::working
