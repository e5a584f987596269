#include <csignal>

#include "cli/output/terminal_text.hpp"
#include "e2e/operating_fixture.hpp"
#include "e2e/terminal.hpp"

namespace postrider::test {
namespace {

using replay = operating_fixture;

TEST_F(replay, the_rest_follows_its_canary_and_the_outcome_is_told) {
    for (int i = 0; i < 5; ++i) {
        dead_letter();
    }
    const auto following =
        begin({"dead-letters", "replay", "--handler", "billing.send_invoice", "--canary", "2",
               "--reason", "mail server is back", "--yes", "--wait"});
    run_until(2, "delivered");
    run_until(3, "delivered");
    EXPECT_EQ(following->wait(), 0) << following->output();
    EXPECT_TRUE(contains(following->output(), "5 delivered, 0 died again")) << following->output();
    EXPECT_EQ(run({"dead-letters", "list"}).output, "no dead letters\n");
    const auto status = run({"replay", "status", "1", "--json"}).output;
    EXPECT_EQ(json(status, "{phase}"), "finished");
    EXPECT_EQ(json(status, "{reason}"), "mail server is back");
    EXPECT_TRUE(json(status, "{actor}").starts_with("ann@")) << status;
}

TEST_F(replay, failed_items_are_reported_and_items_changed_meanwhile_are_skipped) {
    const auto first = dead_letter();
    const auto second = dead_letter();
    const auto third = dead_letter();
    EXPECT_EQ(
        run({"replay", "start", "--all", "--rate", "0.001", "--reason", "fixed", "--yes", "-q"})
            .output,
        "1\n");
    // The first has been moved at once, the others wait for the rate.
    run_until(1, "terminal");
    sql("select postrider.discard(jsonb_build_object('deliveries', jsonb_build_array($1::text)),"
        " 'bob', 'spam')",
        {second});
    sql("update postrider.replay set rate = null");
    const auto following = begin({"replay", "status", "1", "--wait"});
    run_until(1, "delivered");
    EXPECT_EQ(following->wait(), 1) << following->output();
    EXPECT_TRUE(contains(following->output(), "1 delivered, 1 died again, 1 skipped: discarded"))
        << following->output();
    EXPECT_EQ(
        json(run({"replay", "status", "1", "--items", "failed", "--json"}).output, "{delivery_id}"),
        first);
    const auto shown = run({"dead-letters", "show", first}).output;
    EXPECT_TRUE(contains(shown, "in cycle 2")) << shown;
    EXPECT_TRUE(contains(shown, "earlier cycles")) << shown;
    EXPECT_TRUE(contains(shown, "mail server did not answer")) << shown;
}

TEST_F(replay, a_canary_that_dies_again_stops_it) {
    dead_letter();
    dead_letter();
    const auto following = begin({"dead-letters", "replay", "--all", "--canary", "1", "--reason",
                                  "fixed", "--yes", "--wait", "--json"});
    run_until(1, "terminal");
    EXPECT_EQ(following->wait(), 1) << following->output();
    EXPECT_EQ(json(following->output(), "{phase}"), "paused") << following->output();
    const auto told = run({"replay", "status", "1", "--wait"});
    EXPECT_TRUE(contains(told.output, "paused: a canary died again")) << told.output;
    EXPECT_TRUE(contains(run({"replay", "list", "--active"}).output, "paused"));

    EXPECT_EQ(run({"replay", "resume", "1"}).status, 64);
    EXPECT_EQ(run({"replay", "resume", "1", "--reason", "it was that one"}).status, 0);
    const auto rest = begin({"replay", "status", "1", "--wait"});
    run_until(1, "delivered");
    EXPECT_EQ(rest->wait(), 1);
    EXPECT_TRUE(contains(rest->output(), "1 delivered, 1 died again")) << rest->output();
}

TEST_F(replay, it_can_be_paused_and_cancelled) {
    dead_letter();
    dead_letter();
    EXPECT_EQ(run({"replay", "start", "--all", "--rate", "0.001", "--reason", "x", "--yes"}).status,
              0);
    EXPECT_EQ(json(run({"replay", "pause", "1", "--reason", "slow", "--json"}).output, "{phase}"),
              "paused");
    EXPECT_EQ(run({"replay", "pause", "1", "--reason", "slow"}).status, 1);
    const auto cancelled = run({"replay", "cancel", "1", "--reason", "no more"});
    EXPECT_TRUE(contains(cancelled.output, "1 running, 1 cancelled")) << cancelled.output;
    EXPECT_EQ(value("select count(*) from postrider.dead_letters"), "1");
}

TEST_F(replay, a_signal_ends_the_waiting_and_not_the_replay) {
    dead_letter();
    const auto following =
        begin({"replay", "start", "--all", "--reason", "fixed", "--yes", "--wait"});
    ASSERT_TRUE(eventually(
        [&] { return value("select coalesce(sum(moved), 0) from postrider.replays") == "1"; }));
    following->kill(SIGINT);
    EXPECT_EQ(following->wait(), 130) << following->output();
    EXPECT_TRUE(contains(following->output(), "continues in the workers")) << following->output();
    EXPECT_EQ(value("select phase from postrider.replays"), "running");
    EXPECT_EQ(run({"replay", "status", "1", "--wait", "--timeout", "1"}).status, 75);
    run_until(1, "delivered");
    EXPECT_EQ(run({"replay", "status", "1", "--wait"}).status, 0);
}

TEST_F(replay, a_dry_run_shows_the_selection_and_changes_nothing) {
    dead_letter();
    const auto shown = run({"dead-letters", "replay", "--all", "--dry-run"});
    EXPECT_EQ(shown.status, 0) << shown.output;
    EXPECT_TRUE(contains(shown.output, "1 dead letter\n")) << shown.output;
    EXPECT_EQ(json(run({"replay", "start", "--all", "--dry-run", "--json"}).output, "{total}"),
              "1");
    EXPECT_EQ(value("select count(*) from postrider.replays"), "0");
}

TEST_F(replay, it_takes_the_previewed_dead_letters_and_no_later_ones) {
    dead_letter();
    terminal screen(
        program::command({"dead-letters", "replay", "--class", "timeout", "--reason", "fixed"}),
        postrider_.variables(), {40, 120, 0, 0});
    screen.wait_for("replay 1 dead letter? [y/N]");
    dead_letter();
    screen.type("y\n");
    std::string rest;
    EXPECT_EQ(screen.wait(rest), 0) << rest;
    EXPECT_EQ(value("select total from postrider.replays"), "1");
    EXPECT_EQ(value("select count(*) from postrider.dead_letters"), "1");
}

TEST_F(replay, it_is_refused_when_more_match_than_were_shown) {
    dead_letter();
    terminal screen(
        program::command({"dead-letters", "replay", "--class", "timeout", "--reason", "fixed"}),
        postrider_.variables(), {40, 120, 0, 0});
    screen.wait_for("replay 1 dead letter? [y/N]");
    // Its transaction began before the preview and committed after it.
    const auto late = dead_letter();
    sql("update postrider.delivery set dead_at = dead_at - interval '1 hour' where id = $1",
        {late});
    screen.type("y\n");
    std::string rest;
    EXPECT_EQ(screen.wait(rest), 1) << rest;
    EXPECT_TRUE(contains(rest, "matches 2 dead letters, 1 were expected")) << rest;
    EXPECT_EQ(value("select count(*) from postrider.replays"), "0");
}

TEST_F(replay, a_script_says_how_many_it_expects) {
    dead_letter();
    dead_letter();
    const auto refused =
        run({"replay", "start", "--all", "--expected", "1", "--reason", "x", "--yes"});
    EXPECT_EQ(refused.status, 1) << refused.output;
    EXPECT_EQ(run({"dead-letters", "discard", "--all", "--expected", "1", "--reason", "x", "--yes"})
                  .status,
              1);
    EXPECT_EQ(value("select count(*) from postrider.dead_letters"), "2");
    EXPECT_EQ(run({"dead-letters", "discard", "--all", "--expected", "2", "--reason", "x", "--yes"})
                  .status,
              0);
    EXPECT_EQ(run({"dead-letters", "restore", "--all", "--expected", "1", "--reason", "x"}).status,
              1);
}

TEST_F(replay, those_that_died_again_in_it_are_a_filter) {
    const auto first = dead_letter();
    EXPECT_EQ(run({"replay", "start", "--id", first, "--reason", "x", "--yes", "-q"}).output,
              "1\n");
    run_until(1, "terminal");
    dead_letter();
    EXPECT_EQ(run({"dead-letters", "list", "--replay", "1", "-q"}).output, first + "\n");
    EXPECT_EQ(run({"replay", "start", "--replay", "1", "--reason", "y", "--yes", "-q"}).output,
              "2\n");
    EXPECT_EQ(value("select total from postrider.replays where replay = 2"), "1");
    EXPECT_EQ(run({"dead-letters", "list", "--replay", "seven"}).status, 64);
}

TEST_F(replay, its_progress_stays_within_a_narrow_terminal) {
    dead_letter();
    EXPECT_EQ(run({"replay", "start", "--all", "--reason", "fixed", "--yes"}).status, 0);
    terminal screen(program::command({"replay", "status", "1", "--wait"}), postrider_.variables(),
                    {24, 32, 0, 0});
    screen.wait_for("\x1b[K");
    auto line = screen.wait_for("\r");
    line.pop_back();
    EXPECT_TRUE(contains(line, "0 of 1")) << line;
    EXPECT_LT(cli::width_of(line), 32U) << line;
    screen.type("\x03");
    std::string rest;
    EXPECT_EQ(screen.wait(rest), 130) << rest;
}

}  // namespace
}  // namespace postrider::test
