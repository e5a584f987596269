// Dead letters of a queue of pgmq in its sibling queue and its table for diagnostics, and back.
#include "relay/pgmq/pgmq_pipeline_fixture.hpp"

namespace postrider::test {
namespace {

TEST_F(pgmq_pipeline, a_message_that_fails_five_times_is_moved_to_the_sibling_queue) {
    send(R"({"step": "transcribe", "recording_id": "r-7"})");
    const auto sent_at = value("select enqueued_at from pgmq.q_pipeline_jobs");
    std::atomic<int> runs = 0;
    worker by(on_queue());
    by.on(
        "*", "pipeline.step",
        [&](const event&, context&) {
            ++runs;
            throw terminal_error("no speech");
        },
        profile());
    by.start();
    EXPECT_TRUE(becomes("1", "select count(*) from pipeline_dead_letters"));
    EXPECT_EQ(runs, 5);
    EXPECT_EQ(places(), "1 1 1 0");
    EXPECT_EQ(value("select message from pgmq.q_pipeline_jobs_dlq"),
              R"({"step": "transcribe", "recording_id": "r-7"})");
    EXPECT_EQ(value("select concat_ws('|', queue_name, original_msg_id, payload, step,"
                    " recording_id, read_ct, last_error, first_seen, dead_at > first_seen)"
                    " from pipeline_dead_letters order by dead_at desc"),
              R"(pipeline_jobs|1|{"step": "transcribe", "recording_id": "r-7"}|transcribe|r-7|5)"
              "|no speech|" +
                  sent_at + "|t");
}

TEST_F(pgmq_pipeline, a_death_that_is_rolled_back_leaves_the_message_where_it_was) {
    send("{}");
    session.exec("begin");
    session.exec(hand_over());
    EXPECT_EQ(places(), "1 1 1 0");
    session.exec("rollback");
    EXPECT_EQ(places(), "0 0 0 1");
    // So does one whose server is stopped between the steps: the deletion, which is the last,
    // fails.
    session.exec(
        "create function refuse() returns trigger language plpgsql as"
        " $$ begin raise exception 'stopped' using errcode = '40001'; end $$;"
        "create trigger refuse before delete on pgmq.q_pipeline_jobs for each row"
        " execute function refuse()");
    EXPECT_EQ(refused(session, hand_over()).substr(0, 5), "40001");
    EXPECT_EQ(places(), "0 0 0 1");
}

TEST_F(pgmq_pipeline, the_documented_statements_replay_a_message_once) {
    die();
    // As an operator types them, each in a transaction of its own.
    EXPECT_EQ(value("select msg_id from pgmq.read('pipeline_jobs_dlq', 30, 1)"), "1");
    session.exec("select pgmq.send('pipeline_jobs', message) from pgmq.q_pipeline_jobs_dlq");
    EXPECT_EQ(refused(session, replay_all).substr(0, 5), "PR012") << "while it is being replayed";
    session.exec("select pgmq.delete('pipeline_jobs_dlq', 1)");
    session.exec("delete from pipeline_dead_letters where original_msg_id = 1");
    EXPECT_EQ(places(), "0 0 0 1");
    EXPECT_EQ(value("select deleted_reason from postrider.delivery"),
              "taken from the queue pipeline_jobs_dlq");
    std::atomic<int> runs = 0;
    worker by(on_queue());
    by.on(
        "*", "pipeline.step", [&](const event&, context&) { ++runs; }, profile());
    by.start();
    EXPECT_TRUE(becomes("0", "select count(*) from pgmq.q_pipeline_jobs"));
    by.request_stop();
    by.wait();
    EXPECT_EQ(runs, 1);
}

TEST_F(pgmq_pipeline, a_replay_by_postrider_empties_both_and_runs_once) {
    die();
    session.exec("begin");
    session.exec(replay_all);
    EXPECT_EQ(places(), "0 0 0 0");
    session.exec("rollback");
    EXPECT_EQ(places(), "1 1 1 0");
    session.exec(replay_all);
    EXPECT_EQ(places(), "0 0 0 0");
    std::atomic<int> runs = 0;
    worker by(on_queue());
    by.on(
        "*", "pipeline.step", [&](const event&, context&) { ++runs; }, profile());
    by.start();
    EXPECT_TRUE(becomes("delivered", "select status from postrider.delivery"));
    by.request_stop();
    by.wait();
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(places(), "0 0 0 0");
}

TEST_F(pgmq_pipeline, a_message_that_a_reader_has_is_replayed_by_its_reader_only) {
    die();
    session.exec("select pgmq.read('pipeline_jobs_dlq', 30, 1)");
    EXPECT_NE(refused(session, replay_all).find("a reader of the queue pipeline_jobs_dlq has"),
              std::string::npos);
    EXPECT_EQ(refused(session,
                      "select postrider.edit_and_replay(delivery_id, '{\"a\": 1}', null, 'test',"
                      " 'test') from postrider.dead_letters")
                  .substr(0, 5),
              "PR012");
    session.exec("select postrider.replay_start('{}', 'test', 'test')");
    session.exec("select postrider.replay_step()");
    EXPECT_EQ(value("select concat_ws('|', outcome, note) from postrider.replay_items"),
              "skipped|a reader of its queue in pgmq has it");
    EXPECT_EQ(places(), "1 1 1 0");
    session.exec("select pgmq.set_vt('pipeline_jobs_dlq', 1, 0)");
    session.exec(replay_all);
    EXPECT_EQ(places(), "0 0 0 0");
}

TEST_F(pgmq_pipeline, a_message_that_dies_twice_has_one_copy_each_time) {
    die();
    session.exec(replay_all);
    session.exec("select postrider.bury(array[(select id from postrider.delivery)], 'test', 'no')");
    EXPECT_EQ(places(), "1 1 1 0");
    EXPECT_EQ(value("select headers ->> 'ce_cycle' from pgmq.q_pipeline_jobs_dlq"), "3");
    // With its headers the message keeps its identity.
    const auto id = value("select message_id from postrider.delivery");
    session.exec(
        "select pgmq.send('pipeline_jobs', message, headers),"
        " pgmq.delete('pipeline_jobs_dlq', msg_id) from pgmq.read('pipeline_jobs_dlq', 30, 1)");
    EXPECT_EQ(places(), "0 0 0 1");
    worker by(on_queue());
    by.on(
        "*", "pipeline.step", [](const event&, context&) { throw terminal_error("still not"); },
        profile());
    by.start();
    EXPECT_TRUE(becomes("1", "select count(*) from pipeline_dead_letters"));
    EXPECT_EQ(places(), "1 1 1 0");
    EXPECT_EQ(value("select concat_ws(' ', id, cycle, last_error) from postrider.dead_letters"),
              id + " 3 still not");
}

TEST_F(pgmq_pipeline, a_discarded_message_leaves_both_and_comes_back_with_a_restore) {
    die();
    die();
    session.exec("select postrider.discard('{}', 'test', 'test')");
    EXPECT_EQ(places(), "0 0 0 0");
    session.exec("select postrider.restore('{}', 'test', 'test')");
    EXPECT_EQ(places(), "2 2 2 0");
    session.exec(
        "select pgmq.archive('pipeline_jobs_dlq', max(msg_id)) from pgmq.q_pipeline_jobs_dlq");
    EXPECT_EQ(places(), "1 1 1 0");
    session.exec("select pgmq.purge_queue('pipeline_jobs_dlq')");
    EXPECT_EQ(places(), "0 0 0 0");
    EXPECT_EQ(value("select count(*) from postrider.delivery where deleted_at is not null"), "2");
}

TEST_F(pgmq_pipeline, retention_and_erasure_reach_the_copies) {
    die();
    die();
    session.exec("update pipeline_dead_letters set dead_at = dead_at - interval '31 days'");
    session.exec(
        "insert into pipeline_dead_letters select 'pipeline_jobs', 9, '{}', 'own', null, 1,"
        " null, now() - interval '60 days', now() - interval '60 days'");
    session.exec("select postrider.maintain()");
    EXPECT_EQ(places(), "2 2 1 0") << "a row that Postrider did not write stays";
    session.exec(
        "select postrider.erase(jsonb_build_object('ids', jsonb_build_array((select id from"
        " postrider.dead_letters limit 1))), 'test', 'test')");
    EXPECT_EQ(places(), "1 1 1 0");
}

}  // namespace
}  // namespace postrider::test
