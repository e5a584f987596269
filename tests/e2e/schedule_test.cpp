#include "e2e/operating_fixture.hpp"

namespace postrider::test {
namespace {

class schedule_command : public operating_fixture {
  protected:
    finished_process schedule(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "schedule");
        return run(std::move(arguments));
    }
    finished_process set(std::vector<std::string> more = {}) const {
        more.insert(more.begin(),
                    {"set", "nightly", "--cron", "30 2 * * *", "--time-zone", "Europe/Berlin",
                     "--event-type", "report.due", "--reason", "new"});
        return schedule(std::move(more));
    }
};

TEST_F(schedule_command, a_schedule_is_set_listed_shown_and_removed) {
    EXPECT_EQ(schedule({"list"}).output, "no schedules\n");
    EXPECT_EQ(set().output, "nightly is created\n");
    EXPECT_EQ(set().output, "nightly is unchanged\n");
    const auto changed =
        set({"--overlap", "skip", "--catch-up", "2h", "--jitter", "30s", "--payload", R"({"a": 1})",
             "--target", "billing", "--priority", "3", "--json"});
    EXPECT_EQ(json(changed.output, "{result}"), "changed") << changed.output;
    EXPECT_TRUE(contains(schedule({"list"}).output, "30 2 * * *"));
    EXPECT_EQ(schedule({"list", "--quiet"}).output, "nightly\n");
    const auto shown = schedule({"show", "nightly", "--json"}).output;
    EXPECT_EQ(json(shown, "{message,payload,a}"), "1") << shown;
    EXPECT_EQ(json(shown, "{overlap}"), "skip");
    EXPECT_EQ(json(shown, "{jitter}"), "00:00:30");
    EXPECT_TRUE(contains(schedule({"show", "nightly"}).output, "Europe/Berlin"));
    EXPECT_EQ(schedule({"remove", "nightly", "--reason", "over"}).status, 64)
        << "without anybody to ask it needs --yes";
    EXPECT_EQ(schedule({"remove", "nightly", "--reason", "over", "--yes"}).status, 0);
    for (const auto* command : {"show", "next"}) {
        EXPECT_EQ(schedule({command, "nightly"}).status, 66) << command;
    }
    EXPECT_TRUE(contains(run({"audits"}).output, "remove_schedule"));
}

TEST_F(schedule_command, the_next_slots_are_shown_across_a_change_of_the_clocks) {
    set();
    const auto next =
        schedule({"next", "nightly", "--from", "2026-03-28T00:00:00Z", "--count", "3"});
    EXPECT_EQ(next.status, 0) << next.output;
    EXPECT_TRUE(contains(next.output, "2026-03-28 01:30:00Z")) << next.output;
    EXPECT_TRUE(contains(next.output, "2026-03-29 01:00:00Z")) << next.output;
    EXPECT_TRUE(contains(next.output, "2026-03-30 00:30:00Z")) << next.output;
    const auto lines = schedule({"next", "--cron", "@every 90s", "--json"}).output;
    EXPECT_EQ(std::ranges::count(lines, '\n'), 10) << "ten unless told";
    EXPECT_EQ(schedule({"next"}).status, 64);
    const auto wrong = schedule({"next", "--cron", "61 * * * *"});
    EXPECT_EQ(wrong.status, 64);
    EXPECT_TRUE(contains(wrong.output, "the minute must be between 0 and 59")) << wrong.output;
}

TEST_F(schedule_command, a_schedule_is_paused_run_and_backfilled) {
    set();
    EXPECT_EQ(schedule({"pause", "nightly"}).status, 64) << "without a reason";
    EXPECT_EQ(schedule({"pause", "nightly", "--reason", "holidays"}).status, 0);
    EXPECT_EQ(json(schedule({"show", "nightly", "--json"}).output, "{paused}"), "true");
    const auto ran = schedule({"run", "nightly", "--reason", "a look", "--json"});
    EXPECT_EQ(
        value("select source from postrider.message where id = $1", {json(ran.output, "{id}")}),
        "schedule:nightly");
    const auto filled =
        schedule({"backfill", "nightly", "--from", "2025-03-01T00:00:00Z", "--to",
                  "2025-03-11T00:00:00Z", "--limit", "7", "--reason", "missed", "--json"});
    EXPECT_EQ(json(filled.output, "{fired}"), "7") << filled.output;
    EXPECT_EQ(value("select count(*) from postrider.message where occurred_at < $1::timestamptz",
                    {json(filled.output, "{next_from}")}),
              "7");
    EXPECT_EQ(schedule({"resume", "nightly", "--reason", "back"}).output, "nightly goes on\n");
}

}  // namespace
}  // namespace postrider::test
