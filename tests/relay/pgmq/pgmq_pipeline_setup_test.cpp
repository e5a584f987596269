// Defining, repairing and removing a pipeline on pgmq, its rights, and two sides at once.
#include "relay/pgmq/pgmq_pipeline_fixture.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

TEST_F(pgmq_pipeline, every_queue_has_its_own_sibling_and_others_have_none) {
    session.exec("select pgmq.create('mails'); select pgmq.create('plain')");
    session.exec("select postrider.create_consumer('mails', 'broker')");
    session.exec(
        "select postrider.define_pgmq_pipeline('mails', 'mails', 'pipeline_dead_letters')");
    die();
    session.exec("select pgmq.send('mails', '{}'); select pgmq.send('plain', '{}')");
    session.exec(hand_over("mails", "mails") + ";" + hand_over("plain", "plain"));
    EXPECT_EQ(places(), "1 1 1 0");
    EXPECT_EQ(places("mails"), "1 1 1 0");
    EXPECT_EQ(value("select count(*) from postrider.dead_letters"), "3");
    EXPECT_EQ(value("select string_agg(concat_ws(' ', queue, consumer, copies, missing), ', '"
                    " order by queue) from postrider.pgmq_pipelines"),
              "mails mails 1 0, pipeline_jobs pipeline 1 0");
    EXPECT_NE(refused(session, "select postrider.define_pgmq_pipeline('plain', 'mails')")
                  .find("have copies in the queue mails_dlq"),
              std::string::npos);
}

TEST_F(pgmq_pipeline, both_sides_at_once_end_in_one_replay) {
    die();
    auto operator_ = database.connect();
    // The reader is first: Postrider waits for it, and finds the dead letter gone.
    session.exec("begin");
    session.exec(
        "select pgmq.send('pipeline_jobs', message), pgmq.delete('pipeline_jobs_dlq', msg_id)"
        " from pgmq.read('pipeline_jobs_dlq', 30, 1)");
    operator_.send(
        "select postrider.outbox_replay(message_id, null, 'test') from postrider.delivery", {});
    EXPECT_TRUE(becomes("1",
                        "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                        " and datname = current_database()"));
    session.exec("commit");
    try {
        ASSERT_TRUE(eventually([&] { return operator_.poll_answer().has_value(); }));
        FAIL() << "the message was replayed twice";
    } catch (const error& problem) {
        EXPECT_EQ(problem.sqlstate(), "PR012");
    }
    EXPECT_EQ(places(), "0 0 0 1");
}

TEST_F(pgmq_pipeline, a_reader_that_has_a_message_finishes_beside_any_operation_of_postrider) {
    die();
    auto operator_ = database.connect();
    session.exec("begin");
    session.exec("select pgmq.read('pipeline_jobs_dlq', 30, 1)");
    EXPECT_EQ(refused(operator_, "select postrider.discard('{}', 'test', 'test')").substr(0, 5),
              "55P03");
    // A replay that looks at the dead letter, and is refused, has it locked meanwhile.
    operator_.exec("begin; select from postrider.delivery for update");
    session.exec("select pgmq.send('pipeline_jobs', '{}')");
    session.send("select pgmq.delete('pipeline_jobs_dlq', 1)", {});
    const auto waits =
        "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
        " and datname = current_database()";
    EXPECT_TRUE(eventually([&] { return operator_.exec(waits).text(0, 0) == "1"; }));
    EXPECT_EQ(refused(operator_, replay_all).substr(0, 5), "PR012");
    operator_.exec("rollback");
    EXPECT_TRUE(eventually([&] { return session.poll_answer().has_value(); }));
    session.exec("commit");
    EXPECT_EQ(places(), "0 0 0 1");
}

TEST_F(pgmq_pipeline, only_the_owner_defines_one_and_only_a_reader_of_the_queue_discards) {
    die();
    session.exec(
        "drop role if exists pgmq_test_reader; create role pgmq_test_reader;"
        "grant postrider_worker, postrider_operator to pgmq_test_reader;"
        "grant usage, create on schema pgmq to pgmq_test_reader; set role pgmq_test_reader");
    for (const char* sql :
         {"select postrider.define_pgmq_pipeline('pipeline_jobs', 'pipeline')",
          "select postrider.remove_pgmq_pipeline('pipeline_jobs')",
          "select pgmq.delete('pipeline_jobs_dlq', 1)", "select * from postrider.pgmq_copy",
          "create table pgmq.q_own (msg_id bigint, headers jsonb);"
          "create trigger t after delete on pgmq.q_own for each row"
          " execute function postrider.pgmq_copy_left('pipeline_jobs')"}) {
        EXPECT_EQ(refused(session, sql).substr(0, 5), "42501") << sql;
    }
    session.exec(
        "reset role; revoke postrider_worker, postrider_operator from pgmq_test_reader;"
        "grant select, update, delete on pgmq.q_pipeline_jobs_dlq to pgmq_test_reader;"
        "set role pgmq_test_reader");
    EXPECT_EQ(value("select pgmq.delete('pipeline_jobs_dlq', 1)"), "t");
    session.exec("reset role");
    EXPECT_EQ(places(), "0 0 0 0");
    EXPECT_EQ(
        value("select action || ' ' || reason from postrider.audits order by at desc limit 1"),
        "discard taken from the queue pipeline_jobs_dlq");
    // The owner of a table could run code as the role that writes to it.
    session.exec("alter table pgmq.q_pipeline_jobs_dlq owner to pgmq_test_reader");
    EXPECT_EQ(refused(session, "select postrider.define_pgmq_pipeline('pipeline_jobs', 'pipeline')")
                  .substr(0, 5),
              "PR010");
    session.exec("drop owned by pgmq_test_reader cascade; drop role pgmq_test_reader");
}

TEST_F(pgmq_pipeline, a_queue_that_was_dropped_costs_no_dead_letter_and_is_repaired) {
    die();
    session.exec("select pgmq.drop_queue('pipeline_jobs_dlq')");
    die();
    EXPECT_EQ(value("select concat_ws(' ', copies, missing, problem like '%does not exist')"
                    " from postrider.pgmq_pipelines"),
              "1 1 t");
    EXPECT_EQ(value("select count(*) from postrider.dead_letters"), "2");
    define();
    EXPECT_EQ(places(), "2 2 2 0");
    session.exec(replay_all);
    EXPECT_EQ(value("select count(*) from pgmq.q_pipeline_jobs_dlq"), "0");
}

TEST_F(pgmq_pipeline, earlier_dead_letters_are_copied_and_a_pipeline_can_be_removed) {
    die();
    EXPECT_EQ(value("select postrider.remove_pgmq_pipeline('pipeline_jobs')"), "1");
    EXPECT_EQ(places(), "1 0 0 0");
    die();
    EXPECT_EQ(places(), "2 0 0 1") << "the program that handed it over deletes it";
    // A table that was there before keeps its types.
    session.exec(
        "drop table pipeline_dead_letters; create table public.pipeline_dead_letters (id serial "
        "primary "
        "key,"
        " queue_name text, original_msg_id bigint, payload jsonb, step text, recording_id "
        "varchar(9),"
        " read_ct smallint, last_error text, first_seen timestamptz, dead_at timestamptz)");
    define();
    EXPECT_EQ(places(), "2 2 2 0");
    EXPECT_EQ(value("select max(id) from pipeline_dead_letters"), "2");
    session.exec("select postrider.remove_consumer('pipeline', 'test', 'test', 'broker', true)");
    EXPECT_EQ(places(), "0 2 2 0") << "messages in pgmq are not lost with the consumer";
    EXPECT_EQ(value("select count(*) from postrider.pgmq_pipelines"), "0");
}

TEST_F(pgmq_pipeline, mistakes_are_named) {
    const auto answer = [this](const std::string& arguments) {
        return refused(session, "select postrider.define_pgmq_pipeline(" + arguments + ")")
            .substr(0, 5);
    };
    session.exec("create table public.few (queue_name text)");
    EXPECT_EQ(answer("'nothing', 'pipeline'"), "PR014");
    EXPECT_EQ(answer("'Pipeline-Jobs', 'pipeline'"), "PR013");
    EXPECT_EQ(answer("'pipeline_jobs', 'absent'"), "PR003");
    EXPECT_EQ(answer("'pipeline_jobs', 'pipeline', 'few'"), "PR001");
    EXPECT_EQ(answer("'pipeline_jobs', 'pipeline', 'a.b.c'"), "PR013");
}

using without_pgmq = worker_fixture;

TEST_F(without_pgmq, a_pipeline_asks_for_pgmq_and_dead_letters_are_kept) {
    const auto refused = [this] {
        try {
            session.exec("select postrider.define_pgmq_pipeline('pipeline_jobs', 'pipeline')");
        } catch (const error& problem) {
            return std::string(problem.sqlstate()) + " " + problem.what();
        }
        return std::string("done");
    }();
    EXPECT_TRUE(refused.starts_with("PR012")) << refused;
    EXPECT_NE(refused.find("pgmq is not installed in the database"), std::string::npos) << refused;
    EXPECT_NE(refused.find("create extension pgmq"), std::string::npos) << refused;
    session.exec(
        "select postrider.hand_over('pipeline', 'pipeline.step', '{\"id\": \"1\", \"event_type\":"
        " \"job\"}', 'no speech', 'audio', 'terminal')");
    EXPECT_EQ(value("select count(*) from postrider.dead_letters"), "1");
}

}  // namespace
}  // namespace postrider::test
