// A pipeline on pgmq with untrusted roles: their code never runs with the rights of Postrider, and
// one queue does not stop the maintenance of the rest.
#include <chrono>
#include <future>

#include "relay/pgmq/pgmq_pipeline_fixture.hpp"

namespace postrider::test {
namespace {

class pgmq_pipeline_rights : public pgmq_pipeline {
  protected:
    /// A role of the application with all rights on its queues, and a trigger of it that notes the
    /// role that runs it.
    void make_trigger() {
        session.exec("create role " + app + "; create schema app authorization " + app +
                     "; grant usage on schema pgmq to " + app +
                     "; create table app.ran (as_role name); grant insert on app.ran to public;"
                     "grant usage on schema app to public; grant all on " +
                     tables + " to " + app + "; set role " + app);
        session.exec(
            "create function app.note() returns trigger language plpgsql as"
            " 'begin insert into app.ran values (current_user); return coalesce(new, old); end';"
            "create trigger note before insert or delete on pgmq.q_pipeline_jobs_dlq"
            " for each row execute function app.note();"
            "create trigger note before insert or delete on pipeline_dead_letters"
            " for each row execute function app.note(); reset role");
    }
    std::string problem() { return value("select problem from postrider.pgmq_pipelines"); }

    const std::string app = "pgmq_app_" + database.name();  // tests run side by side
    const std::string tables = "pgmq.q_pipeline_jobs_dlq, pipeline_dead_letters";
};

TEST_F(pgmq_pipeline_rights, no_trigger_of_another_role_runs_with_the_rights_of_postrider) {
    die();
    make_trigger();
    die();
    EXPECT_NE(problem().find("calls a function of the role"), std::string::npos) << problem();
    EXPECT_EQ(refused(session, replay_all).substr(0, 5), "PR010");
    session.exec(
        "drop trigger note on pgmq.q_pipeline_jobs_dlq; drop trigger note on "
        "pipeline_dead_letters");
    die();
    EXPECT_NE(problem().find("may create triggers on"), std::string::npos) << problem();
    EXPECT_EQ(refused(session,
                      "select postrider.define_pgmq_pipeline('pipeline_jobs', 'pipeline',"
                      " 'pipeline_dead_letters')")
                  .substr(0, 5),
              "PR010");
    EXPECT_EQ(value("select count(*) from app.ran"), "0");
    session.exec("revoke trigger on " + tables + " from " + app);
    session.exec("select postrider.maintain()");
    EXPECT_EQ(places(), "3 3 3 0") << "the copies are written afterwards";
    session.exec("drop owned by " + app + " cascade; drop role " + app);
}

TEST_F(pgmq_pipeline_rights, a_function_of_another_role_is_not_called_by_a_superuser) {
    session.exec("create role " + app + "; grant create on schema pgmq to " + app);
    session.exec(
        "create table ran (as_role name);"
        "create or replace function pgmq.create(queue_name text) returns void language plpgsql as"
        " 'begin insert into public.ran values (current_user); end';"
        "select pgmq.create_non_partitioned('mails');"
        "alter function pgmq.create(text) owner to " +
        app);
    EXPECT_EQ(
        refused(session, "select postrider.define_pgmq_pipeline('mails', 'pipeline')").substr(0, 5),
        "PR010");
    EXPECT_EQ(value("select count(*) from ran"), "0");
    session.exec("drop owned by " + app + " cascade; drop role " + app);
}

TEST_F(pgmq_pipeline_rights, copies_that_fail_for_ever_do_not_keep_maintenance) {
    session.exec(
        "alter table pipeline_dead_letters alter recording_id type uuid using recording_id::uuid;"
        "set client_min_messages = error");
    for (int i = 0; i < 4; ++i) {
        die();
    }
    EXPECT_EQ(places(), "4 0 0 4");
    EXPECT_EQ(value("select written from postrider.keep_pgmq_copies(1000, interval '-1 second')"),
              "0");
    EXPECT_EQ(value("select count(*) from postrider.pgmq_copy where msg_id is null"), "4");
    // A copy that can be written is, however many of the others there are.
    session.exec("alter table pipeline_dead_letters add constraint c check (step <> 'late')");
    die(R"({"step": "late"})");
    session.exec("alter table pipeline_dead_letters drop constraint c");
    EXPECT_EQ(places(), "5 0 0 5");
    for (int i = 0; i < 200 && places() != "5 1 1 4"; ++i) {
        session.exec("select from postrider.keep_pgmq_copies(1)");
    }
    EXPECT_EQ(places(), "5 1 1 4");
}

TEST_F(pgmq_pipeline_rights, a_reader_that_stays_does_not_stop_retention) {
    die();
    die();
    session.exec(
        "update postrider.delivery set dead_at = dead_at - interval '1000 days';"
        "update postrider.retention_policy set active_ttl = '30 days', disposal = 'hard_delete'"
        " where entity = 'dead_letter'");
    auto reader = database.connect();
    reader.exec("begin; select from pgmq.q_pipeline_jobs_dlq where msg_id = 1 for update");
    EXPECT_EQ(value("select string_agg(concat_ws(' ', entity, action, things), ', ')"
                    " from postrider.retention_run()"),
              "dead_letter soft_deleted 1");
    EXPECT_EQ(places(), "1 1 1 0");
    reader.exec("commit");
    session.exec("select postrider.retention_run()");
    EXPECT_EQ(places(), "0 0 0 0");
}

TEST_F(pgmq_pipeline_rights, a_reader_that_locks_the_queue_keeps_no_report_waiting) {
    die();
    auto reader = database.connect();
    for (const auto* table :
         {"pgmq.q_pipeline_jobs", "pgmq.q_pipeline_jobs_dlq", "pipeline_dead_letters"}) {
        send(R"({"recording_id": "r-8"})");
        reader.exec("begin; lock table " + std::string(table) + " in share mode");
        session.exec("set statement_timeout = '20s'");
        // As a report, and as reap() and maintain(), which the workers of all consumers call.
        session.exec(hand_over());
        session.exec("select postrider.maintain()");
        EXPECT_NE(problem().find("could not obtain lock"), std::string::npos) << table << problem();
        const auto said = refused(session, replay_all);
        EXPECT_TRUE(said.starts_with("PR012") || said.starts_with("55P03")) << table << said;
        reader.exec("rollback");
        session.exec("select postrider.maintain()");
        EXPECT_EQ(value("select missing from postrider.pgmq_pipelines"), "0") << table;
    }
    EXPECT_EQ(places(), "4 4 4 0");
    // A row for diagnostics that a reader keeps locked stays, and the others go.
    session.exec("update pipeline_dead_letters set dead_at = dead_at - interval '31 days'");
    reader.exec("begin; select from pipeline_dead_letters order by dlq_msg_id limit 1 for update");
    session.exec("select postrider.maintain()");
    EXPECT_EQ(value("select count(*) from pipeline_dead_letters"), "1");
    reader.exec("rollback");
}

TEST_F(pgmq_pipeline_rights, two_maintainers_at_once_write_each_copy_once) {
    auto reader = database.connect();
    reader.exec("begin; lock table pgmq.q_pipeline_jobs_dlq in share mode");
    die();
    die();
    reader.exec("rollback");
    ASSERT_EQ(places(), "2 0 0 2");
    // The first one stops in the middle of its list, and the second one does the rest.
    session.exec(
        "create function wait_here() returns trigger language plpgsql as"
        " 'begin if current_setting(''application_name'') = ''first'' then"
        " perform pg_catalog.pg_advisory_xact_lock(42); end if; return new; end';"
        "create trigger wait_here before insert on pipeline_dead_letters"
        " for each row execute function wait_here();"
        "select pg_advisory_lock(42)");
    auto first = database.connect();
    first.exec("set application_name = 'first'");
    auto done = std::async(std::launch::async, [&] {
        first.exec("select postrider.keep_pgmq_copies(1000, interval '1 minute')");
    });
    while (value("select count(*) from pg_locks where locktype = 'advisory' and not granted"
                 " and objid = 42") == "0" &&
           done.wait_for(std::chrono::milliseconds(5)) == std::future_status::timeout) {
    }
    EXPECT_EQ(value("select written from postrider.keep_pgmq_copies()"), "1");
    session.exec("select pg_advisory_unlock(42)");
    done.get();
    EXPECT_EQ(places(), "2 2 2 0");
}

}  // namespace
}  // namespace postrider::test
