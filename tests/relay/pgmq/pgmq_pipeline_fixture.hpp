#pragma once

#include <atomic>
#include <postrider/error.hpp>

#include "relay/pgmq/install_pgmq.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {

/// The queue pipeline_jobs of pgmq's own SQL, with copies of its dead letters in pipeline_jobs_dlq
/// and the table pipeline_dead_letters.
class pgmq_pipeline : public worker_fixture {
  protected:
    void SetUp() override {
        if (!install_pgmq(session, "pipeline_jobs")) {
            GTEST_SKIP() << pgmq_is_missing;
        }
        session.exec("select postrider.create_consumer('pipeline', 'broker')");
        define();
    }
    void define() {
        session.exec(
            "select postrider.define_pgmq_pipeline('pipeline_jobs', 'pipeline', "
            "'pipeline_dead_letters')");
    }
    void send(const std::string& payload) {
        session.exec("select pgmq.send('pipeline_jobs', '" + payload + "')");
    }
    /// A message whose first attempt was its last. Another program than a worker has handed it
    /// over.
    void die(const std::string& payload = R"({"recording_id": "r-7"})") {
        send(payload);
        session.exec(hand_over());
    }
    static std::string hand_over(const std::string& queue = "pipeline_jobs",
                                 const std::string& consumer = "pipeline") {
        return "select postrider.hand_over('" + consumer + "', '" + consumer +
               ".step', json_build_object('id', q.msg_id::text, 'event_type', '" + queue +
               "', 'source', '" + queue +
               "', 'payload', q.message, 'published_at', q.enqueued_at, 'metadata',"
               " json_build_object('queue', '" +
               queue +
               "', 'msg_id', q.msg_id)), 'no speech', 'audio', 'terminal')"
               " from pgmq.q_" +
               queue + " q order by q.msg_id";
    }
    /// The policies of the profile, without its minute between attempts.
    static handler_options profile() {
        auto made = soon();
        made.max_attempts = 5;
        made.honour_terminal = false;
        return made;
    }
    worker_options on_queue() const {
        auto made = options("pipeline");
        made.source = pgmq_source({.database = database.conninfo(), .queue = "pipeline_jobs"});
        return made;
    }
    /// Dead letters, messages in the sibling queue, rows for diagnostics, messages in the live
    /// queue.
    std::string places(const std::string& queue = "pipeline_jobs") {
        return value(
            "select concat_ws(' ', (select count(*) from postrider.dead_letters d"
            " where d.channel = 'broker' and d.source = '" +
            queue + "'), (select count(*) from pgmq.q_" + queue +
            "_dlq), (select count(*) from pipeline_dead_letters where queue_name = '" + queue +
            "'), (select count(*) from pgmq.q_" + queue + "))");
    }
    /// SQLSTATE and text of a statement that must fail.
    static std::string refused(pg::connection& by, const std::string& sql) {
        try {
            by.exec(sql);
        } catch (const error& problem) {
            return std::string(problem.sqlstate()) + " " + problem.what();
        }
        return "done";
    }
    static constexpr auto replay_all =
        "select postrider.outbox_replay(id, null, 'test') from postrider.dead_letters";
};

}  // namespace postrider::test
