// Promises about database roles that only the program can keep; those of the SQL functions are in
// the *.sql files.
#include <csignal>
#include <memory>

#include "e2e/mcp/mcp_fixture.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

/// A login of this test's own, which no other test on the server has.
class database_roles_test : public mcp_fixture {
  public:
    ~database_roles_test() override {
        agent_.reset();
        session_.exec("drop role if exists " + login_);
    }

  protected:
    void create_login(const std::string& group) {
        session_.exec("create role " + login_ + " login" +
                      (group.empty() ? "" : " in role " + group));
    }
    std::string as_login() const { return database_.conninfo() + " user=" + login_; }

    std::string login_ = "test_" + database_.name();
};

TEST_F(database_roles_test, an_agent_with_its_own_role_can_use_every_tool_and_approves_nothing) {
    create_login("postrider_agent");
    const auto delivery = dead_letter();
    start({"--database", as_login()});
    initialize();
    for (const auto* tool : {"overview", "doctor", "list_consumers", "list_dlq_groups"}) {
        EXPECT_EQ(complaint(call(tool)), "") << tool;
    }
    EXPECT_EQ(found(call("list_dlq_events"), "events,0,delivery_id"), delivery);
    const auto detail = call("get_dlq_event_detail", R"({"id": ")" + delivery + "\"}");
    EXPECT_NE(found(detail, "events,0,last_error"), "") << detail;
    const auto made =
        call("replay_dlq_event", R"({"id": ")" + delivery + R"(", "reason": "mail is back"})");
    EXPECT_EQ(found(made, "phase"), "proposed") << made;
    EXPECT_EQ(found(call("replay_status", R"({"replay": 1})"), "replay,phase"), "proposed");
    EXPECT_EQ(
        run({"replay", "approve", "1", "--yes", "--reason", "me", "--database", as_login()}).status,
        77);
    EXPECT_EQ(run({"replay", "approve", "1", "--yes", "--reason", "looked at it"}).status, 0);
}

TEST_F(database_roles_test, an_agent_of_an_operator_cannot_approve_its_own_proposal) {
    create_login("postrider_operator");
    const auto delivery = dead_letter();
    start({"--database", as_login()});
    call("replay_dlq_event", R"({"id": ")" + delivery + R"(", "reason": "mail is back"})");
    const auto refused = run(
        {"replay", "approve", "1", "--yes", "--reason", "another name", "--database", as_login()});
    EXPECT_EQ(refused.status, 1) << refused.output;
    EXPECT_TRUE(contains(refused.output, "cannot approve it")) << refused.output;
}

TEST_F(database_roles_test, an_agent_is_told_of_errors_without_sql_and_of_large_results_only_that) {
    session_.exec(
        "select postrider.register_worker(gen_random_uuid(), 'large', (select jsonb_agg("
        "jsonb_build_object('name', 'large.x' || n, 'event_types', '[\"*\"]'::jsonb, 'classes',"
        " jsonb_build_object('terminal', jsonb_build_array(repeat('x', 15000)))))"
        " from generate_series(1, 200) n))");
    start();
    initialize();
    for (const auto* filter :
         {R"({"dead_after": "yesterdayish"})", R"({"workspace_id": "x"})",
          R"({"deliveries": ["1; drop table x"]})", R"({"no_such_key": "x"})"}) {
        const auto told =
            complaint(call("list_dlq_events", R"({"filter": )" + std::string(filter) + "}"));
        EXPECT_NE(told, "") << filter;
        for (const auto* word : {"select ", "$1", "postrider.dead"}) {
            EXPECT_FALSE(contains(told, word)) << told;
        }
    }
    EXPECT_TRUE(contains(complaint(call("list_consumers")), "the limit is 2097152"));
    EXPECT_EQ(complaint(call("list_consumers", R"({"consumer": "none"})")), "");
}

TEST_F(database_roles_test, a_consumer_is_transferred_and_its_old_workers_are_refused) {
    create_login("postrider_worker");
    session_.exec("select postrider.create_consumer('office')");
    const std::vector<std::string> work{"work", "--once", "--consumer", "office",     "--on",
                                        "*",    "--exec", "true",       "--database", as_login()};
    const auto refused = run(work);
    EXPECT_NE(refused.status, 0);
    EXPECT_TRUE(contains(refused.output, "consumer office belongs to the role")) << refused.output;
    const auto moved =
        run({"consumers", "transfer", "office", "--to", login_, "--reason", "it is theirs"});
    EXPECT_EQ(moved.status, 0) << moved.output;
    EXPECT_TRUE(contains(run({"consumers"}).output, login_));
    const auto worked = run(work);
    EXPECT_EQ(worked.status, 0) << worked.output;
    EXPECT_EQ(
        run({"consumers", "transfer", "office", "--to", "no_such_role", "--reason", "x"}).status,
        64);
}

TEST_F(database_roles_test, the_worker_and_the_doctor_name_a_foreign_lock_holder) {
    create_login("");
    process office(
        program::command({"work", "--consumer", "office", "--on", "*", "--exec", "true"}),
        postrider_.variables());
    ASSERT_TRUE(eventually([&] {
        return value("select count(*) from postrider.workers where consumer = 'office'") == "1";
    }));
    pg::connection stranger(as_login() + " application_name=hog");
    stranger.exec("select pg_advisory_lock(1886351202, " +
                  value("select id from postrider.consumer where name = 'office'") + ")");
    session_.exec("alter function postrider.take_lock set lock_timeout = '500ms'");  // of 5 s
    session_.exec("select postrider.publish('a')");
    EXPECT_TRUE(contains(office.wait_for_line("held by pid"), login_ + ", application hog"));
    pg::connection flood(as_login() + " application_name=flood");
    flood.exec("select count(pg_advisory_lock(1886351201, i)) from generate_series(1, 300) i");
    const auto told = run({"doctor", "--quiet"});
    EXPECT_TRUE(contains(told.output, "(user " + login_ + ", application hog)")) << told.output;
    EXPECT_TRUE(contains(told.output, "a doorbell and 299 more like it are held by pid"))
        << told.output;
    stranger.exec("select pg_advisory_unlock_all()");
    EXPECT_TRUE(eventually(
        [&] {
            return value("select status from postrider.outbox where consumer = 'office'") ==
                   "delivered";
        },
        std::chrono::seconds(60)));
    office.kill(SIGTERM);
    EXPECT_EQ(office.wait(), 0);
}

TEST_F(database_roles_test, workers_of_a_handler_that_others_change_say_so) {
    process office(program::command({"work", "--consumer", "office", "--on", "*", "--exec", "true",
                                     "--heartbeat-timeout", "3s"}),
                   postrider_.variables());
    ASSERT_TRUE(eventually([&] {
        return value("select count(*) from postrider.workers where consumer = 'office'") == "1";
    }));
    const auto handler = value("select handler from postrider.handlers where consumer = 'office'");
    session_.exec("select postrider.register_worker(gen_random_uuid(), 'office', '[{\"name\": \"" +
                  handler + "\", \"event_types\": [\"none\"]}]')");
    EXPECT_TRUE(contains(office.wait_for_line("other event types"), handler));
}

TEST_F(database_roles_test, an_environment_too_large_for_a_command_is_terminal) {
    session_.exec(
        "select postrider.publish('large', p_headers => jsonb_build_object('a', repeat('x', "
        "60000))),"
        " postrider.publish('small')");
    auto variables = postrider_.variables();
    variables["FILLER"] = std::string(90000, 'x');
    // The kernel passes on arguments of at most a quarter of the stack limit.
    const auto outcome = test::run(
        {"/bin/sh", "-c",
         "ulimit -s 560; exec " POSTRIDER_PROGRAM
         " work --once --consumer office --on '*' --from-beginning --retry fixed:1h --exec true"},
        variables);
    EXPECT_EQ(value("select string_agg(concat_ws(' ', event_type, status, error_class), ', '"
                    " order by event_type) from postrider.outbox where consumer = 'office'"),
              "large failed environment_too_large, small delivered")
        << outcome.output;
}

}  // namespace
}  // namespace postrider::test
