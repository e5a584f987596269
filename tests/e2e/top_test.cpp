#include "e2e/operating_fixture.hpp"
#include "e2e/terminal.hpp"

namespace postrider::test {
namespace {

constexpr winsize usual{30, 110, 0, 0};

class top_test : public operating_fixture {
  protected:
    terminal watch(const winsize& size = usual) const {
        return {program::command({"top", "--interval", "100ms"}), postrider_.variables(), size};
    }
    static std::string quit(terminal& screen) {
        screen.type("q");
        std::string rest;
        EXPECT_EQ(screen.wait(rest), 0) << rest;
        return rest;
    }
};

TEST_F(top_test, one_look_shows_consumers_trouble_and_workers) {
    sql("select postrider.publish('order.placed', '{}') from generate_series(1, 4)");
    sql("select postrider.claim($1, 3)", {worker});
    const auto page = run({"top", "--once"});
    EXPECT_EQ(page.status, 0) << page.output;
    EXPECT_TRUE(contains(page.output, "backlog 1   in flight 3   retrying 0")) << page.output;
    EXPECT_TRUE(contains(page.output, "no failing handlers")) << page.output;
    EXPECT_TRUE(contains(page.output, "6f0c1f5e  billing")) << page.output;
    EXPECT_FALSE(contains(page.output, "\x1b")) << page.output;

    dead_letter("x");
    sql("select postrider.hold_handler('billing', 'billing.send_invoice', 'ann', 'mail is "
        "down')");
    sql("select postrider.replay_propose('{}', 'agent:x', 'try again')");
    const auto json_line = run({"top", "--once", "--json"}).output;
    EXPECT_EQ(json(json_line, "{totals,dead_letters}"), "1") << json_line;
    EXPECT_EQ(json(json_line, "{totals,died_in_a_minute}"), "1");
    EXPECT_EQ(json(json_line, "{totals,circuits_not_closed}"), "1");
    EXPECT_EQ(json(json_line, "{consumers,0,consumer}"), "billing");
    EXPECT_EQ(json(json_line, "{consumers,0,state}"), "held");
    EXPECT_EQ(json(json_line, "{trouble,0,handler}"), "billing.send_invoice");
    EXPECT_EQ(json(json_line, "{replays,0,phase}"), "proposed");
    EXPECT_EQ(json(json_line, "{workers,0,in_flight}"), "3");
}

TEST_F(top_test, it_says_how_to_begin_when_there_is_nothing) {
    const test_database empty;
    const auto page = run({"top", "--once", "--database", empty.conninfo()});
    EXPECT_TRUE(contains(page.output, "no consumers yet: `postrider work")) << page.output;
}

TEST_F(top_test, json_is_a_line_per_look_until_it_is_stopped) {
    const auto looks = begin({"top", "--json", "--interval", "100ms"});
    looks->wait_for_line("\"totals\"");
    looks->wait_for_line("\"totals\"");
    looks->kill(SIGTERM);
    EXPECT_EQ(looks->wait(), 0) << looks->output();
    EXPECT_EQ(run({"top"}).status, 64);
    EXPECT_EQ(run({"top", "--interval", "1ms", "--once"}).status, 64);
}

TEST_F(top_test, the_page_goes_with_the_terminal_and_leaves_it_as_it_was) {
    postrider_.set("NO_COLOR", "");
    auto screen = watch();
    const auto begin = screen.wait_for("postrider top");
    EXPECT_TRUE(contains(begin, "\x1b[?1049h\x1b[?25l")) << begin;
    screen.wait_for("no failing handlers");
    // It is live.
    dead_letter("x");
    screen.wait_for("dead letters 1, 1 in the last minute");
    // Two lines of twenty columns.
    screen.resize({2, 20, 0, 0});
    const auto small = screen.wait_for("postrider top   tes…\x1b[0m\x1b[K\r\npublished") +
                       screen.wait_for("\x1b[J");
    EXPECT_FALSE(contains(small, "\r\ndead")) << small;
    const auto end = quit(screen);
    EXPECT_TRUE(contains(end, "\x1b[?25h\x1b[?1049l")) << end;
}

TEST_F(top_test, without_colours_there_are_none_and_ctrl_c_ends_it) {
    postrider_.set("NO_COLOR", "1");
    auto screen = watch();
    const auto page = screen.wait_for("no failing handlers");
    EXPECT_FALSE(contains(page, "\x1b[1m")) << page;
    EXPECT_FALSE(contains(page, "\x1b[2m")) << page;
    screen.type("\x03");
    std::string rest;
    EXPECT_EQ(screen.wait(rest), 0) << rest;
    EXPECT_TRUE(contains(rest, "\x1b[?1049l")) << rest;
}

TEST_F(top_test, a_line_fits_into_80_columns) {
    dead_letter("x");
    sql("select postrider.hold_handler('billing', 'billing.send_invoice', 'ann', 'mail is down')");
    postrider_.set("NO_COLOR", "1");
    auto screen = watch({30, 80, 0, 0});
    const auto page = screen.wait_for("6f0c1f5e  billing") + screen.wait_for("\x1b[J");
    EXPECT_TRUE(contains(page, "consumer  workers  rate/s  backlog  oldest")) << page;
    EXPECT_TRUE(contains(page, "billing.send_invoice  ")) << page;
    EXPECT_FALSE(contains(page, "…")) << page;
    quit(screen);
    // Nothing is left out where there is room, or no terminal.
    EXPECT_TRUE(contains(run({"top", "--once"}).output, "channel")) << page;
}

TEST_F(top_test, a_database_that_goes_away_is_told_and_come_back_to) {
    auto screen = watch();
    screen.wait_for("no failing handlers");
    sql("update pg_database set datallowconn = false where datname = current_database()");
    sql("select pg_terminate_backend(pid) from pg_stat_activity"
        " where datname = current_database() and pid <> pg_backend_pid()");
    screen.wait_for("cannot connect to the database; retrying");
    sql("update pg_database set datallowconn = true where datname = current_database()");
    screen.wait_for("no failing handlers");
    quit(screen);
}

TEST_F(top_test, hostile_names_do_not_reach_the_terminal) {
    sql("select postrider.register_worker(gen_random_uuid(), 'evil',"
        " '[{\"name\": \"evil.x\", \"event_types\": [\"*\"]}]', E'c\\x1b]0;owned\\x07',"
        " p_alive_for => '1 hour', p_host => E'\\x1b[2Jowned\\u202e')");
    const auto page = run({"top", "--once"}).output + run({"top", "--once", "--json"}).output;
    EXPECT_FALSE(contains(page, "\x1b")) << page;
    EXPECT_TRUE(contains(page, "\\x1b[2Jowned")) << page;
    EXPECT_TRUE(contains(page, "\\u001b[2Jowned")) << page;
}

TEST_F(top_test, a_rate_that_was_counted_no_further_says_so) {
    EXPECT_TRUE(contains(run({"top", "--once", "--json"}).output, R"("published_capped":false)"));
    sql("insert into postrider.message (event_type) select 'a.b' from generate_series(1, 20001)");
    const auto json = begin({"top", "--once", "--json"});
    const auto page = run({"top", "--once"});
    EXPECT_TRUE(contains(page.output, "published 4000.0+/s")) << page.output;
    EXPECT_EQ(json->wait(), 0);
    EXPECT_TRUE(contains(json->output(), R"("published_capped":true)")) << json->output();
}

TEST_F(top_test, a_stream_of_looks_survives_its_database) {
    const auto looks = begin({"top", "--json", "--interval", "100ms"});
    looks->wait_for_line("\"totals\"");
    sql("update pg_database set datallowconn = false where datname = current_database()");
    sql("select pg_terminate_backend(pid) from pg_stat_activity"
        " where datname = current_database() and pid <> pg_backend_pid()");
    looks->wait_for_line("cannot connect to the database; retrying");
    sql("update pg_database set datallowconn = true where datname = current_database()");
    looks->wait_for_line("\"totals\"");
    looks->kill(SIGTERM);
    EXPECT_EQ(looks->wait(), 0) << looks->output();
}

}  // namespace
}  // namespace postrider::test
