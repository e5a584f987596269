// Replays from both sides of a pipeline on pgmq at the same time.
#include <map>
#include <mutex>
#include <thread>

#include "relay/pgmq/pgmq_pipeline_fixture.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

constexpr int messages = 60;
constexpr int attempts = 2;

/// Fails until a message is dead, and succeeds in its next cycle: with one replay each message has
/// three runs.
class stubborn {
  public:
    void operator()(const event& e, context&) {
        const std::lock_guard lock(guard_);
        if (++runs_[std::string(e.payload())] <= attempts) {
            throw std::runtime_error("not now");
        }
        ++done_;
    }
    int done() {
        const std::lock_guard lock(guard_);
        return done_;
    }
    std::map<std::string, int> runs() {
        const std::lock_guard lock(guard_);
        return runs_;
    }

  private:
    std::mutex guard_;
    std::map<std::string, int> runs_;
    int done_ = 0;
};

TEST_F(pgmq_pipeline, replays_of_two_sides_run_every_message_once) {
    stubborn handler;
    auto how = soon();
    how.max_attempts = attempts;
    how.circuit.failures = 0;
    worker first(on_queue());
    worker second(on_queue());
    for (auto* by : {&first, &second}) {
        by->on(
            "*", "pipeline.step", [&](const event& e, context& run) { handler(e, run); }, how);
        by->start();
    }
    session.exec(
        "select pgmq.send('pipeline_jobs', jsonb_build_object('n', n)) from generate_series(1, " +
        std::to_string(messages) + ") n");
    std::atomic<bool> over = false;
    // As an operator of the queue does it, each step in a transaction of its own.
    std::thread reader([&] {
        auto by = database.connect();
        while (!over) {
            const auto read = by.exec("select msg_id from pgmq.read('pipeline_jobs_dlq', 60, 2)");
            for (int row = 0; row < read.rows(); ++row) {
                const std::string id(read.text(row, 0));
                by.exec(
                    "select pgmq.send('pipeline_jobs', message) from pgmq.q_pipeline_jobs_dlq"
                    " where msg_id = " +
                    id);
                by.exec("select pgmq.delete('pipeline_jobs_dlq', " + id + ")");
            }
            by.exec("select pg_sleep(0.005)");
        }
    });
    std::thread replayer([&] {
        auto by = database.connect();
        while (!over) {
            const auto said = refused(by, std::string(replay_all) + " order by random() limit 1");
            // 55P03: a worker or reader had a lock for longer than outbox_replay() waits.
            EXPECT_TRUE(said == "done" || said.starts_with("PR012") || said.starts_with("55P03"))
                << said;
            by.exec("select pg_sleep(0.005)");
        }
    });
    EXPECT_TRUE(eventually([&] { return handler.done() == messages; }, std::chrono::seconds(60)));
    over = true;
    reader.join();
    replayer.join();
    EXPECT_TRUE(becomes("0",
                        "select count(*) from postrider.delivery where status = 'pending'"
                        " or status = 'in_flight'"));
    // Acknowledgements follow the runs.
    EXPECT_TRUE(eventually([&] { return places() == "0 0 0 0"; })) << places();
    for (const auto& [payload, runs] : handler.runs()) {
        EXPECT_EQ(runs, attempts + 1) << payload;
    }
}

}  // namespace
}  // namespace postrider::test
